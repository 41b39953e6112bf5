/* SPDX-License-Identifier: Apache-2.0 */
/* A window is read by vectors, which find where patterns may begin, and by the dictionary's keys, which say of each
 * place what it is. No step depends on what the one before has found, because that could not be foretold. */
#include "core/delimiters/starts.h"

#include <string.h>

#include "base/ascii.h"
#include "broadword/find/find.h"

#define WINDOW (PM_STARTS_WORDS * PM_WORD_BITS)

/* Masks of where patterns may begin: at the text's end from a copy with zeros behind it. */
static void find_masks(const pmi_starts *starts, uint64_t masks[PM_STARTS_WORDS]) {
    const pmi_dict_starts *const table = &starts->pairs->starts;
    const unsigned char *const text = starts->text + starts->begin;
    const bool in_word = starts->begin > 0 && pmi_byte_is_word(text[-1]);
    const size_t left = starts->n - starts->begin;
    const bool marked = starts->begin < starts->mark;
    if (left >= WINDOW + PM_PREFIX_MAX && !marked) {
        starts->finder->starts(table, text, PM_STARTS_WORDS, in_word, masks);
        return;
    }
    unsigned char copy[WINDOW + PM_PREFIX_MAX] = {0};
    memcpy(copy, text, left < sizeof copy ? left : sizeof copy);
    if (marked)
        memset(copy, 0, starts->mark);
    starts->finder->starts(table, copy, PM_STARTS_WORDS, in_word, masks);
}

/* Adds the places of a word, and returns how many there are then. The first four at once, because it is hard to
 * foretell whether there are as many; there is room for them. */
static size_t list_places(uint64_t mask, uint32_t base, uint32_t *places, size_t count) {
    const size_t more = (size_t)pmi_bits_count(mask);
    for (size_t k = 0; k < 4; k++, mask &= mask - 1)
        places[count + k] = base + pmi_bits_lowest(mask | UINT64_C(1) << (PM_WORD_BITS - 1));
    for (size_t k = 4; k < more; k++, mask &= mask - 1)
        places[count + k] = base + pmi_bits_lowest(mask);
    return count + more;
}

/* Stores the longest pattern of each place before n, and returns how many places have one. */
static size_t find_patterns(const struct pm_dict *dict, const unsigned char *text, size_t n, const uint32_t *places,
                            size_t count, pmi_event *events) {
    const uint64_t mask = dict->keys.mask, factor = dict->keys.factor;
    const bool exact = dict->keys.exact;
    size_t found = 0, k = 0;
    for (; dict->prefixes.length > 0 && k < count && n >= PM_KEY_BYTES && places[k] <= n - PM_KEY_BYTES; k++) {
        uint64_t bytes;
        memcpy(&bytes, text + places[k], sizeof bytes);
        const pmi_dict_key *const ways = dict->keys.slots[(bytes & mask) * factor >> 56].ways;
        const bool first = pmi_dict_key_fits(&ways[0], bytes);
        bool fits = first | pmi_dict_key_fits(&ways[1], bytes);
        uint32_t pattern = ways[!first].pattern;
        if (!exact && fits && pattern == PM_NONE) {
            pattern = pmi_dict_longest_at(dict, text + places[k], n - places[k]);
            fits = pattern != PM_NONE;
        }
        events[found] = (pmi_event){places[k], pattern};
        found += fits;
    }
    for (; k < count && places[k] < n; k++) {
        const uint32_t pattern = pmi_dict_longest_at(dict, text + places[k], n - places[k]);
        events[found] = (pmi_event){places[k], pattern};
        found += pattern != PM_NONE;
    }
    return found;
}

void pmi_starts_read(pmi_starts *starts, size_t from) {
    const struct pm_dict *const dict = starts->pairs->dict;
    const size_t begin = starts->begin = from / PM_WORD_BITS * PM_WORD_BITS, left = starts->n - begin;
    uint32_t places[WINDOW + 4];
    uint64_t masks[PM_STARTS_WORDS];
    size_t count = 0;
    starts->end = left < WINDOW ? starts->n : begin + WINDOW;
    starts->count = 0;
    if (dict->count == 0)
        return;
    find_masks(starts, masks);
    for (size_t w = 0; w < PM_STARTS_WORDS; w++)
        count = list_places(masks[w], (uint32_t)(w * PM_WORD_BITS), places, count);
    starts->count = find_patterns(dict, starts->text + begin, left, places, count, starts->events);
}
