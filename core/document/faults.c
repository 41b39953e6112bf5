/* SPDX-License-Identifier: Apache-2.0 */
/* The faults of a document: their number is summed up, their places are found from the top of the tree down, where a
 * part is left out if its closes close opens of their kinds. */
#include "core/document/branches.h"

/* ---- How many ---- */

/* Does the text end inside a string or comment? False in *done: there is no memory. */
static bool is_cut(pm_document *document, bool *done) {
    uint64_t position;
    char byte;
    *done = pmi_document_state_load(document, document->root->exit, NULL, 0);
    return *done && pmi_lexer_inside(&document->reader.lexer, &position, &byte);
}

/* What the tree says of brackets that no branches choose between. */
static pm_check_summary sums_of(const pm_document *document) {
    pmi_document_node *const root = document->root;
    return (pm_check_summary){.max_depth = root->peak,
                              .unmatched = {root->count[PM_DOCUMENT_CLOSES], root->count[PM_DOCUMENT_OPENS]},
                              .mismatched = pmi_document_mismatched(document, root)};
}

pm_status pm_document_summary(pm_document *document, pm_check_summary *summary) {
    if (!document || !summary)
        return PM_INVALID_ARGUMENT;
    const pm_status status = pm_document_settle(document, UINT64_MAX);
    if (status != PM_OK)
        return status;
    const bool branches = pmi_document_has_branches(document);
    bool done;
    const bool cut = is_cut(document, &done);
    if (!done || (branches && !pmi_document_sum_up_branches(document)))
        return PM_OUT_OF_MEMORY;
    const pmi_document_node *const root = document->root;
    *summary = branches ? document->found : sums_of(document);
    summary->bytes = root->bytes;
    summary->lines =
        root->newlines + (uint64_t)(root->bytes > 0 && pm_document_place(document, root->bytes).column > 1);
    summary->brackets = root->brackets;
    summary->unterminated = cut;
    return PM_OK;
}

uint64_t pm_document_fault_count(pm_document *document) {
    pm_check_summary found;
    if (pm_document_summary(document, &found) != PM_OK)
        return UINT64_MAX;
    return found.unmatched.close + found.unmatched.open + found.mismatched + found.unterminated;
}

/* ---- Where ---- */

typedef struct fault_walk {
    pm_document *document;
    uint64_t from;
    pm_check_report report;
    void *user;
    bool stopped, failed;
    pmi_document_pile opens;                    /* before the place at hand */
    const pmi_document_node *found;             /* a leaf with the partner of a close before; NULL: not yet */
    uint16_t found_opens[PM_DOCUMENT_LEAF_MAX]; /* its opens: the next partner is mostly among them */
} fault_walk;

static void report(fault_walk *walk, const pm_diagnostic *diagnostic) {
    walk->stopped = !walk->report(diagnostic, walk->user);
}

static void report_close(fault_walk *walk, uint64_t offset, char byte) {
    report(walk, &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_CLOSE,
                                  .at = pm_document_place(walk->document, offset),
                                  .length = 1,
                                  .byte = byte});
}

static void report_mismatch(fault_walk *walk, uint64_t offset, char byte, uint64_t open, unsigned open_kind) {
    report(walk, &(pm_diagnostic){.fault = PM_FAULT_KIND_MISMATCH,
                                  .at = pm_document_place(walk->document, offset),
                                  .length = 1,
                                  .byte = byte,
                                  .partner = pm_document_place(walk->document, open),
                                  .partner_length = 1,
                                  .partner_byte = walk->document->open_byte[open_kind]});
}

/* Do all closes of a part close opens of their kind, those of the pile included? */
static bool is_fine(const fault_walk *walk, const pmi_document_node *node) {
    uint32_t left = node->count[PM_DOCUMENT_CLOSES];
    if (node->mismatched > 0 || left > walk->opens.total)
        return false;
    for (unsigned p = walk->opens.parts; left > 0; p--) {
        const uint32_t count = walk->opens.part[p - 1].count, pairs = left < count ? left : count;
        left -= pairs;
        if (!pmi_document_rows_equal(walk->document, walk->opens.part[p - 1].node, count - pairs, node, left, pairs))
            return false;
    }
    return true;
}

/* The offset of an open: that of a rank in the row of a leaf. */
static uint64_t find_open(fault_walk *walk, const pmi_document_node *leaf, uint64_t base, uint32_t rank) {
    if (walk->found != leaf)
        walk->failed = !pmi_document_leaf_opens(walk->document, leaf, walk->found_opens);
    walk->found = walk->failed ? NULL : leaf;
    return walk->failed ? 0 : base + walk->found_opens[rank];
}

/* A close whose open is before its leaf, `back` brackets from the innermost one there. */
static void check_far_close(fault_walk *walk, uint64_t offset, char byte, unsigned kind, uint64_t back) {
    if (back >= walk->opens.total) {
        report_close(walk, offset, byte);
        return;
    }
    uint32_t rank;
    uint64_t base;
    const pmi_document_node *const leaf = pmi_document_pile_leaf(&walk->opens, back, &rank, &base);
    const unsigned open_kind = pmi_kinds_at(pmi_document_leaf_row(leaf, PM_DOCUMENT_OPENS), rank);
    if (open_kind == kind)
        return;
    const uint64_t open = find_open(walk, leaf, base, rank);
    if (!walk->failed)
        report_mismatch(walk, offset, byte, open, open_kind);
}

static void walk_leaf(fault_walk *walk, const pmi_document_node *leaf, uint64_t base) {
    const unsigned char *const text = pmi_document_leaf_text(leaf);
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS], far = 0;
    uint16_t opens[PM_DOCUMENT_LEAF_MAX];
    uint32_t depth = 0;
    walk->failed = !pmi_document_leaf_masks(walk->document, leaf, masks);
    for (size_t w = 0; !walk->failed && !walk->stopped && w * PM_WORD_BITS < leaf->bytes; w++)
        for (uint64_t mask = masks[w]; mask != 0 && !walk->stopped && !walk->failed; mask &= mask - 1) {
            const size_t at = w * PM_WORD_BITS + pmi_bits_lowest(mask);
            const uint8_t role = walk->document->alphabet.role[text[at]];
            const unsigned kind = pmi_role_kind(role);
            const bool wanted = base + at >= walk->from;
            if (pmi_role_is_open(role)) {
                opens[depth++] = (uint16_t)at;
            } else if (depth == 0) {
                if (wanted)
                    check_far_close(walk, base + at, (char)text[at], kind, far);
                far++;
            } else {
                const unsigned open = opens[--depth];
                const unsigned open_kind = pmi_role_kind(walk->document->alphabet.role[text[open]]);
                if (wanted && open_kind != kind)
                    report_mismatch(walk, base + at, (char)text[at], base + open, open_kind);
            }
        }
}

/* The faults at closes. */
static void walk_closes(fault_walk *walk, const pmi_document_node *node, uint64_t base) {
    if (walk->stopped || walk->failed)
        return;
    const bool before = base + node->bytes <= walk->from;
    if (before || is_fine(walk, node)) {
        pmi_document_pile_push(&walk->opens, node, base);
        return;
    }
    if (node->height == 1) {
        walk_leaf(walk, node, base);
        pmi_document_pile_push(&walk->opens, node, base);
        return;
    }
    const pmi_document_pile outside = walk->opens;
    walk_closes(walk, node->child[0], base);
    walk_closes(walk, node->child[1], base + node->child[0]->bytes);
    walk->opens = outside; /* as few parts as the tree is high */
    pmi_document_pile_push(&walk->opens, node, base);
}

/* ---- What is never closed ---- */

static void report_opens_of_leaf(fault_walk *walk, const pmi_document_node *leaf, uint64_t base, uint32_t count) {
    uint16_t opens[PM_DOCUMENT_LEAF_MAX];
    walk->failed = !pmi_document_leaf_opens(walk->document, leaf, opens);
    for (uint32_t i = 0; i < count && !walk->stopped && !walk->failed; i++) {
        if (base + opens[i] < walk->from)
            continue;
        const unsigned kind = pmi_kinds_at(pmi_document_leaf_row(leaf, PM_DOCUMENT_OPENS), i);
        report(walk, &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_OPEN,
                                      .at = pm_document_place(walk->document, base + opens[i]),
                                      .length = 1,
                                      .byte = walk->document->open_byte[kind]});
    }
}

/* Reports the outermost `count` opens that a part leaves open. */
static void report_opens(fault_walk *walk, const pmi_document_node *node, uint64_t base, uint32_t count) {
    if (count == 0 || walk->stopped || walk->failed || base + node->bytes <= walk->from)
        return;
    if (node->height == 1) {
        report_opens_of_leaf(walk, node, base, count);
        return;
    }
    const uint32_t kept = node->count[PM_DOCUMENT_OPENS] - node->child[1]->count[PM_DOCUMENT_OPENS];
    report_opens(walk, node->child[0], base, count < kept ? count : kept);
    if (count > kept)
        report_opens(walk, node->child[1], base + node->child[0]->bytes, count - kept);
}

/* The place where what the text ends inside of begins: the last place where something begins that its leaf ends inside
 * of. */
static void report_cut(fault_walk *walk) {
    const pmi_document_node *node = walk->document->root;
    bool done;
    const bool cut = is_cut(walk->document, &done);
    walk->failed = !done;
    if (walk->failed || !cut)
        return;
    uint64_t base = 0;
    while (node->height > 1) {
        const bool right = node->child[1]->begins;
        base += right ? node->child[0]->bytes : 0;
        node = node->child[right];
    }
    if (base + node->begun < walk->from)
        return;
    report(walk, &(pm_diagnostic){.fault = PM_FAULT_UNTERMINATED,
                                  .at = pm_document_place(walk->document, base + node->begun),
                                  .length = 1,
                                  .byte = (char)pmi_document_leaf_text(node)[node->begun]});
}

/* The byte of a bracket, as faults say it. */
static char byte_at(const pm_document *document, uint64_t offset) {
    uint64_t base;
    const pmi_document_node *const leaf = pmi_document_leaf_at(document->root, offset, &base);
    const unsigned char byte = pmi_document_leaf_text(leaf)[offset - base];
    const uint8_t role = document->alphabet.role[byte];
    return pmi_role_is_open(role) ? document->open_byte[pmi_role_kind(role)] : (char)byte;
}

/* A fault of a text with branches. */
static bool report_fault_of_branches(const pmi_document_fault *fault, void *user) {
    fault_walk *const walk = user;
    if (fault->at < walk->from)
        return true;
    pm_diagnostic found = {.fault = fault->fault,
                           .at = pm_document_place(walk->document, fault->at),
                           .length = 1,
                           .byte = byte_at(walk->document, fault->at)};
    if (fault->fault == PM_FAULT_KIND_MISMATCH) {
        found.partner = pm_document_place(walk->document, fault->partner);
        found.partner_length = 1;
        found.partner_byte = byte_at(walk->document, fault->partner);
    }
    report(walk, &found);
    return !walk->stopped;
}

pm_status pm_document_faults(pm_document *document, uint64_t from, pm_check_report report_fault, void *user) {
    if (!document || !report_fault)
        return PM_INVALID_ARGUMENT;
    const pm_status status = pm_document_settle(document, UINT64_MAX);
    if (status != PM_OK)
        return status;
    fault_walk walk = {
        .document = document, .from = from, .report = report_fault, .user = user, .opens.side = PM_DOCUMENT_OPENS};
    if (pmi_document_has_branches(document)) {
        walk.failed = !pmi_document_visit_faults(document, from, UINT64_MAX, report_fault_of_branches, &walk);
    } else {
        walk_closes(&walk, document->root, 0);
        report_opens(&walk, document->root, 0, document->root->count[PM_DOCUMENT_OPENS]);
    }
    if (!walk.stopped && !walk.failed)
        report_cut(&walk);
    return walk.failed ? PM_OUT_OF_MEMORY : PM_OK;
}
