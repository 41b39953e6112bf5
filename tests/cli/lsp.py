#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The language server, as a client sees it: lsp.py PROGRAM"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

from lsp_client import Client, frame

program = sys.argv.pop(1)
PULL = {'textDocument': {'diagnostic': {}}}
RELATED = {'textDocument': {'publishDiagnostics': {'relatedInformation': True}}}
UNITS = {'utf-8': lambda text: len(text.encode()), 'utf-16': lambda text: len(text.encode('utf-16-le')) // 2, 'utf-32': len}
URI = 'file:///a.c'


def at(line, character):
    return {'line': line, 'character': character}


def between(*numbers):
    return {'start': at(*numbers[:2]), 'end': at(*numbers[2:])}


def numbers(span):
    return tuple(span[end][part] for end in ('start', 'end') for part in ('line', 'character'))


def position_of(text, index, encoding):
    """The position of a character, which is not between the two of a line end."""
    ends = [end.end() for end in re.finditer('\r\n?|\n', text[:index])]
    return at(len(ends), UNITS[encoding](text[ends[-1] if ends else 0:index]))


class Tests(unittest.TestCase):
    def client(self, *arguments, **options):
        client = Client(program, *arguments, **options)
        self.addCleanup(lambda: client.process.poll() is None and client.process.kill())
        return client

    # ---- Life ----

    def test_life(self):
        client = self.client(initialize=False)
        error = client.request('shutdown', None)['error']
        self.assertEqual(error['code'], -32002)
        client.open('file:///early.c', '(')  # is ignored
        result = client.request('initialize', {'capabilities': {}})['result']
        self.assertEqual(result['capabilities']['positionEncoding'], 'utf-16')
        self.assertEqual(client.request('initialize', {'capabilities': {}})['error']['code'], -32600)
        self.assertEqual(client.request('textDocument/hover', {})['error']['code'], -32601)
        self.assertEqual(client.request('$/unknown', {})['error']['code'], -32601)
        client.notify('$/unknown', {})
        client.notify('workspace/didChangeConfiguration', {'settings': None})
        early = client.request('textDocument/foldingRange', {'textDocument': {'uri': 'file:///early.c'}})
        self.assertEqual(early['error']['code'], -32602)
        self.assertIsNone(client.request('shutdown', None)['result'])
        self.assertEqual(client.request('textDocument/foldingRange', {})['error']['code'], -32600)
        client.notify('exit', None)
        self.assertEqual(client.wait(), 0)

    def test_exit_without_shutdown(self):
        client = self.client()
        client.notify('exit', None)
        self.assertEqual(client.wait(), 1)

    def test_end_of_input(self):
        for rest in b'', b'Content-Length: 10\r\n\r\n{}', b'Content-Len':
            client = self.client()
            client.send_bytes(rest)
            self.assertEqual(client.wait(), 1)
            self.assertEqual(b'within a message' in client.errors, rest != b'')

    def test_wrong_headers(self):
        for headers in (b'garbage\r\n\r\n', b'Content-Type: x\r\n\r\n{}', b'Content-Length: -1\r\n\r\n', b'x' * 5000,
                        b'Content-Length: 2x\r\n\r\n{}', b'Content-Length:\r\n\r\n', b'Content-Length: 1\r\n' * 2 + b'\r\n1',
                        b'Content-Length: 99999999999999999999999\r\n\r\n', b'Content-Length: 1073741825\r\n\r\n'):
            client = self.client()
            try:
                client.send_bytes(headers)
            except BrokenPipeError:
                pass
            self.assertEqual(client.process.wait(), 2, headers)
            client.wait()
            self.assertIn(b'message', client.errors)

    def test_wrong_messages(self):
        client = self.client()
        for content, code in ((b'{', -32700), (b'{} x', -32700), (b'', -32700), (b'\xff', -32700), (b'[' * 5000, -32700),
                              (b'{"a" 1}', -32700), (b'{"id":1,"method":"x"}\0', -32700),
                              (b'[]', -32600), (b'"a"', -32600), (b'{}', -32600), (b'{"method":1}', -32600),
                              (b'{"id":[],"method":"shutdown"}', -32600), (b'{"id":null,"method":"shutdown"}', -32600)):
            client.send_bytes(frame(content))
            message = client.receive()
            self.assertEqual((message['id'], message['error']['code']), (None, code), content)
        content = b'{"jsonrpc": "2.0", "id": "\\u00e9", "method": "nothing"}  '
        client.send_bytes(b'content-length:\t%d \r\nContent-Type: text; charset=utf-8\r\n\r\n' % len(content) + content)
        self.assertEqual(client.receive()['id'], 'é')
        client.send({'jsonrpc': '2.0', 'id': 5, 'result': None})  # an answer to nothing
        client.open(URI, '()')
        for params in ({}, {'position': 1}, {'position': at(-1, 0)}, {'position': {'line': 'x', 'character': 0}}, [], None):
            params = {'textDocument': {'uri': URI}, **params} if isinstance(params, dict) else params
            self.assertEqual(client.request('textDocument/documentHighlight', params)['error']['code'], -32602)
        for what in ('selectionRange', 'semanticTokens/range', 'codeAction'):
            self.assertEqual(client.request('textDocument/' + what, {'textDocument': {'uri': URI}})['error']['code'], -32602)
        self.assertEqual(client.request('textDocument/selectionRange', {'textDocument': {'uri': URI}, 'positions': [1]})
                         ['error']['code'], -32602)
        for params in (None, {}, {'textDocument': {'uri': 1}}, {'textDocument': {'uri': URI}},
                       {'textDocument': {'uri': URI}, 'contentChanges': [3]}):
            for method in ('didOpen', 'didChange', 'didClose'):
                client.notify('textDocument/' + method, params)
        self.assertEqual(client.end(), 0)

    def test_byte_by_byte(self):
        client = self.client(initialize=False)
        text = (frame({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {}}) +
                frame({'jsonrpc': '2.0', 'id': 2, 'method': 'shutdown'}) + frame({'jsonrpc': '2.0', 'method': 'exit'}))
        for k in range(len(text)):
            client.send_bytes(text[k:k + 1])
        self.assertIsNone(client.answer(2)['result'])
        self.assertEqual(client.wait(), 0)

    def test_cancel(self):
        client = self.client()
        client.open(URI, '()')
        many = b''.join(frame({'jsonrpc': '2.0', 'id': k, 'method': 'textDocument/foldingRange',
                               'params': {'textDocument': {'uri': URI}}}) for k in range(100, 110))
        client.send_bytes(many + frame({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 109}}) +
                          frame({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 4711}}))
        for k in range(100, 109):
            self.assertEqual(client.answer(k)['result'], [])
        self.assertEqual(client.answer(109)['error']['code'], -32800)
        self.assertEqual(client.end(), 0)

    def test_program(self):
        for arguments, code in ((['--help'], 0), (['--nonsense'], 2), (['x'], 2), (['-m', 'x'], 2), (['--stdio'], 1)):
            done = subprocess.run([program, 'lsp', *arguments], stdin=subprocess.DEVNULL, capture_output=True)
            self.assertEqual(done.returncode, code, arguments)

    # ---- Answers ----

    def test_pushed(self):
        client = self.client(capabilities=RELATED)
        client.open(URI, 'f(a];\n{\n')
        wrong, unclosed = client.published(URI, 1)
        self.assertEqual((numbers(wrong['range']), wrong['code'], wrong['message'], wrong['source'], wrong['severity']),
                         ((0, 3, 0, 4), 'kind-mismatch', "']' closes '('", 'parenmatch', 1))
        related, = wrong['relatedInformation']
        self.assertEqual((related['location'], related['message']),
                         ({'uri': URI, 'range': between(0, 1, 0, 2)}, "'(' is here"))
        self.assertEqual((numbers(unclosed['range']), unclosed['message']), ((1, 0, 1, 1), "'{' is never closed"))
        client.change(URI, [{'range': between(0, 3, 0, 4), 'text': ')'}, {'range': between(2, 0, 2, 0), 'text': '}'}], 2)
        self.assertEqual(client.published(URI, 2), [])
        client.change(URI, [{'text': '('}], 3)
        self.assertEqual(len(client.published(URI, 3)), 1)
        client.notify('textDocument/didClose', {'textDocument': {'uri': URI}})
        self.assertEqual(client.published(URI, None), [])
        self.assertEqual(client.end(), 0)

    def test_languages_of_editors(self):
        """An editor's name of a language counts, where it differs from the library's, too."""
        for name, text in (('typescriptreact', "f(<A>it's (</A>)"), ('javascriptreact', "f(<A>it's (</A>)"),
                           ('typescript', 'f(<any>[1])'), ('shellscript', 'f() { case a in b) c;; esac; }')):
            client = self.client()
            client.notify('textDocument/didOpen', {'textDocument': {
                'uri': URI, 'languageId': name, 'version': 1, 'text': text}})
            self.assertEqual(client.published(URI, 1), [], name)
            self.assertEqual(client.end(), 0)

    def test_debounced(self):
        """Of changes that arrive at once the last one's diagnostics are sent."""
        client = self.client()
        client.send_bytes(frame({'jsonrpc': '2.0', 'method': 'textDocument/didOpen', 'params': {'textDocument': {
            'uri': URI, 'languageId': 'c', 'version': 1, 'text': ''}}}) + b''.join(
            frame({'jsonrpc': '2.0', 'method': 'textDocument/didChange', 'params': {
                'textDocument': {'uri': URI, 'version': k}, 'contentChanges': [{'text': '(' * k}]}}) for k in range(2, 9)))
        self.assertEqual(len(client.published(URI, 8)), 8)
        self.assertLess(len(client.kept), 7)
        self.assertEqual(client.end(), 0)

    def test_pulled(self):
        client = self.client(capabilities=PULL)
        client.open(URI, '(')
        first = client.ask('diagnostic', URI)
        self.assertEqual((first['kind'], len(first['items'])), ('full', 1))
        self.assertEqual(client.ask('diagnostic', URI, previousResultId=first['resultId'])['kind'], 'unchanged')
        client.change(URI, [{'range': between(0, 1, 0, 1), 'text': ')'}])
        self.assertEqual(client.ask('diagnostic', URI, previousResultId=first['resultId'])['items'], [])
        self.assertEqual(client.kept, [])  # nothing is pushed
        self.assertEqual(client.end(), 0)

    def test_most(self):
        client = self.client('--max-errors', '3', capabilities=PULL)
        client.open(URI, '((((((')
        self.assertEqual(len(client.ask('diagnostic', URI)['items']), 3)
        self.assertEqual(client.end(), 0)

    def test_highlight(self):
        client = self.client()
        client.open(URI, 'é(😀[x])\n)')
        for character, spans in ((0, []), (1, [(1, 2), (7, 8)]), (2, [(1, 2), (7, 8)]), (3, [(1, 2), (7, 8)]),
                                 (4, [(4, 5), (6, 7)]), (5, [(4, 5), (6, 7)]), (6, [(6, 7), (4, 5)]), (7, [(7, 8), (1, 2)]),
                                 (99, [(7, 8), (1, 2)])):
            expected = [between(0, a, 0, b) for a, b in spans]
            got = client.ask('documentHighlight', URI, position=at(0, character))
            self.assertEqual([item['range'] for item in got], expected, character)
        for position in at(1, 0), at(7, 7):  # unmatched; behind the end
            self.assertEqual([numbers(item['range']) for item in client.ask('documentHighlight', URI, position=position)],
                             [(1, 0, 1, 1)])
        self.assertEqual(client.end(), 0)

    def test_selection(self):
        client = self.client()
        client.open(URI, '{ f(a, [b]) ( }')
        chain, lone = client.ask('selectionRange', URI, positions=[at(0, 8), at(0, 15)])
        spans = []
        while chain:
            spans.append(numbers(chain['range'])[1::2])
            chain = chain.get('parent')
        self.assertEqual(spans, [(8, 9), (7, 10), (4, 10), (3, 11)])  # '{' is not closed
        self.assertEqual(lone['range'], between(0, 15, 0, 15))
        client.open('file:///b.c', '(' * 200 + ')' * 200)
        text = json.dumps(client.ask('selectionRange', 'file:///b.c', positions=[at(0, 200)]))
        self.assertEqual(text.count('parent'), 127)
        self.assertEqual(client.end(), 0)

    def test_folds(self):
        client = self.client()
        client.open(URI, 'f() {\n  g({\n    1,\n  });\n  h(\n  );\n}\n{\n')
        folds = [(fold['startLine'], fold['endLine']) for fold in client.ask('foldingRange', URI)]
        self.assertEqual(folds, [(0, 5), (1, 2)])
        client = self.client(capabilities={'textDocument': {'foldingRange': {'rangeLimit': 1}}})
        client.open(URI, '{\n(\n\n)\n}')
        self.assertEqual(len(client.ask('foldingRange', URI)), 1)
        self.assertEqual(client.end(), 0)

    def test_tokens(self):
        client = self.client()
        client.open(URI, '(😀[\n{}])  )\n"("')
        data = client.ask('semanticTokens/full', URI)['data']
        self.assertEqual(data, [0, 0, 1, 0, 0, 0, 3, 1, 1, 0, 1, 0, 1, 2, 0, 0, 1, 1, 2, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0,
                                0, 3, 1, 0, 1])
        data = client.ask('semanticTokens/range', URI, range=between(1, 1, 1, 3))['data']
        self.assertEqual(data, [1, 1, 1, 2, 0, 0, 1, 1, 1, 0])
        client.change(URI, [{'text': '(' * 1000001}])
        self.assertIsNone(client.ask('semanticTokens/full', URI))
        client.change(URI, [{'text': '(' * 8}])
        self.assertEqual(client.ask('semanticTokens/full', URI)['data'][3::5], [0, 1, 2, 3, 4, 5, 0, 1])
        self.assertEqual(client.end(), 0)

    def test_fixes(self):
        good = ''.join('int %s(int a) {\n    if (a) {\n        %s(a);\n    }\n    return a;\n}\n\n' % (name, name)
                       for name in 'fghijk')
        lines = good.split('\n')
        del lines[3]
        for capabilities in {}, {'workspace': {'workspaceEdit': {'documentChanges': True}}}:
            client = self.client(capabilities=capabilities)
            client.open(URI, '\n'.join(lines), version=7)
            faults = client.published(URI, 7)
            self.assertTrue(faults)
            actions = client.ask('codeAction', URI, range=faults[0]['range'],
                                 context={'diagnostics': faults + [{'source': 'other', 'message': 'x'}]})
            self.assertEqual([(a['kind'], a['diagnostics']) for a in actions], [('quickfix', faults)])
            self.assertIn("Insert the missing '}'", actions[0]['title'])
            if capabilities:
                change, = actions[0]['edit']['documentChanges']
                self.assertEqual(change['textDocument'], {'uri': URI, 'version': 7})
                edits = change['edits']
            else:
                edits = actions[0]['edit']['changes'][URI]
            client.change(URI, [{'range': edit['range'], 'text': edit['newText']} for edit in edits], 8)
            self.assertEqual(client.published(URI, 8), [])
            self.assertEqual(client.ask('codeAction', URI, range=between(3, 0, 3, 0), context={'diagnostics': []}), [])
            self.assertEqual(client.end(), 0)
        client = self.client()
        client.open(URI, good.replace('return a;', 'return (a;', 1))
        for context, count in (({'diagnostics': []}, 1), ({'diagnostics': [], 'only': ['refactor']}, 0),
                               ({'diagnostics': [], 'only': ['quickfix']}, 1)):
            actions = client.ask('codeAction', URI, range=between(4, 0, 4, 0), context=context)
            self.assertEqual(len(actions), count, context)
        self.assertEqual(client.ask('codeAction', URI, range=between(20, 0, 20, 0), context={'diagnostics': []}), [])
        # What would be added would stand in the string that is never ended.
        uri = 'file:///a.json'
        client.open(uri, '{\n  "a": [\n    1,\n    2,\n    "x\n', language='json')
        faults = client.published(uri, 1)
        self.assertEqual([fault['code'] for fault in faults], 2 * ['unmatched-open'] + ['unterminated'])
        self.assertEqual(client.ask('codeAction', uri, range=between(0, 0, 4, 0), context={'diagnostics': faults}), [])
        self.assertEqual(client.end(), 0)

    def test_delimiters(self):
        uri = 'file:///a.xml'
        client = self.client(capabilities=RELATED)
        client.open(uri, '<a>\n <b x="é">\n  <c/>\n </d>\n</a>')
        fault, = client.published(uri, 1)
        self.assertEqual((numbers(fault['range']), fault['code']), ((3, 1, 3, 5), 'kind-mismatch'))
        self.assertEqual(numbers(fault['relatedInformation'][0]['location']['range']), (1, 1, 1, 10))
        client.change(uri, [{'range': between(3, 3, 3, 4), 'text': 'b'}])
        self.assertEqual(client.published(uri, 2), [])
        for character, expected in (1, [(1, 1, 1, 10), (3, 1, 3, 5)]), (0, []), (10, [(1, 1, 1, 10), (3, 1, 3, 5)]):
            got = client.ask('documentHighlight', uri, position=at(1, character))
            self.assertEqual([numbers(item['range']) for item in got], expected)
        chain, = client.ask('selectionRange', uri, positions=[at(2, 0)])
        self.assertEqual(numbers(chain['range']), (1, 10, 3, 1))
        self.assertEqual(numbers(chain['parent']['parent']['parent']['range']), (0, 0, 4, 4))
        self.assertEqual([(f['startLine'], f['endLine']) for f in client.ask('foldingRange', uri)], [(0, 3), (1, 2)])
        self.assertEqual(client.ask('semanticTokens/full', uri)['data'][:10], [0, 0, 3, 0, 0, 1, 1, 9, 1, 0])
        self.assertEqual(client.ask('codeAction', uri, range=between(0, 0, 4, 0), context={'diagnostics': []}), [])
        client.change(uri, [{'text': '<a\n b="1">\n</a>'}])
        self.assertEqual(client.ask('semanticTokens/full', uri)['data'], [0, 0, 2, 0, 0, 2, 0, 4, 0, 0])
        self.assertEqual(client.end(), 0)

    def test_large_delimiters(self):
        """A large text that is read as a whole, for longer than a moment: while one types, its diagnostics wait for a
        pause."""
        uri, edits, text = 'file:///large.tex', 12, '\\begin{a}\n' + '{b} c\n' * 2000000 + '\\end{a}'
        client = self.client()
        client.open(uri, text)
        self.assertEqual(client.published(uri, 1), [])
        for version in range(2, edits + 2):
            client.change(uri, [{'range': between(0, 0, 0, 0), 'text': '{'}], version)
            time.sleep(0.04)
        self.assertEqual(len(client.published(uri, edits + 1)), edits)
        versions = [m['params']['version'] for m in client.kept if m['method'] == 'textDocument/publishDiagnostics']
        self.assertLess(len(versions), edits // 2, versions)
        client.change(uri, [{'text': '{'}], edits + 2)
        self.assertEqual(len(client.published(uri, edits + 2)), 1)
        self.assertEqual(client.end(), 0)

    def test_languages(self):
        client = self.client(capabilities=PULL)
        for language, uri, text, count in (('shellscript', 'untitled:1', 'case x in a) ;; esac', 0),
                                           ('cpp', 'file:///x', 'R"a(()a"', 0), ('', 'file:///a%20b.json', '["("]', 0),
                                           ('unknown', 'file:///x.py', '# (', 0), ('plaintext', 'untitled:2', '# (', 1)):
            client.open(uri, text, language)
            self.assertEqual(len(client.ask('diagnostic', uri)['items']), count, language)
        self.assertEqual(client.end(), 0)

    # ---- Positions and edits ----

    def test_encodings(self):
        for offered, chosen in ((['utf-8', 'utf-16'], 'utf-8'), (['utf-32'], 'utf-32'), (['utf-7', 3], 'utf-16'), ([], 'utf-16')):
            client = self.client(capabilities={**PULL, 'general': {'positionEncodings': offered}})
            self.assertEqual(client.server['capabilities']['positionEncoding'], chosen)
            client.open(URI, 'é😀(')
            item, = client.ask('diagnostic', URI)['items']
            column = UNITS[chosen]('é😀')
            self.assertEqual(numbers(item['range']), (0, column, 0, column + 1))
            self.assertEqual(client.end(), 0)

    def test_odd_positions(self):
        client = self.client(capabilities=PULL)
        client.open(URI, 'a\r\nb\rc\n😀')

        def change(span, text):
            client.change(URI, [{'range': between(*span), 'text': text}])
            return [numbers(item['range']) for item in client.ask('diagnostic', URI)['items']]

        self.assertEqual(change((0, 99, 0, 99), '('), [(0, 1, 0, 2)])  # before the line end
        self.assertEqual(change((1, 1, 1, 1), '('), [(0, 1, 0, 2), (1, 1, 1, 2)])
        self.assertEqual(change((3, 1, 3, 1), '('), [(0, 1, 0, 2), (1, 1, 1, 2), (3, 0, 3, 1)])  # inside of a pair
        self.assertEqual(change((3, 9, 2, 0), ')'), [(0, 1, 0, 2)])  # turned round: "c\n(😀" is gone
        self.assertEqual(change((99, 0, 99, 5), '('), [(0, 1, 0, 2), (2, 1, 2, 2)])
        self.assertEqual(change((0, 0, 2**31 - 1, 2**31 - 1), '\0('), [(0, 1, 0, 2)])
        self.assertEqual(client.end(), 0)

    def test_inside_of_characters(self):
        client = self.client(capabilities={**PULL, 'general': {'positionEncodings': ['utf-8']}})
        client.open(URI, 'é😀\n😀')
        for span, column in ((0, 1, 0, 1), 0), ((0, 6, 0, 6), 3), ((1, 3, 1, 3), 0):
            client.change(URI, [{'range': between(*span), 'text': '('}])
            self.assertIn((span[0], column, span[0], column + 1),
                          [numbers(item['range']) for item in client.ask('diagnostic', URI)['items']])
        self.assertEqual(client.end(), 0)

    def test_random_edits(self):
        """Diagnostics after each edit are those of a check of the same text."""
        pieces = ['(', ')', '[', ']', '{', '}', '"', "'", '/*', '*/', '//', '\n', '\r\n', '\r', 'é', '😀', 'a', ' ', '\\', '#if 1\n',
                  '\n#endif\n', '<b>', '</b>', '<!--', '-->']
        for seed, (language, encoding) in enumerate((l, e) for l in ('c', 'json', 'python', 'xml') for e in UNITS):
            rng = random.Random(seed)
            uri = 'file:///' + language
            client = self.client('-m', '0', capabilities={**PULL, 'general': {'positionEncodings': [encoding]}})
            text = ''.join(rng.choices(pieces, k=rng.choice((0, 50, 9000))))
            client.open(uri, text, language)
            texts, answers = [], []
            for _ in range(8):
                changes = []
                for _ in range(rng.randrange(1, 4)):
                    first = rng.randrange(len(text) + 1)
                    last = min(len(text), first + rng.choice((0, 0, 1, 5, 6000)))
                    new = ''.join(rng.choices(pieces, k=rng.choice((0, 1, 1, 2, 3000))))
                    # A position between the two characters of a line end is not one.
                    first -= text[first - 1:first + 1] == '\r\n' and first > 0
                    last -= text[last - 1:last + 1] == '\r\n' and last > first
                    changes.append({'range': {'start': position_of(text, first, encoding),
                                              'end': position_of(text, last, encoding)}, 'text': new})
                    text = text[:first] + new + text[last:]
                client.change(uri, changes)
                texts.append(text)
                answers.append(client.ask('diagnostic', uri)['items'])
            self.compare(answers, texts, language, encoding)
            self.assertEqual(client.end(), 0)

    def compare(self, answers, texts, language, encoding):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, str(k)) for k in range(len(texts))]
            for name, text in zip(names, texts):
                with open(name, 'wb') as file:
                    file.write(text.encode())
            printed = subprocess.run([program, 'check', '--json', '--max-errors', '0', '--lang', language, *names],
                                     capture_output=True).stdout
        checked = [json.loads(line) for line in printed.splitlines()]
        for name, text, items in zip(names, texts, answers):
            faults = [fault for fault in checked if fault['file'] == name]
            self.assertEqual([(item['code'], item['message']) for item in items],
                             [(fault['fault'], fault['message']) for fault in faults])
            for item, fault in list(zip(items, faults))[:20]:
                index = len(text.encode()[:fault['offset']].decode())
                self.assertEqual(item['range']['start'], position_of(text, index, encoding))


if __name__ == '__main__':
    unittest.main()
