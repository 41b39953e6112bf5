/* SPDX-License-Identifier: Apache-2.0 */
/* What JavaScript calls: languages, the brackets of texts, checks and repairs. */
#include <parenmatch.h>

#include <stdlib.h>

#include "wasm/export.h"
#include "wasm/faults.h"

/* ---- Languages ---- */

/* NULL past the last language. */
PMI_JS_EXPORT(const char *, language_name, size_t index) {
    return pm_language_name(pm_language_at(index));
}

PMI_JS_EXPORT(const char *, language_description, size_t index) {
    return pm_language_description(pm_language_at(index));
}

PMI_JS_EXPORT(const char *, language_endings, size_t index) {
    return pm_language_endings(pm_language_at(index));
}

/* Whether the language has brackets; it has delimiters else. */
PMI_JS_EXPORT(bool, language_has_brackets, size_t index) {
    return pm_language_alphabet(pm_language_at(index)) != NULL;
}

/* Returns NULL for an unknown one. Aliases are names, too. */
PMI_JS_EXPORT(const pm_language *, language_by_name, const char *name) {
    return pm_language_by_name(name);
}

/* Returns the name of the language of a file by its ending and the first n bytes of its text; "text" if unknown. */
PMI_JS_EXPORT(const char *, language_name_of, const char *path, const char *text, size_t n) {
    return pm_language_name(pm_language_by_content(path, text, n));
}

PMI_JS_EXPORT(pm_status, text_brackets, const pm_language *language, const char *text, size_t n, size_t capacity,
              uint64_t *parens, uint64_t *positions, uint8_t *kinds, size_t *count) {
    return pm_text_brackets(NULL, language, NULL, text, n, capacity, parens, positions, kinds, count);
}

/* ---- Checks ---- */

typedef struct checker {
    pm_check *check;
    faults faults;
    summary summary; /* after the end of the text */
} checker;

PMI_JS_EXPORT(void, checker_destroy, checker *checker) {
    if (!checker)
        return;
    pm_check_destroy(checker->check);
    free(checker->faults.list);
    free(checker);
}

/* `limit` faults are kept, all are counted. NULL: no memory. */
PMI_JS_EXPORT(checker *, checker_create, const pm_language *language, size_t limit) {
    checker *const created = calloc(1, sizeof *created);
    if (!created)
        return NULL;
    created->faults.limit = limit;
    if (pm_check_create(NULL, language, NULL, pmi_js_report, &created->faults, &created->check) == PM_OK)
        return created;
    free(created);
    return NULL;
}

static pm_status result_of(const checker *checker, pm_status status) {
    return status == PM_OK && checker->faults.failed ? PM_OUT_OF_MEMORY : status;
}

PMI_JS_EXPORT(pm_status, checker_push, checker *checker, const char *text, size_t n) {
    return result_of(checker, pm_check_push(checker->check, text, n));
}

PMI_JS_EXPORT(pm_status, checker_finish, checker *checker) {
    pm_check_summary totals;
    const pm_status status = pm_check_finish(checker->check, &totals);
    if (status == PM_OK)
        checker->summary = pmi_js_summary(&totals);
    return result_of(checker, status);
}

PMI_JS_EXPORT(const summary *, checker_summary, const checker *checker) {
    return &checker->summary;
}

PMI_JS_EXPORT(const fault *, checker_faults, const checker *checker) {
    return checker->faults.list;
}

/* Returns how many faults checker_faults() has, and begins a new list. */
PMI_JS_EXPORT(size_t, checker_take_faults, checker *checker) {
    const size_t count = checker->faults.count;
    checker->faults.count = 0;
    return count;
}

/* ---- Repairs ---- */

/* Doubles alone, as struct fault. */
typedef struct repair {
    double kind, byte, new_line, certain;
    double offset, line, column;
    double partner_offset, partner_line, partner_column; /* -1, 0, 0: no partner */
} repair;

static repair repair_from(const pm_repair *from) {
    const bool has_partner = from->kind != PM_REPAIR_REMOVE;
    return (repair){.kind = from->kind,
                    .byte = (unsigned char)from->byte,
                    .new_line = from->new_line,
                    .certain = from->certain,
                    .offset = (double)from->at.offset,
                    .line = (double)from->at.line,
                    .column = (double)from->at.column,
                    .partner_offset = has_partner ? (double)from->partner.offset : -1,
                    .partner_line = (double)from->partner.line,
                    .partner_column = (double)from->partner.column};
}

/* Stores at most PM_REPAIRS_MAX repairs. */
PMI_JS_EXPORT(pm_status, repair, const pm_language *language, const char *text, size_t n, repair *repairs,
              size_t *count) {
    pm_repair found[PM_REPAIRS_MAX];
    const pm_status status = pm_text_repair(NULL, language, NULL, text, n, PM_REPAIRS_MAX, found, count);
    for (size_t k = 0; status == PM_OK && k < *count; k++)
        repairs[k] = repair_from(&found[k]);
    return status;
}
