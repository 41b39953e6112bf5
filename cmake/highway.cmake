# SPDX-License-Identifier: Apache-2.0
# Google Highway: its headers alone, which all the C++ here is for.
find_path(PM_HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED DOC "Where hwy/highway.h lies (Debian: libhwy-dev)")

add_library(parenmatch_highway INTERFACE)
target_include_directories(parenmatch_highway SYSTEM INTERFACE ${PM_HIGHWAY_INCLUDE_DIR})
# Its own checks in debug builds would need the library behind the headers.
target_compile_definitions(parenmatch_highway INTERFACE HWY_IS_DEBUG_BUILD=0)
