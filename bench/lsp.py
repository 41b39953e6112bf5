#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the language server on a text of 100 MB.

  bench/lsp.py PROGRAM [MEGABYTES [json|c]]

Prints the seconds from opening the text to its diagnostics, and milliseconds for each of 100 keystrokes at random places:
the median and the slowest, up to the answer of a request for the pair at the cursor, up to that of diagnostics, and for a
quote with which everything behind it is read otherwise. The client, in Python, is included, and so is waiting for a
processor; the last figure is the most that one keystroke and taking it back cost the server in processor time.
"""
import os
import random
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'tests', 'cli'))
from lsp_client import Client, frame  # noqa: E402

program = sys.argv[1]
megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 100
language = sys.argv[3] if len(sys.argv) > 3 else 'json'
LINES = {'json': '  {"id": %d, "tags": ["a", "b"], "name": "höhe", "at": {"x": 1, "y": [2, 3]}},\n',
         'c': 'static int f%d(int a) { if (a) { return g[a] + h(a, "(", \')\'); } /* { */ return 0; }\n'}
URI = 'file:///large.' + language
rng = random.Random(1)

text = ''.join(LINES[language] % k for k in range(megabytes * 10**6 // len(LINES[language] % 10**6)))
text = '[\n' + text + '  0]\n' if language == 'json' else text
lines = text.count('\n')
client = Client(program, capabilities={'textDocument': {'diagnostic': {}}})


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def processor_seconds():
    """Of the server so far (Linux)."""
    with open('/proc/%d/schedstat' % client.process.pid) as file:
        return int(file.read().split()[0]) / 1e9


def at(line, character):
    return {'line': line, 'character': character}


def type_text(line, typed, question, **params):
    client.change(URI, [{'range': {'start': at(line, 10), 'end': at(line, 10)}, 'text': typed}])
    client.ask(question, URI, **params)


def untype(line):
    client.change(URI, [{'range': {'start': at(line, 10), 'end': at(line, 11)}, 'text': ''}])
    client.ask('diagnostic', URI)


def measure(what, typed, question, **params):
    times = []
    most = 0
    for _ in range(100):
        begin = processor_seconds()
        line = rng.randrange(1, lines - 1)
        times.append(1000 * seconds(lambda: type_text(line, typed, question, **params)))
        untype(line)
        most = max(most, 1000 * (processor_seconds() - begin))
    times.sort()
    print('%-34s median %8.3f ms, slowest %8.3f ms, most processor time %8.3f ms' %
          (what, statistics.median(times), times[-1], most))


opening = frame({'jsonrpc': '2.0', 'method': 'textDocument/didOpen', 'params': {
    'textDocument': {'uri': URI, 'languageId': language, 'version': 1, 'text': text}}})


def open_text():
    client.send_bytes(opening)
    assert client.ask('diagnostic', URI)['items'] == []


print('%s, %.1f MB, %d lines' % (language, len(text.encode()) / 1e6, lines))
print('opened and checked in %.2f s' % seconds(open_text), 'with %.2f s of processor time' % processor_seconds())
measure('a digit, then the pair', '1', 'documentHighlight', position=at(0, 0))
measure('a digit, then diagnostics', '1', 'diagnostic')
measure('a bracket, then diagnostics', '(' if language == 'c' else '[', 'diagnostic')
measure('a quote, then the pair', '"', 'documentHighlight', position=at(1, 0))
client.end()
