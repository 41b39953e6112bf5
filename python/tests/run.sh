#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a wheel with the library of a build folder, installs it into an empty folder, and tests it there: the tests, the
# examples of the guide, and the types, where mypy is installed. Exits 77 (skipped) where a module is missing.
#   run.sh BUILD SCRATCH
set -eu
build=$1 scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
needed='numpy Cython setuptools wheel pip pytest hypothesis'
include='import os, sysconfig; open(os.path.join(sysconfig.get_path("include"), "Python.h"))'
for python in ${PYTHON:-/usr/bin/python3 python3}; do
    "$python" -c "import $(echo "$needed" | tr ' ' ,); $include" 2>"$scratch.log" && break
    python=
done
if [ -z "$python" ]; then
    echo "skipped: $(tail -n 1 "$scratch.log"); needed: $needed and Python.h"
    exit 77
fi
rm -rf "$scratch"
export PARENMATCH_BUILD="$build" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
"$python" -m pip wheel --quiet --no-build-isolation --no-deps --no-index --wheel-dir "$scratch" "$here/.."
"$python" -m pip install --quiet --no-deps --no-index --target "$scratch/site" "$scratch"/*.whl
if "$python" -c 'import mypy' 2>/dev/null; then
    MYPYPATH="$scratch/site" "$python" -m mypy --strict --cache-dir "$scratch/mypy" -p parenmatch
fi
cd "$scratch"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$scratch/site" "$python" -m pytest -q -p no:cacheprovider "$here"
