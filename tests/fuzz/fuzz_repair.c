/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repairs of any text can be applied, and if they are certain all brackets match afterwards.
 *
 * Input: a letter that stands for a language, a byte that says how many repairs there is room for, and then the text.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"

/* Do the brackets match? */
static bool matches(const pm_language *language, const char *text, size_t n) {
    pm_check *check;
    pm_check_summary found;
    fuzz_require(pm_check_create(NULL, language, NULL, NULL, NULL, &check) == PM_OK, "a check");
    fuzz_require(pm_check_text(check, text, n, &found) == PM_OK, "its end");
    pm_check_destroy(check);
    return found.unmatched.close == 0 && found.unmatched.open == 0 && found.mismatched == 0;
}

static bool same(const pm_repair *a, const pm_repair *b) {
    return a->kind == b->kind && a->at.offset == b->at.offset && a->byte == b->byte && a->new_line == b->new_line &&
           a->certain == b->certain && a->partner.offset == b->partner.offset;
}

static void check_order(const pm_repair *repairs, size_t count, size_t n) {
    for (size_t k = 0; k < count; k++) {
        fuzz_require(repairs[k].at.offset <= n, "a place in the text");
        fuzz_require(k == 0 || repairs[k - 1].at.offset <= repairs[k].at.offset, "the order of places");
        fuzz_require(repairs[k].certain == repairs[0].certain, "all are certain, or no one is");
    }
}

static void apply(const pm_language *language, const char *text, size_t n, const pm_repair *repairs, size_t count) {
    size_t length, again;
    fuzz_require(pm_text_repair_apply(text, n, repairs, count, 0, NULL, &length) == PM_OK, "a length");
    char *const repaired = fuzz_allocate(length, 1);
    fuzz_require(pm_text_repair_apply(text, n, repairs, count, length, repaired, &again) == PM_OK && again == length,
                 "a repaired text of that length");
    fuzz_require(!repairs[0].certain || matches(language, repaired, length), "brackets that match after the repair");
    free(repaired);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 2 || size > 2000)
        return 0;
    const pm_language *const language = fuzz_language(bytes[0]);
    const size_t n = size - 2, capacity = bytes[1] % (PM_REPAIRS_MAX + 1u);
    char *const text = fuzz_allocate(n, 1);
    memcpy(text, bytes + 2, n);
    pm_repair all[PM_REPAIRS_MAX], *const some = fuzz_allocate(capacity, sizeof *some);
    size_t count, again;
    fuzz_require(pm_text_repair(NULL, language, NULL, text, n, PM_REPAIRS_MAX, all, &count) == PM_OK, "repairs");
    fuzz_require(pm_text_repair(NULL, language, NULL, text, n, capacity, some, &again) == PM_OK, "some repairs");
    fuzz_require(count == again && count <= PM_REPAIRS_MAX, "as many repairs");
    for (size_t k = 0; k < count && k < capacity; k++)
        fuzz_require(same(&all[k], &some[k]), "the same repairs");
    fuzz_require(count == 0 || !matches(language, text, n), "no repair of what matches");
    check_order(all, count, n);
    if (count > 0)
        apply(language, text, n, all, count);
    free(some);
    free(text);
    return 0;
}
