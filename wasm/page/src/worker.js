// SPDX-License-Identifier: Apache-2.0
// The worker has the document and answers the page. A message is { id, call, values }, an answer { id, result } or
// { id, error }; while a file is read also { progress }.
import { loadFrom } from "../../package/index.js";
import wasm from "../../package/parenmatch.wasm";
import { characterBytes, charactersOf } from "./text.js";
import { rowStart, rowStep, rowsFrom } from "./rows.js";

const FILE_MAX = 2 ** 30;
const READ_AT_ONCE = 2 ** 23;
const REPAIR_MAX = 2 ** 18; // bytes for which the likely place is looked for: about a quarter of a second
const CHECKED_WHOLE_MAX = 2 ** 24; // of a language without brackets, after each edit
const LISTED = 1000;

const loading = loadFrom(wasm);
let pm, document, language;
let undone = [];

const hasBrackets = (name) => pm.languages().find((known) => known.name === name).hasBrackets;

function setDocument(bytes, name) {
    document?.dispose();
    document = undefined; // if there is no memory for the new one
    const begin = performance.now();
    document = pm.document(bytes, hasBrackets(name) ? name : "text");
    language = name;
    return performance.now() - begin;
}

async function bytesOfFile(file) {
    const number = (value) => value.toLocaleString("en");
    if (file.size > FILE_MAX)
        throw new Error(`${file.name} has ${number(file.size)} bytes; this page takes up to ${number(FILE_MAX)}.`);
    const bytes = new Uint8Array(file.size);
    for (let at = 0; at < file.size; at += READ_AT_ONCE) {
        bytes.set(new Uint8Array(await file.slice(at, at + READ_AT_ONCE).arrayBuffer()), at);
        postMessage({ progress: Math.min(1, (at + READ_AT_ONCE) / file.size) });
    }
    if (bytes.subarray(0, 8192).includes(0)) throw new Error(`${file.name} is a binary file: it has zero bytes.`);
    return bytes;
}

/** The faults of the text by a check of the whole, for languages that a document does not know. */
function checkedWhole() {
    if (document.length > CHECKED_WHOLE_MAX)
        throw new Error(`${language} is checked up to ${CHECKED_WHOLE_MAX} bytes here.`);
    return pm.check(document.read(), language, { maxFaults: LISTED });
}

const calls = {
    async start() {
        pm = await loading;
        setDocument("", "text");
        return pm.languages().map(({ name, description, hasBrackets }) => ({ name, description, hasBrackets }));
    },

    async open(file) {
        const bytes = await bytesOfFile(file);
        const name = pm.languageOf(file.name, bytes.subarray(0, 4096));
        undone = [];
        return { language: name, bytes: bytes.length, ms: setDocument(bytes, name) };
    },

    setLanguage(name) {
        const bytes = document.read();
        return { language: name, bytes: bytes.length, ms: setDocument(bytes, name) };
    },

    length: () => document.length,

    /** Replaces bytes; returns the place behind what came, and how long it took. */
    replace(at, removed, text, undo = true) {
        const inserted = new TextEncoder().encode(text);
        if (undo) undone.push({ at, inserted: inserted.length, removed: document.read(at, removed) });
        const begin = performance.now();
        document.replace(at, removed, inserted);
        return { caret: at + inserted.length, ms: performance.now() - begin };
    },

    undo() {
        const last = undone.pop();
        if (!last) return { caret: -1, ms: 0 };
        const begin = performance.now();
        document.replace(last.at, last.inserted, last.removed);
        return { caret: last.at + last.removed.length, ms: performance.now() - begin };
    },

    text: (from, to) => new TextDecoder().decode(document.read(from, to - from)),

    /** All that a screen shows, from the row that `top` is in on. */
    screen(top, count, caret) {
        const rows = rowsFrom(document, rowStart(document, Math.min(top, document.length)), count);
        const last = rows[rows.length - 1];
        const end = last.offset + last.bytes.length;
        const brackets = hasBrackets(language) ? document.brackets(rows[0].offset, end - rows[0].offset) : [];
        return { rows, brackets, end, length: document.length, ...calls.around(caret) };
    },

    /** The brackets around the caret, and the pair that it touches. */
    around(caret) {
        if (!hasBrackets(language)) return { path: [], pair: [] };
        const touched = [caret, caret - 1].find((at) => at >= 0 && document.partner(at) >= 0);
        const path = document.path(caret, 20).map((open) => {
            const line = document.lineAt(open.offset);
            return { offset: open.offset, line, character: calls.text(open.offset, open.offset + 1) };
        });
        return { path, pair: touched === undefined ? [] : [touched, document.partner(touched)] };
    },

    rowStart: (offset) => rowStart(document, offset),
    rowStep: (offset, steps) => rowStep(document, rowStart(document, offset), steps),

    /** The offset `rows` rows behind another (before it if negative), as many characters into its row. */
    rowsAway(offset, rows) {
        const start = rowStart(document, offset);
        const to = rowStep(document, start, rows);
        if (to === start) return rows < 0 ? 0 : document.length;
        const into = charactersOf(document.read(start, offset - start), start).length;
        const [{ bytes }] = rowsFrom(document, to, 1);
        return charactersOf(bytes, to)[into]?.offset ?? to + bytes.length;
    },

    /** The offset of the character before or behind one. */
    characterStep(offset, step) {
        if (step > 0)
            return offset + (offset < document.length ? characterBytes(document.read(offset, Math.min(4, document.length - offset)), 0) : 0);
        const from = Math.max(0, offset - 4);
        const bytes = document.read(from, offset - from);
        for (let length = 4; length > 1; length--)
            if (length <= bytes.length && characterBytes(bytes, bytes.length - length) === length) return offset - length;
        return Math.max(0, offset - 1);
    },

    /** What is wrong, once the text is read as it is now. */
    faults() {
        const begin = performance.now();
        const { faults, ...summary } = hasBrackets(language)
            ? { ...document.summary(), faults: document.faults(0, LISTED) }
            : checkedWhole();
        return { faults, ...summary, ms: performance.now() - begin };
    },

    /** The likeliest repair; nothing if none is looked for. Where a string never ends, brackets behind it are hidden. */
    repair() {
        if (!hasBrackets(language) || document.length > REPAIR_MAX || document.summary().unterminated > 0) return [];
        return pm.repair(document.read(), language);
    },

    /** The largest depth in each of `count` parts of the text, the first `from` of which are known. */
    depths(from, to, count) {
        const { length } = document;
        if (!hasBrackets(language)) return [];
        const edge = (part) => Math.floor((length * part) / count);
        return Array.from({ length: to - from }, (_, k) =>
            document.maxDepth(edge(from + k), edge(from + k + 1) - edge(from + k)),
        );
    },
};

self.onmessage = async ({ data: { id, call, values } }) => {
    try {
        postMessage({ id, result: await calls[call](...values) });
    } catch (error) {
        postMessage({ id, error: error instanceof RangeError && /memory|allocation/i.test(error.message) ? "There is not enough memory." : error.message });
    }
};
