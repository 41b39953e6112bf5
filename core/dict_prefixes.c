/* SPDX-License-Identifier: Apache-2.0 */
/* What few patterns begin with, divided into eight buckets, as tables by which vectors of bytes can be looked up. */
#include <string.h>

#include "core/dict_compile.h"

#define BUCKETS 8u
#define PATTERNS_MOST 256u /* with more of them, candidates are everywhere */

/* The bytes that a class has: two where case is ignored. */
static unsigned bytes_like(const struct pm_dict *dict, unsigned char byte, unsigned char like[2]) {
    const unsigned char other = byte ^ ('a' ^ 'A');
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    like[0] = byte;
    like[1] = other;
    return letter && (dict->flags & PM_DICT_IGNORE_CASE) != 0 ? 2 : 1;
}

/* The patterns' first bytes as numbers, each once, in order. Returns how many there are. */
static unsigned sort_prefixes(const struct pm_dict *dict, unsigned length, uint32_t sorted[PATTERNS_MOST]) {
    unsigned count = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        uint32_t prefix = 0;
        for (unsigned p = 0; p < length; p++) {
            unsigned char like[2];
            const unsigned alike = bytes_like(dict, dict->bytes[dict->patterns[i].begin + p], like);
            prefix = prefix << 8 | (alike == 2 ? like[0] | ('a' ^ 'A') : like[0]);
        }
        unsigned k = count;
        while (k > 0 && sorted[k - 1] > prefix)
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

/* How many of a text's places are expected to be candidates. */
static double expected_share(const pm_dict_prefixes *prefixes) {
    double all = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        double share = 1;
        for (unsigned p = 0; p < prefixes->length; p++) {
            double here = 0;
            for (unsigned byte = 0; byte < 256; byte++)
                if (prefixes->low[p][byte % 16] & prefixes->high[p][byte / 16] & 1u << bucket)
                    here += share_of((unsigned char)byte);
            share *= here;
        }
        all += share;
    }
    return all;
}

void pm_dict_make_prefixes(struct pm_dict *dict) {
    pm_dict_prefixes *const prefixes = &dict->prefixes;
    memset(prefixes, 0, sizeof *prefixes);
    if (dict->count == 0 || dict->count > PATTERNS_MOST)
        return;
    prefixes->length = dict->shortest < PM_PREFIX_MOST ? dict->shortest : PM_PREFIX_MOST;
    uint32_t sorted[PATTERNS_MOST];
    const unsigned count = sort_prefixes(dict, prefixes->length, sorted);
    for (unsigned k = 0; k < count; k++) { /* those that begin alike are neighbours, and so in one bucket */
        const uint8_t bucket = (uint8_t)(1u << (count <= BUCKETS ? k : k * BUCKETS / count));
        for (unsigned p = 0; p < prefixes->length; p++) {
            unsigned char like[2];
            const unsigned char byte = (unsigned char)(sorted[k] >> 8 * (prefixes->length - 1 - p));
            for (unsigned alike = bytes_like(dict, byte, like); alike-- > 0;) {
                prefixes->low[p][like[alike] % 16] |= bucket;
                prefixes->high[p][like[alike] / 16] |= bucket;
            }
        }
    }
    for (unsigned p = 0; p < prefixes->length; p++)
        for (unsigned byte = 0; byte < 256; byte++)
            prefixes->six[p][byte % 64] |= prefixes->low[p][byte % 16] & prefixes->high[p][byte / 16];
    prefixes->share = expected_share(prefixes);
}
