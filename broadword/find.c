/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that vector instructions are for, and their kernels as a list. */
#include "broadword/find.h"

#include <string.h>

#include "core/slice.h"

#define RANGE ((size_t)128 * 17 * 64) /* for gathering, so many lanes of so many lines */

/* ---- The kernels ---- */

/* Where a prefix may begin, byte by byte. */
static uint64_t candidates_of_word(const pm_dict_prefixes *prefixes, const unsigned char *text) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < PM_WORD_BITS; i++) {
        unsigned buckets = 0xff;
        for (unsigned p = 0; p < prefixes->length; p++)
            buckets &= prefixes->low[p][text[i + p] % 16] & prefixes->high[p][text[i + p] / 16];
        mask |= (uint64_t)(buckets != 0) << i;
    }
    return mask;
}

static size_t candidates(const pm_dict_prefixes *prefixes, const unsigned char *text, size_t words, uint64_t *masks,
                         uint64_t *any) {
    size_t count = 0;
    for (size_t w = 0; w < words; w++) {
        masks[w] = candidates_of_word(prefixes, text + w * PM_WORD_BITS);
        count += pm_bits_count(masks[w]);
        uint64_t *const some = &any[w / PM_WORD_BITS];
        *some = (w % PM_WORD_BITS == 0 ? 0 : *some) | (uint64_t)(masks[w] != 0) << w % PM_WORD_BITS;
    }
    return count;
}

static const pm_finder portable = {"portable", candidates, NULL, 0, NULL};

#if defined(__x86_64__) || defined(__aarch64__)
const pm_finder *pm_finders_hwy(void); /* what carries no name ends them; see find_hwy.cc */

const pm_finder *pm_finder_for(const char *engine) {
    for (const pm_finder *finder = pm_finders_hwy(); finder->name; finder++)
        if (strcmp(finder->name, engine) == 0)
            return finder;
    return &portable;
}
#else
const pm_finder *pm_finder_for(const char *engine) {
    (void)engine;
    return &portable;
}
#endif

/* ---- Candidates, and the trie ---- */

/* Has another engine search a part of the range that begins at `first`. */
static size_t search_part(pm_find_range *other, const pm_search *search, size_t first, size_t from, size_t end,
                          pm_event *events) {
    const size_t count = other(search, from, end, events);
    for (size_t e = 0; e < count; e++)
        events[e].offset += (uint32_t)(from - first);
    return count;
}

static size_t look_at_trie(const pm_search *search, size_t first, size_t place, pm_event *events) {
    const uint32_t pattern = pm_dict_longest_at(search->dict, search->text + place, search->n - place);
    *events = (pm_event){(uint32_t)(place - first), pattern};
    return pattern != PM_NONE;
}

static inline size_t look_at(const pm_search *search, size_t first, size_t place, pm_event *events) {
    const pm_dict_keys *const keys = &search->dict->keys;
    uint64_t bytes;
    if (search->n - place < sizeof bytes)
        return look_at_trie(search, first, place, events);
    memcpy(&bytes, search->text + place, sizeof bytes);
    const pm_dict_key *const key = &keys->keys[pm_dict_key_slot(keys, bytes)];
    if (((bytes ^ key->bytes) & key->mask) != 0)
        return 0;
    if (key->pattern == PM_NONE)
        return look_at_trie(search, first, place, events);
    *events = (pm_event){(uint32_t)(place - first), key->pattern};
    return 1;
}

#define BLOCK_WORDS 512u

/* A candidate takes about as long as so many bytes that are read by an automaton. */
#define BYTES_A_CANDIDATE 12u

/* Looks where the bits of a block of masks are. */
static size_t look_at_all(const pm_search *search, size_t first, size_t block, const uint64_t *masks,
                          const uint64_t *any, size_t words, pm_event *events) {
    size_t count = 0;
    for (size_t w = pm_bits_next(any, words, 0); w < words; w = pm_bits_next(any, words, w + 1))
        for (uint64_t mask = masks[w]; mask != 0; mask &= mask - 1)
            count += look_at(search, first, block + w * PM_WORD_BITS + pm_bits_lowest(mask), events + count);
    return count;
}

/* Looks where candidates are; `dense`, unless it is NULL, searches blocks that have too many. */
static size_t search_candidates(const pm_search *search, size_t first, size_t end, pm_find_range *dense,
                                pm_event *events) {
    const pm_dict_prefixes *const prefixes = &search->dict->prefixes;
    const size_t reach = prefixes->length - 1; /* bytes behind a word that are read, and so must be there */
    uint64_t masks[BLOCK_WORDS], any[BLOCK_WORDS / PM_WORD_BITS];
    size_t count = 0, place = first;
    while (end - place >= PM_WORD_BITS && search->n - place >= PM_WORD_BITS + reach) {
        const size_t most = end - place < search->n - reach - place ? end - place : search->n - reach - place;
        const size_t words = most / PM_WORD_BITS < BLOCK_WORDS ? most / PM_WORD_BITS : BLOCK_WORDS;
        const size_t next = place + words * PM_WORD_BITS;
        const size_t found = search->finder->candidates(prefixes, search->text + place, words, masks, any);
        if (dense && found * BYTES_A_CANDIDATE > next - place)
            count += search_part(dense, search, first, place, next, events + count);
        else
            count += look_at_all(search, first, place, masks, any, words, events + count);
        place = next;
    }
    for (; place < end; place++)
        count += look_at(search, first, place, events + count);
    return count;
}

static size_t search_prefixes(const pm_search *search, size_t first, size_t end, pm_event *events) {
    return search_candidates(search, first, end, search->dense, events);
}

static bool has_prefixes(const struct pm_dict *dict, const struct pm_finder *finder) {
    (void)finder;
    return dict->prefixes.length > 0;
}

/* Where one byte in a hundred is a candidate, an automaton is as fast. */
static bool prefixes_pay(const struct pm_dict *dict, const struct pm_finder *finder) {
    (void)finder;
    return dict->prefixes.share < .01;
}

const pm_find_engine pm_find_prefixes = {
    "prefixes",
    "first bytes by vector instructions, and the trie where they are (after Teddy)",
    has_prefixes,
    prefixes_pay,
    search_prefixes,
    RANGE,
    2};

static size_t search_bytes(const pm_search *search, size_t first, size_t end, pm_event *events) {
    return search_candidates(search, first, end, NULL, events);
}

static bool has_bytes_alone(const struct pm_dict *dict, const struct pm_finder *finder) {
    return has_prefixes(dict, finder) && dict->longest == 1;
}

const pm_find_engine pm_find_bytes = {
    "bytes", "patterns of one byte each, by vector instructions", has_bytes_alone, has_bytes_alone, search_bytes, RANGE,
    1};

/* ---- Gathering ---- */

#define LINE 64u
#define LANE_LINES_MOST 65u /* of which 32 lanes are about a range */

/* How long lanes are of which so many bytes are made; 0: too short to be worth it. Lanes of an odd number of cache
 * lines begin in different sets of a cache; else they would drive out each other's lines. */
static size_t lane_length(const pm_search *search, size_t bytes) {
    const size_t whole = bytes / search->finder->lanes / LINE;
    const size_t lines = whole < LANE_LINES_MOST ? whole : LANE_LINES_MOST;
    const size_t length = (lines - (lines % 2 == 0 && lines > 0)) * LINE;
    return length >= 2 * pm_gather_reach(search->dict) ? length : 0;
}

static size_t search_gathered(const pm_search *search, size_t first, size_t end, pm_event *events) {
    const size_t reach = pm_gather_reach(search->dict), last = search->n < reach ? 0 : search->n - reach;
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

static bool can_gather(const struct pm_dict *dict, const struct pm_finder *finder) {
    (void)dict;
    return finder->gather != NULL;
}

static bool gathering_pays(const struct pm_dict *dict, const struct pm_finder *finder) {
    return finder->gathers_fast() && (size_t)dict->longest * 2 * finder->lanes <= RANGE;
}

const pm_find_engine pm_find_gathered = {
    "gathered",
    "Aho and Corasick's automaton on many parts of the text at a time, by vector instructions",
    can_gather,
    gathering_pays,
    search_gathered,
    RANGE,
    2};
