# SPDX-License-Identifier: Apache-2.0
# Google Highway: its headers alone, which all the C++ here is for.
# A cross compiler takes those of the machine it runs on, and nothing else that lies next to them.
if(EMSCRIPTEN)
    find_path(PM_HIGHWAY_HOST_DIR hwy/highway.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/highway)
    file(CREATE_LINK ${PM_HIGHWAY_HOST_DIR}/hwy ${PROJECT_BINARY_DIR}/highway/hwy SYMBOLIC)
    set(PM_HIGHWAY_INCLUDE_DIR ${PROJECT_BINARY_DIR}/highway CACHE PATH "Where hwy/highway.h lies")
endif()
find_path(PM_HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED DOC "Where hwy/highway.h lies (Debian: libhwy-dev)")

add_library(parenmatch_highway INTERFACE)
target_include_directories(parenmatch_highway SYSTEM INTERFACE ${PM_HIGHWAY_INCLUDE_DIR})
# Its own checks in debug builds would need the library behind the headers.
target_compile_definitions(parenmatch_highway INTERFACE HWY_IS_DEBUG_BUILD=0)
