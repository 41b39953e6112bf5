// SPDX-License-Identifier: Apache-2.0
// parenmatch for JavaScript. Positions are numbers counted from 0; -1 says that there is no such element.

/**
 * A parenthesis sequence: a string of "(" and ")", or a typed array of bits, the least significant bit of the first byte
 * first: 1 opens, 0 closes. It is copied into the module's memory.
 */
export type Parens =
    | string
    | Uint8Array
    | Uint8ClampedArray
    | Int8Array
    | Uint16Array
    | Int16Array
    | Uint32Array
    | Int32Array
    | BigUint64Array
    | BigInt64Array;

/** A text: a string, which is read as UTF-8, or bytes. */
export type Text = string | ArrayBuffer | ArrayBufferView;

declare global {
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
}

/** A call failed: out of memory, or an object was used after its end. Bad arguments are TypeError or RangeError. */
export class ParenmatchError extends Error {
    readonly status: string;
}

export interface LoadOptions {
    /** Use the module with SIMD128; by default if the engine has it. */
    simd?: boolean;
}

/** Loads the module. Each call makes one with a memory of its own, which grows to 4 GiB and never shrinks. */
export function load(options?: LoadOptions): Promise<Parenmatch>;

/** Makes one of the bytes of `parenmatch.wasm`, for bundlers that put it into a script. */
export function loadFrom(bytes: ArrayBuffer | ArrayBufferView): Promise<Parenmatch>;

export interface Parenmatch {
    /** The version of the C library. */
    readonly version: string;
    /** The vectors in use: "simd128" or "portable". */
    readonly simd: string;
    /** The size of the module's memory, which never shrinks. */
    readonly memoryInBytes: number;

    /**
     * The match of every element: of a close its open, of an open its parent, -1 without a match. Takes 33/8 bytes of
     * the module's memory for each element during the call; the result is a copy.
     *
     * @param length  elements; all bits of a typed array by default.
     * @param into    receives the result and is returned; a new array by default. For long sequences, making a new array
     *                takes longer than matching.
     */
    match(parens: Parens, length?: number, into?: Int32Array): Int32Array;

    /**
     * The matches of many sequences, one after another: sequence s is the elements offsets[s] to offsets[s + 1] - 1, and
     * its matches count from its own start. Elements before offsets[0] get -1.
     */
    matchBatch(parens: Parens, offsets: ArrayLike<number> | BigUint64Array): Int32Array;

    /** An index for single queries. The sequence is copied and stays in the module's memory until dispose(). */
    bp(parens: Parens, length?: number): Bp;

    /** Checks the brackets, or the delimiters, of a whole text in a language that languages() lists; "text" by default. */
    check(text: Text, language?: string, options?: CheckOptions): CheckResult;

    /** Begins a check of a text that arrives in chunks, which takes little memory. */
    checker(language?: string, options?: CheckOptions): Checker;

    /** Lists the brackets of a text. The language must have brackets (`hasBrackets`). */
    brackets(text: Text, language?: string): Brackets;

    /** A text that changes. It is copied; any language with brackets. */
    document(text: Text, language?: string): Document;

    /**
     * The likeliest repair of a text whose brackets do not match, by indentation and habits; empty if they match, or if
     * more than 8 changes were needed. Texts up to 4 MiB; takes about a second a MB.
     */
    repair(text: Text, language?: string): Repair[];

    languages(): Language[];

    /**
     * The name of a file's language by its ending; "text" if the ending is unknown. Where an ending belongs to two
     * languages, the beginning of the text decides.
     */
    languageOf(path: string, text?: Text): string;
}

export interface Language {
    name: string;
    description: string;
    /** Of files, lower case, without the dot. */
    endings: string[];
    /** True: brackets of one byte, and a check takes little memory. False: delimiters with rules, as in XML. */
    hasBrackets: boolean;
}

export interface CheckOptions {
    /** How many faults to describe; all are counted. 1000 by default. */
    maxFaults?: number;
}

export interface Place {
    /** In bytes, from 0. */
    offset: number;
    /** From 1. */
    line: number;
    /** In bytes, from 1. */
    column: number;
}

export interface Fault extends Place {
    fault: "unmatched close" | "unmatched open" | "kind mismatch" | "unterminated";
    /** Bytes of the bracket or delimiter. */
    length: number;
    /** The first byte there. */
    character?: string;
    /** Of a kind mismatch: the open that is closed here. */
    partner?: Place & { character?: string };
}

export interface Summary {
    balanced: boolean;
    faultCount: number;
    bytes: number;
    lines: number;
    brackets: number;
    maxDepth: number;
    unmatchedCloses: number;
    unmatchedOpens: number;
    mismatched: number;
    unterminated: number;
}

export interface CheckResult extends Summary {
    faults: Fault[];
}

export interface Repair extends Place {
    kind: "insert" | "remove" | "replace";
    /** The bracket that is missing, or one too many, or in place of the one that is there. */
    character: string;
    /** Of an insert: in a new line before this place, indented as the line of the partner. */
    newLine: boolean;
    /** No other repair of the text is nearly as likely. */
    certain: boolean;
    /** The bracket that it matches. */
    partner?: Place;
}

/** A bracket of a document. */
export interface DocumentBracket {
    offset: number;
    /** Brackets around it. */
    depth: number;
    kind: number;
    open: boolean;
    /** Unmatched, or its partner has another kind. */
    faulty: boolean;
}

/** A text that changes. Offsets count bytes of UTF-8. An edit takes microseconds however long the text is. */
export interface Document {
    readonly length: number;
    /** Bytes of memory, text included. */
    readonly sizeInBytes: number;
    /** The offset up to which the text is read as it is now. */
    readonly settled: number;
    /** Replaces `removed` bytes at an offset. */
    replace(at: number, removed: number, text: Text): void;
    read(at?: number, length?: number): Uint8Array;
    /** The line of an offset, from 1. */
    lineAt(offset: number): number;
    /** Where a line begins, counted from 1; -1: no such line. */
    lineOffset(line: number): number;
    /** Reads on behind edits that changed how the text is read, at most `bytes` bytes. */
    settle(bytes?: number): void;
    summary(): Summary;
    /** The faults at an offset and behind it, as check() gives them; 1000 by default. */
    faults(from?: number, maxFaults?: number): Fault[];
    /** The offset of the other bracket; -1: unmatched, or no bracket. */
    partner(offset: number): number;
    /** The first 2^20 brackets of a range; all of the text by default. */
    brackets(at?: number, length?: number): DocumentBracket[];
    /** The largest depth of a bracket in a range, as brackets() gives depths; -1: there is no bracket. */
    maxDepth(at?: number, length?: number): number;
    /** The opens around an offset, innermost first; the innermost 1000 by default. */
    path(offset: number, most?: number): DocumentBracket[];
    /** Frees its memory; the garbage collector does so later. */
    dispose(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

export interface Checker {
    /** The faults found up to now. */
    readonly faults: Fault[];
    /** Appends text, which may end anywhere. In a language without brackets it is kept until finish(). */
    push(text: Text): void;
    /** Ends the text; the checker is disposed of. */
    finish(): CheckResult;
    /** Frees its memory; the garbage collector does so later. */
    dispose(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

export interface Brackets {
    count: number;
    /** A bit for each bracket, as match() takes them. */
    parens: Uint8Array;
    /** Byte offsets. */
    positions: Uint32Array;
    /** 0 for the language's first pair of brackets, 1 for the second and so on. */
    kinds: Uint8Array;
}

/** Queries on a sequence; a node is the position of an open. -1: no such element. */
export interface Bp {
    readonly length: number;
    /** Bytes of the index, without the sequence. */
    readonly sizeInBytes: number;
    /** The close that matches an open. */
    findClose(i: number): number;
    /** The open that matches a close. */
    findOpen(i: number): number;
    /** The match: of an open its parent, of a close its open. */
    enclose(i: number): number;
    /** Opens among elements 0 to i - 1. */
    rankOpen(i: number): number;
    /** Closes among elements 0 to i - 1. */
    rankClose(i: number): number;
    /** The position of open k, from 0. */
    selectOpen(k: number): number;
    /** The position of close k, from 0. */
    selectClose(k: number): number;
    /** Opens minus closes among elements 0 to i. */
    excess(i: number): number;
    parent(node: number): number;
    /** The number of ancestors. */
    depth(node: number): number;
    isLeaf(node: number): boolean;
    isAncestor(ancestor: number, node: number): boolean;
    firstChild(node: number): number;
    lastChild(node: number): number;
    nextSibling(node: number): number;
    prevSibling(node: number): number;
    /** Nodes of the subtree, with the node itself. */
    subtreeSize(node: number): number;
    /** The number of children. */
    degree(node: number): number;
    /** Child k, from 0. */
    child(node: number, k: number): number;
    /** The ancestor `distance` levels up. */
    levelAncestor(node: number, distance: number): number;
    /** The lowest common ancestor. */
    lca(a: number, b: number): number;
    preorderRank(node: number): number;
    preorderSelect(k: number): number;
    /** Frees its memory; the garbage collector does so later. */
    dispose(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}
