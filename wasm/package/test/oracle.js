// SPDX-License-Identifier: Apache-2.0
// What the package should answer, in a few lines of plain JavaScript; and inputs for it.

/** The match of each element, true for an open. */
export function matchOf(elements) {
    const stack = [];
    return elements.map((open, i) => {
        const match = stack.length ? stack[stack.length - 1] : -1;
        if (open) stack.push(i);
        else stack.pop();
        return match;
    });
}

/** A generator of numbers in [0, 1), the same for the same seed. */
export function randomFrom(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

export function randomElements(n, openShare, random) {
    return Array.from({ length: n }, () => random() < openShare);
}

export function packed(elements) {
    const bytes = new Uint8Array(Math.ceil(elements.length / 8));
    elements.forEach((open, i) => {
        if (open) bytes[i >> 3] |= 1 << (i & 7);
    });
    return bytes;
}

export function textOf(elements) {
    return elements.map((open) => (open ? "(" : ")")).join("");
}

/** All sequences of length n. */
export function* allOf(n) {
    for (let bits = 0; bits < 2 ** n; bits++) yield Array.from({ length: n }, (_, i) => ((bits >> i) & 1) === 1);
}
