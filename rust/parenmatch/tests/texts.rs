// SPDX-License-Identifier: Apache-2.0
mod oracle;

use oracle::Random;
use parenmatch::{check, Checker, Document, Error, Fault, FaultKind, Language, Place, RepairKind};

const PAIRS: &str = "()[]{}";
const PIECES: [&str; 14] = ["(", ")", "[", "]", "{", "}", "\"", "\\", "a", "é", "\n", "/*", "*/", "//"];

fn language(name: &str) -> Language {
    Language::by_name(name).unwrap()
}

/// (offset, offset of the open if the kinds differ, whether it is an open) of each fault of plain text.
fn faults_of(text: &str) -> Vec<(u64, Option<u64>, bool)> {
    let (mut stack, mut faults): (Vec<(u64, usize)>, Vec<_>) = (Vec::new(), Vec::new());
    for (i, byte) in text.bytes().enumerate() {
        let at = i as u64;
        match PAIRS.bytes().position(|other| other == byte) {
            Some(kind) if kind % 2 == 0 => stack.push((at, kind + 1)),
            Some(kind) => match stack.pop() {
                None => faults.push((at, None, false)),
                Some((open, expected)) if expected != kind => faults.push((at, Some(open), false)),
                Some(_) => {}
            },
            None => {}
        }
    }
    faults.extend(stack.iter().map(|&(at, _)| (at, None, true)));
    faults.sort_unstable();
    faults
}

#[test]
fn checks() {
    let mut random = Random(6);
    let mut checker = Checker::new(Language::default()).unwrap();
    for _ in 0..2000 {
        let text = random.text(&["(", ")", "[", "]", "{", "}", "a", "é", "\n"], 60);
        let report = check(&text, Language::default()).unwrap();
        let mut found: Vec<_> = (report.faults.iter())
            .map(|fault| match fault.kind {
                FaultKind::KindMismatch(open) => (fault.at.offset, Some(open.offset), false),
                kind => (fault.at.offset, None, kind == FaultKind::UnmatchedOpen),
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, faults_of(&text), "{text:?}");
        assert_eq!(report.is_ok(), found.is_empty());
        assert_eq!(report.summary.brackets, text.chars().filter(|&c| PAIRS.contains(c)).count() as u64);
        for fault in &report.faults {
            let before = &text[..fault.at.offset as usize];
            let line = before.matches('\n').count() as u64 + 1;
            let column = (before.len() - before.rfind('\n').map_or(0, |end| end + 1)) as u64 + 1;
            assert_eq!(fault.at, Place { offset: before.len() as u64, line, column });
        }
        for byte in text.as_bytes().chunks(7) {
            checker.push(byte).unwrap();
        }
        assert_eq!(checker.finish().unwrap(), report);
        assert_eq!(checker.check(&text).unwrap(), report);
    }
}

/// Mistakes are brackets of the text, no more than the faults, and applied to it they leave none.
#[test]
fn mistakes_and_their_repairs() {
    let mut random = Random(9);
    let mut checker = Checker::new(Language::default()).unwrap();
    checker.push("(").unwrap();
    assert_eq!(checker.set_repairs(true), Err(Error::InvalidArgument));
    checker.finish().unwrap();
    checker.set_repairs(true).unwrap();
    let mut repaired = 0;
    for _ in 0..1000 {
        let text = random.text(&["(", ")", "[", "]", "a", "\n"], 12);
        let plain = check(&text, Language::default()).unwrap();
        let report = checker.check(&text).unwrap();
        assert_eq!(report.summary, plain.summary);
        assert!(report.faults.len() <= plain.faults.len(), "{text:?}");
        assert_eq!(report.faults.is_empty(), plain.is_ok());
        assert!(plain.faults.iter().all(|fault| fault.repair.is_none()));
        if let [Fault { at, repair: Some(repair), .. }] = report.faults[..] {
            assert!(PAIRS.as_bytes().contains(&text.as_bytes()[at.offset as usize]));
            let mut mended = text.clone().into_bytes();
            let from = repair.at.offset as usize;
            let removed = usize::from(!matches!(repair.kind, RepairKind::Insert(_)));
            let added = (repair.kind != RepairKind::Remove).then_some(repair.byte);
            mended.splice(from..from + removed, added);
            assert!(check(&mended, Language::default()).unwrap().is_ok(), "{text:?} {report:?}");
            repaired += 1;
        }
    }
    assert!(repaired > 100, "{repaired}");
    checker.set_repairs(false).unwrap();
    assert!(checker.check("(").unwrap().faults[0].repair.is_none());
}

#[test]
fn suffixes_complete() {
    let mut random = Random(7);
    let mut checker = Checker::new(language("c")).unwrap();
    for _ in 0..2000 {
        let text = random.text(&PIECES, 20);
        checker.push(&text).unwrap();
        let suffix = checker.suffix().unwrap();
        checker.push(&suffix).unwrap();
        let whole = checker.finish().unwrap();
        assert_eq!((whole.summary.unmatched.opens, whole.summary.unterminated), (0, 0), "{text:?} {suffix:?}");
    }
}

#[test]
fn documents_after_every_edit() {
    let mut random = Random(8);
    for name in ["c", "json", "text"] {
        for _ in 0..60 {
            let mut text = random.text(&PIECES, 30).into_bytes();
            let mut document = Document::new(&text, language(name)).unwrap();
            for _ in 0..6 {
                let at = random.below(text.len() + 1);
                let removed = random.below(8).min(text.len() - at);
                let inserted = random.text(&PIECES, 6);
                text.splice(at..at + removed, inserted.bytes());
                document.replace(at as u64, removed as u64, &inserted).unwrap();
                let report = check(&text, language(name)).unwrap();
                assert_eq!(document.report().unwrap(), report);
                let behind: Vec<_> = report.faults.iter().copied().filter(|f| f.at.offset >= at as u64).collect();
                assert_eq!(document.faults(at as u64).unwrap(), behind);
                assert_eq!((document.read(0, text.len()).unwrap(), document.len()), (text.clone(), text.len() as u64));
                document.settle(u64::MAX).unwrap();
                assert_eq!(document.settled(), document.len());
                compare_brackets(&mut document);
            }
        }
    }
}

/// Compares partners and paths with a stack over the brackets of a document.
fn compare_brackets(document: &mut Document) {
    let brackets = document.brackets(0, document.len()).unwrap();
    assert_eq!(document.summary().unwrap().brackets, brackets.len() as u64);
    let (mut stack, mut partners): (Vec<u64>, Vec<(u64, u64)>) = (Vec::new(), Vec::new());
    for bracket in &brackets {
        let path: Vec<u64> = document.path(bracket.offset).unwrap().iter().map(|open| open.offset).collect();
        assert_eq!(path, stack.iter().rev().copied().collect::<Vec<_>>());
        if bracket.open {
            stack.push(bracket.offset);
        } else if let Some(open) = stack.pop() {
            partners.extend([(open, bracket.offset), (bracket.offset, open)]);
        }
        assert_eq!(bracket.depth, stack.len() as u64 - u64::from(bracket.open));
    }
    for at in 0..document.len() {
        let partner = partners.iter().find(|pair| pair.0 == at).map(|pair| pair.1);
        assert_eq!(document.partner(at), partner);
    }
}

#[test]
fn documents_have_places_and_refuse() {
    let mut document = Document::new("é(\nb)\n", Language::default()).unwrap();
    assert_eq!(document.place(5), Place { offset: 5, line: 2, column: 2 });
    assert_eq!([0, 1, 2, 3, 4].map(|line| document.line_offset(line)), [None, Some(0), Some(4), Some(7), None]);
    assert!(document.size_in_bytes() > 7);
    assert_eq!(document.replace(7, 1, ""), Err(Error::InvalidArgument));
    assert_eq!(document.read(5, 3), Err(Error::InvalidArgument));
    assert_eq!(document.brackets(5, 3), Err(Error::InvalidArgument));
    assert_eq!(document.path(8), Err(Error::InvalidArgument));
    assert_eq!(Document::new("<a>", language("xml")).unwrap_err(), Error::Unsupported);
    assert_eq!(Error::TooLarge.to_string(), "too large: past a documented limit");
}

#[test]
fn languages() {
    assert!(Language::by_name("klingon").is_none() && Language::by_name("j\0").is_none());
    assert_eq!((Language::by_path("a.unknown"), Language::default().name()), (Language::default(), "text"));
    for language in Language::all() {
        assert_eq!(Language::by_name(language.name()), Some(language));
        assert!(check("", language).unwrap().is_ok());
    }
}

#[test]
fn objects_move_between_threads() {
    let mut document = Document::new("(", Language::default()).unwrap();
    let mut checker = Checker::new(Language::default()).unwrap();
    checker.push("(]").unwrap();
    let worker = std::thread::spawn(move || (document.report().unwrap(), checker.finish().unwrap()));
    let (one, two) = worker.join().unwrap();
    assert_eq!((one.faults.len(), two.faults.len()), (1, 1));
}

#[test]
fn the_versions_agree() {
    assert_eq!(parenmatch::library_version(), env!("CARGO_PKG_VERSION"));
}
