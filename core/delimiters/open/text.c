/* SPDX-License-Identifier: Apache-2.0 */
/* The reader goes from pattern to pattern, as core/delimiters/scan.c does with whole texts, and its functions read what
 * begins there. It notes where it stood when one of them first asked for what follows the text. */
#include "core/delimiters/open/text.h"

#include <string.h>

#include "base/memory.h"
#include "core/context/context.h"
#include "core/delimiters/rules/keys.h"
#include "core/delimiters/tags/name_facts.h"
#include "core/delimiters/windows/starts.h"

static pmi_open_text *text_of(const pmi_token_scan *scan) {
    return scan->user;
}

/* ---- Opens ---- */

static void count_lines(pmi_open_text_state *state, const unsigned char *text, size_t end) {
    while (state->counted < end) {
        const unsigned char *const from = text + state->counted;
        const unsigned char *const newline = memchr(from, '\n', end - state->counted);
        state->counted = newline ? (size_t)(newline - text) + 1 : end;
        state->line += newline != NULL;
        state->line_start = newline ? state->counted : state->line_start;
    }
}

static void drop_entry(pmi_open_text *text) {
    pmi_stack_pop(&text->entries);
    text->count--;
}

static void drop_behind(pmi_open_text *text, uint64_t count, uint64_t names) {
    while (text->count > count)
        drop_entry(text);
    pmi_tag_numbers_drop(&text->scan.names, names);
}

/* Nothing that was read depends on what may follow. */
static void settle(pmi_open_text *text) {
    while (!text->shared && text->count > 0 && pmi_stack_top(&text->entries) != text->state.top)
        drop_entry(text);
    text->settled = text->count;
    text->settled_names = text->scan.names.noted;
}

static void close_of(const pmi_token_scan *scan, const pmi_open *open, pmi_close *close) {
    pmi_close_of(scan->pairs, scan->text, open->kind, (size_t)open->begin, (size_t)open->begin + open->length, close);
}

/* Stores what is to stand between the closes of two entries. False: there is no memory. */
static bool separator_of(pmi_open_text *text, const pmi_close *close, const pmi_open_entry *below, unsigned *between) {
    pmi_close next;
    if (close->sort < PM_CLOSE_SORTS && below->close < PM_CLOSE_SORTS &&
        text->closes->known[close->sort][below->close] > 0) {
        *between = text->closes->known[close->sort][below->close] - 1u;
        return true;
    }
    close_of(&text->scan, &below->open, &next);
    return pmi_closes_separator(text->closes, text->context, text->scan.pairs, close, &next, between);
}

static void keep_bytes(pmi_open_entry *entry, const pmi_close *close) {
    if (close->length <= PM_CLOSE_KEPT)
        entry->length = (uint8_t)pmi_close_put(close, entry->bytes);
}

/* Notes what closes an entry, and those below it. False: there is no memory. */
static bool note_close(pmi_open_text *text, pmi_open_entry *entry) {
    const pmi_open_entry *const below = entry->below;
    pmi_close close;
    unsigned between;
    close_of(&text->scan, &entry->open, &close);
    entry->whole = close.whole;
    entry->worded = close.worded;
    keep_bytes(entry, &close);
    entry->suffix = close.length;
    entry->close = close.sort;
    entry->separator = close.length > 0 ? 0 : PM_CLOSE_SEPARATORS;
    if (!below)
        return true;
    entry->suffix += below->suffix;
    entry->separator = entry->separator > below->separator ? entry->separator : below->separator;
    if (entry->separator == PM_CLOSE_SEPARATORS)
        return true;
    if (!separator_of(text, &close, below, &between))
        return false;
    entry->separator = entry->separator > between ? entry->separator : between;
    return true;
}

static void push(pmi_token_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied) {
    pmi_open_text *const text = text_of(scan);
    pmi_open_text_state *const state = &text->state;
    const pmi_open_entry *const below = state->top;
    pmi_open_entry *const entry = pmi_stack_push(&text->entries);
    const uint64_t bit = pmi_open_bit(implied);
    if (!entry) {
        scan->out_of_memory = true;
        return;
    }
    text->count++;
    count_lines(state, scan->text, token->begin);
    *entry = (pmi_open_entry){.below = below,
                              .at = {token->begin, state->line, token->begin - state->line_start + 1},
                              .open = {token->begin, bit ? bit | (below ? below->open.chain : 0) : 0, token->kind, rule,
                                       implied, pmi_token_length(token)},
                              .depth = below ? below->depth + 1 : 1};
    entry->needed = implied == PM_NONE ? entry : below ? below->needed : NULL;
    scan->out_of_memory |= !note_close(text, entry);
    state->top = entry;
}

/* Inside a loose pair, as loose_take() of scan.c. */
static bool loose_take(pmi_open_text *text, const pmi_token *token) {
    const uint32_t loose = text->scan.pairs->loose;
    const pmi_open_entry *entry = text->state.top;
    size_t seen = 0;
    while (entry && seen < PM_OPENS_SEEN && entry->open.kind != token->kind && entry->open.kind != loose) {
        entry = entry->below;
        seen++;
    }
    if (!entry || seen == PM_OPENS_SEEN || entry->open.kind != loose)
        return true;
    if (token->kind == loose)
        text->state.top = entry;
    return token->kind == loose;
}

/* Closes what a close also closes. */
static void close_implied(pmi_open_text *text, const pmi_token *token) {
    const pmi_open_entry *entry = text->state.top;
    for (size_t seen = 0;
         entry && seen < PM_OPENS_SEEN && entry->open.kind != token->kind && entry->open.implied != PM_NONE; seen++)
        entry = entry->below;
    if (entry && entry->open.kind == token->kind)
        text->state.top = entry;
}

static void take_close(pmi_token_scan *scan, const pmi_token *token) {
    pmi_open_text_state *const state = &text_of(scan)->state;
    if (scan->pairs->tracks)
        close_implied(text_of(scan), token);
    const bool fits = state->top && state->top->open.kind == token->kind;
    if (!fits) {
        const bool spared = pmi_spared_take(&scan->spared, token, state->top ? (size_t)state->top->depth : 0);
        if (scan->spared.cut)
            pmi_token_scan_doubt(scan);
        if (spared)
            return;
        state->faults++;
    }
    if (state->top)
        state->top = state->top->below;
}

static void emit(pmi_token_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied) {
    if (token->open)
        push(scan, token, rule, implied);
    else if (scan->pairs->loose == PM_NONE || loose_take(text_of(scan), token))
        take_close(scan, token);
}

/* As pmi_opens_end_before(). */
static void end_before(pmi_token_scan *scan, uint64_t ended, size_t at) {
    pmi_open_text_state *const state = &text_of(scan)->state;
    const pmi_open_entry *entry = state->top, *outermost = NULL;
    (void)at;
    if (!entry || !(entry->open.chain & ended))
        return;
    for (size_t seen = 0; entry && seen < PM_OPENS_SEEN && entry->open.implied < PM_RULES_IMPLIED_MAX; seen++) {
        outermost = ended >> entry->open.implied & 1 ? entry : outermost;
        entry = entry->below;
    }
    if (outermost)
        state->top = outermost->below;
}

static bool innermost_is(const pmi_token_scan *scan, uint32_t kind, pmi_rule_words words) {
    const pmi_open_entry *entry = text_of(scan)->state.top;
    size_t seen = 0;
    while (entry && seen < PM_OPENS_SEEN && entry->open.kind != kind) {
        entry = entry->below;
        seen++;
    }
    return entry && seen < PM_OPENS_SEEN && pmi_open_is_one_of(scan->pairs, &entry->open, words);
}

/* ---- Steps ---- */

/* The next place from `at` on where a pattern may begin; n: there is no such place. */
static size_t next_start(const pmi_open_text *text, size_t at) {
    const pmi_token_scan *const scan = &text->scan;
    const pmi_scan_growth *const growth = &text->growth;
    for (; at < scan->n; at++) {
        const unsigned begins = text->begins[scan->text[at]];
        if (!text->blanks_begin && growth->blanks <= at && at < growth->blanks_end)
            at = growth->blanks_end - 1;
        else if (begins & PM_BEGINS_ANYWHERE || (begins && pmi_token_scan_word_may_begin(scan, at)))
            break;
    }
    return at;
}

/* Does the text end with a pattern that begins at `at` and no other one begins with? */
static bool ends_with_whole(const pmi_open_text *text, uint32_t pattern, size_t at) {
    return pattern != PM_NONE && !text->goes_on[pattern] &&
           text->scan.pairs->dict->patterns[pattern].length == text->scan.n - at;
}

/* The longest pattern that begins there; PM_NONE: none does. */
static uint32_t longest_at(const pmi_open_text *text, size_t at) {
    const pmi_token_scan *const scan = &text->scan;
    const struct pm_dict *const dict = scan->pairs->dict;
    const pmi_dict_node *const nodes = dict->nodes;
    uint32_t node = 0;
    for (size_t i = at; i < scan->n; i++) {
        const uint32_t child = nodes[node].base + dict->class_of[scan->text[i]];
        if (nodes[child].parent != node)
            return nodes[node].longest;
        node = child;
    }
    if (!ends_with_whole(text, nodes[node].longest, at))
        pmi_token_scan_doubt(scan);
    return nodes[node].longest;
}

/* Marks the last bytes of a word, at most n, in both cases where these are one. */
static void mark_last(const struct pmi_delimiters *pairs, pmi_rule_word word, size_t n, bool *marks) {
    for (size_t k = 1; k <= n && k <= word.length; k++) {
        const unsigned char byte = pairs->bytes[word.begin + word.length - k];
        marks[byte] = true;
        if (pairs->ignore_case && pmi_byte_is_letter(byte))
            marks[byte ^ ('a' ^ 'A')] = true;
    }
}

/* Notes what may end a region. */
static void note_region_ends(pmi_open_text *text, const pmi_rule *rule) {
    const struct pmi_delimiters *const pairs = text->scan.pairs;
    const pmi_rule_region *const region = &pairs->regions[rule->index];
    mark_last(pairs, pairs->words[rule->word_at], 1, text->region_ends); /* some end as they begin */
    for (uint32_t e = 0; e < region->ends.count; e++)
        mark_last(pairs, pairs->words[region->ends.first + e], SIZE_MAX, text->region_ends);
    if (region->escape >= 0)
        text->region_ends[region->escape] = true;
    text->region_ends['\n'] |= region->flags & PM_SKIP_LINE;
}

/* Is it known what may end what a rule begins: a plain region, with no strings in it and no branches, or a tag? */
static bool ends_are_known(const pmi_open_text *text, const pmi_rule *rule) {
    const struct pmi_delimiters *const pairs = text->scan.pairs;
    if (rule->role == PM_RULE_TAG)
        return rule->index < PM_CLOSE_FAMILIES && text->plain_tags[rule->index] && !pairs->nested_open &&
               text->scan.cut_end - text->scan.cut == pairs->words[rule->word_at].length;
    return rule->role == PM_RULE_REGION && !pairs->nested_open &&
           !(pairs->regions[rule->index].flags & ~(PM_SKIP_LINE | PM_SKIP_MAY_NEST));
}

/* Makes region_ends what may end the region or tag that the text is in, if that is known. */
static void note_region_bytes(pmi_open_text *text) {
    const struct pmi_delimiters *const pairs = text->scan.pairs;
    if (text->region == PM_NONE || text->known_region == text->region)
        return;
    const pmi_rule *const begun = &pairs->rules[text->region];
    text->known_region = text->region;
    memset(text->region_ends, 0, sizeof text->region_ends);
    if (begun->role == PM_RULE_REGION)
        note_region_ends(text, begun);
    for (unsigned byte = 0; begun->role == PM_RULE_TAG && byte < 256; byte++)
        text->region_ends[byte] = pairs->families[begun->index].roles[byte] & PM_TAG_MATTERS;
}

/* Notes that the text is in the region or tag that a rule begins, if it is known what may end that. */
static void note_region(pmi_open_text *text, uint32_t rule) {
    text->region = ends_are_known(text, &text->scan.pairs->rules[rule]) ? rule : PM_NONE;
    note_region_bytes(text);
}

/* Where the reader stood before the first step that depends on what may follow the text. */
typedef struct standing {
    size_t at;
    pmi_open_text_state state;
    pmi_name_change *names;
    bool settled; /* there was no such step yet */
} standing;

/* ---- Behind quotes that wait ---- */

#define BEHIND_LEAST 64u /* bytes behind an expression, so that no step in it asked for more than its quotes */

/* Makes a byte, which may be a quote, one that ends the second standing. */
static void wait_for(pmi_open_text_later *later, unsigned char byte) {
    later->ends[0] |= byte == '"';
    later->ends[1] |= byte == '\'';
    later->ends[2] |= byte == '`';
    later->ends[3] |= byte != '`'; /* a newline */
}

static bool waits_for(const pmi_open_text_later *later, unsigned char byte) {
    return (byte == '"' && later->ends[0]) || (byte == '\'' && later->ends[1]) || (byte == '`' && later->ends[2]) ||
           (byte == '\n' && later->ends[3]);
}

/* Behind the first step that depends on what may follow, which began at `at`: if it was an expression that has ended,
 * except for quotes, the steps behind it are noted, too. */
static void begin_later(pmi_open_text *text, size_t at) {
    const pmi_token_scan *const scan = &text->scan;
    const pmi_expression *const reading = &text->growth.expression;
    pmi_open_text_later *const later = &text->read;
    later->holds = scan->pairs->nested_open && !text->waits && !text->growth.doubtful && scan->cut == PM_CUT_NONE &&
                   reading->count > 0 && reading->from >= at && reading->depth == 0 && scan->next == reading->at &&
                   scan->n >= reading->at + BEHIND_LEAST;
    if (!later->holds)
        return;
    memset(later->ends, 0, sizeof later->ends);
    for (unsigned k = 0; k < reading->count; k++)
        wait_for(later, scan->text[reading->quotes[k].at]);
    later->now.at = PM_CUT_NONE;
}

/* The scan stands at `at`, and has so many entries and changes of names; from there on it depends on what follows. */
static void note_later(pmi_open_text *text, size_t at, const pmi_open_text_state *state, pmi_name_change *names,
                       uint64_t count, uint64_t noted) {
    pmi_open_text_later *const later = &text->read;
    if (!later->holds || later->now.at != PM_CUT_NONE)
        return;
    later->now.at = at;
    later->now.state = *state;
    later->now.names = names;
    later->count = count;
    later->names = noted;
}

/* Does the second standing hold in a text of n bytes? */
static bool later_holds(const pmi_open_text *text, const unsigned char *bytes, size_t n) {
    if (!text->later.holds || text->known == PM_CUT_NONE)
        return false;
    for (size_t i = text->known; i < n; i++)
        if (waits_for(&text->later, bytes[i]))
            return false;
    return true;
}

/* Reads what begins at `at`: raw contents, or what `pattern` does. Returns where to go on. */
static size_t take_step(pmi_open_text *text, size_t at, uint32_t pattern, standing *clear) {
    pmi_token_scan *const scan = &text->scan;
    pmi_open_text_state *const state = &text->state;
    const pmi_open_text_state before = *state;
    pmi_name_change *const names = scan->names.last;
    const uint64_t count = text->count, noted = scan->names.noted;
    scan->next = at;
    if (state->raw.name < state->raw.name_end) {
        scan->next = pmi_token_scan_raw_end(scan, &state->raw, at);
        state->raw.name_end = state->raw.name;
    } else {
        text->growth.raw = (pmi_raw_contents){0, 0, 0};
        if (pattern != PM_NONE)
            pmi_token_scan_read_at(scan, at, pattern);
        state->raw = text->growth.raw;
        state->let = scan->spared.let;
        scan->next = scan->next > at ? scan->next : at + 1;
    }
    if (!clear->settled) {
        if (text->growth.undecided)
            note_later(text, at, &before, names, count, noted);
    } else if (!text->growth.undecided) {
        settle(text);
    } else {
        *clear = (standing){at, before, names, false};
        text->waits = !text->growth.doubtful && (scan->cut == at || text->growth.line);
        text->region = PM_NONE;
        if (text->waits && pattern != PM_NONE)
            note_region(text, pattern);
        begin_later(text, at);
    }
    return scan->next;
}

/* Reads the places of a window that the vectors find, as long as the text's end is far. Returns where to go on. */
static __attribute__((noinline)) size_t read_window(pmi_open_text *text, size_t at, standing *clear) {
    const pmi_token_scan *const scan = &text->scan;
    pmi_starts starts;
    pmi_starts_begin(&starts, scan);
    pmi_starts_read(&starts, at);
    for (size_t e = 0; e < starts.count && clear->settled && text->state.raw.name == text->state.raw.name_end; e++) {
        const size_t begin = starts.begin + starts.events[e].offset;
        if (begin < at)
            continue;
        at = take_step(text, begin, pmi_pattern_found(starts.events[e].pattern), clear);
        if (scan->out_of_memory)
            return at;
    }
    const bool whole = clear->settled && text->state.raw.name == text->state.raw.name_end;
    return whole && at < starts.end ? starts.end : at;
}

#define FAR ((size_t)4096) /* as many bytes, more than a window and any pattern has, are read by windows */

/* Makes the names those of the settled part of a text. Returns false if there is no memory. */
static bool settle_names(pmi_open_text *text, const pmi_open_text_now *now, const unsigned char *bytes, size_t n) {
    text->scan.names.text = bytes;
    text->scan.names.n = n;
    return pmi_tag_numbers_go(&text->scan.names, now->names);
}

/* The scan begins where the text is settled, or at the second standing. */
static void begin_standing(pmi_open_text *text, bool later, standing *clear) {
    text->read.holds = later;
    *clear = (standing){.settled = true};
    if (!later)
        return;
    text->read = text->later;
    text->read.now.at = PM_CUT_NONE;
    text->region = PM_NONE;
    *clear = (standing){text->now.at, text->now.state, text->now.names, false};
}

/* Reads the text from where it is settled on, or from the second standing. Returns false if there is no memory. */
static bool run(pmi_open_text *text, bool later, const unsigned char *bytes, size_t n, standing *clear) {
    pmi_token_scan *const scan = &text->scan;
    const pmi_open_text_now *const now = later ? &text->later.now : &text->now;
    scan->text = bytes;
    scan->n = n;
    scan->mark = scan->pairs->tracks ? pmi_text_mark_length(bytes, n) : 0;
    scan->words_at = SIZE_MAX;
    scan->cut = PM_CUT_NONE;
    scan->out_of_memory = !settle_names(text, now, bytes, n);
    scan->spared = (pmi_spared){.pairs = scan->pairs, .text = bytes, .n = n, .let = now->state.let};
    text->growth.undecided = text->growth.doubtful = text->growth.line = false;
    text->growth.search = now->search;
    if (scan->pairs->nested_open) {
        text->growth.expression = now->expression;
        text->growth.inner = now->inner;
    }
    text->growth.name = now->name;
    text->growth.blanks = now->blanks;
    text->growth.blanks_end = now->blanks_end;
    text->state = now->state;
    text->waits = false;
    begin_standing(text, later, clear);
    const size_t far = n > FAR + scan->pairs->dict->longest ? n - FAR - scan->pairs->dict->longest : 0;
    for (size_t at = now->at; !scan->out_of_memory;) {
        const bool raw = text->state.raw.name < text->state.raw.name_end;
        const bool again = at == now->at && (at > 0 || text->known != PM_CUT_NONE); /* a pattern begins there, mostly */
        if (!raw && !again && at < far && clear->settled) {
            at = read_window(text, at, clear);
            continue;
        }
        at = raw ? at : next_start(text, at);
        if (at >= n && !raw)
            break;
        text->growth.undecided = false; /* each step says that for itself */
        at = take_step(text, at, raw ? PM_NONE : longest_at(text, at), clear);
    }
    if (clear->settled)
        *clear = (standing){n, text->state, scan->names.last, true};
    note_later(text, n, &text->state, scan->names.last, text->count, scan->names.noted);
    return !scan->out_of_memory;
}

/* Does nothing that has come of what is cut off depend on what follows? An expression may be open, but not in a tag. */
static bool is_certain(const pmi_open_text *text) {
    const pmi_token_scan *const scan = &text->scan;
    const bool alone =
        scan->cut != PM_CUT_NONE && scan->cut_end == scan->cut + 1 && scan->text[scan->cut] == scan->pairs->nested_open;
    return text->growth.search.at == scan->n && (text->growth.braces == 0 || alone);
}

static void note_end(const pmi_open_text *text, const standing *clear, pmi_open_text_end *end) {
    const pmi_token_scan *const scan = &text->scan;
    const pmi_end_search *const search = &text->growth.search;
    const bool in_string = scan->cut != PM_CUT_NONE && search->at >= scan->cut && search->behind > search->at &&
                           search->behind + 1 >= scan->n; /* the last byte may protect the next one */
    *end = (pmi_open_text_end){.top = text->state.top,
                               .faults = text->state.faults,
                               .raw = text->state.raw.name < text->state.raw.name_end,
                               .cut = scan->cut,
                               .cut_end = scan->cut_end,
                               .braces = scan->cut != PM_CUT_NONE ? text->growth.braces : 0,
                               .certain = is_certain(text),
                               .unsettled = clear->settled ? PM_UNSETTLED_NOTHING
                                            : text->growth.line && text->waits && scan->cut == PM_CUT_NONE
                                                ? PM_UNSETTLED_LINE
                                                : PM_UNSETTLED_OTHER,
                               .string = in_string ? scan->text[search->at] : 0};
}

/* ---- A language ---- */

static void note_ends(pmi_open_text *text, const struct pmi_delimiters *pairs) {
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        if (pairs->families[f].empty.length > 0)
            text->ends[pairs->bytes[pairs->families[f].empty.begin]] = true;
        mark_last(pairs, pairs->families[f].end, SIZE_MAX, text->ends); /* its last bytes may be another's end */
        mark_last(pairs, pairs->families[f].empty, 1, text->ends);
        text->ends['\\'] |= pairs->families[f].statement;
    }
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (pairs->rules[r].role == PM_RULE_REGION) /* of which some end as they begin */
            mark_last(pairs, pairs->words[pairs->rules[r].word_at], 1, text->ends);
    for (uint32_t r = 0; r < pairs->region_count; r++)
        if (pairs->regions[r].escape >= 0)
            text->ends[pairs->regions[r].escape] = true;
    for (uint32_t r = 0; r < pairs->region_count; r++)
        for (uint32_t e = 0; e < pairs->regions[r].ends.count; e++)
            mark_last(pairs, pairs->words[pairs->regions[r].ends.first + e], 1, text->ends);
    if (pairs->nested_open) { /* pmi_open_text_end.braces */
        text->ends[pairs->nested_open] = text->ends[pairs->nested_close] = true;
        text->ends['`'] = text->ends['/'] = text->ends['*'] = true;
    }
    text->ends['\n'] = true;
    text->ends['"'] = text->ends['\''] = true; /* pmi_open_text_end.string */
}

/* Does a word begin with another one, ignoring case where it is? */
static bool begins_with(const struct pmi_delimiters *pairs, pmi_rule_word word, pmi_rule_word other) {
    return other.length <= word.length &&
           pmi_bytes_equal(pairs->bytes + word.begin, pairs->bytes + other.begin, other.length, pairs->ignore_case);
}

/* Would a rule be tried where a word and a name stand, or where these are completed, in addition to the word's? */
static bool rule_interferes(const struct pmi_delimiters *pairs, const pmi_rule *rule, pmi_rule_word word) {
    const pmi_rule_word other = pairs->words[rule->word_at];
    if (begins_with(pairs, word, other) && other.length < word.length)
        return rule->role != PM_RULE_TAG;
    return begins_with(pairs, other, word) && other.length > word.length &&
           (rule->spaced || pmi_byte_begins_name(pairs->bytes[other.begin + word.length]));
}

/* Do the names of a family's elements alone say what its tags do, so that their ends need no trial? */
static bool is_plain(const struct pmi_delimiters *pairs, const pmi_tag_family *family) {
    bool plain =
        !family->statement && family->end.length == 1 && family->assigned_names.count + family->quoted_names.count == 0;
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        plain &= !rule_interferes(pairs, &pairs->rules[r], family->open) &&
                 !rule_interferes(pairs, &pairs->rules[r], family->close);
    for (uint32_t f = 0; f < pairs->family_count; f++) /* a statement's begin may be that of a close */
        plain &= &pairs->families[f] == family || (!begins_with(pairs, family->open, pairs->families[f].open) &&
                                                   !begins_with(pairs, family->open, pairs->families[f].close) &&
                                                   !begins_with(pairs, pairs->families[f].open, family->open) &&
                                                   !begins_with(pairs, pairs->families[f].close, family->open));
    return plain;
}

static void note_begins(pmi_open_text *text, const struct pmi_delimiters *pairs) {
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        const uint32_t shorter = pairs->dict->patterns[p].shorter;
        if (shorter != PM_NONE)
            text->goes_on[shorter] = true;
        const unsigned char byte = pairs->bytes[pairs->words[pairs->rules[p].word_at].begin];
        const uint8_t begins = pmi_pattern_edges(pairs, p) & PM_EDGE_BEFORE ? PM_BEGINS_WORD : PM_BEGINS_ANYWHERE;
        text->begins[byte] |= begins;
        if (pairs->ignore_case && pmi_byte_is_letter(byte))
            text->begins[byte ^ ('a' ^ 'A')] |= begins;
        text->blanks_begin |= pmi_byte_is_space(byte);
    }
}

static pmi_open_text *make(pm_context *context, const struct pmi_delimiters *pairs) {
    const pm_allocator allocator = pm_context_allocator(context);
    pmi_open_text *const text = pmi_memory_allocate(&allocator, 1, sizeof *text);
    pmi_closes *const closes = pmi_memory_allocate(&allocator, 1, sizeof *closes);
    if (!text || !closes) {
        pmi_memory_free(&allocator, text);
        pmi_memory_free(&allocator, closes);
        return NULL;
    }
    memset(closes, 0, sizeof *closes);
    *text = (pmi_open_text){.context = context,
                            .now = {.generation = 1, .state = {.line = 1}},
                            .known = PM_CUT_NONE,
                            .region = PM_NONE,
                            .known_region = PM_NONE,
                            .closes = closes,
                            .scan = {.pairs = pairs, .user = text, .growth = &text->growth},
                            .growth = {.emit = emit, .end_before = end_before, .innermost_is = innermost_is}};
    pmi_stack_init(&text->entries, &allocator, sizeof(pmi_open_entry));
    note_ends(text, pairs);
    note_begins(text, pairs);
    for (uint32_t f = 0; f < pairs->family_count && f < PM_CLOSE_FAMILIES; f++)
        text->plain_tags[f] = is_plain(pairs, &pairs->families[f]);
    pmi_stack_init(&text->changes, &allocator, sizeof(pmi_name_change));
    (void)pmi_token_scan_begin(context, &text->scan); /* which does not fail */
    text->scan.names.changes = &text->changes;
    return text;
}

/* ---- For the others ---- */

/* May what has come end what the text was cut off in? */
static bool may_end(const pmi_open_text *text, const unsigned char *bytes, size_t n) {
    const bool *const ends = pmi_open_text_ends(text);
    for (size_t i = text->known; i < n; i++)
        if (ends[bytes[i]])
            return true;
    return false;
}

/* Goes on with a tag's name in its completion, if the longer one has no other meaning. */
static void name_byte(pmi_open_text *text, const unsigned char *bytes, size_t at) {
    pmi_completion *const completion = &text->completion;
    const pmi_open_entry *const open = completion->open;
    const uint32_t index = open->close - PM_CLOSE_KINDS;
    const pmi_tag_family *const family = &text->scan.pairs->families[index];
    const size_t name = completion->cut + family->open.length;
    if (family->roles[bytes[at]] & PM_TAG_NAME_ENDS) {
        completion->naming = false;
        return;
    }
    completion->known = !pmi_name_facts_find(text->scan.pairs, index, bytes + name, at + 1 - name);
    if (!completion->known)
        return;
    pmi_open_entry *const longer = pmi_stack_top(&text->entries); /* which is `open` */
    if (longer->length == PM_CLOSE_KEPT)
        longer->length = 0;
    if (longer->length > 0) {
        longer->bytes[longer->length] = longer->bytes[longer->length - 1];
        longer->bytes[longer->length++ - 1] = bytes[at];
    }
    longer->suffix++;
    longer->open.length += longer->open.length < UINT32_MAX;
}

/* Only bytes have come that end nothing: the completion goes on with a name, if it ends in one. */
static void follow_name(pmi_open_text *text, const unsigned char *bytes, size_t n) {
    for (size_t at = text->known; at < n && text->completion.known && text->completion.naming; at++)
        name_byte(text, bytes, at);
}

/* Is all that has come a quote in the tag that the text was cut off in? */
static bool may_keep_completion(const pmi_open_text *text, const unsigned char *bytes, size_t n) {
    return text->known != PM_CUT_NONE && n == text->known + 1 && text->waits && text->completion.known &&
           text->completion.quotes && (bytes[n - 1] == '"' || bytes[n - 1] == '\'');
}

/* Is it known whether the text ends in a string of the tag that it is cut off in? Not near what may begin its end. */
static bool string_is_known(const pmi_open_text *text) {
    return text->end.string != 0 || text->growth.search.at == text->scan.n;
}

/* Behind that quote, at `at`: the same tag ends as before, with the quote before its end, or without it. */
static void keep_completion(pmi_open_text *text, const unsigned char *bytes, size_t at) {
    pmi_completion *const completion = &text->completion;
    const unsigned char quote = bytes[at], before = completion->string, now = text->end.string;
    const bool begins = before == 0 && now == quote, ends = before == quote && now == 0;
    completion->known = text->waits && text->end.cut == completion->cut && (begins || ends || now == before) &&
                        string_is_known(text) && completion->length + begins <= sizeof completion->end;
    if (!completion->known)
        return;
    completion->string = now;
    if (begins) {
        memmove(completion->end + 1, completion->end, completion->length++);
        completion->end[0] = quote;
    } else if (ends) {
        memmove(completion->end, completion->end + 1, --completion->length);
    }
    if (completion->naming)
        name_byte(text, bytes, at);
}

/* Keeps how far the ends of what the text's end cuts off were looked for. */
static void keep_growth(const pmi_open_text *text, pmi_open_text_now *now) {
    now->search = text->growth.search;
    now->name = text->growth.name;
    now->blanks = text->growth.blanks;
    now->blanks_end = text->growth.blanks_end;
    if (text->scan.pairs->nested_open) {
        now->expression = text->growth.expression;
        now->inner = text->growth.inner;
    }
}

/* Keeps how far the text was read. */
static void keep_standing(pmi_open_text *text, const standing *clear, const unsigned char *bytes) {
    pmi_open_text_now *const now = &text->now;
    now->at = clear->at;
    now->state = clear->state;
    now->names = clear->names;
    count_lines(&now->state, bytes, now->at);
    keep_growth(text, now);
}

/* The same of the second standing. */
static void keep_later(pmi_open_text *text, const unsigned char *bytes) {
    text->later.holds = text->read.holds;
    if (!text->read.holds)
        return;
    text->later = text->read;
    count_lines(&text->later.now.state, bytes, text->later.now.at);
    keep_growth(text, &text->later.now);
}

pm_status pmi_open_text_read(pmi_open_text **made, pm_context *context, const struct pmi_delimiters *pairs,
                             const unsigned char *bytes, size_t n) {
    pmi_open_text *const text = *made ? *made : make(context, pairs);
    standing clear;
    if (!text)
        return PM_OUT_OF_MEMORY;
    *made = text;
    if (n == text->known)
        return PM_OK;
    if (text->known != PM_CUT_NONE && text->waits && !may_end(text, bytes, n)) {
        follow_name(text, bytes, n);
        text->known = n;
        return PM_OK;
    }
    const bool kept = may_keep_completion(text, bytes, n), later = later_holds(text, bytes, n);
    if (!settle_names(text, later ? &text->later.now : &text->now, bytes, n)) {
        pmi_open_text_forget(text);
        return PM_OUT_OF_MEMORY;
    }
    if (!kept) {
        drop_behind(text, later ? text->later.count : text->settled, later ? text->later.names : text->settled_names);
        text->completion.known = false;
    }
    if (!run(text, later, bytes, n, &clear)) {
        pmi_open_text_forget(text);
        return PM_OUT_OF_MEMORY;
    }
    if (!later)
        keep_standing(text, &clear, bytes);
    keep_later(text, bytes);
    note_end(text, &clear, &text->end);
    text->known = n;
    if (kept)
        keep_completion(text, bytes, n - 1);
    return PM_OK;
}

pm_status pmi_open_text_try(pmi_open_text *text, const unsigned char *bytes, size_t n, pmi_open_text_end *end) {
    const uint64_t settled = text->settled, settled_names = text->settled_names;
    const bool shared = text->shared, waits = text->waits;
    standing clear;
    text->shared = true; /* no entry goes */
    const bool held = run(text, later_holds(text, bytes, n), bytes, n, &clear);
    note_end(text, &clear, end);
    text->shared = shared;
    text->waits = waits;
    text->settled = settled;
    text->settled_names = settled_names;
    return held ? PM_OK : PM_OUT_OF_MEMORY;
}

bool pmi_open_text_end_tag(pmi_open_text *text, const unsigned char *bytes, size_t n, uint32_t family, pmi_tag tag,
                           pmi_open_text_end *end, pm_status *status) {
    pmi_token_scan *const scan = &text->scan;
    scan->text = bytes;
    scan->n = n;
    scan->out_of_memory = !settle_names(text, &text->now, bytes, n);
    text->state = text->now.state;
    text->growth.raw = (pmi_raw_contents){0, 0, 0};
    if (!scan->out_of_memory)
        pmi_token_scan_take_tag(scan, family, &tag);
    *status = scan->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
    *end = (pmi_open_text_end){.top = text->state.top, .faults = text->state.faults, .cut = PM_CUT_NONE};
    return !scan->out_of_memory && text->growth.raw.name == text->growth.raw.name_end;
}

void pmi_open_text_save(pmi_open_text *text, pmi_open_text_saved *saved) {
    saved->now.generation = 0;
    if (!text)
        return;
    const pmi_open_entry *const top = text->now.state.top; /* it and those below stay */
    text->shared = true;
    saved->now = text->now;
    saved->known = text->end.top == top ? text->known : PM_CUT_NONE;
    if (saved->known == PM_CUT_NONE)
        return;
    saved->waits = text->waits;
    saved->region = text->region;
    saved->end = text->end;
    saved->completion = text->completion;
    saved->completion.known &= text->completion.open == (top ? top->needed : NULL);
}

void pmi_open_text_return(pmi_open_text *text, const pmi_open_text_saved *then) {
    if (!text || then->now.generation != text->now.generation) {
        pmi_open_text_forget(text);
        return;
    }
    text->now = then->now;
    text->known = then->known;
    text->later.holds = false;
    text->completion.known = false;
    if (then->known == PM_CUT_NONE)
        return;
    text->waits = then->waits;
    text->end = then->end;
    text->completion = then->completion;
    text->region = then->region;
    note_region_bytes(text);
}

void pmi_open_text_forget(pmi_open_text *text) {
    if (!text)
        return;
    pmi_stack_clear(&text->entries);
    pmi_tag_numbers_empty(&text->scan.names);
    text->count = text->settled = text->settled_names = 0;
    text->shared = false;
    text->known = PM_CUT_NONE;
    text->completion.known = text->later.holds = false;
    text->now = (pmi_open_text_now){.generation = text->now.generation + 1, .state = {.line = 1}};
}

void pmi_open_text_destroy(pmi_open_text *text) {
    if (!text)
        return;
    const pm_allocator allocator = text->entries.allocator;
    pmi_stack_clear(&text->entries);
    pmi_token_scan_end(&text->scan);
    pmi_stack_clear(&text->changes);
    pmi_memory_free(&allocator, text->closes);
    pmi_memory_free(&allocator, text);
}
