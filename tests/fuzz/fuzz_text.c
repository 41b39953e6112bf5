/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The brackets of a text do not depend on how it is cut into pieces.
 *
 * Input: the language ('a' is the first one, and so on), the seed of the cuts, and then the text.
 */
#include <string.h>

#include "broadword/simd.h"
#include "core/text/bracket_masks.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/fuzz/fuzz.h"

enum {
    HEADER = 2
};

/* What scanning a text came to. */
typedef struct outcome {
    uint64_t *positions;
    size_t count;
    bool inside;
    uint64_t start; /* of what the end cuts off; 0 if nothing */
} outcome;

/* Scans the text in pieces of 1 to `longest` bytes, each in a block of its own. */
static outcome scan(const pm_language *language, const uint8_t *text, size_t n, size_t longest, uint64_t seed) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    outcome found = {.positions = fuzz_allocate(n, sizeof(uint64_t))};
    pmi_lexer lexer;
    pmi_lexer_init(&lexer, language, pm_language_alphabet(language), &allocator);
    for (size_t begin = 0, length; begin < n; begin += length) {
        length = seed ? 1 + random_below(&seed, longest) : longest;
        if (length > n - begin)
            length = n - begin;
        uint8_t *piece = fuzz_allocate(length, 1);
        memcpy(piece, text + begin, length);
        uint64_t brackets;
        fuzz_require(pmi_lexer_scan(&lexer, piece, length, &brackets) == PM_OK, "status");
        fuzz_require(length == PM_LEXER_PIECE || brackets >> length == 0, "a bracket past the piece");
        for (size_t i = 0; i < length; i++)
            if (brackets >> i & 1)
                found.positions[found.count++] = begin + i;
        free(piece);
    }
    char first;
    found.inside = pmi_lexer_inside(&lexer, &found.start, &first);
    fuzz_require(!found.inside || (found.start < n && first == (char)text[found.start]), "where it began");
    pmi_lexer_clear(&lexer);
    return found;
}

/* Reads the text with one implementation: a first piece, then as many words at once as there are, then the rest. */
static outcome read_in_bulk(const pmi_classifier *classifier, const pm_language *language, const uint8_t *text,
                            size_t n, size_t first) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    outcome found = {.positions = fuzz_allocate(n, sizeof(uint64_t))};
    pmi_bracket_reader reader;
    pmi_bracket_reader_init(&reader, classifier, language, pm_language_alphabet(language), &allocator);
    for (size_t begin = 0, length; begin < n; begin += length) {
        uint64_t brackets[PM_CHUNK_WORDS] = {0};
        const size_t left = n - begin;
        size_t words = left / PM_LEXER_PIECE < PM_CHUNK_WORDS ? left / PM_LEXER_PIECE : PM_CHUNK_WORDS;
        if (begin == 0 && first > 0)
            words = 0;
        length = words > 0 ? words * PM_LEXER_PIECE : begin == 0 && first > 0 && first < left ? first : left;
        uint8_t *piece = fuzz_allocate(length, 1);
        memcpy(piece, text + begin, length);
        fuzz_require((words > 0 ? pmi_bracket_reader_words(&reader, piece, words, brackets)
                                : pmi_lexer_scan(&reader.lexer, piece, length, brackets)) == PM_OK,
                     "status");
        for (size_t i = 0; i < length; i++)
            if (brackets[i / 64] >> i % 64 & 1)
                found.positions[found.count++] = begin + i;
        free(piece);
    }
    char byte;
    found.inside = pmi_lexer_inside(&reader.lexer, &found.start, &byte);
    pmi_lexer_clear(&reader.lexer);
    return found;
}

static void require_same(const outcome *a, const outcome *b, const char *what) {
    fuzz_require(a->count == b->count, what);
    fuzz_require(memcmp(a->positions, b->positions, a->count * sizeof *a->positions) == 0, what);
    fuzz_require(a->inside == b->inside && a->start == b->start, what);
}

static void try_text_brackets(const pm_language *language, const uint8_t *text, size_t n, const outcome *expected) {
    const pm_alphabet *alphabet = pm_language_alphabet(language);
    outcome found = {.inside = expected->inside, .start = expected->start};
    found.positions = fuzz_allocate(expected->count, sizeof *found.positions);
    uint64_t *parens = fuzz_allocate((expected->count + 63) / 64, sizeof *parens);
    fuzz_require(pm_text_brackets(NULL, language, NULL, (const char *)text, n, expected->count, parens, found.positions,
                                  NULL, &found.count) == PM_OK,
                 "pm_text_brackets");
    require_same(&found, expected, "pm_text_brackets");
    for (size_t k = 0; k < found.count; k++) {
        const unsigned side = parens[k / 64] >> k % 64 & 1 ? PM_ROLE_OPEN : PM_ROLE_CLOSE;
        fuzz_require((alphabet->role[text[found.positions[k]]] & 3) == side, "parens");
    }
    free(parens);
    free(found.positions);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < HEADER)
        return 0;
    const pm_language *language = fuzz_language(bytes[0]);
    const uint8_t *text = bytes + HEADER;
    const size_t n = size - HEADER;
    const outcome whole = scan(language, text, n, PM_LEXER_PIECE, 0);
    const size_t longest[] = {1, 3, PM_LEXER_PIECE};
    for (size_t k = 0; k < sizeof longest / sizeof *longest; k++) {
        const outcome cut = scan(language, text, n, longest[k], bytes[1] + UINT64_C(1));
        require_same(&cut, &whole, "cut");
        free(cut.positions);
    }
    for (size_t k = 0; pmi_simd_at(k); k++)
        if (pmi_simd_at(k)->supported()) {
            const outcome bulk = read_in_bulk(pmi_simd_at(k)->classifier, language, text, n, bytes[1] % PM_LEXER_PIECE);
            require_same(&bulk, &whole, pmi_simd_at(k)->name);
            free(bulk.positions);
        }
    try_text_brackets(language, text, n, &whole);
    free(whole.positions);
    return 0;
}
