/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of one place are those of its longest pattern and of what that begins with, ordered by pattern. */
#include "base/hit_sink.h"

#define FEW 16u /* hits that are sorted by insertion */

static pm_hit hit_of(const struct pm_dict *dict, uint64_t start, uint32_t pattern) {
    return (pm_hit){start, dict->patterns[pattern].length, pattern};
}

/* ---- The hits of one place, by pattern ---- */

/* Lets hits[i] sink to where no hit below it in the heap has a greater pattern. */
static void sift(pm_hit *hits, size_t count, size_t i) {
    const pm_hit sinking = hits[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && hits[child + 1].pattern > hits[child].pattern;
        if (hits[child].pattern <= sinking.pattern)
            break;
        hits[i] = hits[child];
    }
    hits[i] = sinking;
}

static void make_heap(pm_hit *hits, size_t count) {
    for (size_t i = count / 2; i-- > 0;)
        sift(hits, count, i);
}

static void sort_heap(pm_hit *hits, size_t count) {
    for (size_t end = count; end-- > 1;) {
        const pm_hit greatest = hits[0];
        hits[0] = hits[end];
        hits[end] = greatest;
        sift(hits, end, 0);
    }
}

static bool is_sorted(const pm_hit *hits, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (hits[i - 1].pattern > hits[i].pattern)
            return false;
    return true;
}

static void sort(pm_hit *hits, size_t count) {
    if (count > FEW) {
        make_heap(hits, count);
        sort_heap(hits, count);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const pm_hit hit = hits[i];
        size_t k = i;
        for (; k > 0 && hits[k - 1].pattern > hit.pattern; k--)
            hits[k] = hits[k - 1];
        hits[k] = hit;
    }
}

/* Stores all of them. Where shorter patterns come first in the dictionary, as in a sorted one, they are in order. */
static void store_all(const struct pm_dict *dict, uint64_t start, uint32_t pattern, pm_hit *hits) {
    const size_t count = dict->patterns[pattern].nested;
    for (size_t k = count; k-- > 0; pattern = dict->patterns[pattern].shorter)
        hits[k] = hit_of(dict, start, pattern);
    if (!is_sorted(hits, count))
        sort(hits, count);
}

/* Stores the first `room` > 0 of more, kept in a heap whose greatest goes when a lesser one comes. */
static void store_first(const struct pm_dict *dict, uint64_t start, uint32_t pattern, pm_hit *hits, size_t room) {
    for (size_t k = 0; k < room; k++, pattern = dict->patterns[pattern].shorter)
        hits[k] = hit_of(dict, start, pattern);
    make_heap(hits, room);
    for (; pattern != PM_NONE; pattern = dict->patterns[pattern].shorter)
        if (pattern < hits[0].pattern) {
            hits[0] = hit_of(dict, start, pattern);
            sift(hits, room, 0);
        }
    sort_heap(hits, room);
}

/* ---- The sink ---- */

void pmi_hit_sink_flush(pmi_hit_sink *sink) {
    if (sink->report && sink->stored > 0 && !sink->report(sink->hits, sink->stored, sink->user)) {
        sink->report = NULL; /* from here on hits are only counted */
        sink->capacity = 0;
    }
    sink->stored = 0;
}

/* How many of the next `count` hits are stored. */
static inline size_t make_room(pmi_hit_sink *sink, size_t count) {
    if (sink->capacity - sink->stored < count && sink->report)
        pmi_hit_sink_flush(sink);
    const size_t room = sink->capacity - sink->stored;
    return count < room ? count : room;
}

/* Adds each event's longest hit. */
static void add_longest(pmi_hit_sink *sink, uint64_t base, const pmi_event *events, size_t count) {
    const struct pm_dict *const dict = sink->dict;
    for (size_t e = 0, stored; e < count; e += stored) {
        make_room(sink, 1);
        const size_t room = sink->capacity - sink->stored;
        if (room == 0)
            break;
        stored = count - e < room ? count - e : room;
        pm_hit *const hits = sink->hits + sink->stored;
        for (size_t k = 0; k < stored; k++)
            hits[k] = hit_of(dict, base + events[e + k].offset, events[e + k].pattern);
        sink->stored += stored;
    }
    sink->found += count;
}

/* Adds all hits of events, while there is room for those of any. Whether there is a second one at a place is hard to
 * foretell, so it is stored anyway. Returns how many events that were. */
static size_t add_all_at_once(pmi_hit_sink *sink, uint64_t base, const pmi_event *events, size_t count) {
    const struct pm_dict *const dict = sink->dict;
    const pmi_dict_pattern *const patterns = dict->patterns;
    const size_t most = dict->nested_max < 2 ? 2 : dict->nested_max;
    const size_t before = sink->stored;
    size_t e = 0;
    for (; e < count && sink->capacity - sink->stored >= most; e++) {
        const uint64_t start = base + events[e].offset;
        const uint32_t longest = events[e].pattern, nested = patterns[longest].nested;
        const uint32_t other = nested > 1 ? patterns[longest].shorter : longest;
        pm_hit *const hits = sink->hits + sink->stored;
        hits[0] = hit_of(dict, start, longest < other ? longest : other);
        hits[1] = hit_of(dict, start, longest < other ? other : longest);
        if (nested > 2)
            store_all(dict, start, longest, hits);
        sink->stored += nested;
    }
    sink->found += sink->stored - before;
    return e;
}

static void add_all(pmi_hit_sink *sink, uint64_t base, const pmi_event *events, size_t count) {
    const struct pm_dict *const dict = sink->dict;
    for (size_t e = add_all_at_once(sink, base, events, count); e < count; e++) {
        const uint64_t start = base + events[e].offset;
        const uint32_t pattern = events[e].pattern;
        const size_t nested = dict->patterns[pattern].nested, stored = make_room(sink, nested);
        if (stored == 1 && nested == 1)
            sink->hits[sink->stored] = hit_of(dict, start, pattern);
        else if (stored == nested)
            store_all(dict, start, pattern, sink->hits + sink->stored);
        else if (stored > 0)
            store_first(dict, start, pattern, sink->hits + sink->stored, stored);
        sink->stored += stored;
        sink->found += nested;
    }
}

static inline void add_one(pmi_hit_sink *sink, uint64_t start, uint32_t pattern) {
    if (make_room(sink, 1) > 0)
        sink->hits[sink->stored++] = hit_of(sink->dict, start, pattern);
    sink->found++;
}

/* From left to right, whatever does not begin inside the hit before it. */
static void add_leftmost(pmi_hit_sink *sink, uint64_t base, const pmi_event *events, size_t count) {
    const pmi_dict_pattern *const patterns = sink->dict->patterns;
    for (size_t e = 0; e < count; e++) {
        const uint64_t start = base + events[e].offset;
        if (start < sink->free_from)
            continue;
        const uint32_t longest = events[e].pattern;
        const uint32_t pattern = sink->kind == PM_FIND_LEFTMOST_FIRST ? patterns[longest].least : longest;
        add_one(sink, start, pattern);
        sink->free_from = start + patterns[pattern].length;
    }
}

void pmi_hit_sink_add(pmi_hit_sink *sink, uint64_t base, const pmi_event *events, size_t count) {
    const bool one_a_place = sink->kind == PM_FIND_LONGEST || sink->dict->nested_max == 1;
    if (pmi_hits_independent(sink->kind) && one_a_place)
        add_longest(sink, base, events, count);
    else if (sink->kind == PM_FIND_ALL)
        add_all(sink, base, events, count);
    else
        add_leftmost(sink, base, events, count);
}

uint64_t pmi_hits_count(const struct pm_dict *dict, pm_find_kind kind, const pmi_event *events, size_t count) {
    if (kind == PM_FIND_LONGEST || dict->nested_max == 1)
        return count;
    uint64_t hits = 0;
    for (size_t e = 0; e < count; e++)
        hits += dict->patterns[events[e].pattern].nested;
    return hits;
}
