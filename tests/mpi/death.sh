#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A rank that dies is told of by the launcher's exit code, and nobody waits for it.
#   mpi_death.sh COMMAND...
code=0
timeout 60 "$@" >/dev/null 2>&1 || code=$?
echo "exit code $code"
[ "$code" != 0 ] && [ "$code" != 124 ]
