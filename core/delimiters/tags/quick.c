/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a tag is looked up by its bytes as they are; where case is ignored, each way to write it is kept. */
#include "core/delimiters/tags/quick.h"

#include <string.h>

#include "core/delimiters/rules/keys.h"

#define LENGTH_BITS 5                      /* of a name of at most 16 bytes */
#define END_LONGEST 8u                     /* bytes of a pmi_quick_word */
#define AHEAD (PM_WORD_BITS + END_LONGEST) /* where more bytes are there, a word and an end are, too */

/* A tag up to its name. */
typedef struct quick_head {
    size_t name, name_end;
    uint64_t bytes[2]; /* of the name, zeros behind them */
    uint64_t matters;  /* of a statement: bytes from the name on that may begin its end, or a string; of one word */
    uint32_t sort;     /* of tags: by their family, how they begin, and the name's length, as a name may end in zeros */
} quick_head;

/* May a word and an end be read from byte `at` on, as part of what follows the text, if need be? */
static inline bool are_ahead(const pmi_token_scan *scan, size_t at) {
    return at < scan->n && scan->n - at + scan->more > AHEAD;
}

/* A statement's head: where its name and its end are follows from masks of its first bytes. */
static bool read_statement(const pmi_token_scan *scan, uint32_t family, size_t at, quick_head *head) {
    const unsigned char *const text = scan->text;
    uint64_t masks[PM_QUICK_PLANES];
    at = pmi_statement_name(text, at, scan->n);
    if (family >= PM_QUICK_FAMILIES || !are_ahead(scan, at))
        return false;
    scan->simd->classifier->classify(&scan->pairs->keys->families[family].bytes, PM_QUICK_PLANES, text + at, 1, masks);
    if (masks[PM_QUICK_NAME_ENDS] == 0)
        return false;
    const unsigned length = pmi_bits_lowest(masks[PM_QUICK_NAME_ENDS]);
    head->name = at;
    head->name_end = at + length;
    head->matters = masks[PM_QUICK_MATTERS] & UINT64_MAX << length;
    return true;
}

/* An element's: it is short, mostly, and ends behind its name. */
static bool read_element(const pmi_token_scan *scan, const pmi_tag_family *family, size_t at, quick_head *head) {
    const unsigned char *const text = scan->text;
    size_t end = at;
    if (scan->n - at + scan->more < sizeof head->bytes + 2 || !pmi_byte_begins_name(text[at]))
        return false;
    while (end - at <= sizeof head->bytes && !(family->roles[text[end]] & PM_TAG_NAME_ENDS))
        end++;
    head->name = at;
    head->name_end = end;
    head->matters = 0;
    return true;
}

/* Do tags of the family nothing, whatever their names? */
static bool does_nothing(const struct pmi_delimiters *pairs, uint32_t family) {
    return family < PM_QUICK_FAMILIES && pairs->keys->families[family].nothing;
}

/* False: there is no name, or a long one, or the text's end is near. */
static bool read_head(const pmi_token_scan *scan, const pmi_rule *rule, size_t at, quick_head *head) {
    const pmi_tag_family *const family = &scan->pairs->families[rule->index];
    const size_t half = sizeof *head->bytes;
    if (!(family->statement ? read_statement(scan, rule->index, at, head) : read_element(scan, family, at, head)))
        return false;
    const size_t length = head->name_end - head->name;
    if (length == 0 || length > 2 * half)
        return does_nothing(scan->pairs, rule->index);
    memcpy(head->bytes, scan->text + head->name, sizeof head->bytes);
    if (length <= half) {
        head->bytes[1] = 0;
        head->bytes[0] &= UINT64_MAX >> 8 * (half - length);
    } else {
        head->bytes[1] &= UINT64_MAX >> 8 * (2 * half - length);
    }
    head->sort = (2 * rule->index + rule->close_tag) << LENGTH_BITS | (uint32_t)length;
    return true;
}

/* The bytes that matter among those of a word of the text. */
static uint64_t matters_at(const pmi_token_scan *scan, uint32_t family, size_t at) {
    uint64_t masks[PM_QUICK_PLANES];
    scan->simd->classifier->classify(&scan->pairs->keys->families[family].bytes, PM_QUICK_PLANES, scan->text + at, 1,
                                     masks);
    return masks[PM_QUICK_MATTERS];
}

/* A tag whose end is looked for. */
typedef struct quick_end {
    const pmi_token_scan *scan;
    const pmi_tag_family *family;
    const pmi_quick_family *quick;
    size_t name_end;
    size_t next;         /* bytes before it are of an expression */
    unsigned char quote; /* of the string that is being read; 0: none */
    bool odd;            /* where the tag ends follows from more */
    bool empty;
} quick_end;

static inline bool word_at(const pmi_token_scan *scan, const pmi_quick_word *word, size_t at) {
    uint64_t bytes;
    memcpy(&bytes, scan->text + at, sizeof bytes);
    return (bytes & word->mask) == word->bytes;
}

/* A quote of a statement begins a string, one of an element only as a value. */
static inline bool begins_string(const quick_end *end, size_t at) {
    return end->family->statement || pmi_tag_quote_is_value(end->scan->text, end->name_end, at);
}

/* Reads a byte that matters, and is not in a string. Returns the offset behind the tag's end, if that begins there;
 * else 0. */
static inline __attribute__((always_inline)) size_t read_mattering(quick_end *end, size_t at) {
    const pmi_token_scan *const scan = end->scan;
    const unsigned char byte = scan->text[at];
    if (byte == '"' || byte == '\'') {
        end->quote = begins_string(end, at) ? byte : 0;
        return 0;
    }
    if (byte == scan->pairs->nested_open) {
        end->next = pmi_token_scan_nested_end(scan, at);
        return 0;
    }
    end->empty = word_at(scan, &end->quick->empty, at);
    return end->empty                            ? at + end->quick->empty.length
           : word_at(scan, &end->quick->end, at) ? at + end->quick->end.length
                                                 : 0;
}

/* Returns the offset behind the tag's end if that is in the word at `begin`, by the bytes of it that matter; else 0. */
static inline __attribute__((always_inline)) size_t find_end(quick_end *end, size_t begin, uint64_t matters) {
    const unsigned char *const text = end->scan->text;
    for (; matters != 0; matters &= matters - 1) {
        const size_t at = begin + pmi_bits_lowest(matters);
        if (at < end->next)
            continue;
        if (!end->quote) {
            const size_t behind = read_mattering(end, at);
            if (behind > 0)
                return behind;
        } else if (text[at] == end->quote) {
            end->odd |= end->family->statement && text[at - 1] == '\\';
            end->quote = 0;
        }
    }
    return 0;
}

/* As pmi_tag_end(), of a plain family; 0: it is to be asked. Most elements end behind their names. */
static size_t plain_end(const pmi_token_scan *scan, uint32_t family_at, const quick_head *head, bool *empty) {
    quick_end end = {.scan = scan,
                     .family = &scan->pairs->families[family_at],
                     .quick = &scan->pairs->keys->families[family_at],
                     .name_end = head->name_end};
    size_t begin = end.family->statement ? head->name : head->name_end, behind = 0;
    uint64_t matters = head->matters;
    if (!are_ahead(scan, begin))
        return 0;
    if (!end.family->statement) {
        const bool first = end.family->roles[scan->text[begin]] & PM_TAG_MATTERS;
        behind = find_end(&end, begin, first);
        matters = behind > 0 ? 0 : matters_at(scan, family_at, begin) & ~(uint64_t)first;
    }
    for (;;) {
        behind = behind > 0 ? behind : find_end(&end, begin, matters);
        *empty = end.empty;
        if (behind > 0 || end.odd)
            return end.odd ? 0 : behind;
        begin = end.next > begin + PM_WORD_BITS ? end.next : begin + PM_WORD_BITS;
        if (!are_ahead(scan, begin))
            return 0;
        matters = matters_at(scan, family_at, begin);
    }
}

static size_t tag_end(const pmi_token_scan *scan, uint32_t family_at, const quick_head *head, bool *empty) {
    const bool plain = family_at < PM_QUICK_FAMILIES && scan->pairs->keys->families[family_at].plain;
    const size_t end = plain ? plain_end(scan, family_at, head, empty) : 0;
    return end > 0 ? end : pmi_tag_end(scan, &scan->pairs->families[family_at], head->name_end, empty);
}

static pmi_quick_name *place_of(pmi_token_scan *scan, const quick_head *head) {
    const uint64_t mixed = (head->bytes[0] ^ head->bytes[1] * 31 ^ head->sort) * UINT64_C(0x9e3779b97f4a7c15);
    return &scan->quick_names[mixed >> (64 - scan->quick_bits)];
}

static bool is_of(const pmi_quick_name *name, const quick_head *head) {
    return name->bytes[0] == head->bytes[0] && name->bytes[1] == head->bytes[1] && name->sort == head->sort;
}

/* Keeps what tags with that name do. */
static bool learn(pmi_token_scan *scan, const pmi_rule *rule, size_t begin, const quick_head *head,
                  pmi_quick_name *quick) {
    pmi_tag tag;
    const size_t next = scan->next, cut = scan->cut, cut_end = scan->cut_end;
    const bool read = pmi_tag_read(scan, rule, begin, begin + scan->pairs->words[rule->word_at].length, &tag);
    scan->next = next;
    scan->cut = cut;
    scan->cut_end = cut_end;
    pmi_name *const name = read && tag.name < tag.name_end ? pmi_token_scan_name(scan, rule->index, &tag) : NULL;
    if (!name || name->sort == (tag.closes ? PM_NAME_NEW : PM_NAME_RAW))
        return false;
    const bool acts = name->sort != PM_NAME_IGNORED;
    *quick = (pmi_quick_name){.bytes = {head->bytes[0], head->bytes[1]},
                              .sort = head->sort,
                              .kind = acts ? scan->pairs->kinds + pmi_tag_numbers_number(&scan->names, name) : PM_NONE,
                              .step = (int8_t)(!acts        ? 0
                                               : tag.closes ? -1
                                                            : 1),
                              .assigned = name->assigned && !tag.closes,
                              .quoted = name->quoted && !tag.closes,
                              .implied = acts ? name->implied : PM_NONE,
                              .ends = tag.closes ? 0 : name->ends};
    return true;
}

/* What tags with that name do; NULL: more than is kept. */
static const pmi_quick_name *meaning_of(pmi_token_scan *scan, const pmi_rule *rule, size_t begin,
                                        const quick_head *head) {
    static const pmi_quick_name nothing = {.kind = PM_NONE};
    if (does_nothing(scan->pairs, rule->index))
        return &nothing;
    pmi_quick_name *const quick = place_of(scan, head);
    return is_of(quick, head) || learn(scan, rule, begin, head, quick) ? quick : NULL;
}

/* Do no tags begin with the pattern there, nor with shorter ones, because no name follows? */
static bool begins_nothing(const pmi_token_scan *scan, uint32_t pattern, size_t begin) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    for (; pattern != PM_NONE; pattern = pairs->rules[pattern].shorter) {
        const size_t at = begin + pairs->words[pairs->rules[pattern].word_at].length;
        if (pattern >= pairs->pattern_count || !pmi_pattern_is_tag(pairs, pattern) ||
            pairs->families[pairs->rules[pattern].index].statement || at >= scan->n ||
            pmi_byte_begins_name(scan->text[at]))
            return false;
    }
    return true;
}

/* Does a tag that closes the kind also close the innermost open, of another kind? Not out of a loose pair. */
static bool closes_two(const struct pmi_delimiters *pairs, const pmi_open *top, uint32_t kind) {
    return top->kind != kind && top->kind != pairs->loose && top->implied != PM_NONE && top[-1].kind == kind;
}

/* Does a tag that closes the kind mean nothing, because what it would close is not in the loose pair that it is in? */
static bool is_loose(const pmi_token_scan *scan, const pmi_open *top, uint32_t kind) {
    const uint32_t loose = scan->pairs->loose;
    if (loose == PM_NONE)
        return false;
    const pmi_open *const bottom = scan->opens.entries - 1;
    const size_t depth = (size_t)(top - bottom);
    const pmi_open *const last = depth > PM_OPENS_SEEN ? top - PM_OPENS_SEEN : bottom;
    while (top > last && top->kind != kind && top->kind != loose)
        top--;
    return top > last && top->kind == loose;
}

pmi_quick_tag pmi_quick_tag_take(pmi_token_scan *scan, uint32_t pattern, size_t begin, pmi_open *top) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    const pmi_rule *const rule = &pairs->rules[pattern];
    const pmi_quick_tag other = {.top = NULL};
    quick_head head;
    if (scan->growth)
        return other;
    if (!read_head(scan, rule, begin + pairs->words[rule->word_at].length, &head))
        return begins_nothing(scan, pattern, begin) ? (pmi_quick_tag){.top = top, .end = begin} : other;
    const pmi_quick_name *const quick = meaning_of(scan, rule, begin, &head);
    if (!quick)
        return other;
    uint64_t count = 0;
    if (quick->step < 0 ? closes_two(pairs, top, quick->kind) : (quick->ends & top->chain) != 0) {
        top--;
        count++;
    }
    if (quick->ends & top->chain)
        return other;
    bool empty;
    const size_t end = tag_end(scan, rule->index, &head, &empty);
    if (end > scan->n)
        return other;
    const pmi_token token = {.begin = begin, .end = end, .kind = quick->kind};
    if (quick->step < 0 && top->kind != quick->kind) {
        const bool loose = is_loose(scan, top, quick->kind);
        pmi_open *const left = loose ? top : pmi_token_scan_count_bad(scan, &token, top);
        scan->count += left && !loose;
        return (pmi_quick_tag){.top = left, .end = end};
    }
    const bool opens_nothing =
        empty || ((quick->assigned | quick->quoted) &&
                  pmi_tag_opens_nothing(scan, quick->assigned, quick->quoted, head.name_end, end));
    const bool opens = quick->step > 0 && !opens_nothing, closes = quick->step < 0;
    const uint64_t bit = pmi_open_bit(quick->implied);
    const uint64_t chain = bit ? bit | top->chain : 0;
    top[1] = (pmi_open){begin, chain, quick->kind, PM_NONE, quick->implied, pmi_token_length(&token)};
    scan->count += count + (opens | closes);
    return (pmi_quick_tag){.top = top + opens - closes, .end = end};
}
