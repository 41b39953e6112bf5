// SPDX-License-Identifier: Apache-2.0
mod oracle;

use oracle::Random;
use parenmatch::{boxes, boxes_in_place, Error, Node, Rect};

fn normal(r: Rect) -> Rect {
    if r.x0 < r.x1 && r.y0 < r.y1 {
        r
    } else {
        Rect::default()
    }
}

fn intersection(a: Rect, b: Rect) -> Rect {
    normal(Rect { x0: a.x0.max(b.x0), y0: a.y0.max(b.y0), x1: a.x1.min(b.x1), y1: a.y1.min(b.y1) })
}

fn union(a: Rect, b: Rect) -> Rect {
    match (normal(a) == Rect::default(), normal(b) == Rect::default()) {
        (true, _) => b,
        (_, true) => a,
        _ => Rect { x0: a.x0.min(b.x0), y0: a.y0.min(b.y0), x1: a.x1.max(b.x1), y1: a.y1.max(b.y1) },
    }
}

/// By definition: each leaf's box meets those of the clips above it, and grows the blends above it.
fn expected(nodes: &[Node], scene: &[Rect]) -> Vec<Rect> {
    let mut out = vec![Rect::default(); nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut closed = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let above = open.iter().filter(|&&k| nodes[k] == Node::Clip);
        let clipped = above.fold(normal(scene[i]), |found, &clip| intersection(found, normal(scene[clip])));
        match node {
            Node::Leaf => {
                out[i] = clipped;
                for &k in open.iter().filter(|&&k| nodes[k] == Node::Blend) {
                    out[k] = union(out[k], clipped);
                }
            }
            Node::Clip | Node::Blend => {
                if *node == Node::Clip {
                    out[i] = clipped;
                }
                open.push(i);
            }
            Node::End => closed.extend(open.pop().map(|begin| (i, begin))),
        }
    }
    for (end, begin) in closed {
        out[end] = out[begin];
    }
    out
}

#[test]
fn scenes() {
    let mut random = Random(13);
    for _ in 0..2000 {
        let n = random.below(60);
        let kinds = [Node::Leaf, Node::Clip, Node::Blend, Node::End];
        let nodes: Vec<Node> = (0..n).map(|_| kinds[random.below(4)]).collect();
        let mut side = || random.below(20) as f32;
        let mut scene: Vec<Rect> =
            (0..n).map(|_| Rect { x0: side() - 8.0, y0: side() - 8.0, x1: side(), y1: side() }).collect();
        let found = boxes(&nodes, &scene).unwrap();
        assert_eq!(found, expected(&nodes, &scene), "{nodes:?} {scene:?}");
        boxes_in_place(&nodes, &mut scene).unwrap();
        assert_eq!(scene, found);
    }
    assert_eq!(boxes(&[Node::Leaf], &[]), Err(Error::InvalidArgument));
}
