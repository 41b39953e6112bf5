/* SPDX-License-Identifier: Apache-2.0 */
/* From the tags of a text to tokens. What is known of names that come again is kept where it is found quickly. */
#include "core/delimiters/tags/reader.h"

#define TAGS ((size_t)120) /* that are taken at once where tokens are handed on, at most */
#define VAIN 3u     /* times that the kernel may take none, one after another; then tags are taken one by one, twice */
#define VAIN_MAX 9u /* as many each time, up to a limit */

/* Tags of a text before its names are known: to forget those of the text before takes as long as some tags. */
#define TAGS_MIN ((size_t)64)

/* An empty tag takes another name's place when it has come that often since the name got it. If that name still comes,
 * it soon takes its place back. */
#define EMPTY_MAX 16u

/* Where so many names are not known because others have their places, in less than CONFLICT_BYTES for each, another
 * factor is chosen for the places; the next time if there are twice as many, so that a text with more names than places
 * costs little. Names of which there are fewer are often those of the text behind. */
#define CONFLICTS ((size_t)32)
#define CONFLICT_BYTES ((size_t)2048)
#define NO_CONFLICTS (SIZE_MAX / CONFLICT_BYTES) /* of HTML's names, which the first factor suits best */
#define FACTORS 16u                              /* that are tried */

/* Entries k and k ^ 1 share a meaning: it is that of the one kept last. */
typedef struct known_meaning {
    pmi_name name;
    size_t entry;
} known_meaning;

typedef struct known_names {
    pmi_known_tag tags[PM_KNOWN_NAMES];   /* name[0] 0: no name is here, and the meaning is not set */
    pmi_known_rest rests[PM_KNOWN_RESTS]; /* of long names */
    known_meaning meanings[PM_KNOWN_NAMES / 2];
    unsigned char empties[PM_KNOWN_NAMES]; /* that would have taken the place of the name that is there */
    unsigned char end;                     /* of names */
    uint64_t factor;                       /* of their places */
    size_t conflicts, most_conflicts;      /* since byte `from`; before another factor is chosen */
    size_t from;
} known_names;

/* Does it matter what is open? */
static bool needs_stack(const pmi_token_scan *scan) {
    return !scan->take || scan->pairs->tracks;
}

static void forget_names(known_names *known) {
    for (size_t k = 0; k < PM_KNOWN_NAMES; k++) {
        known->tags[k].open.length = PM_KNOWN_NOTHING;
        known->tags[k].name[0] = 0;
    }
    memset(known->empties, 0, sizeof known->empties);
}

/* The bytes of a tag's name, a slash before it included, and of a block what begins it; zeros behind its end. Only long
 * names have a rest. */
typedef struct tag_name {
    uint64_t first[2];
    pmi_known_rest rest;
    size_t length;
} tag_name;

/* Reads a name of length <= PM_KNOWN_LENGTH, where `left` bytes are left of the text. */
static void read_short_name(const unsigned char *bytes, size_t length, size_t left, uint64_t name[2]) {
    const size_t half = sizeof *name;
    name[0] = name[1] = 0;
    if (left < 2 * half) {
        memcpy(name, bytes, length);
        return;
    }
    memcpy(name, bytes, 2 * half); /* without a call, as its length is known */
    if (length < half)
        name[0] &= ((uint64_t)1 << 8 * length) - 1;
    name[1] = length > half ? name[1] & (((uint64_t)1 << 8 * (length - half)) - 1) : 0;
}

/* Stores a tag's name and returns its entry; PM_KNOWN_NAMES if it is too long to be known. */
static size_t known_place_of(const pmi_token_scan *scan, const known_names *known, const pmi_tag *tag, tag_name *name) {
    const bool element = scan->text[tag->begin] == '<';
    const size_t begin = tag->begin + element, length = tag->name_end - begin, held = sizeof name->first;
    const unsigned char *const bytes = scan->text + begin;
    name->length = length;
    if (length > PM_KNOWN_LONGEST)
        return PM_KNOWN_NAMES;
    if (length <= PM_KNOWN_LENGTH) {
        read_short_name(bytes, length, scan->n - begin, name->first);
        return pmi_known_name_place(name->first[0], length, known->factor);
    }
    memcpy(name->first, bytes, held);
    memset(&name->rest, 0, sizeof name->rest);
    memcpy(name->rest.bytes, bytes + held, length - held);
    uint64_t last;
    memcpy(&last, bytes + length - sizeof last, sizeof last);
    return pmi_known_long_name_place(name->first[0], last, length, known->factor);
}

static bool is_of(const pmi_known_tag *kept, const tag_name *name) {
    return kept->name[0] == name->first[0] && kept->name[1] == name->first[1];
}

/* A name on its way to another place. */
typedef struct moved_name {
    pmi_known_tag tag;
    pmi_known_rest rest;
    uint64_t last; /* eight bytes of a long name */
} moved_name;

#define MOVED ((size_t)128) /* names, at most; the others are forgotten */

/* Takes the simple names out of the table. Returns their number. */
static size_t take_names(known_names *known, moved_name names[MOVED]) {
    size_t count = 0;
    for (size_t k = 0; k < PM_KNOWN_NAMES && count < MOVED; k++) {
        const pmi_known_tag *const tag = &known->tags[k];
        if (tag->name[0] == 0 || tag->open.length == PM_KNOWN_NOTHING)
            continue;
        moved_name *const name = &names[count++];
        name->tag = *tag;
        name->rest = known->rests[k / 2];
        if (tag->open.length > PM_KNOWN_LONG) {
            unsigned char bytes[sizeof tag->name + sizeof name->rest];
            memcpy(bytes, tag->name, sizeof tag->name);
            memcpy(bytes + sizeof tag->name, &name->rest, sizeof name->rest);
            memcpy(&name->last, bytes + tag->open.length - PM_KNOWN_LONG - sizeof name->last, sizeof name->last);
        }
    }
    forget_names(known);
    return count;
}

static size_t place_of(const moved_name *name, uint64_t factor) {
    const uint64_t first = name->tag.name[0], length = name->tag.open.length;
    return length > PM_KNOWN_LONG ? pmi_known_long_name_place(first, name->last, length - PM_KNOWN_LONG, factor)
                                  : pmi_known_name_place(first, length, factor);
}

/* How many of the names would have the place of another. */
static size_t shared_places(const moved_name *names, size_t count, uint64_t factor) {
    uint64_t used[PM_KNOWN_NAMES / PM_WORD_BITS] = {0};
    size_t shared = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t place = place_of(&names[k], factor);
        const uint64_t bit = UINT64_C(1) << place % PM_WORD_BITS;
        shared += (used[place / PM_WORD_BITS] & bit) != 0;
        used[place / PM_WORD_BITS] |= bit;
    }
    return shared;
}

/* Chooses the factor with which the fewest names share a place, and moves them to their places. */
static void choose_factor(known_names *known) {
    moved_name names[MOVED]; /* not initialised: most of it is not used */
    const size_t count = take_names(known, names);
    uint64_t factor = known->factor;
    size_t least = SIZE_MAX;
    for (unsigned t = 0; t < FACTORS; t++) {
        factor *= UINT64_C(0x5851f42d4c957f2d);
        const size_t shared = shared_places(names, count, factor);
        known->factor = shared < least ? factor : known->factor;
        least = shared < least ? shared : least;
    }
    for (size_t k = 0; k < count; k++) {
        const size_t place = place_of(&names[k], known->factor);
        known->tags[place] = names[k].tag;
        known->meanings[place / 2].entry = PM_KNOWN_NAMES; /* it is not at hand */
        if (names[k].tag.open.length > PM_KNOWN_LONG)
            known->rests[place / 2] = names[k].rest;
    }
}

/* Counts a tag at `at` whose name is to be kept where another name is. False: its place is another one now. */
static bool note_conflict(known_names *known, const pmi_known_tag *kept, const tag_name *name, size_t at) {
    if (kept->name[0] == 0 || is_of(kept, name))
        return true;
    if (at - known->from > known->most_conflicts * CONFLICT_BYTES) {
        known->from = at;
        known->conflicts = 0;
    }
    if (++known->conflicts < known->most_conflicts)
        return true;
    known->conflicts = 0;
    known->most_conflicts *= 2;
    choose_factor(known);
    return false;
}

/* The length of a name as its entry has it. */
static uint32_t kept_length(const tag_name *name) {
    return (uint32_t)name->length + (name->length > PM_KNOWN_LENGTH ? PM_KNOWN_LONG : 0);
}

/* Is the tag read right byte by byte only? */
static bool is_odd(const pmi_token_scan *scan, const pmi_tag *tag) {
    bool odd = false;
    for (size_t i = tag->name; i < tag->name_end; i++)
        odd |= pmi_tag_name_is_odd(scan->pairs, scan->text[i]);
    return odd;
}

/* A name that has no number yet is not kept: where tokens are handed on, it gets its number where it first opens or
 * closes something. An odd one is kept for those of its tags alone that are read one by one. */
static void keep_name(const pmi_token_scan *scan, known_names *known, const pmi_tag *tag, const pmi_name *meaning) {
    tag_name name;
    const size_t at = known_place_of(scan, known, tag, &name);
    if (at == PM_KNOWN_NAMES || (meaning->number == PM_NONE && meaning->sort != PM_NAME_IGNORED) ||
        !note_conflict(known, &known->tags[at], &name, tag->begin))
        return;
    const bool element = scan->text[tag->begin] == '<';
    const bool simple = element && !is_odd(scan, tag) &&
                        (tag->closes || (meaning->sort != PM_NAME_RAW && !meaning->assigned && !meaning->quoted));
    const bool acts = meaning->sort != PM_NAME_IGNORED;
    const uint64_t bit = pmi_open_bit(meaning->implied);
    known->empties[at] = 0;
    known->meanings[at / 2] = (known_meaning){.name = *meaning, .entry = at};
    if (name.length > PM_KNOWN_LENGTH)
        known->rests[at / 2] = name.rest;
    known->tags[at] =
        (pmi_known_tag){.name = {name.first[0], name.first[1]},
                        .open = {.chain = bit,
                                 .kind = scan->pairs->kinds + meaning->number,
                                 .rule = PM_NONE,
                                 .implied = meaning->implied,
                                 .length = simple ? kept_length(&name) : PM_KNOWN_NOTHING},
                        .ends = tag->closes ? 0 : meaning->ends,
                        .steps = {(int8_t)(acts ? tag->closes ? -1 : 1 : 0), acts && tag->closes ? -1 : 0},
                        .closes = acts && tag->closes,
                        .keeps = bit ? -1 : 0,
                        .closed = acts && tag->closes ? -1 : 0};
}

/* Keeps a name of empty tags, which has no number: such tags do nothing. An odd one is not kept. */
static void keep_empty(const pmi_token_scan *scan, known_names *known, const pmi_tag *tag) {
    tag_name name;
    const size_t at = known_place_of(scan, known, tag, &name);
    if (at == PM_KNOWN_NAMES || needs_stack(scan) || is_odd(scan, tag) ||
        !note_conflict(known, &known->tags[at], &name, tag->begin) ||
        (known->tags[at].name[0] != 0 && ++known->empties[at] < EMPTY_MAX))
        return;
    known->empties[at] = 0;
    if (name.length > PM_KNOWN_LENGTH)
        known->rests[at / 2] = name.rest;
    known->tags[at] = (pmi_known_tag){.name = {name.first[0], name.first[1]},
                                      .open = {.rule = PM_NONE, .length = kept_length(&name)},
                                      .steps = {PM_KNOWN_EMPTY, 0}};
}

/* Are closes of something else than what is open only counted? */
static bool counts_faults(const pmi_token_scan *scan) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    return scan->only_counts && pairs->lone == PM_NONE && pairs->stray == PM_NONE && pairs->spare == PM_NONE;
}

/* Takes tags with known names as long as they are simple, and end at most one open besides what they close. Returns how
 * many. taken->firsts: of records, whose faults are not counted. */
static size_t take_simple(pmi_token_scan *scan, const pmi_tag_reader *reader, size_t k, size_t count,
                          const known_names *known, pmi_tags_taken *taken) {
    const uint64_t *const begins = reader->begins + k, *const ends = reader->ends + k;
    const bool notes = scan->take != NULL, stacks = needs_stack(scan);
    if (ends[count - 1] - begins[0] >= UINT32_MAX)
        return 0;
    if (stacks && !pmi_token_scan_reserve_opens(scan, count + 1)) {
        scan->out_of_memory = true;
        return 0;
    }
    taken->factor = known->factor;
    if (notes)
        pmi_token_scan_hand_on(scan, (scan->pairs->tracks ? 2 * count : count) + 1);
    taken->tokens = notes ? scan->tokens + scan->token_count : NULL;
    if (stacks) {
        taken->floor = scan->opens.entries - 1;
        taken->bottom = counts_faults(scan) && !taken->firsts ? taken->floor : NULL;
        taken->top = taken->floor + scan->opens.depth;
        taken->deepest = taken->floor + scan->max_depth;
    }
    const size_t passed = reader->kernel->take(taken, known->tags, known->rests, scan->text, begins, ends, count,
                                               known->end, stacks, notes);
    if (stacks)
        pmi_token_scan_stacked(scan, taken->top, taken->deepest);
    pmi_token_scan_took(scan, taken->count, notes);
    scan->unmatched += taken->unmatched;
    scan->mismatched += taken->mismatched;
    if (passed > 0)
        scan->next = (size_t)ends[passed - 1] + 1;
    return passed;
}

/* What is known of a tag's name; NULL: nothing. */
static pmi_name *find_known(const pmi_token_scan *scan, known_names *known, const pmi_tag *tag) {
    tag_name name;
    const size_t at = known_place_of(scan, known, tag, &name);
    if (at == PM_KNOWN_NAMES)
        return NULL;
    const pmi_known_tag *const kept = &known->tags[at];
    if (!is_of(kept, &name) || kept->steps[0] == PM_KNOWN_EMPTY)
        return NULL;
    known_meaning *const meaning = &known->meanings[at / 2];
    const bool same =
        meaning->entry == at && meaning->name.length == tag->name_end - tag->name &&
        (name.length <= PM_KNOWN_LENGTH || memcmp(&known->rests[at / 2], &name.rest, sizeof name.rest) == 0);
    return same ? &meaning->name : NULL;
}

static void take_named(pmi_token_scan *scan, known_names *known, uint32_t family, const pmi_tag *tag) {
    pmi_name *meaning = find_known(scan, known, tag);
    if (meaning) {
        pmi_token_scan_take_named(scan, tag, meaning);
        return;
    }
    if (scan->take && tag->empty && !tag->closes && scan->pairs->families[family].implied.count == 0) {
        keep_empty(scan, known, tag);
        return;
    }
    meaning = pmi_token_scan_name(scan, family, tag);
    if (!meaning)
        return;
    pmi_token_scan_take_named(scan, tag, meaning);
    if (!scan->take && meaning->sort != PM_NAME_IGNORED)
        pmi_tag_numbers_number(&scan->names, meaning);
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
    const uint32_t family = pmi_tag_reader_family(reader, k);
    tag.empty = family == 0 && scan->text[tag.end - 2] == '/';
    scan->next = tag.end;
    if (known)
        take_named(scan, known, family, &tag);
    else
        pmi_token_scan_take_tag(scan, family, &tag);
    return pass(scan, reader, &tag);
}

/* May the kernel take the tags that were found? */
static bool are_for_kernel(const pmi_token_scan *scan, const pmi_tag_reader *reader, const known_names *known) {
    const size_t count = reader->places.end_count;
    return known && count > 0 && !reader->blanks_in_blocks && scan->n - reader->ends[count - 1] >= PM_TAGS_AHEAD;
}

/* Takes tags from k to before `end`, of those found. Returns where it stopped because the reader goes on elsewhere, or
 * there is no memory; or `end`. */
static size_t take_tags(pmi_token_scan *scan, pmi_tag_reader *reader, known_names *known, size_t k, size_t end) {
    const bool by_kernel = are_for_kernel(scan, reader, known);
    const size_t most = scan->take ? TAGS : SIZE_MAX;
    size_t alone_to = 0;
    unsigned vain = 0;
    while (k < end) {
        const size_t some = end - k < most ? end - k : most;
        const bool simple = by_kernel && k >= alone_to;
        pmi_tags_taken how = {.firsts = NULL};
        const size_t taken = simple ? take_simple(scan, reader, k, some, known, &how) : 0;
        k += taken;
        if (taken == some)
            continue;
        if (simple) {
            vain = taken > 0 ? 0 : vain < VAIN_MAX ? vain + 1 : VAIN_MAX;
            alone_to = vain > VAIN ? k + ((size_t)1 << (vain - VAIN)) : 0;
        }
        if (scan->out_of_memory || !take_tag(scan, reader, k, known))
            return k;
        k++;
    }
    return end;
}

/* Returns `room`, or NULL while names are not to be known. *before: the tags found before. */
static known_names *names_known(const pmi_token_scan *scan, const pmi_tag_reader *reader, size_t *before,
                                known_names *room) {
    if (!reader->kernel || !scan->pairs->tags.named)
        return NULL;
    if (*before > TAGS_MIN)
        return room;
    *before += reader->places.end_count;
    if (*before <= TAGS_MIN)
        return NULL;
    const pmi_rule_words ends = scan->pairs->families[0].name_ends;
    room->end = ends.count > 0 ? scan->pairs->bytes[scan->pairs->words[ends.first].begin] : '>';
    room->factor = PM_KNOWN_FACTOR;
    room->conflicts = room->from = 0;
    room->most_conflicts = scan->pairs->tags.plain && !needs_stack(scan) ? CONFLICTS : NO_CONFLICTS;
    forget_names(room);
    return room;
}

void pmi_token_scan_tags(pmi_token_scan *scan) {
    pmi_tag_reader reader; /* neither is initialised: most of them is not used most of the time */
    known_names room;
    size_t before = 0;
    pmi_tag_reader_begin(&reader, scan, scan->simd);
    while (!scan->out_of_memory && pmi_tag_reader_next(&reader))
        take_tags(scan, &reader, names_known(scan, &reader, &before, &room), 0, reader.places.end_count);
    scan->newlines = pmi_tag_reader_newlines(&reader, scan->n);
}

/* ---- Records ---- */

/* Returns the first tag from the k-th on that does not begin before `end`, of those found. */
static size_t tags_before(const pmi_tag_reader *reader, size_t k, size_t end) {
    while (k < reader->places.end_count && reader->begins[k] < end)
        k++;
    return k;
}

/* The records that are good so far, and what the scan has counted in them. */
typedef struct good_records {
    size_t count;
    uint64_t tokens, deepest;
    unsigned alone; /* records that are taken one by one before some are taken together again */
} good_records;

/* The tags that may be taken together: the first `count` of those found. */
typedef struct record_tags {
    size_t count;
    uint8_t firsts[PM_TAG_ROOM]; /* 1: tag k is the first of a record */
} record_tags;

/* Finds them, where tag 0 is in record r or behind it. They end where a tag, or a region before it, goes on in the next
 * record. */
static void find_firsts(const pmi_tag_reader *reader, const pmi_text_records *records, size_t r, record_tags *tags) {
    const size_t cut = reader->scan->cut < reader->crossing ? reader->scan->cut : reader->crossing;
    size_t k = 0;
    bool first = true;
    for (; k < reader->places.end_count && reader->begins[k] < cut; k++) {
        for (; r < records->count && records->ends[r] <= reader->begins[k]; r++)
            first = true;
        if (r == records->count || reader->ends[k] >= records->ends[r])
            break;
        tags->firsts[k] = first;
        first = false;
    }
    tags->count = k;
}

/* Takes tags from k on, the first one of a record, up to one that is not simple, or that begins a record behind one
 * that is not ended well by its last tag. Returns that. */
static size_t take_together(pmi_token_scan *scan, const pmi_tag_reader *reader, const known_names *known,
                            const pmi_text_records *records, const record_tags *tags, size_t k, good_records *good) {
    pmi_tags_taken how = {.firsts = tags->firsts + k};
    const uint64_t before = scan->count;
    size_t r = good->count;
    const size_t taken = take_simple(scan, reader, k, tags->count - k, known, &how);
    while (taken > 0 && records->ends[r] <= reader->begins[k + how.flat])
        r++;
    if (r > good->count)
        *good = (good_records){r, before + how.flat_count, (uint64_t)(how.flat_deepest - how.floor), 0};
    return k + taken;
}

/* Ends a record in which no tag is left. Returns false if it is not good, or was read wrongly. */
static bool record_ends(pmi_token_scan *scan, const pmi_tag_reader *reader, size_t end, good_records *good) {
    if (reader->crossing < end || scan->cut < end || !pmi_token_scan_ends_well(scan))
        return false;
    *good = (good_records){good->count + 1, scan->count, scan->max_depth, good->alone};
    return true;
}

#define WORTH 4u /* where fewer records than these could be taken together, */
#define ALONE 8u /* these many are taken one by one before that is tried again */

/* Takes the tags found, and ends the records behind which others are; without `more` all. Returns false at the first
 * record that is not good. */
static bool take_records(pmi_token_scan *scan, pmi_tag_reader *reader, known_names *known,
                         const pmi_text_records *records, bool more, good_records *good) {
    const size_t count = reader->places.end_count;
    record_tags tags; /* not initialised: most of it is not used most of the time */
    tags.count = 0;
    if (good->alone == 0 && are_for_kernel(scan, reader, known))
        find_firsts(reader, records, good->count, &tags);
    scan->next = 0; /* the reader may have read ahead */
    for (size_t k = 0, next; good->count < records->count; k = next) {
        const size_t record = good->count;
        const bool flat = scan->opens.depth + scan->unmatched + scan->mismatched == 0; /* if not, a record goes on */
        if (good->alone == 0 && k < tags.count && flat) {
            k = take_together(scan, reader, known, records, &tags, k, good);
            good->alone = good->count - record < WORTH ? ALONE : 0;
        } else if (good->alone > 0) {
            good->alone--;
        }
        const size_t end = records->ends[good->count];
        next = tags_before(reader, k, end);
        const size_t taken = k < next ? take_tags(scan, reader, known, k, next) : k;
        if (scan->next > end || scan->out_of_memory) /* a tag, or raw contents, go on in the next record */
            return false;
        if (taken < next || (next == count && more))
            return true;
        if (!record_ends(scan, reader, end, good))
            return false;
    }
    return true;
}

pm_status pmi_token_scan_tag_records(pmi_token_scan *scan, const pmi_text_records *records, const uint64_t *bounds,
                                     size_t *good) {
    pmi_tag_reader reader;
    known_names room;
    good_records so_far = {.count = 0};
    size_t before = records->count > TAGS_MIN ? TAGS_MIN : 0; /* more records are likely to have more tags */
    bool more = true, goes_on = true;
    pmi_tag_reader_begin(&reader, scan, scan->simd);
    reader.bounds = bounds;
    reader.state.lines = UINT64_MAX;
    while (more && goes_on) {
        more = pmi_tag_reader_next(&reader);
        goes_on = take_records(scan, &reader, names_known(scan, &reader, &before, &room), records, more, &so_far);
    }
    *good = so_far.count;
    scan->count = so_far.tokens;
    scan->max_depth = so_far.deepest;
    return scan->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}
