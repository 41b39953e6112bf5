/* SPDX-License-Identifier: Apache-2.0 */
/* From the tags of a text to tokens. What is known of short names that come again is kept where it is found quickly. */
#include "core/delimiters/tag_reader.h"

#define KNOWN ((size_t)256)
#define NAMES ((size_t)64) /* that are read at once */

/* Names are known for texts from here on: to forget those of the text before takes as long as a few tags. */
#define LENGTH_MIN ((size_t)1024)

typedef struct known_name {
    uint64_t bytes[4];
    uint32_t kind, implied;
    bool simple;    /* nothing but what is open and the tag's end says what it does */
    bool matched;   /* it opens and closes */
    bool ends_some; /* it may end what is open */
    pmi_name meaning;
} known_name;

typedef struct known_names {
    uint8_t lengths[KNOWN]; /* 0: no name */
    known_name of[KNOWN];
} known_names;

static size_t place_of(const pmi_tag_name *name) {
    const uint64_t mixed =
        name->bytes[0] * UINT64_C(0x9e3779b97f4a7c15) ^ name->bytes[1] * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (size_t)(mixed >> 56);
}

static bool equals(const known_name *known, const pmi_tag_name *name) {
    return ((known->bytes[0] ^ name->bytes[0]) | (known->bytes[1] ^ name->bytes[1]) |
            (known->bytes[2] ^ name->bytes[2]) | (known->bytes[3] ^ name->bytes[3])) == 0;
}

/* A name that has no number yet is not kept: it gets its number where it first opens or closes something. */
static void keep_name(const pmi_token_scan *scan, known_names *known, size_t at, const pmi_tag_name *name,
                      const pmi_name *meaning) {
    if (meaning->number == PM_NONE && meaning->sort != PM_NAME_IGNORED)
        return;
    known_name *const kept = &known->of[at];
    known->lengths[at] = (uint8_t)name->length;
    *kept = (known_name){.kind = scan->pairs->kinds + meaning->number,
                         .implied = meaning->implied,
                         .simple = meaning->sort != PM_NAME_RAW && !meaning->assigned && !meaning->quoted,
                         .matched = meaning->sort != PM_NAME_IGNORED,
                         .ends_some = meaning->ends != 0,
                         .meaning = *meaning};
    memcpy(kept->bytes, name->bytes, sizeof name->bytes);
}

/* Takes a tag with a name that is known, if it closes the innermost open, or opens something and ends nothing else; all
 * this without a branch that depends on what it does. False: it does something else. */
static bool take_simple(pmi_token_scan *scan, const known_name *known, const pmi_tag *tag) {
    pmi_opens *const opens = &scan->opens;
    const bool closes = tag->closes, acts = known->matched & (closes | !tag->empty), tracks = scan->pairs->tracks;
    if (tracks) {
        const pmi_open none = {PM_NONE, PM_NONE, PM_NONE};
        const pmi_open *const top = opens->depth > 0 ? &opens->entries[opens->depth - 1] : &none;
        const bool closes_top = !known->matched | (top->kind == known->kind);
        const bool ends_nothing = !known->ends_some | (top->implied == PM_NONE);
        if (!(known->simple & (closes ? closes_top : ends_nothing)) || opens->depth == opens->room)
            return false;
        opens->entries[opens->depth] = (pmi_open){known->kind, PM_NONE, known->implied};
        opens->depth += (size_t)(acts & !closes) - (size_t)(acts & closes);
    } else if (!known->simple) {
        return false;
    }
    pmi_token_scan_hand_on(scan);
    scan->tokens[scan->token_count] = (pmi_token){tag->begin, tag->end, known->kind, !closes};
    scan->token_count += acts;
    return true;
}

static void take_short(pmi_token_scan *scan, known_names *known, const pmi_tag_name *name, const pmi_tag *tag) {
    const size_t at = place_of(name);
    known_name *const kept = &known->of[at];
    if (known->lengths[at] == name->length && equals(kept, name)) {
        if (!take_simple(scan, kept, tag))
            pmi_token_scan_take_named(scan, tag, &kept->meaning);
        return;
    }
    if (tag->empty && !tag->closes && scan->pairs->families[0].implied.count == 0)
        return;
    pmi_name *const meaning = pmi_token_scan_name(scan, 0, tag);
    if (!meaning)
        return;
    pmi_token_scan_take_named(scan, tag, meaning);
    keep_name(scan, known, at, name, meaning);
}

/* Takes tag k, whose name is `name`, if it is short and not odd. False: the reader goes on elsewhere. */
static bool take_tag(pmi_token_scan *scan, pmi_tag_reader *reader, size_t k, known_names *known,
                     const pmi_tag_name *name) {
    pmi_tag tag = {.begin = (size_t)reader->begins[k], .end = (size_t)reader->ends[k] + 1};
    const bool is_short = name && name->length > 0;
    if (is_short) {
        tag.closes = name->closes != 0;
        tag.name = tag.begin + 1 + name->closes;
        tag.name_end = tag.name + name->length;
    } else if (!pmi_tag_reader_tag(reader, k, &tag)) {
        pmi_tag_reader_again(reader, tag.begin);
        return false;
    }
    tag.empty = scan->text[tag.end - 2] == '/';
    scan->next = tag.end;
    if (is_short)
        take_short(scan, known, name, &tag);
    else
        pmi_token_scan_take_tag(scan, 0, &tag);
    if (scan->next <= tag.end)
        return true;
    pmi_tag_reader_skip(reader, scan->next); /* behind raw contents */
    return false;
}

static void take_tags(pmi_token_scan *scan, pmi_tag_reader *reader, known_names *known) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    const pmi_rule_words ends = pairs->families[0].name_ends;
    const unsigned char end = ends.count > 0 ? pairs->bytes[pairs->words[ends.first].begin] : '>';
    const size_t count = reader->places.end_count;
    const bool by_kernel = known && scan->n - reader->ends[count - 1] >= PM_TAGS_AHEAD;
    pmi_tag_name names[NAMES];
    for (size_t first = 0; first < count; first += NAMES) {
        const size_t some = count - first < NAMES ? count - first : NAMES;
        if (by_kernel)
            reader->kernel->names(scan->text, reader->begins + first, some, end, pairs->ignore_case, names);
        for (size_t k = 0; k < some; k++)
            if (!take_tag(scan, reader, first + k, known, by_kernel ? &names[k] : NULL) || scan->out_of_memory)
                return;
    }
}

void pmi_token_scan_tags(pmi_token_scan *scan) {
    pmi_tag_reader reader; /* neither is initialised: most of them is not used most of the time */
    known_names known;
    pmi_tag_reader_begin(&reader, scan, scan->simd);
    const bool names = reader.kernel && scan->pairs->tags.named && scan->n >= LENGTH_MIN;
    if (names)
        memset(known.lengths, 0, sizeof known.lengths);
    while (!scan->out_of_memory && pmi_tag_reader_next(&reader))
        take_tags(scan, &reader, names ? &known : NULL);
}
