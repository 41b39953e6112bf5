/* SPDX-License-Identifier: Apache-2.0 */
/* Aho and Corasick's automaton, which reads a range backwards and so comes to events at their beginnings; and PFAC. */
#include "cpu/find/find.h"

#include <string.h>

#define RANGE ((size_t)1 << 15) /* of which the events fit a second-level cache, were there one at each place */

static bool always(const struct pm_dict *dict, const struct pmi_finder *finder) {
    (void)dict;
    (void)finder;
    return true;
}

/* ---- One byte after another ---- */

/* A part of the range, which is read from `end` downwards. */
typedef struct lane {
    size_t end;
    ptrdiff_t state;   /* after what is behind `end` */
    pmi_event *events; /* those from `end` on; earlier ones are put before them */
} lane;

static inline ptrdiff_t next_state(const struct pm_dict *dict, ptrdiff_t state, unsigned char byte) {
    return dict->rows[state + dict->class_of[byte]];
}

static inline void put_event(const struct pm_dict *dict, lane *l, size_t offset) {
    *--l->events = (pmi_event){(uint32_t)offset, (uint32_t)dict->rows[l->state + (ptrdiff_t)dict->classes]};
}

/* Reads what is behind the lane, as far as patterns that begin in it can reach. */
static void read_behind(const pmi_search *search, lane *l) {
    const size_t reach = search->dict->longest - 1, left = search->n - l->end;
    l->state = 0;
    for (size_t i = l->end + (left < reach ? left : reach); i-- > l->end;)
        l->state = next_state(search->dict, l->state, search->text[i]);
}

/* Reads the lane down to `until`. Offsets are from `origin`. */
static void read_down(const pmi_search *search, lane *l, size_t until, size_t origin) {
    for (size_t i = l->end; i-- > until;) {
        l->state = next_state(search->dict, l->state, search->text[i]);
        if (l->state < 0)
            put_event(search->dict, l, i - origin);
    }
    l->end = until;
}

static size_t search_one(const pmi_search *search, size_t first, size_t end, pmi_event *events) {
    lane all = {.end = end, .events = events + (end - first)};
    read_behind(search, &all);
    read_down(search, &all, first, first);
    const size_t count = (size_t)(events + (end - first) - all.events);
    memmove(events, all.events, count * sizeof *events);
    return count;
}

const pmi_find_engine pmi_find_automaton = {
    {"automaton", "Aho and Corasick's automaton, one byte after another"}, always, always, search_one, RANGE, 1};

/* ---- Four lanes ---- */

#define LANES 4u

/*
 * Reads `count` bytes of four lanes of one length: a state depends on the one before it, and while one is waited for
 * there is time for those of other lanes. Four is what a study on Zen 4 found best.
 */
static void read_side_by_side(const pmi_search *search, lane lanes[LANES], size_t count, size_t origin) {
    const struct pm_dict *const dict = search->dict;
    const int32_t *const rows = dict->rows;
    const uint8_t *const class_of = dict->class_of;
    const unsigned char *text[LANES];
    for (unsigned k = 0; k < LANES; k++)
        text[k] = search->text + lanes[k].end - count;
    ptrdiff_t a = lanes[0].state, b = lanes[1].state, c = lanes[2].state, d = lanes[3].state;
    for (size_t i = count; i-- > 0;) {
        a = rows[a + class_of[text[0][i]]];
        b = rows[b + class_of[text[1][i]]];
        c = rows[c + class_of[text[2][i]]];
        d = rows[d + class_of[text[3][i]]];
        if ((a | b | c | d) >= 0)
            continue;
        const ptrdiff_t states[LANES] = {a, b, c, d};
        for (unsigned k = 0; k < LANES; k++) {
            lanes[k].state = states[k];
            if (states[k] < 0)
                put_event(dict, &lanes[k], lanes[k].end - count + i - origin);
        }
    }
    for (unsigned k = 0; k < LANES; k++)
        lanes[k].end -= count;
}

/* The last lane is longer if need be, and begins alone. */
static size_t search_four(const pmi_search *search, size_t first, size_t end, pmi_event *events) {
    const size_t length = (end - first) / LANES;
    lane lanes[LANES];
    for (unsigned k = 0; k < LANES; k++) {
        const size_t lane_end = k + 1 < LANES ? first + (k + 1) * length : end;
        lanes[k] = (lane){.end = lane_end, .events = events + (lane_end - first)};
        read_behind(search, &lanes[k]);
    }
    read_down(search, &lanes[LANES - 1], first + LANES * length, first);
    read_side_by_side(search, lanes, length, first);
    size_t count = 0;
    for (unsigned k = 0; k < LANES; k++) {
        const size_t lane_end = k + 1 < LANES ? (k + 1) * length : end - first;
        const size_t of_lane = (size_t)(events + lane_end - lanes[k].events);
        memmove(events + count, lanes[k].events, of_lane * sizeof *events);
        count += of_lane;
    }
    return count;
}

const pmi_find_engine pmi_find_interleaved = {
    {"interleaved", "Aho and Corasick's automaton on four parts of the text at a time"},
    always,
    always,
    search_four,
    RANGE,
    1};

/* ---- The trie, from each place ---- */

static size_t search_trie(const pmi_search *search, size_t first, size_t end, pmi_event *events) {
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        const uint32_t pattern = pmi_dict_longest_at(search->dict, search->text + i, search->n - i);
        if (pattern != PM_NONE)
            events[count++] = (pmi_event){(uint32_t)(i - first), pattern};
    }
    return count;
}

const pmi_find_engine pmi_find_trie = {
    {"trie", "PFAC: the trie of the patterns, from each byte"}, always, always, search_trie, RANGE, 1};
