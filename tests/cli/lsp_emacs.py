#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Emacs with eglot as a client of the language server, set up as the guide says: lsp_emacs.py PROGRAM"""
import os
import shutil
import subprocess
import sys
import tempfile

SCRIPT = r'''
(defun wait-for (wanted)
  "Waits until the messages of flymake's diagnostics, with their lines, are as WANTED."
  (let ((end (+ (float-time) 20)) seen)
    (eglot--signal-textDocument/didChange) ; timers of an idle editor do not run here
    (flymake-start)
    (while (and (not (equal seen wanted)) (< (float-time) end))
      (accept-process-output nil 0.05)
      (setq seen (mapcar (lambda (d) (list (line-number-at-pos (flymake-diagnostic-beg d))
                                           (replace-regexp-in-string ".*]: " "" (flymake-diagnostic-text d))))
                         (flymake-diagnostics))))
    (unless (equal seen wanted)
      (error "FAILED: %S, not %S" seen wanted))))

(setq eglot-sync-connect 20 eglot-autoshutdown t)
(add-to-list 'eglot-server-programs (list 'c-mode (getenv "PM_PROGRAM") "lsp"))
(find-file (getenv "PM_FILE"))
(c-mode)
(eglot-ensure)
(run-hooks 'post-command-hook)
(unless (eglot-current-server) (error "FAILED: no server"))
(wait-for nil)
(goto-char (point-min))
(search-forward "f(a);\n    }")
(delete-char -1)
(wait-for '((2 "'{' is never closed")))
(insert "}")
(wait-for nil)
(insert "/* ä😀 */ ]")
(wait-for '((4 "unmatched ']'")))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(princ "fine\n")
'''
CODE = '''int f(int a, b c) {
    if (a) {
        f(a);
    }
    return f("é");
}
'''


def run(arguments, **options):
    start = ['emacs', '--batch', '-q', '--eval', '(package-initialize)', '-l', 'eglot']
    return subprocess.run(start + arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=200, **options)


with tempfile.TemporaryDirectory() as folder:
    environment = dict(os.environ, PM_PROGRAM=os.path.abspath(sys.argv[1]), PM_FILE=folder + '/a.c', HOME=folder,
                       LC_ALL='C.UTF-8')
    if not shutil.which('emacs') or run([], env=environment).returncode != 0:
        print('skipped: no emacs with eglot here')
        sys.exit(77)
    with open(folder + '/a.c', 'w') as file:
        file.write(CODE)
    with open(folder + '/test.el', 'w') as file:
        file.write(SCRIPT)
    done = run(['-l', folder + '/test.el'], env=environment)
output = done.stdout + done.stderr
print(output.decode(errors='replace'))
sys.exit(0 if done.returncode == 0 and b'fine' in output and b'FAILED' not in output else 1)
