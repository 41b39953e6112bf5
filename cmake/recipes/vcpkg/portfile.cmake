# SPDX-License-Identifier: Apache-2.0
# Not tested. Builds the tree that this file is in: vcpkg install parenmatch --overlay-ports=cmake/recipes/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DPM_BUILD_TESTS=OFF -DPM_BUILD_BENCH=OFF -DPM_BUILD_CLI=OFF -DPM_BUILD_EXAMPLES=OFF -DPM_MPI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/parenmatch)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
