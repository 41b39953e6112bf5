/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tags of a text in a language of tags (pmi_delimiters.tags), in batches. Most are found 64 bytes at a time
 * (broadword/delimiters/tags.h). Regions, and words with something odd in them, are read between these; what a tag's
 * name shows to have been read wrongly is read again, byte by byte as everything is near the text's end.
 */
#ifndef PM_CORE_DELIMITERS_TAGS_READER_H
#define PM_CORE_DELIMITERS_TAGS_READER_H

#include "broadword/simd.h"
#include "core/delimiters/token_scan.h"

#define PM_TAG_WORDS 64u /* of text that are read at once */
#define PM_TAG_ROOM (PM_TAG_WORDS * PM_WORD_BITS / 2 + 1)

typedef struct pmi_tag_reader {
    pmi_token_scan *scan;
    const pmi_tag_kernel *kernel; /* NULL: all is read byte by byte */
    const pmi_classifier *classifier;
    pmi_tag_state state;
    size_t at;                          /* where the reading is */
    size_t counted;                     /* newlines before it are in state.newlines */
    size_t words;                       /* that are read at once: fewer after some were read in vain */
    size_t exact_until, stretch;        /* up to there everything is read byte by byte; how many bytes next time */
    size_t region;                      /* one that may be long begins there; SIZE_MAX: none does */
    size_t stop;                        /* what begins from here on is read in vain, perhaps */
    size_t region_first, region_behind; /* where the first region before `stop` begins, and the last one ends */
    size_t kept_first, kept_behind;     /* the same before the tags that were found last */
    const uint64_t *bounds;             /* of records: the bytes that end them, a bit each; NULL: the text is one */
    size_t crossing;                    /* the first region with such a byte begins there; SIZE_MAX: none has one */
    bool blanks_in_blocks; /* of the tags that were found, some of the second family look like elements to the kernel */
    bool exact;            /* the tags are read byte by byte: they are right, whatever their names */
    pmi_tag_places places; /* the tags that were found; without an end: the last one, perhaps */
    uint64_t begins[PM_TAG_ROOM + PM_TAGS_SLACK], ends[PM_TAG_ROOM + PM_TAGS_SLACK];
} pmi_tag_reader;

/* Begins with the text of a scan, whose `cut` and `next` the reader uses. */
void pmi_tag_reader_begin(pmi_tag_reader *reader, pmi_token_scan *scan, const pmi_simd_target *simd);

/* Finds the next places.end_count > 0 tags, the earlier ones forgotten. False: there are no more. */
bool pmi_tag_reader_next(pmi_tag_reader *reader);

/* Goes back to a place where no tag or region has begun, to read it byte by byte. The tags found are forgotten. */
void pmi_tag_reader_again(pmi_tag_reader *reader, size_t at);

/* Goes to a place behind the tags that are used, and outside of tags and regions. */
void pmi_tag_reader_skip(pmi_tag_reader *reader, size_t at);

/* The family of tag k: the second one's begin with braces. */
static inline uint32_t pmi_tag_reader_family(const pmi_tag_reader *reader, size_t k) {
    return reader->scan->text[reader->begins[k]] == '{';
}

/* May an element whose name has this byte be read otherwise than byte by byte? A value may follow a =, an expression
 * stand in braces, a block's name end before one; in an element's name they do not. */
static inline bool pmi_tag_name_is_odd(const struct pmi_delimiters *pairs, unsigned char byte) {
    return byte == '=' || ((byte == '{' || byte == '}') && pairs->tags.braces == PM_BRACES_EXPRESSIONS);
}

/* Is tag k what a reading byte by byte says? Sets *tag, except tag->empty. */
bool pmi_tag_reader_tag(const pmi_tag_reader *reader, size_t k, pmi_tag *tag);

/* The same in the middle of a text, from a place outside of tags and regions on. What begins at `stop` or behind is of
 * no interest: regions there are not noted. */
void pmi_tag_reader_begin_at(pmi_tag_reader *reader, size_t at, size_t stop);

/* The newlines between where the reading began and `end`. */
uint64_t pmi_tag_reader_newlines(const pmi_tag_reader *reader, size_t end);

#endif
