#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes one bracket of real files away, or doubles it, and counts what `parenmatch fix` makes of that.

  bench/repair.py PROGRAM FOLDER [COUNT [SEED]]

FOLDER holds sources, for example of unpacked Debian packages. For each language COUNT mutants (1000) are made of files of
500 to 100,000 bytes whose brackets match. Each line says how many were restored byte for byte, how many were changed
otherwise, of how many the first place that `parenmatch check` says is within one line of the fault, and how many faults
it reports for each.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

ENDINGS = {'c': '.c', 'java': '.java', 'javascript': '.js', 'rust': '.rs', 'go': '.go', 'python': '.py', 'json': '.json'}
program, folder = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
seed = sys.argv[4] if len(sys.argv) > 4 else '1'


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True)
    return done.returncode, done.stdout, done.stderr


def files_of(ending):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(path, name)
            if name.endswith(ending) and not os.path.islink(file) and 500 <= os.path.getsize(file) <= 100000:
                yield file


def first_place(said):
    """The line of the first place said: of the mistake if it is named, else of the fault."""
    fault = json.loads(said[0])
    return fault.get('repair', fault)['line']


for language, ending in ENDINGS.items():
    files, rng = list(files_of(ending)), random.Random(seed + language)
    restored = wrong = near = messages = made = 0
    with tempfile.TemporaryDirectory() as scratch:
        mutant_file = os.path.join(scratch, 'mutant' + ending)
        while files and made < count:
            with open(rng.choice(files), 'rb') as file:
                text = file.read()
            places = [i for i, byte in enumerate(text) if byte in (b'[]{}' if language == 'json' else b'()[]{}')]
            if not places:
                continue
            at = rng.choice(places)
            with open(mutant_file, 'wb') as file:
                file.write(text)
            if run('check', '-q', mutant_file)[0] != 0:
                continue
            doubled = rng.random() < 0.5
            with open(mutant_file, 'wb') as file:
                file.write(text[:at + 1] + text[at:] if doubled else text[:at] + text[at + 1:])
            if run('check', '-q', mutant_file)[0] != 1:
                continue  # it was in a string or comment
            made += 1
            said = run('check', '--json', mutant_file)[1].splitlines()
            messages += len(said)
            near += abs(first_place(said) - text.count(b'\n', 0, at) - 1) <= 1
            code = run('fix', '--write', mutant_file)[0]
            if code == 0:
                with open(mutant_file, 'rb') as file:
                    same = file.read() == text
                restored += same
                wrong += not same
    if made:
        print('%-10s %5d mutants  restored %5.1f %%  wrong %4.1f %%  place within a line %5.1f %%  %4.2f messages' %
              (language, made, 100 * restored / made, 100 * wrong / made, 100 * near / made, messages / made),
              flush=True)
