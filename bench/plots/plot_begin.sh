# SPDX-License-Identifier: Apache-2.0
# What scripts that draw results begin with; sourced. Of the arguments PREFIX FILE... it leaves the files, and sets
# prefix, commands (a file for gnuplot's, gone at the end) and fields (functions of awk, plot_fields.awk).
set -eu
[ $# -ge 2 ] || {
    echo "usage: $(basename "$0") PREFIX FILE..." >&2
    exit 2
}
prefix=$1
shift
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
fields=$(cat "$(dirname "$0")/plot_fields.awk")
