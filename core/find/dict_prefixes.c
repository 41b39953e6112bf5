/* SPDX-License-Identifier: Apache-2.0 */
/* The prefixes of a few patterns, in eight buckets, as tables for lookups with vectors of bytes. */
#include <string.h>

#include "base/ascii.h"
#include "core/find/dict_compile.h"

#define BUCKETS 8u
#define PATTERNS_MAX 256u /* with more of them, candidates are everywhere */

/* The bytes that a class has: two where case is ignored. */
static unsigned bytes_like(const struct pm_dict *dict, unsigned char byte, unsigned char like[2]) {
    like[0] = byte;
    like[1] = byte ^ ('a' ^ 'A');
    return pmi_byte_is_letter(byte) && (dict->flags & PM_DICT_IGNORE_CASE) != 0 ? 2 : 1;
}

/* A pattern's first bytes, as many as it has, and how many these are in the lowest byte. */
static uint32_t prefix_of(const struct pm_dict *dict, uint32_t number, unsigned length) {
    const pmi_dict_pattern *const pattern = &dict->patterns[number];
    const unsigned own = pattern->length < length ? pattern->length : length;
    uint32_t prefix = 0;
    for (unsigned p = 0; p < own; p++) {
        unsigned char like[2];
        const unsigned alike = bytes_like(dict, dict->bytes[pattern->begin + p], like);
        prefix |= (uint32_t)(alike == 2 ? like[0] | ('a' ^ 'A') : like[0]) << 8 * (PM_PREFIX_MAX - p);
    }
    return prefix | own;
}

static bool comes_before(uint32_t one, uint32_t other) {
    return one % 256 != other % 256 ? one % 256 < other % 256 : one < other;
}

/* The patterns' prefixes, each once, short ones first, those of one length in order. Returns how many there are. */
static unsigned sort_prefixes(const struct pm_dict *dict, unsigned length, uint32_t sorted[PATTERNS_MAX]) {
    unsigned count = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        const uint32_t prefix = prefix_of(dict, i, length);
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
    double share; /* of a text's places that may be expected to fit */
} bucket;

static void estimate(bucket *b, unsigned length) {
    b->share = 1;
    for (unsigned p = 0; p < length; p++) {
        double here = 0;
        for (unsigned byte = 0; byte < 256; byte++)
            if (b->low[p] >> byte % 16 & b->high[p] >> byte / 16 & 1)
                here += share_of((unsigned char)byte);
        b->share *= here;
    }
}

static bucket bucket_of(const struct pm_dict *dict, uint32_t prefix, unsigned length) {
    bucket made = {.share = 0};
    for (unsigned p = 0; p < length; p++) {
        if (p >= prefix % 256) { /* any byte may follow */
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
    bucket both = {.share = 0};
    for (unsigned p = 0; p < length; p++) {
        both.low[p] = a->low[p] | b->low[p];
        both.high[p] = a->high[p] | b->high[p];
    }
    estimate(&both, length);
    return both;
}

/* Joins neighbours, of which the fewest places more fit, until there are no more than BUCKETS. Returns how many. */
static unsigned join_buckets(bucket *buckets, unsigned count, unsigned length) {
    double costs[PATTERNS_MAX]; /* of joining one with the next */
    for (unsigned k = 0; k + 1 < count; k++)
        costs[k] = joined(&buckets[k], &buckets[k + 1], length).share - buckets[k].share - buckets[k + 1].share;
    for (; count > BUCKETS; count--) {
        unsigned cheapest = 0;
        for (unsigned k = 1; k + 1 < count; k++)
            cheapest = costs[k] < costs[cheapest] ? k : cheapest;
        buckets[cheapest] = joined(&buckets[cheapest], &buckets[cheapest + 1], length);
        memmove(buckets + cheapest + 1, buckets + cheapest + 2, (count - cheapest - 2) * sizeof *buckets);
        memmove(costs + cheapest, costs + cheapest + 1, (count - cheapest - 1) * sizeof *costs);
        for (unsigned k = cheapest > 0 ? cheapest - 1 : 0; k <= cheapest && k + 2 < count; k++)
            costs[k] = joined(&buckets[k], &buckets[k + 1], length).share - buckets[k].share - buckets[k + 1].share;
    }
    return count;
}

void pmi_dict_make_prefixes(struct pm_dict *dict) {
    pmi_dict_prefixes *const prefixes = &dict->prefixes;
    memset(prefixes, 0, sizeof *prefixes);
    if (dict->count == 0 || dict->count > PATTERNS_MAX)
        return;
    const unsigned length = dict->longest < PM_PREFIX_MAX ? dict->longest : PM_PREFIX_MAX;
    prefixes->length = length;
    uint32_t sorted[PATTERNS_MAX];
    bucket buckets[PATTERNS_MAX];
    unsigned count = sort_prefixes(dict, length, sorted);
    for (unsigned k = 0; k < count; k++)
        buckets[k] = bucket_of(dict, sorted[k], length);
    count = join_buckets(buckets, count, length);
    for (unsigned k = 0; k < count; k++) {
        prefixes->share += buckets[k].share;
        for (unsigned p = 0; p < length; p++)
            for (unsigned half = 0; half < 16; half++) {
                prefixes->low[p][half] |= (uint8_t)((buckets[k].low[p] >> half & 1) << k);
                prefixes->high[p][half] |= (uint8_t)((buckets[k].high[p] >> half & 1) << k);
            }
    }
    for (unsigned p = 0; p < length; p++)
        for (unsigned byte = 0; byte < 256; byte++)
            prefixes->six[p][byte % 64] |= prefixes->low[p][byte % 16] & prefixes->high[p][byte / 16];
}
