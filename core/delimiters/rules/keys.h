/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table by which a place where a pattern may begin is mostly found in one step. The slot depends on as many bytes as
 * all patterns have that begin with the same one: of \begin{ and \\ on two, of { on one.
 */
#ifndef PM_CORE_DELIMITERS_RULES_KEYS_H
#define PM_CORE_DELIMITERS_RULES_KEYS_H

#include "base/ascii.h"
#include "broadword/text/classify.h"
#include "core/delimiters/delimiters.h"

#define PM_PATTERN_SLOTS 256u
#define PM_PATTERN_WAYS 2u

/* In what is found: the pattern is a token whatever stands around it (pmi_delimiters.quick). */
#define PM_PATTERN_QUICK (UINT32_C(1) << 31)

/* The same: it begins a region (pmi_delimiters.quick_regions). */
#define PM_PATTERN_SKIPS (UINT32_C(1) << 30)

/* The same: it is a token where no pattern of several words fits that begins with it. */
#define PM_PATTERN_FOLLOWED (UINT32_C(1) << 29)

/* The same: it begins a tag (core/delimiters/tags/quick.h). */
#define PM_PATTERN_TAG (UINT32_C(1) << 28)

/* The same: it begins regions with a name (PM_SKIP_TAGGED), and nothing else. */
#define PM_PATTERN_TAGGED (UINT32_C(1) << 27)

/* Returns the pattern that is found, without what is noted of it. */
static inline uint32_t pmi_pattern_found(uint32_t found) {
    return found & (PM_PATTERN_TAGGED - 1);
}

#define PM_EDGE_BEFORE 1u /* behind a byte of a word */
#define PM_EDGE_BEHIND 2u /* where a word goes on behind the pattern */

/* A pattern, or what several have in common. */
typedef struct pmi_pattern_key {
    uint64_t bytes, mask; /* where they begin, mask of a text's 8 bytes is these */
    uint32_t found;       /* the pattern, perhaps with PM_PATTERN_*; PM_NONE: ask the dictionary */
    uint16_t length;      /* of the pattern */
    uint16_t edges;       /* PM_EDGE_*: where nothing begins */
} pmi_pattern_key;

/* Where both keys fit, the first one is meant. */
typedef struct pmi_pattern_slot {
    pmi_pattern_key ways[PM_PATTERN_WAYS];
} pmi_pattern_slot;

/* What a byte is if the next one is not `unless`: one of pmi_delimiters.quick. */
typedef struct pmi_alone {
    uint32_t open[4]; /* the open that it brings, from its kind on */
    ptrdiff_t step;   /* bytes by which the stack of opens grows */
    size_t count;     /* of tokens: 0 or 1 */
    uint32_t closes;  /* all ones if it closes; else 0 */
    uint16_t pattern;
    uint16_t unless; /* PM_BYTE_NONE: whatever the next one is */
} pmi_alone;

#define PM_PAIR_CLASSES 32u /* of bytes */
#define PM_PAIR_ENTRIES 64u
#define PM_PAIR_REGIONS 8u

typedef enum pmi_pair_sort {
    PM_PAIR_OTHER = 0, /* two bytes do not tell, or more than this must be known */
    PM_PAIR_TOKEN,     /* of pmi_delimiters.quick, or nothing */
    PM_PAIR_FOLLOWED,  /* the same, unless words follow that it begins */
    PM_PAIR_REGION,    /* of pmi_delimiters.quick_regions */
    PM_PAIR_TAG,       /* it begins a tag (core/delimiters/tags/quick.h) */
    PM_PAIR_TAGGED     /* a region without a name between the bytes that begin it; not behind a byte of a word */
} pmi_pair_sort;

/* What two bytes begin that are of no word. */
typedef struct pmi_pair {
    uint32_t open[4]; /* the open that it brings, from its kind on */
    ptrdiff_t step;   /* bytes by which the stack of opens grows */
    uint32_t closes;  /* all ones if it closes; else 0 */
    uint32_t pattern;
    uint8_t count, length; /* of tokens, 0 or 1; of bytes */
    uint8_t sort;          /* pmi_pair_sort */
    uint8_t region;        /* among pmi_pattern_keys.regions */
} pmi_pair;

/* A region by what begins and ends it, one or two bytes each. */
typedef struct pmi_pair_region {
    uint8_t begin[2], ends[2];
    uint8_t length;     /* of what begins it */
    uint8_t end_length; /* bytes of the end that are part of it: 0 of a newline */
    bool ends_in_two, nests;
} pmi_pair_region;

#define PM_QUICK_FAMILIES 4u  /* of tags that are read quickly (core/delimiters/tags/quick.h) */
#define PM_QUICK_NAME_ENDS 0u /* planes of their bytes: a name goes on until this one, */
#define PM_QUICK_MATTERS 1u   /* and it may begin a tag's end, or a string in it */
#define PM_QUICK_PLANES 2u

/* A word of at most 8 bytes that is written in one way alone. */
typedef struct pmi_quick_word {
    uint64_t bytes, mask; /* mask of a text's 8 bytes is these; none are if there is no such word */
    size_t length;
} pmi_quick_word;

/* What is looked for in tags of a family. */
typedef struct pmi_quick_family {
    pmi_byte_classes bytes;    /* PM_QUICK_* */
    pmi_quick_word end, empty; /* of a tag, and of one that opens nothing */
    bool plain;                /* both are such words, or there is no second */
    bool nothing;              /* its tags do nothing, whatever their names */
} pmi_quick_family;

#define PM_NESTED_OPEN 0u /* planes of the bytes of an expression: its delimiters, */
#define PM_NESTED_CLOSE 1u
#define PM_NESTED_OTHER 2u /* and what may begin a string or a comment */
#define PM_NESTED_PLANES 3u

typedef struct pmi_pattern_keys {
    pmi_alone alone[256];
    uint8_t classes[256];
    uint8_t pairs[PM_PAIR_CLASSES][PM_PAIR_CLASSES]; /* by classes of two bytes: among pair_entries */
    pmi_pair pair_entries[PM_PAIR_ENTRIES];
    pmi_pair_region regions[PM_PAIR_REGIONS];
    pmi_quick_family families[PM_QUICK_FAMILIES];
    pmi_byte_classes nested;          /* if there are expressions */
    uint64_t masks[256];              /* by the first of 8 bytes: those that the slot depends on */
    uint64_t factor;                  /* and how */
    uint8_t before[256], behind[256]; /* by the byte before and behind a pattern: PM_EDGE_* */
    pmi_pattern_slot slots[PM_PATTERN_SLOTS];
} pmi_pattern_keys;

/* The slot that 8 bytes lead to, the first of which is `first`. */
static inline unsigned pmi_pattern_slot_of(const pmi_pattern_keys *keys, unsigned char first, uint64_t bytes) {
    return (unsigned)((bytes & keys->masks[first]) * keys->factor >> 56);
}

static inline bool pmi_pattern_key_fits(const pmi_pattern_key *key, uint64_t bytes) {
    return (bytes & key->mask) == key->bytes;
}

/* Does a pattern of the dictionary begin tags, and nothing else? */
bool pmi_pattern_is_tag(const struct pmi_delimiters *pairs, uint32_t pattern);

/* Does it begin regions with a name, and nothing else? */
bool pmi_pattern_is_tagged(const struct pmi_delimiters *pairs, uint32_t pattern);

/* Where nothing begins that begins with a pattern of the dictionary. */
unsigned pmi_pattern_edges(const struct pmi_delimiters *pairs, uint32_t pattern);

/* Makes the part of them that says what two bytes begin (core/delimiters/rules/pairs.c). */
void pmi_pattern_pairs_make(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys);

/* Makes the keys of delimiters whose dictionary and quick tokens are there. */
void pmi_pattern_keys_make(const struct pmi_delimiters *pairs, pmi_pattern_keys *keys);

#endif
