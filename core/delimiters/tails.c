/* SPDX-License-Identifier: Apache-2.0 */
/* A table in which a tail has two slots. */
#include "core/delimiters/tails.h"

#include <string.h>

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

bool pmi_tail_of(const pmi_open_text *text, const unsigned char *bytes, unsigned tried, pmi_tail *tail) {
    const pmi_open_text_state *const before = &text->now.state;
    const pmi_open_text_end *const end = &text->end;
    const size_t at = text->now.at, length = text->known - at;
    if (at <= MARK || length == 0 || length > PM_TAIL_BYTES || end->cut != PM_CUT_NONE || end->raw ||
        before->raw.name < before->raw.name_end || end->faults != before->faults || !end->top || !end->top->needed)
        return false;
    memset(tail, 0, sizeof *tail);
    memcpy(tail->bytes, bytes + at, length);
    tail->length = (uint8_t)length;
    tail->before = bytes[at - 1];
    tail->separator = (uint8_t)end->top->needed->separator;
    tail->opened = (uint8_t)(end->top->depth - depth_of(before->top));
    tail->let = before->let;
    return tail->separator < PM_CLOSE_SEPARATORS && note_opens(end->top, tried, tail);
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

bool pmi_tail_find(const pmi_closes *closes, const pmi_tail *tail, unsigned *separator) {
    const size_t slot = slot_of(tail);
    for (size_t way = 0; way < 2; way++) {
        *separator = closes->tails[slot ^ way].separator;
        if (memcmp(&closes->tails[slot ^ way].tail, tail, sizeof *tail) == 0)
            return true;
    }
    return false;
}

void pmi_tail_keep(pmi_closes *closes, const pmi_tail *tail, unsigned separator) {
    const size_t slot = slot_of(tail);
    if (closes->tails[slot].tail.length > 0)
        closes->tails[slot ^ 1] = closes->tails[slot];
    closes->tails[slot].tail = *tail;
    closes->tails[slot].separator = (uint8_t)separator;
}
