// SPDX-License-Identifier: Apache-2.0
//! Packed sequences.
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A borrowed sequence: `len` bits of words, lowest first, 1 for an open.
///
/// ```
/// use parenmatch::{match_parens, Bits, Error};
/// let words = [0b001011];
/// assert_eq!(match_parens(Bits::new(&words, 6)?)?.len(), 6);
/// assert_eq!(Bits::new(&words, 65).unwrap_err(), Error::InvalidArgument);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    words: &'a [u64],
    len: usize,
}

impl<'a> Bits<'a> {
    /// Borrows the first `len` bits of words; [`Error::InvalidArgument`] if there are fewer.
    pub fn new(words: &'a [u64], len: usize) -> Result<Bits<'a>> {
        let enough = (len / 64).checked_add(usize::from(len % 64 > 0)).map_or(false, |needed| needed <= words.len());
        enough.then_some(Bits { words, len }).ok_or(Error::InvalidArgument)
    }

    /// Returns the number of elements.
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns whether element `i` is an open; `None` past the end.
    pub fn get(self, i: usize) -> Option<bool> {
        (i < self.len).then(|| self.words[i / 64] >> (i % 64) & 1 == 1)
    }

    pub(crate) fn as_ptr(self) -> *const u64 {
        self.words.as_ptr()
    }
}

impl<'a> From<&'a Parens> for Bits<'a> {
    fn from(parens: &'a Parens) -> Bits<'a> {
        Bits { words: &parens.words, len: parens.len }
    }
}

/// An owned sequence, packed.
///
/// ```
/// use parenmatch::Parens;
/// let parens: Parens = "(()".parse()?;
/// assert_eq!(parens, [true, true, false].into_iter().collect());
/// assert_eq!(parens.to_string(), "(()");
/// assert_eq!("(x".parse::<Parens>().unwrap_err().to_string(), "byte 1 is not a parenthesis");
/// # Ok::<(), parenmatch::ParensError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parens {
    words: Vec<u64>,
    len: usize,
}

impl Parens {
    /// Borrows the sequence.
    pub fn bits(&self) -> Bits<'_> {
        self.into()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the packed words; bits past the end are 0.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Takes words of at least `len` bits, and clears those past the end.
    pub(crate) fn from_words(mut words: Vec<u64>, len: usize) -> Parens {
        if len % 64 > 0 {
            words[len / 64] &= (1 << (len % 64)) - 1;
        }
        Parens { words, len }
    }
}

impl Extend<bool> for Parens {
    fn extend<T: IntoIterator<Item = bool>>(&mut self, opens: T) {
        for open in opens {
            if self.len % 64 == 0 {
                self.words.push(0);
            }
            self.words[self.len / 64] |= u64::from(open) << (self.len % 64);
            self.len += 1;
        }
    }
}

impl FromIterator<bool> for Parens {
    fn from_iter<T: IntoIterator<Item = bool>>(opens: T) -> Parens {
        let mut parens = Parens::default();
        parens.extend(opens);
        parens
    }
}

impl FromStr for Parens {
    type Err = ParensError;

    fn from_str(text: &str) -> std::result::Result<Parens, ParensError> {
        let open = |(offset, byte): (usize, u8)| match byte {
            b'(' => Ok(true),
            b')' => Ok(false),
            _ => Err(ParensError { offset }),
        };
        text.bytes().enumerate().map(open).collect()
    }
}

impl fmt::Display for Parens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.len).try_for_each(|i| f.write_str(if self.bits().get(i) == Some(true) { "(" } else { ")" }))
    }
}

/// A text that is not a sequence of parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParensError {
    /// The offset of the first other byte.
    pub offset: usize,
}

impl fmt::Display for ParensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} is not a parenthesis", self.offset)
    }
}

impl std::error::Error for ParensError {}
