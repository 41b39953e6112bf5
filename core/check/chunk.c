/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading in bulk: whole words of 64 bytes, up to a chunk at once. Are all its brackets as they should be, which can be
 * told fast, then only what it closes and what it leaves open matters to the stack. A chunk in which something is
 * wrong, or a directive chooses a branch, is read bracket by bracket (core/check/brackets.c).
 */
#include "core/check/parts.h"

_Static_assert(PM_CHECK_BYTES <= PM_RUN_MAX, "a chunk may be brackets alone");
_Static_assert(PM_CHECK_WORDS <= PM_PICK_WORDS && PM_PACK_WORDS <= PM_PICK_WORDS, "a chunk is picked at once");
_Static_assert(PM_CHECK_BYTES <= PM_RUN_MAX && PM_CHECK_WORDS <= PM_PACK_WORDS, "arrays do for both sorts of chunks");
_Static_assert(PM_CHECK_BYTES / 4 < PM_DIRECTIVES_MAX, "all directives of a chunk are noted");

typedef struct check_chunk {
    const unsigned char *text;
    size_t words;
    uint64_t index; /* of its first word in the text */
    size_t count;   /* of its brackets */
    uint64_t brackets[PM_PACK_WORDS], newlines[PM_PACK_WORDS];
    uint16_t before[PM_PACK_WORDS];           /* brackets before each word, */
    uint16_t lines_before[PM_PACK_WORDS + 1]; /* and newlines */
    bool packed;                              /* by the reader; else bytes are picked */
    unsigned char picked[PM_RUN_MAX + PM_PICK_SLACK];
} check_chunk;

/* Goes from one of the chunk's words on to the w-th, w <= words; without opens. */
static void chunk_walk(const check_chunk *chunk, pmi_text_word *word, size_t w) {
    const uint64_t index = chunk->index;
    const size_t first = (size_t)(word->index - index);
    const unsigned lines = chunk->lines_before[w] - chunk->lines_before[first];
    if (lines > 0) {
        size_t k = w;
        while (chunk->newlines[k - 1] == 0)
            k--;
        word->line += lines;
        word->line_start = (index + k) * PM_WORD_BITS - PM_WORD_BITS + pmi_bits_highest(chunk->newlines[k - 1]) + 1;
    }
    word->index = (index + w) & PM_TEXT_WORD_INDEX_MAX;
    word->newlines = w < chunk->words ? chunk->newlines[w] : 0;
    word->opens = word->kind[0] = word->kind[1] = 0;
}

/* Notes where the string or comment began that the chunk ends in. */
static void note_cut(pm_check *check, const check_chunk *chunk) {
    uint64_t cut;
    if (!pmi_check_cut_begins(check, &cut))
        return;
    pmi_text_word word = check->progress.previous;
    if (cut >= pmi_text_word_offset(&check->progress.current)) {
        word = check->progress.current;
        chunk_walk(chunk, &word, (size_t)(cut / PM_WORD_BITS - word.index));
    }
    check->progress.cut.at = pmi_text_word_place(&word, cut % PM_WORD_BITS);
}

/* Fills the stack of kinds from the stack of opens, if it cannot take the chunk as it is. */
static void prepare_kinds(pm_check *check, size_t count) {
    if (check->kinds_known && pmi_kind_stack_suffices(&check->kinds, count))
        return;
    const size_t needed = check->progress.depth < count ? (size_t)check->progress.depth : count;
    if (check->kinds_known && check->kinds.held >= needed) {
        pmi_kind_stack_keep(&check->kinds, needed);
        return;
    }
    pmi_bracket_stack_kinds(&check->opens, needed,
                            pmi_kind_stack_fill(&check->kinds, needed, needed == check->progress.depth));
    check->kinds_known = true;
}

/* Takes brackets of the chunk that are picked, if each close fits. */
static bool run_kinds(pm_check *check, const check_chunk *chunk, size_t first, size_t count, pmi_kind_run *run) {
    return pmi_kind_stack_run_fast(&check->kinds, check->reader.classifier, check->alphabet.role, chunk->picked + first,
                                   count, run);
}

/* Does a run that fits close nothing that was open before a pending #if? */
static bool run_stays_inside(const pm_check *check, const pmi_kind_run *run) {
    return run->closed <= check->progress.depth - check->pending.depth;
}

/* Takes all brackets of the chunk, if each close fits, and nothing is open before a marked separator. */
static bool run_all_kinds(pm_check *check, const check_chunk *chunk, pmi_kind_run *run) {
    const pmi_classifier *const classifier = check->reader.classifier;
    if (chunk->packed)
        return pmi_kind_stack_run_packed(&check->kinds, classifier, chunk->picked, chunk->count, check->marked, run);
    if (check->marked)
        return pmi_kind_stack_run_records(&check->kinds, classifier, check->alphabet.role, chunk->picked, chunk->count,
                                          run);
    return run_kinds(check, chunk, 0, chunk->count, run);
}

/* Adds the opens to the w-th word that are there, from survivor k on; the brackets of the run are the chunk's from the
 * `first` on. Returns the survivor behind them. */
static inline size_t add_survivors(const pm_check *check, const check_chunk *chunk, const pmi_kind_run *run,
                                   size_t first, size_t k, size_t w, pmi_text_word *word) {
    const size_t next = w + 1 < chunk->words ? chunk->before[w + 1] : chunk->count;
    uint64_t rest = chunk->brackets[w]; /* from rank on */
    size_t rank = chunk->before[w];
    unsigned kind;
    if (rest == UINT64_MAX && rank == first + pmi_kind_stack_survivor(&check->kinds, run, k, &kind) &&
        pmi_kind_stack_survivor_word(&check->kinds, run, k, word->kind)) {
        word->opens = UINT64_MAX;
        return k + PM_WORD_BITS;
    }
    for (; k < run->survivors; k++) {
        const size_t bracket = first + pmi_kind_stack_survivor(&check->kinds, run, k, &kind);
        if (bracket >= next)
            break;
        for (; rank < bracket; rank++)
            rest &= rest - 1;
        pmi_text_word_add(word, pmi_bits_lowest(rest), kind);
    }
    return k;
}

#define STRIDE 16 /* words */

/* The word that has a bracket, which is the w-th or a later one. What outlives a chunk is often far apart, so words are
 * passed many at a time. */
static size_t word_of_rank(const check_chunk *chunk, size_t rank, size_t w) {
    while (w + STRIDE < chunk->words && chunk->before[w + STRIDE] <= rank)
        w += STRIDE;
    while (w + 1 < chunk->words && chunk->before[w + 1] <= rank)
        w++;
    return w;
}

/* Puts away the opens that the brackets from the `first` on leave open; none of them is before the current word. */
static bool push_survivors(pm_check *check, const check_chunk *chunk, const pmi_kind_run *run, size_t first) {
    pmi_text_word word = check->progress.current;
    size_t w = (size_t)(word.index - chunk->index);
    for (size_t k = 0; k < run->survivors;) {
        unsigned kind;
        const size_t bracket = first + pmi_kind_stack_survivor(&check->kinds, run, k, &kind);
        w = word_of_rank(chunk, bracket, w);
        if (!pmi_bracket_stack_push(&check->opens, &word))
            return false;
        chunk_walk(chunk, &word, w);
        k = add_survivors(check, chunk, run, first, k, w, &word);
    }
    return pmi_bracket_stack_push(&check->opens, &word);
}

/* Reads brackets whose closes all close an open of their kind. */
static bool read_good_run(pm_check *check, const check_chunk *chunk, const pmi_kind_run *run, size_t first) {
    pmi_check_note_depth(check, check->progress.depth + run->rise);
    check->progress.depth = check->progress.depth - run->closed + run->survivors;
    pmi_bracket_stack_pop(&check->opens, run->closed);
    return push_survivors(check, chunk, run, first);
}

/* Reads the rest of the chunk, in which no bracket is left. */
static bool finish_chunk(pm_check *check, const check_chunk *chunk) {
    if (!pmi_bracket_stack_push(&check->opens, &check->progress.current))
        return false;
    chunk_walk(chunk, &check->progress.current, chunk->words - 1);
    return pmi_check_finish_word(check);
}

/* Reads a chunk whose closes all close an open of their kind. */
static bool read_good_chunk(pm_check *check, const check_chunk *chunk, const pmi_kind_run *run) {
    return read_good_run(check, chunk, run, 0) && finish_chunk(check, chunk);
}

/* Makes the w-th word of the chunk the current one, which is no later one yet. */
static bool go_to_word(pm_check *check, const check_chunk *chunk, size_t w) {
    pmi_text_word *const current = &check->progress.current;
    if (current->index == chunk->index + w && current->newlines == chunk->newlines[w])
        return true;
    if (!pmi_bracket_stack_push(&check->opens, current))
        return false;
    chunk_walk(chunk, current, w);
    return true;
}

/* Reads the brackets before byte `end` that are not before byte `from`, one by one. */
static bool read_one_by_one(pm_check *check, const check_chunk *chunk, size_t from, size_t end) {
    check->kinds_known = false;
    for (size_t w = from / PM_WORD_BITS; w * PM_WORD_BITS < end; w++) {
        const size_t base = w * PM_WORD_BITS;
        uint64_t brackets = chunk->brackets[w];
        if (base < from)
            brackets &= ~pmi_bits_low((unsigned)(from - base));
        if (end - base < PM_WORD_BITS)
            brackets &= pmi_bits_low((unsigned)(end - base));
        if (brackets == 0)
            continue;
        if (!go_to_word(check, chunk, w))
            return false;
        pmi_check_read_some(check, chunk->text + base, brackets);
    }
    return true;
}

/* How many brackets are before a byte of the chunk? */
static size_t rank_of(const check_chunk *chunk, size_t byte) {
    const size_t w = byte / PM_WORD_BITS;
    return w == chunk->words
               ? chunk->count
               : chunk->before[w] + pmi_bits_count(chunk->brackets[w] & pmi_bits_low(byte % PM_WORD_BITS));
}

/* Puts the opens of the current word away, as reading in bulk leaves it. */
static bool put_opens_away(pm_check *check) {
    pmi_text_word *const current = &check->progress.current;
    if (!pmi_bracket_stack_push(&check->opens, current))
        return false;
    current->opens = current->kind[0] = current->kind[1] = 0;
    return true;
}

/* Reads `count` brackets from the chunk's first-th on, none of which is before byte `from`, if each close fits. *read:
 * they do, and are read. */
static bool read_bulk(pm_check *check, const check_chunk *chunk, size_t from, size_t first, size_t count, bool *read) {
    pmi_kind_run run;
    *read = true;
    if (count == 0)
        return true;
    if (!put_opens_away(check))
        return false;
    prepare_kinds(check, count);
    *read = run_kinds(check, chunk, first, count, &run) && run_stays_inside(check, &run);
    if (!*read)
        return true;
    if (run.survivors > 0 && !go_to_word(check, chunk, from / PM_WORD_BITS))
        return false;
    return read_good_run(check, chunk, &run, first);
}

#define WORTH_BULK 8 /* brackets */

/* Reads the brackets between two bytes: in bulk, or one by one if a close does not fit, or if they are few. */
static bool read_some_way(pm_check *check, const check_chunk *chunk, size_t from, size_t end) {
    const size_t first = rank_of(chunk, from), count = rank_of(chunk, end) - first;
    bool read = false;
    if (count >= WORTH_BULK && !read_bulk(check, chunk, from, first, count, &read))
        return false;
    return read || (read_one_by_one(check, chunk, from, end) && put_opens_away(check));
}

/* The place of a bracket, whose word is the w-th or a later one. */
static size_t place_of_rank(const check_chunk *chunk, size_t rank, size_t w) {
    w = word_of_rank(chunk, rank, w);
    uint64_t brackets = chunk->brackets[w];
    for (size_t k = chunk->before[w]; k < rank; k++)
        brackets &= brackets - 1;
    return w * PM_WORD_BITS + pmi_bits_lowest(brackets);
}

/* Closes in a row, of which the first closes what was open at the last directive. */
typedef struct far_closes {
    size_t from, end; /* of `end` each if there are none */
} far_closes;

/* The first ones that are not before byte `from`. */
static far_closes find_far_closes(const pm_check *check, const check_chunk *chunk, size_t from, size_t end) {
    const size_t count = rank_of(chunk, end);
    size_t rank = rank_of(chunk, from);
    for (uint64_t depth = check->progress.depth; rank < count; rank++) {
        const bool open = pmi_role_is_open(check->alphabet.role[chunk->picked[rank]]);
        if (!open && depth == 0)
            break;
        depth += open ? 1 : UINT64_MAX;
    }
    if (rank == count)
        return (far_closes){end, end};
    const size_t first = place_of_rank(chunk, rank, from / PM_WORD_BITS);
    while (rank < count && !pmi_role_is_open(check->alphabet.role[chunk->picked[rank]]))
        rank++;
    return (far_closes){first, rank < count ? place_of_rank(chunk, rank, first / PM_WORD_BITS) : end};
}

/* A place in a chunk: a byte, and how many brackets are before it. */
typedef struct chunk_place {
    size_t byte, rank;
} chunk_place;

static chunk_place chunk_end(const check_chunk *chunk) {
    return (chunk_place){chunk->words * PM_WORD_BITS, chunk->count};
}

/* Reads the brackets between two places: in bulk, except for those that are not as they should be and for closes of
 * what was open at the last directive. */
static bool read_part(pm_check *check, const check_chunk *chunk, chunk_place begin, chunk_place behind) {
    const size_t count = behind.rank - begin.rank, end = behind.byte;
    size_t from = begin.byte;
    bool read;
    if (count == 0 || check->readings.skipped)
        return true;
    if (count < WORTH_BULK)
        return read_one_by_one(check, chunk, from, end);
    if (!read_bulk(check, chunk, from, begin.rank, count, &read) || (!read && !pmi_check_unfold(check)))
        return false;
    while (!read) {
        const far_closes closes = find_far_closes(check, chunk, from, end);
        check->kinds_known = false;
        if (!read_some_way(check, chunk, from, closes.from) ||
            !(read_one_by_one(check, chunk, closes.from, closes.end) && put_opens_away(check)))
            return false;
        read = closes.end == end;
        from = closes.end;
    }
    return true;
}

/* Do brackets of the chunk close all that they open, and nothing else? By a stack of their own, as they are few, and
 * check->kinds is wanted for what follows. */
static bool part_balances(const pm_check *check, const check_chunk *chunk, size_t first, size_t count) {
    uint8_t kinds[PM_RUN_MAX + 2]; /* kinds[level]: of the open there */
    size_t level = 0;
    unsigned differences = 0;
    if (count % 2 > 0)
        return false;
    kinds[0] = UINT8_MAX;
    for (size_t k = first; k < first + count && differences == 0; k++) {
        const uint8_t role = check->alphabet.role[chunk->picked[k]], kind = (uint8_t)pmi_role_kind(role);
        const bool open = pmi_role_is_open(role);
        kinds[level + 1] = kind;
        differences |= kinds[level + open] ^ kind; /* of an open: from itself */
        level += open ? 1 : SIZE_MAX;
    }
    return differences == 0 && level == 0;
}

/* An #if that is not closed yet, by its number in the chunk. */
typedef struct open_if {
    uint16_t number;
    bool balanced; /* so far */
} open_if;

/* Of each #if whose branches all balance: the number of its #endif; of other directives 0. Whichever branch of it is
 * taken, what is open stays the same. Stores, too, how many brackets are before each directive. */
static void find_balanced_ifs(pm_check *check, const check_chunk *chunk, uint16_t *end_of, uint16_t *ranks) {
    const pmi_directives *const directives = &check->directives;
    open_if open[PM_DIRECTIVES_MAX];
    size_t count = 0;
    for (size_t d = 0; d < directives->count; d++) {
        const pmi_directive what = (pmi_directive)(directives->list[d] & 7);
        end_of[d] = 0;
        ranks[d] = (uint16_t)rank_of(chunk, directives->list[d] >> 3);
        if (count > 0 && open[count - 1].balanced && ranks[d] != ranks[d - 1])
            open[count - 1].balanced = part_balances(check, chunk, ranks[d - 1], ranks[d] - ranks[d - 1]);
        if (what <= PM_DIRECTIVE_IF_ZERO) {
            open[count++] = (open_if){(uint16_t)d, what == PM_DIRECTIVE_IF};
        } else if (what == PM_DIRECTIVE_END && count > 0) {
            const open_if closed = open[--count];
            if (closed.balanced)
                end_of[closed.number] = (uint16_t)d;
            else if (count > 0)
                open[count - 1].balanced = false;
        }
    }
}

/* Reads a chunk in which directives choose branches. Conditionals that balance are read as if they were none. */
static bool read_directed_chunk(pm_check *check, const check_chunk *chunk) {
    const pmi_directives *const directives = &check->directives;
    uint16_t end_of[PM_DIRECTIVES_MAX], ranks[PM_DIRECTIVES_MAX];
    chunk_place from = {0, 0};
    find_balanced_ifs(check, chunk, end_of, ranks);
    for (size_t d = 0; d < directives->count; d++) {
        if (end_of[d] > 0) {
            d = end_of[d];
            continue;
        }
        const chunk_place at = {directives->list[d] >> 3, ranks[d]};
        if (!read_part(check, chunk, from, at) ||
            !pmi_check_direct_lazily(check, (pmi_directive)(directives->list[d] & 7)))
            return false;
        from = at;
    }
    return read_part(check, chunk, from, chunk_end(chunk)) && finish_chunk(check, chunk);
}

/* Is it enough to count faults, of opens that all are known? */
static bool only_counts(const pm_check *check) {
    return check->progress.muted && !check->marked && !check->effect && check->pending.count == 0 &&
           check->readings.now.count == 1 && !check->readings.now.top[0];
}

/* Picks the brackets of a chunk that are packed. */
static void unpack_chunk(const pm_check *check, check_chunk *chunk) {
    if (chunk->packed)
        check->reader.classifier->pick(chunk->text, chunk->brackets, chunk->words, chunk->picked, chunk->before);
    chunk->packed = false;
}

/* Reads a chunk of whose faults only the number matters. */
static bool count_bad_chunk(pm_check *check, check_chunk *chunk) {
    pmi_kind_run run;
    pmi_kind_faults faults;
    unpack_chunk(check, chunk);
    prepare_kinds(check, chunk->count);
    pmi_kind_stack_run_faulty(&check->kinds, check->alphabet.role, chunk->picked, chunk->count, &run, &faults);
    check->progress.found.unmatched.close += faults.unmatched;
    check->progress.found.mismatched += faults.mismatched;
    check->faulty = faults.unmatched + faults.mismatched > 0;
    return read_good_chunk(check, chunk, &run);
}

/* Reads a chunk with something wrong in it. To a slice that is mostly closes of what is open before it. */
static bool read_bad_chunk(pm_check *check, check_chunk *chunk) {
    check->kinds_known = false;
    if (only_counts(check))
        return count_bad_chunk(check, chunk);
    if (check->effect) {
        unpack_chunk(check, chunk);
        return read_part(check, chunk, (chunk_place){0, 0}, chunk_end(chunk)) && finish_chunk(check, chunk);
    }
    return read_one_by_one(check, chunk, 0, chunk->words * PM_WORD_BITS) && finish_chunk(check, chunk);
}

/* Which bytes of a chunk are brackets, which are newlines; and those brackets in a row. */
static pm_status classify_chunk(pm_check *check, check_chunk *chunk) {
    const pmi_classifier *classifier = check->reader.classifier;
    chunk->packed = false;
    const size_t most = pmi_bracket_reader_most(&check->reader);
    for (size_t w = 0; w < chunk->words; w += most) {
        const size_t words = chunk->words - w < most ? chunk->words - w : most;
        const unsigned char *text = chunk->text + w * PM_WORD_BITS;
        const pm_status status = pmi_bracket_reader_words(&check->reader, text, words, chunk->brackets + w);
        if (status != PM_OK)
            return status;
    }
    classifier->find('\n', chunk->text, chunk->words, chunk->newlines, chunk->lines_before);
    chunk->count = classifier->pick(chunk->text, chunk->brackets, chunk->words, chunk->picked, chunk->before);
    return PM_OK;
}

/* The same where the reader packs brackets, of fewer words if there are very many. */
static void pack_chunk(pm_check *check, check_chunk *chunk) {
    pmi_unquoted_found found = {.brackets = chunk->brackets,
                                .newlines = chunk->newlines,
                                .before = chunk->before,
                                .lines_before = chunk->lines_before,
                                .packed = chunk->picked};
    chunk->packed = true;
    chunk->count = pmi_bracket_reader_pack(&check->reader, chunk->text, &chunk->words, PM_RUN_MAX, &found);
}

/* Begins a chunk of some of n bytes; with separators fewer, since one bad record has all of them read again. */
static pm_status begin_chunk(pm_check *check, const unsigned char *text, size_t n, check_chunk *chunk) {
    const size_t most = check->reader.packs && !check->marked ? PM_PACK_WORDS : PM_CHECK_WORDS,
                 words = n / PM_WORD_BITS;
    chunk->text = text;
    chunk->words = words < most ? words : most;
    chunk->index = check->progress.current.index;
    check->directives.base = check->reader.lexer.position;
    check->directives.count = 0;
    if (!check->reader.packs)
        return classify_chunk(check, chunk);
    pack_chunk(check, chunk);
    return PM_OK;
}

pm_status pmi_check_read_chunk(pm_check *check, const unsigned char *text, size_t n, size_t *done) {
    check_chunk chunk; /* not initialised: most of it is not used most of the time */
    pmi_kind_run run;
    const pm_status status = begin_chunk(check, text, n, &chunk);
    *done = chunk.words * PM_WORD_BITS;
    if (status != PM_OK)
        return status;
    note_cut(check, &chunk);
    check->progress.found.brackets += chunk.count;
    if (check->directives.count > 0 || check->readings.skipped)
        return read_directed_chunk(check, &chunk) ? PM_OK : PM_OUT_OF_MEMORY;
    if (check->faulty && only_counts(check))
        return count_bad_chunk(check, &chunk) ? PM_OK : PM_OUT_OF_MEMORY;
    prepare_kinds(check, chunk.count);
    if (run_all_kinds(check, &chunk, &run) && run_stays_inside(check, &run))
        return read_good_chunk(check, &chunk, &run) ? PM_OK : PM_OUT_OF_MEMORY;
    check->kinds_known = false;
    return (check->pending.count > 0 ? read_directed_chunk(check, &chunk) : read_bad_chunk(check, &chunk))
               ? PM_OK
               : PM_OUT_OF_MEMORY;
}

/* ---- Chunks of records ---- */

/* The separators of a chunk; NULL: one of them is in a string. */
static const uint64_t *find_separators(const pm_check *check, const check_chunk *chunk, uint64_t masks[PM_PACK_WORDS]) {
    const uint64_t *separators = chunk->newlines;
    uint64_t hidden = 0;
    if (check->separator != '\n') {
        check->reader.classifier->find((unsigned char)check->separator, chunk->text, chunk->words, masks, NULL);
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
        pmi_check_count_if_bad(check);
        check->progress.found.records += count_records(check, separators, chunk->words);
        check->progress.record_begin =
            (check->progress.current.index + w - 1) * PM_WORD_BITS + pmi_bits_highest(separators[w - 1]) + 1;
    }
    return read_good_chunk(check, chunk, run);
}

/* As pmi_check_read_chunk(), with marked separators. *hidden: one of them is in a string, and nothing was read. */
static pm_status read_marked_chunk(pm_check *check, const unsigned char *text, size_t n, size_t *done, bool *hidden) {
    check_chunk chunk;
    pmi_kind_run run;
    uint64_t masks[PM_PACK_WORDS];
    const pmi_lexer before = check->reader.lexer;
    const pm_status status = begin_chunk(check, text, n, &chunk);
    *done = 0;
    if (status != PM_OK)
        return status;
    const uint64_t *const separators = find_separators(check, &chunk, masks);
    *hidden = !separators;
    if (*hidden) {
        check->reader.lexer = before;
        return PM_OK;
    }
    *done = chunk.words * PM_WORD_BITS;
    note_cut(check, &chunk);
    check->progress.found.brackets += chunk.count - check->reader.classifier->count(separators, chunk.words);
    prepare_kinds(check, chunk.count);
    const bool good = run_all_kinds(check, &chunk, &run);
    return (good ? read_good_records(check, &chunk, &run, separators) : read_bad_chunk(check, &chunk))
               ? PM_OK
               : PM_OUT_OF_MEMORY;
}

pm_status pmi_check_read_marked(pm_check *check, const unsigned char *text, size_t n, size_t *done) {
    bool hidden = false;
    *done = 0;
    while (check->progress.filled == 0 && n - *done >= PM_WORD_BITS) {
        size_t length;
        const pm_status status = read_marked_chunk(check, text + *done, n - *done, &length, &hidden);
        if (status != PM_OK || hidden)
            return status;
        *done += length;
    }
    return PM_OK;
}
