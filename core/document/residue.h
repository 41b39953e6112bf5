/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a part of a text with branches leaves to the text around it: its residue.
 *
 * Brackets that pair up between two directives leave nothing, whatever is open around them. Nor does a conditional none
 * of whose branches leaves anything: behind its #endif the same is open as before its #if (core/text/readings.h). So
 * the residue of a part is its other brackets and directives, in order, and the gaps between them: what vanished there
 * had a depth, and mismatches. The residues of two parts, one behind the other, pair up like two brackets. Brackets of
 * an #if 0 vanish, too.
 *
 * A residue is worked out when a question needs it. Only some nodes of the tree keep theirs, and only if it is short:
 * brackets that cross branches stay in all residues up to the root.
 */
#ifndef PM_CORE_DOCUMENT_RESIDUE_H
#define PM_CORE_DOCUMENT_RESIDUE_H

#include "core/document/document.h"

typedef struct pmi_residue_gap {
    uint32_t mismatched; /* pairs of two kinds */
    uint16_t rise;       /* how many opens of it are open at once, at most */
} pmi_residue_gap;

typedef enum pmi_residue_what {
    PM_RESIDUE_OPEN = 0,
    PM_RESIDUE_CLOSE,
    PM_RESIDUE_DIRECTIVE,
    PM_RESIDUE_END /* no item: the gap behind the last one */
} pmi_residue_what;

typedef struct pmi_residue_item {
    pmi_residue_gap before;
    uint32_t at;  /* of a bracket: offset in the part */
    uint8_t what; /* of pmi_residue_what */
    uint8_t kind; /* of the bracket; of pmi_directive */
} pmi_residue_item;

struct pmi_document_residue {
    uint32_t count;           /* items, the gap behind the last one as one of them */
    uint32_t mismatched;      /* in all gaps */
    pmi_residue_item items[]; /* the last one is PM_RESIDUE_END */
};

/* Returns the bytes that the residue takes that a node keeps. */
static inline size_t pmi_residue_size(const pmi_document_node *node) {
    if (!pmi_document_keeps_residue(node->height) || !node->residue)
        return 0;
    return sizeof *node->residue + node->residue->count * sizeof *node->residue->items;
}

/* A walk over the items of a text. */
typedef struct pmi_residue_walk {
    pm_document *document;
    uint64_t from, to;   /* mismatches at these offsets are not hidden in gaps, */
    uint64_t mismatched; /* if they are not more than these */
    bool (*take)(const pmi_residue_item *item, uint64_t at, void *user); /* at an offset of the text; false: no more */
    void *user;
    const pmi_document_edit *edit; /* the only one since items were taken */
    bool moved;                    /* an item is elsewhere than behind that edit, or may be */
    bool shows;                    /* in a part whose mismatches are not hidden */
    bool stopped;
    bool failed; /* there was no memory */
} pmi_residue_walk;

/* Takes the items that a part of the text, at an offset, consists of: of residues where they are kept, and of brackets
 * and directives one by one elsewhere. */
void pmi_residue_take(pmi_residue_walk *walk, pmi_document_node *node, uint64_t base);

/* Are the items of a part, at an offset, the same as when they were last taken, except for offsets? False may be wrong.
 * Whether they are where walk->edit moves them says walk->moved. */
bool pmi_residue_is_same(pmi_residue_walk *walk, pmi_document_node *node, uint64_t base);

/* Moves an offset by an edit. False: the edit has removed what was there. */
bool pmi_residue_move(const pmi_document_edit *edit, uint64_t *offset);

#endif
