// SPDX-License-Identifier: Apache-2.0
//! What the crate `parenmatch` uses of `parenmatch.h`, which documents it. Enumerations are `c_int`.
#![allow(non_camel_case_types)]
use std::os::raw::{c_char, c_int, c_void};

pub type pm_status = c_int;

pub const PM_OK: pm_status = 0;
pub const PM_INVALID_ARGUMENT: pm_status = 1;
pub const PM_OUT_OF_MEMORY: pm_status = 2;
pub const PM_TOO_LARGE: pm_status = 3;
pub const PM_UNSUPPORTED: pm_status = 4;
pub const PM_NO_DEVICE: pm_status = 5;
pub const PM_DEVICE_LOST: pm_status = 6;
pub const PM_IO: pm_status = 7;
pub const PM_CORRUPT: pm_status = 8;

pub const PM_DICT_IGNORE_CASE: u32 = 1;

pub const PM_NONE: u32 = u32::MAX;
pub const PM_BP_NONE: u64 = u64::MAX;

macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )* };
}
opaque!(pm_context pm_bp pm_edit pm_language pm_alphabet pm_check pm_document pm_json pm_dict);

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_bic {
    pub close: u64,
    pub open: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_place {
    pub offset: u64,
    pub line: u64,
    pub column: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pm_repair {
    pub kind: c_int,
    pub at: pm_place,
    pub byte: c_char,
    pub new_line: bool,
    pub certain: bool,
    pub partner: pm_place,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pm_diagnostic {
    pub fault: c_int,
    pub at: pm_place,
    pub length: u64,
    pub byte: c_char,
    pub partner_byte: c_char,
    pub partner: pm_place,
    pub partner_length: u64,
    pub record: u64,
    pub has_repair: bool,
    pub repair: pm_repair,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_check_summary {
    pub bytes: u64,
    pub lines: u64,
    pub brackets: u64,
    pub max_depth: u64,
    pub unmatched: pm_bic,
    pub mismatched: u64,
    pub unterminated: u64,
    pub records: u64,
    pub bad_records: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_document_bracket {
    pub offset: u64,
    pub depth: u64,
    pub kind: u8,
    pub open: bool,
    pub faulty: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_json_range {
    pub begin: u64,
    pub end: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_box {
    pub x0: f32,
    pub y0: f32,
    pub x1: f32,
    pub y1: f32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pm_dict_fault {
    pub reason: *const c_char,
    pub pattern: usize,
    pub equal: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct pm_hit {
    pub start: u64,
    pub length: u32,
    pub pattern: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pm_find_options {
    pub struct_size: usize,
    pub kind: c_int,
    pub engine: *const c_char,
    pub backend: *const c_char,
}

pub type pm_check_report = Option<unsafe extern "C" fn(diagnostic: *const pm_diagnostic, user: *mut c_void) -> bool>;

/// Declares the queries that `pm_bp` and `pm_edit` share.
macro_rules! queries {
    ($sequence:ty: $($name:ident($($argument:ident),*) -> $answer:ty;)*) => {
        extern "C" { $( pub fn $name(sequence: *const $sequence, $($argument: u64),*) -> $answer; )* }
    };
}
queries!(pm_bp:
    pm_bp_rank_open(i) -> u64; pm_bp_rank_close(i) -> u64; pm_bp_excess(i) -> i64;
    pm_bp_select_open(k) -> u64; pm_bp_select_close(k) -> u64;
    pm_bp_select_unmatched_open(k) -> u64; pm_bp_select_unmatched_close(k) -> u64;
    pm_bp_find_close(i) -> u64; pm_bp_find_open(i) -> u64; pm_bp_enclose(i) -> u64;
    pm_bp_parent(node) -> u64; pm_bp_depth(node) -> u64; pm_bp_is_leaf(node) -> bool;
    pm_bp_first_child(node) -> u64; pm_bp_last_child(node) -> u64;
    pm_bp_next_sibling(node) -> u64; pm_bp_prev_sibling(node) -> u64;
    pm_bp_subtree_size(node) -> u64; pm_bp_degree(node) -> u64; pm_bp_child(node, k) -> u64;
    pm_bp_level_ancestor(node, distance) -> u64; pm_bp_is_ancestor(ancestor, node) -> bool; pm_bp_lca(a, b) -> u64;
    pm_bp_preorder_rank(node) -> u64; pm_bp_preorder_select(k) -> u64;
);
queries!(pm_edit:
    pm_edit_rank_open(i) -> u64; pm_edit_rank_close(i) -> u64; pm_edit_excess(i) -> i64;
    pm_edit_select_open(k) -> u64; pm_edit_select_close(k) -> u64;
    pm_edit_select_unmatched_open(k) -> u64; pm_edit_select_unmatched_close(k) -> u64;
    pm_edit_find_close(i) -> u64; pm_edit_find_open(i) -> u64; pm_edit_enclose(i) -> u64;
    pm_edit_parent(node) -> u64; pm_edit_depth(node) -> u64; pm_edit_is_leaf(node) -> bool;
    pm_edit_first_child(node) -> u64; pm_edit_last_child(node) -> u64;
    pm_edit_next_sibling(node) -> u64; pm_edit_prev_sibling(node) -> u64;
    pm_edit_subtree_size(node) -> u64; pm_edit_degree(node) -> u64; pm_edit_child(node, k) -> u64;
    pm_edit_level_ancestor(node, distance) -> u64; pm_edit_is_ancestor(ancestor, node) -> bool; pm_edit_lca(a, b) -> u64;
    pm_edit_preorder_rank(node) -> u64; pm_edit_preorder_select(k) -> u64;
);

extern "C" {
    pub fn pm_version_string() -> *const c_char;
    pub fn pm_status_string(status: pm_status) -> *const c_char;

    pub fn pm_match_auto(
        context: *mut pm_context,
        parens: *const u64,
        n: usize,
        r#match: *mut u32,
        total: *mut pm_bic,
    ) -> pm_status;
    pub fn pm_match_batch_auto(
        context: *mut pm_context,
        parens: *const u64,
        offsets: *const u64,
        count: usize,
        r#match: *mut u32,
        totals: *mut pm_bic,
    ) -> pm_status;

    pub fn pm_bp_create(context: *mut pm_context, parens: *const u64, n: u64, bp: *mut *mut pm_bp) -> pm_status;
    pub fn pm_bp_destroy(bp: *mut pm_bp);
    pub fn pm_bp_length(bp: *const pm_bp) -> u64;
    pub fn pm_bp_size_in_bytes(bp: *const pm_bp) -> usize;

    pub fn pm_edit_create(context: *mut pm_context, parens: *const u64, n: u64, edit: *mut *mut pm_edit) -> pm_status;
    pub fn pm_edit_snapshot(edit: *const pm_edit, snapshot: *mut *mut pm_edit) -> pm_status;
    pub fn pm_edit_destroy(edit: *mut pm_edit);
    pub fn pm_edit_length(edit: *const pm_edit) -> u64;
    pub fn pm_edit_size_in_bytes(edit: *const pm_edit) -> usize;
    pub fn pm_edit_replace(edit: *mut pm_edit, at: u64, removed: u64, parens: *const u64, inserted: u64) -> pm_status;
    pub fn pm_edit_read(edit: *const pm_edit, at: u64, n: u64, parens: *mut u64) -> pm_status;

    pub fn pm_language_at(index: usize) -> *const pm_language;
    pub fn pm_language_by_name(name: *const c_char) -> *const pm_language;
    pub fn pm_language_by_path(path: *const c_char) -> *const pm_language;
    pub fn pm_language_name(language: *const pm_language) -> *const c_char;

    pub fn pm_check_create(
        context: *mut pm_context,
        language: *const pm_language,
        alphabet: *const pm_alphabet,
        report: pm_check_report,
        user: *mut c_void,
        check: *mut *mut pm_check,
    ) -> pm_status;
    pub fn pm_check_push(check: *mut pm_check, text: *const c_char, n: usize) -> pm_status;
    pub fn pm_check_finish(check: *mut pm_check, summary: *mut pm_check_summary) -> pm_status;
    pub fn pm_check_text(
        check: *mut pm_check,
        text: *const c_char,
        n: usize,
        summary: *mut pm_check_summary,
    ) -> pm_status;
    pub fn pm_check_set_repairs(check: *mut pm_check, wanted: bool) -> pm_status;
    pub fn pm_check_suffix(check: *mut pm_check, suffix: *mut c_char, capacity: usize, length: *mut usize)
        -> pm_status;
    pub fn pm_check_destroy(check: *mut pm_check);

    pub fn pm_document_create(
        context: *mut pm_context,
        language: *const pm_language,
        text: *const c_char,
        n: usize,
        document: *mut *mut pm_document,
    ) -> pm_status;
    pub fn pm_document_destroy(document: *mut pm_document);
    pub fn pm_document_replace(
        document: *mut pm_document,
        at: u64,
        removed: u64,
        text: *const c_char,
        inserted: usize,
    ) -> pm_status;
    pub fn pm_document_length(document: *const pm_document) -> u64;
    pub fn pm_document_size_in_bytes(document: *const pm_document) -> usize;
    pub fn pm_document_read(document: *const pm_document, at: u64, n: usize, text: *mut c_char) -> pm_status;
    pub fn pm_document_place(document: *const pm_document, offset: u64) -> pm_place;
    pub fn pm_document_line_offset(document: *const pm_document, line: u64) -> u64;
    pub fn pm_document_settle(document: *mut pm_document, bytes: u64) -> pm_status;
    pub fn pm_document_settled(document: *const pm_document) -> u64;
    pub fn pm_document_summary(document: *mut pm_document, summary: *mut pm_check_summary) -> pm_status;
    pub fn pm_document_faults(
        document: *mut pm_document,
        from: u64,
        report: pm_check_report,
        user: *mut c_void,
    ) -> pm_status;
    pub fn pm_document_partner(document: *mut pm_document, offset: u64) -> u64;
    pub fn pm_document_brackets(
        document: *mut pm_document,
        at: u64,
        n: u64,
        capacity: usize,
        brackets: *mut pm_document_bracket,
        count: *mut usize,
    ) -> pm_status;
    pub fn pm_document_path(
        document: *mut pm_document,
        offset: u64,
        capacity: usize,
        opens: *mut pm_document_bracket,
        count: *mut usize,
    ) -> pm_status;

    pub fn pm_json_create(
        context: *mut pm_context,
        text: *const c_char,
        n: usize,
        fault: *mut pm_diagnostic,
        json: *mut *mut pm_json,
    ) -> pm_status;
    pub fn pm_json_destroy(json: *mut pm_json);
    pub fn pm_json_size_in_bytes(json: *const pm_json) -> usize;
    pub fn pm_json_token_count(json: *const pm_json) -> u64;
    pub fn pm_json_tokens(json: *const pm_json, begin: u64, end: u64, capacity: u64, offsets: *mut u64) -> u64;
    pub fn pm_json_next_token(json: *const pm_json, offset: u64) -> u64;
    pub fn pm_json_partner(json: *const pm_json, offset: u64) -> u64;
    pub fn pm_json_root(json: *const pm_json) -> u64;
    pub fn pm_json_kind_of(json: *const pm_json, value: u64) -> c_int;
    pub fn pm_json_skip(json: *const pm_json, value: u64) -> u64;
    pub fn pm_json_first(json: *const pm_json, container: u64) -> u64;
    pub fn pm_json_next(json: *const pm_json, item: u64) -> u64;
    pub fn pm_json_member(json: *const pm_json, key: u64) -> u64;
    pub fn pm_json_count(json: *const pm_json, container: u64) -> u64;
    pub fn pm_json_pointer(
        json: *const pm_json,
        pointer: *const c_char,
        length: usize,
        value: *mut pm_json_range,
    ) -> pm_status;

    pub fn pm_box_auto(
        context: *mut pm_context,
        kinds: *const u8,
        boxes: *const pm_box,
        n: usize,
        out: *mut pm_box,
    ) -> pm_status;

    pub fn pm_dict_create_explained(
        context: *mut pm_context,
        patterns: *const *const c_char,
        lengths: *const usize,
        count: usize,
        flags: u32,
        dict: *mut *mut pm_dict,
        fault: *mut pm_dict_fault,
    ) -> pm_status;
    pub fn pm_dict_destroy(dict: *mut pm_dict);
    pub fn pm_dict_count(dict: *const pm_dict) -> usize;
    pub fn pm_dict_pattern_at(dict: *const pm_dict, pattern: usize, length: *mut usize) -> *const c_char;
    pub fn pm_dict_size_in_bytes(dict: *const pm_dict) -> usize;
    pub fn pm_find_with(
        context: *mut pm_context,
        dict: *const pm_dict,
        options: *const pm_find_options,
        text: *const c_char,
        n: usize,
        hits: *mut pm_hit,
        capacity: usize,
        found: *mut usize,
    ) -> pm_status;
}
