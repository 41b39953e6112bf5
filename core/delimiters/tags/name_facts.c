/* SPDX-License-Identifier: Apache-2.0 */
#include "core/delimiters/tags/name_facts.h"

#include "base/memory.h"

struct pmi_name_facts {
    uint32_t last;    /* entries - 1, which are a power of two, at least half of them without a name */
    uint32_t longest; /* bytes of a name */
    pmi_name_fact entries[];
};

static uint32_t hash_of(const struct pmi_delimiters *pairs, uint32_t family, const unsigned char *name, size_t length) {
    uint32_t hash = family;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ pmi_fold_case(name[i], pairs->ignore_case)) * UINT32_C(0x9e3779b1);
    return hash ^ hash >> 15;
}

/* The entry of a name, or where it belongs. */
static pmi_name_fact *entry_of(const struct pmi_delimiters *pairs, uint32_t family, const unsigned char *name,
                               size_t length) {
    struct pmi_name_facts *const facts = pairs->facts;
    for (uint32_t at = hash_of(pairs, family, name, length) & facts->last;; at = (at + 1) & facts->last) {
        pmi_name_fact *const entry = &facts->entries[at];
        if (entry->word.length == 0 ||
            (entry->word.length == length && entry->family == family &&
             pmi_bytes_equal(pairs->bytes + entry->word.begin, name, length, pairs->ignore_case)))
            return entry;
    }
}

/* Notes that a list has a name; returns its entry. */
static pmi_name_fact *note(struct pmi_delimiters *pairs, uint32_t family, uint32_t word_at, unsigned list) {
    struct pmi_name_facts *const facts = pairs->facts;
    const pmi_rule_word word = pairs->words[word_at];
    pmi_name_fact *const entry = entry_of(pairs, family, pairs->bytes + word.begin, word.length);
    if (entry->word.length == 0)
        *entry = (pmi_name_fact){.word = word, .family = family, .implied = PM_NONE};
    entry->lists |= list;
    facts->longest = word.length > facts->longest ? word.length : facts->longest;
    return entry;
}

static void note_list(struct pmi_delimiters *pairs, uint32_t family, pmi_rule_words names, unsigned list) {
    for (uint32_t k = 0; k < names.count; k++)
        note(pairs, family, names.first + k, list);
}

static void note_family(struct pmi_delimiters *pairs, uint32_t at) {
    const pmi_tag_family *const family = &pairs->families[at];
    note_list(pairs, at, family->names, PM_NAMED_OPENS);
    note_list(pairs, at, family->raw_names, PM_NAMED_RAW);
    note_list(pairs, at, family->empty_names, PM_NAMED_NOTHING);
    note_list(pairs, at, family->optional_names, PM_NAMED_NOTHING);
    note_list(pairs, at, family->assigned_names, PM_NAMED_ASSIGNED);
    note_list(pairs, at, family->quoted_names, PM_NAMED_QUOTED);
    for (uint32_t k = 0; k < family->implied.count; k++) {
        const pmi_implied_close line = pairs->implied[family->implied.first + k];
        note(pairs, at, line.name, 0)->implied = k;
        for (uint32_t b = 0; b < line.before.count; b++)
            note(pairs, at, line.before.first + b, 0)->ends |= UINT64_C(1) << k;
    }
}

/* Names in all lists; those in several count several times. */
static size_t listed(const struct pmi_delimiters *pairs) {
    size_t count = 0;
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        const pmi_tag_family *const family = &pairs->families[f];
        count += (size_t)family->names.count + family->raw_names.count + family->empty_names.count +
                 family->optional_names.count + family->assigned_names.count + family->quoted_names.count;
    }
    for (uint32_t k = 0; k < pairs->implied_count; k++)
        count += (size_t)1 + pairs->implied[k].before.count;
    return count;
}

bool pmi_name_facts_make(struct pmi_delimiters *pairs) {
    const size_t count = listed(pairs);
    size_t room = 1;
    while (room <= 2 * count)
        room *= 2;
    pairs->facts = pmi_memory_allocate_with(&pairs->allocator, sizeof *pairs->facts, room, sizeof(pmi_name_fact));
    if (!pairs->facts)
        return false;
    pairs->facts->last = (uint32_t)room - 1;
    pairs->facts->longest = 0;
    for (size_t k = 0; k < room; k++)
        pairs->facts->entries[k].word.length = 0;
    for (uint32_t f = 0; f < pairs->family_count; f++)
        note_family(pairs, f);
    return true;
}

const pmi_name_fact *pmi_name_facts_find(const struct pmi_delimiters *pairs, uint32_t family, const unsigned char *name,
                                         size_t length) {
    if (length > pairs->facts->longest)
        return NULL;
    const pmi_name_fact *const entry = entry_of(pairs, family, name, length);
    return entry->word.length > 0 ? entry : NULL;
}
