#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bp_table.sh FILE...: what the suite bp has printed, as the tables of docs/results/queries.md: nanoseconds a query by the sequence's
# length, each the least median of the runs that came to it.
set -eu
[ $# -gt 0 ] || { echo "usage: bp_table.sh FILE..." >&2; exit 2; }
zcat -f "$@" | awk -f "$(dirname "$0")/plot_fields.awk" -f "$(dirname "$0")/bp_table.awk"
