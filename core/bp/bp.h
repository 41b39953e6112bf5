/* SPDX-License-Identifier: Apache-2.0 */
/* What the files behind pm_bp share: building an index in steps, and the arrays that only some indexes have. */
#ifndef PM_CORE_BP_BP_H
#define PM_CORE_BP_BP_H

#include "base/atomic_file.h"
#include "base/bp_index.h"
#include "core/context/context.h"

/* ---- Creating (bp.c) ---- */

/* pm_bp_create_with() with excess values of the given width. Tests need it: otherwise only sequences that they cannot
 * hold have wide ones. */
pm_status pmi_bp_create_wide(pm_context *context, const pm_bp_options *options, const uint64_t *parens, uint64_t n,
                             bool wide, pm_bp **bp);

/* Sets the queries of an index that has its arrays to those of the context's implementation, and adds what they need.
 * Returns false if there is no memory. */
bool pmi_bp_set_queries(struct pm_bp *bp, const pm_context *context);

/* ---- Building (build.c) ---- */

/* Returns an index for n <= PM_BP_N_MAX elements that knows its sequence but has no arrays; NULL if there is no memory.
 */
struct pm_bp *pmi_bp_allocate_empty(const pm_allocator *allocator, const uint64_t *parens, uint64_t n, bool wide);

/* Returns an index for n <= PM_BP_N_MAX elements with room for all arrays except the hints, not filled in yet; NULL if
 * there is no memory. */
struct pm_bp *pmi_bp_allocate(const pm_allocator *allocator, const uint64_t *parens, uint64_t n, bool wide);

/* Fills all lines, with as many threads as the context allows if that pays. */
void pmi_bp_fill_all_lines(const pm_context *context, struct pm_bp *bp);

/* Fills in what follows from the lines. Returns false if there is no memory for the hints. */
bool pmi_bp_finish(struct pm_bp *bp);

/* Returns whether the arrays, hints and number of opens of a saved index are those that building it would make. Nothing
 * is written to them. */
bool pmi_bp_agrees(const pm_context *context, struct pm_bp *bp);

/* Returns the bytes of the index's arrays except the hints; they lie one behind the other. */
size_t pmi_bp_arrays_size(const struct pm_bp *bp);

/* Sets the index's pointers to the arrays in this memory. */
void pmi_bp_place_arrays(struct pm_bp *bp, const void *memory);

/* Returns the bytes of the hints that the number of opens calls for. */
size_t pmi_bp_hints_size(const struct pm_bp *bp);

/* Bytes that must follow the arrays, as a row's end may be read past. */
#define PM_BP_SLACK (PM_BP_FAN_OUT * sizeof(int64_t))

/* ---- Arrays of some indexes ---- */

/* Adds pioneers (base/bp_index.h) to an index that is finished. Returns false if there is no memory. */
bool pmi_bp_add_pioneers(struct pm_bp *bp);

/* Returns the kind of a sequence, from the lines of its index. */
pmi_bp_kind pmi_bp_kind_of(const struct pm_bp *bp);

/* Adds far_close and far_open to an index with narrow excess values, all other arrays, and at most PM_BP_NEAR_MAX
 * elements. Returns false if there is no memory. */
bool pmi_bp_add_stretches(struct pm_bp *bp);

/* ---- A batch (batch.c) ---- */

/* Cuts an index that is finished into sequences, of which the last one ends where the array does. Both are borrowed.
 * Returns false if there is no memory. */
bool pmi_bp_cut(struct pm_bp *bp, const uint64_t *offsets, size_t count);

/* Return the first element of the sequence that element i < n of a batch belongs to, and the first behind it. */
uint64_t pmi_bp_sequence_begin(const pmi_bp_batch *batch, uint64_t i);
uint64_t pmi_bp_sequence_end(const pmi_bp_batch *batch, uint64_t i);

/* ---- A saved index: a header and the arrays as they lie in memory, so that a mapped file is used as it is (file.c)
 * ---- */

#define PM_BP_FILE_VERSION 3u

typedef struct pmi_bp_file_header {
    char magic[8]; /* PM_BP_MAGIC */
    uint32_t version;
    uint32_t byte_order; /* PM_BP_FILE_BYTE_ORDER on a machine of the same order */
    uint64_t n, opens;
    uint64_t size; /* bytes that follow: lines, excesses, rows, hints, and PM_BP_SLACK zeros */
    uint64_t zeros[2];
    uint64_t header_sum; /* of all before it. The arrays need no sum, as they are compared with the sequence. */
} pmi_bp_file_header;

#define PM_BP_FILE_BYTE_ORDER UINT32_C(0x01020304)

/* Sets the pieces that a saved index consists of, the header first; they are valid as long as the index is. */
#define PM_BP_PIECES 4u
void pmi_bp_pieces(const struct pm_bp *bp, pmi_bp_file_header *header, pmi_kept_piece pieces[PM_BP_PIECES]);

#endif
