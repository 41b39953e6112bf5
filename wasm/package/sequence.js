// SPDX-License-Identifier: Apache-2.0
// Parenthesis sequences as users have them, and as packed bytes.

const OPEN = 40;
const CLOSE = 41;

function fromText(text) {
    const bytes = new Uint8Array(Math.ceil(text.length / 64) * 8);
    for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (code === OPEN) bytes[i >> 3] |= 1 << (i & 7);
        else if (code !== CLOSE)
            throw new TypeError(`parens: only '(' and ')' are allowed, but character ${i} is ${JSON.stringify(text[i])}`);
    }
    return { bytes, length: text.length };
}

function show(value) {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Returns {bytes, length} of "(())" or of a typed array whose first `length` bits are the elements. */
export function sequenceOf(parens, length) {
    if (typeof parens === "string") {
        if (length !== undefined) throw new TypeError("length: a string has its own");
        return fromText(parens);
    }
    if (!ArrayBuffer.isView(parens) || parens instanceof DataView)
        throw new TypeError(`parens: must be a string or a typed array of bits, not ${show(parens)}`);
    const bytes = new Uint8Array(parens.buffer, parens.byteOffset, parens.byteLength);
    const all = bytes.length * 8;
    length ??= all;
    if (!Number.isInteger(length) || length < 0 || length > all)
        throw new RangeError(`length: must be an integer from 0 to ${all}, the bits there are, not ${show(length)}`);
    return { bytes: bytes.subarray(0, Math.ceil(length / 8)), length };
}

/** The bytes of whole 64-bit words for `length` elements. */
export function bytesOfWords(length) {
    return Math.ceil(length / 64) * 8;
}

/** Returns offsets as 64-bit integers; they must ascend and end within the sequence. */
export function offsetsOf(offsets, length) {
    if (!Array.isArray(offsets) && !(ArrayBuffer.isView(offsets) && !(offsets instanceof DataView)))
        throw new TypeError(`offsets: must be an array of numbers, not ${show(offsets)}`);
    if (offsets.length === 0) throw new RangeError("offsets: needs one number more than there are sequences");
    const to = new BigUint64Array(offsets.length);
    let before = 0;
    for (let s = 0; s < offsets.length; s++) {
        const offset = Number(offsets[s]);
        if (!Number.isInteger(offset) || offset < before || offset > length)
            throw new RangeError(
                `offsets: number ${s} must be an integer from ${before} to ${length}, not ${show(offsets[s])}`,
            );
        to[s] = BigInt(offset);
        before = offset;
    }
    return to;
}
