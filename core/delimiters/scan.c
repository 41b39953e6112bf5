/* SPDX-License-Identifier: Apache-2.0 */
/* From what the dictionary finds to tokens. */
#include <string.h>

#include "core/context/context.h"
#include "core/delimiters/rules/keys.h"
#include "core/delimiters/tags/quick.h"
#include "core/delimiters/token_scan.h"
#include "core/delimiters/windows/crowd.h"
#include "core/delimiters/windows/starts.h"

#define LIST_MAX ((size_t)4096) /* bytes of a list in parentheses behind an open that may be bodyless */

/* ---- Looking for words ---- */

/* Returns the offset behind several words, the first of which stands at `begin`, if the others follow; else 0. Each
 * blank between them stands for any blanks. */
static size_t spaced_end(const pmi_token_scan *scan, const pmi_rule *rule, size_t begin) {
    const pmi_rule_word word = scan->pairs->words[rule->word_at];
    const unsigned char *const bytes = scan->pairs->bytes + word.begin;
    size_t at = begin + rule->first_length;
    for (size_t k = rule->first_length; k < word.length; k++) {
        if (bytes[k] != ' ') {
            if (at == scan->n)
                pmi_token_scan_doubt(scan);
            if (at == scan->n || pmi_fold_case(scan->text[at], scan->pairs->ignore_case) !=
                                     pmi_fold_case(bytes[k], scan->pairs->ignore_case))
                return 0;
            at++;
            continue;
        }
        const unsigned char before = bytes[k - 1];
        const size_t blanks = pmi_behind_blanks(scan, at) - at;
        while (bytes[k + 1] == ' ')
            k++;
        if (blanks == 0 && pmi_byte_is_word(before) && pmi_byte_is_word(bytes[k + 1]))
            return 0;
        at += blanks;
    }
    return at;
}

/* ---- Handing tokens on ---- */

static void hand_on(pmi_token_scan *scan) {
    if (scan->token_count > 0 && !scan->take(scan->tokens, scan->token_count, scan->user))
        scan->out_of_memory = true;
    scan->token_count = 0;
}

void pmi_token_scan_hand_on(pmi_token_scan *scan, size_t count) {
    if (scan->token_count + count > PM_TOKENS)
        hand_on(scan);
}

static void note_token(pmi_token_scan *scan, const pmi_token *token) {
    pmi_token_scan_hand_on(scan, 1);
    scan->tokens[scan->token_count++] = *token;
}

/*
 * ---- What is open where the scan stands, for languages in which that matters ----
 *
 * Closes that a text leaves out are tokens without bytes. Like whoever gets the tokens, this takes a close for that of
 * the innermost open, whatever their kinds.
 */

#define BENEATH 1u /* entries beneath the opens */

static size_t depth_seen(const pmi_opens *opens) {
    return opens->depth > PM_OPENS_SEEN ? opens->depth - PM_OPENS_SEEN : 0;
}

#define GROWTH ((size_t)4) /* what is nested deeply would be copied more often, and more pages touched, by 2 */

bool pmi_token_scan_reserve_opens(pmi_token_scan *scan, size_t count) {
    pmi_opens *const opens = &scan->opens;
    if (count <= opens->room - opens->depth)
        return true;
    const size_t room = GROWTH * (opens->room > count ? opens->room : count);
    pmi_open *const wider = pmi_memory_allocate(&scan->names.allocator, BENEATH + room, sizeof *wider);
    if (!wider)
        return false;
    wider[0] = (pmi_open){.kind = PM_NONE, .rule = PM_NONE, .implied = PM_NONE};
    if (opens->depth > 0)
        memcpy(wider + BENEATH, opens->entries, opens->depth * sizeof *wider);
    pmi_token_scan_release_opens(scan);
    opens->entries = wider + BENEATH;
    opens->room = room;
    return true;
}

void pmi_token_scan_release_opens(pmi_token_scan *scan) {
    if (scan->opens.room > 0)
        pmi_memory_free(&scan->names.allocator, scan->opens.entries - BENEATH);
    scan->opens.entries = NULL;
    scan->opens.room = 0;
}

static void opens_push(pmi_token_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied) {
    if (!pmi_token_scan_reserve_opens(scan, 1)) {
        scan->out_of_memory = true;
        return;
    }
    pmi_open *const open = &scan->opens.entries[scan->opens.depth++];
    const uint64_t bit = pmi_open_bit(implied);
    *open =
        (pmi_open){token->begin, bit ? bit | open[-1].chain : 0, token->kind, rule, implied, pmi_token_length(token)};
}

/* Closes opens, at a place, until `depth` of them are left. */
static void close_down_to(pmi_token_scan *scan, size_t depth, size_t at) {
    while (scan->opens.depth > depth && !scan->out_of_memory) {
        const uint32_t kind = scan->opens.entries[--scan->opens.depth].kind;
        if (scan->take)
            note_token(scan, &(pmi_token){at, at, kind, false});
        else
            scan->count++;
    }
}

void pmi_opens_end_before(pmi_token_scan *scan, uint64_t ended, size_t at) {
    const pmi_opens *const opens = &scan->opens;
    if (scan->growth) {
        scan->growth->end_before(scan, ended, at);
        return;
    }
    if (opens->depth == 0 || !(opens->entries[opens->depth - 1].chain & ended))
        return;
    const size_t bottom = depth_seen(opens);
    size_t outermost = opens->depth;
    for (size_t d = opens->depth; d > bottom && opens->entries[d - 1].implied < PM_RULES_IMPLIED_MAX; d--)
        if (ended >> opens->entries[d - 1].implied & 1)
            outermost = d - 1;
    close_down_to(scan, outermost, at);
}

/* How many opens there are when all those at the top that may be left open are closed, up to one of a kind. */
static size_t depth_without_implied(const pmi_opens *opens, uint32_t kind) {
    const size_t bottom = depth_seen(opens);
    size_t depth = opens->depth;
    while (depth > bottom && opens->entries[depth - 1].kind != kind && opens->entries[depth - 1].implied != PM_NONE)
        depth--;
    return depth;
}

/* Before a close is handed on: closes what it also closes. */
static void close_implied(pmi_token_scan *scan, const pmi_token *token) {
    const pmi_opens *const opens = &scan->opens;
    const size_t depth = depth_without_implied(opens, token->kind);
    if (depth > 0 && opens->entries[depth - 1].kind == token->kind)
        close_down_to(scan, depth, token->begin);
}

/* Inside a loose pair a close of another kind counts if its open is inside, too. The loose close closes what is inside.
 * Returns false if the token does not count. */
static bool loose_take(pmi_token_scan *scan, const pmi_token *token) {
    const pmi_opens *const opens = &scan->opens;
    const uint32_t loose = scan->pairs->loose;
    const size_t bottom = depth_seen(opens);
    size_t depth = opens->depth;
    while (depth > bottom && opens->entries[depth - 1].kind != token->kind && opens->entries[depth - 1].kind != loose)
        depth--;
    if (depth == bottom || opens->entries[depth - 1].kind != loose)
        return true;
    if (token->kind == loose)
        close_down_to(scan, depth, token->begin);
    return token->kind == loose;
}

/* At the text's end: closes what may be left open. */
static void opens_finish(pmi_token_scan *scan) {
    size_t depth = scan->opens.depth;
    while (depth > 0 && scan->opens.entries[depth - 1].implied != PM_NONE)
        depth--;
    close_down_to(scan, depth, scan->n);
}

bool pmi_open_is_one_of(const struct pmi_delimiters *pairs, const pmi_open *open, pmi_rule_words words) {
    if (open->rule == PM_NONE)
        return false;
    const uint32_t word = pairs->rules[open->rule].word_at;
    for (uint32_t k = 0; k < words.count; k++)
        if (pmi_rule_words_equal(pairs, word, words.first + k))
            return true;
    return false;
}

/* Is the innermost open of a kind one of these words? */
static bool opens_innermost_is(const pmi_token_scan *scan, uint32_t kind, pmi_rule_words words) {
    const size_t bottom = depth_seen(&scan->opens);
    size_t depth = scan->opens.depth;
    if (scan->growth)
        return scan->growth->innermost_is(scan, kind, words);
    while (depth > bottom && scan->opens.entries[depth - 1].kind != kind)
        depth--;
    return depth > bottom && pmi_open_is_one_of(scan->pairs, &scan->opens.entries[depth - 1], words);
}

/* ---- Tokens ---- */

/* A close that is not of the innermost open's kind. */
static void take_bad_close(pmi_token_scan *scan, const pmi_token *token) {
    pmi_opens *const opens = &scan->opens;
    if (pmi_spared_take(&scan->spared, token, opens->depth))
        return;
    if (opens->depth == 0) {
        scan->out_of_memory |= !scan->fault(PM_FAULT_UNMATCHED_CLOSE, token, NULL, scan->user);
        return;
    }
    const pmi_open top = opens->entries[--opens->depth];
    const pmi_token open = {(size_t)top.begin, (size_t)top.begin + top.length, top.kind, true};
    scan->out_of_memory |= !scan->fault(PM_FAULT_KIND_MISMATCH, token, &open, scan->user);
}

static void check_token(pmi_token_scan *scan, const pmi_token *token) {
    pmi_opens *const opens = &scan->opens;
    scan->count++;
    if (token->open)
        scan->max_depth = opens->depth > scan->max_depth ? opens->depth : scan->max_depth;
    else if (opens->depth > 0 && opens->entries[opens->depth - 1].kind == token->kind)
        opens->depth--;
    else
        take_bad_close(scan, token);
}

pmi_open *pmi_token_scan_count_bad(pmi_token_scan *scan, const pmi_token *close, pmi_open *top) {
    pmi_open *const bottom = scan->opens.entries - 1;
    if (!scan->only_counts || close->kind >= PM_KIND_MARK ||
        (top != bottom && (top->implied != PM_NONE || scan->pairs->loose != PM_NONE)))
        return NULL;
    if (pmi_spared_take(&scan->spared, close, (size_t)(top - bottom)))
        return top;
    if (top == bottom) {
        scan->unmatched++;
        return top;
    }
    scan->mismatched++;
    return top - 1;
}

void pmi_token_scan_emit(pmi_token_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied) {
    const bool tracks = scan->pairs->tracks;
    scan->next = token->end;
    if (scan->growth) {
        scan->growth->emit(scan, token, rule, implied);
        return;
    }
    if (!token->open && scan->pairs->loose != PM_NONE && !loose_take(scan, token))
        return;
    if (token->open && (tracks || !scan->take))
        opens_push(scan, token, rule, implied);
    if (!token->open && tracks)
        close_implied(scan, token);
    if (scan->out_of_memory)
        return;
    if (!scan->take) {
        check_token(scan, token);
        return;
    }
    if (!token->open && tracks)
        scan->opens.depth -= scan->opens.depth > 0;
    note_token(scan, token);
}

void pmi_token_scan_cut(pmi_token_scan *scan, size_t begin, size_t end) {
    scan->cut = begin;
    scan->cut_end = end;
    scan->next = scan->n;
    pmi_token_scan_doubt(scan);
}

bool pmi_token_scan_word_may_begin(const pmi_token_scan *scan, size_t at) {
    if (at == 0 || at == scan->mark || !pmi_byte_is_word(scan->text[at]))
        return true;
    const unsigned char before = scan->text[at - 1];
    return !(pmi_byte_is_word(before) || (scan->pairs->sigils[before / 64] >> before % 64 & 1));
}

/* No word of the text goes on across an end of begin ... end - 1. */
static bool is_whole_word(const pmi_token_scan *scan, size_t begin, size_t end) {
    const unsigned char *const text = scan->text;
    if (end == scan->n && pmi_byte_is_word(text[end - 1]))
        pmi_token_scan_doubt(scan);
    return pmi_token_scan_word_may_begin(scan, begin) &&
           (end == scan->n || !pmi_byte_is_word(text[end - 1]) || !pmi_byte_is_word(text[end]));
}

/* Behind what stands in parentheses there, if anything does, and it is not longer than such lists are. */
static size_t behind_parentheses(const pmi_token_scan *scan, size_t at) {
    const size_t end = scan->n - at < LIST_MAX ? scan->n : at + LIST_MAX;
    size_t depth = 0;
    for (size_t i = at; i < end; i++) {
        depth += scan->text[i] == '(';
        depth -= scan->text[i] == ')' && depth > 0;
        if (depth == 0)
            return i == at ? at : i + 1;
    }
    if (end == scan->n)
        pmi_token_scan_doubt(scan);
    return at;
}

/* Does an open open nothing here? */
static bool is_plain(const pmi_token_scan *scan, const pmi_rule *rule, size_t end) {
    if (rule->plain_in.count > 0 && opens_innermost_is(scan, rule->index, rule->plain_in))
        return true;
    if (rule->bodyless == PM_NONE)
        return false;
    const size_t list = behind_parentheses(scan, pmi_behind_blanks(scan, end));
    return pmi_token_scan_at(scan, scan->pairs->words[rule->bodyless], pmi_behind_blanks(scan, list));
}

/* Reads what begins with a pattern; false if the pattern means nothing there. */
static bool apply_rule(pmi_token_scan *scan, const pmi_rule *rule, size_t begin) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    const pmi_rule_word word = pairs->words[rule->word_at];
    const size_t end = rule->spaced ? spaced_end(scan, rule, begin) : begin + word.length;
    if (end == 0)
        return false;
    if (rule->word && !is_whole_word(scan, begin, end))
        return false;
    switch (rule->role) {
    case PM_RULE_OPEN:
        if (is_plain(scan, rule, end))
            break;
        pmi_token_scan_emit(scan, &(pmi_token){begin, end, rule->index, true}, (uint32_t)(rule - pairs->rules),
                            rule->unclosed ? PM_RULES_IMPLIED_MAX : PM_NONE);
        return true;
    case PM_RULE_CLOSE:
        pmi_token_scan_emit(scan, &(pmi_token){begin, end, rule->index, false}, PM_NONE, PM_NONE);
        return true;
    case PM_RULE_REGION:
        return pmi_token_scan_region(scan, &pairs->regions[rule->index], begin, end);
    case PM_RULE_TAG:
        return pmi_token_scan_tag(scan, rule, begin, end);
    case PM_RULE_NOTHING:
        if (rule->lets && !scan->take)
            scan->spared.let = true;
        else if (rule->lets && scan->marks)
            note_token(scan, &(pmi_token){begin, end, PM_KIND_MARK, false});
        break;
    }
    scan->next = end;
    return true;
}

/* May one of several words follow a pattern, by the first byte behind the blanks that end at `at`? */
static bool may_go_on(const pmi_token_scan *scan, const pmi_rule *rule, size_t at) {
    const unsigned char byte = at < scan->n ? scan->text[at] : 0;
    return rule->next[byte / 64] >> byte % 64 & 1;
}

/* One of several words, if what comes behind the pattern may be of one. */
static uint32_t first_to_try(const pmi_token_scan *scan, uint32_t pattern, size_t begin) {
    const pmi_rule *const rule = &scan->pairs->rules[pattern];
    if (rule->first == pattern)
        return pattern;
    const size_t at = pmi_behind_blanks(scan, begin + scan->pairs->words[rule->word_at].length);
    return may_go_on(scan, rule, at) ? rule->first : pattern;
}

/* Returns the rule of the most words that fit there and begin with the pattern; PM_NONE: there is no such rule. */
static uint32_t words_at(const pmi_token_scan *scan, uint32_t pattern, size_t begin) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    const pmi_rule *const rule = &pairs->rules[pattern];
    const size_t at = pmi_behind_blanks(scan, begin + pairs->words[rule->word_at].length);
    if (at == scan->n || !may_go_on(scan, rule, at))
        return PM_NONE;
    unsigned next = pmi_fold_case(scan->text[at], pairs->ignore_case);
    next |= at + 1 < scan->n ? (unsigned)pmi_fold_case(scan->text[at + 1], pairs->ignore_case) << 8 : 0;
    const pmi_spaced *const some = pairs->spaced + rule->spaced_rules.first;
    for (uint32_t k = 0; k < rule->spaced_rules.count; k++)
        if ((next & some[k].mask) == some[k].bytes && spaced_end(scan, &pairs->rules[some[k].rule], begin) != 0)
            return some[k].rule;
    return PM_NONE;
}

void pmi_token_scan_read_at(pmi_token_scan *scan, size_t begin, uint32_t longest) {
    const pmi_rule *const rules = scan->pairs->rules;
    uint32_t pattern = scan->words_at == begin ? scan->words : first_to_try(scan, longest, begin);
    while (pattern != PM_NONE && !apply_rule(scan, &rules[pattern], begin))
        pattern = rules[pattern].shorter;
}

/* Returns the first place in from ... end - 1 where one or two bytes stand, the second perhaps at `end`, which is in
 * the text; NULL: there is no such place. */
static const unsigned char *find_bytes(const unsigned char *from, const unsigned char *end, const uint8_t bytes[2],
                                       unsigned count) {
    const unsigned char *at = from < end ? memchr(from, bytes[0], (size_t)(end - from)) : NULL;
    while (at && count == 2 && at[1] != bytes[1])
        at = at + 1 < end ? memchr(at + 1, bytes[0], (size_t)(end - at) - 1) : NULL;
    return at;
}

/* Returns the offset behind the region that a pattern with PM_PATTERN_SKIPS begins, as pmi_token_scan_region() would;
 * 0 if its end is not found in that way. */
static size_t behind_region(pmi_token_scan *scan, uint32_t found, size_t begin) {
    const uint32_t pattern = pmi_pattern_found(found);
    const pmi_quick_region region = scan->pairs->quick_regions[pattern];
    const unsigned char *const text = scan->text, *const from = text + begin + region.length;
    if (region.by_rule) {
        const pmi_rule_region *const rule = &scan->pairs->regions[scan->pairs->rules[pattern].index];
        const size_t end = pmi_token_scan_region_end(scan, rule, begin + region.length);
        if (end > scan->n)
            pmi_token_scan_cut(scan, begin, begin + region.length);
        return end <= scan->n ? end : scan->n;
    }
    if (region.nests && scan->nested)
        return 0;
    const unsigned char *const at =
        find_bytes(from, text + scan->n - (region.end_length == 2), region.ends, region.end_length);
    if (!at)
        return 0;
    if (region.nests && !scan->holds_nested)
        scan->holds_nested = find_bytes(from, at, text + begin, region.length) != NULL;
    return (size_t)(at - text) + region.end_length;
}

/* Returns the offset behind the region that a pattern with PM_PATTERN_TAGGED begins, or behind its first byte. */
static size_t behind_tagged(pmi_token_scan *scan, uint32_t found, size_t begin) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    const pmi_rule *const rule = &pairs->rules[pmi_pattern_found(found)];
    const size_t end = begin + pairs->words[rule->word_at].length;
    return pmi_token_scan_region(scan, &pairs->regions[rule->index], begin, end) ? scan->next : begin + 1;
}

/* Patterns that are not quick, but not read in quite another way either. */
#define OTHERS (PM_PATTERN_SKIPS | PM_PATTERN_TAGGED | PM_PATTERN_FOLLOWED)

/* Returns the offset behind what one of these passes, a region or nothing; `begin` if it is a token, of one word; 0 if
 * it is to be read in another way, and at the text's beginning. */
static __attribute__((noinline)) size_t behind_other(pmi_token_scan *scan, uint32_t found, size_t begin) {
    if (found & PM_PATTERN_SKIPS)
        return behind_region(scan, found, begin);
    if (found & PM_PATTERN_TAGGED)
        return behind_tagged(scan, found, begin);
    scan->words = words_at(scan, pmi_pattern_found(found), begin);
    scan->words_at = scan->words != PM_NONE ? begin : SIZE_MAX;
    return scan->words != PM_NONE ? 0 : begin;
}

/* Is a pattern followed by a byte, behind a blank perhaps, that begins none of the words that may go on with it? Most
 * are. False: it takes a closer look. */
static inline bool is_alone(const pmi_token_scan *scan, uint32_t found, size_t begin) {
    const uint32_t pattern = pmi_pattern_found(found);
    const size_t at = begin + scan->pairs->quick[pattern].length;
    if (!(found & PM_PATTERN_FOLLOWED) || scan->n - begin < scan->pairs->quick[pattern].length + 2)
        return false;
    const unsigned char byte = scan->text[at + (scan->text[at] <= ' ')];
    return byte > ' ' && !(scan->pairs->rules[pattern].next[byte / 64] >> byte % 64 & 1);
}

/* The same, where most tokens of several words are told from those of one by a byte. */
static inline size_t behind_unquick(pmi_token_scan *scan, uint32_t found, size_t begin) {
    return !(found & OTHERS) ? 0 : is_alone(scan, found, begin) ? begin : behind_other(scan, found, begin);
}

/* Takes a quick token, or one of several words that is alone. */
static pmi_quick_tag take_token(pmi_token_scan *scan, uint32_t pattern, size_t begin, pmi_open *top) {
    const pmi_quick_token *const token = &scan->pairs->quick[pattern];
    const size_t end = begin + token->length;
    if (token->closes & (top->kind != token->open.kind)) {
        const pmi_token close = {begin, end, token->open.kind, false};
        pmi_open *const left = pmi_token_scan_count_bad(scan, &close, top);
        scan->count += left != NULL;
        return (pmi_quick_tag){.top = left, .end = end};
    }
    top[1] = token->open;
    top[1].begin = begin;
    scan->count += token->count;
    return (pmi_quick_tag){.top = (pmi_open *)(void *)((char *)top + token->step), .end = end};
}

pmi_quick_tag pmi_quick_take(pmi_token_scan *scan, uint32_t found, size_t begin, pmi_open *top) {
    if (found & PM_PATTERN_TAG)
        return pmi_quick_tag_take(scan, pmi_pattern_found(found), begin, top);
    if (!(found & PM_PATTERN_QUICK)) {
        const size_t behind = behind_unquick(scan, found, begin);
        if (behind == 0)
            return (pmi_quick_tag){.top = NULL};
        if (behind > begin)
            return (pmi_quick_tag){.top = top, .end = behind};
    }
    return take_token(scan, pmi_pattern_found(found), begin, top);
}

/*
 * Takes events from the first one on as long as they are quick tokens or regions, and close nothing but the innermost
 * open; what begins before scan->next is passed over. Returns how many. There is no branch that depends on what a token
 * does.
 * Without `stacks` it does not matter what is open; without `notes` tokens are only counted.
 */
static inline size_t take_quick(pmi_token_scan *scan, const pmi_event *events, size_t count, size_t base, bool stacks,
                                bool notes) {
    const pmi_quick_token *const quick = scan->pairs->quick;
    pmi_open *const bottom = stacks ? scan->opens.entries - 1 : NULL;
    pmi_open *top = stacks ? bottom + scan->opens.depth : NULL, *deepest = stacks ? bottom + scan->max_depth : NULL;
    pmi_token *const tokens = notes ? scan->tokens + scan->token_count : NULL;
    size_t next = scan->next, k = 0, taken = 0;
    for (; k < count; k++) {
        const size_t begin = base + events[k].offset;
        if (begin < next)
            continue;
        const uint32_t found = events[k].pattern;
        if (stacks && !notes && found & PM_PATTERN_TAG) {
            const pmi_quick_tag tag = pmi_quick_tag_take(scan, pmi_pattern_found(found), begin, top);
            if (!tag.top)
                break;
            top = tag.top;
            deepest = top > deepest ? top : deepest;
            next = tag.end;
            continue;
        }
        if (!(found & PM_PATTERN_QUICK)) {
            const size_t behind = behind_unquick(scan, found, begin);
            if (behind == 0)
                break;
            next = behind;
            if (behind > begin)
                continue;
        }
        const pmi_quick_token *const token = &quick[pmi_pattern_found(found)];
        if (stacks) {
            if (token->closes & (top->kind != token->open.kind)) {
                const pmi_token close = {begin, begin + token->length, token->open.kind, false};
                pmi_open *const left = notes ? NULL : pmi_token_scan_count_bad(scan, &close, top);
                if (!left)
                    break;
                top = left;
                next = close.end;
                taken++;
                continue;
            }
            top[1] = token->open;
            top[1].begin = begin;
            top = (pmi_open *)(void *)((char *)top + token->step);
            deepest = top > deepest ? top : deepest;
        }
        next = begin + token->length;
        if (notes)
            tokens[taken] = (pmi_token){begin, next, token->open.kind, !token->closes};
        taken += token->count;
    }
    scan->next = next;
    if (stacks)
        pmi_token_scan_stacked(scan, top, deepest);
    pmi_token_scan_took(scan, taken, notes);
    return k;
}

/* Most events that are looked at at once. */
#define EVENTS ((size_t)64)

/* The same for what the scan is to do. */
static size_t take_events(pmi_token_scan *scan, const pmi_event *events, size_t count, size_t base) {
    const size_t some = count < EVENTS ? count : EVENTS;
    if ((!scan->take || scan->pairs->tracks) && !pmi_token_scan_reserve_opens(scan, some + 1)) {
        scan->out_of_memory = true;
        return 0;
    }
    if (!scan->take)
        return take_quick(scan, events, some, base, true, false);
    pmi_token_scan_hand_on(scan, some);
    return scan->pairs->tracks ? take_quick(scan, events, some, base, true, true)
                               : take_quick(scan, events, some, base, false, true);
}

static void read_events(pmi_token_scan *scan, const pmi_event *events, size_t count, size_t base) {
    for (size_t e = 0; e < count && !scan->out_of_memory;) {
        const size_t left = count - e, taken = take_events(scan, events + e, left, base);
        e += taken;
        if (taken == left || taken == EVENTS)
            continue;
        pmi_token_scan_read_at(scan, base + events[e].offset, pmi_pattern_found(events[e].pattern));
        e++;
    }
}

void pmi_token_scan_read_window(pmi_token_scan *scan, const pmi_starts *starts) {
    read_events(scan, starts->events, starts->count, starts->begin);
}

/* Reads what the dictionary finds. */
static void read_windows(pmi_token_scan *scan) {
    pmi_starts starts;
    pmi_starts_begin(&starts, scan);
    starts.checks = !scan->take;
    starts.flat = !scan->nested;
    for (size_t from = 0; from < scan->n && !scan->out_of_memory;
         from = scan->next > starts.end ? scan->next : starts.end) {
        pmi_starts_read(&starts, from);
        if (starts.crowded)
            pmi_crowd_read(scan, &starts, from);
        else
            pmi_token_scan_read_window(scan, &starts);
    }
}

pm_status pmi_token_scan_begin(pm_context *context, pmi_token_scan *scan) {
    scan->opens = (pmi_opens){NULL, 0, 0};
    scan->names =
        (pmi_tag_numbers){.allocator = pm_context_allocator(context), .ignore_case = scan->pairs->ignore_case};
    scan->simd = pmi_simd_of(context);
    return PM_OK;
}

/* A word may begin behind a byte order mark. Languages that track are read on CPUs alone, where this is known. */
size_t pmi_text_mark_length(const unsigned char *text, size_t n) {
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    return n >= sizeof mark && memcmp(text, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

#define SHORT_TEXT ((size_t)512) /* bytes of one, at most */

void pmi_token_scan_begin_text(pmi_token_scan *scan, pmi_text_room *room, const unsigned char *text, size_t n) {
    scan->tokens = room->tokens;
    scan->token_count = 0;
    scan->text = scan->names.text = text;
    scan->n = scan->names.n = n;
    scan->more = 0;
    scan->limited = false;
    scan->next = 0;
    scan->words_at = SIZE_MAX;
    scan->quick_names = room->quick_names;
    scan->quick_bits = n < SHORT_TEXT ? PM_QUICK_NAME_FEW : PM_QUICK_NAME_BITS;
    if (scan->pairs->family_count > 0 && !scan->pairs->tags.fits)
        memset(room->quick_names, 0, sizeof *room->quick_names << scan->quick_bits);
    scan->mark = scan->pairs->tracks ? pmi_text_mark_length(text, n) : 0;
    scan->cut = PM_CUT_NONE;
    scan->out_of_memory = false;
    scan->opens.depth = 0;
    scan->count = scan->max_depth = scan->unmatched = scan->mismatched = 0;
    scan->holds_nested = false;
    scan->spared = (pmi_spared){.pairs = scan->pairs, .text = text, .n = n};
}

/* Ends what is open at the end of what was read. */
static pm_status finish(pmi_token_scan *scan) {
    if (!scan->out_of_memory)
        opens_finish(scan);
    return scan->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}

pm_status pmi_token_scan_record(pmi_token_scan *scan, size_t begin, size_t end, const pmi_text_events *found) {
    scan->more += scan->n - end;
    scan->n = scan->spared.n = end;
    scan->next = begin;
    scan->words_at = SIZE_MAX;
    scan->cut = PM_CUT_NONE;
    scan->opens.depth = 0;
    scan->spared.let = false;
    read_events(scan, found->events, found->count, found->base);
    return finish(scan);
}

bool pmi_token_scan_ends_well(pmi_token_scan *scan) {
    opens_finish(scan);
    return scan->opens.depth == 0 && scan->unmatched == 0 && scan->mismatched == 0;
}

void pmi_token_scan_end_text(pmi_token_scan *scan) {
    scan->tokens = NULL;
    scan->quick_names = NULL;
    pmi_tag_numbers_empty(&scan->names);
}

pm_status pmi_token_scan_text(pmi_token_scan *scan, const unsigned char *text, size_t n) {
    pmi_text_room room; /* not initialised: most of it is not used most of the time */
    pmi_token_scan_begin_text(scan, &room, text, n);
    (scan->pairs->tags.fits ? pmi_token_scan_tags : read_windows)(scan);
    pm_status status = finish(scan);
    if (status == PM_OK) {
        hand_on(scan);
        status = scan->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
    }
    pmi_token_scan_end_text(scan);
    return status;
}

void pmi_token_scan_end(pmi_token_scan *scan) {
    pmi_token_scan_release_opens(scan);
    pmi_tag_numbers_clear(&scan->names);
    scan->simd = NULL;
}

pm_status pmi_token_scan_run(pm_context *context, pmi_token_scan *scan) {
    pm_status status = pmi_token_scan_begin(context, scan);
    if (status != PM_OK)
        return status;
    status = pmi_token_scan_text(scan, scan->text, scan->n);
    pmi_token_scan_end(scan);
    return status;
}
