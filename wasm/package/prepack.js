// SPDX-License-Identifier: Apache-2.0
// npm pack runs this first: a package without its modules would fail only where it is installed.
import { existsSync } from "node:fs";

for (const file of ["parenmatch.wasm", "parenmatch-portable.wasm"])
    if (!existsSync(new URL(file, import.meta.url))) {
        console.error(`${file} is missing; ./dev test wasm-node builds it`);
        process.exitCode = 1;
    }
