// SPDX-License-Identifier: Apache-2.0
// Checks of texts, whole or in chunks.
import { ParenmatchError } from "./module.js";

const FAULTS = ["unmatched close", "unmatched open", "kind mismatch", "unterminated"];
const FAULT_NUMBERS = 10;
const PUSHED_AT_ONCE = 1 << 20;

const forgotten = new FinalizationRegistry(({ module, checker, chunk }) => release(module, checker, chunk));

function release(module, checker, chunk) {
    module.call.checker_destroy(checker);
    module.call.free(chunk);
}

/** Returns the bytes of a text: UTF-8 of a string. */
export function bytesOfText(text) {
    if (typeof text === "string") return new TextEncoder().encode(text);
    if (text instanceof ArrayBuffer) return new Uint8Array(text);
    if (ArrayBuffer.isView(text)) return new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
    throw new TypeError(`text: must be a string or bytes, not ${String(text)}`);
}

function faultFrom(numbers) {
    const [fault, byte, partnerByte, length, offset, line, column, partnerOffset, partnerLine, partnerColumn] = numbers;
    const at = { fault: FAULTS[fault], offset, line, column, length };
    if (byte) at.character = String.fromCharCode(byte);
    if (partnerOffset < 0) return at;
    at.partner = { offset: partnerOffset, line: partnerLine, column: partnerColumn };
    if (partnerByte) at.partner.character = String.fromCharCode(partnerByte);
    return at;
}

/** Reads `count` faults at an address of the module. */
export function faultsAt(module, address, count) {
    const numbers = module.numbers(address, FAULT_NUMBERS * count);
    return Array.from({ length: count }, (_, k) => faultFrom(numbers.subarray(FAULT_NUMBERS * k)));
}

/** Reads a summary at an address of the module. */
export function summaryAt(module, address) {
    const [bytes, lines, brackets, maxDepth, unmatchedCloses, unmatchedOpens, mismatched, unterminated] =
        module.numbers(address, 8);
    const faultCount = unmatchedCloses + unmatchedOpens + mismatched + unterminated;
    return {
        balanced: faultCount === 0, faultCount, bytes, lines, brackets, maxDepth,
        unmatchedCloses, unmatchedOpens, mismatched, unterminated,
    };
}

/** A check of a text in chunks. Faults are those found up to now. */
export class Checker {
    #module;
    #checker;
    #chunk;
    faults = [];

    constructor(module, language, maxFaults) {
        this.#module = module;
        this.#checker = module.call.checker_create(language, maxFaults) >>> 0;
        if (this.#checker === 0) throw new ParenmatchError("out of memory");
        try {
            this.#chunk = module.allocate(PUSHED_AT_ONCE);
        } catch (error) {
            release(module, this.#checker, 0);
            throw error;
        }
        forgotten.register(this, { module, checker: this.#checker, chunk: this.#chunk }, this);
    }

    dispose() {
        if (this.#checker === 0) return;
        forgotten.unregister(this);
        release(this.#module, this.#checker, this.#chunk);
        this.#checker = 0;
    }

    push(text) {
        this.#mustLive();
        const bytes = bytesOfText(text);
        for (let from = 0; from < bytes.length; from += PUSHED_AT_ONCE) {
            const part = bytes.subarray(from, from + PUSHED_AT_ONCE);
            this.#module.bytes.set(part, this.#chunk);
            this.#module.check(this.#module.call.checker_push(this.#checker, this.#chunk, part.length));
        }
        this.#takeFaults();
    }

    /** Ends the text, and is done. */
    finish() {
        this.#mustLive();
        const { call } = this.#module;
        try {
            this.#module.check(call.checker_finish(this.#checker));
            this.#takeFaults();
            return { ...summaryAt(this.#module, call.checker_summary(this.#checker)), faults: this.faults };
        } finally {
            this.dispose();
        }
    }

    #mustLive() {
        if (this.#checker === 0) throw new ParenmatchError("this check is finished");
    }

    #takeFaults() {
        const { call } = this.#module;
        const count = call.checker_take_faults(this.#checker);
        if (count > 0) this.faults.push(...faultsAt(this.#module, call.checker_faults(this.#checker), count));
    }

    static {
        if (Symbol.dispose) this.prototype[Symbol.dispose] = this.prototype.dispose;
    }
}
