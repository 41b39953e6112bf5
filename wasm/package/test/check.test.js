// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "parenmatch";
import { matchOf, randomFrom } from "./oracle.js";

const PAIRS = "()[]{}";

function textOfBrackets(n, random) {
    return Array.from({ length: n }, () => (random() < 0.3 ? PAIRS[Math.floor(random() * 6)] : random() < 0.1 ? "\n" : "é")).join("");
}

/** Brackets of the language "text", and what is wrong with them. */
function expectedOf(text) {
    const bytes = [...new TextEncoder().encode(text)];
    const positions = bytes.flatMap((byte, at) => (PAIRS.includes(String.fromCharCode(byte)) ? [at] : []));
    const role = positions.map((at) => PAIRS.indexOf(String.fromCharCode(bytes[at])));
    const opens = role.map((r) => r % 2 === 0);
    const match = matchOf(opens);
    const closed = new Set(match.filter((_, i) => !opens[i]));
    const wrong = (i) => (opens[i] ? !closed.has(i) : match[i] < 0 || role[match[i]] !== role[i] - 1);
    const faults = positions.filter((_, i) => wrong(i));
    return { bytes, positions, kinds: role.map((r) => r >> 1), opens, faults };
}

for (const simd of [true, false]) {
    const pm = await load({ simd });

    test(`${pm.simd}: random texts, whole and in chunks`, () => {
        const random = randomFrom(5);
        for (let round = 0; round < 300; round++) {
            const text = textOfBrackets(Math.floor(random() * 400), random);
            const { bytes, faults } = expectedOf(text);
            const whole = pm.check(text);
            assert.deepEqual(whole.faults.map((fault) => fault.offset).sort((a, b) => a - b), faults);
            assert.equal(whole.faultCount, faults.length);
            assert.equal(whole.balanced, faults.length === 0);
            for (const { offset, line, column } of whole.faults) {
                const before = bytes.slice(0, offset);
                assert.equal(line, before.filter((byte) => byte === 10).length + 1);
                assert.equal(column, offset - before.lastIndexOf(10));
            }
            const checker = pm.checker();
            for (let from = 0; from < bytes.length; from += 37) checker.push(Uint8Array.from(bytes.slice(from, from + 37)));
            assert.deepEqual(checker.finish(), whole);
        }
    });

    test(`${pm.simd}: brackets of random texts`, () => {
        const random = randomFrom(6);
        for (let round = 0; round < 300; round++) {
            const text = textOfBrackets(Math.floor(random() * 400), random);
            const { positions, kinds, opens } = expectedOf(text);
            const found = pm.brackets(text);
            assert.deepEqual([...found.positions], positions);
            assert.deepEqual([...found.kinds], kinds);
            assert.deepEqual([...pm.match(found.parens, found.count)], matchOf(opens));
        }
    });
}

const pm = await load();

test("faults of a C text", () => {
    const result = pm.check('f(a[1)]; // (\nchar *s = "{";\n{', "c");
    assert.equal(result.balanced, false);
    assert.deepEqual(result.faults[0], {
        fault: "kind mismatch", offset: 5, line: 1, column: 6, length: 1, character: ")",
        partner: { offset: 3, line: 1, column: 4, character: "[" },
    });
    assert.deepEqual(result.faults.at(-1), {
        fault: "unmatched open", offset: 29, line: 3, column: 1, length: 1, character: "{",
    });
    assert.equal(pm.check('"', "json").faults[0].fault, "unterminated");
});

test("XML has delimiters", () => {
    assert.equal(pm.check("<a><b/></a>", "xml").balanced, true);
    const { faults } = pm.check("<a>\n<b></a>", "xml");
    assert.equal(faults[0].line, 2);
    assert.ok(faults[0].length > 1);
    const checker = pm.checker("xml");
    for (const character of "<a>\n<b></a>") checker.push(character);
    assert.deepEqual(checker.finish().faults, faults);
});

test("a long text", () => {
    const depth = 3 << 20;
    assert.equal(pm.check("[".repeat(depth) + "]".repeat(depth), "json").maxDepth, depth);
    const { faults, faultCount } = pm.check(")".repeat(5000), "c", { maxFaults: 10 });
    assert.deepEqual([faults.length, faultCount], [10, 5000]);
    assert.equal(pm.check(")", "c", { maxFaults: 0 }).faults.length, 0);
});

test("repairs", () => {
    const text = "int f(void) {\n    if (a) {\n        b();\n    return 0;\n}\n";
    const [repair, ...others] = pm.repair(text, "c");
    assert.deepEqual(others, []);
    assert.deepEqual([repair.kind, repair.character, repair.line], ["insert", "}", 4]);
    assert.equal(repair.partner.line, 2);
    assert.deepEqual(pm.repair("()", "c"), []);
    assert.throws(() => pm.repair("<a>", "xml"), { name: "ParenmatchError" });
    assert.throws(() => pm.repair("(".repeat(5 << 20), "c"), { name: "ParenmatchError", message: /large|limit/ });
});

test("languages", () => {
    const languages = pm.languages();
    assert.ok(languages.length >= 40);
    for (const { name, description, endings } of languages) {
        assert.ok(name && description);
        for (const ending of endings) assert.equal(typeof pm.languageOf(`a.${ending}`), "string");
        assert.equal(pm.check("", name).balanced, true);
    }
    assert.equal(pm.languageOf("a.ts", "<?xml version='1.0'?><TS></TS>"), "xml");
    assert.equal(languages.find(({ name }) => name === "xml").hasBrackets, false);
    assert.deepEqual(["x.json", "dir/A.C", "a.xml", "none"].map((path) => pm.languageOf(path)), ["json", "c", "xml", "text"]);
});

test("bad arguments are named", () => {
    assert.throws(() => pm.check("", "klingon"), { name: "RangeError", message: /language: "klingon"/ });
    assert.throws(() => pm.check("", 7), { name: "TypeError", message: /language/ });
    assert.throws(() => pm.check(7), { name: "TypeError", message: /text: .*7/ });
    assert.throws(() => pm.check("", "c", { maxFaults: -1 }), { name: "RangeError", message: /maxFaults/ });
    assert.throws(() => pm.languageOf(null), { name: "TypeError", message: /path/ });
    assert.throws(() => pm.brackets("<a>", "xml"), { name: "ParenmatchError", message: /not supported/ });
    const checker = pm.checker("c");
    checker.finish();
    assert.throws(() => checker.push("("), { name: "ParenmatchError", message: /finished/ });
    assert.throws(() => checker.finish(), { name: "ParenmatchError", message: /finished/ });
});

test("checkers give memory back", () => {
    pm.checker("c").dispose();
    const before = pm.memoryInBytes;
    for (let round = 0; round < 100; round++) pm.checker("c").dispose();
    assert.equal(pm.memoryInBytes, before);
});
