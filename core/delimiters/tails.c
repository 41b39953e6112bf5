/* SPDX-License-Identifier: Apache-2.0 */
/* A table in which a tail has two slots. */
#include "core/delimiters/tails.h"

#include <string.h>

#define LOOKED_AT 64u    /* bytes, with blanks */
#define IMPLIED 0x80u    /* of an open: its close may be left out */
#define MARK ((size_t)3) /* bytes that the longest byte order mark has: behind one a word may begin */

/* Closes that are alike in sort are read alike, tags if nothing in their names is read otherwise. */
static bool is_alike(const pmi_open_entry *open) {
    return open->close < PM_CLOSE_KINDS || (open->close < PM_CLOSE_SORTS && open->worded);
}

/* Notes the opens that the text's end closes, and those whose closes are tried. */
static bool note_opens(const pmi_open_entry *open, unsigned tried, pmi_tail *tail) {
    unsigned closed = 0;
    for (unsigned k = 0; open && closed < tried; k++, open = open->below) {
        if (k == PM_TAIL_OPENS || !is_alike(open))
            return false;
        tail->opens[k] = (uint8_t)((open->close + 1) | (open->needed == open ? 0 : IMPLIED));
        closed += closed > 0 || open->needed == open;
    }
    return true;
}

static uint64_t depth_of(const pmi_open_entry *open) {
    return open ? open->depth : 0;
}

/* The separator that suits the closes of all that is open from an entry on. */
static uint8_t separator_of(const pmi_open_entry *open) {
    return open && open->needed ? (uint8_t)open->needed->separator : 0;
}

/* Does the close of the innermost open begin with these bytes? */
static bool begins_close(const pmi_open_text *text, const pmi_tail *tail) {
    const pmi_open_entry *const top = text->end.top;
    return top && top->length > tail->length &&
           pmi_bytes_equal(top->bytes, tail->bytes, tail->length, text->scan.pairs->ignore_case);
}

/* Is something cut off of which there is more than its beginning, and which is likely to open something, or to hold an
 * expression? */
static bool is_begun(const pmi_open_text *text) {
    const struct pmi_delimiters *const pairs = text->scan.pairs;
    if (text->known == text->end.cut_end || (text->region == PM_NONE && !pairs->nested_open))
        return false;
    return pairs->nested_open ||
           (pairs->rules[text->region].role == PM_RULE_TAG && !pairs->rules[text->region].close_tag);
}

/* May the tail be one of several? Not where more than it may matter: of what is cut off the trial goes through opens
 * whose closes may be left out. */
static bool is_plain(const pmi_open_text *text, size_t at) {
    const pmi_open_text_state *const before = &text->now.state;
    const pmi_open_text_end *const end = &text->end;
    const bool raw = end->raw || before->raw.name < before->raw.name_end;
    if (at <= MARK || raw || end->faults != before->faults)
        return false;
    if (end->cut == PM_CUT_NONE)
        return end->tail == PM_TAIL_OTHER && end->top && end->top->needed;
    return end->cut == at && end->top == before->top && !is_begun(text) && (!end->top || end->top->needed == end->top);
}

/* Stores the bytes, of blanks at their end that are repeated one: how many there are means nothing. False: there are
 * too many. */
static bool take_bytes(const unsigned char *bytes, size_t n, bool squeezes, pmi_tail *tail) {
    size_t words = n;
    while (squeezes && words > 0 && pmi_byte_is_space(bytes[words - 1]))
        words--;
    for (size_t i = 0; i < n; i++) {
        if (i > words && bytes[i] == bytes[i - 1])
            continue;
        if (tail->length == PM_TAIL_BYTES)
            return false;
        tail->bytes[tail->length++] = bytes[i];
    }
    return true;
}

bool pmi_tail_of(const pmi_open_text *text, const unsigned char *bytes, unsigned tried, pmi_tail *tail) {
    const pmi_open_text_end *const end = &text->end;
    const size_t at = text->now.at, length = text->known - at;
    if (length == 0 || length > LOOKED_AT || !is_plain(text, at))
        return false;
    memset(tail, 0, sizeof *tail);
    if (!take_bytes(bytes + at, length, end->cut == PM_CUT_NONE && !text->blanks_begin, tail))
        return false;
    tail->before = bytes[at - 1];
    tail->separators[0] = separator_of(end->top);
    tail->separators[1] = separator_of(end->top ? end->top->below : NULL);
    tail->opened = (uint8_t)(depth_of(end->top) - depth_of(text->now.state.top));
    tail->string = end->string;
    tail->cut = end->cut != PM_CUT_NONE;
    tail->closing = tail->cut && begins_close(text, tail);
    tail->let = text->now.state.let;
    return tail->separators[0] < PM_CLOSE_SEPARATORS && note_opens(end->top, tried + tail->cut, tail);
}

/* A tail has two slots, the second next to the first. */
static size_t slot_of(const pmi_tail *tail) {
    uint64_t words[sizeof *tail / sizeof(uint64_t)], hash = 0;
    memcpy(words, tail, sizeof words);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        hash = (hash ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (size_t)hash % PM_TAILS_KEPT;
}

const pmi_tail_end *pmi_tail_find(const pmi_closes *closes, const pmi_tail *tail) {
    const size_t slot = slot_of(tail);
    for (size_t way = 0; way < 2; way++)
        if (memcmp(&closes->tails[slot ^ way].tail, tail, sizeof *tail) == 0)
            return &closes->tails[slot ^ way].end;
    return NULL;
}

void pmi_tail_keep(pmi_closes *closes, const pmi_tail *tail, const pmi_tail_end *end) {
    const size_t slot = slot_of(tail);
    if (closes->tails[slot].tail.length > 0)
        closes->tails[slot ^ 1] = closes->tails[slot];
    closes->tails[slot].tail = *tail;
    closes->tails[slot].end = *end;
}
