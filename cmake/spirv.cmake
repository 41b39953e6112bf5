# SPDX-License-Identifier: Apache-2.0
# Makes C of the compiled shaders: shaders/spv/NAME.spv becomes the words of an array, shaders/spv/NAME.inc below
# PM_SPIRV_INCLUDE.
set(PM_SPIRV_INCLUDE ${PROJECT_BINARY_DIR}/generated)
file(GLOB binaries ${PROJECT_SOURCE_DIR}/shaders/spv/*.spv)
foreach(binary ${binaries})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${binary})
    cmake_path(GET binary STEM name)
    set(words ${PM_SPIRV_INCLUDE}/shaders/spv/${name}.inc)
    if(NOT EXISTS ${words} OR ${binary} IS_NEWER_THAN ${words})
        file(READ ${binary} bytes HEX)
        string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," bytes "${bytes}")
        string(REGEX REPLACE "(0x[0-9a-f]+,0x[0-9a-f]+,0x[0-9a-f]+,0x[0-9a-f]+,)" "\\1\n" bytes "${bytes}")
        file(WRITE ${words} "${bytes}\n")
    endif()
endforeach()
