/* SPDX-License-Identifier: Apache-2.0 */
/* pm_text_scan_records() and pm_text_brackets_records(): the tokens of every record of a text. */
#include <limits.h>
#include <string.h>

#include "base/arguments.h"
#include "base/slice.h"
#include "core/context/context.h"
#include "core/records/record_batch.h"
#include "core/tokens/bracket_output.h"
#include "core/tokens/scan.h"

/* Where a scan is. */
typedef struct record_scan {
    const pm_text_records *records;
    const unsigned char *text;
    size_t n;
    size_t at;        /* where the next record begins */
    size_t listed;    /* records of offsets that were read */
    size_t count;     /* records that count */
    uint64_t *firsts; /* all of them; may be NULL */
} record_scan;

static record_scan scan_begin(const char *text, size_t n, const pm_text_records *records, uint64_t *firsts) {
    return (record_scan){.records = records,
                         .text = (const unsigned char *)text,
                         .n = n,
                         .at = records->offsets && records->count > 0 ? (size_t)records->offsets[0] : 0,
                         .firsts = firsts};
}

static bool has_more(const record_scan *scan) {
    return scan->records->offsets ? scan->listed < scan->records->count : scan->at < scan->n;
}

static size_t record_end(const record_scan *scan) {
    if (scan->records->offsets)
        return (size_t)scan->records->offsets[scan->listed + 1];
    const unsigned char *const separator = memchr(scan->text + scan->at, scan->records->separator, scan->n - scan->at);
    return separator ? (size_t)(separator - scan->text) : scan->n;
}

static void note_first(const record_scan *scan, size_t tokens) {
    if (scan->records->firsts && scan->count <= scan->records->capacity)
        scan->records->firsts[scan->count] = tokens;
    if (scan->firsts)
        scan->firsts[scan->count] = tokens;
}

/* Notes the record that ends before byte `end`, with the tokens before it; the next one is the one behind. */
static void note_record(record_scan *scan, size_t end, size_t tokens) {
    const bool separated = !scan->records->offsets;
    if (!separated || scan->records->separator != PM_RECORDS_RS || end > scan->at) {
        note_first(scan, tokens);
        if (scan->records->begins && scan->count < scan->records->capacity)
            scan->records->begins[scan->count] = scan->at;
        scan->count++;
    }
    scan->listed++;
    scan->at = end + (separated && end < scan->n);
}

/* ---- Brackets ---- */

static void fill_batch(const record_scan *scan, const pmi_classifier *classifier, pmi_record_batch *batch) {
    const pm_text_records *const records = scan->records;
    const size_t left = scan->n - scan->at, most = left < PM_CHUNK_BYTES ? left : PM_CHUNK_BYTES;
    if (records->offsets)
        pmi_record_batch_listed(batch, scan->text, records->offsets + scan->listed, records->count - scan->listed,
                                most);
    else
        pmi_record_batch_separated(batch, classifier, (unsigned char)records->separator, scan->text + scan->at, most);
}

/* Counts the brackets before each word; `words` + 1 entries, and a word behind the last. */
static void count_before(uint64_t *brackets, size_t words, uint16_t *before) {
    size_t count = 0;
    brackets[words] = 0;
    for (size_t w = 0; w <= words; w++) {
        before[w] = (uint16_t)count;
        count += pmi_bits_count(brackets[w]);
    }
}

static pm_status read_batch(record_scan *scan, pmi_bracket_reader *reader, const pmi_record_batch *batch,
                            pmi_bracket_output *output) {
    const size_t position = scan->at, words = pmi_bits_words(pmi_record_batch_bytes(batch));
    uint64_t brackets[PM_CHUNK_WORDS + 1];
    uint16_t before[PM_CHUNK_WORDS + 1];
    size_t cut;
    const size_t first = output->count;
    const pm_status status = pmi_bracket_reader_records(reader, batch->text, &batch->records, brackets, &cut);
    if (status != PM_OK)
        return status;
    pmi_bracket_output_words(output, position, batch->text, words, brackets);
    count_before(brackets, words, before);
    for (size_t r = 0, begin = 0; r < batch->records.count; r++) {
        const size_t w = begin / PM_WORD_BITS;
        const size_t rank = before[w] + pmi_bits_count(brackets[w] & pmi_bits_low(begin % PM_WORD_BITS));
        note_record(scan, position + batch->records.ends[r], first + rank);
        begin = batch->records.ends[r];
    }
    return PM_OK;
}

/* Reads one record, which may be long. */
static pm_status read_record(record_scan *scan, pmi_bracket_reader *reader, pmi_bracket_output *output) {
    const size_t begin = scan->at, end = record_end(scan);
    note_record(scan, end, output->count);
    const pm_status status = pmi_bracket_output_read(output, reader, begin, scan->text + begin, end - begin);
    reader->lexer.position = scan->at;
    if (status == PM_OK)
        pmi_lexer_restart(&reader->lexer);
    return status;
}

/* pm_text_brackets_records(), with arguments that are right; firsts, if not NULL, has room for every record's first
 * token, and for the number of tokens. */
static pm_status brackets_by_records(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                     const char *text, size_t n, const pm_text_records *records,
                                     const pm_text_arrays *arrays, uint64_t *firsts, size_t *count,
                                     size_t *record_count) {
    const pm_allocator allocator = pm_context_allocator(context);
    record_scan scan = scan_begin(text, n, records, firsts);
    pmi_bracket_reader reader;
    pmi_record_batch batch; /* not initialised: most of it is not used most of the time */
    pm_status status = PM_OK;
    pmi_bracket_reader_init(&reader, pmi_simd_of(context)->classifier, language, alphabet, &allocator);
    pmi_bracket_output output = {.classifier = reader.classifier,
                                 .capacity = arrays->capacity,
                                 .parens = arrays->parens,
                                 .positions = arrays->positions,
                                 .kinds = (uint8_t *)arrays->kinds};
    pmi_bracket_output_init(&output, alphabet);
    while (has_more(&scan) && status == PM_OK) {
        fill_batch(&scan, reader.classifier, &batch);
        status = batch.records.count > 0 ? read_batch(&scan, &reader, &batch, &output)
                                         : read_record(&scan, &reader, &output);
    }
    note_first(&scan, output.count);
    pmi_lexer_clear(&reader.lexer);
    *count = output.count;
    *record_count = scan.count;
    return status;
}

/* ---- Delimiters ---- */

static pm_status scan_texts(record_scan *scan, pmi_token_scan *tokens, pmi_token_output *output) {
    pm_status status = PM_OK;
    while (has_more(scan) && status == PM_OK) {
        const size_t begin = scan->at, end = record_end(scan);
        note_record(scan, end, output->count);
        output->base = begin;
        if (end > begin)
            status = pmi_token_scan_text(tokens, scan->text + begin, end - begin);
    }
    note_first(scan, output->count);
    return status;
}

static pm_status delimiters_by_records(pm_context *context, const pm_language *language, const char *text, size_t n,
                                       const pm_text_records *records, const pm_text_arrays *arrays, uint64_t *firsts,
                                       size_t *count, size_t *record_count) {
    const struct pmi_delimiters *pairs;
    struct pmi_delimiters *made;
    pm_status status = pmi_delimiters_of(context, language, &pairs, &made);
    if (status != PM_OK)
        return status;
    record_scan scan = scan_begin(text, n, records, firsts);
    pmi_token_output output = {.arrays = arrays};
    pmi_token_scan tokens = {.pairs = pairs, .take = pmi_token_output_store, .user = &output};
    status = pmi_token_scan_begin(context, &tokens);
    if (status == PM_OK) {
        status = scan_texts(&scan, &tokens, &output);
        pmi_token_scan_end(&tokens);
    }
    pmi_delimiters_destroy(made);
    *count = output.count;
    *record_count = scan.count;
    return status;
}

/* ---- Both ---- */

/* The most records that a text may have. */
static size_t most_records(const char *text, size_t n, const pm_text_records *records) {
    if (records->offsets)
        return records->count;
    size_t count = 1;
    for (const char *at = text, *const end = text + n;
         at < end && (at = memchr(at, records->separator, (size_t)(end - at))) != NULL; at++)
        count++;
    return count;
}

static pm_status scan_records(pm_context *context, const pm_language *language, const char *text, size_t n,
                              const pm_text_records *records, const pm_text_arrays *arrays, uint64_t *firsts,
                              size_t *count, size_t *record_count) {
    if (pmi_language_has_delimiters(language))
        return delimiters_by_records(context, language, text, n, records, arrays, firsts, count, record_count);
    const pm_status status = brackets_by_records(context, language, pm_language_alphabet(language), text, n, records,
                                                 arrays, firsts, count, record_count);
    if (status == PM_OK)
        pmi_text_arrays_widen(arrays, *count < arrays->capacity ? *count : arrays->capacity);
    return status;
}

/* As scan_records(), and the match of each record. */
static pm_status scan_and_match(pm_context *context, const pm_language *language, const char *text, size_t n,
                                const pm_text_records *records, pm_text_arrays *arrays, size_t *count,
                                size_t *record_count) {
    const pm_allocator allocator = pm_context_allocator(context);
    uint64_t *const firsts = pmi_memory_allocate(&allocator, most_records(text, n, records) + 1, sizeof *firsts);
    uint64_t *const given = arrays->parens;
    pm_status status = firsts ? PM_OK : PM_OUT_OF_MEMORY;
    if (status == PM_OK && !given)
        status = pmi_text_arrays_add_parens(&allocator, n, arrays);
    if (status == PM_OK)
        status = scan_records(context, language, text, n, records, arrays, firsts, count, record_count);
    for (size_t r = 0; status == PM_OK && r <= *record_count; r++)
        firsts[r] = firsts[r] < arrays->capacity ? firsts[r] : arrays->capacity;
    if (status == PM_OK)
        status = pm_match_batch_auto(context, arrays->parens, firsts, *record_count, arrays->match, NULL);
    if (!given)
        pmi_memory_free(&allocator, arrays->parens);
    pmi_memory_free(&allocator, firsts);
    return status;
}

/* ---- Arguments ---- */

static bool offsets_ascend(const pm_text_records *records, size_t n) {
    for (size_t r = 0; r < records->count; r++)
        if (records->offsets[r] > records->offsets[r + 1])
            return false;
    return records->offsets[records->count] <= n;
}

static pm_status read_options(const pm_text_records *records, size_t n, pm_text_records *known) {
    if (!records)
        return PM_INVALID_ARGUMENT;
    *known = (pm_text_records){.struct_size = sizeof *known};
    const pm_status status = pmi_options_read(records, known, sizeof *known, sizeof *known);
    if (status != PM_OK)
        return status;
    const bool right =
        known->offsets ? offsets_ascend(known, n) : known->separator >= 0 && known->separator <= UCHAR_MAX;
    return right ? PM_OK : PM_INVALID_ARGUMENT;
}

pm_status pm_text_scan_records(pm_context *context, const pm_language *language, const char *text, size_t n,
                               const pm_text_records *records, const pm_text_arrays *arrays, size_t *count,
                               size_t *record_count) {
    if (!language || !count || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    pm_text_records known_records;
    pm_text_arrays known;
    size_t found, found_records;
    pm_status status = read_options(records, n, &known_records);
    if (status == PM_OK)
        status = pmi_text_arrays_read(arrays, &known);
    if (status != PM_OK)
        return status;
    status = known.match
                 ? scan_and_match(context, language, text, n, &known_records, &known, &found, &found_records)
                 : scan_records(context, language, text, n, &known_records, &known, NULL, &found, &found_records);
    if (status != PM_OK)
        return status;
    *count = found;
    if (record_count)
        *record_count = found_records;
    return PM_OK;
}

pm_status pm_text_brackets_records(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                   const char *text, size_t n, const pm_text_records *records, size_t capacity,
                                   uint64_t *parens, uint64_t *positions, uint8_t *kinds, size_t *count,
                                   size_t *record_count) {
    if (!count || (n > 0 && !text) || (!language && !alphabet) || (alphabet && !pmi_alphabet_valid(alphabet)))
        return PM_INVALID_ARGUMENT;
    pm_text_records known;
    size_t found, found_records;
    pm_status status = read_options(records, n, &known);
    if (status != PM_OK)
        return status;
    if (!language)
        language = pm_language_at(0); /* "text", which skips nothing */
    if (pmi_language_has_delimiters(language))
        return PM_UNSUPPORTED;
    const pm_text_arrays arrays = {
        .capacity = capacity, .parens = parens, .positions = positions, .kinds = (uint32_t *)(void *)kinds};
    status = brackets_by_records(context, language, alphabet ? alphabet : pm_language_alphabet(language), text, n,
                                 &known, &arrays, NULL, &found, &found_records);
    if (status != PM_OK)
        return status;
    *count = found;
    if (record_count)
        *record_count = found_records;
    return PM_OK;
}
