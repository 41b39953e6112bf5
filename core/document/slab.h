/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for the leaves of a large new text. Its pages are new to the process, and to get them one by one takes longer
 * than to read the text. So leaves stand one behind the other in slabs of huge pages. Pages without a leaf go back to
 * the system, and so does a slab without leaves; but the addresses of a few slabs are kept for the next text, which
 * gets the pages back if the system has not needed them. Where the system has no huge pages, or the caller an
 * allocator, there are no slabs.
 */
#ifndef PM_CORE_DOCUMENT_SLAB_H
#define PM_CORE_DOCUMENT_SLAB_H

#include <stddef.h>

#include "parenmatch.h"

typedef struct pmi_slab pmi_slab;

/* Returns `bytes` of memory, aligned as uint64_t, in *slab or, if that is NULL or full, in a new one, which *slab
 * becomes. NULL: there are no slabs. */
void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slab **slab, size_t bytes);

/* No more memory of it is asked for. NULL is fine. */
void pmi_slab_close(pmi_slab *slab);

/* Gives back a block that pmi_slab_allocate() returned for as many bytes. */
void pmi_slab_free(void *block, size_t bytes);

#endif
