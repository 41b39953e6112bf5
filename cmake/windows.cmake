# SPDX-License-Identifier: Apache-2.0
# Windows, by MinGW: the POSIX functions of base/windows for every C file, and headers of other projects.
if(NOT MINGW)
    return()
endif()
target_include_directories(parenmatch_flags INTERFACE ${PROJECT_SOURCE_DIR}/base/windows/include)
target_compile_options(parenmatch_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${PROJECT_SOURCE_DIR}/base/windows/posix.h>"
    # gcc aligns vectors on the stack to 16 bytes only here, and moves 32 as if they were aligned (its bug 54412).
    -Wa,-muse-unaligned-vector-move)
target_compile_definitions(parenmatch_flags INTERFACE _FILE_OFFSET_BITS=64 __USE_MINGW_ANSI_STDIO=1)
# Programs and libraries need no other DLL.
target_link_options(parenmatch_flags INTERFACE -static)
set(PM_RUNTIME_LIBRARIES -static-libgcc -static)
list(REMOVE_ITEM CMAKE_CXX_IMPLICIT_LINK_LIBRARIES gcc_s) # CMake would link C++ to its DLL

# The host's folder of headers has its C library's, too, and must not be searched. What is the same everywhere is linked.
if(CMAKE_CROSSCOMPILING)
    foreach(folder hwy vulkan vk_video)
        if(IS_DIRECTORY /usr/include/${folder})
            file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
            file(CREATE_LINK /usr/include/${folder} ${PROJECT_BINARY_DIR}/headers/${folder} SYMBOLIC)
        endif()
    endforeach()
    set(PM_HIGHWAY_INCLUDE_DIR ${PROJECT_BINARY_DIR}/headers)
    set(PM_VULKAN_HEADERS ${PROJECT_BINARY_DIR}/headers)
endif()
