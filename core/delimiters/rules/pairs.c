/* SPDX-License-Identifier: Apache-2.0 */
/* What two bytes begin: of patterns whose bytes are of no word, and that no longer pattern begins with. */
#include <string.h>

#include "core/delimiters/rules/keys.h"

/* Classes of bytes: those of no word that patterns begin with, or go on with, have one each. */
#define CLASS_OTHER 0u
#define CLASS_WORD 1u
#define CLASS_FIRST 2u

#define ENTRY_OTHER 0u
#define ENTRY_NOTHING 1u
#define ENTRY_FIRST 2u

/* What is being made. */
typedef struct pair_tables {
    const struct pmi_delimiters *pairs;
    pmi_pattern_keys *keys;
    unsigned classes, entries, regions; /* that there are */
} pair_tables;

static pmi_rule_word word_of(const struct pmi_delimiters *pairs, uint32_t pattern) {
    return pairs->words[pairs->rules[pattern].word_at];
}

/* ---- Classes ---- */

/* False: there are too many. */
static bool give_class(pair_tables *tables, unsigned char byte) {
    uint8_t *const class = &tables->keys->classes[byte];
    if (*class != CLASS_OTHER) /* it has one, or is of a word */
        return true;
    if (tables->classes == PM_PAIR_CLASSES)
        return false;
    *class = (uint8_t)tables->classes++;
    return true;
}

static bool make_classes(pair_tables *tables) {
    const struct pmi_delimiters *const pairs = tables->pairs;
    bool all = true;
    tables->classes = CLASS_FIRST;
    for (unsigned b = 0; b < 256; b++)
        tables->keys->classes[b] = pmi_byte_is_word((unsigned char)b) ? CLASS_WORD : CLASS_OTHER;
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        const pmi_rule_word word = word_of(pairs, p);
        for (uint32_t k = 0; k < word.length && k < 2; k++)
            all &= give_class(tables, pairs->bytes[word.begin + k]);
    }
    return all;
}

/* ---- Entries ---- */

static pmi_pair token_pair(const struct pmi_delimiters *pairs, uint32_t pattern, pmi_pair_sort sort) {
    const pmi_quick_token *const token = &pairs->quick[pattern];
    return (pmi_pair){.open = {token->open.kind, token->open.rule, token->open.implied, token->open.length},
                      .step = token->step,
                      .closes = token->closes ? UINT32_MAX : 0,
                      .pattern = pattern,
                      .count = (uint8_t)token->count,
                      .length = (uint8_t)token->length,
                      .sort = (uint8_t)sort};
}

/* Adds an entry, and returns it; ENTRY_OTHER if there are too many. */
static unsigned add_entry(pair_tables *tables, pmi_pair pair) {
    if (tables->entries == PM_PAIR_ENTRIES)
        return ENTRY_OTHER;
    tables->keys->pair_entries[tables->entries] = pair;
    return tables->entries++;
}

static unsigned add_region(pair_tables *tables, pmi_pair_region region, pmi_pair_sort sort) {
    if (tables->regions == PM_PAIR_REGIONS)
        return ENTRY_OTHER;
    tables->keys->regions[tables->regions] = region;
    return add_entry(tables, (pmi_pair){.sort = (uint8_t)sort, .region = (uint8_t)tables->regions++});
}

static unsigned add_quick_region(pair_tables *tables, uint32_t pattern) {
    const pmi_quick_region *const quick = &tables->pairs->quick_regions[pattern];
    const unsigned char *const bytes = tables->pairs->bytes + word_of(tables->pairs, pattern).begin;
    return add_region(tables,
                      (pmi_pair_region){.begin = {bytes[0], bytes[quick->length - 1]},
                                        .ends = {quick->ends[0], quick->ends[1]},
                                        .length = quick->length,
                                        .end_length = quick->end_length,
                                        .ends_in_two = quick->end_length == 2,
                                        .nests = quick->nests},
                      PM_PAIR_REGION);
}

/* The entry of a pattern, whatever follows it. */
static unsigned add_pattern(pair_tables *tables, uint32_t pattern) {
    const struct pmi_delimiters *const pairs = tables->pairs;
    if (pairs->quick_regions[pattern].by_rule)
        return ENTRY_OTHER;
    if (pairs->quick_regions[pattern].length > 0)
        return add_quick_region(tables, pattern);
    if (pmi_pattern_is_tag(pairs, pattern))
        return add_entry(tables, (pmi_pair){.pattern = pattern, .sort = PM_PAIR_TAG});
    if (pairs->quick[pattern].length == 0)
        return ENTRY_OTHER;
    const bool followed = pairs->rules[pattern].first != pattern;
    if (followed && word_of(pairs, pattern).length > 1)
        return ENTRY_OTHER;
    return add_entry(tables, token_pair(pairs, pattern, followed ? PM_PAIR_FOLLOWED : PM_PAIR_TOKEN));
}

/* ---- Pairs ---- */

/* Does the pattern begin with a byte, and then one of the class? */
static bool begins_with(const pair_tables *tables, uint32_t pattern, unsigned char first, unsigned second) {
    const pmi_rule_word word = word_of(tables->pairs, pattern);
    const unsigned char *const bytes = tables->pairs->bytes + word.begin;
    return word.length >= 2 && bytes[0] == first && tables->keys->classes[bytes[1]] == second;
}

/* The entry of a byte that one of a class follows, where `single` is the pattern of that byte alone. */
static unsigned entry_of(pair_tables *tables, unsigned char first, unsigned second, uint32_t single,
                         unsigned single_entry) {
    const struct pmi_delimiters *const pairs = tables->pairs;
    uint32_t both = PM_NONE;
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        if (!begins_with(tables, p, first, second))
            continue;
        if (second == CLASS_WORD || word_of(pairs, p).length > 2)
            return ENTRY_OTHER;
        both = p;
    }
    if (both != PM_NONE)
        return add_pattern(tables, both);
    if (single == PM_NONE)
        return ENTRY_NOTHING;
    if (!pmi_pattern_is_tagged(pairs, single))
        return single_entry;
    if (second == CLASS_WORD)
        return ENTRY_OTHER;
    if (second != tables->keys->classes[first])
        return ENTRY_NOTHING;
    const pmi_pair_region region = {
        .begin = {first, first}, .ends = {first, first}, .length = 2, .end_length = 2, .ends_in_two = true};
    return add_region(tables, region, PM_PAIR_TAGGED);
}

static void make_pairs_of(pair_tables *tables, unsigned char first) {
    const struct pmi_delimiters *const pairs = tables->pairs;
    uint32_t single = PM_NONE;
    for (uint32_t p = 0; p < pairs->pattern_count; p++)
        if (word_of(pairs, p).length == 1 && pairs->bytes[word_of(pairs, p).begin] == first)
            single = p;
    const unsigned single_entry = single != PM_NONE ? add_pattern(tables, single) : ENTRY_NOTHING;
    for (unsigned second = 0; second < tables->classes; second++)
        tables->keys->pairs[tables->keys->classes[first]][second] =
            (uint8_t)entry_of(tables, first, second, single, single_entry);
}

void pmi_pattern_pairs_make(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys) {
    pair_tables tables = {.pairs = pairs, .keys = keys, .entries = ENTRY_FIRST};
    keys->pair_entries[ENTRY_OTHER] = (pmi_pair){.sort = PM_PAIR_OTHER};
    keys->pair_entries[ENTRY_NOTHING] = (pmi_pair){.open = {PM_NONE}, .length = 1, .sort = PM_PAIR_TOKEN};
    if (!make_classes(&tables))
        return;
    memset(keys->pairs[CLASS_OTHER], ENTRY_NOTHING, sizeof keys->pairs[CLASS_OTHER]);
    for (unsigned b = 0; b < 256; b++)
        if (keys->classes[b] >= CLASS_FIRST)
            make_pairs_of(&tables, (unsigned char)b);
}
