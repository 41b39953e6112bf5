/* SPDX-License-Identifier: Apache-2.0 */
/* Where a region's begin and end are known for all of a word, a carry goes from each begin to the end behind it. */
#include "core/delimiters/windows/alike.h"

#include "broadword/text/classify.h"
#include "core/delimiters/rules/keys.h"

#define WORDS PM_STARTS_WORDS
#define PLACES (WORDS * PM_WORD_BITS)
#define TRIES 8u         /* sorts of regions in a window */
#define PAYS ((size_t)8) /* places: where fewer are taken out, no other sort is tried */

/* What is known of one sort of regions in a window. */
typedef struct alike {
    pmi_quick_region region;
    bool quotes;            /* the same byte begins and ends them */
    uint64_t begins[WORDS]; /* first bytes of what begins them, */
    uint64_t others[WORDS]; /* of which these may begin a longer pattern */
    uint64_t ends[WORDS];   /* last bytes of what ends them */
    /* Before the next word: */
    bool open;     /* in a region */
    bool second;   /* behind the first of two bytes that begin one */
    bool fresh;    /* behind the last byte of what begins one, perhaps */
    size_t newest; /* where the last one begins */
} alike;

/* Of one word. */
typedef struct alike_word {
    uint64_t in;     /* in regions */
    uint64_t begins; /* first bytes of these */
    bool odd;        /* what is in them is not certain */
} alike_word;

static const unsigned char *window_of(const pmi_starts *starts) {
    return starts->text + starts->begin;
}

/* Bits k and above of a word. */
static uint64_t from_bit(size_t k) {
    return UINT64_MAX << k;
}

static void keep_where(const pmi_classifier *classifier, unsigned char byte, const unsigned char *text,
                       uint64_t masks[WORDS]) {
    uint64_t found[WORDS];
    classifier->find(byte, text, WORDS, found, NULL);
    for (size_t w = 0; w < WORDS; w++)
        masks[w] &= found[w];
}

/* Finds the begins and ends of the regions that a pattern at `at` begins. False: they are not found by masks. */
static bool find_ends(const pmi_starts *starts, uint32_t found, size_t at, alike *sort) {
    const pmi_classifier *const classifier = starts->simd->classifier;
    const pmi_quick_region region = starts->pairs->quick_regions[pmi_pattern_found(found)];
    const unsigned char *const text = window_of(starts), *const begin = starts->text + at;
    const unsigned char last = begin[region.length - 1], end_last = region.ends[1];
    sort->quotes = region.length == 1 && region.end_length == 1 && last == end_last;
    if (!region.alike || (last == end_last && !sort->quotes) || (sort->quotes && region.longer != PM_BYTE_NONE) ||
        (region.nests && !starts->flat))
        return false;
    sort->region = region;
    sort->open = sort->second = sort->fresh = false;
    classifier->find(begin[0], text, WORDS, sort->begins, NULL);
    if (region.length == 2)
        keep_where(classifier, last, text + 1, sort->begins);
    for (size_t w = 0; w < WORDS; w++)
        sort->others[w] = region.longer != PM_BYTE_NONE ? sort->begins[w] : 0;
    if (region.longer != PM_BYTE_NONE)
        keep_where(classifier, (unsigned char)region.longer, text + region.length, sort->others);
    classifier->find(region.ends[0], text, WORDS, sort->ends, NULL);
    if (region.end_length < 2)
        return true;
    keep_where(classifier, end_last, text + 1, sort->ends);
    for (size_t w = WORDS; w-- > 0;)
        sort->ends[w] = sort->ends[w] << 1 | (w > 0 ? sort->ends[w - 1] >> (PM_WORD_BITS - 1) : 0);
    return true;
}

static alike_word read_quotes(alike *sort, uint64_t quotes) {
    const uint64_t in = pmi_bits_parities(quotes) ^ (sort->open ? UINT64_MAX : 0);
    sort->open = in >> (PM_WORD_BITS - 1);
    return (alike_word){.in = in | quotes, .begins = quotes & in};
}

/* Reads word w, where none begins that is not in `from`. */
static alike_word read_word(alike *sort, size_t w, uint64_t from) {
    const bool two = sort->region.length == 2;
    const uint64_t ends = sort->ends[w], others = ~ends, open = sort->open;
    const uint64_t begins = sort->begins[w] & ~sort->others[w] & from;
    if (sort->quotes)
        return read_quotes(sort, begins);
    const uint64_t lasts = two ? begins << 1 | (uint64_t)sort->second : begins; /* of what begins regions */
    const uint64_t carries = (lasts | open) & others, sum = others + carries;
    const uint64_t in = (sum ^ others) | carries | open; /* from these on */
    alike_word word;
    word.begins = two ? begins & ~in : begins & ~((in & others) << 1 | open);
    word.in = (sort->region.end_length == 0 ? in & others : in) | word.begins;
    word.odd = (two && (begins & ends)) ||
               (sort->region.end_length == 2 && (ends & (lasts << 1 | (uint64_t)sort->fresh))) ||
               (sort->region.nests && (sort->begins[w] & in & ~word.begins));
    sort->open = sum < others;
    sort->second = two && word.begins >> (PM_WORD_BITS - 1);
    sort->fresh = lasts >> (PM_WORD_BITS - 1);
    return word;
}

/* Returns the first of some places of a word at which something begins that is not a token by itself; PM_WORD_BITS if
 * all are tokens or nothing. */
static unsigned first_odd(const pmi_starts *starts, size_t w, uint64_t places) {
    const unsigned char *const text = window_of(starts) + w * PM_WORD_BITS;
    for (; places; places &= places - 1) {
        const unsigned i = pmi_bits_lowest(places);
        const pmi_alone *const alone = &starts->pairs->keys->alone[text[i]];
        if (alone->pattern > starts->pairs->pattern_count || text[i + 1] == alone->unless)
            return i;
    }
    return PM_WORD_BITS;
}

static bool is_open(const alike *sort) {
    return sort->open || sort->second;
}

static void give_back(uint64_t masks[WORDS], size_t place) {
    masks[place / PM_WORD_BITS] |= UINT64_C(1) << place % PM_WORD_BITS;
}

/* Takes the places of regions of one sort out of the masks from place `at` on. Returns where that ends: at something
 * else, or at the window's end. Adds how many places were taken out. */
static size_t drop_sort(const pmi_starts *starts, alike *sort, size_t at, uint64_t masks[WORDS], size_t *dropped) {
    uint64_t from = from_bit(at % PM_WORD_BITS);
    for (size_t w = at / PM_WORD_BITS; w < WORDS; w++, from = UINT64_MAX) {
        const bool was_open = is_open(sort);
        const alike_word word = read_word(sort, w, from);
        if (word.odd) {
            if (was_open)
                give_back(masks, sort->newest);
            return PLACES;
        }
        if (word.begins)
            sort->newest = w * PM_WORD_BITS + pmi_bits_highest(word.begins);
        const unsigned odd = first_odd(starts, w, masks[w] & from & ~word.in);
        const uint64_t out = masks[w] & word.in & (odd < PM_WORD_BITS ? ~from_bit(odd) : UINT64_MAX);
        masks[w] ^= out;
        *dropped += pmi_bits_count(out);
        if (odd < PM_WORD_BITS)
            return w * PM_WORD_BITS + odd;
    }
    if (is_open(sort))
        give_back(masks, sort->newest);
    return PLACES;
}

/* Returns the first place from `at` on at which something begins that is not a token by itself. */
static size_t find_odd(const pmi_starts *starts, size_t at, const uint64_t masks[WORDS]) {
    uint64_t from = from_bit(at % PM_WORD_BITS);
    for (size_t w = at / PM_WORD_BITS; w < WORDS; w++, from = UINT64_MAX) {
        const unsigned odd = first_odd(starts, w, masks[w] & from);
        if (odd < PM_WORD_BITS)
            return w * PM_WORD_BITS + odd;
    }
    return PLACES;
}

size_t pmi_alike_drop(const pmi_starts *starts, size_t from, uint64_t masks[PM_STARTS_WORDS]) {
    size_t at = from - starts->begin, all = 0;
    for (unsigned tries = 0; tries < TRIES && (at = find_odd(starts, at, masks)) < PLACES; tries++) {
        alike sort;
        size_t dropped = 0;
        const uint32_t found = pmi_starts_pattern(starts, (uint32_t)at);
        if (found == PM_NONE || !(found & PM_PATTERN_SKIPS) || !find_ends(starts, found, starts->begin + at, &sort))
            break;
        at = drop_sort(starts, &sort, at, masks, &dropped);
        all += dropped;
        if (dropped < PAYS)
            break;
    }
    return all;
}
