#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that names the version names that of include/parenmatch/base.h. (CMake, Python and Conan read it there.)
#   check_version.sh ROOT
set -eu
cd "$1"
header=include/parenmatch/base.h
number() {
    sed -n "s/^#define PM_VERSION_$1 \([0-9]*\).*/\1/p" $header
}
version=$(sed -n 's/^#define PM_VERSION_STRING "\([^"]*\)".*/\1/p' $header)
numbers=$(number MAJOR).$(number MINOR).$(number PATCH)
wrong=0

# expect WHERE FOUND: what is found there, once or more often, is the version.
expect() {
    for found in ${2:-nothing}; do
        [ "$found" != "$version" ] || continue
        echo "$1 has version $found, $header $version"
        wrong=1
    done
}

case $version in
"$numbers" | "$numbers"-?*) ;;
*) echo "$header: PM_VERSION_STRING is $version, the numbers are $numbers" && wrong=1 ;;
esac
expect "a comment of $header" "$(sed -n 's/.*running library ("\([^"]*\)").*/\1/p' $header)"
expect CHANGELOG.md "$(sed -n 's/^## \([0-9][^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)"
# Debian's ~ sorts before the release.
expect debian/changelog "$(sed -n '1s/^parenmatch (\(.*\)-[^-]*) .*/\1/p' debian/changelog | tr '~' '-')"
for file in wasm/package/package.json cmake/recipes/vcpkg/vcpkg.json; do
    expect $file "$(sed -n 's/^ *"version": "\([^"]*\)".*/\1/p' $file)"
done
for file in rust/parenmatch/Cargo.toml rust/parenmatch-sys/Cargo.toml; do
    expect $file "$(sed -n 's/^version = "\([^"]*\)".*/\1/p; s/^parenmatch-sys = .* version = "\([^"]*\)".*/\1/p' $file)"
done
expect rust/Cargo.lock "$(sed -n '/^name = "parenmatch/{n;s/^version = "\([^"]*\)".*/\1/p}' rust/Cargo.lock)"
[ $wrong = 0 ] && echo "$version everywhere"
exit $wrong
