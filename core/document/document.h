/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files behind pm_document share. A text is cut into leaves of some thousand bytes, in a balanced binary tree
 * (AVL) whose nodes sum up what is below them.
 *
 * A close pops the innermost open whatever its kind. So a part of a text leaves a row of unmatched closes and a row of
 * unmatched opens, and two parts meet as the closes of the second pop opens of the first. A node compares the kinds
 * of these pairs, and keeps the number of mismatches below it. Rows may be long; nodes keep a hash of each, and the row
 * is found in the leaves.
 *
 * A leaf remembers the state of the lexer before and behind it. Where the state behind a leaf differs from the state
 * before the next one, the text from there on is not settled.
 */
#ifndef PM_CORE_DOCUMENT_DOCUMENT_H
#define PM_CORE_DOCUMENT_DOCUMENT_H

#include <string.h>

#include "base/memory.h"
#include "core/context/context.h"
#include "core/document/kinds.h"
#include "core/document/slab.h"
#include "core/text/bracket_masks.h"
#include "core/text/language.h"
#include "core/text/open_bracket_stack.h"
#include "parenmatch/document.h"

#ifndef PM_DOCUMENT_LEAF_MAX             /* tests have smaller ones */
#define PM_DOCUMENT_LEAF_MAX 8192u       /* bytes; a multiple of 64 */
#define PM_DOCUMENT_LEAF_NEW 7168u       /* bytes of a leaf of a new text */
#define PM_DOCUMENT_LEAF_USUAL 6500u     /* about as many has one of some leaves that an edit makes, */
#define PM_DOCUMENT_LEAF_FULL 5400u      /* and more than this, if they have neighbours */
#define PM_DOCUMENT_LEAF_MIN 5000u       /* fewer bytes are shared out with a neighbour's */
#define PM_DOCUMENT_MANY 256u            /* leaves; more do not stay in the caches of one core */
#define PM_DOCUMENT_PORTION 8192u        /* bytes that an edit reads on */
#define PM_DOCUMENT_BY_HASH (1u << 19)   /* shorter rows are compared in less time than it takes to get their hashes */
#define PM_DOCUMENT_COUNT_MAX (1u << 16) /* pairs that an edit compares in a node; others wait for a query */
#define PM_DOCUMENT_PAIRS_MIN (1u << 20) /* pairs that a query compares by a thread of its own */
#define PM_DOCUMENT_RESIDUE_MAX 256u     /* items of a residue that is kept */
#define PM_DOCUMENT_SHOWN 16u            /* mismatches that the first question shows in any case */
#define PM_DOCUMENT_FAULTS (1u << 18)    /* of a text with branches that are kept if they are found at once, */
#define PM_DOCUMENT_FEW_FAULTS 64u       /* and that are kept in any case */
#define PM_DOCUMENT_DEEP 256u            /* opens behind a directive; if there are many with more, a check is faster */
#endif
#define PM_DOCUMENT_ROW_WORDS (PM_DOCUMENT_LEAF_MAX / PM_KINDS_OF_WORD + 1)
#define PM_DOCUMENT_HEIGHT_MAX 64u
#define PM_DOCUMENT_NO_KIND 255u
#define PM_DOCUMENT_NOT_COUNTED UINT32_MAX
#define PM_DOCUMENT_STATES 64u /* recent ones */
_Static_assert(PM_DOCUMENT_LEAF_MAX / 4 < PM_DIRECTIVES_MAX, "all directives of a leaf are noted");
_Static_assert(PM_DOCUMENT_LEAF_MAX <= 8192, "and their offsets fit");

/* The two rows of unmatched brackets of a part. Rank 0 is the outermost bracket of a row: the first open, and the last
 * close. */
enum {
    PM_DOCUMENT_OPENS = 0,
    PM_DOCUMENT_CLOSES = 1
};

/* A state of the lexer. Its template literals are a list that it shares with other states. */
typedef struct pmi_document_literals pmi_document_literals;

typedef struct pmi_document_state {
    uint32_t users;
    uint32_t length;
    const pmi_document_literals *literals; /* around the code; NULL: no literal is */
    unsigned char bytes[];                 /* of pmi_lexer_save_innermost() */
} pmi_document_state;

/* Directives of conditionals (#if) that one side of a part leaves without a partner, and where they stand between its
 * unmatched brackets: runs of equal places, innermost first. Of opens: an #if or #else, and the unmatched opens behind
 * it. Of closes: an #endif or #else, and the unmatched closes before it. */
#define PM_DOCUMENT_IF_RUNS 3u
#define PM_DOCUMENT_IFS_MAX 15u /* of a run; more are not noted */
typedef struct pmi_document_ifs {
    uint16_t at[PM_DOCUMENT_IF_RUNS];
    uint16_t counts; /* 4 bits a run; 0: there are no more runs */
} pmi_document_ifs;

typedef struct pmi_document_node pmi_document_node;

struct pmi_document_node {
    uint32_t users;
    uint8_t height;            /* 1: a leaf */
    bool settled : 1;          /* each leaf begins in the state that the one before it ends in */
    bool begins : 1;           /* something begins in a leaf here that the leaf ends inside of */
    bool directives : 1;       /* a leaf here has some */
    bool crosses : 1;          /* a bracket pair may begin and end in two branches, or what is noted does not say */
    bool followed : 1;         /* nothing here has changed since its items were taken (residue.h) */
    bool residue_too_long : 1; /* to be kept, when they were taken */
    bool in_slab : 1;          /* so is the content of a leaf, which else stands behind the leaf */
    bool borrows : 1;          /* the text of a leaf is the caller's */
    uint16_t begun;            /* of a leaf with `begins`: where that is */
    uint32_t bytes, newlines, brackets;
    uint32_t count[2];   /* unmatched brackets */
    uint32_t mismatched; /* pairs; PM_DOCUMENT_NOT_COUNTED: at least one */
    int32_t rise;        /* largest excess before any byte or behind the last; at least 0 */
    uint32_t peak;       /* most brackets open at once, if none is before */
    pmi_document_ifs ifs[2];
    uint64_t hash[2]; /* of the rows */
    const pmi_document_state *entry, *exit;
    union {
        _Alignas(uint64_t) pmi_document_node *child[2];
        void *content; /* of a leaf, which ends here: its text, or a pointer to a borrowed one, and its rows of opens
                          and of closes (kinds.h) */
    };
    struct pmi_document_residue *residue; /* residue.h; as of when items were taken; NULL: none is kept. Other nodes
                                             than those of pmi_document_keeps_residue() end before it. */
};

/* A fault of a bracket. */
typedef struct pmi_document_fault {
    pm_fault fault;
    uint64_t at, partner; /* offsets; partner: of PM_FAULT_KIND_MISMATCH, else PM_BP_NONE */
} pmi_document_fault;

/* An edit. */
typedef struct pmi_document_edit {
    uint64_t at, removed, inserted;
} pmi_document_edit;

struct pm_document {
    pm_allocator allocator;
    const pm_language *language;
    pm_alphabet alphabet;
    unsigned threads; /* at most so many compare long rows; 0: as many as OpenMP gives */
    char open_byte[PM_OPEN_KINDS];
    pmi_bracket_reader reader;
    pmi_directives directives;
    uint64_t loaded;                                      /* literals around the code that the lexer was given */
    pmi_document_node *root;                              /* never NULL */
    size_t row_bytes;                                     /* of the rows of the leaf that was made last */
    pmi_slabs slabs;                                      /* nodes, and contents of leaves */
    const pmi_document_state *states[PM_DOCUMENT_STATES]; /* recent ones, each in its place, that leaves may share */

    pm_check *check; /* of texts with branches whose residues are too long; NULL if the language has no branches */
    unsigned checks; /* questions that it answers before residues are tried again */
    bool summed_up;  /* `found` is of the text, or, if this is set: */
    bool changed;    /* of the text before it changed */
    unsigned edits;  /* since then; 2: two or more */
    pmi_document_edit edit; /* the last of them */
    bool listed;            /* `faults` has all that were found */
    pm_check_summary found;
    pmi_document_fault *faults;
    size_t fault_count, fault_room;

    uint64_t powers[6][64];        /* powers[k][i]: base of the hash to the power of i << 6 * k */
    uint64_t inverses[8][16];      /* inverses[k][i]: to the power of -(i << 4 * k) */
    uint64_t hash_of_four[1 << 8]; /* of the kinds in a byte of a row */

    /* Scratch memory of a leaf being made: kinds of what is open, on both sides of where it begins, and up to there
     * PM_DOCUMENT_NO_KIND between leaves; its rows. */
    uint8_t levels[2 * PM_DOCUMENT_LEAF_MAX + 2];
    uint64_t rows[2][PM_DOCUMENT_ROW_WORDS];
};

/* Makes a document without a text, and gives back what it has in addition to one: its lexer's memory and its states. */
void pmi_document_init(pm_document *document, const pm_allocator *allocator, const pm_language *language,
                       const pmi_classifier *classifier);
void pmi_document_forget(pm_document *document);

/* ---- Leaves (leaf.c) ---- */

#define PM_DOCUMENT_LEAF_HEAD (offsetof(pmi_document_node, content) + sizeof(uint64_t))
_Static_assert(PM_DOCUMENT_LEAF_HEAD % sizeof(uint64_t) == 0, "rows are aligned, also where pointers have 32 bits");

static inline const unsigned char *pmi_document_leaf_text(const pmi_document_node *leaf) {
    return leaf->borrows ? *(const unsigned char *const *)leaf->content : leaf->content;
}

/* The bytes of content before the rows. */
static inline size_t pmi_document_before_rows(const pmi_document_node *leaf) {
    const size_t bytes = leaf->borrows ? sizeof(const unsigned char *) : leaf->bytes;
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

static inline const uint64_t *pmi_document_leaf_row(const pmi_document_node *leaf, unsigned side) {
    const void *const rows = (const unsigned char *)leaf->content + pmi_document_before_rows(leaf);
    return (const uint64_t *)rows + (side == PM_DOCUMENT_CLOSES ? pmi_kinds_words(leaf->count[PM_DOCUMENT_OPENS]) : 0);
}

/* The bytes of a leaf's content. */
static inline size_t pmi_document_leaf_size(const pmi_document_node *leaf) {
    return pmi_document_before_rows(leaf) +
           (pmi_kinds_words(leaf->count[PM_DOCUMENT_OPENS]) + pmi_kinds_words(leaf->count[PM_DOCUMENT_CLOSES])) *
               sizeof(uint64_t);
}

/* What a new leaf is like. */
typedef struct pmi_document_manner {
    bool in_slab; /* its content, if there are slabs */
    bool many;    /* one of many leaves, which is not looked at again soon */
    bool borrows; /* its text, which stays where it is */
} pmi_document_manner;

/* Reads n <= PM_DOCUMENT_LEAF_MAX bytes of text from a state on. If the state behind them is `expected`, which may be
 * NULL, the leaf shares it. Returns NULL if there is no memory. */
pmi_document_node *pmi_document_leaf_create(pm_document *document, const unsigned char *text, size_t n,
                                            const pmi_document_state *entry, const pmi_document_state *expected,
                                            pmi_document_manner manner);

/* Returns a leaf of other text, or of its own from another state on, in the place of one that has one user, and has the
 * same state behind it as a rule. NULL: there is no memory; the leaf is as it was. */
pmi_document_node *pmi_document_leaf_change(pm_document *document, pmi_document_node *leaf, const unsigned char *text,
                                            size_t n, const pmi_document_state *entry);

/* Gives back a leaf that nobody uses any more, and its users of states. */
void pmi_document_leaf_free(const pm_allocator *allocator, pmi_document_node *leaf);

#define PM_DOCUMENT_LEAF_WORDS (PM_DOCUMENT_LEAF_MAX / PM_WORD_BITS + 1)

/* Stores masks of the newlines in n <= PM_DOCUMENT_LEAF_MAX bytes of text, and returns how many there are. */
uint32_t pmi_document_newlines(const pm_document *document, const unsigned char *text, size_t n, uint64_t *masks);

/* Stores masks of a leaf's brackets: bit i % 64 of masks[i / 64]. Returns false if there is no memory. */
bool pmi_document_leaf_masks(pm_document *document, const pmi_document_node *leaf, uint64_t *masks);

/* The brackets of a leaf. */
typedef struct pmi_document_leaf_brackets {
    size_t count;
    uint16_t at[PM_DOCUMENT_LEAF_MAX];      /* offset in the leaf */
    uint16_t partner[PM_DOCUMENT_LEAF_MAX]; /* index; PM_DOCUMENT_FAR if it is not in the leaf */
    uint8_t role[PM_DOCUMENT_LEAF_MAX];
} pmi_document_leaf_brackets;
#define PM_DOCUMENT_FAR UINT16_MAX

bool pmi_document_leaf_brackets_read(pm_document *document, const pmi_document_node *leaf,
                                     pmi_document_leaf_brackets *brackets);

/* Stores the offsets of a leaf's unmatched opens, as many as there are. False: there is no memory. */
bool pmi_document_leaf_opens(pm_document *document, const pmi_document_node *leaf, uint16_t *opens);

/* Finds the offset in the leaf of the bracket of that rank in a row of the leaf. False: there is no memory. */
bool pmi_document_leaf_find(pm_document *document, const pmi_document_node *leaf, unsigned side, uint32_t rank,
                            uint32_t *offset);

/* ---- States (state.c) ---- */

/* Puts the lexer into a state, to read n bytes of text. Of the literals around the code only those are loaded that the
 * text may end, and one more. False: there is no memory. */
bool pmi_document_state_load(pm_document *document, const pmi_document_state *state, const unsigned char *text,
                             size_t n);

/* Returns the state that the lexer is in since `entry` was loaded, with a user: `expected`, which may be NULL, if they
 * are equal, or a recent one. NULL: there is no memory. */
const pmi_document_state *pmi_document_state_now(pm_document *document, const pmi_document_state *entry,
                                                 const pmi_document_state *expected);

bool pmi_document_state_equal(const pmi_document_state *a, const pmi_document_state *b);

/* Returns the bytes that a state behind a leaf takes beside the one before it, as this leaf's part. */
size_t pmi_document_state_size(const pmi_document_state *exit, const pmi_document_state *entry);

const pmi_document_state *pmi_document_state_refer(const pmi_document_state *state);

void pmi_document_state_release(const pm_allocator *allocator, const pmi_document_state *state);

/* ---- Rows (rows.c) ---- */

/* Fills the tables of the hash. */
void pmi_document_powers_fill(pm_document *document);

/* Returns the hash of the `count` outermost kinds of a leaf's row. */
uint64_t pmi_document_row_hash(const pm_document *document, const uint64_t *row, size_t count);

/* Sums up the children of a node. */
void pmi_document_sum_up(const pm_document *document, pmi_document_node *node);

/* Counts the mismatches of a node. */
uint32_t pmi_document_mismatched(const pm_document *document, pmi_document_node *node);

/* Copies n kinds of a row, from rank `from` on, to rank `at` and up of packed kinds, where zeros are. */
void pmi_document_row_copy(const pmi_document_node *node, unsigned side, uint32_t from, uint32_t n, uint64_t *kinds,
                           size_t at);

/* Are the kinds of n opens of one part, from a rank on, those of n closes of another, from a rank on? */
bool pmi_document_rows_equal(const pm_document *document, const pmi_document_node *opens, uint32_t first_open,
                             const pmi_document_node *closes, uint32_t first_close, uint32_t n);

/* Returns the leaf of a bracket of a row; *base, the offset of the node, becomes that of the leaf, *rank the rank in
 * the leaf's row. */
const pmi_document_node *pmi_document_row_leaf(const pmi_document_node *node, unsigned side, uint32_t *rank,
                                               uint64_t *base);

/* ---- Conditionals (conditionals.c) ---- */

/* Sums up the conditionals of a leaf, whose brackets are summed up: the directives that were noted as it was read.
 * `picked` are its brackets, in order; those in bit i of masks[w] are before[w] brackets and more from the first. */
void pmi_document_ifs_read(const pm_document *document, const unsigned char *picked, const uint64_t *masks,
                           const uint16_t *before, pmi_document_node *sums);

/* Sums up those of a node's children, whose brackets are summed up. */
void pmi_document_ifs_meet(pmi_document_node *node);

/* ---- The tree (tree.c) ---- */

static inline pmi_document_node *pmi_document_refer(pmi_document_node *node) {
    node->users++;
    return node;
}

/* May a node of that height keep its residue? Such nodes are few levels apart, so that an edit costs few items more,
 * and there are few. The lowest are not leaves, of which there are too many. */
static inline bool pmi_document_keeps_residue(unsigned height) {
    return height % 3 == 2;
}

/* The bytes of a node of that height that is not a leaf. */
static inline size_t pmi_document_node_size(unsigned height) {
    return pmi_document_keeps_residue(height) ? sizeof(pmi_document_node) : offsetof(pmi_document_node, residue);
}

void pmi_document_release(const pm_allocator *allocator, pmi_document_node *node);

/* Gives back the memory of a node that nobody uses, and of nothing else. */
void pmi_document_node_free(const pm_allocator *allocator, pmi_document_node *node);

/* Nodes that nobody uses leave their places in slabs to others. Only document->root is in use, with all below it; its
 * nodes were made for no other tree since, or for none that was given up. */
void pmi_document_sweep(pm_document *document);

/* Says what holds each node below one, which may have been part of trees that were given up. */
void pmi_document_hold_children(pmi_document_node *node);

/* The pmi_slabs.node_moved of a document. */
void pmi_document_node_moved(void *node);

/* Returns the tree of a text that begins in a state, with a user, and with that many leaves of about one size; NULL if
 * there is no memory. `pieces` of text follow one another. A text that is borrowed is one piece. */
typedef struct pmi_document_piece {
    const unsigned char *text;
    uint64_t length;
} pmi_document_piece;
#define PM_DOCUMENT_PIECES 5u
pmi_document_node *pmi_document_build(pm_document *document, const pmi_document_piece *pieces,
                                      const pmi_document_state *entry, uint64_t leaves, bool borrows);

/* Returns two parts as one tree, and the leaves before an offset or behind it, where a leaf begins. NULL in *tree is a
 * tree without leaves. False: there is no memory. */
bool pmi_document_join(pm_document *document, pmi_document_node *left, pmi_document_node *right,
                       pmi_document_node **tree);
bool pmi_document_cut(pm_document *document, pmi_document_node *node, uint64_t offset, unsigned side,
                      pmi_document_node **tree);

/* Returns the leaf with the byte at an offset, or the last one; *base receives its offset. */
const pmi_document_node *pmi_document_leaf_at(const pmi_document_node *root, uint64_t offset, uint64_t *base);

/* Reads leaves again whose state has changed. *budget: bytes to read at most, and what is left of them. */
pm_status pmi_document_settle_node(pm_document *document, pmi_document_node **node, const pmi_document_state *entry,
                                   uint64_t *budget);

/* ---- Queries ---- */

/* What is around a part of the text: opens before it and closes behind it, as rows of parts, outermost part first. */
typedef struct pmi_document_pile {
    unsigned side;
    unsigned parts;
    uint64_t total; /* brackets */
    struct {
        const pmi_document_node *node;
        uint64_t base;
        uint32_t count; /* of its row, the outermost ones */
    } part[PM_DOCUMENT_HEIGHT_MAX];
} pmi_document_pile;

/* A part comes next, nearer to the place at hand: it closes brackets of the pile, and adds its own. */
void pmi_document_pile_push(pmi_document_pile *pile, const pmi_document_node *node, uint64_t base);

/* Copies the kinds of the n <= total innermost brackets, innermost last, packed. */
void pmi_document_pile_kinds(const pmi_document_pile *pile, size_t n, uint64_t *kinds);

/* Returns the leaf of the bracket that is `back` < total brackets from the innermost one; *rank receives its rank in
 * the leaf's row, *base the leaf's offset. */
const pmi_document_node *pmi_document_pile_leaf(const pmi_document_pile *pile, uint64_t back, uint32_t *rank,
                                                uint64_t *base);

/* Returns the kind of that bracket. */
unsigned pmi_document_pile_kind(const pmi_document_pile *pile, uint64_t back);

/* Finds the offset of that bracket. False: there is no memory. */
bool pmi_document_pile_find(pm_document *document, const pmi_document_pile *pile, uint64_t back, uint64_t *offset);

#endif
