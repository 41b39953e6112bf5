/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of unmatched brackets, and how two parts meet.
 *
 * The hash of a row is a polynomial in its kinds modulo 2^61 - 1 (Karp and Rabin), the outermost bracket with the
 * highest power. So the hash of the innermost brackets follows from that of the row and that of the outermost ones.
 * Rows with equal hashes are taken for equal.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/product.h"
#include "core/document/document.h"
#include "cpu/threads.h"

/* ---- Hashes ---- */

#define MODULUS ((UINT64_C(1) << 61) - 1)
#define BASE UINT64_C(0x1c3f95d1a4b07e6d)
#define INVERSE UINT64_C(0xf8f61f9834d209c) /* of the base */

static uint64_t add(uint64_t a, uint64_t b) {
    const uint64_t sum = a + b;
    return sum >= MODULUS ? sum - MODULUS : sum;
}

static uint64_t subtract(uint64_t a, uint64_t b) {
    return a >= b ? a - b : a + MODULUS - b;
}

static uint64_t multiply(uint64_t a, uint64_t b) {
    const pmi_product product = pmi_product_of(a, b); /* less than 2^122 */
    return add(pmi_product_low(product) & MODULUS, pmi_product_from(product, 61));
}

void pmi_document_powers_fill(pm_document *document) {
    uint64_t step = BASE;
    for (unsigned k = 0; k < 6; k++) {
        document->powers[k][0] = 1;
        for (unsigned i = 1; i < 64; i++)
            document->powers[k][i] = multiply(document->powers[k][i - 1], step);
        step = multiply(document->powers[k][63], step);
    }
    step = INVERSE;
    for (unsigned k = 0; k < 8; k++) {
        document->inverses[k][0] = 1;
        for (unsigned i = 1; i < 16; i++)
            document->inverses[k][i] = multiply(document->inverses[k][i - 1], step);
        step = multiply(document->inverses[k][15], step);
    }
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned k = 0; k < 4; k++)
            document->hash_of_four[byte] = add(multiply(document->hash_of_four[byte], BASE), (byte >> 2 * k & 3) + 1);
}

static uint64_t power(const pm_document *document, uint32_t exponent) {
    uint64_t result = document->powers[0][exponent & 63];
    for (unsigned k = 1; (exponent >>= 6) > 0; k++)
        if (exponent & 63)
            result = multiply(result, document->powers[k][exponent & 63]);
    return result;
}

/* Divides by a power of the base. Most exponents are small. */
static uint64_t divide(const pm_document *document, uint64_t value, uint32_t exponent) {
    for (unsigned k = 0; exponent > 0; k++, exponent >>= 4)
        if (exponent & 15)
            value = multiply(value, document->inverses[k][exponent & 15]);
    return value;
}

/* The hash of a row of `count` brackets behind one with the hash `outer`. */
static uint64_t append(const pm_document *document, uint64_t outer, uint64_t inner, uint32_t count) {
    return outer == 0 ? inner : add(multiply(outer, power(document, count)), inner);
}

/* The hash of a row of 32 kinds behind one with the hash `outer`. Nine products below 2^122 are added before the
 * remainder is taken. */
static uint64_t append_word(const pm_document *document, uint64_t outer, uint64_t word) {
    const uint64_t *const powers = document->powers[0];
    pmi_product sum = pmi_product_of(outer, powers[PM_KINDS_OF_WORD]);
    for (unsigned k = 0; k < 8; k++)
        sum = pmi_product_add(sum, pmi_product_of(document->hash_of_four[word >> 8 * k & 255], powers[4 * (7 - k)]));
    /* Digits of 61 bits; the third is small. */
    const uint64_t low = pmi_product_low(sum) & MODULUS, middle = pmi_product_from(sum, 61) & MODULUS;
    return add(add(low, middle), pmi_product_high(sum) >> 58);
}

uint64_t pmi_document_row_hash(const pm_document *document, const uint64_t *row, size_t count) {
    uint64_t hash = 0;
    const size_t words = count / PM_KINDS_OF_WORD;
    for (size_t w = 0; w < words; w++)
        hash = append_word(document, hash, row[w]);
    for (size_t i = words * PM_KINDS_OF_WORD; i < count; i++)
        hash = add(multiply(hash, BASE), pmi_kinds_at(row, i) + 1u);
    return hash;
}

/* ---- Rows of a node ---- */

/* Opens of the left child are outside of those of the right one; closes of the right child outside of the left one's.
 */
static const pmi_document_node *far_child(const pmi_document_node *node, unsigned side) {
    return node->child[side];
}

static const pmi_document_node *near_child(const pmi_document_node *node, unsigned side) {
    return node->child[1 - side];
}

/* Brackets of the far child's row that its sibling leaves. */
static uint32_t kept(const pmi_document_node *node, unsigned side) {
    return node->count[side] - near_child(node, side)->count[side];
}

/* The hash of what the far child's row keeps, which is what comes before the near child's in the node's. */
static uint64_t kept_hash(const pm_document *document, const pmi_document_node *node, unsigned side) {
    const pmi_document_node *const near = near_child(node, side);
    return divide(document, subtract(node->hash[side], near->hash[side]), near->count[side]);
}

/* The hash of the n outermost brackets of a row. */
static uint64_t outermost_hash(const pm_document *document, const pmi_document_node *node, unsigned side, uint32_t n) {
    uint64_t outer = 0;
    uint32_t inner_length = 0; /* brackets that come behind `outer` */
    for (;;) {
        if (n == 0)
            return append(document, outer, 0, inner_length);
        if (n == node->count[side])
            return append(document, outer, node->hash[side], inner_length);
        if (node->height == 1)
            return append(document, outer, pmi_document_row_hash(document, pmi_document_leaf_row(node, side), n),
                          inner_length);
        const uint32_t far = kept(node, side);
        if (n <= far) {
            node = far_child(node, side);
            continue;
        }
        if (far > 0)
            outer = append(document, outer, kept_hash(document, node, side), far);
        n -= far;
        inner_length = n;
        node = near_child(node, side);
    }
}

/* The hash of n brackets of a row, from a rank on. */
static uint64_t range_hash(const pm_document *document, const pmi_document_node *node, unsigned side, uint32_t from,
                           uint32_t n) {
    const uint64_t all = outermost_hash(document, node, side, from + n);
    if (from == 0)
        return all;
    return subtract(all, multiply(outermost_hash(document, node, side, from), power(document, n)));
}

void pmi_document_row_copy(const pmi_document_node *node, unsigned side, uint32_t from, uint32_t n, uint64_t *kinds,
                           size_t at) {
    while (node->height > 1 && n > 0) {
        const uint32_t far = kept(node, side);
        if (from < far) {
            const uint32_t part = n < far - from ? n : far - from;
            pmi_document_row_copy(far_child(node, side), side, from, part, kinds, at);
            at += part;
            from += part;
            n -= part;
        }
        from -= from < far ? 0 : far;
        node = near_child(node, side);
    }
    if (n > 0)
        pmi_kinds_copy(pmi_document_leaf_row(node, side), from, n, kinds, at);
}

const pmi_document_node *pmi_document_row_leaf(const pmi_document_node *node, unsigned side, uint32_t *rank,
                                               uint64_t *base) {
    while (node->height > 1) {
        const uint32_t far = kept(node, side);
        const unsigned child = *rank < far ? side : 1 - side;
        *rank -= *rank < far ? 0 : far;
        *base += child == 1 ? node->child[0]->bytes : 0;
        node = node->child[child];
    }
    return node;
}

/* Returns the kind at a rank of a row. */
static unsigned kind_at(const pmi_document_node *node, unsigned side, uint32_t rank) {
    uint64_t base = 0;
    const pmi_document_node *const leaf = pmi_document_row_leaf(node, side, &rank, &base);
    return pmi_kinds_at(pmi_document_leaf_row(leaf, side), rank);
}

/*
 * ---- Two parts meet ----
 *
 * How many pairs have two kinds no hash says, so kinds are compared, 32 at once. Rows with equal hashes are left out.
 * Where all opens of a text come first, an edit may shift them all, and n / 2 pairs are to be compared. So an edit
 * leaves long rows alone, and they are compared once the number is asked for: each pair once at most, as it meets in
 * one node alone, the lowest above both brackets.
 */

#define LEAVES_AHEAD 4u /* of a row that is compared are fetched */

bool pmi_document_rows_equal(const pm_document *document, const pmi_document_node *opens, uint32_t first_open,
                             const pmi_document_node *closes, uint32_t first_close, uint32_t n) {
    return range_hash(document, opens, PM_DOCUMENT_OPENS, first_open, n) ==
           range_hash(document, closes, PM_DOCUMENT_CLOSES, first_close, n);
}

/* Does a hash belong to n brackets of one kind? */
static bool is_uniform(const pm_document *document, uint64_t hash, unsigned kind, uint32_t n) {
    return multiply(hash, BASE - 1) == multiply(kind + 1u, subtract(power(document, n), 1));
}

/* Part of a row below a node. */
typedef struct row_part {
    const pmi_document_node *node;
    uint32_t from, n;
} row_part;

/* A walk over a row, leaf by leaf. The leaves ahead are fetched from memory while others are compared. */
typedef struct row_walk {
    unsigned side, left, found;
    row_part parts[PM_DOCUMENT_HEIGHT_MAX + 1]; /* `left` parts that are still to be walked, the next one last */
    row_part leaves[LEAVES_AHEAD];              /* `found` leaves, the next one first */
} row_walk;

static void fetch_row(const row_part *part, unsigned side) {
    const uint64_t *const row = pmi_document_leaf_row(part->node, side);
    for (size_t w = part->from / PM_KINDS_OF_WORD; w < pmi_kinds_words(part->from + part->n); w += 8)
        __builtin_prefetch(row + w);
}

static void find_leaf(row_walk *walk) {
    while (walk->left > 0) {
        const row_part part = walk->parts[--walk->left];
        if (part.node->height == 1) {
            fetch_row(&part, walk->side);
            walk->leaves[walk->found++] = part;
            return;
        }
        const uint32_t far = kept(part.node, walk->side), of_far = part.from < far ? far - part.from : 0;
        if (part.n > of_far)
            walk->parts[walk->left++] =
                (row_part){near_child(part.node, walk->side), of_far > 0 ? 0 : part.from - far, part.n - of_far};
        if (of_far > 0)
            walk->parts[walk->left++] =
                (row_part){far_child(part.node, walk->side), part.from, part.n < of_far ? part.n : of_far};
    }
}

static row_walk walk_row(const pmi_document_node *node, unsigned side, uint32_t from, uint32_t n) {
    row_walk walk = {.side = side, .left = 1, .parts = {{node, from, n}}};
    for (unsigned k = 0; k < LEAVES_AHEAD; k++)
        find_leaf(&walk);
    return walk;
}

/* Goes on by n kinds of the first leaf. */
static void walk_on(row_walk *walk, uint32_t n) {
    row_part *const leaf = &walk->leaves[0];
    leaf->from += n;
    leaf->n -= n;
    if (leaf->n > 0)
        return;
    memmove(leaf, leaf + 1, --walk->found * sizeof *leaf);
    find_leaf(walk);
}

/* How many of n pairs in two leaves have two kinds? */
static uint32_t compare_leaves(const pm_document *document, const uint64_t *opens, uint32_t first_open,
                               const uint64_t *closes, uint32_t first_close, uint32_t n) {
    uint64_t open_kinds[PM_DOCUMENT_ROW_WORDS], close_kinds[PM_DOCUMENT_ROW_WORDS];
    const uint32_t words = n / PM_KINDS_OF_WORD, done = words * PM_KINDS_OF_WORD;
    pmi_kinds_copy_words(opens, first_open, words, open_kinds);
    pmi_kinds_copy_words(closes, first_close, words, close_kinds);
    if (done < n) {
        open_kinds[words] = pmi_kinds_get(opens, first_open + done, n - done);
        close_kinds[words] = pmi_kinds_get(closes, first_close + done, n - done);
    }
    const size_t all = pmi_kinds_words(n);
    for (size_t w = 0; w < all; w++) {
        const uint64_t differences = open_kinds[w] ^ close_kinds[w];
        open_kinds[w] = (differences | differences >> 1) & UINT64_MAX / 3;
    }
    return (uint32_t)document->reader.classifier->count(open_kinds, all);
}

/* How many of n pairs have two kinds? */
static uint32_t compare_kinds(const pm_document *document, const pmi_document_node *opens, uint32_t first_open,
                              const pmi_document_node *closes, uint32_t first_close, uint32_t n) {
    row_walk of_opens = walk_row(opens, PM_DOCUMENT_OPENS, first_open, n);
    row_walk of_closes = walk_row(closes, PM_DOCUMENT_CLOSES, first_close, n);
    uint32_t differences = 0;
    while (n > 0) {
        const row_part *const a = &of_opens.leaves[0], *const b = &of_closes.leaves[0];
        const uint32_t both = a->n < b->n ? a->n : b->n;
        differences += compare_leaves(document, pmi_document_leaf_row(a->node, PM_DOCUMENT_OPENS), a->from,
                                      pmi_document_leaf_row(b->node, PM_DOCUMENT_CLOSES), b->from, both);
        walk_on(&of_opens, both);
        walk_on(&of_closes, both);
        n -= both;
    }
    return differences;
}

/* Part of a row: from a rank on. */
typedef struct row_span {
    const pmi_document_node *node;
    uint32_t from;
    uint64_t before, to; /* hashes of all kinds before it, and of these with it */
} row_span;

static uint64_t span_hash(const pm_document *document, const row_span *span, uint32_t n) {
    return subtract(span->to, multiply(span->before, power(document, n)));
}

/* How many of n pairs have two kinds? Halves whose hashes are equal are not compared. */
static uint32_t count_differences(const pm_document *document, const row_span *opens, const row_span *closes,
                                  uint32_t n) {
    if (n <= PM_DOCUMENT_BY_HASH)
        return compare_kinds(document, opens->node, opens->from, closes->node, closes->from, n);
    const uint64_t open_hash = span_hash(document, opens, n), close_hash = span_hash(document, closes, n);
    if (open_hash == close_hash)
        return 0;
    const unsigned open_kind = kind_at(opens->node, PM_DOCUMENT_OPENS, opens->from);
    const unsigned close_kind = kind_at(closes->node, PM_DOCUMENT_CLOSES, closes->from);
    if (open_kind != close_kind && is_uniform(document, open_hash, open_kind, n) &&
        is_uniform(document, close_hash, close_kind, n))
        return n;
    const uint32_t half = n / 2;
    const uint64_t open_middle = outermost_hash(document, opens->node, PM_DOCUMENT_OPENS, opens->from + half);
    const uint64_t close_middle = outermost_hash(document, closes->node, PM_DOCUMENT_CLOSES, closes->from + half);
    return count_differences(document, &(row_span){opens->node, opens->from, opens->before, open_middle},
                             &(row_span){closes->node, closes->from, closes->before, close_middle}, half) +
           count_differences(document, &(row_span){opens->node, opens->from + half, open_middle, opens->to},
                             &(row_span){closes->node, closes->from + half, close_middle, closes->to}, n - half);
}

/* n pairs that threads compare in slices. */
typedef struct comparison {
    const pm_document *document;
    const row_span *opens, *closes;
    uint32_t n;
    size_t slices;
    _Atomic uint32_t differences;
} comparison;

/* The part of n kinds of a span from the k-th on. */
static row_span part_of_span(const pm_document *document, const row_span *span, unsigned side, uint32_t k, uint32_t n) {
    const uint32_t from = span->from + k;
    return (row_span){span->node, from, outermost_hash(document, span->node, side, from),
                      outermost_hash(document, span->node, side, from + n)};
}

static void count_in_slice(size_t slice, unsigned thread, void *user) {
    comparison *const job = user;
    const uint32_t first = (uint32_t)((uint64_t)job->n * slice / job->slices);
    const uint32_t n = (uint32_t)((uint64_t)job->n * (slice + 1) / job->slices) - first;
    const row_span opens = part_of_span(job->document, job->opens, PM_DOCUMENT_OPENS, first, n);
    const row_span closes = part_of_span(job->document, job->closes, PM_DOCUMENT_CLOSES, first, n);
    (void)thread;
    atomic_fetch_add(&job->differences, count_differences(job->document, &opens, &closes, n));
}

/* As count_differences(), by all threads that pay. */
static uint32_t count_by_threads(const pm_document *document, const row_span *opens, const row_span *closes,
                                 uint32_t n) {
    const unsigned threads = pmi_threads_paying(n, PM_DOCUMENT_PAIRS_MIN, document->threads);
    if (threads <= 1)
        return count_differences(document, opens, closes, n);
    comparison job = {document, opens, closes, n, (size_t)threads * PM_SLICES_PER_THREAD, 0};
    pmi_threads_run(threads, job.slices, count_in_slice, &job);
    return job.differences;
}

/* The pairs of a node's children: the innermost opens of the left one, and the innermost closes of the right one. */
typedef struct meeting {
    row_span opens, closes;
    uint32_t pairs;
} meeting;

static uint32_t pairs_of(const pmi_document_node *node) {
    const uint32_t opens = node->child[0]->count[PM_DOCUMENT_OPENS];
    const uint32_t closes = node->child[1]->count[PM_DOCUMENT_CLOSES];
    return opens < closes ? opens : closes;
}

/* `kept_hashes`: of what the far child's row keeps, of both sides. */
static meeting meeting_of(const pmi_document_node *node, const uint64_t *kept_hashes) {
    const pmi_document_node *const left = node->child[0], *const right = node->child[1];
    const uint32_t pairs = pairs_of(node);
    return (meeting){{left, left->count[PM_DOCUMENT_OPENS] - pairs, kept_hashes[0], left->hash[0]},
                     {right, right->count[PM_DOCUMENT_CLOSES] - pairs, kept_hashes[1], right->hash[1]},
                     pairs};
}

static bool kinds_differ(const pm_document *document, const meeting *met) {
    return met->pairs > 0 &&
           span_hash(document, &met->opens, met->pairs) != span_hash(document, &met->closes, met->pairs);
}

/* The pairs that the children make, and what they leave. */
static void rows_meet(const pm_document *document, pmi_document_node *node) {
    const pmi_document_node *const left = node->child[0], *const right = node->child[1];
    const uint32_t pairs = pairs_of(node);
    uint64_t kept_hashes[2];
    for (unsigned side = 0; side < 2; side++) {
        const pmi_document_node *const far = far_child(node, side), *const near = near_child(node, side);
        const uint32_t rest = far->count[side] - pairs;
        kept_hashes[side] = outermost_hash(document, far, side, rest);
        node->count[side] = rest + near->count[side];
        node->hash[side] = append(document, kept_hashes[side], near->hash[side], near->count[side]);
    }
    const meeting met = meeting_of(node, kept_hashes);
    const bool differ = kinds_differ(document, &met);
    if (left->mismatched == PM_DOCUMENT_NOT_COUNTED || right->mismatched == PM_DOCUMENT_NOT_COUNTED ||
        (differ && pairs > PM_DOCUMENT_COUNT_MAX)) {
        node->mismatched = PM_DOCUMENT_NOT_COUNTED;
        return;
    }
    node->mismatched = left->mismatched + right->mismatched;
    if (differ)
        node->mismatched += count_differences(document, &met.opens, &met.closes, pairs);
}

uint32_t pmi_document_mismatched(const pm_document *document, pmi_document_node *node) {
    if (node->mismatched != PM_DOCUMENT_NOT_COUNTED)
        return node->mismatched;
    const uint64_t kept_hashes[2] = {kept_hash(document, node, 0), kept_hash(document, node, 1)};
    const meeting met = meeting_of(node, kept_hashes);
    node->mismatched =
        pmi_document_mismatched(document, node->child[0]) + pmi_document_mismatched(document, node->child[1]);
    if (kinds_differ(document, &met))
        node->mismatched += count_by_threads(document, &met.opens, &met.closes, met.pairs);
    return node->mismatched;
}

void pmi_document_sum_up(const pm_document *document, pmi_document_node *node) {
    const pmi_document_node *const left = node->child[0], *const right = node->child[1];
    const int32_t excess = (int32_t)(left->count[PM_DOCUMENT_OPENS] - left->count[PM_DOCUMENT_CLOSES]);
    const int32_t rise = excess + right->rise, above = (int32_t)left->count[PM_DOCUMENT_OPENS] + right->rise;
    node->bytes = left->bytes + right->bytes;
    node->newlines = left->newlines + right->newlines;
    node->brackets = left->brackets + right->brackets;
    node->directives = left->directives || right->directives;
    node->rise = rise > left->rise ? rise : left->rise;
    node->peak = left->peak > right->peak ? left->peak : right->peak;
    if (above > 0 && (uint32_t)above > node->peak)
        node->peak = (uint32_t)above;
    node->begins = left->begins || right->begins;
    node->settled = left->settled && right->settled && pmi_document_state_equal(left->exit, right->entry);
    node->entry = left->entry;
    node->exit = right->exit;
    node->followed = false;
    rows_meet(document, node);
    pmi_document_ifs_meet(node);
}
