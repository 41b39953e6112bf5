/* SPDX-License-Identifier: Apache-2.0 */
/* The array in pages that saved arrays share. What an array may change are nodes with one user, below nodes with one
 * user. */
#include "base/shared_array.h"

#include <string.h>

#define CHILDREN ((size_t)1 << PM_SHARED_NODE_BITS)

void pmi_shared_array_init(pmi_shared_array *array, const pm_allocator *allocator, size_t entry_size) {
    *array = (pmi_shared_array){.allocator = *allocator, .entry_size = entry_size};
}

static size_t content_bytes(const pmi_shared_array *array, unsigned height) {
    return height > 0 ? CHILDREN * sizeof(pmi_shared_node *) : array->entry_size << PM_SHARED_PAGE_BITS;
}

/* ---- Nodes ---- */

static pmi_shared_node *node_allocate(const pmi_shared_array *array, unsigned height) {
    pmi_shared_node *const node =
        pmi_memory_allocate_with(&array->allocator, sizeof *node, 1, content_bytes(array, height));
    if (node)
        node->users = 1;
    return node;
}

/* A node without children, or a page of uninitialised entries. */
static pmi_shared_node *node_new(const pmi_shared_array *array, unsigned height) {
    pmi_shared_node *const node = node_allocate(array, height);
    for (size_t k = 0; node && height > 0 && k < CHILDREN; k++)
        pmi_shared_node_children(node)[k] = NULL;
    return node;
}

static void node_release(const pmi_shared_array *array, pmi_shared_node *node, unsigned height) {
    if (!node || --node->users > 0)
        return;
    for (size_t k = 0; height > 0 && k < CHILDREN; k++)
        node_release(array, pmi_shared_node_children(node)[k], height - 1);
    pmi_memory_free(&array->allocator, node);
}

/* A node in place of one that others use, too. */
static pmi_shared_node *node_copy(const pmi_shared_array *array, pmi_shared_node *shared, unsigned height) {
    pmi_shared_node *const copy = node_allocate(array, height);
    if (!copy)
        return NULL;
    memcpy(copy->content, shared->content, content_bytes(array, height));
    for (size_t k = 0; height > 0 && k < CHILDREN; k++)
        if (pmi_shared_node_children(copy)[k])
            pmi_shared_node_children(copy)[k]->users++;
    shared->users--;
    return copy;
}

/* Sees to it that the node which *at points to exists and has one user. False: there is no memory. */
static bool node_own(const pmi_shared_array *array, pmi_shared_node **at, unsigned height) {
    if (*at && (*at)->users == 1)
        return true;
    pmi_shared_node *const own = *at ? node_copy(array, *at, height) : node_new(array, height);
    if (own)
        *at = own;
    return own != NULL;
}

/* ---- Entries ---- */

/* Of an entry that is being pushed, the page may not exist yet. */
void *pmi_shared_array_own(pmi_shared_array *array, size_t index) {
    pmi_shared_node **at = &array->root;
    for (unsigned height = array->height; node_own(array, at, height); height--) {
        if (height == 0) {
            const size_t number = pmi_shared_page_number(index);
            array->own[number % PM_SHARED_OWN] = (pmi_shared_own){number, *at};
            return pmi_shared_page_entry(*at, index, array->entry_size);
        }
        at = &pmi_shared_node_children(*at)[pmi_shared_node_slot(index, height)];
    }
    return NULL;
}

/* Puts a node above the root. False: there is no memory. */
static bool grow(pmi_shared_array *array) {
    pmi_shared_node *const root = node_new(array, array->height + 1);
    if (!root)
        return false;
    pmi_shared_node_children(root)[0] = array->root;
    array->root = root;
    array->height++;
    return true;
}

void *pmi_shared_array_push(pmi_shared_array *array) {
    if (array->count >> (PM_SHARED_PAGE_BITS + array->height * PM_SHARED_NODE_BITS) > 0 && !grow(array))
        return NULL;
    void *const entry = pmi_shared_array_change(array, array->count);
    array->count += entry != NULL;
    return entry;
}

/* ---- Whole arrays ---- */

static void share(const pmi_shared_array *array, pmi_shared_array *other) {
    *other = *array;
    if (other->root)
        other->root->users++;
}

void pmi_shared_array_save(pmi_shared_array *array, pmi_shared_array *saved) {
    memset(array->own, 0, sizeof array->own);
    share(array, saved);
}

void pmi_shared_array_restore(pmi_shared_array *array, const pmi_shared_array *saved) {
    pmi_shared_array_clear(array);
    share(saved, array);
}

void pmi_shared_array_clear(pmi_shared_array *array) {
    node_release(array, array->root, array->height);
    array->root = NULL;
    memset(array->own, 0, sizeof array->own);
    array->count = array->height = 0;
}
