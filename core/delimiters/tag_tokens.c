/* SPDX-License-Identifier: Apache-2.0 */
/* From the tags of a text to tokens. What is known of short names that come again is kept where it is found quickly. */
#include "core/delimiters/tag_reader.h"

#define TAGS ((size_t)64) /* that are taken at once, at most */

/* Names are known for texts from here on: to forget those of the text before takes as long as a few tags. */
#define LENGTH_MIN ((size_t)1024)

/* What tags with a name do, unless something else than what is open and the tag's end says so. */
typedef struct known_tag {
    pmi_open open;    /* that they bring */
    uint64_t bit;     /* pmi_open_bit() of it */
    uint64_t ends;    /* as pmi_name has them */
    uint32_t matched; /* 1: they open and close; else 0 */
} known_tag;

typedef struct known_names {
    pmi_known_name names[PM_KNOWN_NAMES];
    known_tag tags[PM_KNOWN_NAMES];
    bool simple[PM_KNOWN_NAMES];
    pmi_name meanings[PM_KNOWN_NAMES];
    unsigned char end; /* of names */
} known_names;

/* Stores a tag's name, if it is short enough to be known. */
static bool known_name_of(const pmi_token_scan *scan, const pmi_tag *tag, pmi_known_name *name) {
    const size_t length = tag->name_end - tag->name;
    *name = (pmi_known_name){{0, 0}};
    if (length > PM_KNOWN_LENGTH)
        return false;
    memcpy(name->words, scan->text + tag->name, length);
    name->words[1] |= (uint64_t)length << (PM_WORD_BITS - 8);
    return true;
}

/* A name that has no number yet is not kept: it gets its number where it first opens or closes something. Nor is one
 * with a =, which is read right byte by byte only. */
static void keep_name(const pmi_token_scan *scan, known_names *known, const pmi_tag *tag, const pmi_name *meaning) {
    pmi_known_name name;
    if (!known_name_of(scan, tag, &name) || (meaning->number == PM_NONE && meaning->sort != PM_NAME_IGNORED) ||
        memchr(scan->text + tag->name, '=', tag->name_end - tag->name))
        return;
    const size_t at = pmi_known_name_place(&name);
    known->names[at] = name;
    known->meanings[at] = *meaning;
    known->simple[at] = meaning->sort != PM_NAME_RAW && !meaning->assigned && !meaning->quoted;
    known->tags[at] = (known_tag){
        .open = {.kind = scan->pairs->kinds + meaning->number, .rule = PM_NONE, .implied = meaning->implied},
        .bit = pmi_open_bit(meaning->implied),
        .ends = meaning->ends,
        .matched = meaning->sort != PM_NAME_IGNORED};
}

/*
 * Takes tags with known names as long as they are simple, and close the innermost open, or open something and end
 * nothing else. Returns how many. There is no branch that depends on what a tag does. Without `stacks` it does not
 * matter what is open; without `notes` tokens are only counted.
 */
static inline size_t take_found(pmi_token_scan *scan, const known_names *known, const uint64_t *begins,
                                const uint64_t *ends, const uint16_t *found, size_t count, bool stacks, bool notes) {
    pmi_open *const bottom = stacks ? scan->opens.entries - 1 : NULL;
    pmi_open *top = stacks ? bottom + scan->opens.depth : NULL, *deepest = stacks ? bottom + scan->max_depth : NULL;
    pmi_token *const tokens = notes ? scan->tokens + scan->token_count : NULL;
    size_t k = 0, taken = 0;
    for (; k < count; k++) {
        const size_t at = found[k] % PM_KNOWN_NAMES;
        const known_tag *const tag = &known->tags[at];
        const uint32_t closes = found[k] >> PM_TAG_CLOSES_BIT & 1, empty = found[k] >> PM_TAG_EMPTY_BIT;
        const uint32_t acts = tag->matched & (closes | (empty ^ 1));
        const uint64_t begin = begins[k], last = ends[k];
        bool fits = known->simple[at];
        if (stacks) {
            const bool closes_top = (tag->matched ^ 1) | (top->kind == tag->open.kind);
            const bool ends_nothing = (tag->ends & top->chain) == 0;
            fits &= closes ? closes_top : ends_nothing;
        }
        if (!fits)
            break;
        if (stacks) {
            top[1] = tag->open;
            top[1].begin = begin;
            top[1].chain = tag->bit ? tag->bit | top->chain : 0;
            top[1].length = (uint32_t)(last + 1 - begin);
            top += (ptrdiff_t)acts - (ptrdiff_t)(2 * (acts & closes));
            deepest = top > deepest ? top : deepest;
        }
        if (notes)
            tokens[taken] = (pmi_token){(size_t)begin, (size_t)last + 1, tag->open.kind, !closes};
        taken += acts;
    }
    if (stacks)
        pmi_token_scan_stacked(scan, top, deepest);
    pmi_token_scan_took(scan, taken, notes);
    return k;
}

/* The same for what the scan is to do. */
static size_t take_simple(pmi_token_scan *scan, const known_names *known, const uint64_t *begins, const uint64_t *ends,
                          const uint16_t *found, size_t count) {
    if (count == 0 || ends[count - 1] - begins[0] >= UINT32_MAX)
        return 0;
    if ((!scan->take || scan->pairs->tracks) && !pmi_token_scan_reserve_opens(scan, count + 1)) {
        scan->out_of_memory = true;
        return 0;
    }
    if (!scan->take)
        return take_found(scan, known, begins, ends, found, count, true, false);
    pmi_token_scan_hand_on(scan, count + 1);
    return scan->pairs->tracks ? take_found(scan, known, begins, ends, found, count, true, true)
                               : take_found(scan, known, begins, ends, found, count, false, true);
}

/* What is known of a tag's name; NULL: nothing. */
static pmi_name *known_meaning(const pmi_token_scan *scan, known_names *known, const pmi_tag *tag) {
    pmi_known_name name;
    if (!known_name_of(scan, tag, &name))
        return NULL;
    const size_t at = pmi_known_name_place(&name);
    const pmi_known_name *const kept = &known->names[at];
    return kept->words[0] == name.words[0] && kept->words[1] == name.words[1] ? &known->meanings[at] : NULL;
}

static void take_named(pmi_token_scan *scan, known_names *known, const pmi_tag *tag) {
    pmi_name *meaning = known_meaning(scan, known, tag);
    if (meaning) {
        pmi_token_scan_take_named(scan, tag, meaning);
        return;
    }
    if (tag->empty && !tag->closes && scan->pairs->families[0].implied.count == 0)
        return;
    meaning = pmi_token_scan_name(scan, 0, tag);
    if (!meaning)
        return;
    pmi_token_scan_take_named(scan, tag, meaning);
    keep_name(scan, known, tag, meaning);
}

/* Goes behind a tag that has been taken. False: the reader goes on elsewhere. */
static bool pass(pmi_token_scan *scan, pmi_tag_reader *reader, const pmi_tag *tag) {
    if (scan->next > tag->end)
        pmi_tag_reader_skip(reader, scan->next); /* behind raw contents */
    return scan->next <= tag->end && !scan->out_of_memory;
}

/* Takes tag k, if it is not odd. False: the reader goes on elsewhere. */
static bool take_tag(pmi_token_scan *scan, pmi_tag_reader *reader, size_t k, known_names *known) {
    pmi_tag tag;
    if (!pmi_tag_reader_tag(reader, k, &tag)) {
        pmi_tag_reader_again(reader, (size_t)reader->begins[k]);
        return false;
    }
    tag.empty = scan->text[tag.end - 2] == '/';
    scan->next = tag.end;
    if (known)
        take_named(scan, known, &tag);
    else
        pmi_token_scan_take_tag(scan, 0, &tag);
    return pass(scan, reader, &tag);
}

/* Takes tag k, of which that has been found. */
static bool take_known(pmi_token_scan *scan, pmi_tag_reader *reader, size_t k, known_names *known, uint16_t found) {
    const size_t at = found % PM_KNOWN_NAMES, length = (size_t)(known->names[at].words[1] >> (PM_WORD_BITS - 8));
    pmi_tag tag = {.begin = (size_t)reader->begins[k],
                   .end = (size_t)reader->ends[k] + 1,
                   .closes = found >> PM_TAG_CLOSES_BIT & 1,
                   .empty = found >> PM_TAG_EMPTY_BIT & 1};
    tag.name = tag.begin + 1 + tag.closes;
    tag.name_end = tag.name + length;
    pmi_token_scan_take_named(scan, &tag, &known->meanings[at]);
    return pass(scan, reader, &tag);
}

static void take_tags(pmi_token_scan *scan, pmi_tag_reader *reader, known_names *known) {
    const size_t count = reader->places.end_count;
    const uint64_t *const begins = reader->begins, *const ends = reader->ends;
    const bool by_kernel = known && scan->n - ends[count - 1] >= PM_TAGS_AHEAD;
    uint16_t found[TAGS];
    for (size_t k = 0; k < count;) {
        const size_t first = k, some = count - k < TAGS ? count - k : TAGS;
        size_t behind = k; /* the names before are known */
        if (by_kernel)
            behind += reader->kernel->names(known->names, scan->text, begins + k, ends + k, some, known->end, found);
        while (k < behind) {
            const size_t taken = take_simple(scan, known, begins + k, ends + k, found + (k - first), behind - k);
            k += taken;
            if (taken > 0)
                scan->next = (size_t)ends[k - 1] + 1;
            if (k < behind && (scan->out_of_memory || !take_known(scan, reader, k, known, found[k - first])))
                return;
            k += k < behind;
        }
        if (behind - first < some) {
            if (!take_tag(scan, reader, k, known))
                return;
            k++;
        }
    }
}

void pmi_token_scan_tags(pmi_token_scan *scan) {
    pmi_tag_reader reader; /* neither is initialised: most of them is not used most of the time */
    known_names known;
    pmi_tag_reader_begin(&reader, scan, scan->simd);
    const bool names = reader.kernel && scan->pairs->tags.named && scan->n >= LENGTH_MIN;
    if (names) {
        const pmi_rule_words ends = scan->pairs->families[0].name_ends;
        known.end = ends.count > 0 ? scan->pairs->bytes[scan->pairs->words[ends.first].begin] : '>';
        memset(known.names, 0xff, sizeof known.names);
    }
    while (!scan->out_of_memory && pmi_tag_reader_next(&reader))
        take_tags(scan, &reader, names ? &known : NULL);
    scan->newlines = pmi_tag_reader_newlines(&reader, scan->n);
}
