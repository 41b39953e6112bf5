// SPDX-License-Identifier: Apache-2.0
// parenmatch for JavaScript: what index.d.ts describes.
import { Bp } from "./bp.js";
import { Checker, bytesOfText } from "./check.js";
import { Document } from "./document.js";
import { ParenmatchError, instantiate, instantiateFrom } from "./module.js";
import { bytesOfWords, offsetsOf, sequenceOf } from "./sequence.js";

export { ParenmatchError };

const LARGEST_LIMIT = 2 ** 32 - 1;
const READ_TO_KNOW_A_LANGUAGE = 4096;
const MOST_REPAIRS = 8;
const REPAIR_NUMBERS = 10;
const REPAIRS = ["insert", "remove", "replace"];

function repairFrom(numbers) {
    const [kind, byte, newLine, certain, offset, line, column, partnerOffset, partnerLine, partnerColumn] = numbers;
    const repair = { kind: REPAIRS[kind], character: String.fromCharCode(byte), offset, line, column };
    Object.assign(repair, { newLine: newLine === 1, certain: certain === 1 });
    if (partnerOffset >= 0) repair.partner = { offset: partnerOffset, line: partnerLine, column: partnerColumn };
    return repair;
}

/** Loads the WebAssembly module. Each call makes one with a memory of its own. */
export async function load(options) {
    return new Parenmatch(await instantiate(options));
}

/** Makes the library of a module's bytes, where there is no file to load. */
export async function loadFrom(bytes) {
    return new Parenmatch(await instantiateFrom(bytes));
}

class Parenmatch {
    #module;
    #languages;

    constructor(module) {
        this.#module = module;
        this.version = module.text(module.call.version());
        this.simd = module.text(module.call.simd());
        this.#languages = this.#readLanguages();
    }

    get memoryInBytes() {
        return this.#module.memory.buffer.byteLength;
    }

    match(parens, length, into) {
        const module = this.#module;
        const sequence = sequenceOf(parens, length);
        const n = sequence.length;
        if (into !== undefined && !(into instanceof Int32Array && into.length >= n))
            throw new TypeError(`into: must be an Int32Array of at least ${n} numbers`);
        return module.withBlocks([bytesOfWords(n), 4 * n], (from, to) => {
            module.bytes.set(sequence.bytes, from);
            module.check(module.call.match(from, n, to));
            const match = new Int32Array(module.memory.buffer, to, n);
            if (into === undefined) return match.slice();
            into.set(match);
            return into;
        });
    }

    matchBatch(parens, offsets) {
        const module = this.#module;
        const sequence = sequenceOf(parens);
        const ends = offsetsOf(offsets, sequence.length);
        const n = Number(ends[ends.length - 1]);
        return module.withBlocks([bytesOfWords(n), ends.byteLength, 4 * n], (from, at, to) => {
            const { bytes } = module;
            bytes.set(sequence.bytes.subarray(0, Math.ceil(n / 8)), from);
            bytes.set(new Uint8Array(ends.buffer), at);
            new Int32Array(bytes.buffer, to, n).fill(-1); // what precedes the first sequence has no match
            module.check(module.call.match_batch(from, at, ends.length - 1, to));
            return new Int32Array(module.memory.buffer, to, n).slice();
        });
    }

    bp(parens, length) {
        return new Bp(this.#module, sequenceOf(parens, length));
    }

    languages() {
        return this.#languages.map((language) => ({ ...language, endings: [...language.endings] }));
    }

    languageOf(path, text = "") {
        const module = this.#module;
        if (typeof path !== "string") throw new TypeError(`path: must be a string, not ${String(path)}`);
        const begin = bytesOfText(text).subarray(0, READ_TO_KNOW_A_LANGUAGE);
        return module.withName(path, (name) =>
            module.withBytes(begin, (from) => module.text(module.call.language_name_of(name, from, begin.length))),
        );
    }

    checker(language = "text", { maxFaults = 1000 } = {}) {
        if (!Number.isInteger(maxFaults) || maxFaults < 0 || maxFaults > LARGEST_LIMIT)
            throw new RangeError(`maxFaults: must be an integer from 0 to ${LARGEST_LIMIT}, not ${String(maxFaults)}`);
        return new Checker(this.#module, this.#lookUp(language), maxFaults);
    }

    check(text, language = "text", options) {
        const bytes = bytesOfText(text);
        const checker = this.checker(language, options);
        try {
            checker.push(bytes);
            return checker.finish();
        } finally {
            checker.dispose();
        }
    }

    document(text, language = "text") {
        return new Document(this.#module, this.#lookUp(language), text);
    }

    repair(text, language = "text") {
        const module = this.#module;
        const bytes = bytesOfText(text);
        const address = this.#lookUp(language);
        return module.withBytes(bytes, (from) =>
            module.withBlocks([8 * REPAIR_NUMBERS * MOST_REPAIRS, 4], (repairs, count) => {
                module.check(module.call.repair(address, from, bytes.length, repairs, count));
                return Array.from({ length: module.word(count) }, (_, k) =>
                    repairFrom(module.numbers(repairs + 8 * REPAIR_NUMBERS * k, REPAIR_NUMBERS)),
                );
            }),
        );
    }

    brackets(text, language = "text") {
        const module = this.#module;
        const bytes = bytesOfText(text);
        const address = this.#lookUp(language);
        return module.withBytes(bytes, (from) =>
            module.withBlocks([4], (counted) => {
                const list = (capacity, ...outputs) => {
                    module.check(module.call.text_brackets(address, from, bytes.length, capacity, ...outputs, counted));
                    return module.word(counted);
                };
                const count = list(0, 0, 0, 0);
                return module.withBlocks([bytesOfWords(count), 8 * count, count], (parens, positions, kinds) => {
                    list(count, parens, positions, kinds);
                    const { buffer } = module.memory;
                    const low = new Uint32Array(buffer, positions, 2 * count); // texts are shorter than 4 GiB
                    return {
                        count,
                        parens: new Uint8Array(buffer, parens, bytesOfWords(count)).slice(),
                        positions: Uint32Array.from({ length: count }, (_, i) => low[2 * i]),
                        kinds: new Uint8Array(buffer, kinds, count).slice(),
                    };
                });
            }),
        );
    }

    #lookUp(language) {
        if (typeof language !== "string") throw new TypeError(`language: must be a name, not ${String(language)}`);
        const address = this.#module.withName(language, (name) => this.#module.call.language_by_name(name) >>> 0);
        if (address === 0)
            throw new RangeError(`language: ${JSON.stringify(language)} is unknown; languages() lists them`);
        return address;
    }

    #readLanguages() {
        const { call } = this.#module;
        const languages = [];
        for (let index = 0; ; index++) {
            const name = this.#module.text(call.language_name(index));
            if (name === null) return languages;
            const description = this.#module.text(call.language_description(index));
            const endings = this.#module.text(call.language_endings(index)).split(" ").filter(Boolean);
            languages.push({ name, description, endings, hasBrackets: call.language_has_brackets(index) === 1 });
        }
    }
}
