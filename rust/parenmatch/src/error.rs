// SPDX-License-Identifier: Apache-2.0
//! Failures of calls.
use parenmatch_sys as sys;
use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_char;

/// Why the C library refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// An argument has no sense: a place past the end, offsets that descend.
    InvalidArgument,
    /// There is no memory.
    OutOfMemory,
    /// An argument is past a documented limit.
    TooLarge,
    /// Not supported here, such as a document in a language with delimiters.
    Unsupported,
    /// A status that these calls do not return.
    Other(i32),
}

/// What a call returns that may fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn status(self) -> sys::pm_status {
        match self {
            Error::InvalidArgument => sys::PM_INVALID_ARGUMENT,
            Error::OutOfMemory => sys::PM_OUT_OF_MEMORY,
            Error::TooLarge => sys::PM_TOO_LARGE,
            Error::Unsupported => sys::PM_UNSUPPORTED,
            Error::Other(status) => status,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(text_of(unsafe { sys::pm_status_string(self.status()) }))
    }
}

impl std::error::Error for Error {}

pub(crate) fn succeed(status: sys::pm_status) -> Result<()> {
    Err(match status {
        sys::PM_OK => return Ok(()),
        sys::PM_INVALID_ARGUMENT => Error::InvalidArgument,
        sys::PM_OUT_OF_MEMORY => Error::OutOfMemory,
        sys::PM_TOO_LARGE => Error::TooLarge,
        sys::PM_UNSUPPORTED => Error::Unsupported,
        other => Error::Other(other),
    })
}

/// An answer that is the largest value if nothing is found.
pub(crate) fn found(answer: u64) -> Option<u64> {
    (answer != sys::PM_BP_NONE).then_some(answer)
}

/// A string of the library, in static storage, in ASCII.
pub(crate) fn text_of(text: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("?")
}
