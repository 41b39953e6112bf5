/* SPDX-License-Identifier: Apache-2.0 */
/* From rules to states: what core/structure_scan.c does, one place after another. */
#include "core/machine.h"

#include "core/context.h"
#include "core/machine_letters.h"

/* What is known of a place before its letter is read. */
typedef struct state {
    const pm_pairs_region *region; /* it is in; NULL: in code */
    unsigned char quote;           /* of a quoted string inside it; 0: in none */
    uint32_t skip;                 /* places that stand for themselves, from this one on */
} state;

/* A machine on its way. */
typedef struct machine_maker {
    const struct pm_pairs *pairs;
    pm_glyphs glyphs;
    pm_letter letters[PM_GLYPHS_MAX]; /* of glyphs */
    state states[PM_MACHINE_STATES_MAX];
    uint32_t state_count;
} machine_maker;

static bool same_state(state a, state b) {
    return a.region == b.region && a.quote == b.quote && a.skip == b.skip;
}

/* Its number; PM_MACHINE_STATES_MAX: there are too many. */
static uint32_t number_of(machine_maker *maker, state wanted) {
    uint32_t k = 0;
    while (k < maker->state_count && !same_state(maker->states[k], wanted))
        k++;
    if (k == maker->state_count && k < PM_MACHINE_STATES_MAX)
        maker->states[maker->state_count++] = wanted;
    return k;
}

/* ---- How far to skip ---- */

/* Could the word begin `from` bytes behind where the other one does? */
static bool could_begin_in(const struct pm_pairs *pairs, const unsigned char *word, uint32_t length,
                           pm_pairs_word other, uint32_t from) {
    const uint32_t common = length < other.length - from ? length : other.length - from;
    return pm_bytes_equal(pairs->bytes + other.begin + from, word, common, pairs->ignore_case);
}

static bool one_could_begin_in(const struct pm_pairs *pairs, pm_pairs_words words, pm_pairs_word other, uint32_t from) {
    for (uint32_t k = 0; k < words.count; k++) {
        const pm_pairs_word word = pairs->words[words.first + k];
        if (could_begin_in(pairs, pairs->bytes + word.begin, word.length, other, from))
            return true;
    }
    return false;
}

/* Could something that counts in the region, or code, begin there? */
static bool could_count(const struct pm_pairs *pairs, const pm_pairs_region *region, pm_pairs_word word,
                        uint32_t from) {
    if (!region) {
        for (uint32_t r = 0; r < pairs->rule_count; r++)
            if (one_could_begin_in(pairs, (pm_pairs_words){pairs->rules[r].word_at, 1}, word, from))
                return true;
        return false;
    }
    const unsigned char byte = pairs->bytes[word.begin + from];
    return ((region->flags & PM_SKIP_LINE) && byte == '\n') || byte == region->escape ||
           ((region->flags & PM_SKIP_QUOTATIONS) && (byte == '"' || byte == '\'')) ||
           one_could_begin_in(pairs, region->ends, word, from);
}

/* The state behind a word's first byte, where what follows it is a region, or code: the word's other bytes are passed
 * over, as far as it makes a difference. */
static state behind(const struct pm_pairs *pairs, const pm_pairs_region *region, pm_pairs_word word) {
    uint32_t skip = word.length - 1;
    while (skip > 0 && !could_count(pairs, region, word, skip))
        skip--;
    return (state){.region = region, .skip = skip};
}

/* ---- One place ---- */

static bool begins_with(const pm_glyph *glyph, int byte) {
    return glyph->length > 0 && glyph->bytes[0] == byte;
}

static state after_in_code(const struct pm_pairs *pairs, const pm_glyph *glyph) {
    const pm_rule *const rule = glyph->rule;
    if (!rule)
        return (state){.region = NULL};
    const pm_pairs_region *const region = rule->role == PM_RULE_REGION ? &pairs->regions[rule->index] : NULL;
    return behind(pairs, region, pairs->words[rule->word_at]);
}

static state after_in_region(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    const pm_pairs_region *const region = before.region;
    const pm_pairs_word *const ends = pairs->words + region->ends.first;
    if (region->flags & PM_SKIP_LINE)
        return begins_with(glyph, '\n') ? after_in_code(pairs, glyph) : before;
    if (begins_with(glyph, region->escape))
        return (state){.region = region, .skip = 1};
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (ends[e].length <= glyph->length &&
            pm_bytes_equal(pairs->bytes + ends[e].begin, glyph->bytes, ends[e].length, pairs->ignore_case))
            return behind(pairs, NULL, ends[e]);
    if ((region->flags & PM_SKIP_QUOTATIONS) && (begins_with(glyph, '"') || begins_with(glyph, '\'')))
        return (state){.region = region, .quote = glyph->bytes[0]};
    return before;
}

static state after(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    if (before.skip > 0)
        return (state){.region = before.region, .skip = before.skip - 1};
    if (before.quote)
        return begins_with(glyph, before.quote) ? (state){.region = before.region} : before;
    return before.region ? after_in_region(pairs, before, glyph) : after_in_code(pairs, glyph);
}

/* ---- What a machine can do ---- */

static bool is_line(const pm_pairs_region *region) {
    return region->flags & PM_SKIP_LINE;
}

static bool suits(const struct pm_pairs *pairs) {
    bool lines = false, folded_escape = false, delimited = false, newlines = false, tags = false, ahead = false;
    for (uint32_t r = 0; r < pairs->region_count; r++) {
        const pm_pairs_region *const region = &pairs->regions[r];
        lines |= is_line(region);
        delimited |= (region->flags & (PM_SKIP_DELIMITED | PM_SKIP_TAGGED)) != 0;
        folded_escape |= pairs->ignore_case && region->escape >= 0 && pm_byte_is_letter((unsigned char)region->escape);
    }
    for (uint32_t r = 0; r < pairs->rule_count; r++) {
        tags |= pairs->rules[r].role == PM_RULE_TAG;
        ahead |= pairs->rules[r].spaced || pairs->rules[r].bodyless != PM_NONE;
        delimited |= pairs->rules[r].role == PM_RULE_REGION && pairs->rules[r].word;
        newlines |= pairs->bytes[pairs->words[pairs->rules[r].word_at].begin] == '\n';
    }
    /* A newline that ends a line is read in a state other than code, where no token begins. An escape's case counts.
     * No finite machine knows what is open, and this one does not look ahead over blanks. */
    return !pairs->tracks && !ahead && !tags && !delimited && !folded_escape && !(lines && newlines);
}

/* ---- The machine ---- */

static pm_letter_role role_of(const struct pm_pairs *pairs, const pm_rule *rule) {
    if (!rule || rule->role == PM_RULE_NOTHING)
        return PM_LETTER_NOTHING;
    if (rule->role == PM_RULE_REGION)
        return is_line(&pairs->regions[rule->index]) ? PM_LETTER_NOTHING : PM_LETTER_REGION;
    return rule->role == PM_RULE_OPEN ? PM_LETTER_OPEN : PM_LETTER_CLOSE;
}

static pm_letter letter_of(const struct pm_pairs *pairs, const pm_glyph *glyph) {
    pm_letter letter = {.role = role_of(pairs, glyph->rule)};
    if (letter.role == PM_LETTER_OPEN || letter.role == PM_LETTER_CLOSE) {
        letter.kind = glyph->rule->index;
        letter.length = pairs->words[glyph->rule->word_at].length;
    }
    return letter;
}

/* All states that there are, and where glyphs lead from them. */
static bool states_find(machine_maker *maker) {
    const pm_glyphs *const glyphs = &maker->glyphs;
    for (uint32_t g = 0; g < glyphs->count; g++)
        maker->letters[g] = letter_of(maker->pairs, &glyphs->at[g]);
    maker->states[0] = (state){.region = NULL};
    maker->state_count = 1;
    for (uint32_t s = 0; s < maker->state_count; s++)
        for (uint32_t g = 0; g < glyphs->count; g++) {
            const uint32_t to = number_of(maker, after(maker->pairs, maker->states[s], &glyphs->at[g]));
            if (to == PM_MACHINE_STATES_MAX)
                return false;
            maker->letters[g].next[s] = (uint8_t)to;
        }
    return true;
}

static bool same_letter(const pm_letter *a, const pm_letter *b) {
    return a->role == b->role && a->kind == b->kind && a->length == b->length &&
           memcmp(a->next, b->next, sizeof a->next) == 0;
}

/* The number of a letter of the machine; PM_MACHINE_LETTERS_MAX: there are too many. */
static uint32_t letter_find(pm_machine *machine, const pm_letter *wanted) {
    uint32_t l = 0;
    while (l < machine->letter_count && !same_letter(&machine->letters[l], wanted))
        l++;
    if (l == machine->letter_count && l < PM_MACHINE_LETTERS_MAX)
        machine->letters[machine->letter_count++] = *wanted;
    return l;
}

/* Glyphs that do the same are one letter. */
static bool letters_merge(const machine_maker *maker, pm_machine *machine) {
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

static bool machine_make(machine_maker *maker, pm_machine *machine) {
    machine->of_bytes = pm_glyphs_are_bytes(maker->pairs);
    if (machine->of_bytes)
        pm_glyphs_of_bytes(maker->pairs, &maker->glyphs);
    else if (!pm_glyphs_of_words(maker->pairs, &maker->glyphs, machine))
        return false;
    if (!states_find(maker) || !letters_merge(maker, machine))
        return false;
    machine->states = maker->state_count;
    for (uint32_t s = 0; s < maker->state_count; s++)
        if (maker->states[s].region && !is_line(maker->states[s].region))
            machine->unterminated |= UINT32_C(1) << s;
    return true;
}

pm_status pm_machine_create(const pm_allocator *allocator, const pm_pairs *pairs, pm_machine **machine) {
    *machine = NULL;
    if (!suits(pairs))
        return PM_UNSUPPORTED;
    machine_maker *const maker = pm_memory_allocate(allocator, 1, sizeof *maker);
    pm_machine *const made = pm_memory_allocate(allocator, 1, sizeof *made);
    pm_status status = PM_OUT_OF_MEMORY;
    if (maker && made) {
        memset(made, 0, sizeof *made);
        memset(maker, 0, sizeof *maker);
        maker->pairs = pairs;
        status = machine_make(maker, made) ? PM_OK : PM_UNSUPPORTED;
    }
    pm_memory_free(allocator, maker);
    if (status == PM_OK)
        *machine = made;
    else
        pm_memory_free(allocator, made);
    return status;
}

void pm_machine_destroy(const pm_allocator *allocator, pm_machine *machine) {
    pm_memory_free(allocator, machine);
}
