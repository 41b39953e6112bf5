/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open tags of a text that grows, in a language whose tags all match by name (pmi_tag_language.plain), kept from
 * one question to the next: only what has come since is read. Opens are entries that point to the one below and stay,
 * so that saved states share them: a state is one pmi_open_tags_now.
 */
#ifndef PM_CORE_DELIMITERS_OPEN_TAGS_H
#define PM_CORE_DELIMITERS_OPEN_TAGS_H

#include "base/stack.h"
#include "core/delimiters/token_scan.h"

typedef struct pmi_open_tag {
    const struct pmi_open_tag *below; /* NULL: this is the outermost */
    pm_place at;
    size_t name, name_length; /* in the text */
    uint32_t length, kind;
    uint64_t depth;  /* opens, with this one */
    uint64_t suffix; /* bytes that close all of them */
} pmi_open_tag;

/* How far a text was read. */
typedef struct pmi_open_tags_now {
    uint64_t generation; /* of the entries; 0: nothing was read */
    size_t seen;         /* bytes of the text that this is about */
    size_t at;           /* those before it are read; the others may mean something else when more have come */
    bool is_cut;         /* a tag or region begins at `at`, and the text's end cuts it off */
    size_t counted, line, line_start; /* up to here newlines are counted; the line there, and where it begins */
    const pmi_open_tag *top;          /* the innermost open; NULL: nothing is open */
} pmi_open_tags_now;

typedef struct pmi_open_tags {
    pmi_open_tags_now now;
    pmi_stack entries; /* of pmi_open_tag */
    bool ends[256];    /* the last bytes of what ends a tag or a region */
    pmi_token_scan scan;
    pmi_tag_numbers names; /* numbered as they come in the text */
    size_t newest_name;    /* where the last one that got a number stands */
    bool shared;           /* entries that are no longer open may be those of a state that was saved */
} pmi_open_tags;

/* Reads the first n bytes of a text, which begins with what was read before. *tags is made with the first text, and to
 * be given to pmi_open_tags_destroy(). PM_OUT_OF_MEMORY; then the text is forgotten. */
pm_status pmi_open_tags_read(pmi_open_tags **tags, pm_context *context, const struct pmi_delimiters *pairs,
                             const unsigned char *text, size_t n);

/* How far the text was read, for pmi_open_tags_return(). `tags` may be NULL in these functions. */
pmi_open_tags_now pmi_open_tags_save(pmi_open_tags *tags);

/* Makes the tags those of a text that begins with what `then` was of. */
void pmi_open_tags_return(pmi_open_tags *tags, const pmi_open_tags_now *then);

/* Forgets the text. */
void pmi_open_tags_forget(pmi_open_tags *tags);

void pmi_open_tags_destroy(pmi_open_tags *tags);

#endif
