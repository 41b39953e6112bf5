# SPDX-License-Identifier: Apache-2.0
# What the program's tests share. A test is `expect NAME CODE EXPECTED-STDOUT COMMAND...`; in commands and expected text
# the program is $program. Sourced by the tests with the program's path as $1; the current directory is scratch.
set -u
program=$1
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
tests=0
failures=0

# expect NAME CODE EXPECTED COMMAND...: standard output (a final newline apart) and exit code must be these.
# Standard error is left in the file errors.
expect() {
    name=$1 code=$2 expected=$3
    shift 3
    printed=$("$@" 2>errors)
    got=$?
    tests=$((tests + 1))
    if [ "$got" != "$code" ] || [ "$printed" != "$expected" ]; then
        failures=$((failures + 1))
        printf 'FAILED: %s\n  exit %s, not %s\n  printed: %s\n  not:     %s\n  errors:  %s\n' \
            "$name" "$got" "$code" "$printed" "$expected" "$(cat errors)"
    fi
}

# expect_error NAME PATTERN: the command of the last expect printed an error with PATTERN in it.
expect_error() {
    tests=$((tests + 1))
    if ! grep -q -e "$2" errors; then
        failures=$((failures + 1))
        printf 'FAILED: %s\n  errors: %s\n  have no: %s\n' "$1" "$(cat errors)" "$2"
    fi
}

# on TEXT COMMAND...: runs a command with the text (printf's escapes read) as its standard input.
on() {
    text=$1
    shift
    # shellcheck disable=SC2059
    printf "$text" | "$@"
}

finish() {
    echo "$tests expectations, $failures failed"
    [ "$failures" = 0 ]
}
