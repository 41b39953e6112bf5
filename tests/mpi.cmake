# SPDX-License-Identifier: Apache-2.0
# Tests of libparenmatch_mpi, each with several numbers of ranks, more than there are cores, too.
if(NOT MPI_C_FOUND)
    return()
endif()

# Open MPI asks for permission to have more ranks than cores, and to be run by root; ranks without work are to sleep.
# Leaks are not looked for: it unloads its modules before the sanitizer asks, so that theirs have no name by which they
# could be suppressed. The library's own memory the tests count themselves.
set(mpi_environment ${PM_TEST_ENVIRONMENT} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_mpi_yield_when_idle=1 ASAN_OPTIONS=detect_leaks=0)
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version ERROR_QUIET)
set(mpiexec ${MPIEXEC_EXECUTABLE})
set(bed mpi_bed.c)
if(mpiexec_version MATCHES "OpenRTE|Open MPI")
    list(APPEND mpiexec --oversubscribe)
else()
    list(APPEND bed mpi_yield.c)
endif()

add_library(parenmatch_mpi_bed OBJECT ${bed})
target_include_directories(parenmatch_mpi_bed PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(parenmatch_mpi_bed PUBLIC parenmatch_mpi_static PRIVATE parenmatch_families parenmatch_flags)

# pm_mpi_test(NAME): tests/test_NAME.c is the tests NAME_1, NAME_2, ... with so many ranks.
function(pm_mpi_test name)
    add_executable(test_${name} test_${name}.c)
    target_link_libraries(test_${name} PRIVATE
        parenmatch_families parenmatch_fixtures parenmatch_mpi_bed parenmatch_flags PkgConfig::cmocka)
    foreach(ranks 1 2 3 4 7)
        add_test(NAME ${name}_${ranks}
            COMMAND ${mpiexec} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:test_${name}>)
        set_tests_properties(${name}_${ranks} PROPERTIES
            TIMEOUT 300 PROCESSORS ${ranks} ENVIRONMENT "${mpi_environment}")
    endforeach()
endfunction()

pm_mpi_test(mpi_match)
