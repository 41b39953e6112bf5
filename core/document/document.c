/* SPDX-License-Identifier: Apache-2.0 */
/* A text that changes: how it is made, edited and read. */
#include "core/document/document.h"

#include <string.h>

#include "core/document/branches.h"
#include "core/document/opening.h"
#include "core/document/residue.h"

/* ---- Creating ---- */

static pm_status open_text(pm_document *document, pm_context *context, const char *text, size_t n, bool borrows) {
    if (document->language->code & (PM_CODE_DIRECTIVES | PM_CODE_BACKTICKS)) {
        const pm_status status =
            pm_check_create(context, document->language, NULL, pmi_document_visit_found, document, &document->check);
        if (status != PM_OK)
            return status;
    }
    const pmi_document_state *const entry = pmi_document_state_now(document, NULL, NULL);
    if (!entry)
        return PM_OUT_OF_MEMORY;
    document->threads = pm_context_threads(context);
    const unsigned threads = pmi_document_opening_threads(document, n, document->threads);
    const pm_status status = pmi_document_open(document, (const unsigned char *)text, n, entry, threads, borrows);
    pmi_document_state_release(&document->allocator, entry);
    return status;
}

void pmi_document_init(pm_document *document, const pm_allocator *allocator, const pm_language *language,
                       const pmi_classifier *classifier) {
    memset(document, 0, sizeof *document);
    document->allocator = *allocator;
    document->language = language;
    document->alphabet = *pm_language_alphabet(language);
    for (unsigned byte = 256; byte-- > 0;)
        if (pmi_role_is_open(document->alphabet.role[byte]))
            document->open_byte[pmi_role_kind(document->alphabet.role[byte])] = (char)byte;
    pmi_bracket_reader_init(&document->reader, classifier, language, &document->alphabet, &document->allocator);
    document->reader.lexer.directives = &document->directives;
    document->slabs.node_moved = pmi_document_node_moved;
    pmi_document_powers_fill(document);
    memset(document->levels, PM_DOCUMENT_NO_KIND, PM_DOCUMENT_LEAF_MAX + 1);
}

static pm_status create(pm_context *context, const pm_language *language, const char *text, size_t n, bool borrows,
                        pm_document **document) {
    if (!document)
        return PM_INVALID_ARGUMENT;
    *document = NULL;
    if (!language || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (n > PM_DOCUMENT_BYTES_MAX)
        return PM_TOO_LARGE;
    if (pmi_language_has_delimiters(language))
        return PM_UNSUPPORTED;
    const pm_alphabet *const alphabet = pm_language_alphabet(language);
    for (unsigned byte = 0; byte < 256; byte++)
        if (pmi_role_kind(alphabet->role[byte]) >= PM_OPEN_KINDS)
            return PM_UNSUPPORTED;
    const pm_allocator allocator = pm_context_allocator(context);
    pm_document *const created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    pmi_document_init(created, &allocator, language, pmi_simd_of(context)->classifier);
    const pm_status status = open_text(created, context, text, n, borrows);
    if (status == PM_OK)
        *document = created;
    else
        pm_document_destroy(created);
    return status;
}

pm_status pm_document_create(pm_context *context, const pm_language *language, const char *text, size_t n,
                             pm_document **document) {
    return create(context, language, text, n, false, document);
}

pm_status pm_document_create_borrowed(pm_context *context, const pm_language *language, const char *text, size_t n,
                                      pm_document **document) {
    return create(context, language, text, n, true, document);
}

void pmi_document_forget(pm_document *document) {
    pmi_lexer_clear(&document->reader.lexer);
    for (size_t k = 0; k < PM_DOCUMENT_STATES; k++)
        pmi_document_state_release(&document->allocator, document->states[k]);
}

void pm_document_destroy(pm_document *document) {
    if (!document)
        return;
    const pm_allocator allocator = document->allocator;
    pmi_slab_give_up(&document->slabs);
    pmi_document_release(&allocator, document->root);
    pmi_document_forget(document);
    pmi_slab_close(&allocator, &document->slabs);
    pm_check_destroy(document->check);
    pmi_memory_free(&allocator, document->faults);
    pmi_memory_free(&allocator, document);
}

/* ---- Editing ---- */

/* Whole leaves, from offset `begin` to `end`, and what they become. */
typedef struct replacement {
    uint64_t begin, end;
    uint64_t at, removed, inserted;
    const unsigned char *text;
} replacement;

static uint64_t length_after(const replacement *edit) {
    return edit->end - edit->begin - edit->removed + edit->inserted;
}

/* How many leaves should have a text of that length? Not more than a leaf's most bytes are one. */
static uint64_t leaves_for(uint64_t length) {
    const uint64_t usual = (length + PM_DOCUMENT_LEAF_USUAL / 2) / PM_DOCUMENT_LEAF_USUAL;
    const uint64_t least = (length + PM_DOCUMENT_LEAF_MAX - 1) / PM_DOCUMENT_LEAF_MAX;
    return usual > least ? usual : least > 0 ? least : 1;
}

static bool is_in_one_leaf(const pmi_document_node *root, const replacement *edit) {
    uint64_t base;
    return edit->end - edit->begin == pmi_document_leaf_at(root, edit->begin, &base)->bytes &&
           length_after(edit) <= PM_DOCUMENT_LEAF_MAX;
}

/* Finds the leaves around the edit. If they would become small ones, one or two neighbours join them: with three leaves
 * or more there is a number of new ones that are full. */
static void find_leaves(const pmi_document_node *root, replacement *edit) {
    const uint64_t last = edit->at + edit->removed - (edit->removed > 0);
    uint64_t base;
    const pmi_document_node *leaf = pmi_document_leaf_at(root, edit->at, &edit->begin);
    edit->end = edit->begin + leaf->bytes;
    if (last >= edit->end) {
        leaf = pmi_document_leaf_at(root, last, &edit->end);
        edit->end += leaf->bytes;
    }
    if (is_in_one_leaf(root, edit) && length_after(edit) >= PM_DOCUMENT_LEAF_MIN)
        return;
    for (unsigned k = 0; k < 2 && length_after(edit) / leaves_for(length_after(edit)) < PM_DOCUMENT_LEAF_FULL; k++)
        if (edit->end < root->bytes)
            edit->end += pmi_document_leaf_at(root, edit->end, &base)->bytes;
        else if (edit->begin > 0)
            edit->begin -= pmi_document_leaf_at(root, edit->begin - 1, &base)->bytes;
}

/* Gives the leaf at an offset another text, and sums up what is above it. False: there is no memory. */
static bool change_leaf(pm_document *document, pmi_document_node **node, uint64_t offset, const unsigned char *text,
                        size_t n) {
    pmi_document_node *const parent = *node;
    if (parent->height == 1) {
        pmi_document_node *const changed = pmi_document_leaf_change(document, parent, text, n, parent->entry);
        *node = changed ? changed : parent;
        return changed != NULL;
    }
    const bool right = offset >= parent->child[0]->bytes;
    if (!change_leaf(document, &parent->child[right], right ? offset - parent->child[0]->bytes : offset, text, n))
        return false;
    pmi_document_sum_up(document, parent);
    return true;
}

static bool edit_in_leaf(pm_document *document, const replacement *edit) {
    uint64_t base;
    unsigned char text[PM_DOCUMENT_LEAF_MAX];
    const pmi_document_node *const leaf = pmi_document_leaf_at(document->root, edit->begin, &base);
    const unsigned char *const old = pmi_document_leaf_text(leaf);
    const size_t before = (size_t)(edit->at - base), kept = before + (size_t)edit->removed;
    memcpy(text, old, before);
    if (edit->inserted > 0)
        memcpy(text + before, edit->text, (size_t)edit->inserted);
    memcpy(text + before + edit->inserted, old + kept, leaf->bytes - kept);
    return change_leaf(document, &document->root, edit->begin, text, (size_t)length_after(edit));
}

/* Appends the text between two offsets, which lies in two leaves at most. */
static pmi_document_piece *append_pieces(const pmi_document_node *root, uint64_t from, uint64_t to,
                                         pmi_document_piece *piece) {
    while (from < to) {
        uint64_t base;
        const pmi_document_node *const leaf = pmi_document_leaf_at(root, from, &base);
        const uint64_t end = base + leaf->bytes < to ? base + leaf->bytes : to;
        *piece++ = (pmi_document_piece){pmi_document_leaf_text(leaf) + (from - base), end - from};
        from = end;
    }
    return piece;
}

/* Makes a new tree, with new leaves for those around the edit. */
static bool edit_tree(pm_document *document, const replacement *edit) {
    const pm_allocator *const allocator = &document->allocator;
    pmi_document_node *const root = document->root, *left = NULL, *right = NULL, *part = NULL, *whole = NULL;
    pmi_document_piece pieces[PM_DOCUMENT_PIECES] = {{NULL, 0}};
    pmi_document_piece *piece = append_pieces(root, edit->begin, edit->at, pieces);
    *piece++ = (pmi_document_piece){edit->text, edit->inserted};
    append_pieces(root, edit->at + edit->removed, edit->end, piece);
    uint64_t base;
    const pmi_document_state *const entry = pmi_document_leaf_at(root, edit->begin, &base)->entry;
    pmi_document_node *const middle =
        pmi_document_build(document, pieces, entry, leaves_for(length_after(edit)), false);
    const bool done = middle && pmi_document_cut(document, root, edit->begin, 0, &left) &&
                      pmi_document_cut(document, root, edit->end, 1, &right) &&
                      pmi_document_join(document, left, middle, &part) &&
                      pmi_document_join(document, part, right, &whole);
    pmi_document_release(allocator, middle);
    pmi_document_release(allocator, left);
    pmi_document_release(allocator, right);
    pmi_document_release(allocator, part);
    pmi_slab_trim(&document->slabs);
    if (done) {
        pmi_document_release(allocator, root);
        document->root = whole;
    } else {
        pmi_document_hold_children(root);
    }
    return done;
}

pm_status pm_document_replace(pm_document *document, uint64_t at, uint64_t removed, const char *text, size_t inserted) {
    if (!document || (inserted > 0 && !text))
        return PM_INVALID_ARGUMENT;
    const uint64_t length = pm_document_length(document);
    if (at > length || removed > length - at)
        return PM_INVALID_ARGUMENT;
    if (inserted > PM_DOCUMENT_BYTES_MAX - (length - removed))
        return PM_TOO_LARGE;
    if (removed == 0 && inserted == 0)
        return PM_OK;
    replacement edit = {.at = at, .removed = removed, .inserted = inserted, .text = (const unsigned char *)text};
    find_leaves(document->root, &edit);
    const bool done =
        is_in_one_leaf(document->root, &edit) ? edit_in_leaf(document, &edit) : edit_tree(document, &edit);
    pmi_document_sweep(document);
    if (!done)
        return PM_OUT_OF_MEMORY;
    document->changed = true;
    document->edits += document->edits < 2;
    document->edit = (pmi_document_edit){at, removed, inserted};
    (void)pm_document_settle(document, PM_DOCUMENT_PORTION); /* what cannot be read now is read later */
    return PM_OK;
}

/* ---- Settling ---- */

pm_status pm_document_settle(pm_document *document, uint64_t bytes) {
    if (!document)
        return PM_INVALID_ARGUMENT;
    if (document->root->settled)
        return PM_OK;
    document->changed = true;
    const pm_status status = pmi_document_settle_node(document, &document->root, document->root->entry, &bytes);
    pmi_document_sweep(document);
    return status;
}

uint64_t pm_document_settled(const pm_document *document) {
    const pmi_document_node *node = document->root;
    uint64_t base = 0;
    while (!node->settled) {
        const pmi_document_node *const left = node->child[0], *const right = node->child[1];
        if (left->settled)
            base += left->bytes;
        if (left->settled && !pmi_document_state_equal(left->exit, right->entry))
            return base;
        node = left->settled ? right : left;
    }
    return base + node->bytes;
}

/* ---- Reading ---- */

uint64_t pm_document_length(const pm_document *document) {
    return document->root->bytes;
}

static size_t size_of(const pmi_document_node *node) {
    if (node->height > 1)
        return (node->in_slab ? pmi_slab_bytes(node) : pmi_document_node_size(node->height)) + pmi_residue_size(node) +
               size_of(node->child[0]) + size_of(node->child[1]);
    return (node->in_slab ? pmi_slab_bytes(node) + pmi_slab_bytes(node->content)
                          : PM_DOCUMENT_LEAF_HEAD + pmi_document_leaf_size(node)) +
           pmi_document_state_size(node->exit, node->entry);
}

size_t pm_document_size_in_bytes(const pm_document *document) {
    return sizeof *document + size_of(document->root) + document->fault_room * sizeof *document->faults;
}

pm_status pm_document_read(const pm_document *document, uint64_t at, size_t n, char *text) {
    if (!document || (n > 0 && !text) || at > document->root->bytes || n > document->root->bytes - at)
        return PM_INVALID_ARGUMENT;
    while (n > 0) {
        uint64_t base;
        const pmi_document_node *const leaf = pmi_document_leaf_at(document->root, at, &base);
        const uint64_t rest = base + leaf->bytes - at;
        const size_t part = rest < n ? (size_t)rest : n;
        memcpy(text, pmi_document_leaf_text(leaf) + (at - base), part);
        text += part;
        at += part;
        n -= part;
    }
    return PM_OK;
}

/* ---- Lines ---- */

/* Returns the offset of newline k, counted from 0, of which there are more than k. */
static uint64_t find_newline(const pm_document *document, uint32_t k) {
    const pmi_document_node *node = document->root;
    uint64_t base = 0;
    while (node->height > 1) {
        const bool right = k >= node->child[0]->newlines;
        k -= right ? node->child[0]->newlines : 0;
        base += right ? node->child[0]->bytes : 0;
        node = node->child[right];
    }
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS];
    pmi_document_newlines(document, pmi_document_leaf_text(node), node->bytes, masks);
    size_t w = 0;
    for (uint32_t here; k >= (here = pmi_bits_count(masks[w])); w++)
        k -= here;
    uint64_t mask = masks[w];
    for (; k > 0; k--)
        mask &= mask - 1;
    return base + w * PM_WORD_BITS + pmi_bits_lowest(mask);
}

pm_place pm_document_place(const pm_document *document, uint64_t offset) {
    const pmi_document_node *node = document->root;
    uint64_t base = 0;
    uint32_t newlines = 0;
    offset = offset < node->bytes ? offset : node->bytes;
    while (node->height > 1) {
        const bool right = offset - base >= node->child[0]->bytes;
        newlines += right ? node->child[0]->newlines : 0;
        base += right ? node->child[0]->bytes : 0;
        node = node->child[right];
    }
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS], start = 0;
    const size_t before = (size_t)(offset - base);
    const uint32_t here = pmi_document_newlines(document, pmi_document_leaf_text(node), before, masks);
    newlines += here;
    if (here > 0) {
        size_t w = before / PM_WORD_BITS;
        while (masks[w] == 0)
            w--;
        start = base + w * PM_WORD_BITS + pmi_bits_highest(masks[w]) + 1;
    } else if (newlines > 0) {
        start = find_newline(document, newlines - 1) + 1;
    }
    return (pm_place){offset, newlines + UINT64_C(1), offset - start + 1};
}

uint64_t pm_document_line_offset(const pm_document *document, uint64_t line) {
    if (line == 1)
        return 0;
    if (line == 0 || line - 2 >= document->root->newlines)
        return PM_BP_NONE;
    return find_newline(document, (uint32_t)(line - 2)) + 1;
}
