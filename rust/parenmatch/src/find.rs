// SPDX-License-Identifier: Apache-2.0
//! Search for many patterns at once.
use crate::error::{succeed, text_of, Error, Result};
use parenmatch_sys as sys;
use std::fmt;
use std::ops::Range;
use std::os::raw::c_char;
use std::ptr;

/// Which occurrences a search returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindKind {
    /// Every occurrence.
    #[default]
    All = 0,
    /// The longest for each start; hits with different starts may overlap.
    Longest = 1,
    /// No overlaps, from left to right; the longest for each start.
    LeftmostLongest = 2,
    /// No overlaps, from left to right; for each start the pattern that comes first in the dictionary.
    LeftmostFirst = 3,
}

/// An occurrence of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hit {
    /// The offset of its first byte.
    pub start: usize,
    /// The number of the pattern in the dictionary.
    pub pattern: usize,
    /// Its length in bytes.
    pub length: usize,
}

impl Hit {
    /// Returns its bytes of the text.
    pub fn range(self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

/// Any number of patterns, which are arbitrary bytes. It never changes; threads may share it.
///
/// ```
/// use parenmatch::{Dictionary, FindKind};
/// let dictionary = Dictionary::new(["he", "she", "hers"])?;
/// let text = "ushers";
/// let words: Vec<_> = dictionary.find(text, FindKind::All)?.iter().map(|hit| &text[hit.range()]).collect();
/// assert_eq!(words, ["she", "he", "hers"]);
/// assert_eq!(dictionary.count(text, FindKind::LeftmostLongest)?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Dictionary {
    handle: *mut sys::pm_dict,
}

// It never changes. The memory is that of malloc.
unsafe impl Send for Dictionary {}
unsafe impl Sync for Dictionary {}

impl Dictionary {
    /// Copies patterns, which are numbered from 0. Empty and equal ones are refused.
    pub fn new<P: AsRef<[u8]>>(
        patterns: impl IntoIterator<Item = P>,
    ) -> std::result::Result<Dictionary, DictionaryError> {
        Dictionary::with_flags(patterns, 0)
    }

    /// Makes a dictionary that ignores the case of the letters A to Z.
    ///
    /// ```
    /// use parenmatch::{Dictionary, FindKind};
    /// assert_eq!(Dictionary::ignoring_case(["abc"])?.count("ABCabC", FindKind::All)?, 2);
    /// let error = Dictionary::ignoring_case(["ab", "AB"]).unwrap_err();
    /// assert_eq!((error.pattern, error.equal), (Some(1), Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ignoring_case<P: AsRef<[u8]>>(
        patterns: impl IntoIterator<Item = P>,
    ) -> std::result::Result<Dictionary, DictionaryError> {
        Dictionary::with_flags(patterns, sys::PM_DICT_IGNORE_CASE)
    }

    fn with_flags<P: AsRef<[u8]>>(
        patterns: impl IntoIterator<Item = P>,
        flags: u32,
    ) -> std::result::Result<Dictionary, DictionaryError> {
        let patterns: Vec<P> = patterns.into_iter().collect();
        // Asked once: the next answer may be other bytes.
        let patterns: Vec<&[u8]> = patterns.iter().map(P::as_ref).collect();
        let starts: Vec<*const c_char> = patterns.iter().map(|pattern| pattern.as_ptr().cast()).collect();
        let lengths: Vec<usize> = patterns.iter().map(|pattern| pattern.len()).collect();
        let mut fault = sys::pm_dict_fault { reason: ptr::null(), pattern: usize::MAX, equal: usize::MAX };
        let mut handle = ptr::null_mut();
        let status = unsafe {
            let (starts, lengths) = (starts.as_ptr(), lengths.as_ptr());
            let context = ptr::null_mut();
            sys::pm_dict_create_explained(context, starts, lengths, patterns.len(), flags, &mut handle, &mut fault)
        };
        match succeed(status) {
            Ok(()) => Ok(Dictionary { handle }),
            Err(error) => Err(DictionaryError {
                error,
                reason: (!fault.reason.is_null()).then(|| text_of(fault.reason)),
                pattern: (fault.pattern != usize::MAX).then_some(fault.pattern),
                equal: (fault.equal != usize::MAX).then_some(fault.equal),
            }),
        }
    }

    /// Returns the number of patterns.
    pub fn len(&self) -> usize {
        unsafe { sys::pm_dict_count(self.handle) }
    }

    /// Returns whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a pattern as it was given; `None` past the last.
    pub fn pattern(&self, pattern: usize) -> Option<&[u8]> {
        let mut length = 0;
        let bytes = unsafe { sys::pm_dict_pattern_at(self.handle, pattern, &mut length) };
        (!bytes.is_null()).then(|| unsafe { std::slice::from_raw_parts(bytes.cast(), length) })
    }

    /// Returns the bytes of memory that it takes.
    pub fn size_in_bytes(&self) -> usize {
        unsafe { sys::pm_dict_size_in_bytes(self.handle) }
    }

    /// Returns the hits in a text, ordered by start and then by pattern, on all threads where that pays.
    pub fn find(&self, text: impl AsRef<[u8]>, kind: FindKind) -> Result<Vec<Hit>> {
        let text = text.as_ref();
        let mut room = vec![sys::pm_hit::default(); text.len() / 64 + 16];
        let mut count = self.search(text, kind, &mut room)?;
        if count > room.len() {
            room.try_reserve_exact(count - room.len()).map_err(|_| Error::OutOfMemory)?;
            room.resize(count, sys::pm_hit::default());
            count = self.search(text, kind, &mut room)?;
        }
        let hit = |hit: &sys::pm_hit| Hit {
            start: hit.start as usize,
            pattern: hit.pattern as usize,
            length: hit.length as usize,
        };
        Ok(room[..count].iter().map(hit).collect())
    }

    /// Returns the number of hits in a text.
    pub fn count(&self, text: impl AsRef<[u8]>, kind: FindKind) -> Result<usize> {
        self.search(text.as_ref(), kind, &mut [])
    }

    fn search(&self, text: &[u8], kind: FindKind, room: &mut [sys::pm_hit]) -> Result<usize> {
        let options = sys::pm_find_options {
            struct_size: std::mem::size_of::<sys::pm_find_options>(),
            kind: kind as i32,
            engine: ptr::null(),
            backend: ptr::null(),
        };
        let mut found = 0;
        succeed(unsafe {
            let (data, hits) = (text.as_ptr().cast(), room.as_mut_ptr());
            sys::pm_find_with(ptr::null_mut(), self.handle, &options, data, text.len(), hits, room.len(), &mut found)
        })?;
        Ok(found)
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        unsafe { sys::pm_dict_destroy(self.handle) }
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dictionary").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Why patterns make no [`Dictionary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DictionaryError {
    /// What the library returned.
    pub error: Error,
    /// The fault or the limit, if the patterns are at fault.
    pub reason: Option<&'static str>,
    /// The number of the pattern at fault, if it is a single one.
    pub pattern: Option<usize>,
    /// The earlier pattern that it equals.
    pub equal: Option<usize>,
}

impl fmt::Display for DictionaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pattern, self.reason) {
            (Some(pattern), Some(reason)) => write!(f, "pattern {pattern}: {reason}"),
            (None, Some(reason)) => f.write_str(reason),
            (_, None) => self.error.fmt(f),
        }
    }
}

impl std::error::Error for DictionaryError {}
