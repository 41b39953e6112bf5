# SPDX-License-Identifier: Apache-2.0
# Flags of everything compiled here: C11, hidden visibility, a strict warning level, the sanitizers asked for. C++ stays
# behind the Highway shim and does without exceptions, type information and the C++ runtime.
add_library(parenmatch_flags INTERFACE)
target_compile_features(parenmatch_flags INTERFACE c_std_11)
target_compile_features(parenmatch_flags INTERFACE cxx_std_17)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)

target_compile_options(parenmatch_flags INTERFACE
    -Wall -Wextra -Wpedantic
    -Wcast-align -Wcast-qual -Wconversion -Wdouble-promotion -Wformat=2 -Wnull-dereference
    -Wpointer-arith -Wshadow -Wsign-conversion -Wundef -Wvla -Wwrite-strings
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wold-style-definition -Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)
if(EMSCRIPTEN)
    # Sizes have 32 bits there, and every 64-bit count that becomes one counts what lies in memory.
    target_compile_options(parenmatch_flags INTERFACE -Wno-shorten-64-to-32)
endif()
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Neither of gcc's warnings leaves such counts out. The other one is about vectors, which no function of another
    # library takes.
    target_compile_options(parenmatch_flags INTERFACE -Wno-conversion -Wno-psabi)
endif()
if(PM_WERROR)
    target_compile_options(parenmatch_flags INTERFACE -Werror)
endif()
if(PM_SANITIZE)
    target_compile_options(parenmatch_flags INTERFACE
        -fsanitize=${PM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(parenmatch_flags INTERFACE -fsanitize=${PM_SANITIZE})
endif()
