// SPDX-License-Identifier: Apache-2.0
mod oracle;

use oracle::{every_sequence, tops, Forest, Random};
use parenmatch::{match_batch, match_parens, match_parens_into, Bits, Bp, Edit, Error, Parens, Total, NONE};

fn packed(opens: &[bool]) -> Parens {
    opens.iter().copied().collect()
}

fn indices(tops: &[Option<usize>]) -> Vec<u32> {
    tops.iter().map(|top| top.map_or(NONE, |top| top as u32)).collect()
}

#[test]
fn matches() {
    let mut random = Random(1);
    let long = [63, 64, 65, 511, 513, 4096, 70_001, 3_000_000].map(|n| random.opens(n));
    for opens in every_sequence(10).chain(long) {
        assert_eq!(match_parens(&packed(&opens)).unwrap(), indices(&tops(&opens)));
        let forest = if opens.len() < 600 { Forest::new(&opens) } else { continue };
        let total = Total { closes: forest.unmatched(false).len() as u64, opens: forest.unmatched(true).len() as u64 };
        assert_eq!(match_parens_into(&packed(&opens), &mut vec![0; opens.len()]), Ok(total));
    }
}

#[test]
fn bits_are_borrowed_as_they_are() {
    let words = [u64::MAX; 3];
    assert_eq!(match_parens(Bits::new(&words, 65).unwrap()).unwrap()[64], 63);
    assert!(Bits::new(&words, 193).is_err() && Bits::new(&words, usize::MAX).is_err());
    assert_eq!(Bits::new(&words, 192).unwrap().get(192), None);
    assert_eq!(match_parens_into(&packed(&[true]), &mut [0; 2]), Err(Error::InvalidArgument));
    assert!(match_parens(Bits::new(&[], 0).unwrap()).unwrap().is_empty());
    let many = vec![0u64; 1 << 26]; // not touched
    assert_eq!(match_parens(Bits::new(&many, 1 << 32).unwrap()), Err(Error::TooLarge));
}

#[test]
fn batches() {
    let mut random = Random(2);
    for _ in 0..300 {
        let n = 1 + random.below(400);
        let opens = random.opens(n);
        let mut offsets: Vec<u64> = (0..1 + random.below(20)).map(|_| random.below(opens.len() + 1) as u64).collect();
        offsets.sort_unstable();
        let expected: Vec<u32> =
            offsets.windows(2).flat_map(|pair| indices(&tops(&opens[pair[0] as usize..pair[1] as usize]))).collect();
        assert_eq!(match_batch(&packed(&opens), &offsets).unwrap(), expected);
    }
    for offsets in [&[][..], &[1, 0], &[0, 3], &[u64::MAX]] {
        assert_eq!(match_batch(&packed(&[true; 2]), offsets), Err(Error::InvalidArgument));
    }
    assert!(match_batch(&packed(&[true; 2]), &[1]).unwrap().is_empty());
}

/// Compares each query of a Bp or an Edit with the definition.
macro_rules! compare {
    ($tree:expr, $opens:expr) => {{
        let (tree, forest) = (&$tree, Forest::new($opens));
        let n = forest.opens.len();
        let place = |x: Option<usize>| x.map(|x| x as u64);
        let (closes, at): (Vec<usize>, u64) = ((0..n).filter(|&i| !forest.opens[i]).collect(), n as u64);
        let (lost_opens, lost_closes) = (forest.unmatched(true), forest.unmatched(false));
        assert_eq!(tree.len(), at);
        for i in 0..n {
            let (q, open) = (i as u64, forest.opens[i]);
            let before = forest.opens[..i].iter().filter(|&&open| open).count() as u64;
            assert_eq!((tree.rank_open(q), tree.rank_close(q)), (before, q - before));
            assert_eq!(tree.excess(q), 2 * before as i64 - q as i64 + if open { 1 } else { -1 });
            assert_eq!(tree.find_close(q), place(forest.partner[i]).filter(|_| open));
            assert_eq!(tree.find_open(q), place(forest.partner[i]).filter(|_| !open));
            assert_eq!(tree.enclose(q), place(forest.tops[i]));
            assert_eq!(tree.select_open(q), place(forest.nodes.get(i).copied()));
            assert_eq!(tree.preorder_select(q), place(forest.nodes.get(i).copied()));
            assert_eq!(tree.select_close(q), place(closes.get(i).copied()));
            assert_eq!(tree.select_unmatched_open(q), place(lost_opens.iter().rev().nth(i).copied()));
            assert_eq!(tree.select_unmatched_close(q), place(lost_closes.get(i).copied()));
            if !open {
                assert_eq!((tree.parent(q), tree.depth(q), tree.subtree_size(q)), (None, None, 0));
                continue;
            }
            let (path, children) = (forest.path(i), forest.children(Some(i)));
            assert_eq!((tree.parent(q), tree.depth(q)), (place(forest.tops[i]), Some(path.len() as u64 - 1)));
            assert_eq!((tree.is_leaf(q), tree.degree(q)), (children.is_empty(), children.len() as u64));
            assert_eq!(tree.first_child(q), place(children.first().copied()));
            assert_eq!(tree.last_child(q), place(children.last().copied()));
            assert_eq!(tree.next_sibling(q), place(forest.sibling(i, 1)));
            assert_eq!(tree.prev_sibling(q), place(forest.sibling(i, -1)));
            assert_eq!((tree.subtree_size(q), tree.preorder_rank(q)), (forest.subtree_size(i) as u64, Some(before)));
            for k in 0..4 {
                assert_eq!(tree.child(q, k as u64), place(children.get(k).copied()));
                assert_eq!(tree.level_ancestor(q, k as u64), place(path.get(k).copied()));
            }
            let other = forest.nodes[i * 7 % forest.nodes.len()];
            assert_eq!(tree.lca(q, other as u64), place(forest.lca(i, other)));
            assert_eq!(tree.is_ancestor(other as u64, q), path.contains(&other));
        }
        assert_eq!(
            (tree.find_close(at), tree.enclose(u64::MAX), tree.rank_open(at)),
            (None, None, forest.nodes.len() as u64)
        );
    }};
}

#[test]
fn queries() {
    let mut random = Random(3);
    let long = [64, 65, 130].map(|n| random.opens(n));
    for opens in every_sequence(8).chain(long) {
        let parens = packed(&opens);
        compare!(Bp::new(&parens).unwrap(), &opens);
        compare!(Edit::new(&parens).unwrap(), &opens);
    }
}

#[test]
fn edits() {
    let mut random = Random(4);
    let mut opens = random.opens(100);
    let mut edit = Edit::new(&packed(&opens)).unwrap();
    for _ in 0..100 {
        let at = random.below(opens.len() + 1);
        let removed = random.below(20).min(opens.len() - at);
        let n = random.below(20);
        let inserted = random.opens(n);
        let (snapshot, before) = (edit.snapshot().unwrap(), opens.clone());
        opens.splice(at..at + removed, inserted.iter().copied());
        edit.replace(at as u64, removed as u64, &packed(&inserted)).unwrap();
        assert_eq!(edit.read(0, opens.len()).unwrap(), packed(&opens));
        assert_eq!(snapshot.read(0, before.len()).unwrap(), packed(&before));
    }
    compare!(edit, &opens);
    for n in 0..opens.len() {
        assert_eq!(edit.read(0, n).unwrap(), packed(&opens[..n]));
    }
    let part = edit.read(3, opens.len() - 3).unwrap();
    assert_eq!(part, packed(&opens[3..]));
    assert_eq!(edit.read(0, opens.len() + 1), Err(Error::InvalidArgument));
    assert_eq!(edit.read(u64::MAX, 1), Err(Error::InvalidArgument));
    assert_eq!(edit.replace(0, opens.len() as u64 + 1, &packed(&[])), Err(Error::InvalidArgument));
}

#[test]
fn threads_share_an_index() {
    let opens = Random(5).opens(200_000);
    let (parens, tops) = (packed(&opens), tops(&opens));
    let (tree, edit) = (Bp::new(&parens).unwrap(), Edit::new(&parens).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (i, top) in tops.iter().enumerate().step_by(7) {
                    let expected = top.map(|top| top as u64);
                    assert_eq!((tree.enclose(i as u64), edit.enclose(i as u64)), (expected, expected));
                }
            });
        }
    });
}
