/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a text in chunks: brackets outside strings and comments, one stack of opens with their kinds and places,
 * diagnostics.
 *
 * Whole words of 64 bytes are read in bulk, up to a chunk at once: are all its brackets as they should be, which can be
 * told fast, then only what it closes and what it leaves open matters to the stack. A chunk in which something is
 * wrong, or a directive chooses a branch, and what is shorter than a word, is read bracket by bracket.
 *
 * Of a language with delimiters the whole text is read at its end (core/delimiters/check.h).
 *
 * The stack holds what was opened since the last such directive. What is beneath it may depend on the branches taken
 * (core/text/readings.h).
 */
#include "core/text/check_parts.h"

#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"
#include "core/text/check_slices.h"
#include "cpu/threads.h"

#define CHECK_WORDS (2 * PM_CHUNK_WORDS) /* of a chunk here: the more, the fewer opens outlive one */
#define CHECK_BYTES (CHECK_WORDS * PM_WORD_BITS)
_Static_assert(CHECK_BYTES <= PM_RUN_MAX, "a chunk may be brackets alone");
_Static_assert(CHECK_WORDS <= PM_PICK_WORDS, "a chunk is picked at once");
_Static_assert(CHECK_BYTES / 4 < PM_DIRECTIVES_MAX, "all directives of a chunk are noted");

void pmi_check_reset(pm_check *check) {
    pmi_lexer_clear(&check->reader.lexer);
    pmi_bracket_stack_clear(&check->opens);
    pmi_readings_clear(&check->readings);
    check->progress.current = (pmi_text_word){.run = 1, .line = 1};
    check->progress.filled = 0;
    check->progress.muted = check->report == NULL;
    check->progress.cut = (pm_diagnostic){.fault = PM_FAULT_UNTERMINATED, .at.offset = UINT64_MAX, .length = 1};
    check->progress.depth = 0;
    check->progress.found = (pm_check_summary){0};
    check->progress.record_begin = check->progress.faults = 0;
    check->failure = PM_OK;
    check->kinds_known = false;
}

static pm_status init_brackets(pm_check *check, pm_context *context, const pm_language *language,
                               const pm_alphabet *alphabet) {
    if (!alphabet)
        alphabet = pm_language_alphabet(language);
    for (unsigned byte = 0; byte < 256; byte++)
        if (pmi_role_kind(alphabet->role[byte]) >= PM_OPEN_KINDS)
            return PM_UNSUPPORTED;
    check->alphabet = *alphabet;
    for (unsigned byte = 256; byte-- > 0;)
        if (pmi_role_is_open(alphabet->role[byte]))
            check->open_byte[pmi_role_kind(alphabet->role[byte])] = (char)byte;
        else if (alphabet->role[byte] != PM_ROLE_NEUTRAL)
            check->close_byte[pmi_role_kind(alphabet->role[byte])] = (char)byte;
    pmi_bracket_reader_init(&check->reader, pmi_simd_of(context)->classifier, language, &check->alphabet,
                            &check->allocator);
    check->reader.lexer.directives = &check->directives;
    pmi_bracket_stack_init(&check->opens, &check->allocator);
    pmi_readings_init(&check->readings, &check->allocator);
    pmi_check_reset(check);
    return PM_OK;
}

pm_status pm_check_create(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                          pm_check_report report, void *user, pm_check **check) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    *check = NULL;
    if (!language || (alphabet && !pmi_alphabet_valid(alphabet)))
        return PM_INVALID_ARGUMENT;
    const bool delimited = pmi_language_has_delimiters(language);
    if (delimited && alphabet)
        return PM_UNSUPPORTED;

    const pm_allocator allocator = pm_context_allocator(context);
    pm_check *created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    memset(created, 0, offsetof(pm_check, kinds)); /* which a first run fills */
    created->allocator = allocator;
    created->report = report;
    created->user = user;
    created->threads = pm_context_threads(context);
    created->separator = PM_RECORDS_NONE;
    const pm_status status = delimited ? pmi_delimiters_check_init(&created->delimiters, context, language,
                                                                   report ? pmi_check_report_delimiters : NULL, created)
                                       : init_brackets(created, context, language, alphabet);
    if (delimited && status == PM_OK)
        pmi_check_reset_delimiters(created);
    if (status == PM_OK)
        *check = created;
    else
        pmi_memory_free(&allocator, created);
    return status;
}

void pm_check_destroy(pm_check *check) {
    if (!check)
        return;
    if (check->delimiters.pairs)
        pmi_delimiters_check_clear(&check->delimiters);
    else
        pmi_check_reset(check); /* gives back what the text took */
    const pm_allocator allocator = check->allocator;
    pmi_memory_free(&allocator, check);
}

/* ---- What is found ---- */

static void report(pm_check *check, const pm_diagnostic *diagnostic) {
    if (check->progress.muted)
        return;
    pm_diagnostic reported = *diagnostic;
    reported.record = check->progress.found.records;
    check->progress.muted = !check->report(&reported, check->user);
}

void pmi_check_note_depth(pm_check *check, uint64_t depth) {
    if (check->effect) {
        pmi_effect_rise(check->effect, depth);
        return;
    }
    depth += pmi_readings_depth(&check->readings);
    if (depth > check->progress.found.max_depth)
        check->progress.found.max_depth = depth;
}

static void read_open(pm_check *check, unsigned bit, unsigned kind) {
    pmi_text_word_add(&check->progress.current, bit, kind);
    pmi_check_note_depth(check, ++check->progress.depth);
}

void pmi_check_mismatch(pm_check *check, unsigned bit, char byte, pm_place open, unsigned open_kind) {
    if (check->effect) {
        pmi_effect_mismatch(check->effect, pmi_text_word_place(&check->progress.current, bit), byte, open, open_kind);
        return;
    }
    check->progress.found.mismatched++;
    report(check, &(pm_diagnostic){.fault = PM_FAULT_KIND_MISMATCH,
                                   .at = pmi_text_word_place(&check->progress.current, bit),
                                   .length = 1,
                                   .byte = byte,
                                   .partner = open,
                                   .partner_length = 1,
                                   .partner_byte = check->open_byte[open_kind]});
}

/* A close of what was open at the last directive, or of nothing. */
static void read_far_close(pm_check *check, unsigned bit, unsigned kind, char byte) {
    const pmi_reading *open;
    if (check->effect) {
        pmi_effect_close(check->effect, pmi_text_word_place(&check->progress.current, bit), kind, byte);
        return;
    }
    if (pmi_readings_close(&check->readings, kind, &open))
        return;
    if (open) {
        pmi_check_mismatch(check, bit, byte, open->at, open->kind);
        return;
    }
    check->progress.found.unmatched.close++;
    report(check, &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_CLOSE,
                                   .at = pmi_text_word_place(&check->progress.current, bit),
                                   .length = 1,
                                   .byte = byte});
}

void pmi_check_close(pm_check *check, unsigned bit, unsigned kind, char byte) {
    if (check->progress.depth == 0) {
        read_far_close(check, bit, kind, byte);
        return;
    }
    pmi_text_word *word =
        check->progress.current.opens != 0 ? &check->progress.current : pmi_bracket_stack_innermost(&check->opens);
    const unsigned open = pmi_bits_highest(word->opens);
    const unsigned open_kind = pmi_text_word_kind(word, open);
    word->opens ^= UINT64_C(1) << open;
    check->progress.depth--;
    if (open_kind != kind)
        pmi_check_mismatch(check, bit, byte, pmi_text_word_place(word, open), open_kind);
}

/* ---- The end of a record ---- */

typedef struct opens_visit {
    pm_check *check;
    bool (*take)(pm_check *check, pm_place at, unsigned kind); /* false: no more */
} opens_visit;

static bool visit_opens(const void *entry, void *user) {
    const pmi_text_word *run = entry;
    const opens_visit *visit = user;
    for (uint64_t step = 0; step < run->run && run->opens != 0; step++) {
        const pmi_text_word word = pmi_text_word_after(run, step);
        for (uint64_t opens = word.opens; opens != 0; opens &= opens - 1) {
            const unsigned bit = pmi_bits_lowest(opens);
            if (!visit->take(visit->check, pmi_text_word_place(&word, bit), pmi_text_word_kind(&word, bit)))
                return false;
        }
    }
    return true;
}

static bool report_open(pm_check *check, pm_place at, unsigned kind) {
    report(check,
           &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_OPEN, .at = at, .length = 1, .byte = check->open_byte[kind]});
    return !check->progress.muted;
}

/* Drops the opens above the readings, and keeps their memory for the next record. */
static void drop_opens(pm_check *check) {
    pmi_bracket_stack_pop(&check->opens, check->progress.depth - pmi_bits_count(check->progress.current.opens));
    check->progress.current.opens = 0;
    check->progress.depth = 0;
}

/* Reports and drops the opens; there are no readings. */
static void end_opens(pm_check *check) {
    if (check->progress.depth == 0)
        return;
    opens_visit visit = {check, report_open};
    check->progress.found.unmatched.open += check->progress.depth;
    check->kinds_known = false;
    pmi_bracket_stack_visit(&check->opens, visit_opens, &visit);
    visit_opens(&check->progress.current, &visit);
    drop_opens(check);
}

static uint64_t faults_of(const pm_check_summary *found) {
    return found->unmatched.close + found->unmatched.open + found->mismatched + found->unterminated;
}

static void count_if_bad(pm_check *check) {
    const uint64_t faults = faults_of(&check->progress.found);
    check->progress.found.bad_records += faults > check->progress.faults;
    check->progress.faults = faults;
}

void pmi_check_count_record(pm_check *check, uint64_t end, uint64_t next) {
    const bool counts = check->separator != PM_RECORDS_RS || end > check->progress.record_begin;
    count_if_bad(check);
    check->progress.found.records += counts;
    check->progress.record_begin = next;
}

/* The current word's byte `bit` is a marked separator: outside strings, in a language without branches. */
static void end_marked_record(pm_check *check, unsigned bit) {
    const uint64_t end = pmi_text_word_offset(&check->progress.current) + bit;
    end_opens(check);
    pmi_check_count_record(check, end, end + 1);
}

/* ---- Reading bracket by bracket ---- */

/* Puts the full current word away, and begins the next. */
static bool finish_word(pm_check *check) {
    const pmi_text_word next = pmi_text_word_after(&check->progress.current, 1);
    check->progress.previous = check->progress.current;
    check->progress.current =
        (pmi_text_word){.index = next.index, .run = 1, .line = next.line, .line_start = next.line_start};
    check->progress.filled = 0;
    return pmi_bracket_stack_push(&check->opens, &check->progress.previous);
}

static void read_some(pm_check *check, const unsigned char *text, uint64_t brackets) {
    const unsigned shift = check->progress.filled;
    if (check->readings.skipped)
        return;
    for (; brackets != 0; brackets &= brackets - 1) {
        const unsigned bit = pmi_bits_lowest(brackets);
        const uint8_t role = check->alphabet.role[text[bit]];
        if (pmi_role_is_open(role))
            read_open(check, shift + bit, pmi_role_kind(role));
        else if (role == PM_ROLE_RECORD_END)
            end_marked_record(check, shift + bit);
        else
            pmi_check_close(check, shift + bit, pmi_role_kind(role), (char)text[bit]);
    }
}

static bool push_reading(pm_check *check, pm_place at, unsigned kind) {
    if (check->effect) {
        pmi_effect_open(check->effect, at, kind);
        return true;
    }
    check->failure = pmi_readings_push(&check->readings, at, kind) ? PM_OK : PM_OUT_OF_MEMORY;
    return check->failure == PM_OK;
}

bool pmi_check_settle(pm_check *check) {
    if (check->progress.depth == 0)
        return true;
    opens_visit visit = {check, push_reading};
    pmi_bracket_stack_visit(&check->opens, visit_opens, &visit);
    if (check->failure != PM_OK || !visit_opens(&check->progress.current, &visit))
        return false;
    drop_opens(check);
    return true;
}

static bool read_directive(pm_check *check, pmi_directive directive) {
    if (!check->effect)
        return pmi_check_settle(check) && pmi_readings_direct(&check->readings, directive);
    pmi_effect_settle(check->effect);
    if (!pmi_check_settle(check))
        return false;
    pmi_effect_direct(check->effect, directive);
    return true;
}

/* Reads n bytes of the current word, whose newlines it knows; they begin at offset `at`. Takes the directives there
 * from the first one on. */
static bool read_brackets(pm_check *check, const unsigned char *text, size_t n, uint64_t brackets, size_t at,
                          size_t *directive) {
    const pmi_directives *const directives = &check->directives;
    for (; *directive < directives->count; ++*directive) {
        const size_t offset = directives->list[*directive] >> 3;
        if (offset >= at + n)
            break;
        const uint64_t before = brackets & pmi_bits_low((unsigned)(offset - at));
        read_some(check, text, before);
        brackets ^= before;
        if (!read_directive(check, (pmi_directive)(directives->list[*directive] & 7)))
            return false;
    }
    read_some(check, text, brackets);
    check->progress.filled += (unsigned)n;
    return check->progress.filled < PM_WORD_BITS || finish_word(check);
}

/* ---- Less than a word ---- */

static uint64_t newline_mask(const unsigned char *text, size_t n) {
    uint64_t mask = 0;
    for (const unsigned char *at = text; (at = memchr(at, '\n', n - (size_t)(at - text))) != NULL; at++)
        mask |= UINT64_C(1) << (at - text);
    return mask;
}

/* Does the text now end inside a string or comment that began where it was not said before? */
static bool cut_begins(pm_check *check, uint64_t *offset) {
    return pmi_lexer_perhaps_inside(&check->reader.lexer, offset, &check->progress.cut.byte) &&
           *offset != check->progress.cut.at.offset;
}

/* Reads n < 64 bytes, which lie in the current word. */
static pm_status read_piece(pm_check *check, const unsigned char *text, size_t n) {
    uint64_t brackets, cut;
    check->directives.base = check->reader.lexer.position;
    check->directives.count = 0;
    const pm_status status = pmi_lexer_scan(&check->reader.lexer, text, n, &brackets);
    if (status != PM_OK)
        return status;
    check->kinds_known = false;
    check->progress.current.newlines |= newline_mask(text, n) << check->progress.filled;
    check->progress.found.brackets += pmi_bits_count(brackets);
    if (cut_begins(check, &cut)) {
        const bool in_current = cut >= pmi_text_word_offset(&check->progress.current);
        check->progress.cut.at =
            pmi_text_word_place(in_current ? &check->progress.current : &check->progress.previous, cut % PM_WORD_BITS);
    }
    size_t directive = 0;
    return read_brackets(check, text, n, brackets, 0, &directive) ? PM_OK : PM_OUT_OF_MEMORY;
}

/* ---- A chunk ---- */

typedef struct check_chunk {
    const unsigned char *text;
    size_t words;
    size_t count; /* of its brackets */
    size_t newline_count;
    uint64_t brackets[CHECK_WORDS], newlines[CHECK_WORDS];
    uint16_t before[CHECK_WORDS]; /* brackets before each word */
    unsigned char picked[CHECK_BYTES + PM_PICK_SLACK];
} check_chunk;

/* Goes from one of the chunk's words on to the w-th, w <= words; without opens. */
static void chunk_walk(const pm_check *check, const check_chunk *chunk, pmi_text_word *word, size_t w) {
    const uint64_t index = check->progress.current.index;
    const size_t first = (size_t)(word->index - index);
    size_t k = chunk->newline_count > 0 ? w : first; /* on long lines there may be none */
    while (k > first && chunk->newlines[k - 1] == 0)
        k--;
    if (k > first) {
        word->line += check->reader.classifier->count(chunk->newlines + first, k - first);
        word->line_start = (index + k) * PM_WORD_BITS - PM_WORD_BITS + pmi_bits_highest(chunk->newlines[k - 1]) + 1;
    }
    word->index = (index + w) & PM_TEXT_WORD_INDEX_MAX;
    word->newlines = w < chunk->words ? chunk->newlines[w] : 0;
    word->opens = word->kind[0] = word->kind[1] = 0;
}

/* Notes where the string or comment began that the chunk ends in. */
static void note_cut(pm_check *check, const check_chunk *chunk) {
    uint64_t cut;
    if (!cut_begins(check, &cut))
        return;
    pmi_text_word word = check->progress.previous;
    if (cut >= pmi_text_word_offset(&check->progress.current)) {
        word = check->progress.current;
        chunk_walk(check, chunk, &word, (size_t)(cut / PM_WORD_BITS - word.index));
    }
    check->progress.cut.at = pmi_text_word_place(&word, cut % PM_WORD_BITS);
}

/* Fills the stack of kinds from the stack of opens, if it cannot take the chunk as it is. */
static void prepare_kinds(pm_check *check, size_t count) {
    if (check->kinds_known && pmi_kind_stack_suffices(&check->kinds, count))
        return;
    const size_t needed = check->progress.depth < count ? (size_t)check->progress.depth : count;
    pmi_bracket_stack_kinds(&check->opens, needed,
                            pmi_kind_stack_fill(&check->kinds, needed, needed == check->progress.depth));
    check->kinds_known = true;
}

/* Puts away the opens that a chunk leaves open. */
static bool push_survivors(pm_check *check, const check_chunk *chunk, const pmi_kind_run *run) {
    pmi_text_word word = check->progress.current;
    size_t w = 0, rank = 0;
    uint64_t rest = 0; /* brackets of word w, those from rank on */
    for (size_t k = 0; k < run->survivors; k++) {
        unsigned kind;
        const size_t bracket = pmi_kind_stack_survivor(&check->kinds, run, k, &kind), last = w;
        while (w + 1 < chunk->words && chunk->before[w + 1] <= bracket)
            w++;
        if (w != last || k == 0) {
            if (!pmi_bracket_stack_push(&check->opens, &word))
                return false;
            chunk_walk(check, chunk, &word, w);
            rest = chunk->brackets[w];
            rank = chunk->before[w];
        }
        for (; rank < bracket; rank++)
            rest &= rest - 1;
        pmi_text_word_add(&word, pmi_bits_lowest(rest), kind);
    }
    return pmi_bracket_stack_push(&check->opens, &word);
}

/* Reads a chunk whose closes all close an open of their kind. */
static bool read_good_chunk(pm_check *check, const check_chunk *chunk, const pmi_kind_run *run) {
    pmi_check_note_depth(check, check->progress.depth + run->rise);
    check->progress.depth = check->progress.depth - run->closed + run->survivors;
    pmi_bracket_stack_pop(&check->opens, run->closed);
    if (!push_survivors(check, chunk, run))
        return false;
    chunk_walk(check, chunk, &check->progress.current, chunk->words - 1);
    return finish_word(check);
}

/* Reads a chunk with something wrong or a directive in it. */
static bool read_bad_chunk(pm_check *check, const check_chunk *chunk) {
    size_t directive = 0;
    check->kinds_known = false;
    for (size_t w = 0; w < chunk->words; w++) {
        check->progress.current.newlines = chunk->newlines[w];
        if (!read_brackets(check, chunk->text + w * PM_WORD_BITS, PM_WORD_BITS, chunk->brackets[w], w * PM_WORD_BITS,
                           &directive))
            return false;
    }
    return true;
}

/* Which bytes of a chunk are brackets, which are newlines; and those brackets in a row. */
static pm_status classify_chunk(pm_check *check, check_chunk *chunk) {
    const pmi_classifier *classifier = check->reader.classifier;
    check->directives.base = check->reader.lexer.position;
    check->directives.count = 0;
    for (size_t w = 0; w < chunk->words; w += PM_CHUNK_WORDS) {
        const size_t words = chunk->words - w < PM_CHUNK_WORDS ? chunk->words - w : PM_CHUNK_WORDS;
        const unsigned char *text = chunk->text + w * PM_WORD_BITS;
        const pm_status status = pmi_bracket_reader_words(&check->reader, text, words, chunk->brackets + w);
        if (status != PM_OK)
            return status;
    }
    chunk->newline_count = classifier->find('\n', chunk->text, chunk->words, chunk->newlines);
    chunk->count = classifier->pick(chunk->text, chunk->brackets, chunk->words, chunk->picked, chunk->before);
    return PM_OK;
}

/* Reads the next words <= CHECK_WORDS words; the current word is empty. */
static pm_status read_chunk(pm_check *check, const unsigned char *text, size_t words) {
    check_chunk chunk; /* not initialised: most of it is not used most of the time */
    pmi_kind_run run;
    chunk.text = text;
    chunk.words = words;
    const pm_status status = classify_chunk(check, &chunk);
    if (status != PM_OK)
        return status;
    note_cut(check, &chunk);
    check->progress.found.brackets += chunk.count;
    if (check->directives.count > 0 || check->readings.skipped)
        return read_bad_chunk(check, &chunk) ? PM_OK : PM_OUT_OF_MEMORY;
    prepare_kinds(check, chunk.count);
    const bool good = pmi_kind_stack_run(&check->kinds, check->alphabet.role, chunk.picked, chunk.count, &run);
    return (good ? read_good_chunk(check, &chunk, &run) : read_bad_chunk(check, &chunk)) ? PM_OK : PM_OUT_OF_MEMORY;
}

/* ---- Chunks of records ---- */

/* The separators of a chunk; NULL: one of them is in a string. */
static const uint64_t *find_separators(const pm_check *check, const check_chunk *chunk, uint64_t masks[CHECK_WORDS]) {
    const uint64_t *separators = chunk->newlines;
    uint64_t hidden = 0;
    if (check->separator != '\n') {
        check->reader.classifier->find((unsigned char)check->separator, chunk->text, chunk->words, masks);
        separators = masks;
    }
    for (size_t w = 0; w < chunk->words; w++)
        hidden |= separators[w] & ~chunk->brackets[w];
    return hidden == 0 ? separators : NULL;
}

/* The records that begin with each separator; the current word is the chunk's first. */
static size_t count_records(const pm_check *check, const uint64_t *separators, size_t words) {
    if (check->separator != PM_RECORDS_RS)
        return check->reader.classifier->count(separators, words);
    size_t count = 0; /* of records that are not empty */
    uint64_t before = check->progress.record_begin == pmi_text_word_offset(&check->progress.current);
    for (size_t w = 0; w < words; w++) {
        count += pmi_bits_count(separators[w] & ~(separators[w] << 1 | before));
        before = separators[w] >> (PM_WORD_BITS - 1);
    }
    return count;
}

/* Reads a chunk all of whose records are good, or end badly before its first separator. */
static bool read_good_records(pm_check *check, const check_chunk *chunk, const pmi_kind_run *run,
                              const uint64_t *separators) {
    size_t w = chunk->words;
    while (w > 0 && separators[w - 1] == 0)
        w--;
    if (w > 0) {
        count_if_bad(check);
        check->progress.found.records += count_records(check, separators, chunk->words);
        check->progress.record_begin =
            (check->progress.current.index + w - 1) * PM_WORD_BITS + pmi_bits_highest(separators[w - 1]) + 1;
    }
    return read_good_chunk(check, chunk, run);
}

/* As read_chunk(), with marked separators. *hidden: one of them is in a string, and nothing was read. */
static pm_status read_marked_chunk(pm_check *check, const unsigned char *text, size_t words, bool *hidden) {
    check_chunk chunk;
    pmi_kind_run run;
    uint64_t masks[CHECK_WORDS];
    const pmi_lexer before = check->reader.lexer;
    chunk.text = text;
    chunk.words = words;
    const pm_status status = classify_chunk(check, &chunk);
    if (status != PM_OK)
        return status;
    const uint64_t *const separators = find_separators(check, &chunk, masks);
    *hidden = !separators;
    if (*hidden) {
        check->reader.lexer = before;
        return PM_OK;
    }
    note_cut(check, &chunk);
    check->progress.found.brackets += chunk.count - check->reader.classifier->count(separators, words);
    prepare_kinds(check, chunk.count);
    const bool good = pmi_kind_stack_run_records(&check->kinds, check->alphabet.role, chunk.picked, chunk.count, &run);
    return (good ? read_good_records(check, &chunk, &run, separators) : read_bad_chunk(check, &chunk))
               ? PM_OK
               : PM_OUT_OF_MEMORY;
}

pm_status pmi_check_read_marked(pm_check *check, const unsigned char *text, size_t n, size_t *done) {
    bool hidden = false;
    for (*done = 0; check->progress.filled == 0 && n - *done >= PM_WORD_BITS;) {
        const size_t left = n - *done, words = left < CHECK_BYTES ? left / PM_WORD_BITS : CHECK_WORDS;
        const pm_status status = read_marked_chunk(check, text + *done, words, &hidden);
        if (status != PM_OK || hidden)
            return status;
        *done += words * PM_WORD_BITS;
    }
    return PM_OK;
}

bool pmi_check_skip(pm_check *check, unsigned char byte) {
    check->progress.current.newlines |= (uint64_t)(byte == '\n') << check->progress.filled;
    check->reader.lexer.position++;
    return ++check->progress.filled < PM_WORD_BITS || finish_word(check);
}

/* ---- Pushes ---- */

pm_status pmi_check_read(pm_check *check, const unsigned char *bytes, size_t n) {
    for (size_t done = 0, length; done < n && check->failure == PM_OK; done += length) {
        const size_t left = n - done, room = PM_WORD_BITS - check->progress.filled;
        if (check->progress.filled > 0 || left < PM_WORD_BITS) {
            length = left < room ? left : room;
            check->failure = read_piece(check, bytes + done, length);
        } else {
            const size_t words = left < CHECK_BYTES ? left / PM_WORD_BITS : CHECK_WORDS;
            length = words * PM_WORD_BITS;
            check->failure = read_chunk(check, bytes + done, words);
        }
    }
    return check->failure;
}

pm_status pm_check_push(pm_check *check, const char *text, size_t n) {
    if (!check || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    const unsigned char *const bytes = (const unsigned char *)text;
    if (check->separator != PM_RECORDS_NONE)
        return pmi_check_push_records(check, bytes, n);
    if (check->delimiters.pairs)
        return pmi_check_push_delimiters(check, bytes, n);
    const unsigned threads = n < PM_CHECK_SLICES_MIN * PM_CHECK_SLICE_BYTES
                                 ? 1
                                 : pmi_threads_paying(n, PM_CHECK_SLICE_BYTES, check->threads);
    return pmi_check_read_slices(check, bytes, n, PM_CHECK_SLICE_BYTES, threads);
}

/* ---- The end */

/* Reports what no reading closes. */
static void report_lost(pm_check *check) {
    for (const pmi_reading *open = pmi_readings_finish(&check->readings); open; open = open->next) {
        check->progress.found.unmatched.open++;
        report_open(check, open->at, open->kind);
    }
}

bool pmi_check_end_brackets(pm_check *check) {
    const bool branched = check->readings.groups.bottom || check->readings.entries.bottom;
    if (pmi_readings_empty(&check->readings))
        end_opens(check);
    else if (!pmi_check_settle(check))
        return false;
    else
        report_lost(check);
    if (branched)
        pmi_readings_clear(&check->readings);
    return true;
}

void pmi_check_end_strings(pm_check *check) {
    uint64_t offset;
    char byte;
    if (pmi_lexer_inside(&check->reader.lexer, &offset, &byte)) {
        check->progress.found.unterminated++;
        report(check, &check->progress.cut);
    }
    pmi_lexer_restart(&check->reader.lexer);
}

static void count_bytes_and_lines(pm_check *check) {
    const pm_place end = pmi_text_word_place(&check->progress.current, check->progress.filled);
    check->progress.found.bytes = end.offset;
    check->progress.found.lines = end.line - 1 + (end.column > 1);
}

pm_status pm_check_text(pm_check *check, const char *text, size_t n, pm_check_summary *summary) {
    if (!check || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (check->delimiters.pairs && check->separator == PM_RECORDS_NONE)
        return pmi_check_finish_delimiters(check, (const unsigned char *)text, n, summary);
    pm_check_push(check, text, n); /* of which the finish returns a failure */
    return pm_check_finish(check, summary);
}

pm_status pm_check_finish(pm_check *check, pm_check_summary *summary) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    if (check->delimiters.pairs)
        return pmi_check_finish_delimiters(check, NULL, 0, summary);
    pm_status status = check->failure;
    if (status == PM_OK && !pmi_check_end_brackets(check))
        status = PM_OUT_OF_MEMORY;
    if (status == PM_OK) {
        count_bytes_and_lines(check);
        pmi_check_end_strings(check);
        const uint64_t end = check->progress.found.bytes;
        if (pmi_check_has_records(check) && end > check->progress.record_begin)
            pmi_check_count_record(check, end, end);
        if (summary)
            *summary = check->progress.found;
    }
    pmi_check_reset(check);
    return status;
}
