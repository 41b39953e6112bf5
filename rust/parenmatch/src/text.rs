// SPDX-License-Identifier: Apache-2.0
//! Brackets and delimiters of texts.
use crate::error::{succeed, text_of, Error, Result};
use crate::sequence::Total;
use parenmatch_sys as sys;
use std::ffi::CString;
use std::fmt;
use std::os::raw::{c_char, c_void};
use std::ptr::{self, NonNull};

/// A language: its brackets or delimiters, its strings and comments. Those of the library never change.
///
/// ```
/// use parenmatch::Language;
/// assert_eq!(Language::by_name("json"), Some(Language::by_path("a.json")));
/// assert_eq!(Language::by_path("a/b.rs").name(), "rust");
/// assert!(Language::all().any(|language| language.name() == "xml"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(NonNull<sys::pm_language>);

// In static storage, and never written.
unsafe impl Send for Language {}
unsafe impl Sync for Language {}

impl Language {
    /// Returns the language of a name or alias, such as "json".
    pub fn by_name(name: &str) -> Option<Language> {
        let name = CString::new(name).ok()?;
        Language::of(unsafe { sys::pm_language_by_name(name.as_ptr()) })
    }

    /// Returns the language of a file name by its ending; that of plain text if the ending is unknown.
    pub fn by_path(path: &str) -> Language {
        let path = CString::new(path).unwrap_or_default();
        Language::of(unsafe { sys::pm_language_by_path(path.as_ptr()) }).unwrap_or_default()
    }

    /// Iterates over all languages, that of plain text first.
    pub fn all() -> impl Iterator<Item = Language> {
        (0..).map_while(|k| Language::of(unsafe { sys::pm_language_at(k) }))
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        text_of(unsafe { sys::pm_language_name(self.as_ptr()) })
    }

    fn of(language: *const sys::pm_language) -> Option<Language> {
        NonNull::new(language as *mut sys::pm_language).map(Language)
    }

    pub(crate) fn as_ptr(self) -> *const sys::pm_language {
        self.0.as_ptr()
    }
}

/// Plain text: all brackets count.
impl Default for Language {
    fn default() -> Language {
        Language::of(unsafe { sys::pm_language_at(0) }).expect("the first language is plain text")
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Language").field(&self.name()).finish()
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The offset in bytes.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in bytes.
    pub column: u64,
}

impl From<sys::pm_place> for Place {
    fn from(place: sys::pm_place) -> Place {
        Place { offset: place.offset, line: place.line, column: place.column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What is wrong at a place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A close with no open left.
    UnmatchedClose,
    /// An open that is never closed.
    UnmatchedOpen,
    /// A close whose open, which begins here, has another kind.
    KindMismatch(Place),
    /// A string or comment that the end of the text cuts off.
    Unterminated,
    /// In JSON: a token that may not stand there; of no length: the end of the text.
    Misplaced,
    /// In JSON: a token behind the text's value.
    Trailing,
    /// In JSON: a byte that is not UTF-8, a control character in a string, or a backslash outside.
    BadByte,
}

/// What a repair does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepairKind {
    /// A bracket is missing whose partner is here.
    Insert(Place),
    /// A bracket is one too many.
    Remove,
    /// A close has another kind than its open, which is here.
    Replace(Place),
}

/// A change of a text that probably mends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repair {
    /// What it does.
    pub kind: RepairKind,
    /// Where: the bracket, or the byte before which one is missing.
    pub at: Place,
    /// The bracket that is missing, or one too many, or in place of the one that is there.
    pub byte: u8,
    /// Of a missing bracket: it stands in a new line before `at`, indented as the line of its partner.
    pub new_line: bool,
    /// No other repair of the text is nearly as likely.
    pub certain: bool,
}

impl From<&sys::pm_repair> for Repair {
    fn from(repair: &sys::pm_repair) -> Repair {
        let kind = match repair.kind {
            0 => RepairKind::Insert(repair.partner.into()),
            1 => RepairKind::Remove,
            _ => RepairKind::Replace(repair.partner.into()),
        };
        let (at, byte) = (repair.at.into(), repair.byte as u8);
        Repair { kind, at, byte, new_line: repair.new_line, certain: repair.certain }
    }
}

/// One fault of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where.
    pub at: Place,
    /// Bytes of what is there.
    pub length: u64,
    /// How the text is probably to be mended, if the fault is a mistake that [`Checker::set_repairs`] asked for.
    pub repair: Option<Repair>,
}

impl From<&sys::pm_diagnostic> for Fault {
    fn from(diagnostic: &sys::pm_diagnostic) -> Fault {
        let kind = match diagnostic.fault {
            0 => FaultKind::UnmatchedClose,
            1 => FaultKind::UnmatchedOpen,
            2 => FaultKind::KindMismatch(diagnostic.partner.into()),
            3 => FaultKind::Unterminated,
            4 => FaultKind::Misplaced,
            5 => FaultKind::Trailing,
            _ => FaultKind::BadByte,
        };
        let repair = diagnostic.has_repair.then(|| (&diagnostic.repair).into());
        Fault { kind, at: diagnostic.at.into(), length: diagnostic.length, repair }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::UnmatchedClose => write!(f, "{}: unmatched close", self.at),
            FaultKind::UnmatchedOpen => write!(f, "{}: unmatched open", self.at),
            FaultKind::KindMismatch(open) => write!(f, "{}: kind mismatch, its open is at {open}", self.at),
            FaultKind::Unterminated => write!(f, "{}: unterminated", self.at),
            FaultKind::Misplaced => write!(f, "{}: misplaced", self.at),
            FaultKind::Trailing => write!(f, "{}: trailing", self.at),
            FaultKind::BadByte => write!(f, "{}: bad byte", self.at),
        }
    }
}

/// The totals of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bytes of text.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Brackets or delimiters outside strings and comments.
    pub brackets: u64,
    /// The largest number of them open at once.
    pub max_depth: u64,
    /// Unmatched ones.
    pub unmatched: Total,
    /// Pairs of two different kinds.
    pub mismatched: u64,
    /// 1 if the end cut off a string or comment.
    pub unterminated: u64,
}

impl Summary {
    /// Returns whether the text has no fault.
    pub fn is_ok(&self) -> bool {
        self.unmatched == Total::default() && self.mismatched == 0 && self.unterminated == 0
    }
}

impl From<sys::pm_check_summary> for Summary {
    fn from(s: sys::pm_check_summary) -> Summary {
        Summary {
            bytes: s.bytes,
            lines: s.lines,
            brackets: s.brackets,
            max_depth: s.max_depth,
            unmatched: s.unmatched.into(),
            mismatched: s.mismatched,
            unterminated: s.unterminated,
        }
    }
}

/// The faults of a text and its totals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The faults in the order of their places; opens never closed, and what is unterminated, come last.
    pub faults: Vec<Fault>,
    /// The totals.
    pub summary: Summary,
}

impl Report {
    /// Returns whether the text has no fault.
    pub fn is_ok(&self) -> bool {
        self.summary.is_ok()
    }
}

/// Collects the faults of a text.
#[derive(Default)]
pub(crate) struct Faults {
    list: Vec<Fault>,
    lost: bool, // there was no memory for one
}

impl Faults {
    /// Returns the faults and begins the next text.
    pub(crate) fn take(&mut self) -> Result<Vec<Fault>> {
        let faults = std::mem::take(self);
        if faults.lost {
            return Err(Error::OutOfMemory);
        }
        Ok(faults.list)
    }
}

/// Appends a diagnostic to the [`Faults`] that `faults` points to.
pub(crate) unsafe extern "C" fn add_fault(diagnostic: *const sys::pm_diagnostic, faults: *mut c_void) -> bool {
    let (diagnostic, faults) = unsafe { (&*diagnostic, &mut *faults.cast::<Faults>()) };
    faults.lost |= faults.list.try_reserve(1).is_err();
    if !faults.lost {
        faults.list.push(diagnostic.into());
    }
    !faults.lost
}

/// Checks the brackets or delimiters of a text; strings and comments of the language are skipped.
///
/// ```
/// use parenmatch::{check, Language};
/// let report = check("<p>\n<b></p>", Language::by_name("xml").unwrap())?;
/// let faults: Vec<String> = report.faults.iter().map(|fault| fault.to_string()).collect();
/// assert_eq!(faults, ["2:4: kind mismatch, its open is at 2:1", "1:1: unmatched open"]);
/// # Ok::<(), parenmatch::Error>(())
/// ```
pub fn check(text: impl AsRef<[u8]>, language: Language) -> Result<Report> {
    Checker::new(language)?.check(text)
}

/// Checks a text that arrives in chunks, or many texts.
///
/// ```
/// use parenmatch::{Checker, Language};
/// let mut checker = Checker::new(Language::by_name("json").unwrap())?;
/// checker.push(r#"{"a": [1, "x"#)?;
/// assert_eq!(checker.suffix()?, br#""]}"#);
/// checker.push(r#"y"]}"#)?;
/// assert!(checker.finish()?.is_ok());
/// # Ok::<(), parenmatch::Error>(())
/// ```
pub struct Checker {
    handle: *mut sys::pm_check,
    faults: *mut Faults, // of a Box: the library has this address
}

// It is used by one thread at a time, by &mut; the memory is that of malloc.
unsafe impl Send for Checker {}
unsafe impl Sync for Checker {}

impl Checker {
    /// Makes a checker of texts in a language.
    pub fn new(language: Language) -> Result<Checker> {
        let mut checker = Checker { handle: ptr::null_mut(), faults: Box::into_raw(Box::default()) };
        let (language, faults) = (language.as_ptr(), checker.faults.cast());
        succeed(unsafe {
            sys::pm_check_create(ptr::null_mut(), language, ptr::null(), Some(add_fault), faults, &mut checker.handle)
        })?;
        Ok(checker)
    }

    /// Makes [`Checker::check`] report the mistakes behind the faults of a text, each with its repair, as far as one is
    /// found; not in records, delimiters and long texts. [`Error::InvalidArgument`] within a text.
    ///
    /// ```
    /// use parenmatch::{Checker, Language};
    /// let mut checker = Checker::new(Language::by_name("c").unwrap())?;
    /// checker.set_repairs(true)?;
    /// let report = checker.check("void f(void) {\n    if (a) {\n        g();\n}\n")?;
    /// let (fault, repair) = (report.faults[0], report.faults[0].repair.unwrap());
    /// assert_eq!(fault.to_string(), "2:12: unmatched open");
    /// assert_eq!((repair.byte, repair.at.line), (b'}', 4));
    /// # Ok::<(), parenmatch::Error>(())
    /// ```
    pub fn set_repairs(&mut self, wanted: bool) -> Result<()> {
        succeed(unsafe { sys::pm_check_set_repairs(self.handle, wanted) })
    }

    /// Appends a chunk. A character may be cut.
    pub fn push(&mut self, text: impl AsRef<[u8]>) -> Result<()> {
        let text = text.as_ref();
        succeed(unsafe { sys::pm_check_push(self.handle, text.as_ptr().cast(), text.len()) })
    }

    /// Ends the text; the checker is then ready for the next one.
    pub fn finish(&mut self) -> Result<Report> {
        let mut summary = sys::pm_check_summary::default();
        let status = unsafe { sys::pm_check_finish(self.handle, &mut summary) };
        self.report(status, summary)
    }

    /// Appends a text and ends it, without a copy.
    pub fn check(&mut self, text: impl AsRef<[u8]>) -> Result<Report> {
        let text = text.as_ref();
        let mut summary = sys::pm_check_summary::default();
        let status = unsafe { sys::pm_check_text(self.handle, text.as_ptr().cast(), text.len(), &mut summary) };
        self.report(status, summary)
    }

    /// Returns the bytes that complete the text so far: the end of its string or comment, then its closes.
    /// [`Error::Unsupported`] if nothing completes it.
    pub fn suffix(&mut self) -> Result<Vec<u8>> {
        let mut length = 0;
        succeed(unsafe { sys::pm_check_suffix(self.handle, ptr::null_mut(), 0, &mut length) })?;
        let mut suffix = vec![0u8; length];
        let room = suffix.as_mut_ptr().cast::<c_char>();
        succeed(unsafe { sys::pm_check_suffix(self.handle, room, suffix.len(), &mut length) })?;
        Ok(suffix)
    }

    fn report(&mut self, status: sys::pm_status, summary: sys::pm_check_summary) -> Result<Report> {
        let faults = unsafe { &mut *self.faults }.take();
        succeed(status)?;
        Ok(Report { faults: faults?, summary: summary.into() })
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        unsafe {
            sys::pm_check_destroy(self.handle);
            drop(Box::from_raw(self.faults));
        }
    }
}

impl fmt::Debug for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").finish_non_exhaustive()
    }
}
