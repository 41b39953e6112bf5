// SPDX-License-Identifier: Apache-2.0
//! What the library computes, in plain Rust with a plain stack.
#![allow(dead_code)]

/// Numbers that look random, the same in each run (xorshift).
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    /// A sequence whose share of opens changes, so that it goes deep and comes back.
    pub fn opens(&mut self, n: usize) -> Vec<bool> {
        let mut opens = Vec::with_capacity(n);
        while opens.len() < n {
            let share = [1, 5, 5, 9][self.below(4)];
            for _ in 0..1 + self.below(200).min(n - opens.len() - 1) {
                opens.push(self.below(10) < share);
            }
        }
        opens
    }

    /// A text of pieces.
    pub fn text(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.below(most + 1)).map(|_| pieces[self.below(pieces.len())]).collect()
    }
}

/// Every sequence of at most `most` elements.
pub fn every_sequence(most: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..=most).flat_map(|n| (0..1usize << n).map(move |bits| (0..n).map(|i| bits >> i & 1 == 1).collect()))
}

/// What is on top of the stack at each element.
pub fn tops(opens: &[bool]) -> Vec<Option<usize>> {
    let mut stack = Vec::new();
    let top = |(i, &open): (usize, &bool)| {
        let top = stack.last().copied();
        if open {
            stack.push(i);
        } else {
            stack.pop();
        }
        top
    };
    opens.iter().enumerate().map(top).collect()
}

/// A sequence as a forest, by its definition.
pub struct Forest {
    pub opens: Vec<bool>,
    pub tops: Vec<Option<usize>>,
    pub partner: Vec<Option<usize>>,
    pub nodes: Vec<usize>,
}

impl Forest {
    pub fn new(opens: &[bool]) -> Forest {
        let tops = tops(opens);
        let mut partner = vec![None; opens.len()];
        for i in (0..opens.len()).filter(|&i| !opens[i]) {
            partner[i] = tops[i];
            if let Some(open) = tops[i] {
                partner[open] = Some(i);
            }
        }
        let nodes = (0..opens.len()).filter(|&i| opens[i]).collect();
        Forest { opens: opens.to_vec(), tops, partner, nodes }
    }

    /// The node, its parent, and so on up to its root.
    pub fn path(&self, node: usize) -> Vec<usize> {
        std::iter::successors(Some(node), |&node| self.tops[node]).collect()
    }

    pub fn children(&self, parent: Option<usize>) -> Vec<usize> {
        self.nodes.iter().copied().filter(|&node| self.tops[node] == parent).collect()
    }

    pub fn subtree_size(&self, node: usize) -> usize {
        self.nodes.iter().filter(|&&other| self.path(other).contains(&node)).count()
    }

    pub fn sibling(&self, node: usize, step: isize) -> Option<usize> {
        let row = self.children(self.tops[node]);
        let place = row.iter().position(|&other| other == node).unwrap() as isize + step;
        usize::try_from(place).ok().and_then(|place| row.get(place).copied())
    }

    pub fn lca(&self, a: usize, b: usize) -> Option<usize> {
        let path = self.path(b);
        self.path(a).into_iter().find(|node| path.contains(node))
    }

    pub fn unmatched(&self, open: bool) -> Vec<usize> {
        (0..self.opens.len()).filter(|&i| self.opens[i] == open && self.partner[i].is_none()).collect()
    }
}
