// SPDX-License-Identifier: Apache-2.0
mod oracle;

use oracle::Random;
use parenmatch::{Fault, FaultKind, Json, JsonError, JsonKind};
use std::ops::Range;

/// A value of a written text: its place, and that of its keys and children.
struct Value {
    range: Range<usize>,
    kind: JsonKind,
    children: Vec<(Option<Range<usize>>, String, Value)>, // with a key in objects, and what a pointer calls it
}

/// Appends a random value, with white space around it.
fn write(text: &mut String, depth: usize, random: &mut Random) -> Value {
    let white = |text: &mut String, random: &mut Random| text.push_str(["", " ", "\n\t", ""][random.below(4)]);
    white(text, random);
    let start = text.len();
    let mut value = Value { range: start..start, kind: JsonKind::Scalar, children: Vec::new() };
    let choice = random.below(if depth == 0 { 2 } else { 5 });
    match choice {
        0 => text.push_str(["0", "-12.5e3", "true", "null"][random.below(4)]),
        1 => {
            value.kind = JsonKind::String;
            text.push_str(["\"\"", "\"[{\"", "\"\\\\\\\"}\"", "\"é😀\""][random.below(4)]);
        }
        _ => {
            value.kind = if choice == 2 { JsonKind::Object } else { JsonKind::Array };
            text.push(if choice == 2 { '{' } else { '[' });
            for k in 0..random.below(5) {
                if k > 0 {
                    text.push(',');
                }
                white(text, random);
                let key = (choice == 2).then(|| {
                    let begin = text.len();
                    text.push_str(&format!("\"~/{k}\""));
                    begin..text.len()
                });
                if key.is_some() {
                    white(text, random);
                    text.push(':');
                }
                let name = if key.is_some() { format!("~0~1{k}") } else { k.to_string() };
                value.children.push((key, name, write(text, depth - 1, random)));
            }
            white(text, random);
            text.push(if choice == 2 { '}' } else { ']' });
        }
    }
    value.range.end = text.len();
    white(text, random);
    value
}

/// Compares a value and those in it; notes where values and keys begin.
fn compare(json: &Json, value: &Value, pointer: &str, begins: &mut Vec<usize>) {
    let Range { start, end } = value.range;
    begins.push(start);
    assert_eq!((json.kind(start), json.range(start)), (Some(value.kind), Some(start..end)));
    assert_eq!(json.pointer(pointer).unwrap(), Some(start..end));
    let container = matches!(value.kind, JsonKind::Object | JsonKind::Array);
    assert_eq!(json.partner(start), container.then_some(end - 1));
    assert_eq!(json.count(start), value.children.len() as u64);
    let starts: Vec<_> = value.children.iter().map(|(_, _, child)| child.range.start).collect();
    let keys: Vec<_> = value.children.iter().filter_map(|(key, _, _)| key.clone()).collect();
    let members: Vec<_> = json.members(start).map(|(key, value)| (json.range(key).unwrap(), value)).collect();
    if value.kind == JsonKind::Object {
        assert_eq!(members, keys.iter().cloned().zip(starts).collect::<Vec<_>>());
        assert_eq!(json.elements(start).count(), 0);
    } else {
        assert_eq!(json.elements(start).collect::<Vec<_>>(), starts);
        assert_eq!(members, []);
    }
    begins.extend(keys.iter().map(|key| key.start));
    for (_, name, child) in &value.children {
        compare(json, child, &format!("{pointer}/{name}"), begins);
    }
    assert_eq!(json.pointer(format!("{pointer}/none")).unwrap(), None);
}

fn fault_of(text: &str) -> Fault {
    match Json::new(text) {
        Err(JsonError::Fault(fault)) => fault,
        other => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn values() {
    let mut random = Random(11);
    for _ in 0..500 {
        let mut text = String::new();
        let root = write(&mut text, 4, &mut random);
        let json = Json::new(&text).unwrap();
        assert_eq!((json.root(), json.text()), (root.range.start, text.as_bytes()));
        let mut begins = Vec::new();
        compare(&json, &root, "", &mut begins);
        for at in (0..text.len() + 2).chain([usize::MAX]).filter(|at| !begins.contains(at)) {
            assert_eq!((json.kind(at), json.range(at), json.count(at)), (None, None, 0), "{text:?} {at}");
        }
        let tokens = json.tokens();
        let next = std::iter::successors(json.next_token(0), |&at| json.next_token(at + 1));
        assert!(next.eq(tokens.iter().map(|&at| at as usize)));
        assert!(json.size_in_bytes() > 0);
        if let JsonKind::Object | JsonKind::Array = root.kind {
            let cut = &text[..root.range.end - 1];
            let fault = fault_of(cut);
            assert_eq!((fault.kind, fault.at.offset as usize), (FaultKind::UnmatchedOpen, root.range.start));
        }
    }
}

#[test]
fn faults() {
    for (text, kind, offset) in [
        ("[1 2]", FaultKind::Misplaced, 3),
        ("", FaultKind::Misplaced, 0),
        ("[] 1", FaultKind::Trailing, 3),
        ("\"\n\"", FaultKind::BadByte, 1),
        ("]", FaultKind::UnmatchedClose, 0),
        ("[\"a", FaultKind::Unterminated, 1),
    ] {
        let fault = fault_of(text);
        assert_eq!((fault.kind, fault.at.offset), (kind, offset), "{text:?}");
    }
    assert!(Json::new("1").unwrap().pointer("a").is_err());
}
