#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a folder that runs the GPU tests and measurements on a machine which has a Vulkan driver, but no loader, no X
# libraries and no compiler. Needs a release build with tests, and Debian's apt-get.
#   bundle.sh FOLDER
# There: FOLDER/run.sh [RESULTS-FOLDER [PART]...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/release
bundle=$1
rm -rf "$bundle"
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/packages"
bundle=$(cd "$bundle" && pwd)

for test in devices find_gpu gpu gpu_boxes gpu_scan pfac_stages pipelines resident scan_stages structure_gpu structure_stages \
    transfer vulkan vulkan_boxes vulkan_calls vulkan_scan vulkan_slices vulkan_structure; do
    cp "$build/tests/test_$test" "$bundle/bin"
done
cp "$build/bench/pm_bench" "$build/bench/pm_bench_gpu" "$bundle/bin"
# What these link beyond the C library.
ldd "$build/bench/pm_bench" | awk '$3 ~ /(gomp|hs|re2|sdsl|stdc\+\+|gcc_s)/ { print $3 }' | xargs -I{} cp -L {} "$bundle/lib"
cp "$here/bundle_run.sh" "$bundle/run.sh"
# The loader, what NVIDIA's driver links, and what the tests link. Each library is kept under the name it is linked by,
# so that the folder holds plain files and no links.
cd "$bundle/packages"
apt-get -qq -o APT::Sandbox::User=root download \
    libvulkan1 libegl1 libglvnd0 libx11-6 libxext6 libxcb1 libxau6 libxdmcp6 libbsd0 libmd0 libcmocka0
for package in *.deb; do
    dpkg -x "$package" .
done
find . -name '*.so.*' -type l -exec cp -L {} "$bundle/lib" ';'
rm -r "$bundle/packages"
du -sh "$bundle"
