// SPDX-License-Identifier: Apache-2.0
//! Matches parentheses: each close gets its open, each open gets its parent. A binding of the C library parenmatch.
//!
//! ```
//! use parenmatch::{match_parens, Bp, Parens};
//!
//! let parens: Parens = "(()())".parse()?;
//! assert_eq!(match_parens(&parens)?, [parenmatch::NONE, 0, 1, 0, 3, 0]);
//! let tree = Bp::new(&parens)?;
//! assert_eq!((tree.find_close(0), tree.parent(3), tree.parent(0)), (Some(5), Some(0), None));
//! assert!(parenmatch::check("f(a[1])", parenmatch::Language::by_name("c").unwrap())?.is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sequences are packed, lowest bit first, 1 for an open: [`Bits`] borrows words, [`Parens`] owns them. Any sequence is
//! legal, of any depth. Offsets in texts count bytes.
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod boxes;
mod document;
mod error;
mod find;
mod json;
mod parens;
mod sequence;
mod text;

pub use boxes::{boxes, boxes_in_place, Node, Rect};
pub use document::{Document, DocumentBracket};
pub use error::{Error, Result};
pub use find::{Dictionary, DictionaryError, FindKind, Hit};
pub use json::{Json, JsonError, JsonKind};
pub use parens::{Bits, Parens, ParensError};
pub use sequence::{match_batch, match_parens, match_parens_into, Bp, Edit, Total, NONE};
pub use text::{check, Checker, Fault, FaultKind, Language, Place, Repair, RepairKind, Report, Summary};

/// Returns the version of the C library.
///
/// ```
/// assert!(parenmatch::library_version().starts_with("1."));
/// ```
pub fn library_version() -> &'static str {
    error::text_of(unsafe { parenmatch_sys::pm_version_string() })
}
