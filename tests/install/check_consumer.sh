#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the consumer in C and in C++ against an installed parenmatch and runs it. Exits 77 (skipped) where that cannot be.
#   check_consumer.sh cmake|pkg-config shared|static SETTING=VALUE...
# Settings: cmake, generator, pkg_config, readelf, cc, cxx, sanitize (may be empty), vulkan, mpi (ON or OFF: is it in it?),
# mpi_cc, prefix, libdir, version, source (the consumer's), scratch.
set -eu
way=$1 kind=$2
shift 2
for setting; do
    value=${setting#*=}
    eval "${setting%%=*}=\$value"
done

skip() {
    echo "skipped: $1"
    exit 77
}

for tool in "$cmake" "$pkg_config" "$readelf" "$cc" "$cxx"; do
    command -v "$tool" >/dev/null || skip "no $tool here"
done
[ "$way$kind${sanitize:+ sanitized}" != "pkg-configstatic sanitized" ] || skip "sanitizers do not link with -static"
flags=${sanitize:+-fsanitize=$sanitize}
programs='consumer_c consumer_cxx'
[ "$vulkan" != ON ] || programs="$programs vulkan_c vulkan_cxx"
# MPI comes as a shared library; and it does not give back all its memory, which sanitizers would complain of.
case $mpi$way$kind$sanitize in
ONcmakeshared | ONcmakestatic | ONpkg-configshared) with_mpi=ON programs="$programs mpi_c mpi_cxx" ;;
*) with_mpi=OFF ;;
esac
rm -rf "$scratch"
mkdir -p "$scratch"

# A component that is not there is named.
without_component() {
    ! "$cmake" -S "$source" -B "$scratch/none" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" -Dcomponent=abacus \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >"$scratch/said" 2>&1 || return 1
    tr -s ' \n' '  ' <"$scratch/said" | grep -q "no component 'abacus'"
}

with_cmake() {
    without_component || { echo "a component that is not there is found, or not named" && cat "$scratch/said" && exit 1; }
    [ "$kind" = static ] && static=ON || static=OFF
    "$cmake" -S "$source" -B "$scratch" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
        -Dparenmatch_USE_STATIC_LIBS="$static" -Dwith_vulkan="$vulkan" -Dwith_mpi="$with_mpi" \
        -DMPI_C_COMPILER="$mpi_cc"
    "$cmake" --build "$scratch"
}

# A plain command line; what pkg-config says is split into words on purpose.
with_pkg_config() {
    export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig" LD_LIBRARY_PATH="$prefix/$libdir"
    [ "$("$pkg_config" --modversion parenmatch)" = "$version" ]
    [ "$kind" = static ] && static=-static || static=
    said=$("$pkg_config" ${static:+--static} --cflags --libs parenmatch)
    case " $static $said " in
    *' -static '*/libomp.so*) # LLVM's OpenMP runtime comes as a shared library alone
        static=
        said=$(echo "$said" | sed 's/-lparenmatch/-l:libparenmatch.a/') ;;
    esac
    for program in $programs; do
        case $program in
        mpi_*) said=$("$pkg_config" --cflags --libs parenmatch_mpi) ;;
        esac
        case $program in
        *_c) "$cc" $flags -std=c11 "$source/${program%_c}.c" $static $said -o "$scratch/$program" ;;
        *_cxx) "$cxx" $flags -std=c++11 "$source/${program%_cxx}.cpp" $static $said -o "$scratch/$program" ;;
        esac
    done
}

case $way in
cmake) with_cmake ;;
pkg-config) with_pkg_config ;;
esac

if [ -e "$prefix/include/parenmatch_vulkan.h" ]; then installed=ON; else installed=OFF; fi
if [ "$installed" != "$vulkan" ]; then
    echo "parenmatch_vulkan.h is installed: $installed; the backend is there: $vulkan"
    exit 1
fi
if [ -e "$prefix/include/parenmatch_mpi.h" ]; then installed=ON; else installed=OFF; fi
if [ "$installed" != "$mpi" ]; then
    echo "parenmatch_mpi.h is installed: $installed; the library is there: $mpi"
    exit 1
fi
for program in $programs; do
    printed=$("$scratch/$program")
    if [ "$printed" != "$version $version" ]; then
        echo "$program printed \"$printed\", not \"$version $version\""
        exit 1
    fi
    needed=$("$readelf" -d "$scratch/$program" | grep -c 'NEEDED.*libparenmatch\.' || true)
    [ "$kind" = shared ] && expected=1 || expected=0
    if [ "$needed" != "$expected" ]; then
        echo "$program is not linked with the $kind library"
        exit 1
    fi
done
