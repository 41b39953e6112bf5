/* SPDX-License-Identifier: Apache-2.0 */
/* From rules to states and letters: core/structure_scan.c, one byte at a time. */
#include "core/machine.h"

#include "core/pairs.h"
#include "core/structure.h"

/* What is known of a place before its byte is read. */
typedef struct state {
    const pm_pairs_region *region; /* it is in; NULL: in code */
    unsigned char quote;           /* of a quoted string inside it; 0: in none */
    bool skips;                    /* this byte stands for itself, whatever it is */
} state;

/* The states that have been met; the first is code. */
typedef struct state_list {
    state states[PM_MACHINE_STATES_MAX];
    uint32_t count;
} state_list;

static bool same_state(state a, state b) {
    return a.region == b.region && a.quote == b.quote && a.skips == b.skips;
}

/* Its number; PM_MACHINE_STATES_MAX: there are too many. */
static uint32_t number_of(state_list *list, state wanted) {
    uint32_t k = 0;
    while (k < list->count && !same_state(list->states[k], wanted))
        k++;
    if (k == list->count && k < PM_MACHINE_STATES_MAX)
        list->states[list->count++] = wanted;
    return k;
}

/* ---- One byte ---- */

static bool is_byte(const struct pm_pairs *pairs, pm_pairs_word word, unsigned char byte) {
    return pm_bytes_equal(pairs->bytes + word.begin, &byte, 1, pairs->ignore_case);
}

/* The rule whose pattern the byte is; NULL: none. */
static const pm_rule *rule_of(const struct pm_pairs *pairs, unsigned char byte) {
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (is_byte(pairs, pairs->words[pairs->rules[r].word_at], byte))
            return &pairs->rules[r];
    return NULL;
}

static state after_in_code(const struct pm_pairs *pairs, unsigned char byte) {
    const pm_rule *const rule = rule_of(pairs, byte);
    return (state){.region = rule && rule->role == PM_RULE_REGION ? &pairs->regions[rule->index] : NULL};
}

static state after_in_region(const struct pm_pairs *pairs, state before, unsigned char byte) {
    const pm_pairs_region *const region = before.region;
    const pm_pairs_word *const ends = pairs->words + region->ends.first;
    if (region->flags & PM_SKIP_LINE)
        return byte == '\n' ? after_in_code(pairs, byte) : before;
    if (byte == region->escape)
        return (state){.region = region, .skips = true};
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (is_byte(pairs, ends[e], byte))
            return (state){.region = NULL};
    if ((region->flags & PM_SKIP_QUOTATIONS) && (byte == '"' || byte == '\''))
        return (state){.region = region, .quote = byte};
    return before;
}

static state after(const struct pm_pairs *pairs, state before, unsigned char byte) {
    if (before.skips)
        return (state){.region = before.region};
    if (before.quote)
        return byte == before.quote ? (state){.region = before.region} : before;
    return before.region ? after_in_region(pairs, before, byte) : after_in_code(pairs, byte);
}

/* ---- What a machine can do ---- */

/* One byte, which no word of the text goes on from. */
static bool suits(const struct pm_pairs *pairs, const pm_rule *rule, bool newline_ends) {
    const pm_pairs_word word = pairs->words[rule->word_at];
    const unsigned char byte = pairs->bytes[word.begin];
    if (rule->role == PM_RULE_TAG || word.length > 1 || (rule->word && pm_byte_is_word(byte)))
        return false;
    return !newline_ends || byte != '\n'; /* which would be read in a state other than code */
}

static bool region_suits(const struct pm_pairs *pairs, const pm_pairs_region *region) {
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (pairs->words[region->ends.first + e].length > 1)
            return false;
    return !(region->flags & (PM_SKIP_DELIMITED | PM_SKIP_TAGGED));
}

static bool all_suit(const struct pm_pairs *pairs) {
    bool lines = false;
    if (pairs->tracks) /* no finite machine knows what is open */
        return false;
    for (uint32_t r = 0; r < pairs->region_count; r++) {
        if (!region_suits(pairs, &pairs->regions[r]))
            return false;
        lines |= (pairs->regions[r].flags & PM_SKIP_LINE) != 0;
    }
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (!suits(pairs, &pairs->rules[r], lines))
            return false;
    return true;
}

/* ---- The machine ---- */

static pm_letter_role role_of(const struct pm_pairs *pairs, const pm_rule *rule) {
    if (!rule || rule->role == PM_RULE_NOTHING)
        return PM_LETTER_NOTHING;
    if (rule->role == PM_RULE_REGION)
        return pairs->regions[rule->index].flags & PM_SKIP_LINE ? PM_LETTER_NOTHING : PM_LETTER_REGION;
    return rule->role == PM_RULE_OPEN ? PM_LETTER_OPEN : PM_LETTER_CLOSE;
}

static pm_letter letter_of(const struct pm_pairs *pairs, unsigned char byte) {
    const pm_rule *const rule = rule_of(pairs, byte);
    pm_letter letter = {.role = role_of(pairs, rule)};
    if (letter.role == PM_LETTER_OPEN || letter.role == PM_LETTER_CLOSE) {
        letter.kind = rule->index;
        letter.length = 1;
    }
    return letter;
}

pm_status pm_machine_make(const pm_pairs *pairs, pm_machine *machine) {
    state_list list = {.count = 1};
    if (!all_suit(pairs))
        return PM_UNSUPPORTED;
    *machine = (pm_machine){.unterminated = 0};
    for (unsigned byte = 0; byte < PM_MACHINE_LETTERS; byte++)
        machine->letters[byte] = letter_of(pairs, (unsigned char)byte);
    for (uint32_t s = 0; s < list.count; s++) {
        const state from = list.states[s];
        if (from.region && !(from.region->flags & PM_SKIP_LINE))
            machine->unterminated |= UINT32_C(1) << s;
        for (unsigned byte = 0; byte < PM_MACHINE_LETTERS; byte++) {
            const uint32_t to = number_of(&list, after(pairs, from, (unsigned char)byte));
            if (to == PM_MACHINE_STATES_MAX)
                return PM_UNSUPPORTED;
            machine->letters[byte].next[s] = (uint8_t)to;
        }
    }
    machine->states = list.count;
    return PM_OK;
}
