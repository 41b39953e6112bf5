/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a text in pieces finds what the arrays say: brackets, match, kind check; lines and columns counted. The
 * arrays know no branches (#if), so there no directive chooses one; with branches, pieces and the whole agree, and so
 * do slices that several threads read.
 *
 * Input: the language ('a' is the first one, and so on), the seed of the cuts, and then the text.
 */
#include <string.h>

#include "core/check/slices.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/fuzz/fuzz.h"
#include "tests/text/findings.h"
#include "tests/text/summary.h"

enum {
    HEADER = 2,
    PIECE_MAX = 150,       /* of a text cut finely */
    LONG_PIECE_MAX = 5000, /* or not: many words at once */
    SLICED_BYTES = 600     /* a shorter text is repeated, so that it has slices */
};

/* The text, and what the arrays say of it. */
typedef struct arrays {
    const char *text;
    size_t n, count;
    pm_place *places; /* of each byte */
    uint64_t *parens, *positions;
    uint32_t *match, *partner;
    uint8_t *kinds;
    uint64_t reported[PM_FAULT_UNTERMINATED + 1]; /* diagnostics by fault */
    uint64_t last_offset;                         /* of the diagnostic before, of those at closes or at opens */
} arrays;

static void count_places(arrays *known) {
    pm_place place = {0, 1, 1};
    for (; place.offset < known->n; place.offset++) {
        known->places[place.offset] = place;
        place.column++;
        if (known->text[place.offset] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
}

/* The index of the bracket at an offset. */
static size_t bracket_at(const arrays *known, uint64_t offset) {
    size_t low = 0, high = known->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (known->positions[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    fuzz_require(low < known->count && known->positions[low] == offset, "a bracket is there");
    return low;
}

static void require_place(const arrays *known, pm_place place, char byte) {
    fuzz_require(place.offset < known->n, "a place in the text");
    const pm_place *expected = &known->places[place.offset];
    fuzz_require(place.line == expected->line && place.column == expected->column, "line and column");
    fuzz_require(byte == known->text[place.offset], "the byte there");
}

/* Each diagnostic is true, and comes in order; their number shows that none is missing. */
static bool verify_diagnostic(const pm_diagnostic *diagnostic, void *user) {
    arrays *known = user;
    require_place(known, diagnostic->at, diagnostic->byte);
    if (diagnostic->fault != PM_FAULT_UNTERMINATED) {
        const size_t i = bracket_at(known, diagnostic->at.offset);
        const bool open = known->parens[i / 64] >> i % 64 & 1;
        fuzz_require(open == (diagnostic->fault == PM_FAULT_UNMATCHED_OPEN), "open or close");
        if (diagnostic->fault == PM_FAULT_KIND_MISMATCH) {
            require_place(known, diagnostic->partner, diagnostic->partner_byte);
            const uint32_t partner = known->partner[i];
            fuzz_require(partner != PM_NONE && known->positions[partner] == diagnostic->partner.offset, "the partner");
            fuzz_require(known->kinds[partner] != known->kinds[i], "two kinds");
        } else {
            fuzz_require(known->partner[i] == PM_NONE, "no partner");
        }
        const bool first_open = open && known->reported[PM_FAULT_UNMATCHED_OPEN] == 0;
        const bool first = first_open || known->last_offset == UINT64_MAX;
        fuzz_require(first || diagnostic->at.offset > known->last_offset, "the order");
        known->last_offset = diagnostic->at.offset;
    }
    known->reported[diagnostic->fault]++;
    return true;
}

static void try_check(const pm_language *language, arrays *known, uint64_t seed) {
    pm_check *check;
    pm_check_summary found;
    pm_bic total = {0, 0};
    size_t mismatched;
    fuzz_require(pm_text_brackets(NULL, language, NULL, known->text, known->n, known->n, known->parens,
                                  known->positions, known->kinds, &known->count) == PM_OK,
                 "brackets");
    fuzz_require(pm_match_seq(NULL, known->parens, known->count, known->match, &total) == PM_OK, "match");
    fuzz_require(pm_forest_partner(NULL, known->parens, known->count, known->match, known->partner) == PM_OK,
                 "partner");
    fuzz_require(pm_match_check_kinds(NULL, known->parens, known->count, known->match, known->kinds, 0, NULL,
                                      &mismatched) == PM_OK,
                 "kinds");

    fuzz_require(pm_check_create(NULL, language, NULL, verify_diagnostic, known, &check) == PM_OK, "create");
    const uint64_t longest = seed % 2 ? PIECE_MAX : LONG_PIECE_MAX;
    for (size_t begin = 0, length; begin < known->n; begin += length) {
        length = 1 + random_below(&seed, longest);
        if (length > known->n - begin)
            length = known->n - begin;
        char *piece = fuzz_allocate(length, 1);
        memcpy(piece, known->text + begin, length);
        fuzz_require(pm_check_push(check, piece, length) == PM_OK, "push");
        free(piece);
    }
    fuzz_require(pm_check_finish(check, &found) == PM_OK, "finish");
    pm_check_destroy(check);

    fuzz_require(found.bytes == known->n && found.brackets == known->count, "what was read");
    fuzz_require(found.unmatched.close == total.close && found.unmatched.open == total.open, "the total");
    fuzz_require(found.mismatched == mismatched, "mismatches");
    fuzz_require(known->reported[PM_FAULT_UNMATCHED_CLOSE] == total.close, "every unmatched close");
    fuzz_require(known->reported[PM_FAULT_UNMATCHED_OPEN] == total.open, "every unmatched open");
    fuzz_require(known->reported[PM_FAULT_KIND_MISMATCH] == mismatched, "every mismatch");
    fuzz_require(known->reported[PM_FAULT_UNTERMINATED] == found.unterminated, "what is unterminated");
}

/* A text that was saved in the middle, and left for its suffix, goes on as if nothing had been. The suffix brings no
 * fault, and leaves nothing open. */
static void try_suffix(const pm_language *language, const char *text, size_t n, uint64_t seed) {
    pm_check *check;
    pm_check_state *state;
    pm_check_summary part, completed, whole, again;
    const size_t middle = n > 0 ? seed * 131 % n : 0;
    size_t length;
    fuzz_require(pm_check_create(NULL, language, NULL, NULL, NULL, &check) == PM_OK, "create");
    fuzz_require(pm_check_text(check, text, n, &whole) == PM_OK, "check");
    fuzz_require(pm_check_text(check, text, middle, &part) == PM_OK, "check");
    fuzz_require(pm_check_push(check, text, middle) == PM_OK, "push");
    fuzz_require(pm_check_save(check, &state) == PM_OK, "save");
    const pm_status status = pm_check_suffix(check, NULL, 0, &length);
    fuzz_require(status == PM_OK || status == PM_UNSUPPORTED, "the suffix");
    if (status == PM_OK) {
        char *const suffix = fuzz_allocate(length, 1);
        fuzz_require(pm_check_suffix(check, suffix, length, &length) == PM_OK, "the suffix again");
        fuzz_require(pm_check_text(check, suffix, length, &completed) == PM_OK, "complete");
        fuzz_require(completed.unmatched.open + completed.unterminated == 0, "nothing is open");
        fuzz_require(completed.unmatched.close == part.unmatched.close && completed.mismatched == part.mismatched,
                     "no fault is new");
        free(suffix);
    }
    fuzz_require(pm_check_restore(check, state) == PM_OK, "restore");
    fuzz_require(pm_check_text(check, text + middle, n - middle, &again) == PM_OK, "go on");
    fuzz_require(memcmp(&whole, &again, sizeof whole) == 0, "the totals after going back");
    pm_check_state_destroy(state);
    pm_check_destroy(check);
}

/* The totals of a text that is pushed in pieces of at most that many bytes. */
static pm_check_summary totals(const pm_language *language, const char *text, size_t n, size_t longest) {
    pm_check *check;
    pm_check_summary found;
    fuzz_require(pm_check_create(NULL, language, NULL, NULL, NULL, &check) == PM_OK, "create");
    for (size_t begin = 0, length; begin < n; begin += length) {
        length = n - begin < longest ? n - begin : longest;
        fuzz_require(pm_check_push(check, text + begin, length) == PM_OK, "push");
    }
    fuzz_require(pm_check_finish(check, &found) == PM_OK, "finish");
    pm_check_destroy(check);
    return found;
}

static void try_branches(const pm_language *language, const char *text, size_t n, uint8_t seed) {
    const pm_check_summary whole = totals(language, text, n, n), cut = totals(language, text, n, 1 + seed % PIECE_MAX);
    fuzz_require(memcmp(&whole, &cut, sizeof whole) == 0, "the totals of a text with branches");
}

/* Several copies of a text, in one block. */
static char *repeated(const char *text, size_t n, size_t copies) {
    char *const block = fuzz_allocate(n * copies, 1);
    for (size_t k = 0; k < copies; k++)
        memcpy(block + n * k, text, n);
    return block;
}

/* Reads pieces of a text, by threads or by one (slice 0). */
static findings found_in(const pm_language *language, const char *text, size_t n, size_t slice, uint64_t seed) {
    pm_check *check;
    findings found = {.room = n + 1, .most = SIZE_MAX, .faults = fuzz_allocate(n + 1, sizeof(pm_diagnostic))};
    fuzz_require(pm_check_create(NULL, language, NULL, findings_note, &found, &check) == PM_OK, "create");
    for (size_t begin = 0, length; begin < n; begin += length) {
        const unsigned threads = 2 + (unsigned)random_below(&seed, 2);
        length = slice > 0 ? 1 + random_below(&seed, 2 * n) : n;
        length = length < n - begin ? length : n - begin;
        const unsigned char *const piece = (const unsigned char *)text + begin;
        fuzz_require((slice > 0 ? pmi_check_read_slices(check, piece, length, slice, threads)
                                : pm_check_push(check, text + begin, length)) == PM_OK,
                     "read");
    }
    fuzz_require(pm_check_finish(check, &found.summary) == PM_OK, "finish");
    pm_check_destroy(check);
    return found;
}

/* Slices find what one thread finds: all faults, in order, and the totals. */
static void try_slices(const pm_language *language, const char *text, size_t n, uint8_t seed) {
    const size_t copies = n > 0 && n < SLICED_BYTES ? SLICED_BYTES / n + 1 : 1, all = n * copies;
    char *const block = repeated(text, n, copies);
    const findings expected = found_in(language, block, all, 0, seed),
                   found = found_in(language, block, all, (size_t)64 << seed % 3, seed);
    const char *const difference = findings_difference(&found, &expected);
    fuzz_require(!difference, difference);
    free(found.faults);
    free(expected.faults);
    free(block);
}

/* A text in lines, in pieces, has the totals of its lines. */
static void try_records(const pm_language *language, const char *text, size_t n, uint8_t seed) {
    pm_check *check;
    pm_check_summary found, sum = totals(pm_language_by_name("text"), text, n, n);
    sum = (pm_check_summary){.bytes = n, .lines = sum.lines};
    for (size_t begin = 0, end; begin < n; begin = end + 1) {
        const char *const newline = memchr(text + begin, '\n', n - begin);
        end = newline ? (size_t)(newline - text) : n;
        const pm_check_summary one = totals(language, text + begin, end - begin, end - begin);
        summary_add_record(&sum, &one);
    }
    const size_t longest = seed % 2 ? (size_t)1 + seed % PIECE_MAX : n;
    fuzz_require(pm_check_create(NULL, language, NULL, NULL, NULL, &check) == PM_OK, "create");
    fuzz_require(pm_check_set_records(check, PM_RECORDS_NEWLINE) == PM_OK, "records");
    for (size_t begin = 0, length; begin < n; begin += length) {
        length = n - begin < longest ? n - begin : longest;
        fuzz_require(pm_check_push(check, text + begin, length) == PM_OK, "push");
    }
    fuzz_require(pm_check_finish(check, &found) == PM_OK, "finish");
    pm_check_destroy(check);
    fuzz_require(memcmp(&found, &sum, sizeof found) == 0, "the totals of records");
}

/* No directive that chooses a branch: all that matter have an f. */
static void spoil_branches(char *text, size_t n) {
    for (char *at = text; (at = memchr(at, 'f', n - (size_t)(at - text))) != NULL; at++)
        *at = 'F';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER)
        return 0;
    const pm_language *language = fuzz_language(data[0]);
    const size_t n = size - HEADER;
    arrays known = {.n = n, .last_offset = UINT64_MAX};
    char *text = fuzz_allocate(n, 1);
    memcpy(text, data + HEADER, n);
    try_branches(language, text, n, data[1]);
    try_records(language, text, n, data[1]);
    try_slices(language, text, n, data[1]);
    spoil_branches(text, n);
    known.text = text;
    known.places = fuzz_allocate(n, sizeof *known.places);
    known.parens = fuzz_allocate(n / 64 + 1, sizeof *known.parens);
    known.positions = fuzz_allocate(n, sizeof *known.positions);
    known.match = fuzz_allocate(n, sizeof *known.match);
    known.partner = fuzz_allocate(n, sizeof *known.partner);
    known.kinds = fuzz_allocate(n, sizeof *known.kinds);
    count_places(&known);
    try_check(language, &known, data[1]);
    try_suffix(language, text, n, data[1]);
    free(text);
    free(known.places);
    free(known.parens);
    free(known.positions);
    free(known.match);
    free(known.partner);
    free(known.kinds);
    return 0;
}
