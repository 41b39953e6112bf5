/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite text_worst: the pieces whose repetition a language's check reads most slowly. A family is a language, whose
 * worst pieces hill climbing finds, or language:piece. An element is a byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "bench/suites/pieces.h"
#include "bench/suites/suite.h"

#define CLIMB_BYTES ((size_t)1 << 18)
#define CLIMB_LONGER 10 /* than a case */
#define SAMPLES 3u      /* of a text; the fastest counts, as noise only adds */
#define CHUNK ((size_t)4093)

struct repeated {
    pm_check *check;
    char *text;
    size_t n;
    bool held;
};

static void text_fill(struct repeated *repeated, const char *piece, size_t length, size_t n) {
    repeated->n = n;
    for (size_t i = 0; i < n; i++)
        repeated->text[i] = piece[i % length];
}

/* ns a byte. */
static double time_check(struct repeated *repeated, unsigned samples) {
    double least = 0;
    for (unsigned s = 0; s < samples; s++) {
        pm_check_summary summary;
        const uint64_t begin = clock_now();
        repeated->held &= pm_check_text(repeated->check, repeated->text, repeated->n, &summary) == PM_OK;
        const double took = (double)(clock_now() - begin) / (double)repeated->n;
        least = s == 0 || took < least ? took : least;
    }
    return least;
}

/* Is the text read in chunks what it is at once? */
static bool says_right(const struct repeated *repeated) {
    pm_check_summary once = {0}, in_chunks = {0};
    bool held = pm_check_text(repeated->check, repeated->text, repeated->n, &once) == PM_OK;
    for (size_t at = 0; at < repeated->n; at += CHUNK)
        held &= pm_check_push(repeated->check, repeated->text + at,
                              repeated->n - at < CHUNK ? repeated->n - at : CHUNK) == PM_OK;
    held &= pm_check_finish(repeated->check, &in_chunks) == PM_OK;
    return held && memcmp(&once, &in_chunks, sizeof once) == 0;
}

static void climb(struct repeated *repeated, const struct settings *settings, size_t n, struct slow_pieces *slow) {
    const uint64_t end = clock_now() + (uint64_t)(CLIMB_LONGER * settings->sampling.seconds * 1e9);
    uint64_t state = settings->seed;
    while (clock_now() < end) {
        char bytes[PIECE_BYTES];
        struct piece piece = piece_next(slow, &state);
        text_fill(repeated, bytes, piece_bytes(&piece, bytes), n);
        piece.cost = time_check(repeated, 1);
        if (piece_is_slow(slow, piece.cost))
            piece.cost = time_check(repeated, SAMPLES); /* may have been noise */
        piece_keep(slow, &piece);
    }
}

static enum outcome time_piece(struct repeated *repeated, const pm_language *language, const char *bytes, size_t length,
                               size_t n) {
    char piece[PIECE_BYTES + 1] = "";
    text_fill(repeated, bytes, length, n);
    memcpy(piece, bytes, length);
    const double took = time_check(repeated, SAMPLES);
    repeated->held &= says_right(repeated);
    report_begin("text_worst");
    report_text("backend", "check");
    report_text("language", pm_language_name(language));
    report_text("kind", piece);
    report_count("n", n);
    report_number("ns_per_element", took);
    report_number("gb_per_s", 1 / took);
    report_verified(repeated->held);
    return repeated->held ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

static enum outcome time_slowest(struct repeated *repeated, const pm_language *language,
                                 const struct settings *settings, size_t n) {
    struct slow_pieces slow = {0};
    enum outcome worst = OUTCOME_VERIFIED;
    climb(repeated, settings, n < CLIMB_BYTES ? n : CLIMB_BYTES, &slow);
    for (size_t k = 0; k < PIECES_KEPT && slow.pieces[k].count > 0; k++) {
        char bytes[PIECE_BYTES];
        worst = outcome_worse(worst, time_piece(repeated, language, bytes, piece_bytes(&slow.pieces[k], bytes), n));
    }
    return worst;
}

static enum outcome time_family(const struct settings *settings, const char *family, size_t n) {
    const pm_options options = {.struct_size = sizeof options, .simd = settings->simd, .threads = 1};
    const char *piece;
    const pm_language *const language = piece_family("text_worst", family, &piece);
    struct repeated repeated = {.text = malloc(n > 0 ? n : 1), .held = true};
    pm_context *context = NULL;
    enum outcome outcome = OUTCOME_FAILED;
    if (language && n > 0 && repeated.text && pm_context_create(&options, &context) == PM_OK &&
        pm_check_create(context, language, NULL, NULL, NULL, &repeated.check) == PM_OK)
        outcome = piece ? time_piece(&repeated, language, piece, strlen(piece), n)
                        : time_slowest(&repeated, language, settings, n);
    pm_check_destroy(repeated.check);
    pm_context_destroy(context);
    free(repeated.text);
    return outcome;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    (void)suite;
    return suite_run_families(settings, piece_language, time_family);
}

const struct suite suite_text_worst = {.name = "text_worst",
                                       .description = "the pieces whose repetition a check reads most slowly",
                                       .sizes = {1, {1u << 20}},
                                       .run = run};
