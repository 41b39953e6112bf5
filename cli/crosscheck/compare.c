/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing one way with the oracle, element by element; and finding the smallest input with a difference. */
#include "cli/crosscheck/crosscheck.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sequence.h"
#include "inputs/families.h"

enum {
    UNWRITTEN_BYTE = 0xab,     /* what results hold before: as indices, past all but the longest inputs */
    FENCE = 16,                /* elements behind the results, to stay as they are */
    EVERYBODY_TAKES = 1 << 14, /* elements: no pipeline has a lower limit, on the least of Vulkan's devices */
    SPELLING_MAX = 1000        /* characters in a command */
};
static const uint32_t unwritten = 0xababababu;

/* Room for the answers to an input, or to a shorter one. */
typedef struct answers {
    uint32_t *expected, *got; /* n elements, and behind what was got the fence */
    pm_bic total;
    char difference[CROSSCHECK_WORDS];
} answers;

/* ---- The answer of a stream */

/* Narrows results of 64 bits to 32; a value that does not fit becomes `unwritten`. */
static void narrow(const uint64_t *from, size_t n, uint32_t *to) {
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] == PM_BP_NONE ? PM_NONE : from[i] < PM_NONE ? (uint32_t)from[i] : unwritten;
}

/* Pieces of all magnitudes, each in words of its own. */
static pm_status push_pieces(pm_stream *stream, const crosscheck_input *input, uint64_t *piece, uint64_t *match,
                             uint32_t *narrowed) {
    uint64_t state = input->seed;
    pm_status status = PM_OK;
    for (size_t done = 0, length; done < input->n && status == PM_OK; done += length) {
        const size_t left = input->n - done, reach = 1 + (left >> random_below(&state, 16));
        length = 1 + random_below(&state, reach);
        length = length < left ? length : left;
        memset(piece, 0, (length + 63) / 64 * sizeof *piece);
        sequence_copy(piece, 0, input->parens, done, length);
        status = pm_stream_push(stream, piece, length, match);
        narrow(match, length, narrowed + done);
    }
    return status;
}

static pm_status match_stream(pm_context *context, const crosscheck_input *input, uint32_t *narrowed, pm_bic *total) {
    pm_stream *stream;
    pm_status status = pm_stream_create(context, &stream);
    uint64_t *const piece = sequence_create(input->n);
    uint64_t *const match = calloc(input->n + 1, sizeof *match);
    if (status == PM_OK)
        status = piece && match ? push_pieces(stream, input, piece, match, narrowed) : PM_OUT_OF_MEMORY;
    if (status == PM_OK)
        status = pm_stream_finish(stream, total);
    free(piece);
    free(match);
    pm_stream_destroy(stream);
    return status;
}

/* ---- Comparing */

/* Keeps the words for a difference. */
__attribute__((format(PRINTF_FORMAT, 2, 3))) static bool differs(answers *a, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->difference, sizeof a->difference, format, arguments);
    va_end(arguments);
    return true;
}

/* The bicyclic element, of the matches: an unmatched close has none, and each other close takes an open away. */
static pm_bic total_of(const uint64_t *parens, size_t n, const uint32_t *match) {
    pm_bic total = {0, 0};
    for (size_t i = 0; i < n; i++)
        if (sequence_is_open(parens, i))
            total.open++;
        else if (match[i] == PM_NONE)
            total.close++;
        else
            total.open--;
    return total;
}

static bool total_differs(answers *a, pm_bic expected) {
    if (a->total.close == expected.close && a->total.open == expected.open)
        return false;
    return differs(a, "the total is (%" PRIu64 ",%" PRIu64 "), not (%" PRIu64 ",%" PRIu64 ")", a->total.close,
                   a->total.open, expected.close, expected.open);
}

static bool elements_differ(answers *a, const uint32_t *expected, size_t n) {
    if (memcmp(a->got, expected, n * sizeof *a->got) == 0)
        return false;
    size_t i = 0;
    while (a->got[i] == expected[i])
        i++;
    return differs(a, "element %zu of %zu is %" PRIu32 ", not %" PRIu32, i, n, a->got[i], expected[i]);
}

static bool fence_differs(answers *a, size_t n) {
    for (size_t i = n; i < n + FENCE; i++)
        if (a->got[i] != unwritten)
            return differs(a, "element %zu of %zu was written", i, n);
    return false;
}

/* The oracle's own answer, by proof. */
static bool proof_fails(answers *a, const crosscheck_input *input) {
    size_t wrong = 0;
    if (pm_match_verify(NULL, input->parens, input->n, a->got, &wrong) != PM_OK)
        return differs(a, "element %zu of %zu is %" PRIu32 ", which is wrong", wrong, input->n, a->got[wrong]);
    return total_differs(a, total_of(input->parens, input->n, a->got));
}

static bool is_oracle(const crosscheck_way *way) {
    return way->match == pm_match_seq;
}

static bool match_differs(const crosscheck_way *way, const crosscheck_input *input, answers *a, pm_status *status) {
    const size_t n = input->n;
    memset(a->got, UNWRITTEN_BYTE, (n + FENCE) * sizeof *a->got);
    a->total = (pm_bic){UINT64_MAX, UINT64_MAX};
    *status = way->match ? way->match(way->context, input->parens, n, a->got, &a->total)
                         : match_stream(way->context, input, a->got, &a->total);
    if (*status == PM_TOO_LARGE && way->limited && n > EVERYBODY_TAKES)
        return false;
    if (*status != PM_OK)
        return differs(a, "%s, of %zu elements", pm_status_string(*status), n);
    if (is_oracle(way))
        return proof_fails(a, input) || fence_differs(a, n);
    pm_bic total = input->expected_total;
    if (!input->expected)
        pm_match_seq(NULL, input->parens, n, a->expected, &total);
    return elements_differ(a, input->expected ? input->expected : a->expected, n) || total_differs(a, total) ||
           fence_differs(a, n);
}

/* Is the way's answer not what it should be? *status is what it returned. */
static bool answer_differs(const crosscheck_way *way, const crosscheck_input *input, answers *a, pm_status *status) {
    const crosscheck_tree tree = {input->parens, input->n, input->seed};
    return way->tree ? way->tree(way->context, &tree, a->difference, status) : match_differs(way, input, a, status);
}

/* ---- Removing elements */

/*
 * Delta debugging by removal: first of large parts, then of smaller ones down to single elements, until a round removes
 * nothing. Parts are powers of two, so that large parts leave the rest at its places in words and blocks.
 */

/* The cost of all trials, in elements; each trial also costs TRIAL_ELEMENTS. */
static const uint64_t budget_elements = UINT64_C(1) << 29;
enum {
    TRIAL_ELEMENTS = 1 << 15
};

typedef struct shrinking {
    uint64_t *parens, *trial;
    size_t n;
    uint64_t spent; /* elements */
    shrink_test *fails;
    void *user;
} shrinking;

/* Removes `count` elements from `at` on if what is left fails, too. */
static bool try_without(shrinking *s, size_t at, size_t count) {
    const size_t left = s->n - count, words = s->n / 64 + 1;
    memset(s->trial, 0, words * sizeof *s->trial);
    sequence_copy(s->trial, 0, s->parens, 0, at);
    sequence_copy(s->trial, at, s->parens, at + count, left - at);
    s->spent += s->n + TRIAL_ELEMENTS;
    if (!s->fails(s->user, s->trial, left))
        return false;
    memcpy(s->parens, s->trial, words * sizeof *s->trial);
    s->n = left;
    return true;
}

size_t crosscheck_shrink(uint64_t *parens, size_t n, shrink_test *fails, void *user) {
    shrinking s = {.parens = parens, .trial = sequence_create(n), .n = n, .fails = fails, .user = user};
    if (!s.trial)
        return n;
    for (size_t before = n + 1; s.n < before;) {
        before = s.n;
        size_t chunk = 1;
        while (2 * chunk < s.n)
            chunk *= 2;
        for (; chunk > 0; chunk /= 2)
            for (size_t at = 0; at < s.n && s.spent < budget_elements;) {
                const size_t count = chunk < s.n - at ? chunk : s.n - at;
                if (!try_without(&s, at, count))
                    at += count;
            }
    }
    free(s.trial);
    return s.n;
}

/* ---- The smallest input with a difference */

typedef struct trial {
    const crosscheck_way *way;
    uint64_t seed;
    answers *answers;
} trial;

/* A device that is lost fails with everything from then on, which says nothing about the input. */
static bool trial_fails(void *user, const uint64_t *parens, size_t n) {
    const trial *const t = user;
    const crosscheck_input input = {.parens = parens, .n = n, .seed = t->seed};
    pm_status status;
    return answer_differs(t->way, &input, t->answers, &status) && status != PM_DEVICE_LOST;
}

/* The command that shows the difference again, by the spelling if that is given, else by the input's family. */
static char *command_make(const crosscheck_way *way, const crosscheck_input *input, const char *spelling) {
    const size_t room =
        400 + (way->device ? strlen(way->device) : 0) + (spelling ? strlen(spelling) : strlen(input->family));
    char *const command = malloc(room);
    if (!command)
        return NULL;
    int length = snprintf(command, room, "parenmatch crosscheck --backend %s", way->backend);
    if (way->device)
        length += snprintf(command + length, room - (size_t)length, " --device '%s'", way->device);
    if (way->simd)
        length += snprintf(command + length, room - (size_t)length, " --simd %s", way->simd);
    if (way->pipeline)
        length += snprintf(command + length, room - (size_t)length, " --pipeline %s", way->pipeline);
    if (way->by_threads)
        length += snprintf(command + length, room - (size_t)length, " --threads %u", way->threads);
    if (!spelling)
        length += snprintf(command + length, room - (size_t)length, " --family %s --n %zu", input->family, input->n);
    if (!spelling || !way->match)
        length += snprintf(command + length, room - (size_t)length, " --seed %" PRIu64, input->seed);
    if (spelling)
        snprintf(command + length, room - (size_t)length, " --string '%s'", spelling);
    return command;
}

/* The first of some lengths, each an eighth more than the one before, at which the input's family fails, too, with that
 * input in `parens`; the input itself if none does. */
static size_t shorter_of_family(trial *t, const crosscheck_input *input, uint64_t *parens) {
    const size_t words = input->n / 64 + 1;
    for (size_t n = 1; input->family && n < input->n; n += n / 8 + 1) {
        memset(parens, 0, words * sizeof *parens);
        if (!family_fill(input->family, input->seed, n, parens))
            break;
        if (n % 64 != 0)
            parens[n / 64] &= UINT64_MAX >> (64 - n % 64);
        if (trial_fails(t, parens, n))
            return n;
    }
    memset(parens, 0, words * sizeof *parens);
    sequence_copy(parens, 0, input->parens, 0, input->n);
    return input->n;
}

/* Makes the input as small as it can be and the words of the difference those for that one; returns the command. */
static char *reproduction_make(const crosscheck_way *way, const crosscheck_input *input, answers *a, uint64_t *parens) {
    trial t = {way, input->seed, a};
    crosscheck_input shown = *input;
    shown.n = shorter_of_family(&t, input, parens);
    const size_t n = crosscheck_shrink(parens, shown.n, trial_fails, &t);
    trial_fails(&t, parens, n);
    char *const spelling = sequence_spell(parens, n);
    const bool by_family = input->family && spelling && strlen(spelling) > SPELLING_MAX;
    char *const command = spelling ? command_make(way, &shown, by_family ? NULL : spelling) : NULL;
    free(spelling);
    return command;
}

/* Returns the command for the input as it is, to which the words of the difference belong. */
static char *reproduction_of(const crosscheck_way *way, const crosscheck_input *input, const uint64_t *parens) {
    char *const spelling = input->family ? NULL : sequence_spell(parens, input->n);
    char *const command = input->family || spelling ? command_make(way, input, spelling) : NULL;
    free(spelling);
    return command;
}

/* Keeps the difference in `a`, and finds a small input that shows one too. */
static pm_status keep_difference(crosscheck_way *way, const crosscheck_input *input, answers *a) {
    way->difference = malloc(sizeof a->difference);
    uint64_t *const parens = sequence_create(input->n);
    if (!way->difference || !parens) {
        free(parens);
        return PM_OUT_OF_MEMORY;
    }
    memcpy(way->difference, a->difference, sizeof a->difference);
    sequence_copy(parens, 0, input->parens, 0, input->n);
    /* What does not fail again cannot be made smaller. */
    const bool again = trial_fails(&(trial){way, input->seed, a}, parens, input->n);
    way->reproduction = again ? reproduction_make(way, input, a, parens) : reproduction_of(way, input, parens);
    if (again)
        memcpy(way->difference, a->difference, sizeof a->difference);
    free(parens);
    return way->reproduction ? PM_OK : PM_OUT_OF_MEMORY;
}

pm_status crosscheck_compare(crosscheck_way *way, const crosscheck_input *input) {
    answers a = {.expected = malloc((input->n + 1) * sizeof *a.expected),
                 .got = malloc((input->n + FENCE) * sizeof *a.got)};
    pm_status status = PM_OUT_OF_MEMORY;
    if (a.expected && a.got) {
        pm_status answered;
        if (answer_differs(way, input, &a, &answered)) {
            status = keep_difference(way, input, &a);
        } else if (answered != PM_OUT_OF_MEMORY) {
            status = PM_OK;
            way->refused += answered == PM_TOO_LARGE;
            way->inputs += answered == PM_OK;
            way->elements += answered == PM_OK ? input->n : 0;
        }
    }
    free(a.expected);
    free(a.got);
    return status;
}
