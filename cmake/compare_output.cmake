# SPDX-License-Identifier: Apache-2.0
# Runs PROGRAM, a list of words, which must print what the file EXPECTED holds and exit with 0, or with 77 to be skipped. Its standard input
# is the file INPUT.
execute_process(COMMAND ${PROGRAM} INPUT_FILE ${INPUT} OUTPUT_VARIABLE printed RESULT_VARIABLE result)
if(result EQUAL 77)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo skipped)
    return()
endif()
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
    message(FATAL_ERROR "exit ${result}, printed:\n${printed}")
endif()
