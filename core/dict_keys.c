/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table by which a place where one of few patterns may begin is told in one step, mostly: which patterns begin with
 * the same key is looked up, and what these have in common is compared, up to 8 bytes at once.
 */
#include <string.h>

#include "core/dict_compile.h"

/* Compares patterns' bytes without what case is ignored. */
static unsigned char mask_of(const struct pm_dict *dict, unsigned char byte) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    return letter && (dict->flags & PM_DICT_IGNORE_CASE) != 0 ? (unsigned char)~('a' ^ 'A') : 0xff;
}

/* The first bytes of a pattern, and which of their bits count. */
static pm_dict_key key_of(const struct pm_dict *dict, uint32_t number) {
    const pm_dict_pattern *const pattern = &dict->patterns[number];
    unsigned char bytes[PM_KEY_BYTES] = {0}, mask[PM_KEY_BYTES] = {0};
    for (uint32_t i = 0; i < pattern->length && i < PM_KEY_BYTES; i++) {
        bytes[i] = dict->bytes[pattern->begin + i];
        mask[i] = mask_of(dict, bytes[i]);
    }
    pm_dict_key key = {.pattern = pattern->length <= PM_KEY_BYTES ? number : PM_NONE};
    memcpy(&key.bytes, bytes, sizeof bytes);
    memcpy(&key.mask, mask, sizeof mask);
    return key;
}

/* Leaves of a key what another has in common with it. */
static void join(pm_dict_key *key, const pm_dict_key *other) {
    unsigned char mask[PM_KEY_BYTES];
    const uint64_t both = key->mask & other->mask, alike = both & ~(key->bytes ^ other->bytes);
    memcpy(mask, &alike, sizeof mask);
    unsigned char of_both[PM_KEY_BYTES];
    memcpy(of_both, &both, sizeof of_both);
    for (unsigned i = 0; i < PM_KEY_BYTES; i++)
        if (mask[i] != of_both[i])
            mask[i] = 0; /* one of the two bytes is not enough */
    memcpy(&key->mask, mask, sizeof mask);
    key->pattern = PM_NONE;
}

void pm_dict_make_keys(struct pm_dict *dict) {
    pm_dict_keys *const keys = &dict->keys;
    const unsigned char every = (dict->flags & PM_DICT_IGNORE_CASE) != 0 ? (unsigned char)~('a' ^ 'A') : 0xff;
    unsigned char mask[PM_KEY_BYTES] = {0};
    memset(mask, every, dict->prefixes.length);
    memcpy(&keys->mask, mask, sizeof mask);
    bool used[PM_KEYS] = {false};
    memset(keys->keys, 0, sizeof keys->keys);
    for (unsigned k = 0; k < PM_KEYS; k++)
        keys->keys[k].pattern = PM_NONE;
    for (uint32_t i = 0; dict->prefixes.length > 0 && i < dict->count; i++) {
        const pm_dict_key key = key_of(dict, i);
        const unsigned slot = pm_dict_key_slot(keys, key.bytes);
        if (used[slot])
            join(&keys->keys[slot], &key);
        else
            keys->keys[slot] = key;
        used[slot] = true;
    }
}
