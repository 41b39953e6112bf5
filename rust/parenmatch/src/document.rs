// SPDX-License-Identifier: Apache-2.0
//! A text that changes.
use crate::error::{found, succeed, Error, Result};
use crate::text::{add_fault, Fault, Faults, Language, Place, Report, Summary};
use parenmatch_sys as sys;
use std::fmt;
use std::os::raw::c_char;
use std::ptr;

/// A bracket of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DocumentBracket {
    /// The offset in bytes.
    pub offset: u64,
    /// Brackets around it: 0 for an outermost pair, and for an unmatched close.
    pub depth: u64,
    /// Its kind, as the language counts them.
    pub kind: u8,
    /// Whether it is an open.
    pub open: bool,
    /// Whether it is unmatched, or its partner has another kind.
    pub faulty: bool,
}

impl From<sys::pm_document_bracket> for DocumentBracket {
    fn from(b: sys::pm_document_bracket) -> DocumentBracket {
        DocumentBracket { offset: b.offset, depth: b.depth, kind: b.kind, open: b.open, faulty: b.faulty }
    }
}

/// A text that changes. After each edit it knows what [`check`](crate::check()) would find. It has a copy of the text.
///
/// An edit reads some thousand bytes again, wherever it is; a query first reads what its answer depends on, so most
/// take `&mut self`. Languages with delimiters (XML, LaTeX) are [`Error::Unsupported`].
///
/// ```
/// use parenmatch::{Document, Language};
/// let mut document = Document::new(r#"{"a": [1, 2}"#, Language::by_name("json").unwrap())?;
/// assert_eq!(document.faults(0)?[0].to_string(), "1:12: kind mismatch, its open is at 1:7");
/// document.replace(11, 0, "]")?;
/// assert!(document.report()?.is_ok());
/// assert_eq!((document.partner(6), document.partner(7)), (Some(11), None));
/// # Ok::<(), parenmatch::Error>(())
/// ```
pub struct Document {
    handle: *mut sys::pm_document,
}

// It may move between threads; one at a time may use it, so it is not Sync. The memory is that of malloc.
unsafe impl Send for Document {}

impl Document {
    /// Copies a text of at most 2^32 - 1 bytes.
    pub fn new(text: impl AsRef<[u8]>, language: Language) -> Result<Document> {
        let text = text.as_ref();
        let mut handle = ptr::null_mut();
        succeed(unsafe {
            let data = text.as_ptr().cast();
            sys::pm_document_create(ptr::null_mut(), language.as_ptr(), data, text.len(), &mut handle)
        })?;
        Ok(Document { handle })
    }

    /// Replaces bytes `at..at + removed`; [`Error::InvalidArgument`] if there are fewer. After a failure the document is
    /// as before.
    pub fn replace(&mut self, at: u64, removed: u64, text: impl AsRef<[u8]>) -> Result<()> {
        let text = text.as_ref();
        succeed(unsafe { sys::pm_document_replace(self.handle, at, removed, text.as_ptr().cast(), text.len()) })
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        unsafe { sys::pm_document_length(self.handle) }
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of memory that it takes, with the text.
    pub fn size_in_bytes(&self) -> usize {
        unsafe { sys::pm_document_size_in_bytes(self.handle) }
    }

    /// Returns bytes `at..at + n`; [`Error::InvalidArgument`] if there are fewer.
    pub fn read(&self, at: u64, n: usize) -> Result<Vec<u8>> {
        if at > self.len() || n as u64 > self.len() - at {
            return Err(Error::InvalidArgument);
        }
        let mut text = vec![0u8; n];
        succeed(unsafe { sys::pm_document_read(self.handle, at, n, text.as_mut_ptr().cast::<c_char>()) })?;
        Ok(text)
    }

    /// Returns line and column of an offset; of one past the end, those of the end.
    pub fn place(&self, offset: u64) -> Place {
        unsafe { sys::pm_document_place(self.handle, offset) }.into()
    }

    /// Returns the offset at which a line, counted from 1, begins.
    pub fn line_offset(&self, line: u64) -> Option<u64> {
        found(unsafe { sys::pm_document_line_offset(self.handle, line) })
    }

    /// Reads on behind edits that changed how the text is read, at most about `bytes` bytes; `u64::MAX`: all. Queries
    /// read what they need; this is for the time between edits.
    pub fn settle(&mut self, bytes: u64) -> Result<()> {
        succeed(unsafe { sys::pm_document_settle(self.handle, bytes) })
    }

    /// Returns the offset up to which the text is read as it is now; the length if all is.
    pub fn settled(&self) -> u64 {
        unsafe { sys::pm_document_settled(self.handle) }
    }

    /// Returns the totals of the text.
    pub fn summary(&mut self) -> Result<Summary> {
        let mut summary = sys::pm_check_summary::default();
        succeed(unsafe { sys::pm_document_summary(self.handle, &mut summary) })?;
        Ok(summary.into())
    }

    /// Returns the faults at offset `from` and behind it, in the order of [`check`](crate::check()).
    pub fn faults(&mut self, from: u64) -> Result<Vec<Fault>> {
        let mut faults = Faults::default();
        let user = ptr::addr_of_mut!(faults).cast();
        succeed(unsafe { sys::pm_document_faults(self.handle, from, Some(add_fault), user) })?;
        faults.take()
    }

    /// Returns what [`check`](crate::check()) returns for the text.
    pub fn report(&mut self) -> Result<Report> {
        Ok(Report { summary: self.summary()?, faults: self.faults(0)? })
    }

    /// Returns the offset of the partner of the bracket at an offset.
    pub fn partner(&mut self, offset: u64) -> Option<u64> {
        found(unsafe { sys::pm_document_partner(self.handle, offset) })
    }

    /// Returns the brackets in bytes `at..at + n`; [`Error::InvalidArgument`] if there are fewer bytes. Whether an open
    /// is faulty is answered as the text was last read up to its end; [`settle`](Document::settle) makes it exact.
    pub fn brackets(&mut self, at: u64, n: u64) -> Result<Vec<DocumentBracket>> {
        listed(|capacity, room, count| unsafe { sys::pm_document_brackets(self.handle, at, n, capacity, room, count) })
    }

    /// Returns the opens around an offset, innermost first; [`Error::InvalidArgument`] past the end.
    pub fn path(&mut self, offset: u64) -> Result<Vec<DocumentBracket>> {
        listed(|capacity, room, count| unsafe { sys::pm_document_path(self.handle, offset, capacity, room, count) })
    }
}

/// Calls `list` for the number of brackets, and again with room for them.
fn listed(
    mut list: impl FnMut(usize, *mut sys::pm_document_bracket, &mut usize) -> sys::pm_status,
) -> Result<Vec<DocumentBracket>> {
    let mut count = 0;
    succeed(list(0, ptr::null_mut(), &mut count))?;
    let mut room = vec![sys::pm_document_bracket::default(); count];
    succeed(list(count, room.as_mut_ptr(), &mut count))?;
    Ok(room.into_iter().map(DocumentBracket::from).collect())
}

impl Drop for Document {
    fn drop(&mut self) {
        unsafe { sys::pm_document_destroy(self.handle) }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("len", &self.len()).finish_non_exhaustive()
    }
}
