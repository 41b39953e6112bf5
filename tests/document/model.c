/* SPDX-License-Identifier: Apache-2.0 */
/* What a document must say of a text, worked out from its beginning each time. */
#include "tests/document/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"

static void *allocate_some(size_t count, size_t size) {
    void *const memory = malloc(count * size + 1);
    if (!memory)
        abort();
    return memory;
}

/* ---- The text ---- */

void document_model_replace(document_model *model, size_t at, size_t removed, const char *text, size_t inserted) {
    const size_t n = model->n - removed + inserted;
    char *const changed = allocate_some(n, 1); /* exactly as long, so that sanitizers watch its edges */
    if (at > 0)
        memcpy(changed, model->text, at);
    if (inserted > 0)
        memcpy(changed + at, text, inserted);
    if (model->n > at + removed)
        memcpy(changed + at + inserted, model->text + at + removed, model->n - at - removed);
    free(model->text);
    model->text = changed;
    model->n = n;
}

const char *document_model_piece(uint64_t *seed) {
    static const char *const pieces[] = {
        "(",           ")",
        "[",           "]",
        "{",           "}",
        "(",           ")",
        "[",           "]",
        "{",           "}",
        "\"",          "'",
        "`",           "/*",
        "*/",          "//",
        "\n",          "\n",
        "#",           "\\",
        "--",          "<<EOF",
        "\nEOF\n",     "${",
        "$(",          "#{",
        "R\"x(",       ")x\"",
        "r#\"",        "\"#",
        "[==[",        "]==]",
        "%w(",         "~s(",
        "?(",          "<?php ",
        "?>",          " case x",
        " in a) ",     "\nesac ",
        "'''",         "\"\"\"",
        "(*",          "*)",
        "{-",          "-}",
        "a",           "1'0",
        " ",           "\n#if\n",
        "\n#if 0 ",    "\n#else\n",
        "\n#elif",     "\n#endif\n",
        "\n=begin\n",  "\n=end\n",
        "#!",          "@\"",
        "''",          "s\"${",
        ";",           "$\"{",
        "|",           "?\\C-(",
        "#|",          "|#",
        "\n__END__\n", "b'",
        "'a",          "/",
        " / ",         "x = /",
        "\\(",         "\r\n",
        "\"\"",        "\nlong words of code, nothing else",
        "/+",          "+/",
        "--[[",        "]]",
        "#[[",         "<<~A",
        "\n A\n",      "<<<'B'",
        "\nB;",        "\n#error '\n",
        "$",           "\n`ifdef A\n",
        "\n`else\n",   "\n`endif\n",
    };
    return pieces[random_below(seed, sizeof pieces / sizeof *pieces)];
}

void document_model_append_pieces(document_model *model, size_t n, uint64_t *seed) {
    char *const text = allocate_some(n + 64, 1);
    size_t length = 0;
    while (length < n) {
        const char *const piece = document_model_piece(seed);
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    document_model_replace(model, model->n, 0, text, length);
    free(text);
}

void document_model_destroy(document_model *model) {
    free(model->text);
}

/* ---- Faults ---- */

typedef struct findings {
    pm_diagnostic *list;
    size_t count, room;
} findings;

static bool collect(const pm_diagnostic *diagnostic, void *user) {
    findings *const found = user;
    if (found->count == found->room) {
        found->room = 2 * found->room + 16;
        found->list = realloc(found->list, found->room * sizeof *found->list);
        if (!found->list)
            abort();
    }
    found->list[found->count++] = *diagnostic;
    return true;
}

static bool place_equal(const pm_place *a, const pm_place *b) {
    return a->offset == b->offset && a->line == b->line && a->column == b->column;
}

static bool fault_equal(const pm_diagnostic *a, const pm_diagnostic *b) {
    return a->fault == b->fault && a->length == b->length && a->byte == b->byte &&
           a->partner_length == b->partner_length && a->partner_byte == b->partner_byte &&
           place_equal(&a->at, &b->at) && place_equal(&a->partner, &b->partner);
}

static bool check_text(const document_model *model, findings *found, pm_check_summary *summary) {
    pm_check *check;
    if (pm_check_create(NULL, model->language, NULL, collect, found, &check) != PM_OK)
        return false;
    const bool done = pm_check_push(check, model->text, model->n) == PM_OK && pm_check_finish(check, summary) == PM_OK;
    pm_check_destroy(check);
    return done;
}

static const char *compare_faults_from(pm_document *document, const findings *expected, uint64_t from) {
    findings found = {0};
    const char *wrong = pm_document_faults(document, from, collect, &found) == PM_OK ? NULL : "faults fail";
    size_t k = 0;
    for (size_t i = 0; i < expected->count && !wrong; i++) {
        if (expected->list[i].at.offset < from)
            continue;
        if (k >= found.count || !fault_equal(&expected->list[i], &found.list[k++]))
            wrong = "a fault";
    }
    if (!wrong && k != found.count)
        wrong = "too many faults";
    free(found.list);
    return wrong;
}

static const char *compare_summary(pm_document *document, const pm_check_summary *expected) {
    pm_check_summary found;
    if (pm_document_summary(document, &found) != PM_OK)
        return "summary fails";
    if (found.bytes != expected->bytes || found.lines != expected->lines)
        return "bytes or lines";
    if (found.brackets != expected->brackets || found.max_depth != expected->max_depth)
        return "brackets or depth";
    if (found.unmatched.close != expected->unmatched.close || found.unmatched.open != expected->unmatched.open ||
        found.mismatched != expected->mismatched || found.unterminated != expected->unterminated)
        return "numbers of faults";
    return NULL;
}

/* ---- Brackets ---- */

typedef struct bracket_list {
    size_t count;
    uint64_t *parens, *positions, *partner;
    uint8_t *kinds;
    pm_document_bracket *expected;
} bracket_list;

static bool list_brackets(const document_model *model, const findings *faults, bracket_list *list) {
    const size_t room = model->n + 1;
    list->parens = allocate_some(room / 64 + 1, 8);
    list->positions = allocate_some(room, 8);
    list->partner = allocate_some(room, 8);
    list->kinds = allocate_some(room, 1);
    list->expected = allocate_some(room, sizeof *list->expected);
    if (pm_text_brackets(NULL, model->language, NULL, model->text, model->n, room, list->parens, list->positions,
                         list->kinds, &list->count) != PM_OK)
        return false;
    size_t *const stack = allocate_some(room, sizeof *stack);
    size_t depth = 0;
    for (size_t i = 0; i < list->count; i++) {
        const bool open = list->parens[i / 64] >> i % 64 & 1;
        const size_t partner = !open && depth > 0 ? stack[--depth] : i;
        list->expected[i] = (pm_document_bracket){list->positions[i], depth, list->kinds[i], open, partner == i};
        list->partner[i] = PM_BP_NONE;
        if (open)
            stack[depth++] = i;
        if (partner == i)
            continue;
        list->partner[i] = list->positions[partner];
        list->partner[partner] = list->positions[i];
        list->expected[i].faulty = list->expected[partner].faulty = list->kinds[i] != list->kinds[partner];
    }
    free(stack);
    bool branches = false; /* then pm_check alone knows what is faulty */
    size_t faulty = 0;
    for (size_t i = 0; i < list->count; i++)
        faulty += list->expected[i].faulty;
    for (size_t i = 0; i < faults->count; i++)
        faulty -= faults->list[i].fault == PM_FAULT_UNTERMINATED    ? 0
                  : faults->list[i].fault == PM_FAULT_KIND_MISMATCH ? 2
                                                                    : 1;
    const char directive = strcmp(pm_language_name(model->language), "verilog") == 0 ? '`' : '#';
    branches = faulty != 0 || (model->n > 0 && memchr(model->text, directive, model->n));
    for (size_t i = 0; branches && i < list->count; i++) {
        list->expected[i].faulty = false;
        for (size_t k = 0; k < faults->count; k++) {
            const pm_diagnostic *const fault = &faults->list[k];
            list->expected[i].faulty |=
                fault->fault != PM_FAULT_UNTERMINATED &&
                (fault->at.offset == list->positions[i] ||
                 (fault->fault == PM_FAULT_KIND_MISMATCH && fault->partner.offset == list->positions[i]));
        }
    }
    return true;
}

static bool bracket_equal(const pm_document_bracket *a, const pm_document_bracket *b) {
    return a->offset == b->offset && a->depth == b->depth && a->kind == b->kind && a->open == b->open &&
           a->faulty == b->faulty;
}

static const char *compare_range(pm_document *document, const bracket_list *list, uint64_t at, uint64_t n) {
    pm_document_bracket *const found = allocate_some(list->count + 1, sizeof *found);
    size_t count = 0, k = 0;
    const char *wrong = NULL;
    if (pm_document_brackets(document, at, n, list->count, found, &count) != PM_OK)
        wrong = "brackets fail";
    for (size_t i = 0; i < list->count && !wrong; i++)
        if (list->positions[i] >= at && list->positions[i] < at + n &&
            (k >= count || !bracket_equal(&found[k++], &list->expected[i])))
            wrong = "a bracket of a range";
    free(found);
    return wrong ? wrong : k == count ? NULL : "too many brackets";
}

static const char *compare_partners(pm_document *document, const bracket_list *list, uint64_t n, size_t step) {
    size_t k = 0;
    for (uint64_t offset = 0; offset <= n; offset++) {
        while (k < list->count && list->positions[k] < offset)
            k++;
        const bool is_bracket = k < list->count && list->positions[k] == offset;
        if (offset % step == 0 || (is_bracket && k % step == 0)) {
            const uint64_t expected = is_bracket ? list->partner[k] : PM_BP_NONE;
            if (pm_document_partner(document, offset) != expected)
                return "a partner";
        }
    }
    return NULL;
}

static const char *compare_path(pm_document *document, const bracket_list *list, uint64_t offset) {
    pm_document_bracket *const found = allocate_some(list->count + 1, sizeof *found);
    size_t count = 0, k = 0;
    const char *wrong = NULL;
    if (pm_document_path(document, offset, list->count, found, &count) != PM_OK)
        wrong = "path fails";
    for (size_t i = list->count; i-- > 0 && !wrong;) {
        const bool around = list->expected[i].open && list->positions[i] < offset && list->partner[i] >= offset;
        if (around && (k >= count || !bracket_equal(&found[k++], &list->expected[i])))
            wrong = "a bracket of a path";
    }
    free(found);
    return wrong ? wrong : k == count ? NULL : "too long a path";
}

static const char *compare_brackets(const document_model *model, const findings *faults, pm_document *document,
                                    size_t step) {
    bracket_list list = {0};
    const char *wrong = list_brackets(model, faults, &list) ? NULL : "the brackets of the text fail";
    if (!wrong)
        wrong = compare_range(document, &list, 0, model->n);
    if (!wrong)
        wrong = compare_range(document, &list, model->n / 3, model->n / 3);
    if (!wrong)
        wrong = compare_partners(document, &list, model->n, step);
    for (uint64_t offset = 0; !wrong && offset <= model->n; offset += step)
        wrong = compare_path(document, &list, offset);
    free(list.parens);
    free(list.positions);
    free(list.partner);
    free(list.kinds);
    free(list.expected);
    return wrong;
}

/* ---- Text and lines ---- */

static const char *compare_text(const document_model *model, const pm_document *document, size_t step) {
    if (pm_document_length(document) != model->n)
        return "length";
    char *const text = allocate_some(model->n, 1);
    const bool read = pm_document_read(document, 0, model->n, text) == PM_OK;
    const bool equal = read && (model->n == 0 || memcmp(text, model->text, model->n) == 0);
    free(text);
    if (!equal)
        return "text";
    pm_place place = {0, 1, 1};
    for (; place.offset <= model->n; place.offset++) {
        if (place.offset % step == 0) {
            const pm_place found = pm_document_place(document, place.offset);
            if (!place_equal(&found, &place))
                return "a place";
        }
        if (place.column == 1 && pm_document_line_offset(document, place.line) != place.offset)
            return "the offset of a line";
        const bool newline = place.offset < model->n && model->text[place.offset] == '\n';
        place.column = newline ? 1 : place.column + 1;
        place.line += newline;
    }
    return pm_document_line_offset(document, place.line + 1) == PM_BP_NONE ? NULL : "a line too many";
}

const char *document_model_compare(const document_model *model, pm_document *document, size_t step) {
    findings faults = {0};
    pm_check_summary summary;
    const char *wrong = check_text(model, &faults, &summary) ? NULL : "the check fails";
    if (!wrong)
        wrong = compare_summary(document, &summary);
    if (!wrong && pm_document_fault_count(document) != faults.count)
        wrong = "the number of faults";
    for (unsigned part = 0; part < 3 && !wrong; part++)
        wrong = compare_faults_from(document, &faults, model->n * part / 3);
    if (!wrong)
        wrong = compare_brackets(model, &faults, document, step);
    if (!wrong)
        wrong = compare_text(model, document, step);
    free(faults.list);
    return wrong;
}
