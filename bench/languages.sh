#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Counts the real files of each language that `parenmatch check` flags, and those among them that a parser of the
# language takes, for docs/results/languages.md. Prints its table.
#   bench/languages.sh fetch FOLDER                      downloads Debian packages, unpacked and not installed: 3 GB
#   bench/languages.sh PARENMATCH FOLDER [LANGUAGE]...   prints a line a language, by default of all
# Files are found by the endings that `parenmatch languages` has, in everything below FOLDER: sources of other origin
# may be put next to the packages. Of more than 3,000 files a fixed sample is taken; files above 2 MB are left out. For
# each language $KEEP/LANGUAGE (if KEEP is set) receives the flagged files, with the first fault of each.
set -u
export LC_ALL=C

packages="
    ansible ansible-core autoconf awesome bash-completion cmake-data darktable debhelper dracut-core elixir erlang-src
    gcc-12-source ghdl-common ghdl-mcode git glibc-source gnome-shell-common golang-github-alecthomas-chroma-v2-dev
    golang-github-gogo-protobuf-dev initramfs-tools-core libbase-ocaml-dev libboost1.74-dev libghdl-3-0-0
    libjs-bootstrap5 libmojolicious-perl libphobos2-ldc-shared-dev libpocl2-common libppxlib-ocaml-dev libprotobuf-dev
    libpython3.11-dev libruby3.1 libthrust-dev libtool lua-penlight neovim-runtime node-bootstrap ocaml ocaml-base
    ocaml-nox perl-modules-5.36 php-symfony-console php-symfony-http-kernel php-twig phpmyadmin prosody python3-django
    python3-vispy r-cran-rcpp r-cran-testthat rkhunter rubocop ruby-actionpack ruby-activerecord
    texlive-humanities-doc texlive-latex-base-doc texlive-latex-extra texlive-latex-recommended-doc
    texlive-publishers-doc texlive-science-doc verilator wordpress xdg-utils yosys"

# Sources with JSX, in packages whose binaries have it compiled.
sources="cockpit node-typescript"

# Downloads and unpacks what is not there yet, and the archives that the packages of sources hold.
fetch() {
    mkdir -p "$1" && cd "$1" || exit 2
    for package in $packages; do
        [ -d "$package" ] && continue
        apt-get download -q "$package" && dpkg-deb -x "${package}"_*.deb "$package"
        rm -f "${package}"_*.deb
        find "$package" -name '*.tar.xz' -execdir tar -xf {} \; -delete
    done
    fetch_sources
}

# Keeps apt's lists of sources below the folder, so that the system need not have any.
fetch_sources() {
    local suite mirror options
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Codename: $suite" | sort -u | head -n 1)
    mkdir -p apt/lists/partial apt/cache/archives/partial
    echo "deb-src $mirror $suite main" >apt/sources.list
    options="-q -o Dir::Etc::sourcelist=$PWD/apt/sources.list -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache"
    apt-get $options update >/dev/null
    for package in $sources; do
        [ -d "$package-source" ] && continue
        mkdir "$package-source"
        (cd "$package-source" && apt-get $options source --download-only "$package" &&
            for archive in *.orig*.tar.*; do
                tar -xf "$archive" --wildcards '*.jsx' '*.tsx' 2>/dev/null
            done
            rm -f ./*.tar.*) || rm -r "$package-source"
    done
    rm -r apt
}

# ---- Parsers ----

no_parser=77 # a status

has() {
    command -v "$1" >/dev/null 2>&1 || return $no_parser
}

# Runs a compiler that also wants other files: are there no errors of the parser among its errors?
takes() {
    local errors=$1
    shift
    ! "$@" 2>&1 | grep -qiE "$errors"
}

has_html5lib() {
    python3 -c 'import html5lib' || return $no_parser
}

# No tag of the file is without its partner, or in the wrong place; other faults do not count.
html_is_nested() {
    python3 -c 'import html5lib, re, sys
parser = html5lib.HTMLParser()
parser.parse(open(sys.argv[1], "rb").read())
sys.exit(any(re.search("end-tag|closing|eof|adoption", code) for _, code, _ in parser.errors))' "$1"
}

# Is the file one that a parser takes? Status $no_parser: there is none here.

parses() {
    local language=$1 file=$2
    case $language in
        ada) has gnatmake && (cd "$scratch" && gcc -x ada -c -gnats "$file") ;;
        css) has sassc && sassc "$file" ;;
        d) has ldc2 && takes 'expected|unterminated|matching' ldc2 -o- -c "$file" ;;
        elixir) has elixir && elixir -e 'Code.string_to_quoted!(File.read!(hd(System.argv())))' "$file" ;;
        erlang) has erl && erl -noshell -eval 'case epp:parse_file(hd(init:get_plain_arguments()), [], []) of
            {ok, F} -> halt(case [1 || {error, {_, erl_parse, _}} <- F] of [] -> 0; _ -> 1 end); _ -> halt(1) end.' \
            -extra "$file" ;;
        fortran) has gfortran && takes 'syntax error|unclassifiable|expected' gfortran -fsyntax-only -ffree-form "$file" ;;
        go) has gofmt && gofmt -e "$file" ;;
        haskell) has ghc && takes 'parse error|lexical error' ghc -fno-code -outputdir "$scratch" "$file" ;;
        html) has_html5lib && html_is_nested "$file" ;;
        javascript) has node && { node --check "$file" || { has esbuild && esbuild --loader=jsx <"$file"; }; } ;;
        tsx) has esbuild && esbuild --loader=tsx <"$file" ;;
        typescript) has esbuild && esbuild --loader=ts <"$file" ;;
        json) has python3 && python3 -m json.tool "$file" ;;
        lua) has luac && luac -p "$file" ;;
        ocaml) has ocamlc && ocamlc -stop-after parsing -o "$scratch/x" -impl "$file" ;;
        perl) has perl && perl -c "$file" ;;
        php) has php && php -l "$file" ;;
        protobuf) has protoc && protoc -I "$(dirname "$file")" --descriptor_set_out=/dev/null "$file" ;;
        python) has python3 && python3 -c 'import ast, sys; ast.parse(open(sys.argv[1], "rb").read())' "$file" ;;
        r) has Rscript && Rscript -e 'invisible(parse(commandArgs(TRUE)[1]))' "$file" ;;
        ruby) has ruby && ruby -c "$file" ;;
        shell) has bash && bash -n "$file" ;;
        toml) has python3 && python3 -c 'import sys, tomllib; tomllib.load(open(sys.argv[1], "rb"))' "$file" ;;
        verilog) has iverilog && takes 'syntax error|malformed' iverilog -g2012 -t null -o /dev/null "$file" ;;
        vhdl) has ghdl && ghdl -s --std=08 "$file" ;;
        xml) has xmllint && xmllint --noout --nonet "$file" ;;
        yaml) has python3 && python3 -c 'import sys, yaml; list(yaml.parse(open(sys.argv[1], "rb")))' "$file" ;;
        *) return $no_parser ;;
    esac >/dev/null 2>&1 </dev/null
}

# ---- Counting ----

# The files of a language below the folder, sorted.
files_of() {
    local endings=() ending
    for ending in $2; do
        endings+=(-o -iname "*$ending")
    done
    find "$folder" -type f -size -4000 ! -path '*/testsuite/*' \( -false "${endings[@]}" \) | sort |
        awk -v seed=7 'BEGIN { srand(seed) } { line[NR] = $0 }
            END { left = NR < 3000 ? NR : 3000
                  for (i = 1; i <= NR; i++) if (rand() * (NR - i + 1) < left) { print line[i]; left-- } }'
}

# The first fault of each flagged file; its name and content say what it is.
faults_of() {
    tr '\n' '\0' | xargs -0 -r "$parenmatch" check --max-errors 1 --color never 2>/dev/null |
        grep -a ': error: ' | awk -F: '!seen[$1]++'
}

count_language() {
    local language=$1 files flagged valid=0 unknown='' file status
    files=$(files_of "$language" "$2")
    [ -n "$files" ] || return
    printf '%s\n' "$files" | faults_of >"$keep/$language"
    flagged=$(cut -d: -f1 "$keep/$language")
    while IFS= read -r file; do
        [ -n "$file" ] || continue
        parses "$language" "$file"
        status=$?
        [ $status = 0 ] && valid=$((valid + 1)) && echo "$file" >>"$keep/$language.valid"
        [ $status = $no_parser ] && unknown='no parser'
    done <<<"$flagged"
    printf '| `%s` | %d | %d | %s |\n' "$language" "$(wc -l <<<"$files")" "$(wc -l <"$keep/$language")" \
        "${unknown:-$valid}"
}

if [ "${1-}" = fetch ] && [ $# = 2 ]; then
    fetch "$2"
    exit
fi
[ $# -ge 2 ] || { echo "usage: bench/languages.sh fetch FOLDER | PARENMATCH FOLDER [LANGUAGE]..." >&2; exit 2; }
parenmatch=$(realpath "$1") folder=$(realpath "$2")
shift 2
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
keep=${KEEP:-$scratch/keep}
mkdir -p "$keep"
rm -f "$keep"/*.valid

echo '| language | files | flagged | valid, but flagged |'
echo '|---|---|---|---|'
"$parenmatch" languages | sed -n 's/^\([a-z+-]*\) .*(\(\.[^()]*\))$/\1 \2/p' | while read -r language endings; do
    [ "$language" = text ] && continue
    [ $# = 0 ] || [[ " $* " = *" $language "* ]] && count_language "$language" "$endings"
done
