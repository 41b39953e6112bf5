// SPDX-License-Identifier: Apache-2.0
//! The boxes of scenes.
use crate::error::{succeed, Error, Result};
use parenmatch_sys as sys;
use std::ptr;

/// What an element of a scene is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Node {
    /// Something drawn: it has a box.
    Leaf = 0,
    /// Opens a node whose box is intersected with everything below it.
    Clip = 1,
    /// Opens a node whose box is the union of the clipped boxes of the leaves below it.
    Blend = 2,
    /// Closes the innermost open node.
    End = 3,
}

/// A box in any units; empty unless `x0 < x1` and `y0 < y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Rect {
    /// The lower bound in x.
    pub x0: f32,
    /// The lower bound in y.
    pub y0: f32,
    /// The upper bound in x.
    pub x1: f32,
    /// The upper bound in y.
    pub y1: f32,
}

// A slice of one is given to C as an array of the other.
const _: () = assert!(std::mem::size_of::<Rect>() == std::mem::size_of::<sys::pm_box>());

/// Computes the boxes of a scene, on all threads where that pays.
///
/// Of a leaf or a clip: its box intersected with those of all clips above it. Of a blend: the union of the results of
/// the leaves below it. Of an end: the result of the node that it closes. Empty results are all zeros. The boxes of
/// blends and ends are not read. [`Error::InvalidArgument`] if there are not as many boxes as nodes.
///
/// ```
/// use parenmatch::{boxes, Node, Rect};
/// let rect = |x0, y0, x1, y1| Rect { x0, y0, x1, y1 };
/// let nodes = [Node::Blend, Node::Clip, Node::Leaf, Node::End, Node::End];
/// let scene = [Rect::default(), rect(0.0, 0.0, 2.0, 2.0), rect(1.0, 1.0, 9.0, 9.0), Rect::default(), Rect::default()];
/// let found = boxes(&nodes, &scene)?;
/// assert_eq!(found[0], rect(1.0, 1.0, 2.0, 2.0)); // the leaf, clipped
/// assert_eq!((found[2], found[4]), (found[0], found[0]));
/// # Ok::<(), parenmatch::Error>(())
/// ```
pub fn boxes(nodes: &[Node], boxes: &[Rect]) -> Result<Vec<Rect>> {
    let mut out = vec![Rect::default(); nodes.len()];
    compute(nodes, boxes.as_ptr(), boxes.len(), out.as_mut_ptr())?;
    Ok(out)
}

/// Computes the boxes of a scene as [`boxes()`] does, and puts them in place of the scene's. After a failure what `boxes`
/// has is not specified.
pub fn boxes_in_place(nodes: &[Node], boxes: &mut [Rect]) -> Result<()> {
    let data = boxes.as_mut_ptr();
    compute(nodes, data, boxes.len(), data)
}

fn compute(nodes: &[Node], boxes: *const Rect, count: usize, out: *mut Rect) -> Result<()> {
    if nodes.len() != count {
        return Err(Error::InvalidArgument);
    }
    succeed(unsafe { sys::pm_box_auto(ptr::null_mut(), nodes.as_ptr().cast(), boxes.cast(), count, out.cast()) })
}
