/* SPDX-License-Identifier: Apache-2.0 */
/* What a text with delimiters leaves open, and what completes it: the text is read, with each suffix that is tried, and
 * the first that leaves nothing open and brings no other fault is taken. */
#include <string.h>

#include "core/context/context.h"
#include "core/delimiters/check.h"
#include "core/delimiters/spared.h"
#include "core/delimiters/token_scan.h"

/* What one reading of a text finds. */
typedef struct reading {
    pmi_token *opens; /* the outermost first */
    size_t depth, room;
    size_t held;         /* depth, with what the end of the text closes because it may be left open */
    uint64_t faults;     /* without what is open or cut off */
    size_t cut, cut_end; /* as in pmi_token_scan */
    pmi_spared spared;
    const pm_allocator *allocator;
} reading;

static bool take_open(reading *found, const pmi_token *token) {
    if (found->depth == found->room) {
        const size_t room = found->room ? 2 * found->room : 64;
        pmi_token *const wider = pmi_memory_allocate(found->allocator, room, sizeof *wider);
        if (!wider)
            return false;
        if (found->depth > 0)
            memcpy(wider, found->opens, found->depth * sizeof *wider);
        pmi_memory_free(found->allocator, found->opens);
        found->opens = wider;
        found->room = room;
    }
    found->opens[found->depth++] = *token;
    found->held = found->depth;
    return true;
}

static bool take_token(reading *found, const pmi_token *token) {
    if (token->open)
        return take_open(found, token);
    const bool fits = found->depth > 0 && found->opens[found->depth - 1].kind == token->kind;
    if (!fits && pmi_spared_take(&found->spared, token, found->depth))
        return true;
    if (token->begin < token->end || token->begin < found->spared.n)
        found->held = found->depth - (found->depth > 0);
    found->faults += !fits;
    found->depth -= found->depth > 0;
    return true;
}

static bool take(const pmi_token *tokens, size_t count, void *user) {
    for (size_t k = 0; k < count; k++)
        if (!take_token(user, &tokens[k]))
            return false;
    return true;
}

/* Reads a text; what is found is to be freed. */
static pm_status read_text(const pmi_delimiters_check *check, const unsigned char *text, size_t n, reading *found) {
    pmi_token_scan scan = {.pairs = check->pairs, .text = text, .n = n, .take = take, .user = found, .marks = true};
    found->depth = found->held = 0;
    found->faults = 0;
    found->spared = (pmi_spared){.pairs = check->pairs, .text = text, .n = n};
    const pm_status status = pmi_token_scan_run(check->context, &scan);
    found->cut = scan.cut;
    found->cut_end = scan.cut_end;
    return status;
}

/* ---- What is open ---- */

/* Stores the innermost opens with their places: one pass over the text. */
static void list_opens(const unsigned char *text, const reading *found, pm_open_bracket *opens, size_t capacity) {
    const size_t count = found->depth < capacity ? found->depth : capacity;
    size_t at = 0, line = 1, line_start = 0;
    for (size_t k = found->depth - count; k < found->depth; k++) {
        const pmi_token *const open = &found->opens[k];
        for (; at < open->begin; at++)
            if (text[at] == '\n') {
                line++;
                line_start = at + 1;
            }
        opens[found->depth - 1 - k] = (pm_open_bracket){.at = {open->begin, line, open->begin - line_start + 1},
                                                        .length = pmi_token_length(open),
                                                        .kind = open->kind,
                                                        .byte = (char)text[open->begin]};
    }
}

static const unsigned char *text_of(const pmi_delimiters_check *check) {
    return check->kept ? check->kept->bytes : (const unsigned char *)"";
}

/* The same where tags were read as they came. */
static pm_status open_tags(pmi_delimiters_check *check, pm_open_bracket *opens, size_t capacity, uint64_t *count,
                           pm_open_end *end) {
    const pm_status status =
        pmi_open_tags_read(&check->open_tags, check->context, check->pairs, text_of(check), check->length);
    if (status != PM_OK)
        return status;
    const pmi_open_tags_now *const now = &check->open_tags->now;
    const pmi_open_tag *open = now->top;
    for (size_t k = 0; k < capacity && open; k++, open = open->below)
        opens[k] = (pm_open_bracket){
            .at = open->at, .length = open->length, .kind = open->kind, .byte = (char)text_of(check)[open->at.offset]};
    if (count)
        *count = now->top ? now->top->depth : 0;
    if (end)
        *end = (pm_open_end){check->length, now->is_cut ? PM_IN_REGION : PM_IN_CODE, now->is_cut ? now->at : 0};
    return PM_OK;
}

pm_status pmi_delimiters_check_open(pmi_delimiters_check *check, pm_open_bracket *opens, size_t capacity,
                                    uint64_t *count, pm_open_end *end) {
    if (check->pairs->tags.plain)
        return open_tags(check, opens, capacity, count, end);
    reading found = {.allocator = &check->allocator};
    const pm_status status = read_text(check, text_of(check), check->length, &found);
    if (status == PM_OK) {
        const bool inside = found.cut != PM_CUT_NONE;
        list_opens(text_of(check), &found, opens, capacity);
        if (count)
            *count = found.depth;
        if (end)
            *end = (pm_open_end){check->length, inside ? PM_IN_REGION : PM_IN_CODE, inside ? found.cut : 0};
    }
    pmi_memory_free(&check->allocator, found.opens);
    return status;
}

/* ---- A text that grows ---- */

typedef struct growing {
    const pmi_delimiters_check *check;
    unsigned char *text;
    size_t length, room;
    pm_status status;
} growing;

static void grow(growing *text, const unsigned char *bytes, size_t n) {
    if (text->status != PM_OK)
        return;
    if (n > text->room - text->length) {
        const pm_allocator *const allocator = &text->check->allocator;
        const size_t room = 2 * (text->length + n) + 64;
        unsigned char *const wider = pmi_memory_allocate(allocator, room, 1);
        if (!wider) {
            text->status = PM_OUT_OF_MEMORY;
            return;
        }
        if (text->length > 0)
            memcpy(wider, text->text, text->length);
        pmi_memory_free(allocator, text->text);
        text->text = wider;
        text->room = room;
    }
    if (n > 0)
        memcpy(text->text + text->length, bytes, n);
    text->length += n;
}

static void grow_string(growing *text, const char *string) {
    grow(text, (const unsigned char *)string, strlen(string));
}

static void grow_word(growing *text, pmi_rule_word word) {
    grow(text, text->check->pairs->bytes + word.begin, word.length);
}

static bool read_grown(growing *text, reading *found) {
    if (text->status == PM_OK)
        text->status = read_text(text->check, text->text, text->length, found);
    return text->status == PM_OK;
}

/* ---- Closes ---- */

/* The close tag of a family for the name that an open has in the text; false: the open is not of this family. */
static bool grow_tag(growing *text, const pmi_tag_family *family, const pmi_token *open) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const pmi_rule_word word = family->open;
    size_t name = open->begin + word.length, end;
    if (family->close.length == 0 || word.length >= open->end - open->begin ||
        !pmi_bytes_equal(pairs->bytes + word.begin, text->text + open->begin, word.length, pairs->ignore_case))
        return false;
    if (family->statement) {
        if (text->text[name] == '-' || text->text[name] == '+')
            name++;
        while (name < open->end && pmi_byte_is_space(text->text[name]))
            name++;
        for (end = name; end < open->end && pmi_byte_is_word(text->text[end]);)
            end++;
        grow_word(text, family->open);
        grow_string(text, " ");
    } else {
        for (end = name; end < open->end && !(family->roles[text->text[end]] & PM_TAG_NAME_ENDS);)
            end++;
    }
    grow_word(text, family->close);
    for (size_t i = name; i < end; i++)
        grow(text, &(unsigned char){text->text[i]}, 1);
    grow_string(text, family->statement ? " " : "");
    grow_word(text, family->end);
    return end > name;
}

/* Appends what closes an open; false: nothing does. */
static bool grow_close(growing *text, const pmi_token *open) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    if (open->kind >= pairs->kinds) {
        for (uint32_t f = 0; f < pairs->family_count; f++)
            if (grow_tag(text, &pairs->families[f], open))
                return true;
        return false;
    }
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (pairs->rules[r].role == PM_RULE_CLOSE && pairs->rules[r].index == open->kind) {
            grow_word(text, pairs->words[pairs->rules[r].word_at]);
            return true;
        }
    return false;
}

/* ---- Out of a region or tag ---- */

/* Before what ends a region: nothing, the end of a string in it, what a backslash protects, blanks, the ends of up to
 * two expressions that are nested. */
static const char *const fillers[] = {"", "\"", "'", " ", "\n", "\\", "\\\"", "\\'", "}", "}}"};

/* Tries an end of what is cut off at `cut`; if that does not end it, the text is as before. */
static bool try_end(growing *text, pmi_rule_word end, size_t tagged, reading *found) {
    const size_t before = text->length, cut = found->cut, cut_end = found->cut_end;
    for (size_t k = 0; k < sizeof fillers / sizeof *fillers && text->status == PM_OK; k++) {
        grow_string(text, fillers[k]);
        if (tagged > 0) {
            for (size_t i = 0; i < tagged; i++)
                grow(text, &(unsigned char){text->text[cut + i]}, 1);
        } else {
            grow_word(text, end);
        }
        if (read_grown(text, found) && found->cut != cut)
            return true;
        text->length = before;
    }
    found->cut = cut;
    found->cut_end = cut_end;
    return false;
}

/* A close stands behind the text from `before` on. If what is cut off may become it, goes on so; else the text is as
 * before. */
static bool becomes(growing *text, reading *found, size_t before) {
    const size_t cut = found->cut, begun = before - cut;
    if (text->length - before > begun &&
        pmi_bytes_equal(text->text + before, text->text + cut, begun, text->check->pairs->ignore_case)) {
        memmove(text->text + before, text->text + before + begun, text->length - before - begun);
        text->length -= begun;
        if (read_grown(text, found) && found->cut != cut)
            return true;
        found->cut = cut;
    }
    text->length = before;
    return false;
}

/* Goes on with what is cut off as with the close of an open that it may become: the tag </u in an element ul; or with a
 * close that is optional. */
static bool try_close(growing *text, reading *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const size_t before = text->length;
    for (size_t k = found->held; k-- > 0 && text->status == PM_OK; text->length = before)
        if (grow_close(text, &found->opens[k]) && becomes(text, found, before))
            return true;
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        const pmi_tag_family *const family = &pairs->families[f];
        for (uint32_t k = 0; k < family->optional_names.count && text->status == PM_OK; k++) {
            grow_word(text, family->close);
            grow_word(text, pairs->words[family->optional_names.first + k]);
            grow_word(text, family->end);
            if (becomes(text, found, before))
                return true;
        }
    }
    return false;
}

/* Ends the branches inside the one that is cut off. */
static void end_inner_branches(growing *text, const pmi_rule_region *region, const reading *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const pmi_token_scan scan = {.pairs = pairs, .text = text->text, .n = text->length};
    size_t depth;
    if (pmi_token_scan_branch_end(&scan, region, found->cut_end, &depth) > scan.n)
        for (; depth > 1 && text->status == PM_OK; depth--)
            grow_word(text, pairs->words[region->ends.first]);
}

/* Ends what is cut off by the ends of its rule's region or tag. */
static bool end_cut(growing *text, reading *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    for (uint32_t r = 0; r < pairs->rule_count && text->status == PM_OK; r++) {
        const pmi_rule *const rule = &pairs->rules[r];
        const pmi_rule_word word = pairs->words[rule->word_at];
        if ((rule->role != PM_RULE_REGION && rule->role != PM_RULE_TAG) || word.length > found->cut_end - found->cut ||
            !pmi_bytes_equal(pairs->bytes + word.begin, text->text + found->cut, word.length, pairs->ignore_case))
            continue;
        if (rule->role == PM_RULE_TAG) {
            if (try_end(text, pairs->families[rule->index].end, 0, found))
                return true;
            continue;
        }
        const pmi_rule_region *const region = &pairs->regions[rule->index];
        if (region->flags & PM_SKIP_TAGGED) {
            if (try_end(text, word, found->cut_end - found->cut, found))
                return true;
            continue;
        }
        if (region->flags & PM_SKIP_BRANCH)
            end_inner_branches(text, region, found);
        for (uint32_t e = 0; e < region->ends.count; e++)
            if (try_end(text, pairs->words[region->ends.first + e], 0, found))
                return true;
    }
    return pairs->nested_open && try_end(text, (pmi_rule_word){0}, 0, found);
}

/* ---- The whole ---- */

/* Closes all opens, with a separator before each close. Returns false, with the text as before, if that is not right.
 */
static bool close_all(growing *text, const reading *open, reading *after, const char *separator) {
    const size_t before = text->length;
    bool closed = true;
    for (size_t k = open->depth; k-- > 0 && closed;) {
        grow_string(text, separator);
        closed = grow_close(text, &open->opens[k]);
    }
    if (closed && read_grown(text, after) && after->depth == 0 && after->cut == PM_CUT_NONE &&
        after->faults == open->faults)
        return true;
    text->length = before;
    return false;
}

/* Completes the text. */
static bool complete(growing *text, reading *found) {
    static const char *const separators[] = {"", " ", "\n"};
    reading after = {.allocator = found->allocator};
    const uint64_t faults = found->faults;
    bool done = false;
    while (found->cut != PM_CUT_NONE)
        if (!try_close(text, found) && !end_cut(text, found))
            return false;
    if (found->faults > faults)
        return false;
    for (size_t k = 0; k < sizeof separators / sizeof *separators && !done && text->status == PM_OK; k++)
        done = found->depth == 0 || close_all(text, found, &after, separators[k]);
    pmi_memory_free(after.allocator, after.opens);
    return done;
}

/* A suffix that is stored as far as there is room. */
typedef struct output {
    char *bytes;
    size_t capacity, length;
} output;

static void emit(output *to, const unsigned char *bytes, size_t n) {
    const size_t room = to->length < to->capacity ? to->capacity - to->length : 0;
    if (n > 0 && room > 0)
        memcpy(to->bytes + to->length, bytes, n < room ? n : room);
    to->length += n;
}

/* The suffix where tags were read as they came: what completes the text behind the last one, inside the innermost open
 * alone, and then the closes of the others. */
static pm_status suffix_of_tags(pmi_delimiters_check *check, output *to) {
    const struct pmi_delimiters *const pairs = check->pairs;
    const pmi_tag_family *const family = &pairs->families[0];
    const unsigned char *const whole = text_of(check);
    growing text = {.check = check};
    text.status = pmi_open_tags_read(&check->open_tags, check->context, pairs, whole, check->length);
    if (text.status != PM_OK)
        return text.status;
    const pmi_open_tags_now *const now = &check->open_tags->now;
    const pmi_open_tag *open = now->top;
    if (now->at < check->length) {
        reading found = {.allocator = &check->allocator};
        if (open) {
            grow_word(&text, family->open);
            grow(&text, whole + open->name, open->name_length);
            grow_word(&text, family->end);
            open = open->below;
        }
        grow(&text, whole + now->at, check->length - now->at);
        const size_t before = text.length;
        if (read_grown(&text, &found) && !complete(&text, &found) && text.status == PM_OK)
            text.status = PM_UNSUPPORTED;
        if (text.status == PM_OK)
            emit(to, text.text + before, text.length - before);
        pmi_memory_free(&check->allocator, found.opens);
        pmi_memory_free(&check->allocator, text.text);
    }
    if (text.status != PM_OK)
        return text.status;
    const size_t length = to->length + (open ? (size_t)open->suffix : 0);
    for (; open && to->length < to->capacity; open = open->below) {
        emit(to, pairs->bytes + family->close.begin, family->close.length);
        emit(to, whole + open->name, open->name_length);
        emit(to, pairs->bytes + family->end.begin, family->end.length);
    }
    to->length = length;
    return PM_OK;
}

/* The suffix of any text, which is read. */
static pm_status suffix_by_reading(const pmi_delimiters_check *check, output *to) {
    growing text = {.check = check, .status = PM_OK};
    reading found = {.allocator = &check->allocator};
    grow(&text, text_of(check), check->length);
    if (read_grown(&text, &found) && !complete(&text, &found) && text.status == PM_OK)
        text.status = PM_UNSUPPORTED;
    if (text.status == PM_OK)
        emit(to, text.text + check->length, text.length - check->length);
    pmi_memory_free(&check->allocator, found.opens);
    pmi_memory_free(&check->allocator, text.text);
    return text.status;
}

pm_status pmi_delimiters_check_suffix(pmi_delimiters_check *check, char *suffix, size_t capacity, size_t *length) {
    output to = {suffix, capacity, 0};
    const pm_status status = check->pairs->tags.plain ? suffix_of_tags(check, &to) : suffix_by_reading(check, &to);
    if (status == PM_OK)
        *length = to.length;
    return status;
}
