// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "parenmatch";
import { allOf, matchOf, packed, randomElements, randomFrom, textOf } from "./oracle.js";

/** Every answer of an index, from the match of each element. */
function answersOf(elements) {
    const match = matchOf(elements);
    const n = elements.length;
    const close = elements.map(() => -1);
    match.forEach((open, i) => {
        if (!elements[i] && open >= 0) close[open] = i;
    });
    const opens = elements.flatMap((open, i) => (open ? [i] : []));
    const ancestors = (node) => (node < 0 ? [] : [node, ...ancestors(match[node])]);
    const childrenOf = (parent) => opens.filter((node) => match[node] === parent);
    const nth = (list, k) => list[k] ?? -1;
    return {
        match, close, opens, ancestors, childrenOf, nth,
        closes: elements.flatMap((open, i) => (open ? [] : [i])),
        end: (node) => (close[node] < 0 ? n : close[node]),
    };
}

function compare(bp, elements) {
    const { match, close, opens, closes, ancestors, childrenOf, nth, end } = answersOf(elements);
    let excess = 0;
    elements.forEach((open, i) => {
        assert.equal(bp.rankOpen(i), opens.filter((at) => at < i).length);
        assert.equal(bp.rankClose(i), closes.filter((at) => at < i).length);
        assert.equal(bp.selectOpen(i), nth(opens, i));
        assert.equal(bp.selectClose(i), nth(closes, i));
        assert.equal(bp.preorderSelect(i), nth(opens, i));
        excess += open ? 1 : -1;
        assert.equal(bp.excess(i), excess);
        assert.equal(bp.findClose(i), close[i]);
        assert.equal(bp.findOpen(i), open ? -1 : match[i]);
        assert.equal(bp.enclose(i), match[i]);
        if (!open) {
            assert.equal(bp.depth(i), -1);
            return;
        }
        const children = childrenOf(i);
        const siblings = childrenOf(match[i]);
        const up = ancestors(i);
        assert.equal(bp.parent(i), match[i]);
        assert.equal(bp.depth(i), up.length - 1);
        assert.equal(bp.isLeaf(i), children.length === 0);
        assert.equal(bp.firstChild(i), nth(children, 0));
        assert.equal(bp.lastChild(i), nth(children, children.length - 1));
        assert.equal(bp.nextSibling(i), nth(siblings, siblings.indexOf(i) + 1));
        assert.equal(bp.prevSibling(i), nth(siblings, siblings.indexOf(i) - 1));
        assert.equal(bp.degree(i), children.length);
        assert.equal(bp.subtreeSize(i), opens.filter((at) => at >= i && at < end(i)).length);
        assert.equal(bp.preorderRank(i), opens.indexOf(i));
        for (let k = 0; k <= children.length; k++) assert.equal(bp.child(i, k), nth(children, k));
        for (let k = 0; k <= up.length; k++) assert.equal(bp.levelAncestor(i, k), nth(up, k));
        for (const other of opens) {
            assert.equal(bp.isAncestor(i, other), ancestors(other).includes(i));
            assert.equal(bp.lca(i, other), up.find((node) => ancestors(other).includes(node)) ?? -1);
        }
    });
    bp.dispose();
}

for (const simd of [true, false]) {
    const pm = await load({ simd });

    test(`${pm.simd}: every query on every sequence of up to 7 elements`, () => {
        for (let n = 0; n <= 7; n++) for (const elements of allOf(n)) compare(pm.bp(textOf(elements)), elements);
    });

    test(`${pm.simd}: every query on random sequences`, () => {
        const random = randomFrom(3);
        for (const n of [63, 64, 65, 130])
            for (const openShare of [0.4, 0.5, 0.6]) {
                const elements = randomElements(n, openShare, random);
                compare(pm.bp(packed(elements), n), elements);
            }
    });

    test(`${pm.simd}: partners in a long sequence`, () => {
        const elements = randomElements(300000, 0.5, randomFrom(4));
        const match = matchOf(elements);
        const bp = pm.bp(packed(elements), elements.length);
        const wrong = (open, i) => bp.enclose(i) !== open || (!elements[i] && open >= 0 && bp.findClose(open) !== i);
        assert.equal(match.findIndex(wrong), -1);
    });
}

const pm = await load();

test("positions that no element has", () => {
    const bp = pm.bp("(())");
    for (const position of [-1, 4, 1e300, -1e300, NaN, Infinity]) assert.equal(bp.findClose(position), -1);
    assert.throws(() => bp.findClose("1"), { name: "TypeError", message: /position/ });
    assert.throws(() => bp.lca(0), { name: "TypeError", message: /position/ });
    assert.ok(bp.sizeInBytes > 0 && bp.length === 4);
});

test("an index that was disposed of says so", () => {
    const bp = pm.bp("()");
    bp.dispose();
    bp.dispose();
    assert.throws(() => bp.findClose(0), { name: "ParenmatchError", message: /disposed/ });
});

test("dispose() gives memory back", () => {
    const bits = new Uint8Array(1 << 18).fill(0b01010101);
    pm.bp(bits).dispose();
    const before = pm.memoryInBytes;
    for (let round = 0; round < 100; round++) pm.bp(bits).dispose();
    assert.equal(pm.memoryInBytes, before);
});
