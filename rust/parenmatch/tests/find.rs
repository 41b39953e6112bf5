// SPDX-License-Identifier: Apache-2.0
mod oracle;

use oracle::Random;
use parenmatch::{Dictionary, Error, FindKind, Hit};

/// Every occurrence, by start and then by pattern.
fn every(patterns: &[String], text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for start in 0..text.len() {
        for (pattern, bytes) in patterns.iter().enumerate() {
            if text.as_bytes()[start..].starts_with(bytes.as_bytes()) {
                hits.push(Hit { start, pattern, length: bytes.len() });
            }
        }
    }
    hits
}

/// The preferred hit of each start, or of each start behind the hit before.
fn preferred(hits: &[Hit], overlap: bool, better: impl Fn(&Hit, &Hit) -> bool) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::new();
    for hit in hits {
        match kept.last_mut() {
            Some(last) if last.start == hit.start => {
                if better(hit, last) {
                    *last = *hit;
                }
            }
            Some(last) if !overlap && hit.start < last.start + last.length => {}
            _ => kept.push(*hit),
        }
    }
    kept
}

#[test]
fn finds() {
    let mut random = Random(12);
    for _ in 0..500 {
        let mut patterns: Vec<String> = (0..random.below(6)).map(|_| random.text(&["a", "b", "é"], 4)).collect();
        patterns.retain(|pattern| !pattern.is_empty());
        patterns.sort_by_key(|pattern| (pattern.len() * 7919 % 5, pattern.clone()));
        patterns.dedup();
        let text = random.text(&["a", "b", "é", "c"], 300);
        let dictionary = Dictionary::new(&patterns).unwrap();
        let hits = every(&patterns, &text);
        let longer = |a: &Hit, b: &Hit| a.length > b.length;
        for (kind, expected) in [
            (FindKind::All, hits.clone()),
            (FindKind::Longest, preferred(&hits, true, longer)),
            (FindKind::LeftmostLongest, preferred(&hits, false, longer)),
            (FindKind::LeftmostFirst, preferred(&hits, false, |a, b| a.pattern < b.pattern)),
        ] {
            assert_eq!(dictionary.find(&text, kind).unwrap(), expected, "{patterns:?} {text:?} {kind:?}");
            assert_eq!(dictionary.count(&text, kind).unwrap(), expected.len());
        }
        assert_eq!((dictionary.len(), dictionary.is_empty()), (patterns.len(), patterns.is_empty()));
        for (k, pattern) in patterns.iter().enumerate() {
            assert_eq!(dictionary.pattern(k), Some(pattern.as_bytes()));
        }
        assert_eq!(dictionary.pattern(patterns.len()), None);
    }
}

#[test]
fn refuses() {
    let error = Dictionary::new(["a", "b", "a"]).unwrap_err();
    assert_eq!((error.error, error.pattern, error.equal), (Error::InvalidArgument, Some(2), Some(0)));
    assert_eq!(error.to_string(), format!("pattern 2: {}", error.reason.unwrap()));
    assert_eq!(Dictionary::new(["a", ""]).unwrap_err().pattern, Some(1));
}

/// Other bytes each time it is asked.
struct Fickle(std::cell::Cell<usize>);

impl AsRef<[u8]> for Fickle {
    fn as_ref(&self) -> &[u8] {
        let asked = self.0.replace(self.0.get() + 1);
        &b"abcdefghijklmnop"[asked..2 * asked + 1]
    }
}

#[test]
fn asks_patterns_once() {
    let dictionary = Dictionary::new([Fickle(std::cell::Cell::new(1))]).unwrap();
    assert_eq!(dictionary.pattern(0), Some(b"bc".as_slice()));
}

#[test]
fn threads_share() {
    let dictionary = Dictionary::ignoring_case(["Ab"]).unwrap();
    let threads = || dictionary.count("abAB".repeat(1000), FindKind::All).unwrap();
    std::thread::scope(|scope| {
        let found: Vec<_> = (0..4).map(|_| scope.spawn(threads)).collect();
        assert!(found.into_iter().all(|thread| thread.join().unwrap() == 2000));
    });
}
