/* SPDX-License-Identifier: Apache-2.0 */
/* An array of entries of one size that grows at its end, in pages that saved arrays share. To save it takes as long as
 * one assignment; a page, and the nodes of the tree above it, are copied when they are first changed after that. */
#ifndef PM_BASE_SHARED_ARRAY_H
#define PM_BASE_SHARED_ARRAY_H

#include "base/memory.h"

#define PM_SHARED_PAGE_BITS 5u /* log2 of a page's entries: few, because the first change copies them */
#define PM_SHARED_NODE_BITS 6u /* of a node's children */
#define PM_SHARED_OWN 4u       /* pages that are found without a walk, if their numbers differ modulo this */

/* A page, or a node above pages. For base/shared_array.c, and for pmi_shared_array_at(). */
typedef struct pmi_shared_node {
    size_t users;       /* nodes above it, and arrays that it is the root of */
    uint64_t content[]; /* entries, in 8-byte units, so that any entry is aligned; or pointers to children */
} pmi_shared_node;

/* A page that no saved array shares; NULL: none is known. */
typedef struct pmi_shared_own {
    size_t number;
    pmi_shared_node *page;
} pmi_shared_own;

typedef struct pmi_shared_array {
    pm_allocator allocator;
    size_t entry_size; /* a multiple of 8 */
    size_t count;
    pmi_shared_node *root;
    unsigned height;                   /* nodes above a page */
    pmi_shared_own own[PM_SHARED_OWN]; /* changed last, by their numbers modulo that */
} pmi_shared_array;

void pmi_shared_array_init(pmi_shared_array *array, const pm_allocator *allocator, size_t entry_size);

static inline pmi_shared_node **pmi_shared_node_children(pmi_shared_node *node) {
    return (pmi_shared_node **)(void *)node->content;
}

/* The child of a node at this height that leads to an entry. */
static inline size_t pmi_shared_node_slot(size_t index, unsigned height) {
    return index >> (PM_SHARED_PAGE_BITS + (height - 1) * PM_SHARED_NODE_BITS) & ((1u << PM_SHARED_NODE_BITS) - 1);
}

static inline size_t pmi_shared_page_number(size_t index) {
    return index >> PM_SHARED_PAGE_BITS;
}

/* The place of an entry on its page. */
static inline size_t pmi_shared_page_place(size_t index) {
    return index & ((1u << PM_SHARED_PAGE_BITS) - 1);
}

static inline void *pmi_shared_page_entry(pmi_shared_node *page, size_t index, size_t entry_size) {
    return (unsigned char *)page->content + pmi_shared_page_place(index) * entry_size;
}

/* The page of an entry, if it is known to be no other array's; else NULL. */
static inline pmi_shared_node *pmi_shared_array_own_page(const pmi_shared_array *array, size_t index) {
    const size_t number = pmi_shared_page_number(index);
    const pmi_shared_own *const own = &array->own[number % PM_SHARED_OWN];
    return own->number == number ? own->page : NULL;
}

/* The page of an entry, to be read until one is changed or pushed: an array of entries. */
static inline const void *pmi_shared_array_page(const pmi_shared_array *array, size_t index) {
    const pmi_shared_node *const own = pmi_shared_array_own_page(array, index);
    if (own)
        return own->content;
    const pmi_shared_node *node = array->root;
    for (unsigned height = array->height; height > 0; height--)
        node = ((pmi_shared_node *const *)(const void *)node->content)[pmi_shared_node_slot(index, height)];
    return node->content;
}

/* For pmi_shared_array_change(). */
void *pmi_shared_array_own(pmi_shared_array *array, size_t index);

/* The same entry, to be changed until the array is next saved. NULL: there is no memory, and nothing has changed. */
static inline void *pmi_shared_array_change(pmi_shared_array *array, size_t index) {
    pmi_shared_node *const own = pmi_shared_array_own_page(array, index);
    return own ? pmi_shared_page_entry(own, index, array->entry_size) : pmi_shared_array_own(array, index);
}

/* Adds an uninitialised entry. NULL: there is no memory, and nothing has changed. */
void *pmi_shared_array_push(pmi_shared_array *array);

/* Makes `saved`, which owns nothing, what the array is. A saved array is only to be read, restored and cleared, by the
 * thread that uses the array. */
void pmi_shared_array_save(pmi_shared_array *array, pmi_shared_array *saved);

/* Makes the array what was saved of it. */
void pmi_shared_array_restore(pmi_shared_array *array, const pmi_shared_array *saved);

/* Removes all entries, and gives back what no other array shares. */
void pmi_shared_array_clear(pmi_shared_array *array);

#endif
