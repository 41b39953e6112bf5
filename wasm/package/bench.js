// SPDX-License-Identifier: Apache-2.0
// The speed of the module, data in its memory; the best of many calls. node bench.js
import { instantiate } from "./module.js";

const module = await instantiate();

function best(calls, run) {
    let least = Infinity;
    for (let k = 0; k < calls; k++) {
        const begin = performance.now();
        run();
        least = Math.min(least, performance.now() - begin);
    }
    return least;
}

for (const n of [2 ** 16, 2 ** 22, 2 ** 24])
    module.withBlocks([n / 8, 4 * n], (from, to) => {
        const { bytes } = module;
        let random = 1;
        for (let k = 0; k < n / 8; k++) {
            random = Math.imul(random, 1103515245) + 12345;
            bytes[from + k] = random >>> 16;
        }
        const ms = best(Math.max(20, 2 ** 27 / n), () => module.check(module.call.match(from, n, to)));
        console.log(`match, ${n} random bits: ${((ms * 1e6) / n).toFixed(2)} ns an element`);
    });

const record = '{"key": [1, 2, "abc (", {"x": null}], "other": "text of some length"},\n';
const text = new TextEncoder().encode(`[${record.repeat(2 ** 18)}0]`);
for (const name of ["json", "c", "javascript", "python"])
    module.withBytes(text, (from) => {
        const language = module.withName(name, (address) => module.call.language_by_name(address));
        const checker = module.call.checker_create(language, 0);
        const ms = best(20, () => {
            module.check(module.call.checker_push(checker, from, text.length));
            module.check(module.call.checker_finish(checker));
        });
        module.call.checker_destroy(checker);
        console.log(`check as ${name}: ${(text.length / ms / 1e3).toFixed(0)} MB/s`);
    });
