/* SPDX-License-Identifier: Apache-2.0 */
/* What an editor asks of a document: partners, the brackets of a range, the brackets around a place. */
#include "core/document/branches.h"

/* A leaf, its brackets, and what is around it. */
typedef struct surroundings {
    const pmi_document_node *leaf;
    uint64_t base;
    pmi_document_pile pile[2];
    pmi_document_leaf_brackets brackets;
} surroundings;

/* Finds the leaf at an offset. False: there is no memory. */
static bool find_surroundings(pm_document *document, uint64_t offset, surroundings *around) {
    const pmi_document_node *node = document->root;
    uint64_t base = 0;
    for (unsigned side = 0; side < 2; side++) {
        around->pile[side].side = side;
        around->pile[side].parts = 0;
        around->pile[side].total = 0;
    }
    while (node->height > 1) {
        const uint64_t middle = base + node->child[0]->bytes;
        const bool right = offset >= middle;
        if (right)
            pmi_document_pile_push(&around->pile[PM_DOCUMENT_OPENS], node->child[0], base);
        else
            pmi_document_pile_push(&around->pile[PM_DOCUMENT_CLOSES], node->child[1], middle);
        base = right ? middle : base;
        node = node->child[right];
    }
    around->leaf = node;
    around->base = base;
    return pmi_document_leaf_brackets_read(document, node, &around->brackets);
}

static bool is_open(const pmi_document_leaf_brackets *brackets, size_t i) {
    return pmi_role_is_open(brackets->role[i]);
}

/* ---- Partners ---- */

/* Brackets of the same side without a partner in the leaf that are between the i-th bracket and its partner. */
static uint64_t count_between(const pmi_document_leaf_brackets *brackets, size_t i) {
    const bool open = is_open(brackets, i);
    uint64_t count = 0;
    for (size_t k = open ? i + 1 : 0, end = open ? brackets->count : i; k < end; k++)
        count += is_open(brackets, k) == open && brackets->partner[k] == PM_DOCUMENT_FAR;
    return count;
}

/* The partner in the tree as it is. False: there is no memory. */
static bool find_partner(pm_document *document, uint64_t offset, uint64_t *partner) {
    surroundings around; /* not initialised: some 40 KiB */
    const pmi_document_leaf_brackets *const brackets = &around.brackets;
    *partner = PM_BP_NONE;
    if (!find_surroundings(document, offset, &around))
        return false;
    size_t i = 0;
    while (i < brackets->count && around.base + brackets->at[i] < offset)
        i++;
    if (i == brackets->count || around.base + brackets->at[i] != offset)
        return true;
    if (brackets->partner[i] != PM_DOCUMENT_FAR) {
        *partner = around.base + brackets->at[brackets->partner[i]];
        return true;
    }
    const pmi_document_pile *const pile = &around.pile[is_open(brackets, i) ? PM_DOCUMENT_CLOSES : PM_DOCUMENT_OPENS];
    const uint64_t back = count_between(brackets, i);
    return back >= pile->total || pmi_document_pile_find(document, pile, back, partner);
}

uint64_t pm_document_partner(pm_document *document, uint64_t offset) {
    uint64_t partner;
    if (!document || offset >= pm_document_length(document))
        return PM_BP_NONE;
    if (!document->root->settled && offset >= pm_document_settled(document) &&
        pm_document_settle(document, UINT64_MAX) != PM_OK)
        return PM_BP_NONE;
    if (!find_partner(document, offset, &partner))
        return PM_BP_NONE;
    if (document->root->settled || partner < pm_document_settled(document))
        return partner;
    if (pm_document_settle(document, UINT64_MAX) != PM_OK || !find_partner(document, offset, &partner))
        return PM_BP_NONE;
    return partner;
}

/* ---- Brackets of a range ---- */

typedef struct listing {
    uint64_t at, end;
    size_t capacity, count;
    pm_document_bracket *brackets;
} listing;

/* The kinds of the partners of brackets without one in the leaf, in the order of these brackets. Returns how many there
 * are, the first ones if they are closes, and the last ones if they are opens. */
static uint32_t far_kinds(const surroundings *around, unsigned side, uint64_t *kinds) {
    const pmi_document_pile *const pile = &around->pile[1 - side];
    const uint32_t wanted = around->leaf->count[side];
    const uint32_t count = pile->total < wanted ? (uint32_t)pile->total : wanted;
    pmi_document_pile_kinds(pile, count, kinds);
    return count;
}

/* Lists the brackets of a leaf that are in the range. */
static void list_leaf(const surroundings *around, listing *list) {
    const pmi_document_leaf_brackets *const brackets = &around->brackets;
    uint64_t open_kinds[PM_DOCUMENT_ROW_WORDS], close_kinds[PM_DOCUMENT_ROW_WORDS];
    const uint32_t open_partners = far_kinds(around, PM_DOCUMENT_OPENS, open_kinds);
    const uint32_t close_partners = far_kinds(around, PM_DOCUMENT_CLOSES, close_kinds);
    const uint32_t far_opens = around->leaf->count[PM_DOCUMENT_OPENS];
    uint64_t depth = around->pile[PM_DOCUMENT_OPENS].total;
    uint32_t opens = 0, closes = 0; /* without a partner in the leaf, so far */
    for (size_t i = 0; i < brackets->count; i++) {
        const bool open = is_open(brackets, i);
        const unsigned kind = pmi_role_kind(brackets->role[i]);
        bool faulty;
        if (brackets->partner[i] != PM_DOCUMENT_FAR) {
            faulty = pmi_role_kind(brackets->role[brackets->partner[i]]) != kind;
        } else if (open) { /* the last one meets the innermost close, which comes last */
            const uint32_t rank = opens++ + open_partners;
            faulty = rank < far_opens || pmi_kinds_at(open_kinds, rank - far_opens) != kind;
        } else {
            faulty = closes >= close_partners || pmi_kinds_at(close_kinds, close_partners - 1 - closes) != kind;
            closes++;
        }
        depth -= !open && depth > 0;
        const uint64_t offset = around->base + brackets->at[i];
        if (offset >= list->at && offset < list->end) {
            if (list->count < list->capacity)
                list->brackets[list->count] = (pm_document_bracket){offset, depth, (uint8_t)kind, open, faulty};
            list->count++;
        }
        depth += open;
    }
}

/* Brackets whose offsets ascend or descend, to be marked where a text with branches has faults. */
typedef struct marking {
    pm_document_bracket *brackets;
    size_t count;
    bool ascend;
} marking;

static void mark(const marking *marks, uint64_t offset) {
    pm_document_bracket *const brackets = marks->brackets;
    size_t low = 0, high = marks->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (marks->ascend ? brackets[middle].offset < offset : brackets[middle].offset > offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < marks->count && brackets[low].offset == offset)
        brackets[low].faulty = true;
}

static bool mark_fault(const pmi_document_fault *fault, void *user) {
    const marking *const marks = user;
    mark(marks, fault->at);
    if (fault->fault == PM_FAULT_KIND_MISMATCH)
        mark(marks, fault->partner);
    return true;
}

/* False: there is no memory. */
static bool mark_faults(pm_document *document, pm_document_bracket *brackets, size_t count, bool ascend) {
    marking marks = {brackets, count, ascend};
    const uint64_t first = brackets[0].offset, last = brackets[count - 1].offset;
    for (size_t i = 0; i < count; i++)
        brackets[i].faulty = false;
    return pmi_document_visit_faults(document, ascend ? first : last, (ascend ? last : first) + 1, mark_fault, &marks);
}

/* Reads on until all before an offset is settled. */
static pm_status settle_until(pm_document *document, uint64_t offset) {
    pm_status status = PM_OK;
    while (status == PM_OK && !document->root->settled && pm_document_settled(document) < offset)
        status = pm_document_settle(document, PM_DOCUMENT_PORTION);
    return status;
}

pm_status pm_document_brackets(pm_document *document, uint64_t at, uint64_t n, size_t capacity,
                               pm_document_bracket *brackets, size_t *count) {
    if (!document || !count || (capacity > 0 && !brackets) || at > pm_document_length(document) ||
        n > pm_document_length(document) - at)
        return PM_INVALID_ARGUMENT;
    surroundings around; /* not initialised: some 40 KiB */
    listing list = {.at = at, .end = at + n, .capacity = capacity, .brackets = brackets};
    pm_status status = settle_until(document, at + n);
    for (uint64_t place = at; status == PM_OK && place < list.end; place = around.base + around.leaf->bytes) {
        if (!find_surroundings(document, place, &around))
            return PM_OUT_OF_MEMORY;
        list_leaf(&around, &list);
    }
    const size_t stored = list.count < capacity ? list.count : capacity;
    if (status == PM_OK && pmi_document_has_branches(document) && stored > 0 &&
        !mark_faults(document, brackets, stored, true))
        status = PM_OUT_OF_MEMORY;
    if (status == PM_OK)
        *count = list.count;
    return status;
}

/* ---- The brackets around a place ---- */

/* The opens around an offset, innermost first, and the closes that are to close them. */
typedef struct path {
    const surroundings *around;
    uint64_t offset;
    size_t end;              /* brackets of the leaf before the offset */
    uint64_t closed, opened; /* brackets of the piles that others of the leaf pair with */
    listing *list;
    size_t stored;
} path;

static bool encloses(const path *way, size_t i) {
    const pmi_document_leaf_brackets *const brackets = &way->around->brackets;
    return is_open(brackets, i)
               ? i < way->end && brackets->partner[i] >= way->end
               : i >= way->end && (brackets->partner[i] == PM_DOCUMENT_FAR || brackets->partner[i] < way->end);
}

static bool is_full(const path *way) {
    return way->stored == way->list->capacity || way->stored == way->list->count;
}

static void list_open(path *way, uint64_t offset, unsigned kind) {
    const uint64_t depth = way->list->count - 1 - way->stored;
    way->list->brackets[way->stored++] = (pm_document_bracket){offset, depth, (uint8_t)kind, true, true};
}

/* Counts what is around the offset, and lists the opens of its own leaf. */
static void list_near_opens(path *way) {
    const surroundings *const around = way->around;
    const pmi_document_leaf_brackets *const brackets = &around->brackets;
    while (way->end < brackets->count && around->base + brackets->at[way->end] < way->offset)
        way->end++;
    size_t inside = 0;
    for (size_t i = 0; i < brackets->count; i++) {
        const bool far = brackets->partner[i] == PM_DOCUMENT_FAR, open = is_open(brackets, i);
        way->closed += far && !open && i < way->end;
        way->opened += far && open && i >= way->end;
        inside += open && encloses(way, i);
    }
    const uint64_t opens = around->pile[PM_DOCUMENT_OPENS].total;
    way->list->count = inside + (size_t)(opens > way->closed ? opens - way->closed : 0);
    for (size_t i = way->end; i-- > 0 && !is_full(way);)
        if (is_open(brackets, i) && encloses(way, i))
            list_open(way, around->base + brackets->at[i], pmi_role_kind(brackets->role[i]));
}

/* Lists the opens of other leaves. */
static bool list_far_opens(pm_document *document, path *way) {
    const pmi_document_pile *const pile = &way->around->pile[PM_DOCUMENT_OPENS];
    uint64_t skipped = way->closed;
    for (unsigned p = pile->parts; p-- > 0 && !is_full(way);) {
        uint32_t left = pile->part[p].count;
        const uint32_t skip = skipped < left ? (uint32_t)skipped : left;
        skipped -= skip;
        for (left -= skip; left > 0 && !is_full(way);) {
            uint16_t opens[PM_DOCUMENT_LEAF_MAX];
            uint32_t rank = left - 1;
            uint64_t base = pile->part[p].base;
            const pmi_document_node *const leaf =
                pmi_document_row_leaf(pile->part[p].node, PM_DOCUMENT_OPENS, &rank, &base);
            if (!pmi_document_leaf_opens(document, leaf, opens))
                return false;
            for (uint32_t k = rank + 1; k-- > 0 && !is_full(way);)
                list_open(way, base + opens[k], pmi_kinds_at(pmi_document_leaf_row(leaf, PM_DOCUMENT_OPENS), k));
            left -= rank + 1;
        }
    }
    return true;
}

/* Compares the kinds of the opens with those of the closes that follow the offset. */
static void compare_closes(path *way) {
    const surroundings *const around = way->around;
    const pmi_document_leaf_brackets *const brackets = &around->brackets;
    const pmi_document_pile *const pile = &around->pile[PM_DOCUMENT_CLOSES];
    size_t k = 0;
    for (size_t i = way->end; i < brackets->count && k < way->stored; i++)
        if (!is_open(brackets, i) && encloses(way, i)) {
            way->list->brackets[k].faulty = way->list->brackets[k].kind != pmi_role_kind(brackets->role[i]);
            k++;
        }
    for (uint64_t back = way->opened; k < way->stored && back < pile->total; k++, back++)
        way->list->brackets[k].faulty = way->list->brackets[k].kind != pmi_document_pile_kind(pile, back);
}

pm_status pm_document_path(pm_document *document, uint64_t offset, size_t capacity, pm_document_bracket *opens,
                           size_t *count) {
    if (!document || !count || (capacity > 0 && !opens) || offset > pm_document_length(document))
        return PM_INVALID_ARGUMENT;
    surroundings around; /* not initialised: some 40 KiB */
    listing list = {.capacity = capacity, .brackets = opens};
    path way = {.around = &around, .offset = offset, .list = &list};
    const pm_status status = settle_until(document, offset);
    if (status != PM_OK)
        return status;
    if (!find_surroundings(document, offset, &around))
        return PM_OUT_OF_MEMORY;
    list_near_opens(&way);
    if (!list_far_opens(document, &way))
        return PM_OUT_OF_MEMORY;
    compare_closes(&way);
    if (pmi_document_has_branches(document) && way.stored > 0 && !mark_faults(document, opens, way.stored, false))
        return PM_OUT_OF_MEMORY;
    *count = list.count;
    return PM_OK;
}
