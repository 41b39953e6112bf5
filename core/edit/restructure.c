/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits that change the tree: leaves that are cut, split or joined, and many elements at once.
 *
 * A window of leaves is replaced by new ones, evenly filled, then the nodes above by new ones, level by level up to a
 * new root. Where the result would be too empty, the window takes in neighbours, so that a sum of four gives three, or
 * three give four. Children outside the window move into the new nodes as they are. Until the root is exchanged the old
 * tree is whole; a failure frees what is new.
 */
#include <string.h>

#include "core/edit/edit.h"

#define FEW_ITEMS 288u                /* on the stack */
#define CARRIED (6 * PM_EDIT_FAN_OUT) /* children of a window of nodes, at most */

/* A child that a new node shall have. */
typedef struct item {
    void *block;
    int64_t length, excess, min;
} item;

typedef struct item_list {
    item *items;
    size_t count;
} item_list;

/* The window on one level: its elements [begin, end) in the old tree. Children outside are carried over. */
typedef struct range {
    uint64_t begin, end;
} range;

typedef struct rebuilding {
    struct pm_edit *edit;
    uint64_t length; /* of the old sequence */
    uint64_t at, removed, inserted;
    const pmi_edit_source *source;
    range window[PM_EDIT_HEIGHT_MAX + 2]; /* [h]: of blocks of height h */
    item_list now, next;                  /* new blocks of one height, and of the next one */
    void **made;                          /* all new blocks */
    size_t made_count;
} rebuilding;

/* ---- Blocks ---- */

void pmi_edit_refer(void *block) {
    __atomic_fetch_add((uint32_t *)block, 1, __ATOMIC_RELAXED);
}

/* A node begins at a cache line, a leaf where its memory does. NULL is fine. */
static void *allocate_block(const pm_allocator *allocator, size_t size, bool is_node) {
    char *const memory = pmi_memory_allocate(allocator, 1, size);
    if (!memory)
        return NULL;
    const size_t skipped = is_node ? (size_t)(-(uintptr_t)memory % PM_EDIT_LINE) : 0;
    pmi_edit_leaf *const block = (void *)(memory + skipped);
    *block = (pmi_edit_leaf){1, (uint32_t)skipped};
    return block;
}

static void free_block(const pm_allocator *allocator, void *block) {
    pmi_memory_free(allocator, block ? (char *)block - ((const pmi_edit_leaf *)block)->skipped : NULL);
}

void pmi_edit_release(const pm_allocator *allocator, void *block, unsigned height) {
    if (__atomic_fetch_sub((uint32_t *)block, 1, __ATOMIC_ACQ_REL) > 1)
        return;
    const pmi_edit_node *const node = block;
    for (unsigned c = 0; height > 0 && c < node->count; c++)
        pmi_edit_release(allocator, node->child[c], height - 1);
    free_block(allocator, block);
}

void *pmi_edit_block_at(const struct pm_edit *edit, unsigned height, uint64_t at, uint64_t *begin, uint64_t *end) {
    pmi_edit_node *node = edit->root;
    *begin = 0;
    *end = (uint64_t)node->length;
    for (unsigned h = edit->height; h > height; h--) {
        unsigned c = node->count - 1;
        while (c > 0 && (uint64_t)node->begin[c] > at - *begin)
            c--;
        *begin += (uint64_t)node->begin[c];
        *end = *begin + (uint64_t)pmi_edit_child_length(node, c);
        node = node->child[c];
    }
    return node;
}

void pmi_edit_copy(const struct pm_edit *edit, unsigned plane, uint64_t at, uint64_t n, uint64_t *to, uint64_t to_bit) {
    while (n > 0) {
        uint64_t begin, end;
        const void *const leaf = pmi_edit_block_at(edit, 0, at, &begin, &end);
        const uint64_t here = n < end - at ? n : end - at;
        pmi_bits_write(to, to_bit, pmi_edit_read_words(leaf) + plane * PM_EDIT_LEAF_WORDS, at - begin, here);
        at += here, to_bit += here, n -= here;
    }
}

/* A new leaf or node, noted for the case of failure. */
static void *make(rebuilding *r, size_t size, bool is_node) {
    void *const block = allocate_block(&r->edit->allocator, size, is_node);
    if (block)
        r->made[r->made_count++] = block;
    return block;
}

static void fill_node(pmi_edit_node *node, const item *items, size_t count) {
    node->count = (uint32_t)count;
    node->length = node->excess = 0;
    for (unsigned c = 0; c < PM_BP_FAN_OUT; c++) {
        const bool is_there = c < count;
        node->begin[c] = is_there ? node->length : PM_EDIT_FAR;
        node->before[c] = is_there ? node->excess : PM_EDIT_FAR;
        node->min[c] = is_there ? node->excess + items[c].min : PM_EDIT_FAR;
        node->child[c] = is_there ? items[c].block : NULL;
        node->length += is_there ? items[c].length : 0;
        node->excess += is_there ? items[c].excess : 0;
    }
}

static int64_t min_of_node(const pmi_edit_node *node) {
    int64_t min = 0;
    for (unsigned c = 0; c < node->count; c++)
        min = node->min[c] < min ? node->min[c] : min;
    return min;
}

pmi_edit_node *pmi_edit_empty_tree(const pm_allocator *allocator, unsigned planes) {
    pmi_edit_node *const root = allocate_block(allocator, PM_EDIT_NODE_SIZE, true);
    pmi_edit_leaf *const leaf = allocate_block(allocator, pmi_edit_leaf_size(planes), false);
    if (!root || !leaf) {
        free_block(allocator, root);
        free_block(allocator, leaf);
        return NULL;
    }
    memset(pmi_edit_words(leaf), 0xff, planes * PM_EDIT_LEAF_WORDS * sizeof(uint64_t));
    fill_node(root, &(item){leaf, 0, 0, 0}, 1);
    return root;
}

/* ---- Windows ---- */

/* How many blocks of `capacity` hold these, with room for more. */
static uint64_t blocks_for(uint64_t content, uint64_t capacity, uint64_t room) {
    return content <= capacity ? 1 : (content + capacity - room - 1) / (capacity - room);
}

static bool is_filled(uint64_t content, uint64_t capacity, uint64_t room, bool single) {
    if (single && content <= capacity && content >= capacity / 2)
        return true;
    return 4 * content >= 3 * capacity * blocks_for(content, capacity, room);
}

/* Takes a neighbour into a window of blocks of that height, one with the same parent if there is one. Returns the
 * neighbour, NULL if the window is everything. */
static void *widen(const struct pm_edit *edit, unsigned height, range *window, range *added) {
    uint64_t from, to, unused;
    if (window->begin == 0 && window->end >= (uint64_t)edit->root->length)
        return NULL;
    pmi_edit_block_at(edit, height + 1, window->begin, &from, &unused);
    pmi_edit_block_at(edit, height + 1, window->end - 1, &unused, &to);
    const bool left = window->begin > from || (window->begin > 0 && window->end == to);
    const uint64_t at = left ? window->begin - 1 : window->end;
    void *const block = pmi_edit_block_at(edit, height, at, &added->begin, &added->end);
    if (left)
        window->begin = added->begin;
    else
        window->end = added->end;
    return block;
}

/* ---- Leaves ---- */

/* Sets the window of leaves; returns how many elements it will have. */
static uint64_t choose_leaves(rebuilding *r, uint64_t first, uint64_t last) {
    range *const window = &r->window[0];
    uint64_t end, unused;
    const uint64_t last_removed = r->at + r->removed - (r->removed > 0);
    pmi_edit_block_at(r->edit, 0, first < r->at ? first : r->at, &window->begin, &end);
    pmi_edit_block_at(r->edit, 0, last > last_removed ? last : last_removed, &unused, &window->end);
    bool single = window->end == end;
    for (unsigned more = 1; more < PM_EDIT_WINDOW; more++) {
        const uint64_t content = window->end - window->begin - r->removed + r->inserted;
        range added;
        if (is_filled(content, PM_EDIT_LEAF, PM_EDIT_LEAF_ROOM, single) || !widen(r->edit, 0, window, &added))
            break;
        single = false;
    }
    return window->end - window->begin - r->removed + r->inserted;
}

/* Copies elements of one plane from the window as it will be: what is before the edit, what is inserted, what is
 * behind. */
static void copy_content(const rebuilding *r, unsigned plane, uint64_t from, uint64_t n, uint64_t *to) {
    const uint64_t before = r->at - r->window[0].begin, pieces[] = {before, before + r->inserted, UINT64_MAX};
    uint64_t done = 0;
    for (unsigned p = 0; p < 3 && done < n; p++) {
        const uint64_t begin = from + done;
        if (begin >= pieces[p])
            continue;
        const uint64_t here = n - done < pieces[p] - begin ? n - done : pieces[p] - begin;
        if (p == 0)
            pmi_edit_copy(r->edit, plane, r->window[0].begin + begin, here, to, done);
        else if (p == 1)
            pmi_edit_source_copy(r->source, plane, begin - before, here, to, done);
        else
            pmi_edit_copy(r->edit, plane, r->at + r->removed + (begin - before - r->inserted), here, to, done);
        done += here;
    }
}

static bool make_leaves(rebuilding *r, uint64_t content, uint64_t count) {
    const unsigned planes = r->edit->planes;
    for (uint64_t k = 0, begin = 0; k < count; k++) {
        const uint64_t end = content / count * (k + 1) + content % count * (k + 1) / count;
        const unsigned length = (unsigned)(end - begin);
        pmi_edit_leaf *const leaf = make(r, pmi_edit_leaf_size(planes), false);
        if (!leaf)
            return false;
        for (unsigned plane = 0; plane < planes; plane++) {
            uint64_t *const words = pmi_edit_words(leaf) + plane * PM_EDIT_LEAF_WORDS;
            const unsigned last = length / PM_WORD_BITS;
            memset(words + last, 0xff, (PM_EDIT_LEAF_WORDS - last) * sizeof *words);
            copy_content(r, plane, begin, length, words);
        }
        int min;
        const int excess = r->edit->kernel->summarise(pmi_edit_words(leaf), length, &min);
        r->now.items[r->now.count++] = (item){leaf, length, excess, min};
        begin = end;
    }
    return true;
}

/* ---- Nodes ---- */

static bool is_carried(uint64_t begin, uint64_t end, range window) {
    return begin < end && (end <= window.begin || begin >= window.end);
}

/* Appends the children of a node that begins at `begin` and are before the window, or behind it. */
static void carry(item_list *list, const pmi_edit_node *node, uint64_t begin, range window, bool behind) {
    for (unsigned c = 0; c < node->count; c++) {
        const int64_t length = pmi_edit_child_length(node, c);
        const uint64_t from = begin + (uint64_t)node->begin[c], to = from + (uint64_t)length;
        if (is_carried(from, to, window) && (from >= window.end) == behind)
            list->items[list->count++] =
                (item){node->child[c], length, pmi_edit_child_excess(node, c), node->min[c] - node->before[c]};
    }
}

static size_t count_carried(const pmi_edit_node *node, uint64_t begin, range window) {
    size_t carried = 0;
    for (unsigned c = 0; c < node->count; c++) {
        const uint64_t from = begin + (uint64_t)node->begin[c];
        carried += is_carried(from, from + (uint64_t)pmi_edit_child_length(node, c), window);
    }
    return carried;
}

/* Sets the window of nodes of that height, given the one of their children; returns how many children there will be. */
static size_t choose_nodes(rebuilding *r, unsigned height) {
    const range children = r->window[height - 1];
    range *const window = &r->window[height], last;
    const pmi_edit_node *const a = pmi_edit_block_at(r->edit, height, children.begin, &window->begin, &window->end);
    const uint64_t at_end = children.end > children.begin ? children.end - 1 : children.begin;
    const pmi_edit_node *const b = pmi_edit_block_at(r->edit, height, at_end, &last.begin, &last.end);
    size_t count = r->now.count + count_carried(a, window->begin, children);
    bool single = a == b;
    if (!single)
        count += count_carried(b, last.begin, children);
    window->end = last.end;
    for (unsigned more = 1; more < PM_EDIT_WINDOW; more++) {
        range added;
        const pmi_edit_node *const node = is_filled(count, PM_EDIT_FAN_OUT, PM_EDIT_FAN_OUT_ROOM, single)
                                              ? NULL
                                              : widen(r->edit, height, window, &added);
        if (!node)
            break;
        count += node->count;
        single = false;
    }
    return count;
}

/* Lists the children of the new nodes: carried over, new, carried over. */
static void list_children(rebuilding *r, unsigned height) {
    const range children = r->window[height - 1], window = r->window[height];
    uint64_t begin, end;
    r->next.count = 0;
    for (uint64_t at = window.begin;; at = end) {
        const pmi_edit_node *const node = pmi_edit_block_at(r->edit, height, at, &begin, &end);
        carry(&r->next, node, begin, children, false);
        if (end > children.begin || end >= window.end)
            break;
    }
    memcpy(r->next.items + r->next.count, r->now.items, r->now.count * sizeof(item));
    r->next.count += r->now.count;
    for (uint64_t at = children.end > children.begin ? children.end - 1 : children.begin;; at = end) {
        const pmi_edit_node *const node = pmi_edit_block_at(r->edit, height, at, &begin, &end);
        carry(&r->next, node, begin, children, true);
        if (end >= window.end)
            break;
    }
}

/* Makes nodes of the listed children, which then are the new blocks. */
static bool make_nodes(rebuilding *r) {
    const size_t children = r->next.count;
    const size_t count = (size_t)blocks_for(children, PM_EDIT_FAN_OUT, PM_EDIT_FAN_OUT_ROOM);
    r->now.count = 0;
    for (size_t k = 0, begin = 0; k < count; k++) {
        const size_t end = children * (k + 1) / count;
        pmi_edit_node *const node = make(r, PM_EDIT_NODE_SIZE, true);
        if (!node)
            return false;
        fill_node(node, r->next.items + begin, end - begin);
        r->now.items[r->now.count++] = (item){node, node->length, node->excess, min_of_node(node)};
        begin = end;
    }
    return true;
}

/* Builds all levels of nodes; returns the height of the new root, which is the only new block then, or 0. */
static unsigned make_levels(rebuilding *r) {
    const range everything = {0, r->length};
    for (unsigned height = 1;; height++) {
        if (height <= r->edit->height) {
            choose_nodes(r, height);
            list_children(r, height);
        } else {
            const item_list all = r->now;
            r->now = r->next;
            r->next = all;
        }
        if (!make_nodes(r))
            return 0;
        const bool is_root =
            height >= r->edit->height || (r->window[height].begin == 0 && r->window[height].end == r->length);
        if (r->now.count > 1 || !is_root)
            continue;
        for (unsigned above = height; above <= r->edit->height; above++)
            r->window[above] = everything;
        return height;
    }
}

/* ---- The exchange ---- */

/*
 * Gives up an old node, except for the children that new nodes have. If other trees go on using the node, or one above
 * it (`shared`), these children are now referred to once more.
 */
static void retire(rebuilding *r, pmi_edit_node *node, unsigned height, uint64_t begin, bool shared) {
    const bool used = shared || pmi_edit_references(node) > 1;
    const pm_allocator *const allocator = &r->edit->allocator;
    for (unsigned c = 0; c < node->count; c++) {
        const uint64_t from = begin + (uint64_t)node->begin[c], to = from + (uint64_t)pmi_edit_child_length(node, c);
        if (is_carried(from, to, r->window[height - 1])) {
            if (used)
                pmi_edit_refer(node->child[c]);
        } else if (height > 1 && !(used && from >= r->window[0].begin && to <= r->window[0].end)) {
            retire(r, node->child[c], height - 1, from, used);
        } else if (!used) {
            pmi_edit_release(allocator, node->child[c], 0);
        }
    }
    if (!used)
        free_block(allocator, node);
    else if (!shared)
        pmi_edit_release(allocator, node, height);
}

static bool rebuild(rebuilding *r, uint64_t content, uint64_t leaves) {
    struct pm_edit *const edit = r->edit;
    const unsigned height = make_leaves(r, content, leaves) ? make_levels(r) : 0;
    if (height == 0) {
        for (size_t k = 0; k < r->made_count; k++)
            free_block(&edit->allocator, r->made[k]);
        return false;
    }
    retire(r, edit->root, edit->height, 0, false);
    edit->root = r->now.items[0].block;
    edit->height = height;
    return true;
}

bool pmi_edit_rebuild(struct pm_edit *edit, uint64_t at, uint64_t removed, const pmi_edit_source *source,
                      uint64_t inserted, uint64_t first, uint64_t last) {
    rebuilding r = {edit, (uint64_t)edit->root->length, at, removed, inserted, source, .made_count = 0};
    const uint64_t content = choose_leaves(&r, first, last);
    const uint64_t leaves = blocks_for(content, PM_EDIT_LEAF, PM_EDIT_LEAF_ROOM);
    item few_now[FEW_ITEMS], few_next[FEW_ITEMS];
    void *few_made[2 * FEW_ITEMS];
    const size_t most = (size_t)leaves + CARRIED;
    if (most <= FEW_ITEMS) {
        r.now.items = few_now, r.next.items = few_next, r.made = few_made;
        return rebuild(&r, content, leaves);
    }
    item *const items = pmi_memory_allocate(&edit->allocator, most, 2 * (sizeof *items + sizeof *r.made));
    if (!items)
        return false;
    r.now.items = items, r.next.items = items + most, r.made = (void **)(items + 2 * most);
    const bool done = rebuild(&r, content, leaves);
    pmi_memory_free(&edit->allocator, items);
    return done;
}
