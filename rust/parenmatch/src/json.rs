// SPDX-License-Identifier: Apache-2.0
//! The structure of JSON texts.
use crate::error::{found, succeed, Error, Result};
use crate::text::Fault;
use parenmatch_sys as sys;
use std::fmt;
use std::iter;
use std::ops::Range;
use std::ptr;

/// What a value, or a key, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string, or a key.
    String,
    /// A number, true, false or null, or whatever stands in its place.
    Scalar,
}

/// Where the values of a JSON text (RFC 8259) are, without a tree of objects. It borrows the text; threads may share it.
///
/// A value, key or token is named by the offset at which it begins; any other offset is answered with `None`. The order
/// of tokens, brackets and UTF-8 are checked; letters of numbers, true, false and null, and escapes are not.
///
/// ```
/// use parenmatch::{Json, JsonKind};
/// let text = r#"{"name": "x", "list": [1, {"deep": [2]}]}"#;
/// let json = Json::new(text)?;
/// let deep = json.pointer("/list/1/deep")?.unwrap();
/// assert_eq!((&text[deep.clone()], json.kind(deep.start)), ("[2]", Some(JsonKind::Array)));
/// let names: Vec<_> = json.members(json.root()).map(|(key, _)| &text[json.range(key).unwrap()]).collect();
/// assert_eq!(names, [r#""name""#, r#""list""#]);
/// assert_eq!(Json::new("[1, 2}").unwrap_err().to_string(), "1:6: kind mismatch, its open is at 1:1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Json<'a> {
    handle: *mut sys::pm_json,
    text: &'a [u8],
}

// It never changes. The memory is that of malloc.
unsafe impl Send for Json<'_> {}
unsafe impl Sync for Json<'_> {}

impl<'a> Json<'a> {
    /// Reads a text of at most 2^32 - 1 bytes: one value, with white space around it.
    pub fn new<T: AsRef<[u8]> + ?Sized>(text: &'a T) -> std::result::Result<Json<'a>, JsonError> {
        let text = text.as_ref();
        let mut handle = ptr::null_mut();
        let mut fault = std::mem::MaybeUninit::<sys::pm_diagnostic>::zeroed();
        let status = unsafe {
            sys::pm_json_create(ptr::null_mut(), text.as_ptr().cast(), text.len(), fault.as_mut_ptr(), &mut handle)
        };
        match status {
            // All zeros are a diagnostic, and after this status the library has written one.
            sys::PM_CORRUPT => Err(JsonError::Fault(unsafe { fault.assume_init_ref() }.into())),
            _ => succeed(status).map(|()| Json { handle, text }).map_err(JsonError::Refused),
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns the bytes of memory that it takes, without the text.
    pub fn size_in_bytes(&self) -> usize {
        unsafe { sys::pm_json_size_in_bytes(self.handle) }
    }

    /// Returns the offset of the text's value.
    pub fn root(&self) -> usize {
        unsafe { sys::pm_json_root(self.handle) as usize }
    }

    /// Returns what value or key begins at an offset.
    pub fn kind(&self, value: usize) -> Option<JsonKind> {
        match unsafe { sys::pm_json_kind_of(self.handle, value as u64) } {
            1 => Some(JsonKind::Object),
            2 => Some(JsonKind::Array),
            3 => Some(JsonKind::String),
            4 => Some(JsonKind::Scalar),
            _ => None,
        }
    }

    /// Returns the bytes of the value or key that begins at an offset. Takes constant time for a container.
    pub fn range(&self, value: usize) -> Option<Range<usize>> {
        place(unsafe { sys::pm_json_skip(self.handle, value as u64) }).map(|end| value..end)
    }

    /// Returns the partner of the bracket at an offset, in constant time.
    pub fn partner(&self, offset: usize) -> Option<usize> {
        place(unsafe { sys::pm_json_partner(self.handle, offset as u64) })
    }

    /// Returns the first token at or behind an offset: a bracket, comma, colon, string or scalar.
    pub fn next_token(&self, offset: usize) -> Option<usize> {
        place(unsafe { sys::pm_json_next_token(self.handle, offset as u64) })
    }

    /// Returns the offsets of all tokens.
    ///
    /// ```
    /// assert_eq!(parenmatch::Json::new("[1, \"a,\"]")?.tokens(), [0, 1, 2, 4, 8]);
    /// # Ok::<(), parenmatch::JsonError>(())
    /// ```
    pub fn tokens(&self) -> Vec<u64> {
        let count = unsafe { sys::pm_json_token_count(self.handle) };
        let mut offsets = vec![0; count as usize];
        unsafe { sys::pm_json_tokens(self.handle, 0, u64::MAX, count, offsets.as_mut_ptr()) };
        offsets
    }

    /// Returns the number of members or elements of a container, stepping over each; 0 if no container begins there.
    pub fn count(&self, container: usize) -> u64 {
        unsafe { sys::pm_json_count(self.handle, container as u64) }
    }

    /// Iterates over the elements of the array that begins at an offset; over none if no array does.
    ///
    /// ```
    /// let json = parenmatch::Json::new("[7, [8, 9], {}]")?;
    /// assert_eq!(json.elements(0).collect::<Vec<_>>(), [1, 4, 12]);
    /// # Ok::<(), parenmatch::JsonError>(())
    /// ```
    pub fn elements(&self, array: usize) -> impl Iterator<Item = usize> + '_ {
        self.items(array, JsonKind::Array)
    }

    /// Iterates over the keys of the object that begins at an offset, each with its value; over none if no object does.
    pub fn members(&self, object: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.items(object, JsonKind::Object).filter_map(move |key| {
            let value = place(unsafe { sys::pm_json_member(self.handle, key as u64) })?;
            Some((key, value))
        })
    }

    fn items(&self, container: usize, kind: JsonKind) -> impl Iterator<Item = usize> + '_ {
        let first = unsafe { sys::pm_json_first(self.handle, container as u64) };
        let first = if self.kind(container) == Some(kind) { place(first) } else { None };
        iter::successors(first, move |&item| place(unsafe { sys::pm_json_next(self.handle, item as u64) }))
    }

    /// Returns the bytes of the value that a JSON Pointer (RFC 6901) names, such as "/a/0"; `None` if there is no such
    /// value, [`Error::InvalidArgument`] if it is not a JSON Pointer. Of equal keys the first counts.
    pub fn pointer(&self, pointer: impl AsRef<[u8]>) -> Result<Option<Range<usize>>> {
        let pointer = pointer.as_ref();
        let mut range = sys::pm_json_range::default();
        succeed(unsafe { sys::pm_json_pointer(self.handle, pointer.as_ptr().cast(), pointer.len(), &mut range) })?;
        Ok(place(range.begin).map(|begin| begin..range.end as usize))
    }
}

fn place(offset: u64) -> Option<usize> {
    found(offset).map(|offset| offset as usize)
}

impl Drop for Json<'_> {
    fn drop(&mut self) {
        unsafe { sys::pm_json_destroy(self.handle) }
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Json").field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}

/// Why a text has no [`Json`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonError {
    /// It is not JSON: its first fault.
    Fault(Fault),
    /// The library refused it: it is too long, or there is no memory.
    Refused(Error),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Fault(fault) => fault.fmt(f),
            JsonError::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JsonError {}
