/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a document: it is built, cut, joined and read again. Building, cutting and joining leave the trees that
 * they are given as they are; the new tree shares parts with them. */
#include <stdatomic.h>
#include <string.h>

#include "core/document/document.h"

void pmi_document_release(const pm_allocator *allocator, pmi_document_node *node) {
    if (!node || --node->users > 0)
        return;
    if (node->height == 1) {
        pmi_document_leaf_free(allocator, node);
        return;
    }
    pmi_document_release(allocator, node->child[0]);
    pmi_document_release(allocator, node->child[1]);
    if (pmi_document_keeps_residue(node->height))
        pmi_memory_free(allocator, node->residue);
    pmi_document_node_free(allocator, node);
}

void pmi_document_node_free(const pm_allocator *allocator, pmi_document_node *node) {
    if (node->in_slab)
        pmi_slab_discard(node);
    else
        pmi_memory_free(allocator, node);
}

/* ---- Nodes in slabs ---- */

static void hold(pmi_document_node **node) {
    if ((*node)->in_slab)
        pmi_slab_hold(*node, node);
}

void pmi_document_node_moved(void *moved) {
    pmi_document_node *const node = moved;
    if (node->height == 1) {
        pmi_slab_hold(node->content, &node->content);
        return;
    }
    hold(&node->child[0]);
    hold(&node->child[1]);
}

void pmi_document_hold_children(pmi_document_node *node) {
    for (unsigned k = 0; k < 2 && node->height > 1; k++) {
        hold(&node->child[k]);
        pmi_document_hold_children(node->child[k]);
    }
}

void pmi_document_sweep(pm_document *document) {
    if (document->root)
        hold(&document->root);
    pmi_slab_sweep(&document->allocator, &document->slabs);
}

/* Returns memory for a node of a height with zeros; NULL: there is none. */
static pmi_document_node *allocate(pm_document *document, unsigned height) {
    const size_t size = pmi_document_node_size(height);
    const bool wants_slab = document->slabs.first;
    pmi_document_node *node = wants_slab ? pmi_slab_allocate_node(&document->allocator, &document->slabs, size) : NULL;
    const bool in_slab = node != NULL;
    if (!in_slab)
        node = pmi_memory_allocate_with(&document->allocator, size, 0, 1);
    if (node) {
        memset(node, 0, size);
        node->height = (uint8_t)height;
        node->in_slab = in_slab;
    }
    return node;
}

/* Returns a node over two trees; NULL if there is no memory. */
static pmi_document_node *node_over(pm_document *document, pmi_document_node *left, pmi_document_node *right) {
    const unsigned height = (left->height > right->height ? left->height : right->height) + 1u;
    pmi_document_node *const node = allocate(document, height);
    if (!node)
        return NULL;
    node->users = 1;
    node->child[0] = pmi_document_refer(left);
    node->child[1] = pmi_document_refer(right);
    pmi_document_node_moved(node);
    pmi_document_sum_up(document, node);
    return node;
}

/* ---- Joining ---- */

/* Returns the node over the children of `tall` and a lower tree, which is 2 lower at most, on the given side of it: a
 * rotation if need be. */
static pmi_document_node *rotated(pm_document *document, pmi_document_node *tall, pmi_document_node *low,
                                  unsigned side) {
    const pm_allocator *const allocator = &document->allocator;
    pmi_document_node *const inner = tall->child[side], *const outer = tall->child[1 - side];
    pmi_document_node *first, *second, *both = NULL;
#define NODE_OVER(a, b) (side == 0 ? node_over(document, a, b) : node_over(document, b, a))
    if (outer->height >= inner->height) {
        first = NODE_OVER(low, inner);
        second = pmi_document_refer(outer);
    } else {
        first = NODE_OVER(low, inner->child[side]);
        second = NODE_OVER(inner->child[1 - side], outer);
    }
    if (first && second)
        both = NODE_OVER(first, second);
#undef NODE_OVER
    pmi_document_release(allocator, first);
    pmi_document_release(allocator, second);
    return both;
}

static pmi_document_node *balanced(pm_document *document, pmi_document_node *left, pmi_document_node *right) {
    if (left->height > right->height + 1)
        return rotated(document, left, right, 1);
    if (right->height > left->height + 1)
        return rotated(document, right, left, 0);
    return node_over(document, left, right);
}

/* Both trees have leaves. NULL: there is no memory. */
static pmi_document_node *joined(pm_document *document, pmi_document_node *left, pmi_document_node *right) {
    pmi_document_node *part, *both = NULL;
    if (left->height > right->height + 1) {
        part = joined(document, left->child[1], right);
        if (part)
            both = balanced(document, left->child[0], part);
    } else if (right->height > left->height + 1) {
        part = joined(document, left, right->child[0]);
        if (part)
            both = balanced(document, part, right->child[1]);
    } else {
        return node_over(document, left, right);
    }
    pmi_document_release(&document->allocator, part);
    return both;
}

bool pmi_document_join(pm_document *document, pmi_document_node *left, pmi_document_node *right,
                       pmi_document_node **tree) {
    if (left && right)
        *tree = joined(document, left, right);
    else
        *tree = left ? pmi_document_refer(left) : right ? pmi_document_refer(right) : NULL;
    return *tree || !(left && right);
}

/* ---- Cutting ---- */

bool pmi_document_cut(pm_document *document, pmi_document_node *node, uint64_t offset, unsigned side,
                      pmi_document_node **tree) {
    const bool all = offset == (side == 0 ? node->bytes : 0), nothing = offset == (side == 0 ? 0 : node->bytes);
    *tree = NULL;
    if (all || nothing) {
        if (!nothing)
            *tree = pmi_document_refer(node);
        return true;
    }
    pmi_document_node *const left = node->child[0], *const right = node->child[1];
    const bool in_left = side == 0 ? offset <= left->bytes : offset < left->bytes;
    pmi_document_node *part;
    if (!pmi_document_cut(document, in_left ? left : right, in_left ? offset : offset - left->bytes, side, &part))
        return false;
    if (in_left == (side == 0)) {
        *tree = part;
        return true;
    }
    const bool done =
        side == 0 ? pmi_document_join(document, left, part, tree) : pmi_document_join(document, part, right, tree);
    pmi_document_release(&document->allocator, part);
    return done;
}

/* ---- Building ---- */

/* Copies up to n bytes of the pieces, from an offset on; returns where they are if they lie in one piece. */
static const unsigned char *gather(const pmi_document_piece *pieces, uint64_t offset, size_t n, unsigned char *to) {
    size_t copied = 0;
    for (unsigned p = 0; p < PM_DOCUMENT_PIECES && copied < n; p++) {
        if (offset >= pieces[p].length) {
            offset -= pieces[p].length;
            continue;
        }
        const uint64_t rest = pieces[p].length - offset;
        const size_t part = rest < n - copied ? (size_t)rest : n - copied;
        if (part == n)
            return pieces[p].text + offset;
        memcpy(to + copied, pieces[p].text + offset, part);
        copied += part;
        offset = 0;
    }
    return to;
}

/* The offset at which leaf `k` of `count` begins: at a whole word, which is read fast, where leaves have many. The
 * first ones have a word more, so that there are two sizes but for the last leaf's. */
static uint64_t begin_of(uint64_t length, uint64_t k, uint64_t count) {
    const uint64_t words = length / PM_WORD_BITS, all = words / count, more = words % count;
    if (k == count || all < 16)
        return length * k / count;
    return (k * all + (k < more ? k : more)) * PM_WORD_BITS;
}

/* A tree in the making: leaves from left to right, and each node as soon as its children are made, while what they say
 * is at hand. */
typedef struct building {
    pm_document *document;
    const pmi_document_piece *pieces;
    uint64_t length;
    size_t leaves, made;
    const pmi_document_state *state; /* behind the leaves that are made */
    pmi_document_manner manner;      /* of the leaves */
    unsigned char *text;             /* room for a leaf in several pieces */
} building;

static pmi_document_node *next_leaf(building *tree) {
    const uint64_t begin = begin_of(tree->length, tree->made, tree->leaves);
    const uint64_t end = begin_of(tree->length, ++tree->made, tree->leaves);
    const size_t n = (size_t)(end - begin);
    const unsigned char *const text = gather(tree->pieces, begin, n, tree->text);
    pmi_document_node *const leaf =
        pmi_document_leaf_create(tree->document, text, n, tree->state, tree->state, tree->manner);
    if (leaf)
        tree->state = leaf->exit;
    return leaf;
}

/* How many of count > 1 leaves go to the left? All levels are full but the last, which is filled from the left. So most
 * leaves of a tree are below nodes of one height, of which some heights keep residues. */
static size_t left_of(size_t count) {
    size_t full = 1;
    while (2 * full < count)
        full *= 2;
    return count - full / 2 < full ? count - full / 2 : full;
}

/* Returns a tree over the next `count` leaves; NULL if there is no memory. */
static pmi_document_node *next_tree(building *tree, size_t count) {
    if (count == 1)
        return next_leaf(tree);
    const pm_allocator *const allocator = &tree->document->allocator;
    const size_t left_count = left_of(count);
    pmi_document_node *const left = next_tree(tree, left_count);
    pmi_document_node *const right = left ? next_tree(tree, count - left_count) : NULL;
    pmi_document_node *const both = right ? node_over(tree->document, left, right) : NULL;
    pmi_document_release(allocator, left);
    pmi_document_release(allocator, right);
    return both;
}

pmi_document_node *pmi_document_build(pm_document *document, const pmi_document_piece *pieces,
                                      const pmi_document_state *entry, uint64_t leaves, bool borrows) {
    unsigned char text[PM_DOCUMENT_LEAF_MAX];
    building tree = {.document = document, .pieces = pieces, .leaves = (size_t)leaves, .state = entry, .text = text};
    for (unsigned p = 0; p < PM_DOCUMENT_PIECES; p++)
        tree.length += pieces[p].length;
    const bool many = tree.leaves > PM_DOCUMENT_MANY;
    tree.manner = (pmi_document_manner){.in_slab = many || document->slabs.first, .many = many, .borrows = borrows};
    document->slabs.filling |= many;
    pmi_document_node *const whole = next_tree(&tree, tree.leaves);
    if (many && !borrows)
        atomic_thread_fence(memory_order_seq_cst); /* for copies past the caches, which x86 does not order otherwise */
    return whole;
}

/* ---- Leaves ---- */

const pmi_document_node *pmi_document_leaf_at(const pmi_document_node *root, uint64_t offset, uint64_t *base) {
    *base = 0;
    while (root->height > 1) {
        const bool right = offset - *base >= root->child[0]->bytes;
        *base += right ? root->child[0]->bytes : 0;
        root = root->child[right];
    }
    return root;
}

/* Reads a leaf from another state on. */
static pm_status read_again(pm_document *document, pmi_document_node **leaf, const pmi_document_state *entry,
                            uint64_t *budget) {
    pmi_document_node *const old = *leaf;
    pmi_document_node *const read =
        pmi_document_leaf_change(document, old, pmi_document_leaf_text(old), old->bytes, entry);
    if (!read)
        return PM_OUT_OF_MEMORY;
    *budget -= read->bytes < *budget ? read->bytes : *budget;
    *leaf = read;
    return PM_OK;
}

pm_status pmi_document_settle_node(pm_document *document, pmi_document_node **node, const pmi_document_state *entry,
                                   uint64_t *budget) {
    pmi_document_node *const parent = *node;
    if ((parent->settled && pmi_document_state_equal(parent->entry, entry)) || *budget == 0)
        return PM_OK;
    if (parent->height == 1)
        return read_again(document, node, entry, budget);
    pm_status status = pmi_document_settle_node(document, &parent->child[0], entry, budget);
    if (status == PM_OK)
        status = pmi_document_settle_node(document, &parent->child[1], parent->child[0]->exit, budget);
    pmi_document_sum_up(document, parent);
    return status;
}
