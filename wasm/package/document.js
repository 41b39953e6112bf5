// SPDX-License-Identifier: Apache-2.0
// A text that changes.
import { bytesOfText, faultsAt, summaryAt } from "./check.js";
import { ParenmatchError } from "./module.js";

const BRACKET_NUMBERS = 5;
const MOST_BRACKETS = 1 << 20;

const forgotten = new FinalizationRegistry(({ module, document }) => module.call.document_destroy(document));

export class Document {
    #module;
    #document;

    constructor(module, language, text) {
        const bytes = bytesOfText(text);
        this.#module = module;
        this.#document = module.withBytes(bytes, (from) =>
            module.withBlocks([4], (created) => {
                module.check(module.call.document_create(language, from, bytes.length, created));
                return module.word(created);
            }),
        );
        forgotten.register(this, { module, document: this.#document }, this);
    }

    dispose() {
        if (this.#document === 0) return;
        forgotten.unregister(this);
        this.#module.call.document_destroy(this.#document);
        this.#document = 0;
    }

    get length() {
        return this.#call("document_length") >>> 0;
    }

    get sizeInBytes() {
        return this.#call("document_size_in_bytes") >>> 0;
    }

    get settled() {
        return this.#call("document_settled") >>> 0;
    }

    replace(at, removed, text) {
        const bytes = bytesOfText(text);
        this.#inRange("at", at, this.length);
        this.#inRange("removed", removed, this.length - at);
        this.#module.withBytes(bytes, (from) => this.#try("document_replace", at, removed, from, bytes.length));
    }

    read(at = 0, length = this.length - at) {
        this.#inRange("at", at, this.length);
        this.#inRange("length", length, this.length - at);
        return this.#module.withBlocks([length], (to) => {
            this.#try("document_read", at, length, to);
            return this.#module.bytes.slice(to, to + length);
        });
    }

    lineAt(offset) {
        this.#inRange("offset", offset, this.length);
        return this.#call("document_line", offset);
    }

    lineOffset(line) {
        if (!Number.isInteger(line)) throw new RangeError(`line: must be an integer, not ${String(line)}`);
        return this.#call("document_line_offset", line);
    }

    settle(bytes = Infinity) {
        this.#try("document_settle", bytes);
    }

    summary() {
        return this.#module.withBlocks([4], (at) => {
            this.#try("document_summary", at);
            return summaryAt(this.#module, this.#module.word(at));
        });
    }

    faults(from = 0, maxFaults = 1000) {
        this.#inRange("from", from, this.length);
        this.#inRange("maxFaults", maxFaults, 2 ** 32 - 1);
        return this.#module.withBlocks([4, 4], (list, count) => {
            this.#try("document_faults", from, maxFaults, list, count);
            return faultsAt(this.#module, this.#module.word(list), this.#module.word(count));
        });
    }

    partner(offset) {
        this.#inRange("offset", offset, 2 ** 32 - 1);
        return this.#call("document_partner", offset);
    }

    brackets(at = 0, length = this.length - at) {
        this.#inRange("at", at, this.length);
        this.#inRange("length", length, this.length - at);
        return this.#brackets("document_brackets", Math.min(length, MOST_BRACKETS), at, length);
    }

    maxDepth(at = 0, length = this.length - at) {
        this.#inRange("at", at, this.length);
        this.#inRange("length", length, this.length - at);
        return this.#module.withBlocks([8], (depth) => {
            this.#try("document_max_depth", at, length, depth);
            return this.#module.numbers(depth, 1)[0];
        });
    }

    path(offset, most = 1000) {
        this.#inRange("offset", offset, this.length);
        this.#inRange("most", most, MOST_BRACKETS);
        return this.#brackets("document_path", most, offset);
    }

    #brackets(name, capacity, ...range) {
        const module = this.#module;
        return module.withBlocks([4, 4], (list, count) => {
            module.bytes.fill(0, list, list + 4);
            try {
                this.#try(name, ...range, capacity, list, count);
                const numbers = module.numbers(module.word(list), BRACKET_NUMBERS * Math.min(capacity, module.word(count)));
                return Array.from({ length: numbers.length / BRACKET_NUMBERS }, (_, k) => {
                    const [offset, depth, kind, open, faulty] = numbers.subarray(BRACKET_NUMBERS * k);
                    return { offset, depth, kind, open: open === 1, faulty: faulty === 1 };
                });
            } finally {
                module.call.free(module.word(list));
            }
        });
    }

    #call(name, ...values) {
        if (this.#document === 0) throw new ParenmatchError("this document is disposed of");
        return this.#module.call[name](this.#document, ...values);
    }

    #try(name, ...values) {
        this.#module.check(this.#call(name, ...values));
    }

    #inRange(name, value, most) {
        if (!Number.isInteger(value) || value < 0 || value > most)
            throw new RangeError(`${name}: must be an integer from 0 to ${most}, not ${String(value)}`);
    }

    static {
        if (Symbol.dispose) this.prototype[Symbol.dispose] = this.prototype.dispose;
    }
}
