/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of a DFA: all words that rules look for, and a trie of them. */
#include "core/delimiters/dfa/parts.h"

static void every_byte_make(pmi_glyphs *glyphs) {
    for (unsigned byte = 0; byte < 256; byte++)
        glyphs->every_byte[byte] = (unsigned char)byte;
}

/* The longest pattern that a word begins with; NULL: none. */
static const pmi_rule *rule_of(const struct pmi_delimiters *pairs, const unsigned char *bytes, uint32_t length) {
    const pmi_rule *best = NULL;
    uint32_t best_length = 0;
    for (uint32_t r = 0; r < pairs->pattern_count; r++) {
        const pmi_rule_word word = pairs->words[pairs->rules[r].word_at];
        if (word.length <= best_length || word.length > length ||
            !pmi_bytes_equal(pairs->bytes + word.begin, bytes, word.length, pairs->ignore_case))
            continue;
        best = &pairs->rules[r];
        best_length = word.length;
    }
    return best;
}

/* ---- Sorts of rules ---- */

pmi_rule_word pmi_first_word(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    const pmi_rule_word word = pairs->words[rule->word_at];
    uint32_t length = 0;
    while (length < word.length && pairs->bytes[word.begin + length] != ' ')
        length++;
    return (pmi_rule_word){word.begin, length};
}

pmi_rule_word pmi_second_word(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    const pmi_rule_word word = pairs->words[rule->word_at];
    uint32_t at = pmi_first_word(pairs, rule).length;
    while (at < word.length && pairs->bytes[word.begin + at] == ' ')
        at++;
    return (pmi_rule_word){word.begin + at, word.length - at};
}

bool pmi_rule_is_tagged(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    return rule->role == PM_RULE_REGION && (pairs->regions[rule->index].flags & PM_SKIP_TAGGED);
}

/* ---- Bytes ---- */

bool pmi_glyphs_are_bytes(const struct pmi_delimiters *pairs) {
    if (pairs->family_count > 0)
        return false;
    for (uint32_t r = 0; r < pairs->rule_count; r++) {
        const pmi_rule_word word = pairs->words[pairs->rules[r].word_at];
        if (word.length > 1 || pmi_rule_is_tagged(pairs, &pairs->rules[r]) ||
            (pairs->rules[r].word && pmi_byte_is_word(pmi_first_byte(pairs, word))))
            return false;
    }
    for (uint32_t r = 0; r < pairs->region_count; r++)
        for (uint32_t e = 0; e < pairs->regions[r].ends.count; e++)
            if (pairs->words[pairs->regions[r].ends.first + e].length > 1)
                return false;
    return true;
}

void pmi_glyphs_of_bytes(const struct pmi_delimiters *pairs, pmi_glyphs *glyphs) {
    every_byte_make(glyphs);
    glyphs->count = 256;
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned char *const bytes = &glyphs->every_byte[byte];
        glyphs->at[byte] = (pmi_glyph){bytes, 1, rule_of(pairs, bytes, 1), false};
    }
}

/* ---- The trie ---- */

typedef struct trie_maker {
    const struct pmi_delimiters *pairs;
    pmi_glyphs *glyphs;
    pmi_dfa *machine;
    bool too_many;
} trie_maker;

static uint32_t child_of(const pmi_dfa *machine, uint32_t node, unsigned char byte) {
    uint32_t child = machine->nodes[node].child;
    while (child != 0 && machine->nodes[child].byte != byte)
        child = machine->nodes[child].sibling;
    return child;
}

/* Adds a word's path from the root. Returns its last node; 0 if there are too many nodes. */
static uint32_t way_make(trie_maker *maker, const unsigned char *bytes, uint32_t length) {
    pmi_dfa *const machine = maker->machine;
    uint32_t node = 0;
    for (uint32_t i = 0; i < length; i++) {
        const unsigned char byte = pmi_fold_case(bytes[i], maker->pairs->ignore_case);
        uint32_t child = child_of(machine, node, byte);
        if (child == 0) {
            if (machine->node_count == PM_MACHINE_NODES_MAX)
                return 0;
            child = machine->node_count++;
            machine->nodes[child] = (pmi_dfa_node){.byte = byte, .sibling = machine->nodes[node].child};
            machine->nodes[node].child = (uint16_t)child;
        }
        node = child;
    }
    return node;
}

/* ---- Choices ---- */

/* A choice of a node whose word is the glyph's. */
static void choice_add(trie_maker *maker, pmi_glyph glyph, pmi_dfa_choice choice) {
    pmi_dfa *const machine = maker->machine;
    pmi_glyphs *const glyphs = maker->glyphs;
    if (machine->choice_count == PM_MACHINE_CHOICES_MAX || glyphs->count == PM_GLYPHS_MAX) {
        maker->too_many = true;
        return;
    }
    choice.letter = (uint16_t)glyphs->count;
    machine->choices[machine->choice_count++] = choice;
    glyphs->at[glyphs->count++] = glyph;
}

/* A pattern of two words. */
static void two_add(trie_maker *maker, pmi_glyph glyph) {
    pmi_dfa *const machine = maker->machine;
    const struct pmi_delimiters *const pairs = maker->pairs;
    const pmi_rule_word second = pmi_second_word(pairs, glyph.rule);
    pmi_dfa_choice choice = {.length = (uint16_t)pmi_first_word(pairs, glyph.rule).length, .condition = PM_IF_TWO};
    if (second.length > PM_MACHINE_SECOND_MAX || machine->byte_count + second.length + 3 > PM_MACHINE_BYTES_MAX) {
        maker->too_many = true;
        return;
    }
    machine->byte_count = (machine->byte_count + 3) / 4 * 4; /* so that they begin a word of a device's */
    choice.second = (uint16_t)machine->byte_count;
    choice.second_length = (uint16_t)second.length;
    for (uint32_t i = 0; i < second.length; i++)
        machine->bytes[machine->byte_count++] = pmi_fold_case(pairs->bytes[second.begin + i], pairs->ignore_case);
    choice_add(maker, glyph, choice);
}

/* The byte twice begins a region that a machine can follow; with a name in between, one that it cannot. */
static void tagged_add(trie_maker *maker, pmi_glyph glyph) {
    if (glyph.length > 1 && glyph.bytes[1] == glyph.bytes[0]) {
        choice_add(maker, glyph, (pmi_dfa_choice){.length = 2, .condition = PM_IF_APART});
        return;
    }
    glyph.rule = NULL;
    glyph.unknown = true;
    choice_add(maker, glyph, (pmi_dfa_choice){.length = 1, .condition = PM_IF_TAGGED});
}

/* The choice of the glyph's rule. True: if it is not made, the next one may be. */
static bool rule_add(trie_maker *maker, pmi_glyph glyph) {
    const pmi_rule *const rule = glyph.rule;
    if (rule && rule->spaced) {
        two_add(maker, glyph);
        return true;
    }
    if (rule && pmi_rule_is_tagged(maker->pairs, rule)) {
        tagged_add(maker, glyph);
        return true;
    }
    const pmi_choice_if condition = !rule                       ? PM_IF_ANYTHING
                                    : rule->role == PM_RULE_TAG ? PM_IF_NAME
                                    : rule->word                ? PM_IF_WORD
                                                                : PM_IF_ANYTHING;
    const uint32_t length = rule ? maker->pairs->words[rule->word_at].length : 0;
    choice_add(maker, glyph, (pmi_dfa_choice){.length = (uint16_t)length, .condition = condition});
    return condition != PM_IF_ANYTHING;
}

/* A word's choices: the longest pattern that it begins with counts, and patterns of two words that begin with that one
 * before it, unless something is not as it must be around it; then the next. */
static uint32_t choices_make(trie_maker *maker, const unsigned char *bytes, uint32_t length) {
    const struct pmi_delimiters *const pairs = maker->pairs;
    const uint32_t first = maker->machine->choice_count;
    const pmi_rule *const longest = rule_of(pairs, bytes, length);
    pmi_glyph glyph = {bytes, length, longest ? &pairs->rules[longest->first] : NULL, false};
    uint32_t far = 0; /* bytes behind which blanks have been seen to */
    while (glyph.rule) {
        const uint32_t own = glyph.rule->spaced ? pmi_first_word(pairs, glyph.rule).length : far;
        if (own != far)
            choice_add(maker, (pmi_glyph){bytes, length, NULL, true},
                       (pmi_dfa_choice){.length = (uint16_t)own, .condition = PM_IF_FAR});
        far = own;
        if (!rule_add(maker, glyph))
            return first;
        glyph.rule = glyph.rule->shorter == PM_NONE ? NULL : &pairs->rules[glyph.rule->shorter];
    }
    rule_add(maker, glyph);
    return first;
}

static void word_add(trie_maker *maker, const unsigned char *bytes, uint32_t length) {
    const uint32_t node = way_make(maker, bytes, length);
    if (node == 0)
        maker->too_many = true;
    else if (maker->machine->nodes[node].choice == 0)
        maker->machine->nodes[node].choice = (uint16_t)choices_make(maker, bytes, length);
}

static void words_add(trie_maker *maker, pmi_rule_words words) {
    const struct pmi_delimiters *const pairs = maker->pairs;
    for (uint32_t k = 0; k < words.count && !maker->too_many; k++)
        word_add(maker, pairs->bytes + pairs->words[words.first + k].begin, pairs->words[words.first + k].length);
}

static void byte_add(trie_maker *maker, unsigned char byte) {
    word_add(maker, &maker->glyphs->every_byte[byte], 1);
}

static void blanks_add(trie_maker *maker) {
    static const unsigned char blanks[] = " \t\n\v\f\r";
    for (size_t k = 0; blanks[k]; k++)
        byte_add(maker, blanks[k]);
}

/* The first word of a pattern of two is a pattern by itself, and the second is looked for where it makes a token. */
static void rule_words_add(trie_maker *maker, const pmi_rule *rule) {
    const struct pmi_delimiters *const pairs = maker->pairs;
    const pmi_rule_word word = rule->spaced ? pmi_second_word(pairs, rule) : pairs->words[rule->word_at];
    if (!rule->spaced || rule->role != PM_RULE_NOTHING)
        word_add(maker, pairs->bytes + word.begin, word.length);
    if (rule->spaced)
        blanks_add(maker);
    if (pmi_rule_is_tagged(pairs, rule)) {
        maker->glyphs->twice[0] = maker->glyphs->twice[1] = pmi_first_byte(pairs, word);
        word_add(maker, maker->glyphs->twice, 2);
    }
}

static void region_add(trie_maker *maker, const pmi_rule_region *region) {
    words_add(maker, region->ends);
    if (region->escape >= 0)
        byte_add(maker, (unsigned char)region->escape);
    if (region->flags & PM_SKIP_LINE)
        byte_add(maker, '\n');
    if (region->flags & PM_SKIP_QUOTATIONS) {
        byte_add(maker, '"');
        byte_add(maker, '\'');
    }
}

static void family_add(trie_maker *maker, const pmi_tag_family *family) {
    const pmi_rule_word ends[] = {family->end, family->empty};
    for (size_t e = 0; e < 2 && ends[e].length > 0 && !maker->too_many; e++) {
        const unsigned char *const bytes = maker->pairs->bytes + ends[e].begin;
        word_add(maker, bytes, ends[e].length);
        byte_add(maker, bytes[0]);
    }
    blanks_add(maker);
    byte_add(maker, '=');
    byte_add(maker, '"');
    byte_add(maker, '\'');
}

/* Nodes at which no word ends have the choices of those above them, which have lower numbers. */
static uint32_t choices_inherit(pmi_dfa *machine) {
    uint16_t steps[PM_MACHINE_NODES_MAX];
    uint32_t max = 0;
    steps[0] = 0;
    for (uint32_t node = 0; node < machine->node_count; node++) {
        uint32_t child_steps = steps[node];
        for (uint32_t child = machine->nodes[node].child; child != 0; child = machine->nodes[child].sibling) {
            if (machine->nodes[child].choice == 0)
                machine->nodes[child].choice = machine->nodes[node].choice;
            child_steps++; /* which looks at its sisters before it */
            steps[child] = (uint16_t)child_steps;
        }
        max = child_steps > max ? child_steps : max;
    }
    return max;
}

/* Most bytes of second words that are looked at at a place. */
static uint32_t looks_most(const pmi_dfa *machine) {
    uint32_t max = 0, sum = 0;
    for (uint32_t c = 0; c < machine->choice_count; c++) {
        sum = machine->choices[c].condition != PM_IF_ANYTHING ? sum + machine->choices[c].second_length : 0;
        max = sum > max ? sum : max;
    }
    return max;
}

bool pmi_glyphs_of_words(const struct pmi_delimiters *pairs, pmi_glyphs *glyphs, pmi_dfa *machine) {
    trie_maker maker = {.pairs = pairs, .glyphs = glyphs, .machine = machine};
    every_byte_make(glyphs);
    glyphs->at[0] = (pmi_glyph){.bytes = NULL};
    glyphs->count = machine->node_count = machine->choice_count = 1; /* nothing, the root, and nothing */
    for (uint32_t r = 0; r < pairs->rule_count && !maker.too_many; r++)
        rule_words_add(&maker, &pairs->rules[r]);
    for (uint32_t r = 0; r < pairs->region_count && !maker.too_many; r++)
        region_add(&maker, &pairs->regions[r]);
    for (uint32_t f = 0; f < pairs->family_count && !maker.too_many; f++)
        family_add(&maker, &pairs->families[f]);
    if (maker.too_many)
        return false;
    machine->ignore_case = pairs->ignore_case;
    machine->steps = choices_inherit(machine);
    return machine->steps <= PM_MACHINE_STEPS_MAX && looks_most(machine) <= PM_MACHINE_LOOKS_MAX;
}
