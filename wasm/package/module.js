// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module: fetched, compiled, and its memory read and written.

// A module of one function that uses a vector; an engine without SIMD128 finds it invalid.
const VECTOR_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The failure of a call: `status` is the C library's text for it. */
export class ParenmatchError extends Error {
    constructor(status) {
        super(`parenmatch: ${status}`);
        this.name = "ParenmatchError";
        this.status = status;
    }
}

async function bytesOf(url) {
    if (url.protocol === "file:") {
        const { readFile } = await import("node:fs/promises");
        return readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new ParenmatchError(`${url.pathname}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
}

// The library needs nothing of the system; what its C library asks for, it is refused.
const BAD_FILE = 8;
function importsFor(compiled) {
    const imports = {};
    for (const { module, name, kind } of WebAssembly.Module.imports(compiled)) {
        if (kind !== "function") continue;
        imports[module] ??= {};
        imports[module][name] = name === "emscripten_notify_memory_growth" ? () => {} : () => BAD_FILE;
    }
    return imports;
}

/** Loads the module with vectors if the engine has them, else (or with simd: false) the portable one. */
export async function instantiate({ simd = WebAssembly.validate(VECTOR_PROBE) } = {}) {
    const file = simd ? "./parenmatch.wasm" : "./parenmatch-portable.wasm";
    return instantiateFrom(await bytesOf(new URL(file, import.meta.url)));
}

export async function instantiateFrom(bytes) {
    const compiled = await WebAssembly.compile(bytes);
    const instance = await WebAssembly.instantiate(compiled, importsFor(compiled));
    instance.exports._initialize?.();
    return new Module(instance.exports);
}

/** The exports of the module, and its memory. Addresses are unsigned numbers; 0 is not an address. */
export class Module {
    constructor(exports) {
        this.call = exports;
        this.memory = exports.memory;
    }

    /** Memory may have moved since the last call into the module. */
    get bytes() {
        return new Uint8Array(this.memory.buffer);
    }

    text(address) {
        const bytes = this.bytes;
        address >>>= 0;
        if (address === 0) return null;
        return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
    }

    check(status) {
        if (status !== 0) throw new ParenmatchError(this.text(this.call.status_text(status)));
    }

    allocate(size) {
        const address = size < 2 ** 32 - 16 ? this.call.malloc(Math.max(size, 1)) >>> 0 : 0;
        if (address === 0) throw new ParenmatchError("out of memory");
        return address;
    }

    /** Calls use(address...) with blocks of these sizes, and frees them. */
    withBlocks(sizes, use) {
        const blocks = [];
        try {
            for (const size of sizes) blocks.push(this.allocate(size));
            return use(...blocks);
        } finally {
            for (const block of blocks) this.call.free(block);
        }
    }

    /** Calls use(address) with a copy of these bytes. */
    withBytes(bytes, use) {
        return this.withBlocks([bytes.length], (address) => {
            this.bytes.set(bytes, address);
            return use(address);
        });
    }

    /** Calls use(address) with a copy of the text as C has it. */
    withName(name, use) {
        return this.withBytes(new TextEncoder().encode(`${name}\0`), use);
    }

    /** The unsigned number of 32 bits at an address. */
    word(address) {
        return new Uint32Array(this.memory.buffer, address, 1)[0];
    }

    /** The doubles at an address, until the next call into the module. */
    numbers(address, count) {
        return new Float64Array(this.memory.buffer, address >>> 0, count);
    }
}
