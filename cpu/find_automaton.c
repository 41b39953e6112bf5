/* SPDX-License-Identifier: Apache-2.0 */
/* Aho and Corasick's automaton, which reads a range backwards and so comes to events at their beginnings. */
#include "cpu/find_automaton.h"

#include <string.h>

static bool suits_all(const struct pm_dict *dict) {
    (void)dict;
    return true;
}

/* ---- One part after another ---- */

/* A part of the range that is read, from `end` downwards. */
typedef struct lane {
    size_t end;
    int32_t state;    /* after what is behind `end` */
    pm_event *events; /* those from `end` on; earlier ones are put before them */
} lane;

static inline int32_t next_state(const struct pm_dict *dict, int32_t state, unsigned char byte) {
    return dict->rows[state + dict->class_of[byte]];
}

static inline void put_event(const struct pm_dict *dict, lane *l, size_t offset, int32_t state) {
    *--l->events = (pm_event){(uint32_t)offset, (uint32_t)dict->rows[state + (int32_t)dict->classes]};
}

/* Reads what is behind the part, as far as patterns that begin in the part can reach. */
static void read_behind(const pm_search *search, lane *l) {
    const size_t reach = search->dict->longest - 1, left = search->n - l->end;
    l->state = 0;
    for (size_t i = l->end + (left < reach ? left : reach); i-- > l->end;)
        l->state = next_state(search->dict, l->state, search->text[i]);
}

/* Reads the part down to `until`. Offsets are from `origin`. */
static void read_down(const pm_search *search, lane *l, size_t until, size_t origin) {
    for (size_t i = l->end; i-- > until;) {
        l->state = next_state(search->dict, l->state, search->text[i]);
        if (l->state < 0)
            put_event(search->dict, l, i - origin, l->state);
    }
    l->end = until;
}

static size_t search_one(const pm_search *search, size_t first, size_t end, pm_event *events) {
    lane all = {.end = end, .events = events + (end - first)};
    read_behind(search, &all);
    read_down(search, &all, first, first);
    const size_t count = (size_t)(events + (end - first) - all.events);
    memmove(events, all.events, count * sizeof *events);
    return count;
}

const pm_find_engine pm_find_automaton = {"automaton", "Aho and Corasick's automaton, one byte after another",
                                          suits_all, search_one};

/* ---- The trie, from each place ---- */

static size_t search_trie(const pm_search *search, size_t first, size_t end, pm_event *events) {
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        const uint32_t pattern = pm_dict_longest_at(search->dict, search->text + i, search->n - i);
        if (pattern != PM_NONE)
            events[count++] = (pm_event){(uint32_t)(i - first), pattern};
    }
    return count;
}

const pm_find_engine pm_find_trie = {"trie", "PFAC: the trie of the patterns, anew from each byte", suits_all,
                                     search_trie};
