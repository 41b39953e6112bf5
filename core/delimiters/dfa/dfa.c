/* SPDX-License-Identifier: Apache-2.0 */
/* Making a DFA from rules, if they allow it: it collects all states and merges letters with the same transitions. */
#include "base/dfa.h"

#include "core/context/context.h"
#include "core/delimiters/dfa/parts.h"
#include "core/text/language.h"

/* A machine on its way. */
typedef struct machine_maker {
    const struct pmi_delimiters *pairs;
    pmi_glyphs glyphs;
    pmi_letter letters[PM_GLYPHS_MAX]; /* of glyphs */
    pmi_dfa_state states[PM_MACHINE_STATES_MAX];
    uint32_t state_count;
} machine_maker;

/* Its number; PM_MACHINE_STATES_MAX: there are too many. */
static uint32_t number_of(machine_maker *maker, pmi_dfa_state wanted) {
    uint32_t k = 0;
    while (k < maker->state_count && !pmi_dfa_state_same(maker->states[k], wanted))
        k++;
    if (k == maker->state_count && k < PM_MACHINE_STATES_MAX)
        maker->states[maker->state_count++] = wanted;
    return k;
}

/* ---- What a machine can do ---- */

static bool is_line(const pmi_rule_region *region) {
    return region->flags & PM_SKIP_LINE;
}

/* May a tag's end begin with it, so that the ways to read a byte in a tag are apart? */
static bool may_end_tag(unsigned char byte) {
    return !pmi_byte_begins_name(byte) && !pmi_byte_is_space(byte) && byte != '"' && byte != '\'' && byte != '=';
}

/* Tags of one family, all names alike. */
static bool families_suit(const struct pmi_delimiters *pairs) {
    if (pairs->family_count == 0)
        return true;
    const pmi_tag_family *const family = pairs->families;
    return pairs->family_count == 1 && !family->statement && family->empty_names.count == 0 &&
           family->raw_names.count == 0 && family->optional_names.count == 0 && family->assigned_names.count == 0 &&
           family->quoted_names.count == 0 && family->name_ends.count == 0 &&
           may_end_tag(pmi_first_byte(pairs, family->end)) &&
           (family->empty.length == 0 || may_end_tag(pmi_first_byte(pairs, family->empty)));
}

/* A pattern of two words, the second of which has nothing in it that could begin something else. */
static bool words_suit(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    const pmi_rule_word second = pmi_second_word(pairs, rule);
    return second.length > 0 && !memchr(pairs->bytes + second.begin, ' ', second.length) &&
           pmi_dfa_word_is_plain(pairs, second);
}

/* One byte; no word goes on across it. */
static bool tagged_suits(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    const pmi_rule_word word = pairs->words[rule->word_at];
    return word.length == 1 && !pmi_byte_is_word(pmi_first_byte(pairs, word));
}

/* No finite machine knows what a text has chosen as an end, or what stands behind one. An escape's case counts. */
static bool region_suits(const struct pmi_delimiters *pairs, const pmi_rule_region *region) {
    const bool folded = pairs->ignore_case && region->escape >= 0 && pmi_byte_is_letter((unsigned char)region->escape);
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (pmi_rule_word_is_command(pairs, pairs->words[region->ends.first + e]))
            return false;
    return !(region->flags &
             (PM_SKIP_DELIMITED | PM_SKIP_NESTED | PM_SKIP_NAMES | PM_SKIP_BRANCH | PM_SKIP_MAY_NEST)) &&
           !folded;
}

static bool rule_suits(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    return rule->bodyless == PM_NONE && (!rule->spaced || words_suit(pairs, rule)) &&
           (!pmi_rule_is_tagged(pairs, rule) || tagged_suits(pairs, rule));
}

/* A newline that ends a line is read in a state other than code, where no token begins. */
static bool newlines_suit(const struct pmi_delimiters *pairs) {
    bool end_lines = false, begin_patterns = false;
    for (uint32_t r = 0; r < pairs->region_count; r++)
        end_lines |= is_line(&pairs->regions[r]);
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        begin_patterns |= pmi_first_byte(pairs, pairs->words[pairs->rules[r].word_at]) == '\n';
    return !(end_lines && begin_patterns);
}

/* Nor does one know what is open, nor, of two rules `tagged`, which began a region. */
static bool suits(const struct pmi_delimiters *pairs) {
    uint32_t tagged = 0;
    for (uint32_t r = 0; r < pairs->region_count; r++)
        if (!region_suits(pairs, &pairs->regions[r]))
            return false;
    for (uint32_t r = 0; r < pairs->rule_count; r++) {
        if (!rule_suits(pairs, &pairs->rules[r]))
            return false;
        tagged += pmi_rule_is_tagged(pairs, &pairs->rules[r]);
    }
    return !pairs->tracks && !pairs->has_sigils && tagged <= 1 && families_suit(pairs) && newlines_suit(pairs);
}

/* ---- The machine ---- */

static pmi_letter_role role_of(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    if (!rule || rule->role == PM_RULE_NOTHING)
        return PM_LETTER_NOTHING;
    if (rule->role == PM_RULE_REGION)
        return is_line(&pairs->regions[rule->index]) ? PM_LETTER_NOTHING : PM_LETTER_REGION;
    if (rule->role == PM_RULE_TAG)
        return rule->close_tag ? PM_LETTER_CLOSE_TAG : PM_LETTER_OPEN_TAG;
    if (rule->spaced)
        return rule->role == PM_RULE_OPEN ? PM_LETTER_OPEN_LATE : PM_LETTER_CLOSE_LATE;
    return rule->role == PM_RULE_OPEN ? PM_LETTER_OPEN : PM_LETTER_CLOSE;
}

static pmi_letter letter_of(const struct pmi_delimiters *pairs, const pmi_glyph *glyph) {
    pmi_letter letter = {.role = glyph->unknown ? PM_LETTER_UNKNOWN : role_of(pairs, glyph->rule)};
    switch (letter.role) {
    case PM_LETTER_NOTHING:
    case PM_LETTER_REGION:
    case PM_LETTER_UNKNOWN:
        return letter;
    case PM_LETTER_OPEN_TAG:
    case PM_LETTER_CLOSE_TAG:
        break;
    default:
        letter.kind = glyph->rule->index;
    }
    letter.length = pairs->words[glyph->rule->word_at].length;
    return letter;
}

/* Notes it in the glyph's letter. False: the letter would have two lengths. */
static bool late_note(machine_maker *maker, uint32_t s, uint32_t g) {
    const uint32_t length = pmi_dfa_state_late_length(maker->pairs, maker->states[s], &maker->glyphs.at[g]);
    pmi_letter *const letter = &maker->letters[g];
    if (length == 0)
        return true;
    if (letter->late != 0 && letter->late_length != length)
        return false;
    letter->late |= UINT32_C(1) << s;
    letter->late_length = length;
    return true;
}

/* All states that there are, and where glyphs lead from them. */
static bool states_find(machine_maker *maker) {
    const pmi_glyphs *const glyphs = &maker->glyphs;
    for (uint32_t g = 0; g < glyphs->count; g++)
        maker->letters[g] = letter_of(maker->pairs, &glyphs->at[g]);
    maker->states[0] = (pmi_dfa_state){.region = NULL};
    maker->state_count = 1;
    for (uint32_t s = 0; s < maker->state_count; s++)
        for (uint32_t g = 0; g < glyphs->count; g++) {
            const uint32_t to = number_of(maker, pmi_dfa_state_after(maker->pairs, maker->states[s], &glyphs->at[g]));
            if (to == PM_MACHINE_STATES_MAX || !late_note(maker, s, g))
                return false;
            maker->letters[g].next[s] = (uint8_t)to;
        }
    return true;
}

static bool same_letter(const pmi_letter *a, const pmi_letter *b) {
    return a->role == b->role && a->kind == b->kind && a->length == b->length && a->late == b->late &&
           a->late_length == b->late_length && memcmp(a->next, b->next, sizeof a->next) == 0;
}

/* The number of a letter of the machine; PM_MACHINE_LETTERS_MAX: there are too many. */
static uint32_t letter_find(pmi_dfa *machine, const pmi_letter *wanted) {
    uint32_t l = 0;
    while (l < machine->letter_count && !same_letter(&machine->letters[l], wanted))
        l++;
    if (l == machine->letter_count && l < PM_MACHINE_LETTERS_MAX)
        machine->letters[machine->letter_count++] = *wanted;
    return l;
}

/* Glyphs that do the same are one letter. */
static bool letters_merge(const machine_maker *maker, pmi_dfa *machine) {
    if (machine->of_bytes) {
        machine->letter_count = maker->glyphs.count;
        memcpy(machine->letters, maker->letters, maker->glyphs.count * sizeof *maker->letters);
        return true;
    }
    for (uint32_t c = 0; c < machine->choice_count; c++) {
        const uint32_t letter = letter_find(machine, &maker->letters[machine->choices[c].letter]);
        if (letter == PM_MACHINE_LETTERS_MAX)
            return false;
        machine->choices[c].letter = (uint16_t)letter;
    }
    return true;
}

static void tags_note(const struct pmi_delimiters *pairs, pmi_dfa *machine) {
    const pmi_tag_family *const family = pairs->families;
    machine->tags = pairs->family_count > 0;
    machine->kinds = pairs->kinds;
    if (!machine->tags)
        return;
    machine->name_ends[0] = pmi_first_byte(pairs, family->end);
    machine->name_ends[1] = family->empty.length > 0 ? pmi_first_byte(pairs, family->empty) : machine->name_ends[0];
}

static bool is_late(const pmi_letter *letter) {
    return letter->late != 0 || letter->role == PM_LETTER_UNKNOWN;
}

static bool machine_make(machine_maker *maker, pmi_dfa *machine) {
    machine->of_bytes = pmi_glyphs_are_bytes(maker->pairs);
    if (machine->of_bytes)
        pmi_glyphs_of_bytes(maker->pairs, &maker->glyphs);
    else if (!pmi_glyphs_of_words(maker->pairs, &maker->glyphs, machine))
        return false;
    if (!states_find(maker) || !letters_merge(maker, machine))
        return false;
    tags_note(maker->pairs, machine);
    machine->states = maker->state_count;
    for (uint32_t l = 0; l < machine->letter_count; l++)
        machine->late |= is_late(&machine->letters[l]);
    for (uint32_t s = 0; s < maker->state_count; s++)
        if (pmi_dfa_state_is_open(maker->states[s]))
            machine->unterminated |= UINT32_C(1) << s;
    return true;
}

static pm_status create(const pm_allocator *allocator, const struct pmi_delimiters *pairs, pmi_dfa **machine) {
    if (!suits(pairs))
        return PM_UNSUPPORTED;
    machine_maker *const maker = pmi_memory_allocate(allocator, 1, sizeof *maker);
    pmi_dfa *const made = pmi_memory_allocate(allocator, 1, sizeof *made);
    pm_status status = PM_OUT_OF_MEMORY;
    if (maker && made) {
        memset(made, 0, sizeof *made);
        memset(maker, 0, sizeof *maker);
        maker->pairs = pairs;
        status = machine_make(maker, made) ? PM_OK : PM_UNSUPPORTED;
    }
    pmi_memory_free(allocator, maker);
    if (status == PM_OK)
        *machine = made;
    else
        pmi_memory_free(allocator, made);
    return status;
}

/* As create(), for a language of the library; all memory is the allocator's. */
static pm_status create_from_rules(const pm_allocator *allocator, const char *rules, pmi_dfa **machine) {
    const pm_options options = {.struct_size = sizeof options, .allocator = *allocator};
    struct pmi_delimiters *pairs = NULL;
    pm_context *context;
    pm_status status = pm_context_create(&options, &context);
    if (status != PM_OK)
        return status;
    status = pmi_delimiters_create(context, rules, strlen(rules), &pairs, NULL);
    if (status == PM_OK)
        status = create(allocator, pairs, machine);
    pmi_delimiters_destroy(pairs);
    pm_context_destroy(context);
    return status;
}

pm_status pmi_dfa_create(const pm_allocator *allocator, const pm_language *language, pmi_dfa **machine) {
    *machine = NULL;
    if (!pmi_language_has_delimiters(language))
        return PM_UNSUPPORTED;
    return language->delimiters ? create(allocator, language->delimiters, machine)
                                : create_from_rules(allocator, language->rules, machine);
}

void pmi_dfa_destroy(const pm_allocator *allocator, pmi_dfa *machine) {
    pmi_memory_free(allocator, machine);
}
