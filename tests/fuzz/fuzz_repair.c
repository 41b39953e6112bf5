/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repairs of any text are changes of its brackets that can be applied. If they are certain, all brackets match
 * afterwards; so they do, certain or not, where a bracket never changes what is a string.
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

static bool is_bracket(const pm_language *language, char byte) {
    return pm_language_alphabet(language)->role[(unsigned char)byte] != PM_ROLE_NEUTRAL;
}

static void check_place(const char *text, size_t n, pm_place place) {
    fuzz_require(place.offset <= n, "a place in the text");
    uint64_t line = 1, column = 1;
    for (size_t i = 0; i < place.offset; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    fuzz_require(place.line == line && place.column == column, "line and column of a place");
}

static bool is_partner(const pm_language *language, const char *text, size_t n, const pm_repair *repairs, size_t count,
                       uint64_t offset) {
    bool inserted = false;
    for (size_t k = 0; k < count; k++)
        inserted |= repairs[k].kind == PM_REPAIR_INSERT && repairs[k].at.offset == offset;
    return inserted || (offset < n && is_bracket(language, text[offset]));
}

static void check_repair(const pm_language *language, const char *text, size_t n, const pm_repair *repairs,
                         size_t count, size_t k) {
    const pm_repair *const repair = &repairs[k];
    const uint64_t at = repair->at.offset;
    check_place(text, n, repair->at);
    fuzz_require(is_bracket(language, repair->byte), "a bracket");
    fuzz_require(!repair->new_line || at == 0 || text[at - 1] == '\n', "a new line before a line");
    if (repair->kind != PM_REPAIR_INSERT)
        fuzz_require(at < n && is_bracket(language, text[at]), "a change of a bracket");
    if (repair->kind == PM_REPAIR_REMOVE) {
        fuzz_require(text[at] == repair->byte, "the bracket that is one too many");
        return;
    }
    fuzz_require(repair->kind != PM_REPAIR_REPLACE || text[at] != repair->byte, "another bracket");
    check_place(text, n, repair->partner);
    fuzz_require(is_partner(language, text, n, repairs, count, repair->partner.offset), "a partner");
}

static void check_all(const pm_language *language, const char *text, size_t n, const pm_repair *repairs, size_t count) {
    for (size_t k = 0; k < count; k++) {
        check_repair(language, text, n, repairs, count, k);
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
    fuzz_require(matches(language, repaired, length), "brackets that match after the repair");
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
    check_all(language, text, n, all, count);
    if (count > 0)
        apply(language, text, n, all, count);
    free(some);
    free(text);
    return 0;
}
