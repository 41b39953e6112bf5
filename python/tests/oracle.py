# SPDX-License-Identifier: Apache-2.0
"""What the library computes, in plain Python with a plain stack."""
import random

NONE = None


def match(opens):
    stack, result = [], []
    for i, is_open in enumerate(opens):
        result.append(stack[-1] if stack else NONE)
        if is_open:
            stack.append(i)
        elif stack:
            stack.pop()
    return result


def partner(opens):
    result = [NONE] * len(opens)
    for i, top in enumerate(match(opens)):
        if not opens[i] and top is not NONE:
            result[i], result[top] = top, i
    return result


class Forest:
    """Every open is a node, named by its position; the subtree of one without a close extends to the end."""

    def __init__(self, opens):
        tops, partners = match(opens), partner(opens)
        self.opens, self.partners = opens, partners
        self.nodes = [i for i, is_open in enumerate(opens) if is_open]
        self.parent = {i: tops[i] for i in self.nodes}
        self.children = {i: [k for k in self.nodes if self.parent[k] == i] for i in [NONE, *self.nodes]}
        self.below = {i: [k for k in self.nodes if i in self.path(k)] for i in self.nodes}

    def path(self, node):
        """The node, its parent, and so on up to its root."""
        result = []
        while node is not NONE:
            result.append(node)
            node = self.parent[node]
        return result

    def sibling(self, node, step):
        row = self.children[self.parent[node]]
        k = row.index(node) + step
        return row[k] if 0 <= k < len(row) else NONE

    def lca(self, a, b):
        return next((node for node in self.path(a) if node in self.path(b)), NONE)

    def vector(self, name):
        """The vector of that name, of one value for each node, in names of nodes."""
        value = {
            "depth": lambda i: len(self.path(i)) - 1,
            "parent": lambda i: self.parent[i],
            "prev_sibling": lambda i: self.sibling(i, -1),
            "next_sibling": lambda i: self.sibling(i, 1),
            "first_child": lambda i: next(iter(self.children[i]), NONE),
            "subtree_size": lambda i: len(self.below[i]),
        }[name]
        return {i: value(i) for i in self.nodes}


def random_opens(seed, n):
    """A sequence whose share of opens changes, so that it goes deep and comes back."""
    source = random.Random(seed)
    opens = []
    while len(opens) < n:
        share = source.choice((0.1, 0.5, 0.5, 0.9))
        opens += [source.random() < share for _ in range(min(n - len(opens), source.randrange(1, 200)))]
    return opens
