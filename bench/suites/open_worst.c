/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite open_worst: the pieces of a language behind which a text that comes byte by byte is asked most slowly. A piece
 * is 1 to 4 tokens. It is repeated, n times in the end, then typed on a few times more; after each byte one call is
 * timed alone. A family is a language, whose worst pieces hill climbing finds, or language:piece; four question marks
 * of a piece are four letters, others in each one, as in xml:<????>.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "bench/suites/pieces.h"
#include "bench/suites/suite.h"
#include "parenmatch.h"

#define ASKED 16u /* opens or bytes */
#define CLIMB_DEPTH 400u
#define CLIMB_LONGER 10 /* than a case */
#define TYPED 6u        /* pieces that are typed; of each byte of one the fastest counts */
#define PATIENCE_NS 300e6

typedef bool ask(pm_check *check, pm_check_state **state);

static bool ask_open(pm_check *check, pm_check_state **state) {
    pm_open_bracket opens[ASKED];
    pm_open_end end;
    uint64_t count;
    (void)state;
    return pm_check_open(check, opens, ASKED, &count, &end) == PM_OK;
}

static bool ask_suffix(pm_check *check, pm_check_state **state) {
    char suffix[ASKED];
    size_t length;
    (void)state;
    const pm_status status = pm_check_suffix(check, suffix, ASKED, &length);
    return status == PM_OK || status == PM_UNSUPPORTED;
}

static bool ask_save(pm_check *check, pm_check_state **state) {
    return pm_check_save(check, state) == PM_OK;
}

static bool ask_restore(pm_check *check, pm_check_state **state) {
    return pm_check_restore(check, *state) == PM_OK;
}

static const struct {
    const char *name;
    ask *run;
} calls[] = {{"open", ask_open}, {"suffix", ask_suffix}, {"save", ask_save}, {"restore", ask_restore}};
#define CALLS (sizeof calls / sizeof *calls)

bool suite_open_worst_knows(const char *name) {
    for (size_t c = 0; c < CALLS; c++)
        if (strcmp(name, calls[c].name) == 0)
            return true;
    return false;
}

/* ns of one call after a byte. */
struct cost {
    double mean, most; /* of a piece's bytes */
    bool held;
};

struct typing {
    pm_context *context;
    const pm_language *language;
    char bytes[PIECE_BYTES];
    size_t length, depth; /* of the piece; pieces before those that are typed */
    size_t call;
    char *text;    /* all of it */
    double clock;  /* ns that a measurement takes by itself */
    double bounds; /* ns, after which no more is typed */
};

/* One call behind the last byte that was pushed. Of a restoration that byte is taken back, and pushed again. */
static double time_call(pm_check *check, size_t call, const char *last, pm_check_state *before, bool *held) {
    pm_check_state *state = before;
    const uint64_t begin = clock_now();
    *held &= calls[call].run(check, &state);
    const double took = (double)(clock_now() - begin);
    if (calls[call].run == ask_save)
        pm_check_state_destroy(state);
    else if (before)
        *held &= pm_check_push(check, last, 1) == PM_OK;
    return took;
}

static double type_byte(pm_check *check, size_t call, const char *byte, bool *held) {
    pm_check_state *before = NULL;
    if (calls[call].run == ask_restore)
        *held &= pm_check_save(check, &before) == PM_OK;
    *held &= pm_check_push(check, byte, 1) == PM_OK;
    const double took = time_call(check, call, byte, before, held);
    pm_check_state_destroy(before);
    return took;
}

/* Is what the check says that which one says that gets the text at once? */
static bool says_right(const struct typing *typing, pm_check *check, size_t n) {
    char suffix[2][ASKED] = {{0}};
    size_t length[2] = {0};
    pm_check *once;
    if (pm_check_create(typing->context, typing->language, NULL, NULL, NULL, &once) != PM_OK)
        return false;
    bool right = pm_check_push(once, typing->text, n) == PM_OK;
    right &=
        pm_check_suffix(check, suffix[0], ASKED, &length[0]) == pm_check_suffix(once, suffix[1], ASKED, &length[1]);
    pm_check_destroy(once);
    return right && length[0] == length[1] && memcmp(suffix[0], suffix[1], ASKED) == 0;
}

/* Types the piece; `verify` also compares. */
static struct cost time_typing(const struct typing *typing, bool verify) {
    struct cost cost = {.held = true};
    double least[PIECE_BYTES];
    const size_t begin = typing->depth * typing->length;
    size_t n = begin;
    double all = 0;
    pm_check *check;
    if (pm_check_create(typing->context, typing->language, NULL, NULL, NULL, &check) != PM_OK)
        return (struct cost){0};
    cost.held &= pm_check_push(check, typing->text, begin) == PM_OK;
    bool ignored = true;
    (void)time_call(check, 0, NULL, NULL, &ignored); /* with delimiters this reads the text */
    for (size_t k = 0; k < typing->length; k++)
        least[k] = HUGE_VAL;
    for (size_t k = 0; k < TYPED && (k < 1 || all < typing->bounds); k++)
        for (size_t i = 0; i < typing->length; i++, n++) {
            const double took = type_byte(check, typing->call, typing->text + n, &cost.held);
            all += took;
            least[i] = took < least[i] ? took : least[i];
        }
    for (size_t i = 0; i < typing->length; i++) {
        const double took = least[i] > typing->clock ? least[i] - typing->clock : 0;
        cost.mean += took / (double)typing->length;
        cost.most = took > cost.most ? took : cost.most;
    }
    if (verify)
        cost.held &= says_right(typing, check, n);
    pm_check_destroy(check);
    return cost;
}

static double clock_cost(void) {
    double least = HUGE_VAL;
    for (unsigned k = 0; k < 1000; k++) {
        const uint64_t begin = clock_now();
        const double took = (double)(clock_now() - begin);
        least = took < least ? took : least;
    }
    return least;
}

/* Makes the question marks of a piece letters. */
static void name_piece(char *piece, size_t length, size_t ordinal) {
    static const char marks[] = {'?', '?', '?', '?'};
    for (size_t i = 0; i + sizeof marks <= length; i++)
        if (memcmp(piece + i, marks, sizeof marks) == 0)
            for (size_t k = sizeof marks; k-- > 0; ordinal /= 26)
                piece[i + k] = (char)('a' + ordinal % 26);
}

/* False: there is no memory. */
static bool typing_take(struct typing *typing, const char *piece, size_t length, size_t depth) {
    char *const text = realloc(typing->text, (depth + TYPED) * length + 1);
    if (!text || length > PIECE_BYTES)
        return false;
    typing->text = text;
    typing->length = length;
    typing->depth = depth;
    memcpy(typing->bytes, piece, length);
    for (size_t k = 0; k < depth + TYPED; k++) {
        memcpy(text + k * length, piece, length);
        name_piece(text + k * length, length, k);
    }
    return true;
}

/* ---- The search ---- */

static bool climb(struct typing *typing, const struct settings *settings, struct slow_pieces *slow) {
    const uint64_t end = clock_now() + (uint64_t)(CLIMB_LONGER * settings->sampling.seconds * 1e9);
    uint64_t state = settings->seed;
    while (clock_now() < end) {
        char bytes[PIECE_BYTES];
        struct piece piece = piece_next(slow, &state);
        if (!typing_take(typing, bytes, piece_bytes(&piece, bytes), CLIMB_DEPTH))
            return false;
        piece.cost = time_typing(typing, false).most;
        if (piece_is_slow(slow, piece.cost))
            piece.cost = time_typing(typing, false).most; /* may have been noise */
        piece_keep(slow, &piece);
    }
    return true;
}

/* ---- The lines ---- */

static enum outcome time_piece(struct typing *typing, const char *bytes, size_t length, size_t depth) {
    char piece[PIECE_BYTES + 1] = "";
    if (!typing_take(typing, bytes, length, depth))
        return OUTCOME_FAILED;
    memcpy(piece, bytes, length);
    const struct cost cost = time_typing(typing, true);
    report_begin("open_worst");
    report_text("backend", calls[typing->call].name);
    report_text("language", pm_language_name(typing->language));
    report_text("kind", piece);
    report_count("n", depth);
    report_number("ns_per_call", cost.mean);
    report_number("ns_most", cost.most);
    report_verified(cost.held);
    return cost.held ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

static enum outcome time_slowest(struct typing *typing, const struct settings *settings, size_t depth) {
    struct slow_pieces slow = {0};
    enum outcome worst = climb(typing, settings, &slow) ? OUTCOME_VERIFIED : OUTCOME_FAILED;
    for (size_t k = 0; k < PIECES_KEPT && slow.pieces[k].count > 0 && worst != OUTCOME_FAILED; k++) {
        char bytes[PIECE_BYTES];
        worst = outcome_worse(worst, time_piece(typing, bytes, piece_bytes(&slow.pieces[k], bytes), depth));
    }
    return worst;
}

static enum outcome time_family(const struct settings *settings, const char *family, size_t depth) {
    const char *piece;
    struct typing typing = {.clock = clock_cost(), .bounds = PATIENCE_NS};
    enum outcome worst = OUTCOME_FAILED;
    typing.language = piece_family("open_worst", family, &piece);
    if (typing.language && pm_context_create(&(pm_options){.simd = settings->simd}, &typing.context) == PM_OK)
        worst = OUTCOME_VERIFIED;
    for (typing.call = 0; typing.call < CALLS && worst != OUTCOME_FAILED; typing.call++)
        if (name_list_wants(&settings->backends, calls[typing.call].name))
            worst = outcome_worse(worst, piece ? time_piece(&typing, piece, strlen(piece), depth)
                                               : time_slowest(&typing, settings, depth));
    pm_context_destroy(typing.context);
    free(typing.text);
    return worst;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    (void)suite;
    return suite_run_families(settings, piece_language, time_family);
}

const struct suite suite_open_worst = {.name = "open_worst",
                                       .description = "the pieces behind which asking a growing text takes longest",
                                       .sizes = {1, {100000}},
                                       .run = run};
