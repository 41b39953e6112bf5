/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a JSON text is that of a reader by recursive descent, for every SIMD target.
 *
 * Input: a JSON Pointer, up to a line end, and then the text.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/json/model.h"

/* Finds something that begins where a value does and ends there, or nothing. */
static void try_pointer(const char *text, size_t n, const char *pointer, size_t length) {
    pm_json *json;
    if (pm_json_create(NULL, text, n, NULL, &json) != PM_OK)
        return;
    pm_json_range range;
    if (pm_json_pointer(json, pointer, length, &range) == PM_OK) {
        fuzz_require(range.end == pm_json_skip(json, range.begin), "the end of a value");
        fuzz_require(range.begin == PM_BP_NONE || pm_json_kind_of(json, range.begin) != PM_JSON_NONE, "a value");
    }
    pm_json_destroy(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const uint8_t *const end = size > 0 ? memchr(bytes, '\n', size) : NULL;
    const size_t length = end ? (size_t)(end - bytes) : 0, begin = end ? length + 1 : 0;
    if (size - begin > 4096) /* the reader calls itself for each bracket */
        return 0;
    char *const text = fuzz_allocate(size - begin, 1);
    if (size > begin)
        memcpy(text, bytes + begin, size - begin);
    const char *const wrong = json_model_try(text, size - begin);
    fuzz_require(!wrong, wrong ? wrong : "");
    try_pointer(text, size - begin, (const char *)bytes, length);
    free(text);
    return 0;
}
