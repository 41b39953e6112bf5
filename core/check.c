/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a text in chunks: lexer, one stack of opens with their kinds and places, diagnostics.
 *
 * The text is read in words of 64 bytes. Opens of one word share an entry of the stack: a survivor mask, two bit planes
 * of kinds, and the newlines, from which any open's line and column follow. Words that look alike and follow one
 * another share an entry too, so that memory for a text of endless equal opens does not grow.
 */
#include "core/alphabet.h"
#include "core/lexer.h"
#include "core/slice.h"
#include "core/stack.h"

#include <string.h>

#define KIND_PLANES 2u
#define CHECK_KINDS_MAX (1u << KIND_PLANES)
#define RUN_MAX UINT16_MAX
#define INDEX_MAX ((UINT64_C(1) << 48) - 1) /* of a word: 2^54 bytes of text */

/* `run` equal words of text, the first being the text's index-th; as to opens, equal survivors. */
typedef struct text_word {
    uint64_t index : 48; /* both in eight bytes, see INDEX_MAX and RUN_MAX */
    uint64_t run : 16;
    uint64_t opens;             /* bit i: byte i is an open that is still open */
    uint64_t kind[KIND_PLANES]; /* bit i of plane p: bit p of that open's kind */
    uint64_t newlines;          /* bit i: byte i is a newline */
    uint64_t line, line_start;  /* number and offset of the line that the word's first byte is on */
} text_word;

struct pm_check {
    pm_allocator allocator;
    pm_alphabet alphabet;
    char open_byte[CHECK_KINDS_MAX];
    pm_check_report report;
    void *user;

    pm_lexer lexer;
    pm_stack far;        /* words of text that hold opens, below the two that follow */
    text_word uncovered; /* the topmost of them, taken out of the stack for closes to pop; run 1 */
    text_word current;   /* the word being read; run 1 */
    text_word previous;  /* the word before that */
    unsigned filled;     /* bytes of it read */
    bool muted;          /* the reporter wants no more */
    pm_diagnostic cut;   /* where the string or comment that we are inside began */
    uint64_t depth;
    pm_check_summary found;
    pm_status failure; /* met by a push since the last finish */
};

static void check_reset(pm_check *check) {
    pm_lexer_clear(&check->lexer);
    pm_stack_clear(&check->far);
    check->uncovered = (text_word){.run = 1};
    check->current = (text_word){.run = 1, .line = 1};
    check->filled = 0;
    check->muted = check->report == NULL;
    check->cut = (pm_diagnostic){.fault = PM_FAULT_UNTERMINATED, .at.offset = UINT64_MAX};
    check->depth = 0;
    check->found = (pm_check_summary){0};
    check->failure = PM_OK;
}

pm_status pm_check_create(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                          pm_check_report report, void *user, pm_check **check) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    *check = NULL;
    if (!language)
        return PM_INVALID_ARGUMENT;
    if (!alphabet)
        alphabet = pm_language_alphabet(language);
    else if (!pm_alphabet_valid(alphabet))
        return PM_INVALID_ARGUMENT;
    for (unsigned byte = 0; byte < 256; byte++)
        if (pm_role_kind(alphabet->role[byte]) >= CHECK_KINDS_MAX)
            return PM_UNSUPPORTED;

    const pm_allocator allocator = pm_context_allocator(context);
    pm_check *created = pm_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_check){.allocator = allocator, .alphabet = *alphabet, .report = report, .user = user};
    for (unsigned byte = 256; byte-- > 0;)
        if (pm_role_is_open(alphabet->role[byte]))
            created->open_byte[pm_role_kind(alphabet->role[byte])] = (char)byte;
    pm_lexer_init(&created->lexer, language, &created->alphabet, &allocator);
    pm_stack_init(&created->far, &allocator, sizeof(text_word));
    check_reset(created);
    *check = created;
    return PM_OK;
}

void pm_check_destroy(pm_check *check) {
    if (!check)
        return;
    check_reset(check); /* gives back what the text took */
    const pm_allocator allocator = check->allocator;
    pm_memory_free(&allocator, check);
}

/* ---- Words of text */

static uint64_t word_offset(const text_word *word) {
    return word->index * PM_WORD_BITS;
}

static unsigned word_kind(const text_word *word, unsigned bit) {
    return (unsigned)((word->kind[0] >> bit & 1) | (word->kind[1] >> bit & 1) << 1);
}

static pm_place word_place(const text_word *word, unsigned bit) {
    const uint64_t offset = word_offset(word) + bit;
    const uint64_t before = word->newlines & pm_bits_low(bit);
    const uint64_t line_start = before ? word_offset(word) + pm_bits_highest(before) + 1 : word->line_start;
    return (pm_place){offset, word->line + pm_bits_count(before), offset - line_start + 1};
}

/* The word `steps` after the first of a run: one of its words, or with steps = run what the word behind it begins with.
 */
static text_word word_after(const text_word *run, uint64_t steps) {
    text_word word = *run;
    word.run = 1;
    word.index = (run->index + steps) & INDEX_MAX;
    if (steps > 0 && run->newlines != 0) {
        word.line += steps * pm_bits_count(run->newlines);
        word.line_start = word_offset(&word) - PM_WORD_BITS + pm_bits_highest(run->newlines) + 1;
    }
    return word;
}

static bool word_continues(const text_word *run, const text_word *word) {
    return run->index + run->run == word->index && run->run < RUN_MAX && run->opens == word->opens &&
           run->kind[0] == word->kind[0] && run->kind[1] == word->kind[1] && run->newlines == word->newlines;
}

/* ---- The stack */

/* Puts a word that holds opens on the stack, or makes the run on top one longer. */
static bool far_push(pm_check *check, const text_word *word) {
    text_word *top = pm_stack_top(&check->far);
    if (top && word_continues(top, word)) {
        top->run++;
        return true;
    }
    top = pm_stack_push(&check->far);
    if (!top)
        return false;
    *top = *word;
    return true;
}

/* Takes the topmost word that holds opens off the stack. */
static text_word far_pop(pm_check *check) {
    text_word *top = pm_stack_top(&check->far);
    const text_word last = word_after(top, top->run - 1u);
    if (top->run > 1)
        top->run--;
    else
        pm_stack_pop(&check->far);
    return last;
}

/* The word of text that holds the innermost open; there is one. */
static text_word *innermost_word(pm_check *check) {
    if (check->current.opens != 0)
        return &check->current;
    if (check->uncovered.opens == 0)
        check->uncovered = far_pop(check);
    return &check->uncovered;
}

/* ---- What is found */

static void report(pm_check *check, const pm_diagnostic *diagnostic) {
    if (!check->muted)
        check->muted = !check->report(diagnostic, check->user);
}

static void read_open(pm_check *check, unsigned bit, unsigned kind) {
    const uint64_t mask = UINT64_C(1) << bit;
    check->current.opens |= mask;
    for (unsigned plane = 0; plane < KIND_PLANES; plane++)
        if (kind >> plane & 1)
            check->current.kind[plane] |= mask;
    if (++check->depth > check->found.max_depth)
        check->found.max_depth = check->depth;
}

static void read_close(pm_check *check, unsigned bit, unsigned kind, char byte) {
    if (check->depth == 0) {
        check->found.unmatched.close++;
        report(check, &(pm_diagnostic){
                          .fault = PM_FAULT_UNMATCHED_CLOSE, .at = word_place(&check->current, bit), .byte = byte});
        return;
    }
    text_word *word = innermost_word(check);
    const unsigned open = pm_bits_highest(word->opens);
    const unsigned open_kind = word_kind(word, open);
    word->opens ^= UINT64_C(1) << open;
    check->depth--;
    if (open_kind == kind)
        return;
    check->found.mismatched++;
    report(check, &(pm_diagnostic){.fault = PM_FAULT_KIND_MISMATCH,
                                   .at = word_place(&check->current, bit),
                                   .byte = byte,
                                   .partner = word_place(word, open),
                                   .partner_byte = check->open_byte[open_kind]});
}

/* ---- Reading */

static uint64_t newline_mask(const unsigned char *text, size_t n) {
    uint64_t mask = 0;
    for (const unsigned char *at = text; (at = memchr(at, '\n', n - (size_t)(at - text))) != NULL; at++)
        mask |= UINT64_C(1) << (at - text);
    return mask;
}

/* Remembers where the string or comment that the text is now inside began, as long as that can be told. */
static void note_cut(pm_check *check) {
    uint64_t offset;
    char byte;
    if (!pm_lexer_inside(&check->lexer, &offset, &byte) || offset == check->cut.at.offset)
        return;
    const bool in_current = offset >= word_offset(&check->current);
    check->cut.at = word_place(in_current ? &check->current : &check->previous, offset % PM_WORD_BITS);
    check->cut.byte = byte;
}

/* Puts the full current word away, if it holds opens, and begins the next. */
static bool finish_word(pm_check *check) {
    text_word *word = &check->current;
    const text_word next = word_after(word, 1);
    if (word->opens != 0) {
        if (check->uncovered.opens != 0 && !far_push(check, &check->uncovered))
            return false;
        check->uncovered.opens = 0;
        for (unsigned plane = 0; plane < KIND_PLANES; plane++)
            word->kind[plane] &= word->opens; /* so that equal survivors look alike */
        if (!far_push(check, word))
            return false;
    }
    check->previous = *word;
    *word = (text_word){.index = next.index, .run = 1, .line = next.line, .line_start = next.line_start};
    check->filled = 0;
    return true;
}

/* Reads n bytes, which lie in the current word. */
static pm_status read_piece(pm_check *check, const unsigned char *text, size_t n) {
    const unsigned shift = check->filled;
    uint64_t brackets;
    const pm_status status = pm_lexer_scan(&check->lexer, text, n, &brackets);
    if (status != PM_OK)
        return status;
    check->current.newlines |= newline_mask(text, n) << shift;
    check->found.brackets += pm_bits_count(brackets);
    for (; brackets != 0; brackets &= brackets - 1) {
        const unsigned bit = pm_bits_lowest(brackets);
        const uint8_t role = check->alphabet.role[text[bit]];
        if (pm_role_is_open(role))
            read_open(check, shift + bit, pm_role_kind(role));
        else
            read_close(check, shift + bit, pm_role_kind(role), (char)text[bit]);
    }
    note_cut(check);
    check->filled += (unsigned)n;
    return check->filled < PM_WORD_BITS || finish_word(check) ? PM_OK : PM_OUT_OF_MEMORY;
}

pm_status pm_check_push(pm_check *check, const char *text, size_t n) {
    if (!check || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    for (size_t done = 0; done < n && check->failure == PM_OK;) {
        const size_t room = PM_WORD_BITS - check->filled;
        const size_t piece = n - done < room ? n - done : room;
        check->failure = read_piece(check, (const unsigned char *)text + done, piece);
        done += piece;
    }
    return check->failure;
}

/* ---- The end */

static bool report_opens(const void *entry, void *user) {
    const text_word *run = entry;
    pm_check *check = user;
    for (uint64_t step = 0; step < run->run && !check->muted; step++) {
        const text_word word = word_after(run, step);
        for (uint64_t opens = word.opens; opens != 0; opens &= opens - 1) {
            const unsigned bit = pm_bits_lowest(opens);
            report(check, &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_OPEN,
                                           .at = word_place(&word, bit),
                                           .byte = check->open_byte[word_kind(&word, bit)]});
        }
    }
    return !check->muted;
}

static void count_bytes_and_lines(pm_check *check) {
    const pm_place end = word_place(&check->current, check->filled);
    check->found.bytes = end.offset;
    check->found.lines = end.line - 1 + (end.column > 1);
}

pm_status pm_check_finish(pm_check *check, pm_check_summary *summary) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    const pm_status status = check->failure;
    if (status == PM_OK) {
        uint64_t offset;
        char byte;
        count_bytes_and_lines(check);
        check->found.unmatched.open = check->depth;
        check->found.unterminated = pm_lexer_inside(&check->lexer, &offset, &byte);
        pm_stack_visit(&check->far, report_opens, check);
        report_opens(&check->uncovered, check);
        report_opens(&check->current, check);
        if (check->found.unterminated)
            report(check, &check->cut);
        if (summary)
            *summary = check->found;
    }
    check_reset(check);
    return status;
}
