// SPDX-License-Identifier: Apache-2.0
// Queries on one sequence, by an index that stays in the module's memory.
import { ParenmatchError } from "./module.js";
import { bytesOfWords } from "./sequence.js";

const forgotten = new FinalizationRegistry(({ module, bp, parens }) => release(module, bp, parens));

function release(module, bp, parens) {
    module.call.bp_destroy(bp);
    module.call.free(parens);
}

export class Bp {
    #module;
    #bp = 0;
    #parens;

    constructor(module, sequence) {
        this.#module = module;
        this.length = sequence.length;
        this.#parens = module.allocate(bytesOfWords(sequence.length));
        module.bytes.set(sequence.bytes, this.#parens);
        this.#bp = module.call.bp_create(this.#parens, sequence.length);
        if (this.#bp === 0) {
            module.call.free(this.#parens);
            throw new ParenmatchError("out of memory");
        }
        forgotten.register(this, { module, bp: this.#bp, parens: this.#parens }, this);
    }

    dispose() {
        if (this.#bp === 0) return;
        forgotten.unregister(this);
        release(this.#module, this.#bp, this.#parens);
        this.#bp = 0;
    }

    get sizeInBytes() {
        return this.#ask("bp_size_in_bytes") >>> 0;
    }

    #ask(query, ...positions) {
        if (this.#bp === 0) throw new ParenmatchError("this index was disposed of");
        return this.#module.call[query](this.#bp, ...positions);
    }

    static {
        const position = (value) => {
            if (typeof value !== "number") throw new TypeError(`position: must be a number, not ${String(value)}`);
            return value;
        };
        const one = (query) =>
            function (i) {
                return this.#ask(query, position(i));
            };
        const two = (query) =>
            function (a, b) {
                return this.#ask(query, position(a), position(b));
            };
        const numbers = {
            rankOpen: "rank_open", rankClose: "rank_close", selectOpen: "select_open", selectClose: "select_close",
            excess: "excess", findClose: "find_close", findOpen: "find_open", enclose: "enclose", parent: "parent",
            depth: "depth", firstChild: "first_child", lastChild: "last_child", nextSibling: "next_sibling",
            prevSibling: "prev_sibling", subtreeSize: "subtree_size", degree: "degree",
            preorderRank: "preorder_rank", preorderSelect: "preorder_select",
        };
        for (const [name, query] of Object.entries(numbers)) this.prototype[name] = one(`bp_${query}`);
        this.prototype.child = two("bp_child");
        this.prototype.levelAncestor = two("bp_level_ancestor");
        this.prototype.lca = two("bp_lca");
        const isLeaf = one("bp_is_leaf");
        const isAncestor = two("bp_is_ancestor");
        this.prototype.isLeaf = function (node) {
            return isLeaf.call(this, node) !== 0;
        };
        this.prototype.isAncestor = function (ancestor, node) {
            return isAncestor.call(this, ancestor, node) !== 0;
        };
        if (Symbol.dispose) this.prototype[Symbol.dispose] = this.prototype.dispose;
    }
}
