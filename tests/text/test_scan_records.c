/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of records against a scan of each record alone: all languages, separators and offsets, any capacity. */
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/unit.h"
#include "tests/text/code_pieces.h"

enum {
    TEXT = 9000,
    TOKENS = 2 * TEXT,
    RECORDS = TEXT + 2
};

/* What a scan stores; every array is as long as it has to be. */
typedef struct tokens {
    size_t count, records, capacity, record_capacity;
    uint64_t *parens, *positions, *begins, *firsts;
    uint32_t *lengths, *kinds, *match;
} tokens;

static tokens tokens_create(size_t capacity, size_t record_capacity) {
    return (tokens){.capacity = capacity,
                    .record_capacity = record_capacity,
                    .parens = allocate((capacity + 63) / 64, sizeof(uint64_t)),
                    .positions = allocate(capacity, sizeof(uint64_t)),
                    .lengths = allocate(capacity, sizeof(uint32_t)),
                    .kinds = allocate(capacity, sizeof(uint32_t)),
                    .match = allocate(capacity, sizeof(uint32_t)),
                    .begins = allocate(record_capacity, sizeof(uint64_t)),
                    .firsts = allocate(record_capacity + 1, sizeof(uint64_t))};
}

static void tokens_destroy(tokens *found) {
    free(found->parens);
    free(found->positions);
    free(found->lengths);
    free(found->kinds);
    free(found->match);
    free(found->begins);
    free(found->firsts);
}

static pm_text_arrays arrays_of(const tokens *found) {
    return (pm_text_arrays){.struct_size = sizeof(pm_text_arrays),
                            .capacity = found->capacity,
                            .parens = found->parens,
                            .positions = found->positions,
                            .lengths = found->lengths,
                            .kinds = found->kinds,
                            .match = found->match};
}

static bool bit_of(const uint64_t *words, size_t i) {
    return words[i / 64] >> i % 64 & 1;
}

/* Scans bytes begin ... end - 1 alone, and appends what is found. */
static void add_record(const pm_language *language, const char *text, size_t begin, size_t end, tokens *sum) {
    tokens alone = tokens_create(TOKENS, 0);
    const pm_text_arrays arrays = arrays_of(&alone);
    char *const record = allocate(end - begin, 1);
    memcpy(record, text + begin, end - begin);
    assert_ok(pm_text_scan(NULL, language, record, end - begin, &arrays, &alone.count));
    sum->begins[sum->records] = begin;
    sum->firsts[sum->records++] = sum->count;
    for (size_t k = 0; k < alone.count; k++, sum->count++) {
        const size_t to = sum->count;
        sum->parens[to / 64] |= (uint64_t)bit_of(alone.parens, k) << to % 64;
        sum->positions[to] = begin + alone.positions[k];
        sum->lengths[to] = alone.lengths[k];
        sum->kinds[to] = alone.kinds[k];
        sum->match[to] = alone.match[k];
    }
    sum->firsts[sum->records] = sum->count;
    free(record);
    tokens_destroy(&alone);
}

static tokens by_definition(const pm_language *language, const char *text, size_t n, const pm_text_records *records) {
    tokens sum = tokens_create(TOKENS, RECORDS);
    sum.firsts[0] = 0;
    memset(sum.parens, 0, TOKENS / 64 * sizeof *sum.parens);
    for (size_t r = 0; records->offsets && r < records->count; r++)
        add_record(language, text, (size_t)records->offsets[r], (size_t)records->offsets[r + 1], &sum);
    for (size_t begin = 0, end = 0; !records->offsets && begin < n; begin = ++end) {
        while (end < n && (unsigned char)text[end] != (unsigned)records->separator)
            end++;
        if (end > begin || records->separator != PM_RECORDS_RS)
            add_record(language, text, begin, end, &sum);
    }
    return sum;
}

static void assert_tokens(const tokens *found, const tokens *expected) {
    const size_t stored = found->capacity < expected->count ? found->capacity : expected->count;
    const size_t records = found->record_capacity < expected->records ? found->record_capacity : expected->records;
    assert_int_equal(found->count, expected->count);
    assert_int_equal(found->records, expected->records);
    for (size_t k = 0; k < stored; k++)
        assert_int_equal(bit_of(found->parens, k), bit_of(expected->parens, k));
    if (stored % 64 > 0)
        assert_int_equal(found->parens[stored / 64] >> stored % 64, 0);
    assert_memory_equal(found->positions, expected->positions, stored * sizeof *found->positions);
    assert_memory_equal(found->lengths, expected->lengths, stored * sizeof *found->lengths);
    assert_memory_equal(found->kinds, expected->kinds, stored * sizeof *found->kinds);
    assert_memory_equal(found->begins, expected->begins, records * sizeof *found->begins);
    assert_memory_equal(found->firsts, expected->firsts, (records + 1) * sizeof *found->firsts);
    if (stored == expected->count)
        assert_memory_equal(found->match, expected->match, stored * sizeof *found->match);
}

static void verify_capacity(const pm_language *language, const char *text, size_t n, pm_text_records records,
                            const tokens *expected, size_t capacity, size_t record_capacity) {
    tokens found = tokens_create(capacity, record_capacity);
    pm_text_arrays arrays = arrays_of(&found);
    records.capacity = record_capacity;
    records.begins = found.begins;
    records.firsts = found.firsts;
    assert_ok(pm_text_scan_records(NULL, language, text, n, &records, &arrays, &found.count, &found.records));
    assert_tokens(&found, expected);
    arrays.parens = arrays.positions = NULL; /* the match alone */
    arrays.lengths = arrays.kinds = NULL;
    records.begins = records.firsts = NULL;
    memset(found.match, 0, capacity * sizeof *found.match);
    assert_ok(pm_text_scan_records(NULL, language, text, n, &records, &arrays, &found.count, NULL));
    assert_tokens(&found, expected);
    tokens_destroy(&found);
}

/* pm_text_brackets_records() finds the same. */
static void verify_brackets(const pm_language *language, const char *text, size_t n, pm_text_records records,
                            const tokens *expected) {
    tokens found = tokens_create(expected->count, expected->records);
    uint8_t *const kinds = allocate(expected->count, 1);
    records.capacity = expected->records;
    records.begins = found.begins;
    records.firsts = found.firsts;
    assert_ok(pm_text_brackets_records(NULL, language, NULL, text, n, &records, expected->count, found.parens,
                                       found.positions, kinds, &found.count, &found.records));
    for (size_t k = 0; k < expected->count; k++) {
        found.kinds[k] = kinds[k];
        found.lengths[k] = 1;
        found.match[k] = expected->match[k];
    }
    assert_tokens(&found, expected);
    free(kinds);
    tokens_destroy(&found);
}

static void verify(const pm_language *language, const char *text, size_t n, const pm_text_records *records) {
    tokens expected = by_definition(language, text, n, records);
    const size_t count = expected.count, found = expected.records;
    verify_capacity(language, text, n, *records, &expected, count, found);
    verify_capacity(language, text, n, *records, &expected, count + 70, found + 3);
    verify_capacity(language, text, n, *records, &expected, count / 2, found / 2);
    verify_capacity(language, text, n, *records, &expected, 0, 0);
    if (pm_language_alphabet(language))
        verify_brackets(language, text, n, *records, &expected);
    tokens_destroy(&expected);
}

TEST(test_records_by_hand) {
    static const char *const texts[] = {"",
                                        "\n",
                                        "[1]\n",
                                        "[1]\n[2",
                                        "([\n)]\n\n\n()",
                                        "\"(\n)\n",
                                        "//(\n)/*\n)",
                                        "<a><b>\n</b></a>\n",
                                        "<ul><li>\n<li>"};
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        for (size_t l = 0; l < pm_language_count(); l++) {
            const pm_text_records lines = {.struct_size = sizeof lines, .separator = PM_RECORDS_NEWLINE},
                                  rs = {.struct_size = sizeof rs, .separator = PM_RECORDS_RS};
            char text[40];
            const size_t n = strlen(texts[t]);
            verify(pm_language_at(l), texts[t], n, &lines);
            for (size_t i = 0; i < n; i++)
                text[i] = (char)(texts[t][i] == '\n' ? PM_RECORDS_RS : texts[t][i]);
            verify(pm_language_at(l), text, n, &rs);
        }
}

TEST(test_random_records) {
    static const int separators[] = {'\n', 0, 0x1e, ';', '"', '(', '/'};
    char *const text = allocate(TEXT + MAKE_CODE_BYTES, 1);
    uint64_t *const offsets = allocate(RECORDS, sizeof *offsets), seed = 5;
    for (unsigned round = 0; round < 300; round++) {
        const pm_language *const language = pm_language_at(round % pm_language_count());
        const size_t most = round % 8 == 0 ? TEXT - MAKE_CODE_BYTES : random_below(&seed, 300);
        const size_t rare = round % 16 == 0 ? 200 : 2; /* and long */
        pm_text_records records = {.struct_size = sizeof records,
                                   .separator = separators[random_below(&seed, COUNT_OF(separators))]};
        size_t n = 0;
        offsets[0] = random_below(&seed, 2) ? 0 : 3;
        while (n < most || n < offsets[0]) {
            n += make_code(text + n, &seed);
            if (random_below(&seed, rare) == 0)
                text[n++] = (char)records.separator;
            if (random_below(&seed, rare) == 0 && n >= offsets[records.count])
                offsets[++records.count] = n;
        }
        verify(language, text, n, &records);
        records.offsets = offsets;
        verify(language, text, n, &records);
    }
    free(offsets);
    free(text);
}

TEST(test_lines) {
    enum {
        LINES = 100
    };
    char *const text = allocate(LINES * MAKE_LINE_BYTES, 1);
    uint64_t *const offsets = allocate(LINES + 1, sizeof *offsets), seed = 23;
    for (size_t round = 0; round < 3 * pm_language_count(); round++) {
        pm_text_records records = {.struct_size = sizeof records, .separator = '\n'};
        size_t n = 0;
        offsets[0] = 0;
        for (size_t k = 0; k < LINES; k++)
            offsets[k + 1] = n += make_line(text + n, &seed);
        verify(pm_language_at(round % pm_language_count()), text, n, &records);
        records.offsets = offsets;
        records.count = LINES;
        verify(pm_language_at(round % pm_language_count()), text, n, &records);
    }
    free(offsets);
    free(text);
}

TEST(test_pairs_of_lines) {
    const pm_text_records lines = {.struct_size = sizeof lines, .separator = PM_RECORDS_NEWLINE};
    const pm_text_records others = {.struct_size = sizeof others, .separator = PM_RECORDS_NUL};
    char text[MAKE_PAIR_BYTES];
    for (size_t l = 0; l < pm_language_count(); l++)
        for (size_t k = 0; k < COUNT_OF(line_pairs); k++) {
            const size_t n = make_pair(text, LINE_OF_CODE, line_pairs[k], (7 * k + 13 * l) % 64);
            verify(pm_language_at(l), text, n, &lines);
            for (size_t i = 0; i < n; i++)
                text[i] = (char)(text[i] == '\n' ? 0 : text[i] == '\v' ? '\n' : text[i]);
            verify(pm_language_at(l), text, n, &others);
        }
}

/* A number at the end of a record does not go on behind the apostrophe that begins the next one. */
TEST(test_apostrophes_behind_points) {
    static const char number[] = "1.", characters[] = "'(' '['";
    char text[200];
    for (size_t pad = 0; pad < 64; pad++) {
        const uint64_t offsets[] = {0, pad + strlen(number), sizeof text};
        const pm_text_records records = {.struct_size = sizeof records, .offsets = offsets, .count = 2};
        memset(text, ' ', sizeof text);
        memcpy(text + pad, number, strlen(number));
        memcpy(text + offsets[1], characters, strlen(characters));
        verify(pm_language_by_name("c"), text, sizeof text, &records);
    }
}

/* Texts with elements, strings that hold code, and quote operators, cut anywhere. */
TEST(test_cut_records) {
    enum {
        N = 700
    };
    static const struct {
        const char *language, *pieces;
    } texts[] = {{"javascript", "<a>x</a>)/* x */}return <b>/{a(1)}`${c[0]}`"},
                 {"csharp", "$\"x{a(b)}y\"@$\"[a]{b}\" $@\"{c}(\"\" \";{d}"},
                 {"rust", "(r#\"[\"#)\"{\"br##\"(\"#\"##\"a\"[r#b]#"},
                 {"perl", "abqq{x}s()m{y}trw(a)q/q{ =cut $h{q}qw<a>"},
                 {"shell", "(<<<E\n{\nE\n)(<<E\n{\nE\n)\"$(a)\"$'('# ("}};
    uint64_t seed = 5, offsets[N + 1];
    char text[N];
    for (unsigned round = 0; round < 300; round++) {
        const char *const pieces = texts[round % COUNT_OF(texts)].pieces;
        size_t begin = random_below(&seed, strlen(pieces)), count = 0;
        for (size_t i = 0; i < N; i++, begin++) {
            text[i] = pieces[begin % strlen(pieces)];
            if (i == 0 || random_below(&seed, round % 2 ? 6 : 150) == 0)
                offsets[count++] = i;
            if (random_below(&seed, 30) == 0)
                begin = random_below(&seed, strlen(pieces));
        }
        offsets[count] = N;
        verify(pm_language_by_name(texts[round % COUNT_OF(texts)].language), text, N,
               &(pm_text_records){.struct_size = sizeof(pm_text_records), .offsets = offsets, .count = count});
    }
}

/* A NUL that is a bracket does not count behind a text's end. */
TEST(test_alphabets_of_any_byte) {
    pm_alphabet alphabet;
    const pm_text_records lines = {.struct_size = sizeof lines, .separator = '\n'},
                          nuls = {.struct_size = sizeof nuls, .separator = 0};
    size_t count, records;
    assert_ok(pm_alphabet_from_pairs("\0\1", 2, &alphabet));
    assert_ok(pm_text_brackets_records(NULL, NULL, &alphabet, "\0\1\n\0\n", 5, &lines, 0, NULL, NULL, NULL, &count,
                                       &records));
    assert_int_equal(count, 3);
    assert_int_equal(records, 2);
    assert_ok(
        pm_text_brackets_records(NULL, NULL, &alphabet, "\1\0\1\1\0", 5, &nuls, 0, NULL, NULL, NULL, &count, &records));
    assert_int_equal(count, 3);
    assert_int_equal(records, 2);
}

TEST(test_arguments) {
    static const uint64_t up[] = {0, 2, 3}, down[] = {0, 3, 2}, behind[] = {0, 2, 4};
    const pm_language *const json = pm_language_by_name("json"), *const xml = pm_language_by_name("xml");
    pm_text_records records = {.struct_size = sizeof records, .offsets = up, .count = 2};
    size_t count;
    assert_ok(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, &count, NULL));
    assert_int_equal(count, 3);
    assert_invalid(pm_text_scan_records(NULL, NULL, "[]]", 3, &records, NULL, &count, NULL));
    assert_invalid(pm_text_scan_records(NULL, json, NULL, 3, &records, NULL, &count, NULL));
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, NULL, NULL, &count, NULL));
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, NULL, NULL));
    assert_int_equal(pm_text_brackets_records(NULL, xml, NULL, "", 0, &records, 0, NULL, NULL, NULL, &count, NULL),
                     PM_INVALID_ARGUMENT);
    assert_int_equal(pm_text_brackets_records(NULL, xml, NULL, "<a>", 3, &records, 0, NULL, NULL, NULL, &count, NULL),
                     PM_UNSUPPORTED);
    static const uint64_t empty[] = {0, 0, 0};
    records.offsets = empty;
    assert_ok(pm_text_scan_records(NULL, json, NULL, 0, &records, NULL, &count, NULL));
    assert_int_equal(count, 0);
    records.offsets = down;
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, &count, NULL));
    records.offsets = behind;
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, &count, NULL));
    records.offsets = NULL;
    records.separator = 256;
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, &count, NULL));
    records.separator = PM_RECORDS_NONE;
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, &count, NULL));
    records.struct_size = 3;
    assert_invalid(pm_text_scan_records(NULL, json, "[]]", 3, &records, NULL, &count, NULL));
}

/* Every allocation fails once. */
static void try_failures(const char *name, const char *text) {
    fault_allocator memory = {0};
    pm_context *context;
    assert_ok(fault_allocator_context(&memory, &context));
    const pm_text_records lines = {.struct_size = sizeof lines, .separator = '\n'};
    uint32_t match[20];
    const pm_text_arrays arrays = {.struct_size = sizeof arrays, .capacity = COUNT_OF(match), .match = match};
    pm_status status = PM_OUT_OF_MEMORY;
    for (size_t failures = 1; status != PM_OK; failures++) {
        size_t count = 77;
        memory.fail_at = memory.calls + failures;
        status =
            pm_text_scan_records(context, pm_language_by_name(name), text, strlen(text), &lines, &arrays, &count, NULL);
        assert_true(status == PM_OK || (status == PM_OUT_OF_MEMORY && count == 77));
    }
    pm_context_destroy(context);
    assert_true(fault_allocator_is_settled(&memory));
}

TEST(test_failing_allocations) {
    try_failures("json", "[1]\n{}\n");
    try_failures("javascript", "f(`a${ [`b${ {\n(");
    try_failures("xml", "<a><b>\n</b>");
}
