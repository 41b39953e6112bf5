# SPDX-License-Identifier: Apache-2.0
# Vectors of a forest, boxes of scenes, and scans of trees.

cdef np.ndarray forest(forest_vector function, str name, object parens, object n, object match, object by):
    cdef Parens p = short_sequence(parens, n)
    cdef np.ndarray given = match_of(p, None) if match is None else array_of(match, "match", np.NPY_UINT32, 1)
    same_length("match", np.PyArray_DIM(given, 0), p.n)
    if by not in ("element", "node"):
        raise ValueError(f"by: {by!r}; expected 'element' or 'node'")
    cdef pm_forest_index index = 1 if by == "node" else 0
    cdef np.ndarray result = vector(None, np.NPY_UINT32, pm_forest_count(p.words, p.n) if index else p.n)
    cdef const uint32_t *source = <const uint32_t *>np.PyArray_DATA(given)
    cdef uint32_t *out = <uint32_t *>np.PyArray_DATA(result)
    cdef pm_status status
    with nogil:
        status = function(NULL, index, p.words, p.n, source, out)
    succeed(status, name)
    return result


def depth(parens, *, n=None, match=None, by="element"):
    """Returns the number of ancestors of each node; a close has the value of its open.

    ``by="node"``: one value for each open, in preorder. ``match``: that of the sequence, if you have it.

    >>> depth("(()(()))", by="node").tolist()
    [0, 1, 1, 2]
    """
    return forest(pm_forest_depth, "depth", parens, n, match, by)


def parent(parens, *, n=None, match=None, by="element"):
    """Returns the parent of each node, ``NONE`` for a root. Parameters as ``depth``.

    >>> parent("(()(()))", by="node").tolist() == [NONE, 0, 0, 2]
    True
    """
    return forest(pm_forest_parent, "parent", parens, n, match, by)


def prev_sibling(parens, *, n=None, match=None, by="element"):
    """Returns the previous sibling of each node, ``NONE`` for a first child. Parameters as ``depth``."""
    return forest(pm_forest_prev_sibling, "prev_sibling", parens, n, match, by)


def next_sibling(parens, *, n=None, match=None, by="element"):
    """Returns the next sibling of each node, ``NONE`` for a last child. Parameters as ``depth``."""
    return forest(pm_forest_next_sibling, "next_sibling", parens, n, match, by)


def first_child(parens, *, n=None, match=None, by="element"):
    """Returns the first child of each node, ``NONE`` for a leaf. Parameters as ``depth``."""
    return forest(pm_forest_first_child, "first_child", parens, n, match, by)


def subtree_size(parens, *, n=None, match=None, by="element"):
    """Returns the number of nodes in each node's subtree, with the node itself. Parameters as ``depth``."""
    return forest(pm_forest_subtree_size, "subtree_size", parens, n, match, by)


def partner(parens, *, n=None, match=None):
    """Returns the partner of each element: of an open its close, of a close its open; ``NONE`` if it has none.

    >>> partner("(())").tolist()
    [3, 2, 1, 0]
    """
    cdef Parens p = short_sequence(parens, n)
    cdef np.ndarray given = match_of(p, None) if match is None else array_of(match, "match", np.NPY_UINT32, 1)
    same_length("match", np.PyArray_DIM(given, 0), p.n)
    cdef np.ndarray result = vector(None, np.NPY_UINT32, p.n)
    cdef const uint32_t *source = <const uint32_t *>np.PyArray_DATA(given)
    cdef uint32_t *out = <uint32_t *>np.PyArray_DATA(result)
    cdef pm_status status
    with nogil:
        status = pm_forest_partner(NULL, p.words, p.n, source, out)
    succeed(status, "partner")
    return result


def position(parens, *, n=None):
    """Returns the index of each node's open.

    >>> position("(()())").tolist()
    [0, 1, 3]
    """
    cdef Parens p = short_sequence(parens, n)
    cdef np.ndarray result = vector(None, np.NPY_UINT32, pm_forest_count(p.words, p.n))
    cdef uint32_t *out = <uint32_t *>np.PyArray_DATA(result)
    cdef pm_status status
    with nogil:
        status = pm_forest_position(NULL, p.words, p.n, out)
    succeed(status, "position")
    return result


cdef int refuse_entry(str name, pm_status found, size_t wrong, pm_status status) except -1:
    if found == PM_CORRUPT:
        raise Error(status, f"{name}: entry {wrong} is wrong ({pm_status_name(status).decode()})")
    return succeed(status, name)


def parens_from_depth(depth):
    """Returns the packed sequence of a depth vector in preorder; it has two elements for each node.

    >>> import numpy as np
    >>> parens_from_depth(np.array([0, 1, 1], np.uint32)) == pack("(()())")
    array([ True])
    """
    cdef np.ndarray given = array_of(depth, "depth", np.NPY_UINT32, 1)
    cdef size_t nodes = np.PyArray_DIM(given, 0), wrong = 0
    cdef np.ndarray result = vector(None, np.NPY_UINT64, (2 * nodes + 63) // 64)
    cdef const uint32_t *source = <const uint32_t *>np.PyArray_DATA(given)
    cdef uint64_t *out = <uint64_t *>np.PyArray_DATA(result)
    cdef pm_status status, found = PM_OK
    with nogil:
        status = pm_parens_from_depth(NULL, source, nodes, out)
        if status != PM_OK:
            found = pm_depth_verify(NULL, source, nodes, &wrong)
    refuse_entry("depth", found, wrong, status)
    return result


def parens_from_parent(parent):
    """Returns the packed sequence of a parent vector, and which node each open is.

    The parent of a root is ``NONE`` or the root itself.

    >>> import numpy as np
    >>> parens, order = parens_from_parent(np.array([1, 1, 1], np.uint32))
    >>> depth(parens, n=6, by="node").tolist(), order.tolist()
    ([0, 1, 1], [1, 0, 2])
    """
    cdef np.ndarray given = array_of(parent, "parent", np.NPY_UINT32, 1)
    cdef size_t nodes = np.PyArray_DIM(given, 0), wrong = 0
    cdef np.ndarray result = vector(None, np.NPY_UINT64, (2 * nodes + 63) // 64)
    cdef np.ndarray order = vector(None, np.NPY_UINT32, nodes)
    cdef const uint32_t *source = <const uint32_t *>np.PyArray_DATA(given)
    cdef uint64_t *out = <uint64_t *>np.PyArray_DATA(result)
    cdef uint32_t *order_out = <uint32_t *>np.PyArray_DATA(order)
    cdef pm_status status, found = PM_OK
    with nogil:
        status = pm_parens_from_parent(NULL, source, nodes, out, order_out)
        if status != PM_OK:
            found = pm_parent_verify(NULL, source, nodes, False, &wrong)
    refuse_entry("parent", found, wrong, status)
    return result, order


def boxes(kinds, boxes, *, out=None):
    """Returns the clipped boxes of a scene: an array of float32, four for each element (x0, y0, x1, y1).

    ``kinds``: an array of uint8 with ``LEAF``, ``CLIP``, ``BLEND`` and ``END``. ``boxes``: float32, shape (n, 4); the
    boxes of leaves and clips are read. ``out`` may be ``boxes`` itself.

    >>> import numpy as np
    >>> clip, leaf = (0, 0, 2, 2), (1, 1, 3, 3)
    >>> boxes(np.array([CLIP, LEAF, END], np.uint8), np.array([clip, leaf, clip], np.float32))[1].tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    cdef np.ndarray scene = array_of(kinds, "kinds", np.NPY_UINT8, 1)
    cdef np.ndarray given = array_of(boxes, "boxes", np.NPY_FLOAT32, 2)
    same_length("boxes", np.PyArray_DIM(given, 0), np.PyArray_DIM(scene, 0))
    if np.PyArray_DIM(given, 1) != 4:
        raise ValueError(f"boxes: shape {(<object>given).shape}; expected (n, 4)")
    cdef np.ndarray result = result_array(out, np.NPY_FLOAT32, 2, np.PyArray_DIMS(given))
    apart(result, np.PyArray_DATA(scene), np.PyArray_NBYTES(scene), "kinds")
    if np.PyArray_DATA(result) != np.PyArray_DATA(given):
        apart(result, np.PyArray_DATA(given), np.PyArray_NBYTES(given), "boxes")
    cdef const uint8_t *scene_kinds = <const uint8_t *>np.PyArray_DATA(scene)
    cdef const pm_box *source = <const pm_box *>np.PyArray_DATA(given)
    cdef pm_box *target = <pm_box *>np.PyArray_DATA(result)
    cdef size_t n = np.PyArray_DIM(scene, 0)
    cdef pm_status status
    with nogil:
        status = pm_box_auto(NULL, scene_kinds, source, n, target)
    succeed(status, "boxes (a kind above 3?)")
    return result


LEAF, CLIP, BLEND, END = range(4)

# (monoid, type, shape of a value) -> the row of monoid_of()
MONOIDS = {("sum", "uint64", ()): 0, ("sum", "int64", ()): 0, ("sum", "float64", ()): 1, ("max", "int64", ()): 2,
           ("max", "float64", ()): 3, ("box_intersection", "float32", (4,)): 4, ("box_union", "float32", (4,)): 5,
           ("affine", "float32", (3, 4)): 6}


cdef const pm_monoid *monoid_of(object monoid, object values) except NULL:
    """Finds the monoid of that name for the type and the shape of these values."""
    if not isinstance(values, np.ndarray):
        raise TypeError(f"values: {type(values).__name__}; expected a NumPy array")
    cdef object row = MONOIDS.get((monoid, values.dtype.name, values.shape[1:]))
    if row is None:
        fit = [f"{dtype} of shape {('n',) + shape}" for name, dtype, shape in MONOIDS if name == monoid]
        if not fit:
            raise ValueError(f"monoid: {monoid!r}; expected one of {sorted({name for name, _, _ in MONOIDS})}")
        raise TypeError(f"values: {values.dtype} of shape {values.shape}; {monoid!r} takes {' or '.join(fit)}")
    array_of(values, "values", np.PyArray_TYPE(values), np.PyArray_NDIM(values))
    cdef const pm_monoid **rows = [pm_monoid_sum_u64(), pm_monoid_sum_f64(), pm_monoid_max_i64(), pm_monoid_max_f64(),
                                   pm_monoid_box_intersection(), pm_monoid_box_union(), pm_monoid_affine()]
    return rows[<int>row]


cdef np.ndarray scan(object parens, object n, object values, object monoid, object out, int mode):
    """mode: a pm_scan_mode, or 2 to reduce up."""
    cdef Parens p = short_sequence(parens, n)
    cdef const pm_monoid *product = monoid_of(monoid, values)
    cdef np.ndarray given = values
    same_length("values", np.PyArray_DIM(given, 0), pm_forest_count(p.words, p.n))
    cdef np.ndarray result = result_array(out, np.PyArray_TYPE(given), np.PyArray_NDIM(given), np.PyArray_DIMS(given))
    cdef const void *source = np.PyArray_DATA(given)
    cdef void *target = np.PyArray_DATA(result)
    cdef pm_status status
    apart(result, source, np.PyArray_NBYTES(given), "values")
    apart(result, p.words, (p.n + 63) // 64 * 8, "parens")
    with nogil:
        if mode == 2:
            status = pm_tree_reduce_up_auto(NULL, p.words, p.n, product, source, target)
        else:
            status = pm_tree_scan_down_auto(NULL, p.words, p.n, product, mode, source, target)
    succeed(status, "tree_reduce_up" if mode == 2 else "tree_scan_down")
    return result


def tree_scan_down(parens, values, monoid="sum", *, n=None, inclusive=True, out=None):
    """Returns for each node the product of the values on the path from its root to it, in that order.

    ``values``: one for each open, in preorder. ``monoid``: "sum" (int64, uint64, float64), "max" (int64, float64),
    "box_intersection" and "box_union" (float32, four a node), "affine" (float32, three by four a node).
    ``inclusive=False`` leaves out the node's own value.

    >>> import numpy as np
    >>> tree_scan_down("(()(()))", np.array([1, 10, 100, 1000])).tolist()
    [1, 11, 101, 1101]
    """
    return scan(parens, n, values, monoid, out, 0 if inclusive else 1)


def tree_reduce_up(parens, values, monoid="sum", *, n=None, out=None):
    """Returns for each node the product of the values of its subtree, its own first. Parameters as ``tree_scan_down``.

    >>> import numpy as np
    >>> tree_reduce_up("(()(()))", np.array([1, 10, 100, 1000])).tolist()
    [1111, 10, 1100, 1000]
    """
    return scan(parens, n, values, monoid, out, 2)
