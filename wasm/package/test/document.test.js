// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "parenmatch";
import { randomFrom } from "./oracle.js";

const PIECES = ["(", ")", "[", "]", "{", "}", '"', "'", "//", "/*", "*/", "\n", "word ", "é", "`", "${", "\\"];

function piecesOf(count, random) {
    return Array.from({ length: count }, () => PIECES[Math.floor(random() * PIECES.length)]).join("");
}

for (const simd of [true, false]) {
    const pm = await load({ simd });

    test(`${pm.simd}: after every edit a document has the faults of a check`, () => {
        const random = randomFrom(9);
        for (const language of ["c", "json", "javascript", "python"]) {
            let bytes = new TextEncoder().encode(piecesOf(2000, random));
            const document = pm.document(bytes, language);
            for (let edit = 0; edit < 60; edit++) {
                const at = Math.floor(random() * (bytes.length + 1));
                const removed = Math.floor(random() * Math.min(20, bytes.length - at + 1));
                const inserted = new TextEncoder().encode(piecesOf(Math.floor(random() * 10), random));
                document.replace(at, removed, inserted);
                bytes = Uint8Array.of(...bytes.subarray(0, at), ...inserted, ...bytes.subarray(at + removed));
                const { faults, ...summary } = pm.check(bytes, language, { maxFaults: 100000 });
                assert.deepEqual(document.summary(), summary);
                assert.deepEqual(document.faults(0, 100000), faults);
            }
            assert.deepEqual(document.read(), bytes);
            assert.equal(document.length, bytes.length);
            document.dispose();
        }
    });
}

const pm = await load();

test("brackets, partners and paths", () => {
    const document = pm.document("{\n  [a, (b)]\n}", "json");
    assert.deepEqual(document.brackets().map(({ offset, depth, open }) => [offset, depth, open]), [
        [0, 0, true], [4, 1, true], [8, 2, true], [10, 2, false], [11, 1, false], [13, 0, false],
    ].filter(([offset]) => offset !== 8 && offset !== 10));
    assert.deepEqual([document.partner(0), document.partner(11), document.partner(1)], [13, 4, -1]);
    assert.deepEqual(document.path(6).map(({ offset }) => offset), [4, 0]);
    assert.deepEqual(document.path(6, 1).map(({ offset }) => offset), [4]);
    assert.deepEqual([document.lineAt(4), document.lineOffset(2), document.lineOffset(9)], [2, 2, -1]);
    assert.deepEqual([document.maxDepth(), document.maxDepth(0, 4), document.maxDepth(1, 3)], [1, 0, -1]);
    document.replace(13, 1, "");
    assert.deepEqual(document.faults().map(({ fault, line }) => [fault, line]), [["unmatched open", 1]]);
    assert.equal(document.brackets(0, 1)[0].faulty, true);
});

test("reading on in portions", () => {
    const document = pm.document("x = 1;\n".repeat(100000), "c");
    document.replace(0, 0, "/*");
    assert.ok(document.settled < document.length);
    while (document.settled < document.length) document.settle(1 << 16);
    assert.equal(document.summary().unterminated, 1);
});

test("bad arguments are named", () => {
    const document = pm.document("()", "c");
    assert.throws(() => document.replace(3, 0, ""), { name: "RangeError", message: /at: .*2.*3/ });
    assert.throws(() => document.replace(1, 2, ""), { name: "RangeError", message: /removed/ });
    assert.throws(() => document.replace(0, 0, 5), { name: "TypeError", message: /text/ });
    assert.throws(() => document.read(0, 9), { name: "RangeError", message: /length/ });
    assert.throws(() => document.path(1.5), { name: "RangeError", message: /offset/ });
    assert.throws(() => pm.document("<a>", "xml"), { name: "ParenmatchError", message: /not supported/ });
    document.dispose();
    document.dispose();
    assert.throws(() => document.summary(), { name: "ParenmatchError", message: /disposed/ });
});

test("documents give memory back", () => {
    const text = "(".repeat(1 << 20);
    pm.document(text, "c").dispose();
    const before = pm.memoryInBytes;
    for (let round = 0; round < 50; round++) pm.document(text, "c").dispose();
    assert.equal(pm.memoryInBytes, before);
});
