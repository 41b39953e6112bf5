// SPDX-License-Identifier: Apache-2.0
//! The match of sequences, and queries on them.
use crate::error::{found, succeed, Error, Result};
use crate::parens::{Bits, Parens};
use parenmatch_sys as sys;
use std::fmt;
use std::marker::PhantomData;
use std::ptr;

/// A match of an element that has none: the stack is empty there.
pub const NONE: u32 = sys::PM_NONE;

/// What a sequence leaves: its unmatched closes and opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Unmatched closes.
    pub closes: u64,
    /// Unmatched opens.
    pub opens: u64,
}

impl From<sys::pm_bic> for Total {
    fn from(total: sys::pm_bic) -> Total {
        Total { closes: total.close, opens: total.open }
    }
}

/// Returns for each element what is on top of the stack there: of a close its open, of an open its parent, or [`NONE`].
///
/// At most 2^32 - 1 elements; more is [`Error::TooLarge`]. Long sequences are matched by several threads.
///
/// ```
/// use parenmatch::{match_parens, Parens, NONE};
/// let parens: Parens = ")(()".parse()?;
/// assert_eq!(match_parens(&parens)?, [NONE, NONE, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn match_parens<'a>(parens: impl Into<Bits<'a>>) -> Result<Vec<u32>> {
    let parens = parens.into();
    if parens.len() > u32::MAX as usize {
        return Err(Error::TooLarge);
    }
    let mut result = vec![0; parens.len()];
    match_parens_into(parens, &mut result)?;
    Ok(result)
}

/// Does what [`match_parens`] does, in memory of the caller: one element for each of the sequence, else
/// [`Error::InvalidArgument`]. Returns what is left unmatched.
///
/// ```
/// let parens: parenmatch::Parens = "())".parse()?;
/// let mut result = [0; 3];
/// let total = parenmatch::match_parens_into(&parens, &mut result)?;
/// assert_eq!((total.closes, total.opens, result[1]), (1, 0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn match_parens_into<'a>(parens: impl Into<Bits<'a>>, result: &mut [u32]) -> Result<Total> {
    let parens = parens.into();
    if result.len() != parens.len() {
        return Err(Error::InvalidArgument);
    }
    let mut total = sys::pm_bic::default();
    succeed(unsafe {
        sys::pm_match_auto(ptr::null_mut(), parens.as_ptr(), parens.len(), result.as_mut_ptr(), &mut total)
    })?;
    Ok(total.into())
}

/// Matches many sequences that lie one after another: sequence `s` is the elements `offsets[s]..offsets[s + 1]`.
///
/// The result has an element for each of `offsets[0]..offsets[last]`; it counts from the beginning of its sequence.
/// Offsets that descend or exceed the elements are [`Error::InvalidArgument`]; so are no offsets at all.
///
/// ```
/// use parenmatch::{match_batch, Parens, NONE};
/// let parens: Parens = "()((".parse()?;
/// assert_eq!(match_batch(&parens, &[0, 2, 2, 4])?, [NONE, 0, NONE, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn match_batch<'a>(parens: impl Into<Bits<'a>>, offsets: &[u64]) -> Result<Vec<u32>> {
    let parens = parens.into();
    let ascending = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    let (first, last) = match (offsets.first(), offsets.last()) {
        (Some(&first), Some(&last)) if ascending && last <= parens.len() as u64 => (first as usize, last as usize),
        _ => return Err(Error::InvalidArgument),
    };
    let mut result = vec![NONE; last];
    succeed(unsafe {
        sys::pm_match_batch_auto(
            ptr::null_mut(),
            parens.as_ptr(),
            offsets.as_ptr(),
            offsets.len() - 1,
            result.as_mut_ptr(),
            ptr::null_mut(),
        )
    })?;
    result.drain(..first);
    Ok(result)
}

/// An index for queries on a sequence, each in nanoseconds, in 0.075 bits an element. The sequence is borrowed.
///
/// Any number of threads may ask at once.
///
/// ```
/// use parenmatch::{Bp, Parens};
/// let parens: Parens = "(()(()))".parse()?;
/// let tree = Bp::new(&parens)?;
/// assert_eq!((tree.find_close(3), tree.lca(1, 4), tree.degree(0), tree.parent(0)), (Some(6), Some(0), 2, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It does not outlive the sequence:
///
/// ```compile_fail
/// use parenmatch::{Bp, Parens};
/// let tree = Bp::new(&"()".parse::<Parens>().unwrap()).unwrap();
/// tree.find_close(0);
/// ```
pub struct Bp<'a> {
    handle: *mut sys::pm_bp,
    parens: PhantomData<&'a [u64]>,
}

// Queries change nothing and take no lock; the memory is that of malloc.
unsafe impl Send for Bp<'_> {}
unsafe impl Sync for Bp<'_> {}

impl<'a> Bp<'a> {
    /// Builds the index, with several threads where that pays. At most 2^48 elements.
    pub fn new(parens: impl Into<Bits<'a>>) -> Result<Bp<'a>> {
        let parens = parens.into();
        let mut handle = ptr::null_mut();
        succeed(unsafe { sys::pm_bp_create(ptr::null_mut(), parens.as_ptr(), parens.len() as u64, &mut handle) })?;
        Ok(Bp { handle, parens: PhantomData })
    }

    /// Returns the number of elements.
    pub fn len(&self) -> u64 {
        unsafe { sys::pm_bp_length(self.handle) }
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the index, without the sequence.
    pub fn size_in_bytes(&self) -> usize {
        unsafe { sys::pm_bp_size_in_bytes(self.handle) }
    }
}

impl Drop for Bp<'_> {
    fn drop(&mut self) {
        unsafe { sys::pm_bp_destroy(self.handle) }
    }
}

impl fmt::Debug for Bp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bp").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// A sequence that changes, with the queries of a [`Bp`]. It has a copy of the sequence.
///
/// ```
/// use parenmatch::{Edit, Parens};
/// let mut edit = Edit::new(&"(())".parse::<Parens>()?)?;
/// let before = edit.snapshot()?;
/// edit.replace(1, 2, &"()()".parse::<Parens>()?)?;
/// assert_eq!((edit.find_close(0), edit.degree(0), before.find_close(0)), (Some(5), 2, Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Edit {
    handle: *mut sys::pm_edit,
}

// Queries, reads and snapshots change nothing; the memory is that of malloc.
unsafe impl Send for Edit {}
unsafe impl Sync for Edit {}

impl Edit {
    /// Copies a sequence of at most 2^40 elements.
    pub fn new<'a>(parens: impl Into<Bits<'a>>) -> Result<Edit> {
        let parens = parens.into();
        let mut handle = ptr::null_mut();
        succeed(unsafe { sys::pm_edit_create(ptr::null_mut(), parens.as_ptr(), parens.len() as u64, &mut handle) })?;
        Ok(Edit { handle })
    }

    /// Returns the number of elements.
    pub fn len(&self) -> u64 {
        unsafe { sys::pm_edit_length(self.handle) }
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the sequence, with what snapshots share.
    pub fn size_in_bytes(&self) -> usize {
        unsafe { sys::pm_edit_size_in_bytes(self.handle) }
    }

    /// Replaces elements `at..at + removed` by others; [`Error::InvalidArgument`] if there are fewer. After a failure
    /// the sequence is as before.
    pub fn replace<'a>(&mut self, at: u64, removed: u64, parens: impl Into<Bits<'a>>) -> Result<()> {
        let parens = parens.into();
        succeed(unsafe { sys::pm_edit_replace(self.handle, at, removed, parens.as_ptr(), parens.len() as u64) })
    }

    /// Returns elements `at..at + n`; [`Error::InvalidArgument`] if there are fewer.
    pub fn read(&self, at: u64, n: usize) -> Result<Parens> {
        if at > self.len() || n as u64 > self.len() - at {
            return Err(Error::InvalidArgument);
        }
        let mut words = vec![0; n / 64 + usize::from(n % 64 > 0)];
        succeed(unsafe { sys::pm_edit_read(self.handle, at, n as u64, words.as_mut_ptr()) })?;
        Ok(Parens::from_words(words, n))
    }

    /// Returns a second sequence with the same elements, in constant time. Each can be edited without the other.
    pub fn snapshot(&self) -> Result<Edit> {
        let mut handle = ptr::null_mut();
        succeed(unsafe { sys::pm_edit_snapshot(self.handle, &mut handle) })?;
        Ok(Edit { handle })
    }
}

impl Drop for Edit {
    fn drop(&mut self) {
        unsafe { sys::pm_edit_destroy(self.handle) }
    }
}

impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Makes the queries that an index and a sequence that changes share; each argument `name: function` is one of them.
macro_rules! queries {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),*) -> $answer:tt = $bp:ident, $edit:ident;)*) => {
        /// Every open is a node, named by its position. Where there is nothing to find, a query returns `None`.
        impl Bp<'_> {
            $( $(#[$doc])* pub fn $name(&self, $($argument: u64),*) -> answer!($answer) {
                answer!($answer, unsafe { sys::$bp(self.handle, $($argument),*) })
            } )*
        }
        /// Every open is a node, named by its position. Where there is nothing to find, a query returns `None`.
        impl Edit {
            $( $(#[$doc])* pub fn $name(&self, $($argument: u64),*) -> answer!($answer) {
                answer!($answer, unsafe { sys::$edit(self.handle, $($argument),*) })
            } )*
        }
    };
}

/// The type of an answer, and the answer: `place` may be missing.
macro_rules! answer {
    (place) => { Option<u64> };
    ($type:tt) => { $type };
    (place, $value:expr) => { found($value) };
    ($type:tt, $value:expr) => { $value };
}

queries! {
    /// Returns the number of opens among elements `0..i`; past the end, of all opens.
    rank_open(i) -> u64 = pm_bp_rank_open, pm_edit_rank_open;
    /// Returns the number of closes among elements `0..i`; past the end, of all closes.
    rank_close(i) -> u64 = pm_bp_rank_close, pm_edit_rank_close;
    /// Returns opens minus closes among elements `0..=i`; past the end, among all.
    excess(i) -> i64 = pm_bp_excess, pm_edit_excess;
    /// Returns the position of open `k`, counted from 0.
    select_open(k) -> place = pm_bp_select_open, pm_edit_select_open;
    /// Returns the position of close `k`, counted from 0.
    select_close(k) -> place = pm_bp_select_close, pm_edit_select_close;
    /// Returns unmatched open `k`, counted from 0 at the end, that is the top of the stack.
    select_unmatched_open(k) -> place = pm_bp_select_unmatched_open, pm_edit_select_unmatched_open;
    /// Returns unmatched close `k`, counted from 0 at the beginning.
    select_unmatched_close(k) -> place = pm_bp_select_unmatched_close, pm_edit_select_unmatched_close;
    /// Returns the close that matches the open at `i`.
    find_close(i) -> place = pm_bp_find_close, pm_edit_find_close;
    /// Returns the open that matches the close at `i`.
    find_open(i) -> place = pm_bp_find_open, pm_edit_find_open;
    /// Returns the match of `i`: of an open its parent, of a close its open.
    enclose(i) -> place = pm_bp_enclose, pm_edit_enclose;
    /// Returns the parent of a node.
    parent(node) -> place = pm_bp_parent, pm_edit_parent;
    /// Returns the number of ancestors: 0 for a root.
    depth(node) -> place = pm_bp_depth, pm_edit_depth;
    /// Returns true for a node without children.
    is_leaf(node) -> bool = pm_bp_is_leaf, pm_edit_is_leaf;
    /// Returns the first child.
    first_child(node) -> place = pm_bp_first_child, pm_edit_first_child;
    /// Returns the last child.
    last_child(node) -> place = pm_bp_last_child, pm_edit_last_child;
    /// Returns the next sibling.
    next_sibling(node) -> place = pm_bp_next_sibling, pm_edit_next_sibling;
    /// Returns the previous sibling.
    prev_sibling(node) -> place = pm_bp_prev_sibling, pm_edit_prev_sibling;
    /// Returns the number of nodes in the subtree, including the node itself; 0 if no node is there.
    subtree_size(node) -> u64 = pm_bp_subtree_size, pm_edit_subtree_size;
    /// Returns the number of children; 0 if no node is there.
    degree(node) -> u64 = pm_bp_degree, pm_edit_degree;
    /// Returns child `k`, counted from 0.
    child(node, k) -> place = pm_bp_child, pm_edit_child;
    /// Returns the ancestor `distance` steps up, 0 being the node itself.
    level_ancestor(node, distance) -> place = pm_bp_level_ancestor, pm_edit_level_ancestor;
    /// Returns true if `ancestor` is an ancestor of `node`, or the node itself.
    is_ancestor(ancestor, node) -> bool = pm_bp_is_ancestor, pm_edit_is_ancestor;
    /// Returns the lowest common ancestor, which may be one of the two.
    lca(a, b) -> place = pm_bp_lca, pm_edit_lca;
    /// Returns the number of nodes before the node in preorder.
    preorder_rank(node) -> place = pm_bp_preorder_rank, pm_edit_preorder_rank;
    /// Returns node `k` in preorder, counted from 0.
    preorder_select(k) -> place = pm_bp_preorder_select, pm_edit_preorder_select;
}
