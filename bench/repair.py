#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes one bracket of real files away, or doubles it, and counts what `parenmatch fix` makes of that.

  bench/repair.py PROGRAM FOLDER [COUNT [SEED [LANGUAGE...]]]

FOLDER holds sources, for example a folder of each of some unpacked Debian packages. For each language COUNT mutants
(1000) are made of files of 500 to 100,000 bytes whose brackets match; all packages, large or small, are drawn equally
often. Each line says how many were restored byte for byte, how many were changed
otherwise, of how many the first place that `parenmatch check` says is within one line of the fault, and how many faults
it reports for each.
"""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

ENDINGS = {'c': '.c', 'java': '.java', 'javascript': '.js', 'rust': '.rs', 'go': '.go', 'python': '.py', 'json': '.json',
           'c++': '.cpp', 'csharp': '.cs', 'php': '.php', 'ruby': '.rb', 'typescript': '.ts'}
FILES_AT_ONCE = 500  # of one process
program, folder = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
seed = sys.argv[4] if len(sys.argv) > 4 else '1'
languages = sys.argv[5:] or list(ENDINGS)

Mutant = collections.namedtuple('Mutant', 'text line file')


def run(command, files):
    """What a command prints of many files."""
    for k in range(0, len(files), FILES_AT_ONCE):
        yield subprocess.run([program, *command, *files[k:k + FILES_AT_ONCE]], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout


def faults_of(files, *options):
    """The faults of each file that has any."""
    faults = collections.defaultdict(list)
    for said in run(['check', '--json', *options], files):
        for line in said.splitlines():
            fault = json.loads(line)
            faults[fault['file']].append(fault)
    return faults


def packages_of(ending):
    """The sources of each package, which is what stands in the folder."""
    packages = collections.defaultdict(list)
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(path, name)
            if name.endswith(ending) and not os.path.islink(file) and 500 <= os.path.getsize(file) <= 100000:
                packages[os.path.relpath(file, folder).split(os.sep)[0]].append(file)
    return list(packages.values())


def contents(file):
    with open(file, 'rb') as opened:
        return opened.read()


def write_mutant(rng, brackets, source, faulty, file):
    """Writes a mutant of a source; None: it has no brackets, or faults already."""
    text = contents(source)
    places = [i for i, byte in enumerate(text) if byte in brackets]
    if not places:
        return None
    at = rng.choice(places)
    if source in faulty:
        return None
    doubled = rng.random() < 0.5
    with open(file, 'wb') as opened:
        opened.write(text[:at + 1] + text[at:] if doubled else text[:at] + text[at + 1:])
    return Mutant(text, text.count(b'\n', 0, at) + 1, file)


def make(rng, language, scratch):
    """COUNT mutants, and their faults. A bracket in a string or comment makes no fault, and no mutant."""
    brackets = b'[]{}' if language == 'json' else b'()[]{}'
    packages = packages_of(ENDINGS[language])
    faulty = faults_of(sum(packages, []), '--all')
    mutants, faults = [], {}
    while packages and len(mutants) < count:
        files = [os.path.join(scratch, '%d-%d%s' % (len(mutants), k, ENDINGS[language])) for k in range(count)]
        tried = [write_mutant(rng, brackets, rng.choice(rng.choice(packages)), faulty, file) for file in files]
        tried = [mutant for mutant in tried if mutant]
        found = faults_of([mutant.file for mutant in tried])
        if not found:
            break
        mutants += [mutant for mutant in tried if mutant.file in found]
        faults.update(found)
    return mutants[:count], faults


def first_line(faults):
    """The line of the first place said: of the mistake if it is named, else of the fault."""
    return faults[0].get('repair', faults[0])['line']


def percent(part, whole):
    return 100 * part / whole


for language in languages:
    with tempfile.TemporaryDirectory() as scratch:
        mutants, faults = make(random.Random(seed + language), language, scratch)
        messages = sum(len(faults[mutant.file]) for mutant in mutants)
        near = sum(abs(first_line(faults[mutant.file]) - mutant.line) <= 1 for mutant in mutants)
        before = [contents(mutant.file) for mutant in mutants]
        for _ in run(['fix', '--write'], [mutant.file for mutant in mutants]):
            pass
        after = [contents(mutant.file) for mutant in mutants]
        changed = sum(old != new for old, new in zip(before, after))
        restored = sum(new == mutant.text for new, mutant in zip(after, mutants))
        made = len(mutants)
        if made:
            print('%-10s %5d mutants  restored %5.1f %%  wrong %4.1f %%  place within a line %5.1f %%  %4.2f messages' %
                  (language, made, percent(restored, made), percent(changed - restored, made), percent(near, made),
                   messages / made), flush=True)
