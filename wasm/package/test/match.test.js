// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "parenmatch";
import { allOf, matchOf, packed, randomElements, randomFrom, textOf } from "./oracle.js";

for (const simd of [true, false]) {
    const pm = await load({ simd });

    test(`${pm.simd}: every sequence of up to 10 elements`, () => {
        for (let n = 0; n <= 10; n++)
            for (const elements of allOf(n)) assert.deepEqual([...pm.match(textOf(elements))], matchOf(elements));
    });

    test(`${pm.simd}: random sequences around the borders of words and blocks`, () => {
        const random = randomFrom(1);
        for (const border of [64, 512, 1024, 2048, 65536, 300000])
            for (const n of [border - 1, border, border + 1])
                for (const openShare of border > 5000 ? [0.5] : [0.1, 0.5, 0.52, 0.9, 1]) {
                    const elements = randomElements(n, openShare, random);
                    const match = pm.match(packed(elements), n);
                    const expected = matchOf(elements);
                    assert.equal(match.length, n);
                    assert.equal(expected.findIndex((open, i) => match[i] !== open), -1);
                }
    });

    test(`${pm.simd}: batches`, () => {
        const random = randomFrom(2);
        for (let round = 0; round < 200; round++) {
            const offsets = [Math.floor(random() * 5)];
            for (let count = Math.floor(random() * 8); count > 0; count--)
                offsets.push(offsets.at(-1) + Math.floor(random() * 300));
            const elements = randomElements(offsets.at(-1), 0.5, random);
            const expected = elements.map(() => -1);
            for (let s = 0; s + 1 < offsets.length; s++)
                expected.splice(offsets[s], offsets[s + 1] - offsets[s], ...matchOf(elements.slice(offsets[s], offsets[s + 1])));
            assert.deepEqual([...pm.matchBatch(textOf(elements), offsets)], expected);
            assert.deepEqual([...pm.matchBatch(packed(elements), BigUint64Array.from(offsets, BigInt))], expected);
        }
    });
}

const pm = await load();

test("bits of typed arrays of any width", () => {
    const words = new BigUint64Array([0b001011n]);
    for (const view of [words, new Uint32Array(words.buffer), new Uint8Array(words.buffer, 0, 1)])
        assert.deepEqual([...pm.match(view, 6)], [-1, 0, 1, 0, 3, 0]);
    assert.equal(pm.match(new Uint8Array(3)).length, 24);
});

test("a result into an array of the caller's", () => {
    const into = new Int32Array(5).fill(7);
    assert.equal(pm.match("(())", undefined, into), into);
    assert.deepEqual([...into], [-1, 0, 1, 0, 7]);
    for (const wrong of [new Int32Array(3), [], new Uint32Array(4)])
        assert.throws(() => pm.match("(())", undefined, wrong), { name: "TypeError", message: /into: .*4/ });
});

test("results are copies, and memory is given back", () => {
    const bits = new Uint8Array(1 << 16).fill(0b01010101);
    const first = pm.match(bits);
    const before = pm.memoryInBytes;
    for (let round = 0; round < 50; round++) pm.match(bits);
    assert.equal(pm.memoryInBytes, before);
    assert.deepEqual([...first.subarray(0, 4)], [-1, 0, -1, 2]);
});

test("bad arguments are named", () => {
    assert.throws(() => pm.match("(x)"), { name: "TypeError", message: /parens: .*character 1 is "x"/ });
    assert.throws(() => pm.match("()", 2), { name: "TypeError", message: /length/ });
    assert.throws(() => pm.match([1, 0]), { name: "TypeError", message: /parens/ });
    assert.throws(() => pm.match(undefined), { name: "TypeError", message: /parens: .*undefined/ });
    for (const length of [-1, 1.5, 17, NaN, "8"])
        assert.throws(() => pm.match(new Uint8Array(2), length), { name: "RangeError", message: /length: .*16/ });
    assert.throws(() => pm.matchBatch("()", []), { name: "RangeError", message: /offsets/ });
    assert.throws(() => pm.matchBatch("()", [0, 3]), { name: "RangeError", message: /offsets: number 1/ });
    assert.throws(() => pm.matchBatch("()()", [2, 1]), { name: "RangeError", message: /offsets: number 1/ });
    assert.throws(() => pm.matchBatch("()", 2), { name: "TypeError", message: /offsets/ });
});
