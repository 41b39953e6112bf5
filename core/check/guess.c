/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which state does a lexer come to a place of a text? A few KiB before it are read from every state that is likely
 * there: code, or a string or comment of several lines. Mostly all end in the same state. If not, the reading that
 * counts most brackets and fewest mismatches is believed: to text in a string, or code outside one, others look less
 * like code.
 */
#include <string.h>

#include "core/check/slices.h"
#include "core/lexer/parts.h"

#define LOOK_BEHIND PM_CHUNK_BYTES
#define STATES_MAX 5u /* code and four regions */
#define DEPTH_MAX 64u
#define MISMATCH_COST 4

/* May a place anywhere in a text well be inside such a region, and can it be entered by its open? */
static bool region_is_likely(const pmi_region *region) {
    const unsigned unlikely = PM_REGION_LINE | PM_REGION_FIRST | PM_REGION_NOTHING | PM_REGION_NOT | PM_REGION_BRACKET |
                              PM_REGION_WORD | PM_REGION_START | PM_REGION_REST | PM_REGION_LONG | PM_REGION_PAIRED |
                              PM_REGION_HEREDOC | PM_REGION_OUTSIDE | PM_REGION_YAML | PM_REGION_JSX;
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

/* Reads n bytes, in words where there are any. */
static bool read_some(pmi_bracket_reader *reader, const unsigned char *text, size_t n, plausibility *so_far) {
    uint64_t brackets[PM_CHUNK_WORDS];
    for (size_t done = 0, length; done < n; done += length) {
        const size_t left = n - done, words = left / PM_WORD_BITS;
        const size_t odd = left % PM_WORD_BITS;
        length = odd > 0 ? odd : words * PM_WORD_BITS; /* the odd ones first, so that words end at the place */
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
    if (region && pmi_lexer_scan(lexer, (const unsigned char *)region->open, strlen(region->open), &ignored) != PM_OK)
        return false;
    lexer->position = offset + begin;
    if (!read_some(reader, text + begin, at - begin, &found) || pmi_stack_top(&lexer->templates))
        return false;
    pmi_stack_clear(&lexer->templates); /* of what it keeps to be quick */
    *score = found.score;
    return true;
}

void pmi_lexer_guess(pmi_bracket_reader *reader, const unsigned char *text, size_t at, uint64_t offset) {
    pmi_lexer *const lexer = &reader->lexer;
    const pm_language *const language = lexer->language;
    const size_t begin = line_begin(text, at > LOOK_BEHIND ? at - LOOK_BEHIND : 0, at);
    pmi_lexer best;
    long most, score;
    bool any = read_from(reader, NULL, text, begin, at, offset, &most);
    if (any)
        best = *lexer;
    unsigned states = 1;
    for (size_t r = 0; r < language->region_count && states < STATES_MAX; r++) {
        if (!region_is_likely(&language->regions[r]))
            continue;
        states++;
        if (!read_from(reader, &language->regions[r], text, begin, at, offset, &score) || (any && score <= most))
            continue;
        any = true;
        most = score;
        best = *lexer;
    }
    pmi_lexer_clear(lexer);
    if (any)
        *lexer = best;
    lexer->position = offset + at;
}
