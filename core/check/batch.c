/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short records, many at once: where all that they open is closed in them, nothing but counts and the lexer's place
 * changes. A batch ends before the first record that is not so simple, which is then read alone.
 */
#include "core/check/parts.h"
#include "core/context/context.h"
#include "core/records/record_batch.h"

#define BATCH_LEAST 256u      /* bytes of the batch behind a bad record; each good one doubles that */
#define DELIMITERS_LEAST 128u /* the same of languages with delimiters, where a record costs more */
#define RESTS_MOST 31u /* records that are read alone where batches begin with bad ones; each such one doubles that */

typedef struct record_batch {
    pmi_record_batch of;
    uint64_t brackets[PM_CHUNK_WORDS + 1], newlines[PM_CHUNK_WORDS + 1];
    uint16_t before[PM_CHUNK_WORDS + 1]; /* brackets before each word */
    unsigned char picked[PM_CHUNK_BYTES + PM_PICK_SLACK];
} record_batch;

static size_t brackets_before(const record_batch *batch, size_t end) {
    const size_t w = end / PM_WORD_BITS;
    return batch->before[w] + pmi_bits_count(batch->brackets[w] & pmi_bits_low(end % PM_WORD_BITS));
}

/* Makes the classes of opens. Few checks want them. */
static void find_open_classes(pm_check *check) {
    for (unsigned byte = 0; byte < 256; byte++)
        check->open_classes.of[byte] = pmi_role_is_open(check->alphabet.role[byte]);
    pmi_byte_classes_finish(&check->open_classes);
}

/* Answers ends_are_flat(), given which of the brackets are opens. */
static inline bool ends_are_flat_of(const record_batch *batch, size_t most, const uint64_t *opens) {
    uint16_t before[PM_CHUNK_WORDS + 1];
    size_t differences = 0, count = 0;
    for (size_t w = 0, words = pmi_bits_words(brackets_before(batch, batch->of.ends[most - 1])); w <= words; w++) {
        before[w] = (uint16_t)count;
        count += pmi_bits_count(opens[w]);
    }
    for (size_t r = 0; r < most; r++) {
        const size_t rank = brackets_before(batch, batch->of.ends[r]), w = rank / PM_WORD_BITS;
        differences |= rank - 2 * (before[w] + pmi_bits_count(opens[w] & pmi_bits_low(rank % PM_WORD_BITS)));
    }
    return differences == 0;
}

#ifdef __x86_64__
/* By an instruction that counts bits, as CPUs with BMI2 have it. */
__attribute__((target("popcnt"), flatten)) static bool ends_are_flat_by_bits(const record_batch *batch, size_t most,
                                                                             const uint64_t *opens) {
    return ends_are_flat_of(batch, most, opens);
}
#else
#define ends_are_flat_by_bits ends_are_flat_of
#endif

/* Are as many of the brackets opens as closes, before the end of each of the first `most` records? */
static bool ends_are_flat(pm_check *check, const record_batch *batch, size_t most) {
    const pmi_classifier *const classifier = check->reader.classifier;
    uint64_t opens[PM_CHUNK_WORDS + 1];
    const size_t words = pmi_bits_words(brackets_before(batch, batch->of.ends[most - 1]));
    if (check->open_classes.row_count == 0)
        find_open_classes(check);
    classifier->classify(&check->open_classes, 1, batch->picked, words, opens);
    opens[words] = 0;
    return (classifier->bits ? ends_are_flat_by_bits : ends_are_flat_of)(batch, most, opens);
}

/* Do all brackets of the first `most` records fit? They do if they fit in one text that nothing is open in where a
 * record ends. Stores the most that are open at once. */
static bool all_are_good(pm_check *check, const record_batch *batch, size_t most, size_t *rise) {
    const size_t count = most > 0 ? brackets_before(batch, batch->of.ends[most - 1]) : 0;
    pmi_kind_run run;
    *rise = 0;
    if (count == 0)
        return true;
    pmi_kind_stack_fill(&check->kinds, 0, true);
    if (!pmi_kind_stack_run_fast(&check->kinds, check->reader.classifier, check->alphabet.role, batch->picked, count,
                                 &run) ||
        run.survivors > 0 || !ends_are_flat(check, batch, most))
        return false;
    *rise = run.rise;
    return true;
}

/* How many of the first `most` records have brackets that all fit? Stores the most that are open at once. */
static size_t count_good(pm_check *check, const record_batch *batch, size_t most, size_t *rise) {
    pmi_kind_run run;
    if (check->batch_bytes > BATCH_LEAST && all_are_good(check, batch, most, rise))
        return most;
    *rise = 0;
    for (size_t r = 0, begin = 0, end; r < most; r++, begin = end) {
        end = brackets_before(batch, batch->of.ends[r]);
        if (begin == end)
            continue;
        pmi_kind_stack_fill(&check->kinds, 0, true);
        if (!pmi_kind_stack_run(&check->kinds, check->alphabet.role, batch->picked + begin, end - begin, &run) ||
            run.survivors > 0)
            return r;
        *rise = run.rise > *rise ? run.rise : *rise;
    }
    return most;
}

/* The records before the first directive. */
static size_t before_directives(const pm_check *check, const record_batch *batch, size_t most) {
    const pmi_directives *const directives = &check->directives;
    size_t count = directives->count > 0 ? 0 : most;
    while (count < most && batch->of.ends[count] <= directives->list[0] >> 3)
        count++;
    return count;
}

/* The newlines among the 64 bytes from `at` on, as far as they are before n. */
static uint64_t newlines_at(const record_batch *batch, size_t at, size_t n) {
    const size_t w = at / PM_WORD_BITS;
    const unsigned shift = at % PM_WORD_BITS;
    uint64_t newlines = batch->newlines[w] >> shift;
    if (shift > 0)
        newlines |= batch->newlines[w + 1] << (PM_WORD_BITS - shift);
    return n - at < PM_WORD_BITS ? newlines & pmi_bits_low((unsigned)(n - at)) : newlines;
}

/* Goes n bytes on, in which nothing is left open. Only the last two words are made: the others are needed by no one. */
static void step(pmi_check_progress *progress, const record_batch *batch, size_t n) {
    pmi_text_word word = progress->current, previous = {.run = 1};
    uint64_t newlines = word.newlines, line = word.line, line_start = word.line_start;
    uint64_t offset = pmi_text_word_offset(&word);
    unsigned filled = progress->filled;
    for (size_t done = 0; done < n;) {
        const size_t room = PM_WORD_BITS - filled;
        newlines |= newlines_at(batch, done, n) << filled;
        if (n - done < room) {
            filled += (unsigned)(n - done);
            break;
        }
        previous.newlines = newlines;
        previous.line = line;
        previous.line_start = line_start;
        if (newlines != 0) {
            line += pmi_bits_count(newlines);
            line_start = offset + pmi_bits_highest(newlines) + 1;
        }
        done += room;
        offset += PM_WORD_BITS;
        newlines = filled = 0;
    }
    if (offset != pmi_text_word_offset(&word)) {
        previous.index = (offset / PM_WORD_BITS - 1) & PM_TEXT_WORD_INDEX_MAX;
        progress->previous = previous;
        word = (pmi_text_word){.index = offset / PM_WORD_BITS & PM_TEXT_WORD_INDEX_MAX, .run = 1};
    }
    word.newlines = newlines;
    word.line = line;
    word.line_start = line_start;
    progress->current = word;
    progress->filled = filled;
}

/* The first records of the batch that count. */
static size_t count_records(const pm_check *check, const record_batch *batch, size_t good) {
    const pmi_text_records *const records = &batch->of.records;
    if (check->separator != PM_RECORDS_RS)
        return good;
    size_t count = 0; /* of records that are not empty */
    for (size_t r = 0; r < good; r++)
        count += batch->of.ends[r] > (r > 0 ? pmi_text_records_next(records, r - 1) : 0);
    return count;
}

/* Counts the first records of the batch, all of which are good. */
static void take(pm_check *check, const record_batch *batch, size_t good, size_t rise, uint64_t position) {
    const size_t n = pmi_text_records_next(&batch->of.records, good - 1);
    pmi_lexer *const lexer = &check->reader.lexer;
    lexer->position = position + n;
    pmi_lexer_restart(lexer);
    check->progress.found.brackets += brackets_before(batch, n);
    pmi_check_note_depth(check, rise);
    pmi_check_count_if_bad(check);
    check->progress.found.records += count_records(check, batch, good);
    check->progress.record_begin = position + n;
    step(&check->progress, batch, n);
}

/* Behind a batch: one that ends before a bad record has that one read alone, and more if bad ones follow each other. */
static void rest(pm_check *check, size_t good, size_t count) {
    const unsigned twice = 2 * check->batch_failures + 1;
    check->batch_failures = good > 0 ? 0 : twice < RESTS_MOST ? twice : RESTS_MOST;
    check->batch_rests = good == count ? 0 : good > 0 ? 1 : check->batch_failures;
}

/* Chooses the bytes of the next batch. */
static void next_bytes(pm_check *check, bool good, size_t least) {
    if (!good)
        check->batch_bytes = least;
    else if (check->batch_bytes < PM_RECORDS_BYTES)
        check->batch_bytes *= 2;
}

/* Reads the first records of a batch as far as they are good; stores their number. */
static pm_status read_batch(pm_check *check, record_batch *batch, size_t *good) {
    const pmi_classifier *const classifier = check->reader.classifier;
    const uint64_t position = check->reader.lexer.position;
    const size_t words = pmi_bits_words(pmi_record_batch_bytes(&batch->of));
    size_t most, rise;
    *good = 0;
    if (batch->of.records.count == 0) {
        check->batch_bytes = PM_CHUNK_BYTES;
        return PM_OK;
    }
    check->directives.base = position;
    check->directives.count = 0;
    const pm_status status =
        pmi_bracket_reader_records(&check->reader, batch->of.text, &batch->of.records, batch->brackets, &most);
    if (status != PM_OK)
        return status;
    check->kinds_known = false;
    batch->before[words] =
        (uint16_t)classifier->pick(batch->of.text, batch->brackets, words, batch->picked, batch->before);
    batch->brackets[words] = 0;
    classifier->find('\n', batch->of.text, words, batch->newlines, NULL);
    for (size_t w = 0; batch->of.replaces && w < words; w++)
        batch->newlines[w] &= ~batch->of.replaced[w];
    batch->newlines[words] = 0;
    most = before_directives(check, batch, most);
    *good = count_good(check, batch, most, &rise);
    rest(check, *good, batch->of.records.count);
    next_bytes(check, *good == batch->of.records.count, BATCH_LEAST);
    if (*good < batch->of.records.count) {
        check->reader.lexer.position = position;
        pmi_lexer_restart(&check->reader.lexer);
    }
    if (*good > 0)
        take(check, batch, *good, rise, position);
    return PM_OK;
}

/* Counts the first records of the batch, all of which are good, in a language with delimiters. */
static void take_delimiters(pm_check *check, const pmi_record_batch *batch, size_t good,
                            const pm_check_summary *of_them) {
    const uint64_t position = check->progress.end.offset;
    pm_check_summary *const found = &check->progress.found;
    found->brackets += of_them->brackets;
    found->max_depth = of_them->max_depth > found->max_depth ? of_them->max_depth : found->max_depth;
    for (size_t r = 0; r < good; r++)
        pmi_check_count_record(check, position + batch->ends[r], position + pmi_text_records_next(&batch->records, r));
    pmi_check_advance(check, batch->original, pmi_text_records_next(&batch->records, good - 1));
    check->progress.begin = check->progress.end;
}

/* As read_batch(), in such a language. */
static pm_status read_delimiters(pm_check *check, const pmi_record_batch *batch, size_t *good) {
    pm_check_summary found;
    *good = 0;
    if (batch->records.count < 2) {
        check->batch_bytes = PM_CHUNK_BYTES;
        return PM_OK;
    }
    const pm_status status =
        pmi_delimiters_check_records(&check->delimiters, batch->text, &batch->records, &found, good);
    rest(check, *good, batch->records.count);
    next_bytes(check, *good == batch->records.count, DELIMITERS_LEAST);
    if (status == PM_OK && *good > 0)
        take_delimiters(check, batch, *good, &found);
    return status;
}

/* May records be read at once? Was nothing of the first one read yet, and is it not known to be bad? */
static bool batch_begins(pm_check *check) {
    const bool inside = check->delimiters.pairs ? check->delimiters.length > 0
                                                : check->reader.lexer.position != check->progress.record_begin;
    if (inside)
        return false;
    const bool rests = check->batch_rests > 0;
    check->batch_rests -= rests;
    return !rests;
}

/* Of a batch. */
static size_t most_bytes(const pm_check *check) {
    const size_t most = check->delimiters.pairs ? pmi_delimiters_check_together(&check->delimiters) : PM_CHUNK_BYTES;
    return check->batch_bytes < most ? check->batch_bytes : most;
}

pm_status pmi_check_read_separated(pm_check *check, const unsigned char *text, size_t n, size_t *done) {
    record_batch batch; /* not initialised: most of it is not used most of the time */
    size_t good;
    *done = 0;
    if (!batch_begins(check))
        return PM_OK;
    pmi_record_batch_separated(&batch.of, pmi_simd_of(check->context)->classifier, (unsigned char)check->separator,
                               text, n < most_bytes(check) ? n : most_bytes(check));
    const pm_status status =
        check->delimiters.pairs ? read_delimiters(check, &batch.of, &good) : read_batch(check, &batch, &good);
    *done = good > 0 ? pmi_text_records_next(&batch.of.records, good - 1) : 0;
    return status;
}

pm_status pmi_check_read_listed(pm_check *check, const unsigned char *text, const uint64_t *offsets, size_t count,
                                size_t *done) {
    record_batch batch;
    *done = 0;
    if (!batch_begins(check))
        return PM_OK;
    pmi_record_batch_listed(&batch.of, text, offsets, count, most_bytes(check));
    return check->delimiters.pairs ? read_delimiters(check, &batch.of, done) : read_batch(check, &batch, done);
}
