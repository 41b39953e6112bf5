# SPDX-License-Identifier: Apache-2.0
"""Times the package next to C and next to what one would write without it, and prints a table.

    python3 python/bench.py build/release/libparenmatch.so

The library is called through ctypes on the same arrays. Numba and scikit-bio are timed if they can be imported. Times
are minima, which other work on the machine disturbs least; so is the ratio of minima of interleaved calls.
"""
import ctypes
import json
import random
import subprocess
import sys
import tempfile
import time

import numpy as np
import parenmatch as pm


def once(call):
    begin = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - begin


def least(call, repeats=9):
    return min(once(call) for _ in range(repeats))


def least_short(call, calls=200, repeats=2000):
    """Of a call that takes less than the clock: mean of 200 calls, the least of many."""
    def loop():
        for _ in range(calls):
            call()
    return (least(loop, repeats) - least(lambda: [None for _ in range(calls)], 200)) / calls


def row(what, nanoseconds, note=""):
    unit, scale = next((u, s) for u, s in (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1)) if nanoseconds >= s)
    print(f"| {what} | {nanoseconds / scale:.3g} {unit} | {note} |")


def compare(what, call, other, pairs=201):
    here, there = (min(times) for times in zip(*((once(call), once(other)) for _ in range(pairs))))
    row(what, here, f"{here / there:.3f} of C")
    row("the same call from C", there)


def match_loop(opens, match, stack):
    top = -1
    for i in range(len(opens)):
        match[i] = stack[top] if top >= 0 else 0xFFFFFFFF
        if opens[i]:
            top += 1
            stack[top] = i
        elif top >= 0:
            top -= 1


def ten_elements():
    text = "(()(()))()"
    array, words, out, tree = np.array([c == "(" for c in text]), pm.pack(text), np.empty(10, np.uint32), pm.BP(text)
    row("`match` of 10 elements, packed, with `out`", least_short(lambda: pm.match(words, n=10, out=out)))
    row("`match` of 10 elements, `str`", least_short(lambda: pm.match(text)))
    row("`match` of 10 elements, array of `bool`", least_short(lambda: pm.match(array)))
    row("`BP.find_close`", least_short(lambda: tree.find_close(0)))
    opens, match, stack = list(array), [0] * 10, [0] * 10
    row("Python loop, 10 elements", least_short(lambda: match_loop(opens, match, stack)))


def long_sequence(library):
    n = 1 << 24
    words = np.random.default_rng(1).integers(0, 2**64, n // 64, dtype=np.uint64)
    opens = np.unpackbits(words.view(np.uint8), bitorder="little").view(bool)
    out, stack = np.zeros(n, np.uint32), np.zeros(n, np.uint32)
    arguments = None, words.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(n), out.ctypes.data_as(ctypes.c_void_p), None
    compare("`match` of 2^24 elements, packed, with `out`", lambda: pm.match(words, out=out),
            lambda: library.pm_match_auto(*arguments))
    expected = out.copy()
    row("`match` of 2^24 elements, packed, new array", least(lambda: pm.match(words)))
    row("`match` of 2^24 elements, array of `bool`, with `out`", least(lambda: pm.match(opens, out=out)))
    try:
        import numba
        compiled = numba.njit(match_loop)
        compiled(opens, out, stack)
        assert (out == expected).all()
        row("loop compiled by Numba, 2^24 elements", least(lambda: compiled(opens, out, stack)))
    except ImportError:
        pass
    part = opens[:1 << 20].tolist(), [0] * (1 << 20), [0] * (1 << 20)
    row("Python loop, 2^20 elements of these", least(lambda: match_loop(*part), 3))
    assert part[1] == expected[:1 << 20].tolist()


def newick_tree():
    source, parts = random.Random(1), [f"s{k}" for k in range(20_000)]
    while len(parts) > 1:
        a, b = (parts.pop(source.randrange(len(parts))) for _ in range(2))
        parts.append(f"({a},{b})")
    newick = parts[0] + ";"
    names = [f"s{source.randrange(20_000)}" for _ in range(200)]

    def build():
        found = pm.brackets(newick, pairs="()")
        return found, pm.BP(found.parens, n=found.n)

    found, tree = build()
    row("tree of 20,000 species from Newick", least(build))
    nodes = tree.enclose(np.searchsorted(found.positions, [newick.index(name) for name in names]))
    row("`BP.lca` of 100 pairs in an array", least(lambda: tree.lca(nodes[::2].copy(), nodes[1::2].copy())))
    try:
        import skbio
        other = skbio.TreeNode.read([newick])
        row("tree of 20,000 species, `skbio.TreeNode.read`", least(lambda: skbio.TreeNode.read([newick]), 2))
        tips = [(other.find(a), other.find(b)) for a, b in zip(names[::2], names[1::2])]
        row("`skbio` lowest common ancestor of 100 pairs", least(lambda: [other.lca(pair) for pair in tips], 2))
    except ImportError:
        pass


def json_text():
    records = [{"id": k, "tags": ["a", {"b": [k, "{["]}], "text": "x" * (k % 97)} for k in range(100_000)]
    text = json.dumps(records, indent=1).encode()
    row(f"`check` of {len(text) / 1e6:.0f} MB of JSON", least(lambda: pm.check(text, "json")))
    row("`json.loads` of the same", least(lambda: json.loads(text), 3))
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        tool = [sys.executable, "-m", "json.tool", file.name, "/dev/null"]
        row("`python3 -m json.tool` of the same", least(lambda: subprocess.run(tool, check=True), 2))


def main():
    library = ctypes.CDLL(sys.argv[1])
    print("| call | time | |\n|---|---|---|")
    ten_elements()
    long_sequence(library)
    newick_tree()
    json_text()


if __name__ == "__main__":
    main()
