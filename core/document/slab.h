/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for the leaves of a large text. Pages of a new one are new to the process, and to get them one by one takes
 * longer than to read the text. So leaves stand one behind the other in slabs of huge pages. Pages without a leaf go
 * back to the system, and so does a slab without leaves; but the addresses of a few slabs are kept for the next text,
 * which gets the pages back if the system has not needed them. Where the system has no huge pages, or the caller an
 * allocator, there are no slabs.
 *
 * A block has some bytes more than were asked for, as leaves grow. One that does not fit any more leaves a hole, whose
 * bytes are lost unless whole pages become empty; document.h says how its neighbours make them so.
 */
#ifndef PM_CORE_DOCUMENT_SLAB_H
#define PM_CORE_DOCUMENT_SLAB_H

#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

typedef struct pmi_slab pmi_slab;

/* Pages of a slab without a block, to be filled again; slab is NULL if a room has no such pages. */
typedef struct pmi_slab_gap {
    pmi_slab *slab;
    size_t begin, end; /* pages */
} pmi_slab_gap;

#define PM_SLAB_GAPS 4u

/* Where the next blocks go, to be zeroed first. Its pages and those of the gaps are held. */
typedef struct pmi_slab_room {
    pmi_slab *place;
    size_t used, end; /* offsets in it */
    bool scattered;   /* blocks of its slabs are given back one here, one there, and leave no gaps */
    pmi_slab_gap gap[PM_SLAB_GAPS];
} pmi_slab_room;

/* Returns `bytes` of memory, aligned as uint64_t, in the room, or else in a new slab: of huge pages if `many` blocks
 * follow, which are written at once. NULL: there are no slabs. */
void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slab_room *room, size_t bytes, bool many);

/* No more memory of the room is asked for. */
void pmi_slab_close(pmi_slab_room *room);

/* The bytes that a block takes. */
size_t pmi_slab_bytes(const void *block);

/* Is there room for so many bytes in a block, and little more? */
bool pmi_slab_fits(const void *block, size_t bytes);

/* Gives back a block that pmi_slab_allocate() returned. The room, which may be NULL, keeps its pages. */
void pmi_slab_free(void *block, pmi_slab_room *room);

#endif
