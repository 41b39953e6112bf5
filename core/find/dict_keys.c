/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table by which a place where one of few patterns may begin is mostly found in one step: up to two patterns whose
 * first bytes lead to one slot are compared with the text there, up to 8 bytes at once; of more, what they have in
 * common is.
 */
#include <string.h>

#include "base/ascii.h"
#include "core/find/dict_compile.h"

#define FACTORS 32u /* that are tried */

/* Compares patterns' bytes without what case is ignored. */
static unsigned char mask_of(const struct pm_dict *dict, unsigned char byte) {
    return pmi_byte_is_letter(byte) && (dict->flags & PM_DICT_IGNORE_CASE) != 0 ? (unsigned char)~('a' ^ 'A') : 0xff;
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

void pmi_dict_make_keys(struct pm_dict *dict) {
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
