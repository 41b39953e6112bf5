/* SPDX-License-Identifier: Apache-2.0 */
/* Residues: how they are reduced, and which are kept. */
#include "core/document/residue.h"

/* ---- Gaps ---- */

/* Appends a gap to one that nothing parts it from. */
static void gap_append(pmi_residue_gap *gap, const pmi_residue_gap *next) {
    gap->rise = next->rise > gap->rise ? next->rise : gap->rise;
    gap->mismatched += next->mismatched;
}

/* Makes a gap what it is with a pair of brackets around it. False: there is no room for the number. */
static bool gap_enclose(pmi_residue_gap *gap) {
    if (gap->rise == UINT16_MAX)
        return false;
    gap->rise++;
    return true;
}

/* ---- Reducing ---- */

/* A residue in the making. */
typedef struct reduction {
    bool too_long;
    uint32_t count;
    uint32_t skipped;    /* items up to an #if 0 in whose branch this is: brackets vanish; 0: none */
    pmi_residue_gap gap; /* behind the last item */
    pmi_residue_item items[PM_DOCUMENT_RESIDUE_MAX];
} reduction;

static void push(reduction *to, const pmi_residue_item *item, uint64_t at) {
    if (to->count + 1 >= PM_DOCUMENT_RESIDUE_MAX) { /* with the last gap */
        to->too_long = true;
        return;
    }
    to->items[to->count++] =
        (pmi_residue_item){.before = to->gap, .at = (uint32_t)at, .what = item->what, .kind = item->kind};
    to->gap = (pmi_residue_gap){0};
}

static bool is_directive(const pmi_residue_item *item, pmi_directive least, pmi_directive most) {
    return item->what == PM_RESIDUE_DIRECTIVE && item->kind >= least && item->kind <= most;
}

/* The innermost open, if a close meets it. */
static bool close_open(reduction *to, const pmi_residue_item *close) {
    if (to->count == 0 || to->items[to->count - 1].what != PM_RESIDUE_OPEN)
        return false;
    const pmi_residue_item *const open = &to->items[--to->count];
    pmi_residue_gap inside = to->gap;
    to->too_long |= !gap_enclose(&inside);
    inside.mismatched += open->kind != close->kind;
    to->gap = open->before;
    gap_append(&to->gap, &inside);
    return true;
}

/* The innermost conditional, if none of its branches leaves anything. */
static bool end_if(reduction *to) {
    uint32_t begin = to->count;
    while (begin > 0 && is_directive(&to->items[begin - 1], PM_DIRECTIVE_ELSE_IF, PM_DIRECTIVE_ELSE))
        begin--;
    if (begin == 0 || !is_directive(&to->items[begin - 1], PM_DIRECTIVE_IF, PM_DIRECTIVE_IF_ZERO))
        return false;
    pmi_residue_gap all = to->items[begin - 1].before;
    for (uint32_t k = begin; k <= to->count; k++)
        gap_append(&all, k < to->count ? &to->items[k].before : &to->gap);
    to->gap = all;
    to->count = begin - 1;
    return true;
}

/* A directive in a branch that is skipped, in which only the #ifs are kept. Returns whether it stays in the branch. */
static bool skip(reduction *to, pmi_directive directive, const pmi_residue_item *item) {
    const bool nested = to->count > to->skipped;
    if (directive <= PM_DIRECTIVE_IF_ZERO)
        push(to, item, 0);
    else if (nested && directive == PM_DIRECTIVE_END)
        to->count--;
    else if (!nested)
        to->skipped = 0;
    return to->skipped > 0;
}

static void direct(reduction *to, const pmi_residue_item *item) {
    const pmi_directive directive = (pmi_directive)item->kind;
    if (to->skipped > 0 && skip(to, directive, item))
        return;
    if (directive == PM_DIRECTIVE_END && end_if(to))
        return;
    push(to, item, 0);
    if (directive == PM_DIRECTIVE_IF_ZERO)
        to->skipped = to->count;
}

static bool reduce(const pmi_residue_item *item, uint64_t at, void *user) {
    reduction *const to = user;
    if (to->skipped == 0)
        gap_append(&to->gap, &item->before);
    if (item->what == PM_RESIDUE_DIRECTIVE)
        direct(to, item);
    else if (to->skipped == 0 && item->what != PM_RESIDUE_END &&
             !(item->what == PM_RESIDUE_CLOSE && close_open(to, item)))
        push(to, item, at);
    return !to->too_long;
}

/* ---- Keeping ---- */

static void take_children(pmi_residue_walk *walk, const pmi_document_node *node, uint64_t base) {
    pmi_residue_take(walk, node->child[0], base);
    pmi_residue_take(walk, node->child[1], base + node->child[0]->bytes);
}

/* False: there is no memory. */
static bool store(const pm_document *document, const reduction *from, pmi_document_node *node) {
    struct pmi_document_residue *const residue =
        pmi_memory_allocate_with(&document->allocator, sizeof *residue, from->count + 1, sizeof *residue->items);
    node->residue = residue;
    if (!residue)
        return false;
    residue->count = from->count + 1;
    memcpy(residue->items, from->items, from->count * sizeof *residue->items);
    residue->items[from->count] = (pmi_residue_item){.before = from->gap, .what = PM_RESIDUE_END};
    residue->mismatched = 0;
    for (uint32_t k = 0; k < residue->count; k++)
        residue->mismatched += residue->items[k].before.mismatched;
    return true;
}

/* Equal except for offsets? */
static bool is_equal(const struct pmi_document_residue *residue, const reduction *made) {
    bool equal = residue && !made->too_long && residue->count == made->count + 1;
    for (uint32_t k = 0; equal && k <= made->count; k++) {
        const pmi_residue_item *const item = &residue->items[k];
        const pmi_residue_gap *const gap = k < made->count ? &made->items[k].before : &made->gap;
        equal = item->before.mismatched == gap->mismatched && item->before.rise == gap->rise &&
                (k == made->count || (item->what == made->items[k].what && item->kind == made->items[k].kind));
    }
    return equal;
}

bool pmi_residue_move(const pmi_document_edit *edit, uint64_t *offset) {
    if (*offset < edit->at)
        return true;
    const bool kept = *offset >= edit->at + edit->removed;
    *offset += edit->inserted - edit->removed;
    return kept;
}

/* Are all brackets of a residue, of a part at an offset, where an edit in the part or before it moves them? None may
 * have been shown that the residue hides. Whether a part that begins where bytes are missing began there, too, or
 * behind them, nobody knows. */
static bool is_moved_by(const pmi_document_edit *edit, uint64_t base, const struct pmi_document_residue *residue,
                        const reduction *made) {
    bool moved = residue->mismatched == 0 && (base != edit->at || edit->inserted > 0);
    for (uint32_t k = 0; moved && k < made->count; k++) {
        uint64_t at = base + residue->items[k].at;
        if (base <= edit->at && residue->items[k].what != PM_RESIDUE_DIRECTIVE)
            moved = pmi_residue_move(edit, &at);
        moved = moved && at == base + made->items[k].at;
    }
    return moved;
}

/* Works out the residue of a node that keeps it. Returns whether it is the same as before. */
static bool find_residue(pmi_residue_walk *whole, pmi_document_node *node, uint64_t base) {
    if (node->followed)
        return true;
    pm_document *const document = whole->document;
    reduction made; /* most of it is not initialised */
    made.too_long = false;
    made.count = made.skipped = 0;
    made.gap = (pmi_residue_gap){0};
    pmi_residue_walk walk = {.document = document, .take = reduce, .user = &made};
    take_children(&walk, node, 0);
    const bool same = is_equal(node->residue, &made);
    whole->moved |= !same || !whole->edit || !is_moved_by(whole->edit, base, node->residue, &made);
    pmi_memory_free(&document->allocator, node->residue);
    node->residue = NULL;
    node->residue_too_long = made.too_long;
    node->followed = !walk.failed && (made.too_long || store(document, &made, node));
    whole->failed |= !node->followed;
    return same && node->followed;
}

/* ---- Items of a text ---- */

static void take(pmi_residue_walk *walk, const pmi_residue_item *item, uint64_t at) {
    walk->stopped = !walk->take(item, at, walk->user);
}

static void take_brackets(pmi_residue_walk *walk, const unsigned char *text, uint64_t mask, uint64_t base) {
    for (; mask != 0 && !walk->stopped; mask &= mask - 1) {
        const unsigned bit = pmi_bits_lowest(mask);
        const uint8_t role = walk->document->alphabet.role[text[bit]];
        const pmi_residue_item item = {.what = pmi_role_is_open(role) ? PM_RESIDUE_OPEN : PM_RESIDUE_CLOSE,
                                       .kind = (uint8_t)pmi_role_kind(role)};
        take(walk, &item, base + bit);
    }
}

/* Takes the brackets before byte `to` of a leaf that are not before byte `from`. */
static void take_range(pmi_residue_walk *walk, const pmi_document_node *leaf, const uint64_t *masks, size_t from,
                       size_t to, uint64_t base) {
    for (size_t begin = from / PM_WORD_BITS * PM_WORD_BITS; begin < to; begin += PM_WORD_BITS) {
        uint64_t mask = masks[begin / PM_WORD_BITS];
        if (begin < from)
            mask &= ~pmi_bits_low((unsigned)(from - begin));
        if (to - begin < PM_WORD_BITS)
            mask &= pmi_bits_low((unsigned)(to - begin));
        take_brackets(walk, pmi_document_leaf_text(leaf) + begin, mask, base + begin);
    }
}

/* Is a leaf a gap alone, without mismatches that may be wanted one by one? */
static bool is_gap(const pmi_document_node *leaf) {
    return !leaf->directives && leaf->count[PM_DOCUMENT_OPENS] == 0 && leaf->count[PM_DOCUMENT_CLOSES] == 0 &&
           leaf->mismatched == 0;
}

static void take_leaf(pmi_residue_walk *walk, const pmi_document_node *leaf, uint64_t base) {
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS];
    const pmi_directives *const directives = &walk->document->directives;
    if (is_gap(leaf)) { /* which needs no reading */
        const pmi_residue_gap gap = {.rise = (uint16_t)leaf->peak};
        take(walk, &(pmi_residue_item){.before = gap, .what = PM_RESIDUE_END}, 0);
        return;
    }
    walk->failed = !pmi_document_leaf_masks(walk->document, leaf, masks);
    if (walk->failed)
        return;
    size_t from = 0;
    for (size_t d = 0; d < directives->count && !walk->stopped; d++) {
        const size_t at = directives->list[d] >> 3;
        take_range(walk, leaf, masks, from, at, base);
        if (walk->stopped)
            return;
        from = at;
        const pmi_residue_item item = {.what = PM_RESIDUE_DIRECTIVE, .kind = directives->list[d] & 7};
        take(walk, &item, 0);
    }
    take_range(walk, leaf, masks, from, leaf->bytes, base);
}

static void take_items(pmi_residue_walk *walk, const struct pmi_document_residue *residue, uint64_t base) {
    for (uint32_t k = 0; k < residue->count && !walk->stopped; k++)
        take(walk, &residue->items[k], base + residue->items[k].at);
}

/* Has a residue mismatches in its gaps that are wanted one by one? */
static bool hides(const pmi_residue_walk *walk, const struct pmi_document_residue *residue, uint64_t base,
                  uint64_t bytes) {
    return residue->mismatched > 0 && base < walk->to && base + bytes > walk->from &&
           (walk->shows || residue->mismatched <= walk->mismatched);
}

static void show(pmi_residue_walk *walk, const pmi_document_node *node, uint64_t base) {
    const bool shows = walk->shows;
    walk->mismatched -= shows ? 0 : node->residue->mismatched;
    walk->shows = true;
    take_children(walk, node, base);
    walk->shows = shows;
}

void pmi_residue_take(pmi_residue_walk *walk, pmi_document_node *node, uint64_t base) {
    if (walk->failed || walk->stopped)
        return;
    if (node->height == 1) {
        take_leaf(walk, node, base);
        node->followed = true;
        return;
    }
    if (!pmi_document_keeps_residue(node->height)) {
        take_children(walk, node, base);
        node->followed = true;
        return;
    }
    (void)find_residue(walk, node, base);
    const struct pmi_document_residue *const residue = walk->failed ? NULL : node->residue;
    if (!residue)
        take_children(walk, node, base);
    else if (hides(walk, residue, base, node->bytes))
        show(walk, node, base);
    else
        take_items(walk, residue, base);
}

bool pmi_residue_is_same(pmi_residue_walk *walk, pmi_document_node *node, uint64_t base) {
    if (node->followed)
        return true;
    if (node->height == 1 || walk->failed)
        return false;
    if (pmi_document_keeps_residue(node->height) && !node->residue_too_long)
        return node->residue && find_residue(walk, node, base);
    node->followed = pmi_residue_is_same(walk, node->child[0], base) &&
                     pmi_residue_is_same(walk, node->child[1], base + node->child[0]->bytes);
    return node->followed;
}
