/* SPDX-License-Identifier: Apache-2.0 */
/* What has been read up to the end of a tag or region stays. Text behind it is read again where a byte has come that
 * may end one, or where it is not clear yet whether a < begins one. */
#include "core/delimiters/open_tags.h"

#include <string.h>

#include "base/memory.h"
#include "core/context/context.h"

/* ---- Opens ---- */

/* Counts the newlines before `end`. */
static void count_lines(pmi_open_tags_now *now, const unsigned char *text, size_t end) {
    while (now->counted < end) {
        const unsigned char *const from = text + now->counted;
        const unsigned char *const newline = memchr(from, '\n', end - now->counted);
        now->counted = newline ? (size_t)(newline - text) + 1 : end;
        now->line += newline != NULL;
        now->line_start = newline ? now->counted : now->line_start;
    }
}

/* The number of the name, as a scan of the whole text gives it. */
static bool number_name(pmi_open_tags *tags, size_t begin, size_t length, uint32_t *number) {
    pmi_name *const name = pmi_tag_numbers_find(&tags->names, 0, begin, length);
    if (!name)
        return false;
    if (name->number == PM_NONE)
        tags->newest_name = begin;
    *number = pmi_tag_numbers_number(&tags->names, name);
    return true;
}

static bool push(pmi_open_tags *tags, const unsigned char *text, size_t name, size_t name_length, uint32_t number,
                 const pmi_token *token) {
    pmi_open_tags_now *const now = &tags->now;
    const struct pmi_delimiters *const pairs = tags->scan.pairs;
    const pmi_tag_family *const family = &pairs->families[0];
    const pmi_open_tag *const below = now->top;
    pmi_open_tag *const open = pmi_stack_push(&tags->entries);
    if (!open)
        return false;
    count_lines(now, text, token->begin);
    *open = (pmi_open_tag){.below = below,
                           .at = {token->begin, now->line, token->begin - now->line_start + 1},
                           .name = name,
                           .name_length = name_length,
                           .length = pmi_token_length(token),
                           .kind = pairs->kinds + number,
                           .depth = below ? below->depth + 1 : 1,
                           .suffix = family->close.length + name_length + family->end.length};
    open->suffix += below ? below->suffix : 0;
    now->top = open;
    return true;
}

static bool take_tag(pmi_open_tags *tags, const pmi_token *token) {
    const pmi_tag_family *const family = &tags->scan.pairs->families[0];
    const unsigned char *const text = tags->names.text;
    const size_t name = token->begin + (token->open ? family->open : family->close).length;
    size_t end = name;
    uint32_t number;
    while (end < token->end && !(family->roles[text[end]] & PM_TAG_NAME_ENDS))
        end++;
    if (!number_name(tags, name, end - name, &number))
        return false;
    if (token->open)
        return push(tags, text, name, end - name, number, token);
    if (tags->now.top) {
        tags->now.top = tags->now.top->below;
        if (!tags->shared)
            pmi_stack_pop(&tags->entries);
    }
    return true;
}

/* Takes tokens of a text that begins at now.at. */
static bool take(const pmi_token *tokens, size_t count, void *user) {
    pmi_open_tags *const tags = user;
    bool held = true;
    for (size_t k = 0; k < count && held; k++) {
        pmi_token token = tokens[k];
        token.begin += tags->now.at;
        token.end += tags->now.at;
        held = take_tag(tags, &token);
    }
    return held;
}

/* ---- The text ---- */

/* May the pattern that begins at `begin` become a longer one, or a tag, when more of the text has come? */
static bool is_doubtful(const struct pmi_delimiters *pairs, const unsigned char *text, size_t begin, size_t n) {
    for (uint32_t r = 0; r < pairs->rule_count; r++) {
        const pmi_rule_word word = pairs->words[pairs->rules[r].word_at];
        if (word.length >= n - begin && memcmp(pairs->bytes + word.begin, text + begin, n - begin) == 0)
            return true;
    }
    return false;
}

/* Reads from now.at on. */
static pm_status read_on(pmi_open_tags *tags, const unsigned char *text, size_t n) {
    pmi_open_tags_now *const now = &tags->now;
    pmi_token_scan *const scan = &tags->scan;
    tags->names.text = text;
    tags->names.n = n;
    const pm_status status = pmi_token_scan_text(scan, text + now->at, n - now->at);
    if (status != PM_OK)
        return status;
    now->is_cut = scan->cut != PM_CUT_NONE;
    const size_t newest = now->at + (now->is_cut ? scan->cut : scan->newest);
    now->at = now->is_cut || is_doubtful(scan->pairs, text, newest, n) ? newest : n;
    return PM_OK;
}

static void note_end(pmi_open_tags *tags, pmi_rule_word word) {
    if (word.length > 0)
        tags->ends[tags->scan.pairs->bytes[word.begin + word.length - 1]] = true;
}

static void note_ends(pmi_open_tags *tags, const struct pmi_delimiters *pairs) {
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        note_end(tags, pairs->families[f].end);
        note_end(tags, pairs->families[f].empty);
    }
    for (uint32_t r = 0; r < pairs->region_count; r++)
        for (uint32_t e = 0; e < pairs->regions[r].ends.count; e++)
            note_end(tags, pairs->words[pairs->regions[r].ends.first + e]);
}

static pmi_open_tags *make(pm_context *context, const struct pmi_delimiters *pairs) {
    const pm_allocator allocator = pm_context_allocator(context);
    pmi_open_tags *const tags = pmi_memory_allocate(&allocator, 1, sizeof *tags);
    if (!tags)
        return NULL;
    *tags = (pmi_open_tags){.now = {.generation = 1, .line = 1},
                            .scan = {.pairs = pairs, .take = take, .user = tags, .by_pattern = true},
                            .names = {.allocator = allocator, .ignore_case = pairs->ignore_case}};
    pmi_stack_init(&tags->entries, &allocator, sizeof(pmi_open_tag));
    note_ends(tags, pairs);
    if (pmi_token_scan_begin(context, &tags->scan) == PM_OK)
        return tags;
    pmi_memory_free(&allocator, tags);
    return NULL;
}

/* May what has come end what the text was cut off in? */
static bool may_end(const pmi_open_tags *tags, const unsigned char *text, size_t n) {
    for (size_t i = tags->now.seen; i < n; i++)
        if (tags->ends[text[i]])
            return true;
    return false;
}

/* Goes to the next < from now.at on. False: there is none. */
static bool find_next(pmi_open_tags_now *now, const unsigned char *text, size_t n) {
    const unsigned char *const found = memchr(text + now->at, '<', n - now->at);
    now->at = found ? (size_t)(found - text) : n;
    return found != NULL;
}

/* Reads the tag at now.at, if there is one. False: something else begins there, or nothing, or it is not clear yet. */
static bool read_tag(pmi_open_tags *tags, const unsigned char *text, size_t n, bool *held) {
    pmi_open_tags_now *const now = &tags->now;
    const struct pmi_delimiters *const pairs = tags->scan.pairs;
    const bool closes = now->at + 1 < n && text[now->at + 1] == '/';
    const size_t name = now->at + 1 + closes;
    pmi_tag tag;
    if (name >= n || !pmi_byte_begins_name(text[name]))
        return false;
    tags->scan.text = tags->names.text = text;
    tags->scan.n = tags->names.n = n;
    if (!pmi_tag_read(&tags->scan, &pairs->rules[closes ? pairs->tags.close : pairs->tags.open], now->at, name, &tag))
        return false;
    now->is_cut = tag.end > n;
    if (now->is_cut)
        return true;
    *held = (tag.empty && !closes) || take_tag(tags, &(pmi_token){.begin = now->at, .end = tag.end, .open = !closes});
    now->at = tag.end;
    return true;
}

/* Reads what has come. */
static pm_status read_more(pmi_open_tags *tags, const unsigned char *text, size_t n) {
    pmi_open_tags_now *const now = &tags->now;
    bool held = true;
    if (now->is_cut && !may_end(tags, text, n))
        return PM_OK;
    while (find_next(now, text, n) && read_tag(tags, text, n, &held))
        if (!held || now->is_cut)
            return held ? PM_OK : PM_OUT_OF_MEMORY;
    const bool unclear = n - now->at <= 1 || (n - now->at == 2 && text[n - 1] == '/');
    if (!unclear)
        return read_on(tags, text, n);
    now->is_cut = false;
    return PM_OK;
}

pm_status pmi_open_tags_read(pmi_open_tags **made, pm_context *context, const struct pmi_delimiters *pairs,
                             const unsigned char *text, size_t n) {
    pmi_open_tags *const tags = *made ? *made : make(context, pairs);
    if (!tags)
        return PM_OUT_OF_MEMORY;
    *made = tags;
    if (n == tags->now.seen)
        return PM_OK;
    const pm_status status = read_more(tags, text, n);
    if (status != PM_OK) {
        pmi_open_tags_forget(tags);
        return status;
    }
    tags->now.seen = n;
    count_lines(&tags->now, text, tags->now.at);
    return PM_OK;
}

pmi_open_tags_now pmi_open_tags_save(pmi_open_tags *tags) {
    if (!tags)
        return (pmi_open_tags_now){0};
    tags->shared = true;
    return tags->now;
}

void pmi_open_tags_return(pmi_open_tags *tags, const pmi_open_tags_now *then) {
    if (tags && then->generation == tags->now.generation && tags->newest_name <= then->at)
        tags->now = *then;
    else
        pmi_open_tags_forget(tags);
}

void pmi_open_tags_forget(pmi_open_tags *tags) {
    if (!tags)
        return;
    pmi_stack_clear(&tags->entries);
    pmi_tag_numbers_empty(&tags->names);
    tags->newest_name = 0;
    tags->shared = false;
    tags->now = (pmi_open_tags_now){.generation = tags->now.generation + 1, .line = 1};
}

void pmi_open_tags_destroy(pmi_open_tags *tags) {
    if (!tags)
        return;
    const pm_allocator allocator = tags->names.allocator;
    pmi_stack_clear(&tags->entries);
    pmi_tag_numbers_clear(&tags->names);
    pmi_token_scan_end(&tags->scan);
    pmi_memory_free(&allocator, tags);
}
