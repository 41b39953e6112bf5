/* SPDX-License-Identifier: Apache-2.0 */
/* How a function gets into the module's exports. */
#ifndef PM_WASM_EXPORT_H
#define PM_WASM_EXPORT_H

/*
 * Declares and begins the function pmi_js_NAME, which the module exports as NAME. Numbers go to and from JavaScript as
 * doubles, which hold every position that 4 GiB of memory allow: 64-bit integers would be BigInts there. -1: no
 * element.
 */
#define PMI_JS_EXPORT(type, name, ...)                                                                                 \
    type pmi_js_##name(__VA_ARGS__) __attribute__((export_name(#name)));                                               \
    type pmi_js_##name(__VA_ARGS__)

#endif
