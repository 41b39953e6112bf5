/* SPDX-License-Identifier: Apache-2.0 */
/* From rules to states: what core/structure_scan.c does, one place after another. */
#include "core/machine.h"

#include "core/context.h"
#include "core/machine_letters.h"
#include "core/structure.h"

/* Where in a tag. */
typedef enum tag_part {
    TAG_NAME,
    TAG_INSIDE,
    TAG_VALUE /* behind a =, blanks aside: a quote begins a value */
} tag_part;

/* What is known of a place before its letter is read. */
typedef struct state {
    const pm_pairs_region *region; /* it is in; NULL: in none */
    const pm_tag_family *family;   /* of the tag that it is in; NULL: in none */
    bool closes;                   /* that tag */
    tag_part part;
    bool passing;        /* the second word of a pattern comes next, blanks aside */
    const pm_rule *told; /* which pattern's; NULL: of one that stands for itself */
    unsigned char quote; /* of a quoted string inside the region or tag; 0: in none */
    uint32_t skip;       /* places that stand for themselves, from this one on */
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
    return a.region == b.region && a.family == b.family && a.closes == b.closes && a.part == b.part &&
           a.passing == b.passing && a.told == b.told && a.quote == b.quote && a.skip == b.skip;
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
    const unsigned char before = pairs->bytes[word.begin + from - 1], byte = pairs->bytes[word.begin + from];
    if (!region) {
        const bool in_word = pm_byte_is_word(before) && pm_byte_is_word(byte);
        for (uint32_t r = 0; r < pairs->pattern_count; r++)
            if (!(in_word && pairs->rules[r].word) &&
                one_could_begin_in(pairs, (pm_pairs_words){pairs->rules[r].word_at, 1}, word, from))
                return true;
        return false;
    }
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

static unsigned char first_byte(const struct pm_pairs *pairs, pm_pairs_word word) {
    return pairs->bytes[word.begin];
}

/* Besides blanks. */
static bool ends_name(const struct pm_pairs *pairs, const pm_tag_family *family, unsigned char byte) {
    return byte == first_byte(pairs, family->end) ||
           (family->empty.length > 0 && byte == first_byte(pairs, family->empty));
}

/* The state behind the first byte of what begins a tag, likewise: no name has begun before it is passed. */
static state behind_tag_begin(const struct pm_pairs *pairs, const pm_rule *rule) {
    const pm_tag_family *const family = &pairs->families[rule->index];
    const pm_pairs_word word = pairs->words[rule->word_at];
    const unsigned char *const bytes = pairs->bytes + word.begin;
    uint32_t skip = word.length - 1;
    while (skip > 0 && !pm_byte_is_space(bytes[skip]) && !ends_name(pairs, family, bytes[skip]))
        skip--;
    return (state){.family = family, .closes = rule->close_tag, .part = TAG_NAME, .skip = skip};
}

/* ---- One place ---- */

static bool begins_with(const pm_glyph *glyph, int byte) {
    return glyph->length > 0 && glyph->bytes[0] == byte;
}

static bool is_blank(const pm_glyph *glyph) {
    return glyph->length > 0 && pm_byte_is_space(glyph->bytes[0]);
}

/* Does the word begin there? */
static bool has_word(const struct pm_pairs *pairs, const pm_glyph *glyph, pm_pairs_word word) {
    return word.length <= glyph->length &&
           pm_bytes_equal(pairs->bytes + word.begin, glyph->bytes, word.length, pairs->ignore_case);
}

static state after_in_code(const struct pm_pairs *pairs, const pm_glyph *glyph) {
    const pm_rule *const rule = glyph->rule;
    if (!rule)
        return (state){.region = NULL};
    if (rule->role == PM_RULE_TAG)
        return behind_tag_begin(pairs, rule);
    if (rule->spaced)
        return (state){.passing = true,
                       .told = rule->role == PM_RULE_NOTHING ? NULL : rule,
                       .skip = pm_first_word(pairs, rule).length - 1};
    if (pm_rule_is_tagged(pairs, rule))
        return (state){.region = &pairs->regions[rule->index], .skip = 1};
    const pm_pairs_region *const region = rule->role == PM_RULE_REGION ? &pairs->regions[rule->index] : NULL;
    return behind(pairs, region, pairs->words[rule->word_at]);
}

/* What begins a region of a rule `tagged`. */
static unsigned char tagged_byte(const struct pm_pairs *pairs, const pm_pairs_region *region) {
    uint32_t r = 0;
    while (!pm_rule_is_tagged(pairs, &pairs->rules[r]) || &pairs->regions[pairs->rules[r].index] != region)
        r++;
    return first_byte(pairs, pairs->words[pairs->rules[r].word_at]);
}

static state after_in_region(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    const pm_pairs_region *const region = before.region;
    const pm_pairs_word *const ends = pairs->words + region->ends.first;
    if (region->flags & PM_SKIP_TAGGED)
        return begins_with(glyph, tagged_byte(pairs, region)) && glyph->length > 1 && glyph->bytes[1] == glyph->bytes[0]
                   ? (state){.skip = 1}
                   : before;
    if (region->flags & PM_SKIP_LINE)
        return begins_with(glyph, '\n') ? after_in_code(pairs, glyph) : before;
    if (begins_with(glyph, region->escape))
        return (state){.region = region, .skip = 1};
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (has_word(pairs, glyph, ends[e]))
            return behind(pairs, NULL, ends[e]);
    if ((region->flags & PM_SKIP_QUOTATIONS) && (begins_with(glyph, '"') || begins_with(glyph, '\'')))
        return (state){.region = region, .quote = glyph->bytes[0]};
    return before;
}

/* The end of the tag that begins there: its own, or of one that is empty; length 0: none does. */
static pm_pairs_word tag_end_at(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    const pm_tag_family *const family = before.family;
    if (family->empty.length > 0 && has_word(pairs, glyph, family->empty))
        return family->empty;
    return has_word(pairs, glyph, family->end) ? family->end : (pm_pairs_word){0, 0};
}

static state after_in_tag(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    const bool blank = is_blank(glyph);
    const pm_pairs_word end = tag_end_at(pairs, before, glyph);
    state next = before;
    if (end.length > 0)
        return behind(pairs, NULL, end);
    if (before.part == TAG_NAME && !blank && !(glyph->length > 0 && ends_name(pairs, before.family, glyph->bytes[0])))
        return before;
    next.part = begins_with(glyph, '=') || (blank && before.part == TAG_VALUE) ? TAG_VALUE : TAG_INSIDE;
    if (before.part == TAG_VALUE && (begins_with(glyph, '"') || begins_with(glyph, '\'')))
        next.quote = glyph->bytes[0];
    return next;
}

static state after(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    state next = before;
    if (before.skip > 0) {
        next.skip--;
        return next;
    }
    if (before.passing)
        return is_blank(glyph) ? before : (state){.region = NULL};
    if (before.quote) {
        next.quote = begins_with(glyph, before.quote) ? 0 : before.quote;
        return next;
    }
    return before.family   ? after_in_tag(pairs, before, glyph)
           : before.region ? after_in_region(pairs, before, glyph)
                           : after_in_code(pairs, glyph);
}

/* ---- What a machine can do ---- */

static bool is_line(const pm_pairs_region *region) {
    return region->flags & PM_SKIP_LINE;
}

/* May a tag's end begin with it, so that the ways to read a byte in a tag are apart? */
static bool may_end_tag(unsigned char byte) {
    return !pm_byte_begins_name(byte) && !pm_byte_is_space(byte) && byte != '"' && byte != '\'' && byte != '=';
}

/* Tags of one family, all names alike. */
static bool families_suit(const struct pm_pairs *pairs) {
    if (pairs->family_count == 0)
        return true;
    const pm_tag_family *const family = pairs->families;
    return pairs->family_count == 1 && !family->statement && family->empty_names.count == 0 &&
           family->raw_names.count == 0 && family->optional_names.count == 0 &&
           may_end_tag(first_byte(pairs, family->end)) &&
           (family->empty.length == 0 || may_end_tag(first_byte(pairs, family->empty)));
}

/* A pattern of two words, the second of which has nothing in it that could begin something else. */
static bool words_suit(const struct pm_pairs *pairs, const pm_rule *rule) {
    const pm_pairs_word second = pm_second_word(pairs, rule);
    return second.length > 0 && !memchr(pairs->bytes + second.begin, ' ', second.length) &&
           behind(pairs, NULL, second).skip == 0;
}

/* One byte; no word goes on across it. */
static bool tagged_suits(const struct pm_pairs *pairs, const pm_rule *rule) {
    const pm_pairs_word word = pairs->words[rule->word_at];
    return word.length == 1 && !pm_byte_is_word(first_byte(pairs, word));
}

static bool suits(const struct pm_pairs *pairs) {
    bool lines = false, folded_escape = false, delimited = false, newlines = false, ahead = false;
    uint32_t tagged = 0;
    for (uint32_t r = 0; r < pairs->region_count; r++) {
        const pm_pairs_region *const region = &pairs->regions[r];
        lines |= is_line(region);
        delimited |= (region->flags & PM_SKIP_DELIMITED) != 0;
        folded_escape |= pairs->ignore_case && region->escape >= 0 && pm_byte_is_letter((unsigned char)region->escape);
    }
    for (uint32_t r = 0; r < pairs->rule_count; r++) {
        const pm_rule *const rule = &pairs->rules[r];
        ahead |= rule->bodyless != PM_NONE || (rule->spaced && !words_suit(pairs, rule));
        delimited |= pm_rule_is_tagged(pairs, rule) && (tagged++ > 0 || !tagged_suits(pairs, rule));
        newlines |= pairs->bytes[pairs->words[pairs->rules[r].word_at].begin] == '\n';
    }
    /* A newline that ends a line is read in a state other than code, where no token begins. An escape's case counts.
     * No finite machine knows what is open, or what a text has chosen as an end. */
    return !pairs->tracks && !ahead && families_suit(pairs) && !delimited && !folded_escape && !(lines && newlines);
}

/* ---- The machine ---- */

static pm_letter_role role_of(const struct pm_pairs *pairs, const pm_rule *rule) {
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

static pm_letter letter_of(const struct pm_pairs *pairs, const pm_glyph *glyph) {
    pm_letter letter = {.role = glyph->unknown ? PM_LETTER_UNKNOWN : role_of(pairs, glyph->rule)};
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

/* What the glyph ends in a state, so that a token can be told: a tag, or the blanks before a second word. The bytes
 * from there to the token's end; 0: nothing. */
static uint32_t late_length(const struct pm_pairs *pairs, state before, const pm_glyph *glyph) {
    if (before.skip > 0 || before.quote)
        return 0;
    if (before.told && has_word(pairs, glyph, pm_second_word(pairs, before.told)))
        return pm_second_word(pairs, before.told).length;
    if (!before.family)
        return 0;
    const pm_pairs_word end = tag_end_at(pairs, before, glyph);
    const bool empty = before.family->empty.length > 0 && end.begin == before.family->empty.begin;
    return empty && !before.closes ? 0 : end.length;
}

/* Notes it in the glyph's letter. False: the letter would have two lengths. */
static bool late_note(machine_maker *maker, uint32_t s, uint32_t g) {
    const uint32_t length = late_length(maker->pairs, maker->states[s], &maker->glyphs.at[g]);
    pm_letter *const letter = &maker->letters[g];
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
    const pm_glyphs *const glyphs = &maker->glyphs;
    for (uint32_t g = 0; g < glyphs->count; g++)
        maker->letters[g] = letter_of(maker->pairs, &glyphs->at[g]);
    maker->states[0] = (state){.region = NULL};
    maker->state_count = 1;
    for (uint32_t s = 0; s < maker->state_count; s++)
        for (uint32_t g = 0; g < glyphs->count; g++) {
            const uint32_t to = number_of(maker, after(maker->pairs, maker->states[s], &glyphs->at[g]));
            if (to == PM_MACHINE_STATES_MAX || !late_note(maker, s, g))
                return false;
            maker->letters[g].next[s] = (uint8_t)to;
        }
    return true;
}

static bool same_letter(const pm_letter *a, const pm_letter *b) {
    return a->role == b->role && a->kind == b->kind && a->length == b->length && a->late == b->late &&
           a->late_length == b->late_length && memcmp(a->next, b->next, sizeof a->next) == 0;
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

static bool must_not_end_in(state s) {
    return s.family || (s.region && !is_line(s.region));
}

static void tags_note(const struct pm_pairs *pairs, pm_machine *machine) {
    const pm_tag_family *const family = pairs->families;
    machine->tags = pairs->family_count > 0;
    machine->kinds = pairs->kinds;
    if (!machine->tags)
        return;
    machine->name_ends[0] = first_byte(pairs, family->end);
    machine->name_ends[1] = family->empty.length > 0 ? first_byte(pairs, family->empty) : machine->name_ends[0];
}

static bool is_late(const pm_letter *letter) {
    return letter->late != 0 || letter->role == PM_LETTER_UNKNOWN;
}

static bool machine_make(machine_maker *maker, pm_machine *machine) {
    machine->of_bytes = pm_glyphs_are_bytes(maker->pairs);
    if (machine->of_bytes)
        pm_glyphs_of_bytes(maker->pairs, &maker->glyphs);
    else if (!pm_glyphs_of_words(maker->pairs, &maker->glyphs, machine))
        return false;
    if (!states_find(maker) || !letters_merge(maker, machine))
        return false;
    tags_note(maker->pairs, machine);
    machine->states = maker->state_count;
    for (uint32_t l = 0; l < machine->letter_count; l++)
        machine->late |= is_late(&machine->letters[l]);
    for (uint32_t s = 0; s < maker->state_count; s++)
        if (must_not_end_in(maker->states[s]))
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
