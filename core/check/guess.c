/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which state does a lexer come to a place of a text? A few KiB before it are read from every state that is likely
 * there: code, or a string or comment of several lines. Mostly all end in the same state. If not, the reading that
 * counts most brackets, fewest mismatches and least prose is believed: to text in a string, or code outside one, others
 * look less like code. If others count nearly as many, more is read: so long a string hides where it began.
 */
#include <limits.h>
#include <string.h>

#include "base/sizes.h"
#include "core/check/slices.h"
#include "core/lexer/parts.h"

#define LOOK_BEHIND PM_CHUNK_BYTES
#define LOOK_FAR (4 * LOOK_BEHIND) /* where that does not decide */
#define DECISIVE 48                /* brackets more than by any other state */
#define STATES_MAX 5u              /* code and four regions */
#define DEPTH_MAX 64u
#define MISMATCH_COST 4
#define PROSE_WORDS 4u  /* words of letters in a row, with a blank between two: each further one is prose */
#define PROSE_COST 3    /* of such a word */
#define PROSE_SAMPLE 8u /* words of 64 bytes that are read at once; prose is sought from their first byte on */

/* May a place anywhere in a text well be inside such a region, and can it be entered by its open? Strings that end with
 * their line are so only within a line. */
static bool region_is_likely(const pmi_region *region, bool within_line) {
    const bool string = within_line && !(region->flags & PM_REGION_COMMENT);
    const unsigned unlikely = (string ? 0 : PM_REGION_LINE) | PM_REGION_FIRST | PM_REGION_NOTHING | PM_REGION_NOT |
                              PM_REGION_BRACKET | PM_REGION_WORD | PM_REGION_START | PM_REGION_REST | PM_REGION_LONG |
                              PM_REGION_PAIRED | PM_REGION_HEREDOC | PM_REGION_OUTSIDE | PM_REGION_YAML | PM_REGION_JSX;
    return region->open && region->close && !region->prefix && !(region->flags & unlikely);
}

static size_t line_begin(const unsigned char *text, size_t from, size_t to) {
    const unsigned char *const newline = memchr(text + from, '\n', (to - from) / 2);
    return newline ? (size_t)(newline - text) + 1 : from;
}

typedef struct plausibility {
    long score;
    size_t depth;
    unsigned char open[DEPTH_MAX]; /* the innermost ones */
} plausibility;

/* The usual pairs; of others only the number counts. */
static unsigned char close_of(unsigned char open) {
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : 0;
}

static void weigh(plausibility *so_far, unsigned char byte) {
    so_far->score++;
    if (close_of(byte)) {
        so_far->open[so_far->depth++ % DEPTH_MAX] = byte;
    } else if (so_far->depth > 0) {
        const unsigned char open = so_far->open[--so_far->depth % DEPTH_MAX];
        if (close_of(open) != byte)
            so_far->score -= MISMATCH_COST;
    }
}

/* Weighs bytes, of which the first is code, up to one that may begin a string or comment. */
static void weigh_prose(plausibility *so_far, const pmi_lexer *lexer, const unsigned char *text, size_t n) {
    unsigned words = 0;
    bool in_word = false;
    for (size_t i = 0; i < n && !lexer->opened_by[text[i]]; i++) {
        const bool letter = pmi_byte_is_letter(text[i]);
        if (letter && !in_word && ++words > PROSE_WORDS)
            so_far->score -= PROSE_COST;
        if (!letter && (text[i] != ' ' || !in_word))
            words = 0;
        in_word = letter;
    }
}

/* Reads n bytes, in words where there are any. */
static bool read_some(pmi_bracket_reader *reader, const unsigned char *text, size_t n, plausibility *so_far) {
    uint64_t brackets[PROSE_SAMPLE];
    for (size_t done = 0, length; done < n; done += length) {
        const size_t left = n - done, words = pmi_min(left / PM_WORD_BITS, PROSE_SAMPLE);
        const size_t odd = left % PM_WORD_BITS;
        length = odd > 0 ? odd : words * PM_WORD_BITS; /* the odd ones first, so that words end at the place */
        if (reader->lexer.state == PM_LEXER_CODE)
            weigh_prose(so_far, &reader->lexer, text + done, length);
        reader->lexer.directives->base = reader->lexer.position;
        reader->lexer.directives->count = 0;
        const pm_status status = odd > 0 ? pmi_lexer_scan(&reader->lexer, text + done, length, brackets)
                                         : pmi_bracket_reader_words(reader, text + done, words, brackets);
        if (status != PM_OK)
            return false;
        for (size_t w = 0; w * PM_WORD_BITS < length; w++)
            for (uint64_t rest = brackets[w]; rest != 0; rest &= rest - 1)
                weigh(so_far, text[done + w * PM_WORD_BITS + pmi_bits_lowest(rest)]);
    }
    return true;
}

/* Reads text[begin] to text[at - 1] from inside a region (NULL: code). Returns false if that ends in nested code. */
static bool read_from(pmi_bracket_reader *reader, const pmi_region *region, const unsigned char *text, size_t begin,
                      size_t at, uint64_t offset, long *score) {
    pmi_lexer *const lexer = &reader->lexer;
    plausibility found = {.score = 0};
    uint64_t ignored;
    pmi_lexer_clear(lexer);
    lexer->position = offset + begin;
    if (offset + begin > 0 && lexer->state == PM_LEXER_REGION &&
        lexer->region->close) /* not in what surrounds the code */
        pmi_lexer_region_leave(lexer);
    if (region && pmi_lexer_scan(lexer, (const unsigned char *)region->open, strlen(region->open), &ignored) != PM_OK)
        return false;
    lexer->position = offset + begin;
    if (!read_some(reader, text + begin, at - begin, &found) || pmi_stack_top(&lexer->templates))
        return false;
    pmi_stack_clear(&lexer->templates); /* of what it keeps to be quick */
    *score = found.score;
    return true;
}

/* The state that counts most so far, and what one that ends elsewhere counts. */
typedef struct best_guess {
    bool any;
    long score, other; /* other: LONG_MIN if there is none */
    pmi_lexer lexer;
} best_guess;

static void consider(best_guess *best, const pmi_lexer *lexer, long score) {
    const bool better = !best->any || score > best->score;
    if (best->any && (lexer->state != best->lexer.state || lexer->region != best->lexer.region)) {
        const long less = better ? best->score : score;
        best->other = less > best->other ? less : best->other;
    }
    if (!better)
        return;
    best->any = true;
    best->score = score;
    best->lexer = *lexer;
}

/* Guesses by the bytes from `begin` on. Returns whether that decides: no other state comes near. */
static bool guess_from(pmi_bracket_reader *reader, const unsigned char *text, size_t begin, size_t at,
                       uint64_t offset) {
    pmi_lexer *const lexer = &reader->lexer;
    const pm_language *const language = lexer->language;
    const bool within_line = begin > 0 && text[begin - 1] != '\n';
    best_guess best = {.other = LONG_MIN};
    long score;
    if (read_from(reader, NULL, text, begin, at, offset, &score))
        consider(&best, lexer, score);
    unsigned states = 1;
    for (size_t r = 0; r < language->region_count && states < STATES_MAX; r++) {
        if (!region_is_likely(&language->regions[r], within_line))
            continue;
        states++;
        if (read_from(reader, &language->regions[r], text, begin, at, offset, &score))
            consider(&best, lexer, score);
    }
    pmi_lexer_clear(lexer);
    if (best.any)
        *lexer = best.lexer;
    lexer->position = offset + at;
    const bool remembered = !lexer->remembers || lexer->history.older >> 56 != 0; /* all that is kept of the code */
    return remembered && (best.other == LONG_MIN || best.score - best.other >= DECISIVE);
}

void pmi_lexer_guess(pmi_bracket_reader *reader, const unsigned char *text, size_t at, uint64_t offset) {
    for (size_t behind = LOOK_BEHIND; behind <= LOOK_FAR; behind *= 4) {
        const size_t begin = line_begin(text, at > behind ? at - behind : 0, at);
        if (guess_from(reader, text, begin, at, offset) || behind >= at)
            break;
    }
}
