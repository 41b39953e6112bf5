// SPDX-License-Identifier: Apache-2.0
// Bytes of a text as characters, each with its byte offset. A byte that is not UTF-8 becomes one U+FFFD.

const NOT_UTF8 = "\ufffd";

function lengthOf(byte) {
    if (byte < 0x80) return 1;
    if (byte >= 0xc2 && byte < 0xe0) return 2;
    if (byte >= 0xe0 && byte < 0xf0) return 3;
    return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

/** Returns the bytes of the character that begins at `at`, 1 if it is not UTF-8. */
export function characterBytes(bytes, at) {
    const length = lengthOf(bytes[at]);
    if (length === 0 || at + length > bytes.length) return 1;
    for (let k = 1; k < length; k++) if ((bytes[at + k] & 0xc0) !== 0x80) return 1;
    return length;
}

const decoder = new TextDecoder("utf-8");

/** Returns [{ text, offset }] for the characters of bytes, whose first has the offset `base`. */
export function charactersOf(bytes, base) {
    const characters = [];
    for (let at = 0; at < bytes.length; ) {
        const length = characterBytes(bytes, at);
        const plain = length === 1 && bytes[at] < 0x80;
        const text = plain ? shown(bytes[at]) : length === 1 ? NOT_UTF8 : decoder.decode(bytes.subarray(at, at + length));
        characters.push({ text, offset: base + at });
        at += length;
    }
    return characters;
}

/** A control character has a picture of its own, so that every byte of a row is seen; a tab stays. */
function shown(byte) {
    if (byte === 9) return "\t";
    return String.fromCharCode(byte < 32 ? 0x2400 + byte : byte === 127 ? 0x2421 : byte);
}
