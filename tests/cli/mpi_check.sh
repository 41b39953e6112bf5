#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch-mpi check says what parenmatch check --all says, with any number of ranks.
#   mpi_check.sh PARENMATCH PARENMATCH-MPI MPIEXEC [FLAG]... NUMPROC-FLAG
. "$(dirname "$0")/expect.sh"
alone=$1 together=$2
shift 2
launcher=$*

# on_ranks RANKS ARGUMENT...
on_ranks() {
    ranks=$1
    shift
    $launcher "$ranks" "$together" "$@"
}

# same ARGUMENT...: with some numbers of ranks as alone.
same() {
    alone_code=0
    "$alone" check --all "$@" >alone.txt || alone_code=$?
    alone_said=$(cat alone.txt)
    for ranks in ${all_ranks:-1 2 3 7}; do
        expect "$ranks ranks: $*" "$alone_code" "$alone_said" on_ranks "$ranks" check "$@"
    done
}

# Random texts of some pieces each: brackets, quotes, backslashes, newlines; seeds differ.
make_text() {
    LC_ALL=C awk -v seed="$1" -v count="$2" -v pieces="$3" 'BEGIN {
        srand(seed)
        n = split(pieces, piece, " ")
        for (i = 0; i < count; i++) {
            p = piece[int(rand() * n) + 1]
            printf "%s", p == "NL" ? "\n" : p == "SP" ? " " : p
        }
    }'
}

make_text 1 3000 '{ } [ ] [ ] " " \\ a NL SP : ,' >random.json
make_text 2 400 '{ } [ ] \\ \\ \\ \\ " a NL' >backslashes.json
make_text 3 60 '{ { { [ [ a NL' >opens.json
make_text 4 60 '} } ] a NL' >closes.json
make_text 5 2000 '( ) [ ] { } """ x """ # NL NL \\ SP'"' '''" >random.py
make_text 6 2000 '( ) [ ] { } /* */ // " `  NL NL \\ SP a' >random.go
make_text 7 2000 '( ) [ ] { } /* */ // " """ NL NL \\ SP a' >random.java
make_text 8 2000 '( ) [ ] { } /* */ // " NL NL \\ SP a' >random.c
make_text 9 2000 '( ) [ ] { } a NL SP' >random.txt
make_text 10 600 '{ } [ ] [ ] " " \\ a' >one_line.json
for seed in 11 12 13 14 15 16 17 18; do
    make_text $seed 200 '\\ \\ " [ ]' >escapes_$seed.json
    make_text $seed 200 '\\ NL " ( )' >lines_$seed.py
done
printf '{"a": [1, 2, {"b": "]"}]}\n' >fine.json
printf '["never closed' >cut.json
printf 'x = """\n(\n[\n' >cut.py
: >empty.json
printf '[' >one.json
same random.json one_line.json backslashes.json opens.json closes.json random.py random.go random.java random.c random.txt cut.json \
    cut.py fine.json empty.json one.json escapes_*.json lines_*.py
printf '<a>\n<b></c></a>\n' >wrong.xml
printf '<a><b/></a>\n' >fine.xml
same wrong.xml fine.xml random.json
same --lang xml random.txt wrong.xml
all_ranks=3
same --json wrong.xml
same --max-errors 1 wrong.xml
same --quiet wrong.xml
same --lang text wrong.xml
same --brackets '<>' wrong.xml
same --max-errors 0 --json random.json random.py opens.json closes.json
same --max-errors 1 random.txt random.json
same --quiet random.json
same --lang text --brackets '<>()' random.txt random.json
all_ranks=7
same fine.json empty.json

printf '(\0' >binary.json
same binary.json fine.json
same --lang json binary.json
printf '\377\376(\0' >utf16.json
expect 'UTF-16' 2 '' on_ranks 2 check utf16.json
expect_error 'UTF-16' 'utf16.json: UTF-16 or UTF-32, which parenmatch-mpi does not read'

# What is wrong is wrong on every rank, and nobody waits.
expect 'no such file' 2 '' on_ranks 3 check missing.json
expect_error 'no such file' 'missing.json: No such file'
mkdir folder.json
expect 'a folder' 2 '' on_ranks 3 check folder.json
expect_error 'a folder' 'folder.json: not a regular file'
expect 'trouble does not end the rest' 2 "$("$alone" check one.json)" on_ranks 2 check missing.json one.json
# One rank without a launcher, which would read on: the file is cut once it has begun to print, and cannot go on before.
cut_while_read() {
    yes '</a>' | head -c 3000000 >cut.xml
    { "$together" check --max-errors 0 cut.xml 2>cut_errors; echo $? >code; } |
        { head -c 1 >/dev/null; : >cut.xml; cat >/dev/null; }
    cat cut_errors >&2
    return "$(cat code)"
}
[ -n "${PM_SANITIZE:-}" ] || { # sanitizers have a handler of their own
    expect 'a file that is cut short while it is read' 2 '' cut_while_read
    expect_error 'a file that is cut short' '^parenmatch-mpi: cut.xml: the file was cut short while it was read'
}
expect 'no file' 2 '' on_ranks 2 check
expect 'no such option' 2 '' on_ranks 2 check --nonsense one.json
expect 'no such command' 2 '' on_ranks 2 nonsense
expect 'version' 0 "parenmatch-mpi${version:= $("$alone" --version | sed 's/.* //')}" on_ranks 2 --version
finish
