/* SPDX-License-Identifier: Apache-2.0 */
/* A window is read by vectors, which find where patterns may begin, and by the dictionary's keys, which say of each
 * place what it is. No step depends on what the one before has found, because that could not be foretold. */
#include "core/delimiters/windows/starts.h"

#include <string.h>

#include "base/ascii.h"
#include "core/delimiters/rules/keys.h"
#include "core/delimiters/windows/alike.h"

#define WINDOW (PM_STARTS_WORDS * PM_WORD_BITS)

/* Masks of where patterns may begin: at the text's end from a copy with zeros behind it. */
static void find_masks(const pmi_starts *starts, uint64_t masks[PM_STARTS_WORDS]) {
    const pmi_dict_starts *const table = &starts->pairs->starts;
    const unsigned char *const text = starts->text + starts->begin;
    const bool in_word = starts->begin > 0 && pmi_byte_is_word(text[-1]);
    const size_t left = starts->n - starts->begin;
    const bool marked = starts->begin < starts->mark;
    if (left >= WINDOW + PM_PREFIX_MAX && !marked) {
        starts->simd->finder->starts(table, text, PM_STARTS_WORDS, in_word, masks);
        return;
    }
    unsigned char copy[WINDOW + PM_PREFIX_MAX];
    const size_t words = left < WINDOW ? pmi_bits_words(left) : PM_STARTS_WORDS;
    const size_t wanted = words * PM_WORD_BITS + PM_PREFIX_MAX, copied = left < wanted ? left : wanted;
    memcpy(copy, text, copied);
    memset(copy + copied, 0, wanted - copied);
    if (marked)
        memset(copy, 0, starts->mark);
    starts->simd->finder->starts(table, copy, words, in_word, masks);
    memset(masks + words, 0, (PM_STARTS_WORDS - words) * sizeof *masks);
}

static bool has_rows(const uint64_t masks[PM_STARTS_WORDS]) {
    uint64_t some = 0;
    for (size_t w = 0; w < PM_STARTS_WORDS; w++)
        some |= masks[w] & masks[w] << 1 & masks[w] << 2;
    return some != 0;
}

/* Of a row of bytes two of which begin a line, as in ------, leaves the first place. */
static void drop_rows(const pmi_starts *starts, uint64_t masks[PM_STARTS_WORDS]) {
    const unsigned char *const text = starts->text + starts->begin, byte = (unsigned char)starts->pairs->line_byte;
    uint64_t rows[PM_STARTS_WORDS], before = starts->begin > 0 && text[-1] == byte;
    if (starts->n - starts->begin < WINDOW || !has_rows(masks))
        return;
    starts->simd->classifier->find(byte, text, PM_STARTS_WORDS, rows, NULL);
    for (size_t w = 0; w < PM_STARTS_WORDS; w++) {
        masks[w] &= ~(rows[w] << 1 | before) | ~rows[w];
        before = rows[w] >> (PM_WORD_BITS - 1);
    }
}

/* Adds the places of a word, and returns how many there are then. Four at a time, because it is hard to foretell
 * how many there are; there is room for them. */
static inline __attribute__((always_inline)) size_t list_places(uint64_t mask, uint32_t base, uint32_t *places,
                                                                size_t count) {
    const size_t more = (size_t)pmi_bits_count(mask);
    size_t k = 0;
    do {
        for (const size_t end = k + 4; k < end; k++, mask &= mask - 1)
            places[count + k] = base + pmi_bits_lowest(mask | UINT64_C(1) << (PM_WORD_BITS - 1));
    } while (k < more);
    return count + more;
}

/* Stores the longest pattern of each place before the window's end, and returns how many places have one. */
static inline __attribute__((always_inline)) size_t find_patterns(const pmi_starts *starts, const uint32_t *places,
                                                                  size_t count, pmi_event *events) {
    const struct pm_dict *const dict = starts->pairs->dict;
    const pmi_pattern_keys *const keys = starts->pairs->keys;
    const unsigned char *const text = starts->text + starts->begin;
    const size_t n = starts->n - starts->begin;
    uint8_t slots[WINDOW];
    size_t found = 0, keyed = 0, k = 0;
    for (; keyed < count && n > PM_KEY_BYTES && places[keyed] < n - PM_KEY_BYTES; keyed++) {
        uint64_t bytes;
        memcpy(&bytes, text + places[keyed], sizeof bytes);
        slots[keyed] = (uint8_t)pmi_pattern_slot_of(keys, text[places[keyed]], bytes);
    }
    for (; k < keyed; k++) {
        const unsigned char *const at = text + places[k];
        uint64_t bytes;
        memcpy(&bytes, at, sizeof bytes);
        const pmi_pattern_key *const ways = keys->slots[slots[k]].ways;
        const bool first = pmi_pattern_key_fits(&ways[0], bytes), second = pmi_pattern_key_fits(&ways[1], bytes);
        const pmi_pattern_key *const key = &ways[!first];
        const unsigned char before = at > starts->text + starts->mark ? at[-1] : 0;
        const unsigned edges = keys->before[before] | keys->behind[at[key->length]];
        uint32_t pattern = key->found;
        bool fits = (first | second) & ((key->edges & edges) == 0);
        if (fits && pattern == PM_NONE) {
            pattern = pmi_dict_longest_at(dict, at, n - places[k]);
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

/* The places in two words of the window. */
static size_t count_some(const uint64_t masks[PM_STARTS_WORDS]) {
    const size_t third = PM_STARTS_WORDS / 3;
    return (size_t)pmi_bits_count(masks[third]) + (size_t)pmi_bits_count(masks[2 * third]);
}

/* Are most bytes of these words tokens by themselves? */
static bool looks_dense(const pmi_starts *starts, const uint64_t masks[PM_STARTS_WORDS]) {
    if (count_some(masks) <= PM_WORD_BITS)
        return false;
    const pmi_pattern_keys *const keys = starts->pairs->keys;
    const unsigned char *const word = starts->text + starts->begin + PM_STARTS_WORDS / 3 * PM_WORD_BITS;
    size_t alone = 0;
    for (size_t i = 0; i < PM_WORD_BITS; i++)
        alone += keys->alone[word[i]].pattern < starts->pairs->pattern_count;
    return 2 * alone > PM_WORD_BITS;
}

/* Where something begins at so many places, regions of one sort may stand side by side. */
#define CROWDED (PM_WORD_BITS / 4)

/* Windows in which these are not looked for after they were in vain. */
#define RESTS 7u

static void drop_alike(pmi_starts *starts, size_t from, uint64_t masks[PM_STARTS_WORDS]) {
    if (starts->rests > 0)
        starts->rests--;
    else if (pmi_alike_drop(starts, from, masks) == 0)
        starts->rests = RESTS;
}

/* Where as many are left, they are visited one by one, */
#define VISITED (PM_WORD_BITS / 2)

/* unless two bytes tell of few of them what begins there: then all are looked up, no step of which waits for another.
 */
#define SAMPLED 8u
static bool look_worded(const pmi_starts *starts, const uint64_t masks[PM_STARTS_WORDS]) {
    const pmi_pattern_keys *const keys = starts->pairs->keys;
    const size_t third = PM_STARTS_WORDS / 3;
    const unsigned char *const word = starts->text + starts->begin + third * PM_WORD_BITS;
    unsigned sampled = 0, told = 0;
    for (uint64_t mask = masks[third]; mask != 0 && sampled < SAMPLED; mask &= mask - 1, sampled++) {
        const unsigned char *const at = word + pmi_bits_lowest(mask);
        told += keys->pair_entries[keys->pairs[keys->classes[at[0]]][keys->classes[at[1]]]].sort != PM_PAIR_OTHER;
    }
    return told * 4 < sampled;
}

/* Looks closer at a window in which something begins at many places. */
static __attribute__((noinline)) void read_crowded(pmi_starts *starts, size_t from, uint64_t masks[PM_STARTS_WORDS]) {
    if (starts->n - starts->begin < WINDOW + PM_PREFIX_MAX || starts->begin < starts->mark)
        return;
    starts->crowded = starts->dense = looks_dense(starts, masks);
    if (starts->dense)
        return;
    drop_alike(starts, from, masks);
    starts->crowded = count_some(masks) > VISITED && !look_worded(starts, masks);
}

/* Finds the patterns of all places. */
static void find_all(pmi_starts *starts, const uint64_t masks[PM_STARTS_WORDS]) {
    uint32_t places[WINDOW + 4];
    size_t count = 0;
    for (size_t w = 0, words = pmi_bits_words(starts->end - starts->begin); w < words; w++)
        count = list_places(masks[w], (uint32_t)(w * PM_WORD_BITS), places, count);
    starts->count = find_patterns(starts, places, count, starts->events);
}

void pmi_starts_read(pmi_starts *starts, size_t from) {
    const size_t begin = starts->begin = from / PM_WORD_BITS * PM_WORD_BITS, left = starts->n - begin;
    uint64_t masks[PM_STARTS_WORDS];
    starts->end = left < WINDOW ? starts->n : begin + WINDOW;
    starts->count = 0;
    starts->crowded = starts->dense = false;
    if (starts->pairs->pattern_count == 0)
        return;
    find_masks(starts, masks);
    if (starts->pairs->line_byte != PM_BYTE_NONE)
        drop_rows(starts, masks);
    if (starts->checks && count_some(masks) > CROWDED)
        read_crowded(starts, from, masks);
    if (starts->crowded)
        memcpy(starts->masks, masks, sizeof masks);
    else
        find_all(starts, masks);
}

uint32_t pmi_starts_pattern(const pmi_starts *starts, uint32_t place) {
    pmi_event event;
    return find_patterns(starts, &place, 1, &event) > 0 ? event.pattern : PM_NONE;
}

void pmi_starts_at(pmi_starts *starts, size_t at) {
    const size_t place = at - starts->begin;
    const uint32_t offset = (uint32_t)place;
    const bool begins = starts->masks[place / PM_WORD_BITS] >> place % PM_WORD_BITS & 1;
    starts->count = begins ? find_patterns(starts, &offset, 1, starts->events) : 0;
}
