/* SPDX-License-Identifier: Apache-2.0 */
/* The leaves of a document: some thousand bytes of text, and what its brackets leave. */
#include <string.h>

#include "core/document/document.h"
#include "core/lexer/state.h"

/* ---- Brackets ---- */

/* Words of text that are read at once, and copied if it is. The processor stores a copy while it reads, so these are
 * few; but readers of code are faster with many. */
static size_t words_at_once(const pm_document *document, bool copies) {
    return copies && document->reader.where != PM_BRACKETS_IN_CODE ? 16 : PM_CHUNK_WORDS;
}

/* The lexer is in the state before the text, which is copied to `copy`, past the caches, unless this is NULL. False:
 * there is no memory. */
static bool read_masks(pm_document *document, const unsigned char *text, size_t n, unsigned char *copy,
                       uint64_t *masks) {
    const size_t words = n / PM_WORD_BITS, most = words_at_once(document, copy != NULL);
    for (size_t w = 0; w < words; w += most) {
        const size_t count = words - w < most ? words - w : most, at = w * PM_WORD_BITS;
        if (copy)
            document->reader.classifier->copy(text + at, count * PM_WORD_BITS, copy + at);
        if (pmi_bracket_reader_words(&document->reader, text + at, count, masks + w) != PM_OK)
            return false;
    }
    masks[words] = 0;
    if (copy)
        memcpy(copy + words * PM_WORD_BITS, text + words * PM_WORD_BITS, n % PM_WORD_BITS);
    return n % PM_WORD_BITS == 0 || pmi_bracket_reader_piece(&document->reader, text + words * PM_WORD_BITS,
                                                             n % PM_WORD_BITS, &masks[words]) == PM_OK;
}

bool pmi_document_leaf_masks(pm_document *document, const pmi_document_node *leaf, uint64_t *masks) {
    document->directives.base = leaf->entry->bytes[0] & 1 ? 0 : PM_LEXER_ELSEWHERE;
    document->directives.count = 0;
    const unsigned char *const text = pmi_document_leaf_text(leaf);
    return pmi_document_state_load(document, leaf->entry, text, leaf->bytes) &&
           read_masks(document, text, leaf->bytes, NULL, masks);
}

bool pmi_document_leaf_brackets_read(pm_document *document, const pmi_document_node *leaf,
                                     pmi_document_leaf_brackets *brackets) {
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS];
    uint16_t stack[PM_DOCUMENT_LEAF_MAX];
    size_t depth = 0, count = 0;
    if (!pmi_document_leaf_masks(document, leaf, masks))
        return false;
    for (size_t w = 0; w * PM_WORD_BITS < leaf->bytes; w++)
        for (uint64_t mask = masks[w]; mask != 0; mask &= mask - 1, count++) {
            const size_t at = w * PM_WORD_BITS + pmi_bits_lowest(mask);
            brackets->at[count] = (uint16_t)at;
            brackets->role[count] = document->alphabet.role[pmi_document_leaf_text(leaf)[at]];
            brackets->partner[count] = PM_DOCUMENT_FAR;
            if (pmi_role_is_open(brackets->role[count])) {
                stack[depth++] = (uint16_t)count;
            } else if (depth > 0) {
                const uint16_t open = stack[--depth];
                brackets->partner[count] = open;
                brackets->partner[open] = (uint16_t)count;
            }
        }
    brackets->count = count;
    return true;
}

bool pmi_document_leaf_opens(pm_document *document, const pmi_document_node *leaf, uint16_t *opens) {
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS];
    uint32_t depth = 0;
    if (!pmi_document_leaf_masks(document, leaf, masks))
        return false;
    for (size_t w = 0; w * PM_WORD_BITS < leaf->bytes; w++)
        for (uint64_t mask = masks[w]; mask != 0; mask &= mask - 1) {
            const size_t at = w * PM_WORD_BITS + pmi_bits_lowest(mask);
            if (pmi_role_is_open(document->alphabet.role[pmi_document_leaf_text(leaf)[at]]))
                opens[depth++] = (uint16_t)at;
            else
                depth -= depth > 0;
        }
    return true;
}

/* The same for closes, from the last one back. */
static bool leaf_closes(pm_document *document, const pmi_document_node *leaf, uint16_t *closes) {
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS];
    uint32_t depth = 0, rest = leaf->count[PM_DOCUMENT_CLOSES];
    if (!pmi_document_leaf_masks(document, leaf, masks))
        return false;
    for (size_t w = 0; w * PM_WORD_BITS < leaf->bytes && rest > 0; w++)
        for (uint64_t mask = masks[w]; mask != 0 && rest > 0; mask &= mask - 1) {
            const size_t at = w * PM_WORD_BITS + pmi_bits_lowest(mask);
            if (pmi_role_is_open(document->alphabet.role[pmi_document_leaf_text(leaf)[at]]))
                depth++;
            else if (depth > 0)
                depth--;
            else
                closes[--rest] = (uint16_t)at;
        }
    return true;
}

bool pmi_document_leaf_find(pm_document *document, const pmi_document_node *leaf, unsigned side, uint32_t rank,
                            uint32_t *offset) {
    uint16_t row[PM_DOCUMENT_LEAF_MAX];
    const bool read =
        side == PM_DOCUMENT_OPENS ? pmi_document_leaf_opens(document, leaf, row) : leaf_closes(document, leaf, row);
    *offset = read ? row[rank] : 0;
    return read;
}

/* ---- A new leaf ---- */

uint32_t pmi_document_newlines(const pm_document *document, const unsigned char *text, size_t n, uint64_t *masks) {
    const size_t words = n / PM_WORD_BITS;
    size_t count = words > 0 ? document->reader.classifier->find('\n', text, words, masks, NULL) : 0;
    masks[words] = 0;
    for (size_t i = words * PM_WORD_BITS; i < n; i++) {
        masks[words] |= (uint64_t)(text[i] == '\n') << i % PM_WORD_BITS;
        count += text[i] == '\n';
    }
    return (uint32_t)count;
}

static void store_row(pm_document *document, unsigned side, const uint8_t *kinds, size_t count,
                      pmi_document_node *sums) {
    pmi_kinds_pack(kinds, count, document->rows[side]);
    sums->count[side] = (uint32_t)count;
    sums->hash[side] = pmi_document_row_hash(document, document->rows[side], count);
}

/*
 * Sums up brackets, and stores the rows that are left. Every bracket is written above the top, where an open belongs
 * and a close does no harm, and compared with the level that it meets: an open with itself, a close with the top. Only
 * an unmatched close, which takes the top below the lowest level so far, is a branch: there are few of them, or many
 * in a row. It meets what is no kind, and so is counted as a mismatch, too. Kinds of closes are stored where the next
 * unmatched one belongs.
 */
static void reduce(pm_document *document, const unsigned char *brackets, size_t count, pmi_document_node *sums) {
    uint8_t *const bottom = document->levels + PM_DOCUMENT_LEAF_MAX;
    uint8_t closes[PM_DOCUMENT_LEAF_MAX + 1], *const closes_end = closes + PM_DOCUMENT_LEAF_MAX;
    uint8_t *top = bottom, *lowest = bottom, *highest = bottom; /* since the last unmatched close */
    ptrdiff_t peak = 0, rise = 0;
    uint32_t mismatched = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned role = document->alphabet.role[brackets[i]], open = role & PM_ROLE_OPEN;
        const uint8_t kind = (uint8_t)pmi_role_kind((uint8_t)role);
        top[1] = kind;
        mismatched += top[open] != kind;
        top += 2 * (ptrdiff_t)open - 1;
        highest = top > highest ? top : highest;
        if (top < lowest) {
            closes_end[lowest - bottom] = kind;
            peak = highest - lowest > peak ? highest - lowest : peak;
            rise = highest - bottom > rise ? highest - bottom : rise;
            lowest = highest = top;
        }
    }
    const size_t close_count = (size_t)(bottom - lowest);
    store_row(document, PM_DOCUMENT_OPENS, lowest + 1, (size_t)(top - lowest), sums);
    store_row(document, PM_DOCUMENT_CLOSES, closes_end + 1 - close_count, close_count, sums);
    memset(lowest + 1, PM_DOCUMENT_NO_KIND, close_count); /* the bottom and below it, for the next leaf */
    sums->brackets = (uint32_t)count;
    sums->mismatched = mismatched - (uint32_t)close_count;
    sums->peak = (uint32_t)(highest - lowest > peak ? highest - lowest : peak);
    sums->rise = (int32_t)(highest - bottom > rise ? highest - bottom : rise);
}

/* Reads the text from the state `sums->entry` on, and copies it to `copy` unless this is NULL. False: there is no
 * memory. */
static bool sum_up_text(pm_document *document, const unsigned char *text, size_t n, unsigned char *copy,
                        pmi_document_node *sums) {
    uint64_t masks[PM_DOCUMENT_LEAF_WORDS], position;
    uint16_t before[PM_DOCUMENT_LEAF_WORDS];
    unsigned char picked[PM_DOCUMENT_LEAF_MAX + PM_PICK_SLACK];
    pmi_lexer *const lexer = &document->reader.lexer;
    if (!pmi_document_state_load(document, sums->entry, text, n))
        return false;
    const uint64_t base = lexer->position;
    document->directives.base = base;
    document->directives.count = 0;
    if (!read_masks(document, text, n, copy, masks))
        return false;
    const size_t words = n / PM_WORD_BITS;
    size_t count = words > 0 ? document->reader.classifier->pick(text, masks, words, picked, before) : 0;
    before[words] = (uint16_t)count;
    for (uint64_t mask = masks[words]; mask != 0; mask &= mask - 1)
        picked[count++] = text[words * PM_WORD_BITS + pmi_bits_lowest(mask)];
    reduce(document, picked, count, sums);
    sums->bytes = (uint32_t)n;
    sums->directives = document->directives.count > 0;
    if (sums->directives)
        pmi_document_ifs_read(document, picked, masks, before, sums);
    sums->newlines = pmi_document_newlines(document, text, n, masks);
    sums->begins = pmi_lexer_begun(lexer, &position) && position >= base && position < base + n;
    sums->begun = sums->begins ? (uint16_t)(position - base) : 0;
    return true;
}

static size_t row_bytes(const pmi_document_node *sums, unsigned side) {
    return pmi_kinds_words(sums->count[side]) * sizeof(uint64_t);
}

/* Gives back the memory of a leaf. */
static void free_memory(const pm_allocator *allocator, pmi_document_node *leaf) {
    if (leaf->in_slab)
        pmi_slab_free(allocator, leaf->content);
    pmi_document_node_free(allocator, leaf);
}

/* Returns a leaf of slabs; NULL: there are none. */
static pmi_document_node *allocate_in_slab(pm_document *document, size_t content, bool many) {
    const pm_allocator *const allocator = &document->allocator;
    pmi_document_node *const leaf = pmi_slab_allocate_node(allocator, &document->slabs, PM_DOCUMENT_LEAF_HEAD);
    if (!leaf)
        return NULL;
    leaf->in_slab = true;
    leaf->content = pmi_slab_allocate(allocator, &document->slabs, content, many, &leaf->content);
    if (leaf->content)
        return leaf;
    pmi_slab_discard(leaf);
    return NULL;
}

/* Returns a leaf without values but for where its content is to be; NULL: there is no memory. */
static pmi_document_node *allocate(pm_document *document, size_t content, bool in_slab, bool many) {
    pmi_document_node *leaf = in_slab ? allocate_in_slab(document, content, many) : NULL;
    if (leaf)
        return leaf;
    leaf = pmi_memory_allocate_with(&document->allocator, PM_DOCUMENT_LEAF_HEAD, content, 1);
    if (!leaf)
        return NULL;
    leaf->in_slab = false;
    leaf->content = (unsigned char *)leaf + PM_DOCUMENT_LEAF_HEAD;
    return leaf;
}

/* Writes what leads to the content, the text unless it is there already, and the rows behind it. */
static void write_leaf(const pm_document *document, const pmi_document_node *sums, const unsigned char *text,
                       void *content, pmi_document_node *leaf) {
    const bool in_slab = leaf->in_slab;
    if (sums->borrows)
        memcpy(content, &text, sizeof text);
    else if (sums->bytes > 0 && text != content)
        memcpy(content, text, sums->bytes);
    unsigned char *const opens = (unsigned char *)content + pmi_document_before_rows(sums);
    unsigned char *const closes = opens + row_bytes(sums, PM_DOCUMENT_OPENS);
    memcpy(opens, document->rows[PM_DOCUMENT_OPENS], row_bytes(sums, PM_DOCUMENT_OPENS));
    memcpy(closes, document->rows[PM_DOCUMENT_CLOSES], row_bytes(sums, PM_DOCUMENT_CLOSES));
    memcpy(leaf, sums, offsetof(pmi_document_node, content));
    leaf->in_slab = in_slab;
    leaf->content = content;
}

/* Is there room for a content, and little more, in a leaf that was allocated for one of another size? */
static bool fits(const pmi_document_node *leaf, size_t allocated, size_t content) {
    if (leaf->in_slab)
        return pmi_slab_fits(leaf->content, content, PM_SLAB_LOST_NEW);
    return content <= allocated && allocated - content <= PM_SLAB_LOST_NEW;
}

/* If the text of one of many leaves is copied, it is while it is read, to a place for rows as long as those of the leaf
 * before. Where they are longer, or much shorter, the leaf gets another place. */
pmi_document_node *pmi_document_leaf_create(pm_document *document, const unsigned char *text, size_t n,
                                            const pmi_document_state *entry, const pmi_document_state *expected,
                                            pmi_document_manner manner) {
    const pm_allocator *const allocator = &document->allocator;
    const bool in_slab = manner.in_slab, copies = manner.many && !manner.borrows;
    pmi_document_node sums = {
        .users = 1, .height = 1, .settled = true, .borrows = manner.borrows, .bytes = (uint32_t)n, .entry = entry};
    const size_t before_rows = pmi_document_before_rows(&sums), as_before = before_rows + document->row_bytes;
    pmi_document_node *const reserved = copies ? allocate(document, as_before, in_slab, true) : NULL, *leaf = NULL;
    if (sum_up_text(document, text, n, reserved ? reserved->content : NULL, &sums)) {
        const size_t size = pmi_document_leaf_size(&sums);
        leaf = reserved && fits(reserved, as_before, size) ? reserved : allocate(document, size, in_slab, copies);
        document->row_bytes = size - before_rows;
    }
    sums.exit = leaf ? pmi_document_state_now(document, entry, expected) : NULL;
    if (sums.exit) {
        write_leaf(document, &sums, leaf == reserved ? leaf->content : text, leaf->content, leaf);
        pmi_document_state_refer(entry);
    } else if (leaf) {
        free_memory(allocator, leaf);
    }
    if (reserved && leaf != reserved)
        free_memory(allocator, reserved);
    return sums.exit ? leaf : NULL;
}

/* Returns where a content of that size goes if a leaf changes: where it is, or to a new block of a slab; NULL: neither,
 * the leaf needs other memory. */
static void *place_in_slab(pm_document *document, pmi_document_node *leaf, size_t content) {
    if (!leaf->in_slab)
        return NULL;
    if (pmi_slab_fits(leaf->content, content, pmi_slab_lost(&document->slabs)))
        return leaf->content;
    return pmi_slab_allocate(&document->allocator, &document->slabs, content, false, &leaf->content);
}

pmi_document_node *pmi_document_leaf_change(pm_document *document, pmi_document_node *leaf, const unsigned char *text,
                                            size_t n, const pmi_document_state *entry) {
    const pm_allocator *const allocator = &document->allocator;
    const bool borrows = leaf->borrows && text == pmi_document_leaf_text(leaf);
    pmi_document_node sums = {.users = 1, .height = 1, .settled = true, .borrows = borrows, .entry = entry};
    if (!sum_up_text(document, text, n, NULL, &sums))
        return NULL;
    const pmi_document_state *const old_entry = leaf->entry, *const old_exit = leaf->exit;
    sums.exit = pmi_document_state_now(document, entry, old_exit);
    if (!sums.exit)
        return NULL;
    const size_t size = pmi_document_leaf_size(&sums);
    void *const old = leaf->content, *const place = place_in_slab(document, leaf, size);
    pmi_document_node *const changed = place ? leaf : allocate(document, size, false, false);
    if (!changed) {
        pmi_document_state_release(allocator, sums.exit);
        return NULL;
    }
    pmi_document_state_refer(entry);
    write_leaf(document, &sums, text, place ? place : changed->content, changed);
    pmi_document_state_release(allocator, old_entry);
    pmi_document_state_release(allocator, old_exit);
    if (!place)
        free_memory(allocator, leaf);
    else if (place != old)
        pmi_slab_free(allocator, old);
    return changed;
}

void pmi_document_leaf_free(const pm_allocator *allocator, pmi_document_node *leaf) {
    pmi_document_state_release(allocator, leaf->entry);
    pmi_document_state_release(allocator, leaf->exit);
    free_memory(allocator, leaf);
}
