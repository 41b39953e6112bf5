# SPDX-License-Identifier: Apache-2.0
"""Forked processes, threads, and memory."""
import contextlib
import multiprocessing
import resource
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import oracle
import parenmatch as pm
import pytest
from conftest import plain, words_of
from everything import everything

LONG = 1 << 20


@pytest.fixture(scope="module")
def long_sequence():
    opens = oracle.random_opens(7, LONG)
    return words_of(opens), pm.match(words_of(opens)), oracle.match(opens)


def checksum(words):
    return int(pm.match(words).sum(dtype=np.uint64)), pm.check("(]" * 10_000).mismatched


def test_pool_of_forked_processes(long_sequence):
    words, match, expected = long_sequence
    assert plain(match) == expected
    here = checksum(words)  # with threads, which a forked child does not have
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map_async(checksum, [words] * 6).get(timeout=60) == [here] * 6
    assert checksum(words) == here


def test_threads(long_sequence):
    words, match, _ = long_sequence
    tree, nodes = pm.BP(words), np.arange(LONG)
    with ThreadPoolExecutor(4) as pool:
        assert all((found == match).all() for found in pool.map(lambda _: pm.match(words), range(8)))
        assert all((found == np.where(match == pm.NONE, pm.BP_NONE, match.astype(np.int64))).all()
                   for found in pool.map(lambda _: tree.enclose(nodes), range(8)))


def work_until_closed(work, thing):
    with contextlib.suppress(RuntimeError, ValueError):
        for _ in range(10):
            work(thing)


def refused(make, work, disturb):
    """What an object says to one thread while another one is inside of a long call: it lets others run, and is safe."""
    for _ in range(50):
        thing = make()
        worker = threading.Thread(target=work_until_closed, args=[work, thing])
        worker.start()
        while worker.is_alive():
            try:
                disturb(thing)
            except RuntimeError as error:
                worker.join()
                return str(error)
            except ValueError:
                pass
    return "never"


def test_use_by_another_thread():
    words, nodes = np.full(1 << 18, 0x5555555555555555, np.uint64), np.arange(1 << 20)
    assert refused(pm.Stream, lambda stream: stream.push(words), lambda stream: stream.push("()")) == \
        "Stream: in use by another thread"
    assert refused(lambda: pm.BP(words), lambda tree: tree.lca(nodes, nodes), lambda tree: tree.close()) == \
        "BP: in use by another thread"
    assert refused(lambda: pm.Edit(words), lambda edit: edit.lca(nodes, nodes), lambda edit: edit.replace(0, 0)) == \
        "Edit: in use by another thread"
    text = "(\n" * (1 << 20)
    assert refused(lambda: pm.Document(text, "c"), lambda document: document.replace(0, 0, "/*") or document.settle(),
                   lambda document: document.partner(0)) == "Document: in use by another thread"


def test_states_dropped_during_a_push():
    """A state goes while another thread is inside of a push; the check destroys it afterwards."""
    text, checker = b"()" * (1 << 22), pm.Checker()
    for _ in range(5):
        checker.push("((")
        states = [checker.save() for _ in range(100)]
        worker = threading.Thread(target=checker.push, args=[text])
        worker.start()
        del states
        worker.join()
        checker.push(")")
        checker.finish()


def test_no_leak():
    for _ in range(200):
        everything()
    tracemalloc.start()
    everything()
    before, size = tracemalloc.get_traced_memory()[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(300):
        everything()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    for _ in range(3000):
        everything()
    assert after - before < 4000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size < 4096  # KiB


def test_no_leak_in_many_calls():
    words, out = pm.pack("(()())"), np.empty(6, np.uint32)
    match, size = pm.match, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1_000_000):
        match(words, n=6, out=out)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size < 1024
