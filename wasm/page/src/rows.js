// SPDX-License-Identifier: Apache-2.0
// A text as rows of a screen: a line is one row, or several if it is long. In the worker, next to the document.
import { characterBytes } from "./text.js";

const ROW_BYTES = 240;
const NEWLINE = 10;

/** Where the row that begins at an offset ends: { end, next }, next being the beginning of the row after it. */
function rowFrom(document, offset) {
    const bytes = document.read(offset, Math.min(ROW_BYTES + 4, document.length - offset));
    const newline = bytes.indexOf(NEWLINE);
    if (newline >= 0 && newline <= ROW_BYTES) return { end: offset + newline, next: offset + newline + 1 };
    if (bytes.length <= ROW_BYTES) return { end: offset + bytes.length, next: -1 };
    let length = 0;
    for (let step; length + (step = characterBytes(bytes, length)) <= ROW_BYTES; ) length += step;
    return { end: offset + length, next: offset + length };
}

/** The beginning of the row that an offset is in. Rows of a very long line begin again at every 2^16 of its bytes. */
export function rowStart(document, offset) {
    const line = document.lineOffset(document.lineAt(offset));
    let start = offset - line > 1 << 16 ? afterCharacter(document, offset - ((offset - line) % (1 << 16))) : line;
    for (;;) {
        const { end, next } = rowFrom(document, start);
        if (next < 0 || offset < next || (offset === end && end !== next)) return start;
        start = next;
    }
}

/** The first offset from `offset` on at which a character begins. */
function afterCharacter(document, offset) {
    const bytes = document.read(offset, Math.min(4, document.length - offset));
    let at = 0;
    while (at < bytes.length && (bytes[at] & 0xc0) === 0x80) at++;
    return offset + at;
}

/** The beginning of the row `steps` rows behind the one that begins at `start`; before it if negative. */
export function rowStep(document, start, steps) {
    for (; steps > 0; steps--) {
        const { next } = rowFrom(document, start);
        if (next < 0) return start;
        start = next;
    }
    for (; steps < 0 && start > 0; steps++) start = rowStart(document, start - 1);
    return start;
}

/** The rows of a screen: [{ offset, bytes, line }], line being 0 for a row that goes on with the line before. */
export function rowsFrom(document, start, count) {
    const rows = [];
    for (let offset = start; rows.length < count; ) {
        const { end, next } = rowFrom(document, offset);
        const line = document.lineAt(offset);
        const begins = document.lineOffset(line) === offset;
        rows.push({ offset, bytes: document.read(offset, end - offset), line: begins ? line : 0 });
        if (next < 0) break;
        offset = next;
    }
    return rows;
}
