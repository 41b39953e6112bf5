/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The delimiters of a language (pmi_delimiters), as what reads them and what searches by them share it.
 *
 * All patterns that mean something where code is read are in one dictionary, and each of them has a rule. Patterns of
 * several words, with any blanks between them, have rules that are tried where the first word is found. What is only
 * looked for once such a pattern has been met (the end of a comment, the end of a tag, names) is a word: bytes of the
 * text that the rules were read from, quotes and escapes undone.
 */
#ifndef PM_CORE_DELIMITERS_DELIMITERS_H
#define PM_CORE_DELIMITERS_DELIMITERS_H

#include "base/ascii.h"
#include "base/dict.h"
#include "base/open_token.h"
#include "base/token.h"
#include "broadword/delimiters/tags.h"
#include "parenmatch.h"

#define PM_RULES_TEXT_MAX ((size_t)1 << 16) /* bytes of rules */
#define PM_RULES_PATTERNS_MAX 1024u         /* in a dictionary */
#define PM_RULES_IMPLIED_MAX 64u            /* lines of a family that say which closes may be left out */

typedef enum pmi_rule_role {
    PM_RULE_NOTHING = 0, /* has no meaning, and keeps its parts from having one */
    PM_RULE_OPEN,
    PM_RULE_CLOSE,
    PM_RULE_REGION, /* begins a region */
    PM_RULE_TAG     /* begins a tag */
} pmi_rule_role;

typedef struct pmi_rule_word {
    uint32_t begin, length; /* bytes[begin] ... */
} pmi_rule_word;

/* Words that follow each other. */
typedef struct pmi_rule_words {
    uint32_t first, count;
} pmi_rule_words;

typedef struct pmi_rule {
    pmi_rule_role role;
    bool word;               /* an end of it that is part of a word must be the word's end */
    bool spaced;             /* it is of several words, and not in the dictionary */
    bool close_tag;          /* PM_RULE_TAG: a tag that closes */
    bool unclosed;           /* PM_RULE_OPEN: its close may be left out where what it is in ends */
    bool lets;               /* PM_RULE_NOTHING: behind it pmi_delimiters.lone may stand where nothing is open */
    uint32_t index;          /* the kind, the region, or the family */
    uint32_t word_at;        /* its bytes */
    uint32_t first_length;   /* of several words: of the first, which is found before the rule is tried */
    uint32_t first;          /* of a pattern of the dictionary the rule to try first: it, or one that begins with it */
    uint32_t shorter;        /* the rule to try if this one does not fit; PM_NONE: none */
    uint32_t bodyless;       /* PM_RULE_OPEN: a word behind which it opens nothing; PM_NONE: none */
    pmi_rule_words plain_in; /* PM_RULE_OPEN: directly in these opens of its kind it opens nothing */
    pmi_rule_words spaced_rules; /* of a pattern of the dictionary: in pmi_delimiters.spaced, those that begin with it,
                                    the longest first */
    uint64_t next[4]; /* of a pattern of the dictionary: a bit for each byte that may come next, blanks aside, in
                         one of several words that begins with it */
} pmi_rule;

/* A rule of several words. */
typedef struct pmi_spaced {
    uint32_t rule;
    uint16_t bytes, mask; /* the first two bytes behind its first blanks, as pmi_fold_case() has them, mask of them */
} pmi_spaced;

#define PM_SKIP_LINE (1u << 0)       /* a newline ends it, which is not part of it */
#define PM_SKIP_DELIMITED (1u << 1)  /* the byte behind the pattern ends it, on the same line */
#define PM_SKIP_QUOTATIONS (1u << 2) /* quoted strings inside it may have its end in them */
#define PM_SKIP_NESTED (1u << 4)     /* an expression: contains pairs of its own delimiters, strings, block comments */
#define PM_SKIP_NAMES (1u << 5)      /* two TeX names follow, perhaps with = between them */
#define PM_SKIP_TAGGED (1u << 3)     /* a name and the pattern once more follow what begins it; so they do its end */
#define PM_SKIP_BRANCH (1u << 6)     /* pairs of the word before its ends and of an end stand in it */
#define PM_SKIP_MAY_NEST (1u << 7)   /* so they do, where the text is read with nested comments */

/* What is skipped. */
typedef struct pmi_rule_region {
    unsigned flags;
    int escape;          /* the byte that protects the next one; -1: none */
    pmi_rule_words ends; /* the first of them that comes ends it */
} pmi_rule_region;

#define PM_TAG_NAME_ENDS (1u << 0) /* an element's name goes on until this byte: a blank, or the tag's end */
#define PM_TAG_MATTERS (1u << 1)   /* a byte that may begin a tag's end, or a string in it */

/* Tags that are matched by name. */
typedef struct pmi_tag_family {
    bool statement;       /* as in {% if %}: names follow blanks, a prefix marks closes, other names are ignored */
    pmi_rule_word open;   /* what begins a tag that opens; of a statement, any */
    pmi_rule_word close;  /* what begins a tag that closes; of a statement, the prefix of its name */
    pmi_rule_word end;    /* of a tag */
    pmi_rule_word empty;  /* the end of a tag that opens nothing; length 0: no such tags */
    pmi_rule_words names; /* of statements: those that open */
    pmi_rule_words empty_names, raw_names, optional_names;
    pmi_rule_words assigned_names; /* that open nothing if there is a = in the tag */
    pmi_rule_words quoted_names;   /* that open nothing if a string stands behind a blank of the tag */
    pmi_rule_words name_ends;      /* that end an element's name by their first byte */
    pmi_rule_words implied;        /* lines of pmi_delimiters.implied */
    uint8_t roles[256];            /* what a byte may be in them: PM_TAG_* */
} pmi_tag_family;

/* The close of `name` may be left out before a tag that opens one of `before`, and where what it is in ends. */
typedef struct pmi_implied_close {
    uint32_t name; /* a word */
    pmi_rule_words before;
} pmi_implied_close;

/* What languages have in common all of whose delimiters are tags in < and >, regions that begin with <! or <?, and one
 * sort of braces with, perhaps, tags of a second family in them (core/delimiters/tags/reader.h). */
#define PM_TAG_REGIONS_MAX 8u
#define PM_TAG_END_MAX 8u
typedef struct pmi_tag_region {
    uint64_t bytes, mask; /* where it begins, mask of a text's 8 bytes is these */
    uint32_t rule;
    uint32_t length; /* of its pattern */
    bool whole;      /* these are all bytes of that */
    bool plain;      /* its only end is a word whose last byte, and no other, is > */
    bool quoted;     /* there are quoted strings in it, and its ends are single bytes */
    uint8_t end_count;
    uint8_t ends[PM_TAG_END_MAX]; /* bytes of that word, or the single bytes */
} pmi_tag_region;

typedef struct pmi_tag_language {
    bool fits;  /* the language is one of these */
    bool plain; /* and all its tags match by name, whatever their names */
    bool named; /* names end where pmi_tag_kernel.take finds their ends */
    pmi_tag_braces braces;
    uint32_t open[2], close[2];                 /* the rules of tags, by family */
    pmi_tag_region regions[PM_TAG_REGIONS_MAX]; /* the other rules, the longest pattern first */
    uint32_t region_count;
} pmi_tag_language;

/* What a pattern opens or closes, if anything, whatever is open, and without a look at what stands around it. */
typedef struct pmi_quick_token {
    pmi_open open;   /* that it brings */
    uint32_t length; /* of the pattern; 0: it is not such a pattern */
    uint16_t closes; /* 1: it closes; else 0 */
    uint16_t count;  /* of tokens: 0 if it has no meaning, else 1 */
    ptrdiff_t step;  /* bytes by which the stack of opens grows */
} pmi_quick_token;

#define PM_BYTE_NONE UINT16_C(256)

/* What a pattern skips, if that ends at the first place of one or two bytes, or before a newline, and nothing but the
 * pattern says where it begins. */
typedef struct pmi_quick_region {
    uint8_t length;     /* of the pattern; 0: it is not such a pattern */
    uint8_t end_length; /* bytes of the end that are part of it: 0 of a newline */
    uint8_t ends[2];    /* the end, or a newline; of one byte, twice that */
    bool by_rule;       /* only that says where it begins, but where it ends depends on more */
    bool nests;         /* others of its kind may stand in it, and begin as it does */
    bool alike;         /* its pattern is one or two bytes that are of no word, and no other pattern begins with it */
    uint16_t longer;    /* except if this byte comes next; PM_BYTE_NONE: not even then */
} pmi_quick_region;

struct pmi_delimiters {
    pm_allocator allocator;
    size_t others; /* atomic; who hold them beside the first: each gives them to pmi_delimiters_destroy() */
    bool ignore_case;
    unsigned char *bytes; /* of all words */
    pmi_rule_word *words;
    pmi_rule *rules; /* first those of the dictionary's patterns, then those of several words */
    pmi_spaced *spaced;
    pmi_rule_region *regions;
    pmi_tag_family *families;
    pmi_implied_close *implied;
    uint32_t word_count, rule_count, pattern_count, region_count, family_count, implied_count;
    uint32_t kinds; /* of rules; names have the kinds from here on */
    uint32_t loose; /* the kind inside which opens and closes need no partners; PM_NONE: none */
    uint32_t lone;  /* a close, a word, that may stand where nothing is open; PM_NONE: none */
    uint32_t stray; /* a close, or a tag with its name, that may stand where nothing is open; PM_NONE: none */
    uint32_t spare; /* a close that means nothing before one of `spare_before`; PM_NONE: none */
    pmi_rule_words spare_before;
    unsigned char nested_open, nested_close; /* of an expression, which may stand in tags too; 0: no expressions */
    pmi_tag_language tags;
    uint64_t sigils[4]; /* a bit for each byte behind which no whole word begins */
    bool has_sigils;
    bool may_nest; /* there are regions that may nest */
    bool tracks;   /* what a pattern means may depend on what is open, and closes may be left out */
    pm_dict *dict;
    pmi_dict_starts starts; /* where its patterns may begin */
    bool newlines_apart;    /* no pattern has a newline, and one beside a pattern is as the text's end there; there are
                               some */
    uint16_t line_byte; /* twice that begins a line that is skipped, and behind itself, in code, it begins nothing else;
                           PM_BYTE_NONE: there is no such byte */
    pmi_quick_token *quick; /* of the dictionary's patterns; behind them one that begins nothing, and one that does not
                               fit whatever is open */
    pmi_quick_region *quick_regions; /* of the dictionary's patterns */
    struct pmi_pattern_keys *keys;
    struct pmi_name_facts *facts; /* of names of tags (core/delimiters/tags/name_facts.h) */
};

/* Are two words equal (without regard to case if that is ignored)? */
static inline bool pmi_rule_words_equal(const struct pmi_delimiters *pairs, uint32_t a, uint32_t b) {
    const pmi_rule_word one = pairs->words[a], other = pairs->words[b];
    return one.length == other.length &&
           pmi_bytes_equal(pairs->bytes + one.begin, pairs->bytes + other.begin, one.length, pairs->ignore_case);
}

/* Makes delimiters from rules, to be given to pmi_delimiters_destroy(). As pm_language_create_rules(); *error is set by
 * PM_CORRUPT alone. */
pm_status pmi_delimiters_create(pm_context *context, const char *rules, size_t n, struct pmi_delimiters **pairs,
                                pm_language_error *error);

/* NULL is allowed. */
void pmi_delimiters_destroy(struct pmi_delimiters *pairs);

/* Stores the delimiters of a language that has some (pmi_language_has_delimiters()). Where it has only rules, *made is
 * them, to be given to pmi_delimiters_destroy(); else NULL. A context keeps those that it made last. PM_OUT_OF_MEMORY.
 */
pm_status pmi_delimiters_of(pm_context *context, const pm_language *language, const struct pmi_delimiters **pairs,
                            struct pmi_delimiters **made);

/* Reads rules into *pairs, whose allocator is set; `dict` is left alone. On failure *error is set, if it is not NULL,
 * and what has been allocated stays in *pairs. */
pm_status pmi_rules_read(struct pmi_delimiters *pairs, const char *rules, size_t n, pm_language_error *error);

#endif
