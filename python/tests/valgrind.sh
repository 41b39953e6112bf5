#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Calls everything 5 and 25 times under valgrind: the extension makes no error, and what is definitely lost, at the start of
# Python and its modules, is as much after 5 times as after 25.
# Debian's valgrind knows Python's own ways. SCRATCH is where run.sh has installed the package (`ctest -R '^python$'` does).
#   valgrind.sh SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(cd "$1" && pwd)

# Prints the log: with malloc for every object, so that a lost one is seen.
calls() {
    PYTHONPATH="$scratch/site:$here" PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc OPENBLAS_NUM_THREADS=1 \
        valgrind --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --num-callers=40 \
        "${PYTHON:-/usr/bin/python3}" "$here/everything.py" "$1" 2>&1
}

lost() {
    sed -n 's/.*definitely lost: \([0-9,]*\) bytes in \([0-9,]*\) blocks/\1 \2/p' "$1" | tr -d ,
}

for times in 5 25; do
    calls $times >"$scratch/valgrind-$times.log" || { cat "$scratch/valgrind-$times.log"; exit 1; }
    echo "$times times: definitely lost bytes and blocks: $(lost "$scratch/valgrind-$times.log")"
done

# A record is what stands between two empty lines. What a module's start makes once lasts as long as the process.
if sed 's/^==[0-9]*== *//' "$scratch/valgrind-25.log" |
    awk -v RS= '/\/parenmatch\/_core\./ && !/__pyx_pymod_exec__core/' | grep .; then
    echo "valgrind.sh: these concern the extension"
    exit 1
fi
[ "$(lost "$scratch/valgrind-5.log")" = "$(lost "$scratch/valgrind-25.log")" ] || { echo "valgrind.sh: calls lose memory"; exit 1; }
echo "valgrind.sh: no call loses memory"
