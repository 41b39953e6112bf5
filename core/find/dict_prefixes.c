/* SPDX-License-Identifier: Apache-2.0 */
/* Where one of a few patterns may begin: their prefixes, in eight buckets, as tables for lookups with vectors of bytes;
 * and keys, which mostly find such a pattern in one step. */
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/slice.h"
#include "core/find/dict_compile.h"
#include "core/find/find.h"

#define BUCKETS 8u
#define PATTERNS_MAX 256u /* with more of them, candidates are everywhere */
#define BEGINS_WORD 128u  /* in the lowest byte of a prefix: it is one only where a word begins */
#define WORD_BEGINS 0.2   /* of the bytes of words, roughly */

/* Is the byte a letter whose case is ignored? */
static bool folds(const struct pm_dict *dict, unsigned char byte) {
    return pmi_byte_is_letter(byte) && (dict->flags & PM_DICT_IGNORE_CASE) != 0;
}

/* The bytes that a class has: two where case is ignored. */
static unsigned bytes_like(const struct pm_dict *dict, unsigned char byte, unsigned char like[2]) {
    like[0] = byte;
    like[1] = byte ^ ('a' ^ 'A');
    return folds(dict, byte) ? 2 : 1;
}

/* A pattern's first bytes, as many as it has, and how many these are in the lowest byte. */
static uint32_t prefix_of(const struct pm_dict *dict, const bool *begins_word, uint32_t number, unsigned length) {
    const pmi_dict_pattern *const pattern = &dict->patterns[number];
    const unsigned own = pattern->length < length ? pattern->length : length;
    uint32_t prefix = 0;
    for (unsigned p = 0; p < own; p++) {
        unsigned char like[2];
        const unsigned alike = bytes_like(dict, dict->bytes[pattern->begin + p], like);
        prefix |= (uint32_t)(alike == 2 ? like[0] | ('a' ^ 'A') : like[0]) << 8 * (PM_PREFIX_MAX - p);
    }
    return prefix | own | (begins_word && begins_word[number] ? BEGINS_WORD : 0);
}

static bool comes_before(uint32_t one, uint32_t other) {
    return one % 256 != other % 256 ? one % 256 < other % 256 : one < other;
}

/* Does a prefix begin with one of those before it? If that counts only where words begin, so does the prefix. */
static bool is_covered(uint32_t prefix, const uint32_t *sorted, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        const uint32_t own = sorted[k] % BEGINS_WORD, bytes = UINT32_MAX << 8 * (PM_PREFIX_MAX + 1 - own);
        if (own <= prefix % BEGINS_WORD && (prefix & bytes) == (sorted[k] & bytes))
            return true;
    }
    return false;
}

/* Leaves prefixes out where others are sought anyway: each bucket less tells the others better apart. */
static unsigned drop_covered(uint32_t *sorted, unsigned count) {
    unsigned left = 0;
    for (unsigned k = 0; k < count; k++)
        if (!is_covered(sorted[k], sorted, left))
            sorted[left++] = sorted[k];
    return left;
}

/* The patterns' prefixes, each once, those that begin words last, short ones first, those of one length in order.
 * Returns how many there are. */
static unsigned sort_prefixes(const struct pm_dict *dict, const bool *begins_word, unsigned length,
                              uint32_t sorted[PATTERNS_MAX]) {
    unsigned count = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        const uint32_t prefix = prefix_of(dict, begins_word, i, length);
        unsigned k = count;
        while (k > 0 && comes_before(prefix, sorted[k - 1]))
            k--;
        if (k > 0 && sorted[k - 1] == prefix)
            continue;
        memmove(sorted + k + 1, sorted + k, (count - k) * sizeof *sorted);
        sorted[k] = prefix;
        count++;
    }
    return count;
}

/* How often a byte occurs, roughly, in texts of all kinds. */
static double share_of(unsigned char byte) {
    if (byte == ' ')
        return .11;
    if (byte >= 'a' && byte <= 'z')
        return .023;
    return byte > ' ' && byte < 0x7f ? .004 : .001;
}

/* Prefixes that share a bucket: bit h of low[p] is set if half h may be the lower one of byte p. */
typedef struct bucket {
    uint16_t low[PM_PREFIX_MAX], high[PM_PREFIX_MAX];
    bool begins_word;
    double share; /* of a text's places that may be expected to fit */
} bucket;

static void estimate(bucket *b, unsigned length) {
    b->share = b->begins_word ? WORD_BEGINS : 1;
    for (unsigned p = 0; p < length; p++) {
        double here = 0;
        for (unsigned high = b->high[p]; high != 0; high &= high - 1)
            for (unsigned low = b->low[p]; low != 0; low &= low - 1)
                here += share_of((unsigned char)(16 * pmi_bits_lowest(high) + pmi_bits_lowest(low)));
        b->share *= here;
    }
}

static bucket bucket_of(const struct pm_dict *dict, uint32_t prefix, unsigned length) {
    bucket made = {.begins_word = prefix & BEGINS_WORD};
    for (unsigned p = 0; p < length; p++) {
        if (p >= prefix % BEGINS_WORD) { /* any byte may follow */
            made.low[p] = made.high[p] = UINT16_MAX;
            continue;
        }
        unsigned char like[2];
        for (unsigned alike = bytes_like(dict, (unsigned char)(prefix >> 8 * (PM_PREFIX_MAX - p)), like);
             alike-- > 0;) {
            made.low[p] |= (uint16_t)(1u << like[alike] % 16);
            made.high[p] |= (uint16_t)(1u << like[alike] / 16);
        }
    }
    estimate(&made, length);
    return made;
}

static bucket joined(const bucket *a, const bucket *b, unsigned length) {
    bucket both = {.begins_word = a->begins_word};
    for (unsigned p = 0; p < length; p++) {
        both.low[p] = a->low[p] | b->low[p];
        both.high[p] = a->high[p] | b->high[p];
    }
    estimate(&both, length);
    return both;
}

/* How many more of a text's places fit when both are one; those that begin words stay apart from others. */
static double cost_of_joining(const bucket *a, const bucket *b, unsigned length) {
    return a->begins_word != b->begins_word ? HUGE_VAL : joined(a, b, length).share - a->share - b->share;
}

/* Joins neighbours, of which the fewest places more fit, until there are no more than BUCKETS. Returns how many. */
static unsigned join_buckets(bucket *buckets, unsigned count, unsigned length) {
    double costs[PATTERNS_MAX]; /* of joining one with the next */
    for (unsigned k = 0; k + 1 < count; k++)
        costs[k] = cost_of_joining(&buckets[k], &buckets[k + 1], length);
    for (; count > BUCKETS; count--) {
        unsigned cheapest = 0;
        for (unsigned k = 1; k + 1 < count; k++)
            cheapest = costs[k] < costs[cheapest] ? k : cheapest;
        buckets[cheapest] = joined(&buckets[cheapest], &buckets[cheapest + 1], length);
        memmove(buckets + cheapest + 1, buckets + cheapest + 2, (count - cheapest - 2) * sizeof *buckets);
        memmove(costs + cheapest, costs + cheapest + 1, (count - cheapest - 1) * sizeof *costs);
        for (unsigned k = cheapest > 0 ? cheapest - 1 : 0; k <= cheapest && k + 2 < count; k++)
            costs[k] = cost_of_joining(&buckets[k], &buckets[k + 1], length);
    }
    return count;
}

/* `begins_word` says it of each pattern; NULL: of none. No more than PATTERNS_MAX prefixes differ. Returns the buckets
 * that begin words. */
static uint8_t make_prefixes(const struct pm_dict *dict, const bool *begins_word, unsigned length,
                             pmi_dict_prefixes *prefixes) {
    uint32_t sorted[PATTERNS_MAX];
    bucket buckets[PATTERNS_MAX];
    uint8_t words = 0;
    unsigned count = drop_covered(sorted, sort_prefixes(dict, begins_word, length, sorted));
    prefixes->length = length;
    for (unsigned k = 0; k < count; k++)
        buckets[k] = bucket_of(dict, sorted[k], length);
    count = join_buckets(buckets, count, length);
    for (unsigned k = 0; k < count; k++) {
        prefixes->share += buckets[k].share;
        words |= (uint8_t)(buckets[k].begins_word << k);
        for (unsigned p = 0; p < length; p++)
            for (unsigned half = 0; half < 16; half++) {
                prefixes->low[p][half] |= (uint8_t)((buckets[k].low[p] >> half & 1) << k);
                prefixes->high[p][half] |= (uint8_t)((buckets[k].high[p] >> half & 1) << k);
            }
    }
    for (unsigned p = 0; p < length; p++)
        for (unsigned byte = 0; byte < 256; byte++)
            prefixes->six[p][byte % 64] |= prefixes->low[p][byte % 16] & prefixes->high[p][byte / 16];
    return words;
}

static unsigned prefix_length(const struct pm_dict *dict) {
    return dict->longest < PM_PREFIX_MAX ? dict->longest : PM_PREFIX_MAX;
}

void pmi_dict_make_starts(const struct pm_dict *dict, const bool *begins_word, pmi_dict_starts *starts) {
    const bool many = dict->count > PATTERNS_MAX;
    memset(starts, 0, sizeof *starts);
    if (dict->count > 0)
        starts->words =
            make_prefixes(dict, many ? NULL : begins_word, many ? 1 : prefix_length(dict), &starts->prefixes);
}

/*
 * ---- Keys ----
 *
 * A table by which a place where one of few patterns may begin is mostly found in one step: up to two patterns whose
 * first bytes lead to one slot are compared with the text there, up to 8 bytes at once; of more, what they have in
 * common is.
 */

#define FACTORS 32u /* that are tried */

/* The bits of a byte that are compared. */
static unsigned char mask_of(const struct pm_dict *dict, unsigned char byte) {
    return folds(dict, byte) ? (unsigned char)~('a' ^ 'A') : 0xff;
}

/* The first bytes of a pattern, and which of their bits count. */
static pmi_dict_key key_of(const struct pm_dict *dict, uint32_t number) {
    const pmi_dict_pattern *const pattern = &dict->patterns[number];
    unsigned char bytes[PM_KEY_BYTES] = {0}, mask[PM_KEY_BYTES] = {0};
    for (uint32_t i = 0; i < pattern->length && i < PM_KEY_BYTES; i++) {
        bytes[i] = dict->bytes[pattern->begin + i];
        mask[i] = mask_of(dict, bytes[i]);
    }
    pmi_dict_key key = {.pattern = pattern->length <= PM_KEY_BYTES ? number : PM_NONE};
    memcpy(&key.bytes, bytes, sizeof bytes);
    memcpy(&key.mask, mask, sizeof mask);
    return key;
}

/* Leaves of a key what another has in common with it. */
static void join(pmi_dict_key *key, const pmi_dict_key *other) {
    key->mask &= other->mask & ~(key->bytes ^ other->bytes);
    key->pattern = PM_NONE;
}

/* How many patterns each slot would have. */
static void count_patterns(const struct pm_dict *dict, uint64_t factor, unsigned counts[PM_KEYS]) {
    const pmi_dict_keys tried = {.mask = dict->keys.mask, .factor = factor};
    memset(counts, 0, PM_KEYS * sizeof *counts);
    for (uint32_t i = 0; i < dict->count; i++)
        counts[pmi_dict_key_slot(&tried, key_of(dict, i).bytes)]++;
}

/* A factor by which few patterns share a slot, and fewer still one with two others. Those that begin alike always do.
 */
static uint64_t find_factor(const struct pm_dict *dict) {
    uint64_t factor = UINT64_C(0x9e3779b97f4a7c15), best = factor;
    size_t min_cost = SIZE_MAX;
    for (unsigned t = 0; t < FACTORS && min_cost > 0; t++, factor = factor * UINT64_C(0x5851f42d4c957f2d)) {
        unsigned counts[PM_KEYS];
        size_t cost = 0;
        count_patterns(dict, factor, counts);
        for (unsigned k = 0; k < PM_KEYS; k++)
            cost += counts[k] > 2 ? PM_KEYS : counts[k] == 2;
        if (cost < min_cost) {
            min_cost = cost;
            best = factor;
        }
    }
    return best;
}

/* A key that fits nothing that leads to the slot, because its own bytes lead elsewhere. */
static pmi_dict_key key_of_nothing(const pmi_dict_keys *keys, unsigned slot) {
    pmi_dict_key key = {.mask = keys->mask, .pattern = PM_NONE};
    unsigned char bytes[PM_KEY_BYTES] = {0};
    while (pmi_dict_key_slot(keys, key.bytes) == slot) {
        bytes[0]++;
        memcpy(&key.bytes, bytes, sizeof bytes);
        key.bytes &= key.mask;
    }
    return key;
}

/* Puts the pattern's key into its slot, which has those of `before` patterns. */
static void put(struct pm_dict *dict, uint32_t number, pmi_dict_slot *slot, unsigned before) {
    const pmi_dict_key key = key_of(dict, number);
    pmi_dict_key *const ways = slot->ways;
    if (before == 0) {
        ways[0] = key;
    } else if (before == 1) { /* the longer one first, which may begin with the other */
        const bool longer = ways[0].pattern != PM_NONE && (key.mask & ways[0].mask) == ways[0].mask;
        ways[longer] = ways[0];
        ways[!longer] = key;
    } else {
        if (before == 2)
            join(&ways[0], &ways[1]);
        join(&ways[0], &key);
    }
}

static void make_keys(struct pm_dict *dict) {
    pmi_dict_keys *const keys = &dict->keys;
    const unsigned char every = (dict->flags & PM_DICT_IGNORE_CASE) != 0 ? (unsigned char)~('a' ^ 'A') : 0xff;
    unsigned char mask[PM_KEY_BYTES] = {0};
    memset(keys, 0, sizeof *keys);
    if (dict->prefixes.length == 0)
        return;
    memset(mask, every, dict->shortest < PM_KEY_BYTES ? dict->shortest : PM_KEY_BYTES);
    memcpy(&keys->mask, mask, sizeof mask);
    keys->factor = find_factor(dict);
    unsigned counts[PM_KEYS] = {0};
    for (uint32_t i = 0; i < dict->count; i++) {
        const unsigned slot = pmi_dict_key_slot(keys, key_of(dict, i).bytes);
        put(dict, i, &keys->slots[slot], counts[slot]++);
    }
    keys->one_way = keys->exact = true;
    for (unsigned k = 0; k < PM_KEYS; k++) {
        pmi_dict_key *const ways = keys->slots[k].ways;
        keys->one_way &= counts[k] != 2;
        for (unsigned w = counts[k] > 2 ? 1 : counts[k]; w < 2; w++)
            ways[w] = key_of_nothing(keys, k);
        for (unsigned w = 0; w < counts[k] && w < 2; w++)
            keys->exact &= counts[k] <= 2 && ways[w].pattern != PM_NONE;
    }
}

void pmi_dict_make_prefixes(struct pm_dict *dict) {
    memset(&dict->prefixes, 0, sizeof dict->prefixes);
    if (dict->count > 0 && dict->count <= PATTERNS_MAX)
        make_prefixes(dict, NULL, prefix_length(dict), &dict->prefixes);
    make_keys(dict);
}
