/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where nearly all bytes are tokens by themselves they are read byte by byte. Else the places are visited at which
 * something may begin, and what that is follows from two bytes; where a region ends, from masks of all ends of its sort
 * in the window. What two bytes do not tell is read one by one as everywhere else.
 */
#include "core/delimiters/windows/crowd.h"

#include <string.h>

#include "broadword/text/classify.h"
#include "core/delimiters/rules/keys.h"
#include "core/delimiters/tags/quick.h"

#define WORDS PM_STARTS_WORDS
#define PLACES (WORDS * PM_WORD_BITS)

_Static_assert(sizeof(pmi_open) - offsetof(pmi_open, kind) == sizeof((pmi_alone *)0)->open, "an open's last parts");

/* ---- Byte by byte ---- */

/* Reads bytes from `at` to before `end` < n as long as each is a token by itself or begins nothing. Returns where it
 * stopped. */
static size_t take_bytes(pmi_token_scan *scan, size_t at, size_t end) {
    const pmi_alone *const of_bytes = scan->pairs->keys->alone;
    const unsigned char *const text = scan->text;
    pmi_open *const bottom = scan->opens.entries - 1, *top = bottom + scan->opens.depth,
                    *deepest = bottom + scan->max_depth;
    size_t taken = 0;
    for (unsigned byte = text[at]; at < end; at++) {
        const pmi_alone *const alone = &of_bytes[byte];
        byte = text[at + 1];
        if (byte == alone->unless)
            break;
        if (alone->closes & (top->kind ^ alone->open[0])) {
            const pmi_token close = {at, at + 1, alone->open[0], false};
            pmi_open *const left = pmi_token_scan_count_bad(scan, &close, top);
            if (!left)
                break;
            top = left;
            taken++;
            continue;
        }
        top[1].begin = at;
        top[1].chain = 0;
        memcpy((char *)(top + 1) + offsetof(pmi_open, kind), alone->open, sizeof alone->open);
        top = (pmi_open *)(void *)((char *)top + alone->step);
        deepest = top > deepest ? top : deepest;
        taken += alone->count;
    }
    pmi_token_scan_stacked(scan, top, deepest);
    pmi_token_scan_took(scan, taken, false);
    return at;
}

/* ---- By places ---- */

/* The ends of regions in a window, by sort. */
typedef struct region_ends {
    bool known[PM_PAIR_REGIONS];
    uint64_t ends[PM_PAIR_REGIONS][WORDS];   /* first bytes of what ends them */
    uint64_t begins[PM_PAIR_REGIONS][WORDS]; /* of those that may nest: of what begins them */
} region_ends;

static void find_places(const pmi_starts *starts, unsigned char first, unsigned char second, bool two,
                        uint64_t masks[WORDS]) {
    const pmi_classifier *const classifier = starts->simd->classifier;
    const unsigned char *const text = starts->text + starts->begin;
    uint64_t seconds[WORDS];
    classifier->find(first, text, WORDS, masks, NULL);
    if (!two)
        return;
    classifier->find(second, text + 1, WORDS, seconds, NULL);
    for (size_t w = 0; w < WORDS; w++)
        masks[w] &= seconds[w];
}

static void find_ends(const pmi_starts *starts, const pmi_pair_region *region, region_ends *all, unsigned sort) {
    find_places(starts, region->ends[0], region->ends[1], region->ends_in_two, all->ends[sort]);
    if (region->nests)
        find_places(starts, region->begin[0], region->begin[1], region->length == 2, all->begins[sort]);
    all->known[sort] = true;
}

/* Returns the first place from `place` on; if there is no such place, PLACES or the place itself, if that is more. */
static inline size_t first_place(const uint64_t masks[WORDS], size_t place) {
    if (place >= PLACES)
        return place;
    size_t w = place / PM_WORD_BITS;
    uint64_t mask = masks[w] & UINT64_MAX << place % PM_WORD_BITS;
    while (mask == 0) {
        if (++w == WORDS)
            return PLACES;
        mask = masks[w];
    }
    return w * PM_WORD_BITS + pmi_bits_lowest(mask);
}

#define NEAR ((size_t)12) /* bytes in which a region's end is looked for at first */

/* Returns the place behind the region that begins at `place`; 0 if it does not end in the window, or must be read in
 * another way. Near ends are found by branches, which are foretold, so that what comes next need not wait for them. */
static inline size_t behind_region(pmi_token_scan *scan, const pmi_starts *starts, const pmi_pair *pair, size_t place,
                                   region_ends *all) {
    const unsigned sort = pair->region;
    const pmi_pair_region *const region = &scan->pairs->keys->regions[sort];
    const unsigned char *const text = starts->text + starts->begin;
    const size_t from = place + (region->length == 1 ? 1 : 2);
    const size_t stop = from + NEAR < PLACES ? from + NEAR : PLACES;
    const bool two = region->ends_in_two;
    if (!region->nests)
        for (size_t at = from; at < stop; at++)
            if (text[at] == region->ends[0] && (!two || text[at + 1] == region->ends[1]))
                return region->end_length == 0 ? at : two ? at + 2 : at + 1;
    if (region->nests && scan->nested)
        return 0;
    if (!all->known[sort])
        find_ends(starts, region, all, sort);
    const size_t end = first_place(all->ends[sort], from);
    if (end >= PLACES)
        return 0;
    if (region->nests && !scan->holds_nested)
        scan->holds_nested = first_place(all->begins[sort], from) < end;
    return end + region->end_length;
}

/* Reads what begins at a place in the way of all texts; if `pattern` is not PM_NONE, that begins there. Returns the
 * place to go on at. */
static __attribute__((noinline)) size_t read_other(pmi_token_scan *scan, pmi_starts *starts, size_t place,
                                                   uint32_t pattern) {
    const size_t at = starts->begin + place;
    const uint32_t quick = PM_PATTERN_QUICK | PM_PATTERN_SKIPS | PM_PATTERN_FOLLOWED;
    scan->next = at;
    if (pattern == PM_NONE) {
        pmi_starts_at(starts, at);
        if (starts->count == 0)
            return place + 1;
        pattern = starts->events[0].pattern;
    }
    if (pattern & quick)
        pmi_token_scan_read_window(scan, starts);
    else
        pmi_token_scan_read_at(scan, at, pmi_pattern_found(pattern));
    return scan->next > at ? scan->next - starts->begin : place + 1;
}

/* Is a pattern of one byte followed by one that begins none of the words that may go on with it, behind a blank
 * perhaps? */
static inline bool is_alone(const pmi_token_scan *scan, uint32_t pattern, const unsigned char *at) {
    const unsigned char byte = at[1 + (at[1] <= ' ')];
    return byte > ' ' && !(scan->pairs->rules[pattern].next[byte / 64] >> byte % 64 & 1);
}

/* Takes what begins at a place, if two bytes do not tell what that is. Its end is the place itself if nothing begins
 * there; its `top` is NULL if *pattern begins there and is to be read in another way. */
static __attribute__((noinline)) pmi_quick_tag take_other(pmi_token_scan *scan, const pmi_starts *starts, size_t place,
                                                          pmi_open *top, uint32_t *pattern) {
    const size_t begin = starts->begin + place;
    const uint32_t found = pmi_starts_pattern(starts, (uint32_t)place);
    if (found == PM_NONE)
        return (pmi_quick_tag){.top = top, .end = begin};
    const pmi_quick_tag taken = pmi_quick_take(scan, found, begin, top);
    if (!taken.top)
        *pattern = pmi_pattern_found(found);
    return taken;
}

/* Reads places from `place` on as long as two bytes say what begins there, and there is room for it. Returns the place
 * where it stopped; *pattern is set if it is known what begins there. */
static size_t take_places(pmi_token_scan *scan, const pmi_starts *starts, size_t place, region_ends *all,
                          uint32_t *pattern) {
    const pmi_pattern_keys *const keys = scan->pairs->keys;
    const unsigned char *const text = starts->text + starts->begin;
    pmi_open *const bottom = scan->opens.entries - 1, *top = bottom + scan->opens.depth,
                    *deepest = bottom + scan->max_depth;
    size_t taken = 0;
    while ((place = first_place(starts->masks, place)) < PLACES) {
        const unsigned char *const word = text + place / PM_WORD_BITS * PM_WORD_BITS;
        const size_t base = place - place % PM_WORD_BITS;
        size_t behind = 0; /* a region */
        for (uint64_t mask = starts->masks[base / PM_WORD_BITS] & UINT64_MAX << place % PM_WORD_BITS; mask;) {
            const unsigned k = pmi_bits_lowest(mask);
            const unsigned char *const at = word + k;
            const pmi_pair *const pair = &keys->pair_entries[keys->pairs[keys->classes[at[0]]][keys->classes[at[1]]]];
            mask &= mask - 1;
            place = base + k;
            const bool token =
                pair->sort == PM_PAIR_TOKEN || (pair->sort == PM_PAIR_FOLLOWED && is_alone(scan, pair->pattern, at));
            if (!token) {
                if (pair->sort == PM_PAIR_TAGGED && place + starts->begin > 0 && pmi_byte_is_word(at[-1]))
                    continue;
                if (pair->sort == PM_PAIR_REGION || pair->sort == PM_PAIR_TAGGED) {
                    behind = behind_region(scan, starts, pair, place, all);
                    if (behind == 0)
                        goto stop;
                } else {
                    const pmi_quick_tag other =
                        pair->sort == PM_PAIR_TAG ? pmi_quick_tag_take(scan, pair->pattern, starts->begin + place, top)
                                                  : take_other(scan, starts, place, top, pattern);
                    if (!other.top)
                        goto stop;
                    top = other.top;
                    deepest = top > deepest ? top : deepest;
                    behind = other.end - starts->begin;
                }
                if (behind >= base + PM_WORD_BITS)
                    break;
                mask &= UINT64_MAX << behind % PM_WORD_BITS;
                continue;
            }
            if (pair->closes & (top->kind ^ pair->open[0])) {
                const pmi_token close = {starts->begin + place, starts->begin + place + pair->length, pair->open[0],
                                         false};
                pmi_open *const left = pmi_token_scan_count_bad(scan, &close, top);
                if (!left) {
                    *pattern = pair->pattern;
                    goto stop;
                }
                top = left;
                taken++;
            } else {
                top[1].begin = starts->begin + place;
                top[1].chain = 0;
                memcpy((char *)(top + 1) + offsetof(pmi_open, kind), pair->open, sizeof pair->open);
                top = (pmi_open *)(void *)((char *)top + pair->step);
                deepest = top > deepest ? top : deepest;
                taken += pair->count;
            }
            behind = 0;
            if (pair->length == 2) {
                behind = place + 2;
                mask &= ~(UINT64_C(2) << k);
            }
        }
        place = behind > base + PM_WORD_BITS ? behind : base + PM_WORD_BITS;
    }
stop:
    pmi_token_scan_stacked(scan, top, deepest);
    pmi_token_scan_took(scan, taken, false);
    return place;
}

static void read_places(pmi_token_scan *scan, pmi_starts *starts, size_t place) {
    region_ends all;
    memset(all.known, 0, sizeof all.known);
    while (place < PLACES && !scan->out_of_memory) {
        if (!pmi_token_scan_reserve_opens(scan, PLACES - place + 1)) {
            scan->out_of_memory = true;
            return;
        }
        uint32_t pattern = PM_NONE;
        place = take_places(scan, starts, place, &all, &pattern);
        if (place < PLACES)
            place = read_other(scan, starts, place, pattern);
    }
    scan->next = starts->begin + place;
}

void pmi_crowd_read(pmi_token_scan *scan, pmi_starts *starts, size_t from) {
    size_t at = scan->next > from ? scan->next : from;
    if (starts->dense) {
        if (!pmi_token_scan_reserve_opens(scan, PLACES + 1)) {
            scan->out_of_memory = true;
            return;
        }
        scan->next = at = take_bytes(scan, at, starts->end);
    }
    read_places(scan, starts, at - starts->begin);
}
