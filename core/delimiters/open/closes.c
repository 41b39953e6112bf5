/* SPDX-License-Identifier: Apache-2.0 */
/* Closes: a word, a tag with the open's name, or {% endname %}; and the tails of texts, behind which they come. */
#include "core/delimiters/open/closes.h"

#include <string.h>

#include "core/delimiters/open/text.h"

const char *const pmi_close_separators[PM_CLOSE_SEPARATORS] = {"", " ", "\n"};

static void add(pmi_close *close, const unsigned char *bytes, size_t length) {
    close->pieces[close->count].bytes = bytes;
    close->pieces[close->count++].length = length;
    close->length += length;
}

static void add_word(pmi_close *close, const struct pmi_delimiters *pairs, pmi_rule_word word) {
    add(close, pairs->bytes + word.begin, word.length);
}

static void clear(pmi_close *close, unsigned sort) { /* but for pieces, of which there are many */
    close->count = 0;
    close->sort = sort;
    close->whole = false;
    close->worded = false;
    close->length = 0;
}

/* Is a byte of a name certain to begin nothing else there, such as a string or another tag? */
static bool is_of_name(unsigned char byte) {
    return pmi_byte_is_word(byte) | (byte == '-') | (byte == '.') | (byte == ':') | (byte == '*');
}

/* The family whose tag an open is: the longest pattern counts, of elements only before a name. PM_NONE: none. */
static uint32_t family_of(const struct pmi_delimiters *pairs, const unsigned char *text, size_t begin,
                          size_t open_end) {
    uint32_t found = PM_NONE, longest = 0;
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        const pmi_rule_word word = pairs->families[f].open;
        if (word.length <= longest || word.length >= open_end - begin ||
            (!pairs->families[f].statement && !pmi_byte_begins_name(text[begin + word.length])) ||
            !pmi_bytes_equal(pairs->bytes + word.begin, text + begin, word.length, pairs->ignore_case))
            continue;
        longest = word.length;
        found = f;
    }
    return found;
}

/* The close tag of a family's open; of length 0: nothing closes it. */
static void tag_of(const struct pmi_delimiters *pairs, const pmi_tag_family *family, const unsigned char *text,
                   size_t begin, size_t open_end, pmi_close *close) {
    static const unsigned char blank[] = " ";
    size_t name = begin + family->open.length, end;
    bool worded = true;
    if (family->close.length == 0)
        return;
    if (family->statement) {
        name = pmi_statement_name(text, name, open_end);
        for (end = name; end < open_end && pmi_byte_is_word(text[end]);)
            end++;
    } else {
        for (end = name; end < open_end && !(family->roles[text[end]] & PM_TAG_NAME_ENDS); end++)
            worded &= is_of_name(text[end]);
    }
    if (end == name)
        return;
    close->worded = worded;
    if (family->statement) {
        add_word(close, pairs, family->open);
        add(close, blank, 1);
    }
    add_word(close, pairs, family->close);
    add(close, text + name, end - name);
    if (family->statement)
        add(close, blank, 1);
    add_word(close, pairs, family->end);
}

void pmi_close_of(const struct pmi_delimiters *pairs, const unsigned char *text, uint32_t kind, size_t begin,
                  size_t end, pmi_close *close) {
    clear(close, kind < PM_CLOSE_KINDS ? kind : PM_CLOSE_SORTS);
    if (kind >= pairs->kinds) {
        const uint32_t family = family_of(pairs, text, begin, end);
        if (family != PM_NONE)
            tag_of(pairs, &pairs->families[family], text, begin, end, close);
        close->sort = family < PM_CLOSE_FAMILIES ? PM_CLOSE_KINDS + family : PM_CLOSE_SORTS;
        return;
    }
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (pairs->rules[r].role == PM_RULE_CLOSE && pairs->rules[r].index == kind) {
            add_word(close, pairs, pairs->words[pairs->rules[r].word_at]);
            close->whole = pairs->rules[r].word && pmi_byte_is_word(close->pieces[0].bytes[0]);
            return;
        }
}

size_t pmi_close_put(const pmi_close *close, unsigned char *bytes) {
    size_t at = 0;
    for (unsigned k = 0; k < close->count; at += close->pieces[k++].length)
        memcpy(bytes + at, close->pieces[k].bytes, close->pieces[k].length);
    return at;
}

/* ---- Next to each other ---- */

#define BYTES_MAX 256u

/* Two closes in a text of their own: are they read as such? */
typedef struct pair_reading {
    size_t first_end, second; /* where the first ends, and the second begins */
    size_t n;
    unsigned count;
    bool differs;
} pair_reading;

static bool take(const pmi_token *tokens, size_t count, void *user) {
    pair_reading *const pair = user;
    for (size_t k = 0; k < count; k++, pair->count++) {
        const bool first = pair->count == 0;
        pair->differs |= tokens[k].open || pair->count > 1 || tokens[k].begin != (first ? 0 : pair->second) ||
                         tokens[k].end != (first ? pair->first_end : pair->n);
    }
    return true;
}

/* The same with as much of a long name as there is room for: names are alike. */
static pmi_close shortened(const pmi_close *close) {
    const size_t most = (BYTES_MAX - 1) / 2;
    pmi_close shorter = *close;
    unsigned longest = 0;
    for (unsigned k = 1; k < close->count; k++)
        longest = close->pieces[k].length > close->pieces[longest].length ? k : longest;
    if (close->length <= most || close->sort < PM_CLOSE_KINDS || close->pieces[longest].length <= close->length - most)
        return shorter;
    shorter.pieces[longest].length -= close->length - most;
    shorter.length = most;
    return shorter;
}

/* *read: they are. False: there is no memory. */
static bool try_pair(pm_context *context, const struct pmi_delimiters *pairs, const pmi_close *first,
                     const pmi_close *second, const char *separator, bool *read) {
    unsigned char bytes[BYTES_MAX];
    pair_reading pair = {.first_end = pmi_close_put(first, bytes)};
    pair.second = pair.first_end + strlen(separator);
    memcpy(bytes + pair.first_end, separator, strlen(separator));
    pair.n = pair.second + pmi_close_put(second, bytes + pair.second);
    pmi_token_scan scan = {.pairs = pairs, .text = bytes, .n = pair.n, .take = take, .user = &pair};
    const pm_status status = pmi_token_scan_run(context, &scan);
    *read = status == PM_OK && pair.count == 2 && !pair.differs && scan.cut == PM_CUT_NONE;
    return status != PM_OUT_OF_MEMORY;
}

bool pmi_closes_separator(pmi_closes *closes, pm_context *context, const struct pmi_delimiters *pairs,
                          const pmi_close *first, const pmi_close *second, unsigned *separator) {
    *separator = PM_CLOSE_SEPARATORS;
    if (first->sort == PM_CLOSE_SORTS || second->sort == PM_CLOSE_SORTS || first->length == 0 || second->length == 0)
        return true;
    uint8_t *const known = &closes->known[first->sort][second->sort];
    bool read = false;
    if (*known == 0) {
        unsigned k = 0;
        const pmi_close one = shortened(first), other = shortened(second);
        if (one.length + other.length + 1 > BYTES_MAX)
            return true;
        for (; k < PM_CLOSE_SEPARATORS; k++) {
            if (!try_pair(context, pairs, &one, &other, pmi_close_separators[k], &read))
                return false;
            if (read)
                break;
        }
        *known = (uint8_t)(k + 1);
    }
    *separator = *known - 1u;
    return true;
}

/* ---- Texts that end alike ---- */

#define LOOKED_AT 64u    /* bytes, with blanks */
#define IMPLIED 0x80u    /* of an open: its close may be left out */
#define MARK ((size_t)3) /* bytes that the longest byte order mark has: behind one a word may begin */

/* May any other close of its sort stand for that of an open? For a tag only if its name is read as other names are. */
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

/* Is something cut off that has more bytes than what begins it, and may open something, or hold an expression? */
static bool is_begun(const pmi_open_text *text) {
    const struct pmi_delimiters *const pairs = text->scan.pairs;
    if (text->known == text->end.cut_end || (text->region == PM_NONE && !pairs->nested_open))
        return false;
    return pairs->nested_open ||
           (pairs->rules[text->region].role == PM_RULE_TAG && !pairs->rules[text->region].close_tag);
}

/* Are other texts with this tail completed in the same way? Not where more may matter, such as, if something is cut
 * off, opens whose closes may be left out: a trial goes through them. */
static bool is_plain(const pmi_open_text *text, size_t at) {
    const pmi_open_text_state *const before = &text->now.state;
    const pmi_open_text_end *const end = &text->end;
    const bool raw = end->raw || before->raw.name < before->raw.name_end;
    if (at <= MARK || raw || end->faults != before->faults)
        return false;
    if (end->cut == PM_CUT_NONE)
        return end->unsettled == PM_UNSETTLED_OTHER && end->top && end->top->needed;
    return end->cut == at && end->top == before->top && !is_begun(text) && (!end->top || end->top->needed == end->top);
}

/* Stores the bytes; of equal blanks in a row at their end only one, as more of them mean the same. Returns false if
 * there are too many bytes. */
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
