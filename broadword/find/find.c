/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that vector instructions are for, and the portable finder. */
#include "broadword/simd.h"

#include <string.h>

#include "base/ascii.h"
#include "base/slice.h"

#define RANGE ((size_t)128 * 17 * 64) /* for gathering: 128 lanes of 17 lines */

/* ---- The portable kernel ---- */

/* Byte by byte. */
static size_t candidates(const pmi_dict_prefixes *prefixes, const unsigned char *text, size_t words, uint32_t *places) {
    size_t count = 0;
    for (size_t i = 0; i < words * PM_WORD_BITS; i++) {
        unsigned buckets = 0xff;
        for (unsigned p = 0; p < prefixes->length; p++)
            buckets &= prefixes->low[p][text[i + p] % 16] & prefixes->high[p][text[i + p] / 16];
        places[count] = (uint32_t)i;
        count += buckets != 0;
    }
    return count;
}

static void starts(const pmi_dict_starts *table, const unsigned char *text, size_t words, bool in_word,
                   uint64_t *masks) {
    const pmi_dict_prefixes *const prefixes = &table->prefixes;
    for (size_t i = 0; i < words * PM_WORD_BITS; i++) {
        unsigned buckets = in_word ? (uint8_t)~table->words : 0xff;
        for (unsigned p = 0; p < prefixes->length; p++)
            buckets &= prefixes->low[p][text[i + p] % 16] & prefixes->high[p][text[i + p] / 16];
        if (i % PM_WORD_BITS == 0)
            masks[i / PM_WORD_BITS] = 0;
        masks[i / PM_WORD_BITS] |= (uint64_t)(buckets != 0) << i % PM_WORD_BITS;
        in_word = pmi_byte_is_word(text[i]);
    }
}

const pmi_finder pmi_finder_portable = {candidates, starts, NULL, 0, NULL};

/* ---- Candidates, and the trie ---- */

static size_t search_gathered(const pmi_search *search, size_t first, size_t end, pmi_event *events);
static bool gathers(const struct pm_dict *dict, const struct pmi_finder *finder);

/* Has another engine search a part of the range that begins at `first`. */
static size_t search_part(pmi_find_range *other, const pmi_search *search, size_t first, size_t from, size_t end,
                          pmi_event *events) {
    const size_t count = other(search, from, end, events);
    for (size_t e = 0; e < count; e++)
        events[e].offset += (uint32_t)(from - first);
    return count;
}

static size_t look_at_trie(const pmi_search *search, size_t first, size_t place, pmi_event *events) {
    const uint32_t pattern = pmi_dict_longest_at(search->dict, search->text + place, search->n - place);
    *events = (pmi_event){(uint32_t)(place - first), pattern};
    return pattern != PM_NONE;
}

/* A place at which the text has PM_KEY_BYTES; what of the keys is in use is known when this is compiled. */
static inline size_t look_at_key(const pmi_search *search, size_t first, size_t place, bool one_way, bool exact,
                                 pmi_event *events) {
    const pmi_dict_keys *const keys = &search->dict->keys;
    uint64_t bytes;
    memcpy(&bytes, search->text + place, sizeof bytes);
    const pmi_dict_key *const ways = keys->slots[pmi_dict_key_slot(keys, bytes)].ways;
    bool fits = pmi_dict_key_fits(&ways[0], bytes);
    uint32_t pattern = ways[0].pattern;
    if (!one_way) {
        pattern = fits ? pattern : ways[1].pattern;
        fits |= pmi_dict_key_fits(&ways[1], bytes);
    }
    if (!exact && fits && pattern == PM_NONE)
        return look_at_trie(search, first, place, events);
    *events = (pmi_event){(uint32_t)(place - first), pattern};
    return fits;
}

/* Looks at places, numbered from `block` on. Nothing depends on what is found, unless the trie must be asked. */
static inline size_t look_at_keys(const pmi_search *search, size_t first, size_t block, const uint32_t *places,
                                  size_t count, bool one_way, bool exact, pmi_event *events) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
        found += look_at_key(search, first, block + places[k], one_way, exact, events + found);
    return found;
}

static size_t look_at_all(const pmi_search *search, size_t first, size_t block, const uint32_t *places, size_t count,
                          pmi_event *events) {
    const pmi_dict_keys *const keys = &search->dict->keys;
    if (!keys->exact)
        return look_at_keys(search, first, block, places, count, false, false, events);
    if (!keys->one_way)
        return look_at_keys(search, first, block, places, count, false, true, events);
    return look_at_keys(search, first, block, places, count, true, true, events);
}

#define BLOCK_WORDS 64u

/* How many bytes an automaton reads in the time that a candidate takes: of the slower one, where the trie is
 * never asked, half as many. */
static size_t bytes_a_candidate(const pmi_search *search) {
    return search->dense != search_gathered && search->dict->keys.exact ? 3 : 6;
}

/* Looks where candidates are. From a block on that has too many, `dense`, unless it is NULL, searches all of the range:
 * what it reads behind blocks would count where patterns are longer than these. */
static size_t search_candidates(const pmi_search *search, size_t first, size_t end, pmi_find_range *dense,
                                pmi_event *events) {
    uint32_t places[BLOCK_WORDS * PM_WORD_BITS + PM_CANDIDATES_MORE];
    const size_t last = search->n < PM_KEY_BYTES ? 0 : search->n - (PM_KEY_BYTES - 1); /* places that have a key */
    const size_t stop = last < end ? last : end, worth = bytes_a_candidate(search);
    size_t count = 0, place = first;
    while (place < stop && stop - place >= PM_WORD_BITS) {
        const size_t whole = (stop - place) / PM_WORD_BITS, words = whole < BLOCK_WORDS ? whole : BLOCK_WORDS;
        const size_t candidates =
            search->finder->candidates(&search->dict->prefixes, search->text + place, words, places);
        if (dense && candidates * worth > words * PM_WORD_BITS)
            return count + search_part(dense, search, first, place, end, events + count);
        count += look_at_all(search, first, place, places, candidates, events + count);
        place += words * PM_WORD_BITS;
    }
    for (; place < end; place++)
        count += place < stop ? look_at_key(search, first, place, false, false, events + count)
                              : look_at_trie(search, first, place, events + count);
    return count;
}

static size_t search_prefixes(const pmi_search *search, size_t first, size_t end, pmi_event *events) {
    return search_candidates(search, first, end, search->dense, events);
}

static bool has_prefixes(const struct pm_dict *dict, const struct pmi_finder *finder) {
    (void)finder;
    return dict->prefixes.length > 0;
}

/* Where one byte in a hundred is expected to be a candidate gathering is as fast. Without it, and without vectors an
 * automaton always is, it takes four in a hundred, or half as many where the trie must be asked. */
static bool prefixes_pay(const struct pm_dict *dict, const struct pmi_finder *finder) {
    const double most = gathers(dict, finder) ? .01 : dict->keys.exact ? .045 : .0225;
    return finder != &pmi_finder_portable && dict->prefixes.share < most;
}

const pmi_find_engine pmi_find_prefixes = {
    {"prefixes", "first bytes by vector instructions, and a closer look where they are (after Teddy)"},
    has_prefixes,
    prefixes_pay,
    search_prefixes,
    RANGE,
    2};

static size_t search_bytes(const pmi_search *search, size_t first, size_t end, pmi_event *events) {
    return search_candidates(search, first, end, NULL, events);
}

static bool has_bytes_alone(const struct pm_dict *dict, const struct pmi_finder *finder) {
    return has_prefixes(dict, finder) && dict->longest == 1;
}

static bool bytes_pay(const struct pm_dict *dict, const struct pmi_finder *finder) {
    (void)dict;
    return finder != &pmi_finder_portable;
}

const pmi_find_engine pmi_find_bytes = {
    {"bytes", "patterns of one byte each, by vector instructions"}, has_bytes_alone, bytes_pay, search_bytes, RANGE, 1};

/* ---- Gathering ---- */

#define LINE 64u
#define LANE_LINES_MAX 65u /* of which 32 lanes are about a range */

/* Length of the lanes that `bytes` are divided into; 0: too short to be worth it. Lanes of an odd number of cache
 * lines begin in different sets of a cache; else they would drive out each other's lines. */
static size_t lane_length(const pmi_search *search, size_t bytes) {
    const size_t whole = bytes / search->finder->lanes / LINE;
    const size_t lines = whole < LANE_LINES_MAX ? whole : LANE_LINES_MAX;
    const size_t length = (lines - (lines % 2 == 0 && lines > 0)) * LINE;
    return length >= 2 * pmi_gather_reach(search->dict) ? length : 0;
}

static size_t search_gathered(const pmi_search *search, size_t first, size_t end, pmi_event *events) {
    const size_t reach = pmi_gather_reach(search->dict), last = search->n < reach ? 0 : search->n - reach;
    const size_t stop = last < end ? last : end;
    size_t count = 0, place = first;
    for (size_t length; place < stop && (length = lane_length(search, stop - place)) > 0;) {
        const size_t found = search->finder->gather(search, place, length, events + count);
        for (size_t e = 0; place > first && e < found; e++)
            events[count + e].offset += (uint32_t)(place - first);
        count += found;
        place += search->finder->lanes * length;
    }
    return count + search_part(search->rest, search, first, place, end, events + count);
}

static bool can_gather(const struct pm_dict *dict, const struct pmi_finder *finder) {
    (void)dict;
    return finder->gather != NULL;
}

static bool gathering_pays(const struct pm_dict *dict, const struct pmi_finder *finder) {
    return finder->gathers_fast() && (size_t)dict->longest * 2 * finder->lanes <= RANGE;
}

static bool gathers(const struct pm_dict *dict, const struct pmi_finder *finder) {
    return can_gather(dict, finder) && gathering_pays(dict, finder);
}

const pmi_find_engine pmi_find_gathered = {
    {"gathered", "Aho and Corasick's automaton on many parts of the text at a time, by vector instructions"},
    can_gather,
    gathering_pays,
    search_gathered,
    RANGE,
    2};
