/* SPDX-License-Identifier: Apache-2.0 */
/* Making the keys of patterns: a factor is looked for by which few of them share a slot. */
#include "core/delimiters/rules/keys.h"

#include <string.h>

#define FACTORS 32u /* that are tried */
#define BYTES sizeof(uint64_t)

static pmi_rule_word word_of(const struct pmi_delimiters *pairs, uint32_t pattern) {
    return pairs->words[pairs->rules[pattern].word_at];
}

/* The bits of a byte that are compared. */
static unsigned char mask_of(const struct pmi_delimiters *pairs, unsigned char byte) {
    return pairs->ignore_case && pmi_byte_is_letter(byte) ? (unsigned char)~('a' ^ 'A') : 0xff;
}

/* What is of several words does not begin either where a word goes on behind the first. */
unsigned pmi_pattern_edges(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule_word word = word_of(pairs, pattern);
    const unsigned char *const bytes = pairs->bytes + word.begin;
    bool all_words = true;
    for (uint32_t rule = pairs->rules[pattern].first; rule != PM_NONE; rule = pairs->rules[rule].shorter)
        all_words &= pairs->rules[rule].word;
    const bool alone = pairs->rules[pattern].shorter == PM_NONE;
    return (all_words && pmi_byte_is_word(bytes[0]) ? PM_EDGE_BEFORE : 0) |
           (pairs->rules[pattern].word && alone && pmi_byte_is_word(bytes[word.length - 1]) ? PM_EDGE_BEHIND : 0);
}

bool pmi_pattern_is_tag(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule *const rule = &pairs->rules[pattern];
    return rule->role == PM_RULE_TAG && rule->first == pattern && !rule->word;
}

bool pmi_pattern_is_tagged(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule *const rule = &pairs->rules[pattern];
    return rule->role == PM_RULE_REGION && !rule->word && rule->first == pattern && rule->shorter == PM_NONE &&
           pairs->regions[rule->index].flags == PM_SKIP_TAGGED;
}

static uint32_t flags_of(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule *const rule = &pairs->rules[pattern];
    if (pairs->quick_regions[pattern].length > 0)
        return PM_PATTERN_SKIPS;
    if (pmi_pattern_is_tag(pairs, pattern))
        return PM_PATTERN_TAG;
    if (pmi_pattern_is_tagged(pairs, pattern))
        return PM_PATTERN_TAGGED;
    if (pairs->quick[pattern].length == 0)
        return 0;
    return rule->first == pattern ? PM_PATTERN_QUICK : PM_PATTERN_FOLLOWED;
}

/* The first bytes of a pattern, and which of their bits count. */
static pmi_pattern_key key_of(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule_word word = word_of(pairs, pattern);
    unsigned char bytes[BYTES] = {0}, mask[BYTES] = {0};
    for (uint32_t i = 0; i < word.length && i < BYTES; i++) {
        bytes[i] = pairs->bytes[word.begin + i];
        mask[i] = mask_of(pairs, bytes[i]);
    }
    pmi_pattern_key key = {.found = PM_NONE};
    memcpy(&key.bytes, bytes, sizeof bytes);
    memcpy(&key.mask, mask, sizeof mask);
    key.bytes &= key.mask;
    if (word.length > BYTES)
        return key;
    key.found = pattern | flags_of(pairs, pattern);
    key.length = (uint16_t)word.length;
    key.edges = (uint16_t)pmi_pattern_edges(pairs, pattern);
    return key;
}

/* The slot of a pattern's first bytes; in another case they lead there as well. */
static unsigned slot_of(const struct pmi_delimiters *pairs, const pmi_pattern_keys *keys, uint32_t pattern) {
    const pmi_pattern_key key = key_of(pairs, pattern);
    return pmi_pattern_slot_of(keys, pairs->bytes[word_of(pairs, pattern).begin], key.bytes);
}

static void make_masks(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    const unsigned char every = pairs->ignore_case ? (unsigned char)~('a' ^ 'A') : 0xff;
    uint32_t lengths[256] = {0};
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        const pmi_rule_word word = word_of(pairs, p);
        uint32_t *const length = &lengths[pmi_fold_case(pairs->bytes[word.begin], pairs->ignore_case)];
        *length = *length == 0 || word.length < *length ? word.length : *length;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint32_t length = lengths[pmi_fold_case((unsigned char)byte, pairs->ignore_case)];
        unsigned char mask[BYTES] = {0};
        memset(mask, every, length < BYTES ? length : BYTES);
        if (length > 0)
            mask[0] = mask_of(pairs, (unsigned char)byte); /* { and [ differ by what the cases of a letter do */
        memcpy(&keys->masks[byte], mask, sizeof mask);
    }
}

static size_t cost_of(const struct pmi_delimiters *pairs, const pmi_pattern_keys *keys) {
    unsigned counts[PM_PATTERN_SLOTS] = {0};
    size_t cost = 0;
    for (uint32_t p = 0; p < pairs->pattern_count; p++)
        counts[slot_of(pairs, keys, p)]++;
    for (unsigned k = 0; k < PM_PATTERN_SLOTS; k++)
        cost += counts[k] > PM_PATTERN_WAYS ? counts[k] : 0;
    return cost;
}

static void find_factor(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    uint64_t factor = UINT64_C(0x9e3779b97f4a7c15), best = factor;
    size_t min_cost = SIZE_MAX;
    for (unsigned t = 0; t < FACTORS && min_cost > 0; t++, factor = factor * UINT64_C(0x5851f42d4c957f2d)) {
        keys->factor = factor;
        const size_t cost = cost_of(pairs, keys);
        if (cost < min_cost) {
            min_cost = cost;
            best = factor;
        }
    }
    keys->factor = best;
}

/* Leaves of a key what another has in common with it. */
static void join(pmi_pattern_key *key, const pmi_pattern_key *other) {
    key->mask &= other->mask & ~(key->bytes ^ other->bytes);
    key->bytes &= key->mask;
    key->found = PM_NONE;
    key->edges = 0;
}

/* Puts the keys of some patterns into their slot, where the shortest key comes first. Of more than two, the others have
 * one key in common: where that fits, the dictionary is asked. */
static void fill(pmi_pattern_slot *slot, const pmi_pattern_key *keys, unsigned count) {
    pmi_pattern_key *const ways = slot->ways;
    if (count == 1) {
        ways[0] = keys[0];
        return;
    }
    ways[1] = keys[0];
    ways[0] = keys[1];
    for (unsigned k = 2; k < count; k++)
        join(&ways[0], &keys[k]);
}

/* Puts the keys of all patterns into their slots. */
static void fill_slots(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    uint32_t newest[PM_PATTERN_SLOTS], before[PM_RULES_PATTERNS_MAX]; /* pattern of a slot; the one before it there */
    pmi_pattern_key of_slot[PM_RULES_PATTERNS_MAX];
    memset(newest, 0xff, sizeof newest);
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        uint32_t *const slot = &newest[slot_of(pairs, keys, p)];
        before[p] = *slot;
        *slot = p;
    }
    for (unsigned k = 0; k < PM_PATTERN_SLOTS; k++) {
        unsigned count = 0;
        uint32_t shortest = UINT32_MAX;
        for (uint32_t p = newest[k]; p != PM_NONE; p = before[p]) {
            const uint32_t length = word_of(pairs, p).length;
            of_slot[count] = key_of(pairs, p);
            if (length < shortest) {
                const pmi_pattern_key first = of_slot[0];
                of_slot[0] = of_slot[count];
                of_slot[count] = first;
                shortest = length;
            }
            count++;
        }
        if (count > 0)
            fill(&keys->slots[k], of_slot, count);
    }
}

/* What is known of a byte that patterns begin with. */
typedef struct byte_patterns {
    uint32_t single; /* a quick token of one byte; PM_NONE: there is no such pattern */
    unsigned second; /* of longer patterns; PM_BYTE_NONE: there are none */
    bool odd;        /* more than this would have to be known */
} byte_patterns;

static void note_pattern(const struct pmi_delimiters *pairs, uint32_t pattern, byte_patterns *byte) {
    const pmi_rule_word word = word_of(pairs, pattern);
    const unsigned char *const bytes = pairs->bytes + word.begin;
    if (word.length == 1) {
        byte->odd |=
            pmi_byte_is_word(bytes[0]) || pairs->quick[pattern].length == 0 || pairs->rules[pattern].first != pattern;
        byte->single = pattern;
        return;
    }
    byte->odd |= byte->second != PM_BYTE_NONE && byte->second != bytes[1];
    byte->odd |= pairs->ignore_case && pmi_byte_is_letter(bytes[1]);
    byte->second = bytes[1];
}

static void make_alone(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    byte_patterns of_bytes[256];
    for (unsigned b = 0; b < 256; b++)
        of_bytes[b] = (byte_patterns){PM_NONE, PM_BYTE_NONE, false};
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        const unsigned char first = pairs->bytes[word_of(pairs, p).begin];
        note_pattern(pairs, p, &of_bytes[first]);
        if (pairs->ignore_case && pmi_byte_is_letter(first))
            note_pattern(pairs, p, &of_bytes[first ^ ('a' ^ 'A')]);
    }
    for (unsigned b = 0; b < 256; b++) {
        const byte_patterns byte = of_bytes[b];
        const uint32_t pattern = byte.odd                 ? pairs->pattern_count + 1
                                 : byte.single != PM_NONE ? byte.single
                                                          : pairs->pattern_count;
        const pmi_quick_token *const token = &pairs->quick[pattern];
        keys->alone[b] =
            (pmi_alone){.open = {token->open.kind, token->open.rule, token->open.implied, token->open.length},
                        .step = token->step,
                        .count = token->count,
                        .closes = token->closes ? UINT32_MAX : 0,
                        .pattern = (uint16_t)pattern,
                        .unless = (uint16_t)byte.second};
    }
}

/* False: it is long, or written in several ways. */
static bool make_word(const struct pmi_delimiters *pairs, pmi_rule_word word, pmi_quick_word *made) {
    unsigned char bytes[BYTES] = {0}, mask[BYTES] = {0};
    *made = (pmi_quick_word){.bytes = 1, .mask = 0};
    if (word.length > BYTES)
        return false;
    for (uint32_t k = 0; k < word.length; k++) {
        bytes[k] = pairs->bytes[word.begin + k];
        mask[k] = 0xff;
        if (mask_of(pairs, bytes[k]) != mask[k])
            return false;
    }
    if (word.length == 0)
        return true;
    memcpy(&made->bytes, bytes, sizeof bytes);
    memcpy(&made->mask, mask, sizeof mask);
    made->length = word.length;
    return true;
}

static void make_tags(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    for (uint32_t f = 0; f < pairs->family_count && f < PM_QUICK_FAMILIES; f++) {
        const pmi_tag_family *const family = &pairs->families[f];
        pmi_quick_family *const quick = &keys->families[f];
        const bool plain_end = make_word(pairs, family->end, &quick->end);
        quick->plain = make_word(pairs, family->empty, &quick->empty) && plain_end;
        quick->nothing = family->statement && family->names.count + family->raw_names.count == 0;
        for (unsigned byte = 0; byte < 256; byte++) {
            const bool ends = family->statement ? !pmi_byte_is_word((unsigned char)byte)
                                                : (family->roles[byte] & PM_TAG_NAME_ENDS) != 0;
            const bool matters = family->roles[byte] & PM_TAG_MATTERS;
            quick->bytes.of[byte] = (uint8_t)(ends << PM_QUICK_NAME_ENDS | matters << PM_QUICK_MATTERS);
        }
        pmi_byte_classes_finish(&quick->bytes);
    }
}

static void make_nested(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    static const char others[] = {'/', '"', '\'', '`'};
    uint8_t *const of = keys->nested.of;
    for (size_t k = 0; k < sizeof others; k++)
        of[(unsigned char)others[k]] = 1u << PM_NESTED_OTHER;
    of[pairs->nested_open] = 1u << PM_NESTED_OPEN;
    of[pairs->nested_close] = 1u << PM_NESTED_CLOSE;
    pmi_byte_classes_finish(&keys->nested);
}

void pmi_pattern_keys_make(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    memset(keys, 0, sizeof *keys);
    make_masks(pairs, keys);
    make_alone(pairs, keys);
    make_tags(pairs, keys);
    if (pairs->nested_open)
        make_nested(pairs, keys);
    pmi_pattern_pairs_make(pairs, keys);
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool sigil = pairs->sigils[byte / 64] >> byte % 64 & 1;
        keys->before[byte] = sigil || pmi_byte_is_word((unsigned char)byte) ? PM_EDGE_BEFORE : 0;
        keys->behind[byte] = pmi_byte_is_word((unsigned char)byte) ? PM_EDGE_BEHIND : 0;
    }
    find_factor(pairs, keys);
    for (unsigned k = 0; k < PM_PATTERN_SLOTS; k++)
        for (unsigned w = 0; w < PM_PATTERN_WAYS; w++) /* which fits nothing */
            keys->slots[k].ways[w] = (pmi_pattern_key){.bytes = UINT64_MAX, .mask = 0, .found = PM_NONE};
    fill_slots(pairs, keys);
}
