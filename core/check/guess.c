/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which state does a lexer come to a place of a text? The text before it is read from every state that is likely
 * there: code, or a string or comment of several lines. Mostly all soon read alike. If not, the reading that
 * counts most brackets, fewest mismatches and least prose is believed: to text in a string, or code outside one, others
 * look less like code. If others count nearly as many, more is read: so long a string hides where it began.
 */
#include <limits.h>
#include <string.h>

#include "base/sizes.h"
#include "core/check/slices.h"
#include "core/lexer/parts.h"

#define LOOK_BEHIND ((size_t)1 << 10) /* at first; where that does not decide, */
#define LOOK_FURTHER 4u               /* times as far, */
#define LOOK_FAR ((size_t)1 << 16)    /* at most so far */
#define DECISIVE_AT_FIRST 32          /* brackets more than by any other state, */
#define DECISIVE 48                   /* and further behind */
#define STATES_MAX 5u                 /* code and four regions */
#define DEPTH_MAX 64u
#define MISMATCH_COST 4
#define PROSE_WORDS 4u            /* words of letters in a row, with a blank between two: each further one is prose */
#define PROSE_COST 3              /* of such a word */
#define PROSE_BYTES ((size_t)512) /* of a sample, from its first byte on, in which prose is sought */
#define SAMPLES 4u                /* of a look, as long as they are neither shorter nor longer than: */
#define SAMPLE_MIN ((size_t)512)
#define SAMPLE_MAX PM_CHUNK_BYTES
#define MILESTONES (LOOK_FAR / SAMPLE_MAX + 3) /* shorter samples, too */

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

/* Where the reading from code was behind a sample. */
typedef struct milestone {
    pmi_lexer_state state;
    const pmi_region *region;
    uint64_t start, braces;
    unsigned cases, heredocs;
    pmi_lexer_history history;
    long score;
} milestone;

/* The reading from code. Others that come to where it was end as it does, and are not gone on with. */
typedef struct code_reading {
    bool ended;    /* and not in nested code */
    size_t count;  /* of milestones */
    long score;    /* the highest of readings that end as it does */
    pmi_lexer end; /* the state that they end in */
    milestone milestones[MILESTONES];
} code_reading;

static milestone milestone_of(const pmi_lexer *lexer, long score) {
    return (milestone){.state = lexer->state,
                       .region = lexer->region,
                       .start = lexer->start,
                       .braces = lexer->braces,
                       .cases = lexer->case_count,
                       .heredocs = lexer->heredoc_count,
                       .history = lexer->history,
                       .score = score};
}

/* Is the lexer where the reading was? Then, almost surely, it reads on as that did. */
static bool is_at(const pmi_lexer *lexer, const milestone *at) {
    if (lexer->state != at->state || lexer->braces != at->braces || lexer->case_count != at->cases ||
        lexer->heredoc_count != at->heredocs || pmi_stack_top(&lexer->templates))
        return false;
    if (lexer->state != PM_LEXER_CODE)
        return lexer->region == at->region && lexer->start == at->start;
    return !lexer->remembers ||
           (lexer->history.newer == at->history.newer && lexer->history.older == at->history.older);
}

/* Reads n bytes, as words if they are whole ones. */
static bool read_sample(pmi_bracket_reader *reader, const unsigned char *text, size_t n, plausibility *so_far) {
    uint64_t brackets[SAMPLE_MAX / PM_WORD_BITS];
    if (reader->lexer.state == PM_LEXER_CODE)
        weigh_prose(so_far, &reader->lexer, text, pmi_min(n, PROSE_BYTES));
    reader->lexer.directives->base = reader->lexer.position;
    reader->lexer.directives->count = 0;
    const pm_status status = n % PM_WORD_BITS > 0 ? pmi_lexer_scan(&reader->lexer, text, n, brackets)
                                                  : pmi_bracket_reader_words(reader, text, n / PM_WORD_BITS, brackets);
    if (status != PM_OK)
        return false;
    for (size_t w = 0; w * PM_WORD_BITS < n; w++)
        for (uint64_t rest = brackets[w]; rest != 0; rest &= rest - 1)
            weigh(so_far, text[w * PM_WORD_BITS + pmi_bits_lowest(rest)]);
    return true;
}

/* Makes the lexer one that is inside a region at a place (NULL: in code). Returns false if there is no memory. */
static bool begin_in(pmi_lexer *lexer, const pmi_region *region, uint64_t position) {
    uint64_t ignored;
    pmi_lexer_clear(lexer);
    lexer->position = position;
    if (position > 0 && lexer->state == PM_LEXER_REGION && lexer->region->close) /* not in what surrounds the code */
        pmi_lexer_region_leave(lexer);
    if (region && pmi_lexer_scan(lexer, (const unsigned char *)region->open, strlen(region->open), &ignored) != PM_OK)
        return false;
    lexer->position = position;
    return true;
}

/* A few samples are enough to see where readings join, and whether they are of prose. */
static size_t sample_bytes(size_t n) {
    const size_t even = n / SAMPLES / PM_WORD_BITS * PM_WORD_BITS;
    return even < SAMPLE_MIN ? SAMPLE_MIN : pmi_min(even, SAMPLE_MAX);
}

/* Of the next sample, if `left` bytes are. Odd ones come first, so that words end at the place. */
static size_t sample_length(size_t left, size_t most) {
    return left % PM_WORD_BITS > 0 ? left % PM_WORD_BITS : pmi_min(left, most);
}

typedef enum outcome {
    FAILS, /* it ends in nested code, or there is no memory */
    ENDS,
    JOINS /* the reading from code */
} outcome;

/* Reads text[begin] to text[at - 1] from inside a region (NULL: from code, with milestones); *score: what it counts. */
static outcome read_from(pmi_bracket_reader *reader, const pmi_region *region, const unsigned char *text, size_t begin,
                         size_t at, uint64_t offset, code_reading *code, long *score) {
    pmi_lexer *const lexer = &reader->lexer;
    plausibility found = {.score = 0};
    const size_t most = sample_bytes(at - begin);
    if (!begin_in(lexer, region, offset + begin))
        return FAILS;
    for (size_t done = begin, sample = 0, length; done < at; done += length, sample++) {
        length = sample_length(at - done, most);
        if (!read_sample(reader, text + done, length, &found))
            return FAILS;
        const milestone *const mile = &code->milestones[sample];
        if (!region) {
            code->milestones[code->count++] = milestone_of(lexer, found.score);
        } else if (code->ended && is_at(lexer, mile)) {
            *score = found.score + code->milestones[code->count - 1].score - mile->score;
            return JOINS;
        }
    }
    *score = found.score;
    if (pmi_stack_top(&lexer->templates))
        return FAILS;
    pmi_stack_clear(&lexer->templates); /* of what it keeps to be quick */
    return ENDS;
}

/* The state that counts most so far, and what one that ends elsewhere counts. */
typedef struct best_guess {
    bool any;
    long score, other; /* other: LONG_MIN if there is none */
    pmi_lexer lexer;
} best_guess;

static void consider(best_guess *best, const pmi_lexer *lexer, long score, bool if_equal) {
    const bool better = !best->any || score > best->score || (if_equal && score == best->score);
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

/* Reads from every state that is likely at a place. */
static void read_from_all(pmi_bracket_reader *reader, const unsigned char *text, size_t begin, size_t at,
                          uint64_t offset, best_guess *best) {
    pmi_lexer *const lexer = &reader->lexer;
    const pm_language *const language = lexer->language;
    const bool within_line = begin > 0 && text[begin - 1] != '\n';
    code_reading code;
    long score;
    code.count = 0;
    code.ended = read_from(reader, NULL, text, begin, at, offset, &code, &code.score) == ENDS;
    if (code.ended)
        code.end = *lexer;
    unsigned states = 1;
    for (size_t r = 0; r < language->region_count && states < STATES_MAX; r++) {
        if (!region_is_likely(&language->regions[r], within_line))
            continue;
        states++;
        const outcome came_to = read_from(reader, &language->regions[r], text, begin, at, offset, &code, &score);
        if (came_to == ENDS)
            consider(best, lexer, score, false);
        else if (came_to == JOINS && score > code.score)
            code.score = score;
    }
    if (code.ended)
        consider(best, &code.end, code.score, true);
}

/* Does no other state come near? The first look takes no prose for an answer: what that is in may begin behind it. */
static bool is_decided(const best_guess *best, bool first) {
    const long other = first && best->other < 0 ? 0 : best->other;
    return best->other == LONG_MIN || best->score - other >= (first ? DECISIVE_AT_FIRST : DECISIVE);
}

/* Guesses by the bytes from `begin` on. Returns whether that decides. */
static bool guess_from(pmi_bracket_reader *reader, const unsigned char *text, size_t begin, size_t at, uint64_t offset,
                       bool first) {
    pmi_lexer *const lexer = &reader->lexer;
    best_guess best = {.other = LONG_MIN};
    read_from_all(reader, text, begin, at, offset, &best);
    pmi_lexer_clear(lexer);
    if (best.any)
        *lexer = best.lexer;
    lexer->position = offset + at;
    const bool remembered = !lexer->remembers || lexer->history.older >> 56 != 0; /* all that is kept of the code */
    return remembered && is_decided(&best, first);
}

void pmi_lexer_enter(pmi_lexer *lexer, const pmi_lexer *state) {
    const pmi_stack templates = lexer->templates;
    pmi_directives *const directives = lexer->directives;
    *lexer = *state;
    lexer->templates = templates;
    lexer->directives = directives;
}

/* Does what the lexer was inside of go on through text[begin] to text[at - 1]? Then the reader's lexer is inside it. */
static bool lasts_through(pmi_bracket_reader *reader, const pmi_lexer *lasting, const unsigned char *text, size_t begin,
                          size_t at, uint64_t offset) {
    pmi_lexer *const lexer = &reader->lexer;
    plausibility ignored = {.score = 0};
    pmi_lexer_clear(lexer);
    pmi_lexer_enter(lexer, lasting);
    lexer->position = offset + begin;
    for (size_t done = begin, length; done < at; done += length) {
        length = sample_length(at - done, SAMPLE_MAX);
        if (!read_sample(reader, text + done, length, &ignored) || lexer->state != PM_LEXER_REGION ||
            lexer->start != lasting->start)
            return false;
    }
    return true;
}

void pmi_lexer_guess(pmi_bracket_reader *reader, const unsigned char *text, size_t at, uint64_t offset, size_t most,
                     const pmi_lexer *lasting) {
    const size_t far = pmi_min(most, LOOK_FAR);
    if (lasting && lasts_through(reader, lasting, text, line_begin(text, at > far ? at - far : 0, at), at, offset))
        return;
    for (size_t behind = LOOK_BEHIND;; behind *= LOOK_FURTHER) {
        const size_t begin = line_begin(text, at > behind ? at - behind : 0, at);
        if (guess_from(reader, text, begin, at, offset, behind == LOOK_BEHIND) || behind >= at ||
            behind * LOOK_FURTHER > far)
            break;
    }
}
