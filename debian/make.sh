#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the packages of the last commit in a clean chroot, lets lintian judge them, and runs debian/tests in another
# chroot, which has nothing but them. Needs root, mmdebstrap, lintian and autopkgtest.
#   debian/make.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
version=$(dpkg-parsechangelog --file "$root/debian/changelog" --show-field Version)
upstream=${version%-*}
source=parenmatch-$upstream

say() {
    echo "deb: $* ($(date +%T))"
}

# chroot_at FOLDER PACKAGE,...: Debian 12 from the mirror that this machine has, with these packages.
chroot_at() {
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Codename: bookworm' |
        sort -u | head -n 1)
    rm -rf --one-file-system "$1"
    mmdebstrap --quiet --variant=buildd --include="$2" bookworm "$1" "deb $mirror bookworm main"
}

make_source() {
    rm -rf "$folder/source"
    mkdir -p "$folder/source/$source"
    git -C "$root" archive --prefix="$source/" --format=tar HEAD . ':(exclude)debian' |
        xz --threads=0 >"$folder/source/parenmatch_$upstream.orig.tar.xz"
    git -C "$root" archive HEAD | tar -x -C "$folder/source/$source"
}

# Names alone: those of the field, without versions.
build_depends() {
    sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \([a-z0-9.+-]*\).*/\1/p' "$root/debian/control" |
        sed 's/^debhelper-compat$/debhelper/; s/^dh-sequence-python3$/dh-python/; /^dh-sequence-numpy3$/d' | paste -s -d , -
}

build() {
    chroot_at "$folder/clean" "$(build_depends)"
    mkdir "$folder/clean/build"
    cp -r "$folder/source/." "$folder/clean/build"
    chroot "$folder/clean" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 \
        DEB_BUILD_OPTIONS="parallel=$(nproc)" \
        sh -c "cd /build/$source && dpkg-buildpackage --unsigned-source --unsigned-changes" >"$folder/build.log" 2>&1 ||
        { tail -n 40 "$folder/build.log" && exit 1; }
    rm -rf "$folder/packages"
    mkdir "$folder/packages"
    find "$folder/clean/build" -maxdepth 1 -type f -exec cp {} "$folder/packages" \;
    rm -rf --one-file-system "$folder/clean"
}

# The testbed has /proc and its devices only while the tests run.
test_packages() {
    chroot_at "$folder/empty" apt-utils,dpkg-dev
    mount -t proc proc "$folder/empty/proc"
    trap 'umount "$folder/empty/proc"' EXIT
    chroot "$folder/empty" apt-get -qq update # mmdebstrap leaves no lists
    autopkgtest --quiet "$folder/packages/parenmatch_${version}_$(dpkg --print-architecture).changes" \
        -- chroot "$folder/empty"
    umount "$folder/empty/proc"
    trap - EXIT
    rm -rf --one-file-system "$folder/empty"
}

say "source"
make_source
say "clean chroot and build; the log is $folder/build.log"
build
say "lintian"
lintian --allow-root --fail-on error,warning "$folder"/packages/*.changes
say "empty chroot and tests"
test_packages
say "done: $folder/packages"
ls "$folder"/packages/*.deb
