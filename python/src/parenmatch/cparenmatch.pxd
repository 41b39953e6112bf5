# SPDX-License-Identifier: Apache-2.0
# What the extension uses of parenmatch.h, which documents it.
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from "stdbool.h" nogil:
    ctypedef bint c_bool "bool"

cdef extern from "parenmatch.h" nogil:
    ctypedef int pm_status
    enum:
        PM_OK, PM_INVALID_ARGUMENT, PM_TOO_LARGE, PM_CORRUPT
    ctypedef struct pm_context
    const char *pm_version_string()
    const char *pm_status_name(pm_status status)
    const char *pm_status_string(pm_status status)
    ctypedef struct pm_bic:
        uint64_t close, open

    # Sequences
    pm_status pm_match_auto(pm_context *, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total)
    pm_status pm_match_masks(pm_context *, const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match,
                             pm_bic *total)
    pm_status pm_match_verify(pm_context *, const uint64_t *parens, size_t n, const uint32_t *match, size_t *wrong)
    pm_status pm_match_batch_auto(pm_context *, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                  uint32_t *match, pm_bic *totals)
    pm_status pm_match_keys(pm_context *, const uint64_t *parens, const void *keys, size_t width, size_t n,
                            uint32_t *match)
    ctypedef struct pm_stream
    pm_status pm_stream_create(pm_context *, pm_stream **stream)
    pm_status pm_stream_push(pm_stream *, const uint64_t *parens, size_t n, uint64_t *match)
    pm_status pm_stream_finish(pm_stream *, pm_bic *total)
    void pm_stream_destroy(pm_stream *)

    # Vectors of a forest
    ctypedef int pm_forest_index
    size_t pm_forest_count(const uint64_t *parens, size_t n)
    pm_status pm_forest_position(pm_context *, const uint64_t *parens, size_t n, uint32_t *position)
    pm_status pm_forest_partner(pm_context *, const uint64_t *parens, size_t n, const uint32_t *match, uint32_t *partner)
    pm_status pm_forest_depth(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *)
    pm_status pm_forest_parent(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *)
    pm_status pm_forest_prev_sibling(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *)
    pm_status pm_forest_next_sibling(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *)
    pm_status pm_forest_first_child(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *)
    pm_status pm_forest_subtree_size(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *)
    pm_status pm_parens_from_depth(pm_context *, const uint32_t *depth, size_t nodes, uint64_t *parens)
    pm_status pm_depth_verify(pm_context *, const uint32_t *depth, size_t nodes, size_t *wrong)
    pm_status pm_parens_from_parent(pm_context *, const uint32_t *parent, size_t nodes, uint64_t *parens, uint32_t *order)
    pm_status pm_parent_verify(pm_context *, const uint32_t *parent, size_t nodes, c_bool in_preorder, size_t *wrong)

    # Boxes and scans
    ctypedef struct pm_box
    pm_status pm_box_auto(pm_context *, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out)
    ctypedef struct pm_monoid:
        size_t size
    ctypedef int pm_scan_mode
    pm_status pm_tree_scan_down_auto(pm_context *, const uint64_t *parens, size_t n, const pm_monoid *, pm_scan_mode,
                                     const void *values, void *out)
    pm_status pm_tree_reduce_up_auto(pm_context *, const uint64_t *parens, size_t n, const pm_monoid *,
                                     const void *values, void *out)
    const pm_monoid *pm_monoid_box_intersection()
    const pm_monoid *pm_monoid_box_union()
    const pm_monoid *pm_monoid_sum_u64()
    const pm_monoid *pm_monoid_sum_f64()
    const pm_monoid *pm_monoid_max_i64()
    const pm_monoid *pm_monoid_max_f64()
    const pm_monoid *pm_monoid_affine()

    # Queries
    ctypedef struct pm_bp
    pm_status pm_bp_create(pm_context *, const uint64_t *parens, uint64_t n, pm_bp **bp)
    pm_status pm_bp_load(pm_context *, const char *path, const uint64_t *parens, uint64_t n, pm_bp **bp)
    pm_status pm_bp_save(const pm_bp *, const char *path)
    ctypedef struct pm_bp_options
    pm_status pm_bp_create_batch(pm_context *, const pm_bp_options *, const uint64_t *parens, const uint64_t *offsets,
                                 size_t count, pm_bp **bp)
    uint64_t pm_bp_length(const pm_bp *)
    uint64_t pm_bp_sequence_of(const pm_bp *, uint64_t)
    void pm_bp_destroy(pm_bp *)
    size_t pm_bp_size_in_bytes(const pm_bp *)
    uint64_t pm_bp_rank_open(const pm_bp *, uint64_t)
    uint64_t pm_bp_rank_close(const pm_bp *, uint64_t)
    uint64_t pm_bp_select_open(const pm_bp *, uint64_t)
    uint64_t pm_bp_select_close(const pm_bp *, uint64_t)
    int64_t pm_bp_excess(const pm_bp *, uint64_t)
    uint64_t pm_bp_find_close(const pm_bp *, uint64_t)
    uint64_t pm_bp_find_open(const pm_bp *, uint64_t)
    uint64_t pm_bp_enclose(const pm_bp *, uint64_t)
    uint64_t pm_bp_select_unmatched_close(const pm_bp *, uint64_t)
    uint64_t pm_bp_select_unmatched_open(const pm_bp *, uint64_t)
    void pm_bp_find_close_many(const pm_bp *, const uint64_t *, size_t, uint64_t *)
    void pm_bp_find_open_many(const pm_bp *, const uint64_t *, size_t, uint64_t *)
    void pm_bp_enclose_many(const pm_bp *, const uint64_t *, size_t, uint64_t *)
    uint64_t pm_bp_parent(const pm_bp *, uint64_t)
    uint64_t pm_bp_depth(const pm_bp *, uint64_t)
    c_bool pm_bp_is_leaf(const pm_bp *, uint64_t)
    uint64_t pm_bp_first_child(const pm_bp *, uint64_t)
    uint64_t pm_bp_last_child(const pm_bp *, uint64_t)
    uint64_t pm_bp_next_sibling(const pm_bp *, uint64_t)
    uint64_t pm_bp_prev_sibling(const pm_bp *, uint64_t)
    uint64_t pm_bp_subtree_size(const pm_bp *, uint64_t)
    uint64_t pm_bp_degree(const pm_bp *, uint64_t)
    uint64_t pm_bp_child(const pm_bp *, uint64_t, uint64_t)
    uint64_t pm_bp_level_ancestor(const pm_bp *, uint64_t, uint64_t)
    c_bool pm_bp_is_ancestor(const pm_bp *, uint64_t, uint64_t)
    uint64_t pm_bp_lca(const pm_bp *, uint64_t, uint64_t)
    uint64_t pm_bp_preorder_rank(const pm_bp *, uint64_t)

    # A sequence that changes
    ctypedef struct pm_edit
    pm_status pm_edit_create(pm_context *, const uint64_t *parens, uint64_t n, pm_edit **edit)
    pm_status pm_edit_snapshot(const pm_edit *, pm_edit **snapshot)
    void pm_edit_destroy(pm_edit *)
    uint64_t pm_edit_length(const pm_edit *)
    size_t pm_edit_size_in_bytes(const pm_edit *)
    pm_status pm_edit_replace(pm_edit *, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted)
    pm_status pm_edit_read(const pm_edit *, uint64_t at, uint64_t n, uint64_t *parens)
    int64_t pm_edit_excess(const pm_edit *, uint64_t)
    c_bool pm_edit_is_leaf(const pm_edit *, uint64_t)
    c_bool pm_edit_is_ancestor(const pm_edit *, uint64_t, uint64_t)
    uint64_t pm_edit_rank_open(const pm_edit *, uint64_t)
    uint64_t pm_edit_rank_close(const pm_edit *, uint64_t)
    uint64_t pm_edit_select_open(const pm_edit *, uint64_t)
    uint64_t pm_edit_select_close(const pm_edit *, uint64_t)
    uint64_t pm_edit_select_unmatched_open(const pm_edit *, uint64_t)
    uint64_t pm_edit_select_unmatched_close(const pm_edit *, uint64_t)
    uint64_t pm_edit_find_close(const pm_edit *, uint64_t)
    uint64_t pm_edit_find_open(const pm_edit *, uint64_t)
    uint64_t pm_edit_enclose(const pm_edit *, uint64_t)
    uint64_t pm_edit_parent(const pm_edit *, uint64_t)
    uint64_t pm_edit_depth(const pm_edit *, uint64_t)
    uint64_t pm_edit_first_child(const pm_edit *, uint64_t)
    uint64_t pm_edit_last_child(const pm_edit *, uint64_t)
    uint64_t pm_edit_next_sibling(const pm_edit *, uint64_t)
    uint64_t pm_edit_prev_sibling(const pm_edit *, uint64_t)
    uint64_t pm_edit_subtree_size(const pm_edit *, uint64_t)
    uint64_t pm_edit_degree(const pm_edit *, uint64_t)
    uint64_t pm_edit_preorder_rank(const pm_edit *, uint64_t)
    uint64_t pm_edit_child(const pm_edit *, uint64_t, uint64_t)
    uint64_t pm_edit_level_ancestor(const pm_edit *, uint64_t, uint64_t)
    uint64_t pm_edit_lca(const pm_edit *, uint64_t, uint64_t)

    # Texts
    ctypedef struct pm_alphabet:
        uint8_t role[256]
    ctypedef struct pm_language
    pm_status pm_alphabet_from_pairs(const char *pairs, size_t length, pm_alphabet *)
    const pm_language *pm_language_at(size_t index)
    const pm_language *pm_language_by_name(const char *name)
    const char *pm_language_name(const pm_language *)
    const pm_alphabet *pm_language_alphabet(const pm_language *)
    pm_status pm_text_brackets(pm_context *, const pm_language *, const pm_alphabet *, const char *text, size_t n,
                               size_t capacity, uint64_t *parens, uint64_t *positions, uint8_t *kinds, size_t *count)
    ctypedef struct pm_place:
        uint64_t offset, line, column
    ctypedef struct pm_repair:
        int kind
        pm_place at, partner
        char byte
        c_bool new_line, certain
    ctypedef struct pm_diagnostic:
        int fault
        pm_place at, partner
        uint64_t length, partner_length, record
        c_bool has_repair
        pm_repair repair
    ctypedef struct pm_check_summary:
        uint64_t bytes, lines, brackets, max_depth, mismatched, unterminated, records, bad_records
        pm_bic unmatched
    ctypedef struct pm_check
    ctypedef c_bool (*pm_check_report)(const pm_diagnostic *, void *) noexcept
    pm_status pm_check_create(pm_context *, const pm_language *, const pm_alphabet *, pm_check_report, void *user,
                              pm_check **check)
    pm_status pm_check_push(pm_check *, const char *text, size_t n)
    pm_status pm_check_finish(pm_check *, pm_check_summary *)
    void pm_check_destroy(pm_check *)
    pm_status pm_check_text(pm_check *, const char *text, size_t n, pm_check_summary *)
    pm_status pm_check_set_repairs(pm_check *, c_bool wanted)
    pm_status pm_check_set_records(pm_check *, int separator)
    pm_status pm_check_text_records(pm_check *, const char *text, const uint64_t *offsets, size_t count,
                                    pm_check_summary *)
    ctypedef struct pm_language_error:
        pm_place at
        const char *what
    pm_status pm_language_create_rules(pm_context *, const char *rules, size_t n, pm_language **, pm_language_error *)
    void pm_language_destroy(pm_language *)
    ctypedef struct pm_text_arrays:
        size_t struct_size, capacity
        uint64_t *parens
        uint64_t *positions
        uint32_t *lengths
        uint32_t *kinds
    pm_status pm_text_scan(pm_context *, const pm_language *, const char *text, size_t n, const pm_text_arrays *,
                           size_t *count)

    # What an arriving text leaves open
    ctypedef struct pm_open_bracket:
        pm_place at
        uint64_t length
        uint32_t kind
        char byte
    ctypedef struct pm_open_end:
        uint64_t offset, begin
        int inside
    ctypedef struct pm_check_state
    pm_status pm_check_open(pm_check *, pm_open_bracket *, size_t capacity, uint64_t *count, pm_open_end *)
    pm_status pm_check_suffix(pm_check *, char *suffix, size_t capacity, size_t *length)
    pm_status pm_check_save(pm_check *, pm_check_state **)
    pm_status pm_check_restore(pm_check *, const pm_check_state *)
    void pm_check_state_destroy(pm_check_state *)

    # Texts that change
    ctypedef struct pm_document
    ctypedef struct pm_document_bracket:
        uint64_t offset, depth
        uint8_t kind
        c_bool open, faulty
    pm_status pm_document_create(pm_context *, const pm_language *, const char *text, size_t n, pm_document **)
    void pm_document_destroy(pm_document *)
    pm_status pm_document_replace(pm_document *, uint64_t at, uint64_t removed, const char *text, size_t inserted)
    uint64_t pm_document_length(const pm_document *)
    size_t pm_document_size_in_bytes(const pm_document *)
    pm_status pm_document_read(const pm_document *, uint64_t at, size_t n, char *text)
    pm_place pm_document_place(const pm_document *, uint64_t offset)
    uint64_t pm_document_line_offset(const pm_document *, uint64_t line)
    pm_status pm_document_settle(pm_document *, uint64_t bytes)
    uint64_t pm_document_settled(const pm_document *)
    pm_status pm_document_summary(pm_document *, pm_check_summary *)
    uint64_t pm_document_fault_count(pm_document *)
    pm_status pm_document_faults(pm_document *, uint64_t begin, pm_check_report, void *user)
    uint64_t pm_document_partner(pm_document *, uint64_t offset)
    pm_status pm_document_brackets(pm_document *, uint64_t at, uint64_t n, size_t capacity, pm_document_bracket *,
                                   size_t *count)
    pm_status pm_document_path(pm_document *, uint64_t offset, size_t capacity, pm_document_bracket *, size_t *count)

    # JSON
    ctypedef struct pm_json
    ctypedef struct pm_json_range:
        uint64_t begin, end
    pm_status pm_json_create(pm_context *, const char *text, size_t n, pm_diagnostic *fault, pm_json **)
    pm_status pm_json_read(pm_json *, const char *text, size_t n, pm_diagnostic *fault)
    void pm_json_destroy(pm_json *)
    size_t pm_json_size_in_bytes(const pm_json *)
    uint64_t pm_json_token_count(const pm_json *)
    uint64_t pm_json_tokens(const pm_json *, uint64_t begin, uint64_t end, uint64_t capacity, uint64_t *offsets)
    uint64_t pm_json_next_token(const pm_json *, uint64_t)
    uint64_t pm_json_partner(const pm_json *, uint64_t)
    uint64_t pm_json_root(const pm_json *)
    int pm_json_kind_of(const pm_json *, uint64_t)
    uint64_t pm_json_skip(const pm_json *, uint64_t)
    uint64_t pm_json_first(const pm_json *, uint64_t)
    uint64_t pm_json_next(const pm_json *, uint64_t)
    uint64_t pm_json_member(const pm_json *, uint64_t)
    uint64_t pm_json_count(const pm_json *, uint64_t)
    pm_status pm_json_pointer(const pm_json *, const char *pointer, size_t length, pm_json_range *)

    # Search
    unsigned PM_DICT_IGNORE_CASE
    ctypedef struct pm_dict
    ctypedef struct pm_hit
    ctypedef int pm_find_kind
    ctypedef struct pm_find_options:
        size_t struct_size
        pm_find_kind kind
    pm_status pm_dict_create(pm_context *, const char *const *patterns, const size_t *lengths, size_t count,
                             unsigned flags, pm_dict **)
    void pm_dict_destroy(pm_dict *)
    size_t pm_dict_count(const pm_dict *)
    pm_status pm_dict_save(const pm_dict *, const char *path)
    pm_status pm_dict_load(pm_context *, const char *path, pm_dict **)
    pm_status pm_find_with(pm_context *, const pm_dict *, const pm_find_options *, const char *text, size_t n,
                           pm_hit *hits, size_t capacity, size_t *found)

# Functions that differ only in what they return
ctypedef pm_status (*forest_vector)(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *,
                                    uint32_t *) noexcept nogil
ctypedef uint64_t (*json_query)(const pm_json *, uint64_t) noexcept nogil
