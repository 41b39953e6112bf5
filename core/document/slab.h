/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for the leaves and nodes of a large text. Pages of a new one are new to the process, and to get them one by
 * one takes longer than to read the text. So leaves stand one behind the other in slabs of huge pages. Where the system
 * has no huge pages, or the caller an allocator, there are no slabs.
 *
 * Edits make leaves of all sizes, and would leave holes. So a unit of a slab has blocks of one size, which differ by a
 * few bytes from what is asked for, and the last block of a size moves to where one is given back: it knows the pointer
 * that leads to it. Only the last unit of each size has room then, as a rule, and the pages behind its last block go
 * back to the system, as do units and slabs without blocks. A page or two of each size are left, which of a small text
 * is much: there, large blocks have fewer sizes. But the addresses of a few slabs are kept for the next
 * text, which gets the pages back if the system has not needed them.
 *
 * Several trees may share a node while an edit makes a new one, so nodes stay where they are until one tree remains.
 */
#ifndef PM_CORE_DOCUMENT_SLAB_H
#define PM_CORE_DOCUMENT_SLAB_H

#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

#ifndef PM_SLAB_STEP            /* tests have other sizes */
#define PM_SLAB_STEP 64u        /* bytes by which sizes differ */
#define PM_SLAB_LARGEST 10304u  /* bytes of a block, with what is before it */
#define PM_SLAB_LOST 96u        /* bytes of a block that may be unused after an edit, if there are all sizes */
#define PM_SLAB_COARSE 32u      /* steps; of larger blocks there are fewer sizes while there are few such blocks, */
#define PM_SLAB_FEW 512u        /* these: every fourth size, and up to four times as many: every second one */
#define PM_SLAB_LOST_NEW 128u   /* and if it is one of many new ones, which should have one size */
#define PM_SLAB_UNIT (2u << 20) /* bytes: a huge page */
#define PM_SLAB_POPULATE (64u << 10) /* bytes that many small blocks get from the system at once */
#define PM_SLAB_KEEP (4u << 10)      /* bytes behind the last block of a size that are kept for the next ones */
#define PM_SLAB_UNITS 16u            /* of a slab */
#endif
#define PM_SLAB_SIZES (PM_SLAB_LARGEST / PM_SLAB_STEP + 1)
#define PM_SLAB_NODE_STEP 8u /* as PM_SLAB_STEP, of nodes */
#define PM_SLAB_NODE_SIZES 17u

typedef struct pmi_slab pmi_slab;
typedef struct pmi_slab_unit pmi_slab_unit;

/* The slabs of a text; zeros at first. */
typedef struct pmi_slabs {
    pmi_slab *first;
    pmi_slab_unit *last[PM_SLAB_SIZES + PM_SLAB_NODE_SIZES]; /* of each size, in steps; those of nodes last */
    struct pmi_slab_discarded *discarded;                    /* nodes */
    void (*node_moved)(void *node);                          /* calls pmi_slab_hold() for what the node leads to */
    size_t large;                                            /* blocks, of which there may be fewer sizes */
    bool filling;                                            /* many blocks follow, until pmi_slab_trim() */
    bool given_up;                                           /* blocks are not given back one by one any more */
} pmi_slabs;

/* Returns `bytes` of memory, which begin with a cache line as a rule, and whose address the caller has to keep in
 * *holder; it changes when another block is given back. `many` blocks of about one size follow one another, and are
 * written at once. NULL: there are no slabs. */
void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes, bool many, void *holder);

/* Returns memory for a node, whose holder is said later. NULL: there are no slabs. */
void *pmi_slab_allocate_node(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes);

/* The address of a block is kept in *holder from now on. */
void pmi_slab_hold(void *block, void *holder);

/* Nobody uses a node any more. */
void pmi_slab_discard(void *node);

/* Gives back the nodes that were discarded. Each other one has its holder. */
void pmi_slab_sweep(const pm_allocator *allocator, pmi_slabs *slabs);

/* If many blocks were written, gives back what is behind the last ones. */
void pmi_slab_trim(pmi_slabs *slabs);

/* Blocks of one text become those of another. */
void pmi_slab_merge(pmi_slabs *to, pmi_slabs *from);

/* The bytes that a block takes. */
size_t pmi_slab_bytes(const void *block);

/* The bytes of a block that may be unused after an edit. */
size_t pmi_slab_lost(const pmi_slabs *slabs);

/* Is there room for so many bytes in a block, and for `lost` more at most? */
bool pmi_slab_fits(const void *block, size_t bytes, size_t lost);

/* Gives back a block that pmi_slab_allocate() returned. */
void pmi_slab_free(const pm_allocator *allocator, void *block);

/* No block is used any more: pmi_slab_free() does nothing from now on, and pmi_slab_close() gives back all. */
void pmi_slab_give_up(pmi_slabs *slabs);
void pmi_slab_close(const pm_allocator *allocator, pmi_slabs *slabs);

#endif
