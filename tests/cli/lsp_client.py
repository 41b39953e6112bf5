# SPDX-License-Identifier: Apache-2.0
"""A client of `parenmatch lsp` for tests and benchmarks."""
import json
import subprocess


def frame(message):
    content = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
    return b'Content-Length: %d\r\n\r\n' % len(content) + content


class Client:
    """Speaks with a server; answers and notifications that nobody has asked for yet are kept."""

    def __init__(self, program, *arguments, capabilities=None, initialize=True):
        self.process = subprocess.Popen([program, 'lsp', *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.last_id = 0
        self.kept = []
        if initialize:
            self.server = self.request('initialize', {'processId': None, 'rootUri': None,
                                                      'capabilities': capabilities or {}})['result']
            self.notify('initialized', {})

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(frame(message))

    def notify(self, method, params):
        self.send({'jsonrpc': '2.0', 'method': method, 'params': params})

    def post(self, method, params):
        """Sends a request and returns its id."""
        self.last_id += 1
        self.send({'jsonrpc': '2.0', 'id': self.last_id, 'method': method, 'params': params})
        return self.last_id

    def receive(self):
        headers = b''
        while not headers.endswith(b'\r\n\r\n'):
            byte = self.process.stdout.read(1)
            if not byte:
                raise EOFError(headers + self.process.stderr.read())
            headers += byte
        return json.loads(self.process.stdout.read(int(headers.split(b':')[1])))

    def wait_for(self, fits):
        for k, message in enumerate(self.kept):
            if fits(message):
                return self.kept.pop(k)
        while True:
            message = self.receive()
            if fits(message):
                return message
            self.kept.append(message)

    def answer(self, request):
        return self.wait_for(lambda message: 'method' not in message and message.get('id') == request)

    def request(self, method, params):
        return self.answer(self.post(method, params))

    def open(self, uri, text, language='', version=1):
        self.notify('textDocument/didOpen', {'textDocument': {'uri': uri, 'languageId': language, 'version': version,
                                                              'text': text}})

    def change(self, uri, changes, version=2):
        self.notify('textDocument/didChange', {'textDocument': {'uri': uri, 'version': version},
                                               'contentChanges': changes})

    def ask(self, what, uri, **params):
        """Asks something about a text, and returns the result."""
        return self.request('textDocument/' + what, {'textDocument': {'uri': uri}, **params})['result']

    def published(self, uri, version):
        return self.wait_for(lambda message: message.get('method') == 'textDocument/publishDiagnostics' and
                             message['params']['uri'] == uri and
                             message['params'].get('version') == version)['params']['diagnostics']

    def end(self):
        """Ends the server in order, and returns its exit code."""
        self.request('shutdown', None)
        self.notify('exit', None)
        return self.wait()

    def wait(self):
        """Ends the input, and returns the exit code."""
        self.process.stdin.close()
        code = self.process.wait()
        self.errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return code
