# SPDX-License-Identifier: Apache-2.0
"""A call of everything, bad ones included: what must not leak. As a program, as often as its argument says."""
import contextlib
import sys

import numpy as np
import parenmatch as pm


def everything():
    words = pm.pack("(()())")
    pm.match(words, n=6)
    pm.match("()" * 300)
    pm.match_masks("()", ")(")
    pm.match_batch("()", np.arange(3))
    pm.match_keys("()", np.zeros(2, np.uint8))
    pm.depth("(())", by="node")
    pm.parens_from_parent(pm.parent("(())", by="node"))
    pm.tree_scan_down("()", np.ones(1))
    pm.boxes(np.zeros(1, np.uint8), np.zeros((1, 4), np.float32))
    tree = pm.BP("(())")
    tree.find_close(np.arange(4))
    tree.lca(np.arange(4), 0)
    edit = pm.Edit("(())")
    snapshot = edit.snapshot()
    edit.replace(1, 1, "()" * 100)
    snapshot.read()
    pm.check("(]", "c")
    pm.check("<a></b>", "xml")
    pm.brackets(b"()", "c")
    pm.brackets("<a>", "xml")
    pm.Language.from_rules("pair a b")
    with pm.Checker("c") as checker:
        checker.push("({")
        state = checker.save()
        checker.push(")]")
        checker.restore(state)
        checker.open(), checker.suffix(), checker.finish()
    document = pm.Document("(]", "c")
    document.replace(1, 1, ")" * 100)
    document.report(), document.brackets(), document.path(1), document.read()
    index = pm.Json("[1, {}]")
    index.read('{"a": 1}')
    list(index.members(0)), index.tokens(), index.pointer("/a")
    pm.find(["a"], "aaa")
    with pm.Stream() as stream:
        stream.push("(")
    for bad in ("(x" * 300, np.zeros(2, np.int8), b"[", memoryview(b"()()")[::2]):
        try:
            pm.match(bad)
        except (TypeError, ValueError):
            pass
    for refused in (lambda: pm.Dictionary(["a", ""]), lambda: pm.Json("["), lambda: pm.Document("", "xml")):
        with contextlib.suppress(pm.Error):
            refused()


if __name__ == "__main__":
    for _ in range(int(sys.argv[1])):
        everything()
