# SPDX-License-Identifier: Apache-2.0
# Tests of libparenmatch_mpi, each with several numbers of ranks, more than there are cores, too.
if(NOT MPI_C_FOUND)
    return()
endif()

set(bed mpi_bed.c)
if(NOT PM_MPI_YIELDS)
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
            COMMAND ${PM_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:test_${name}>)
        set_tests_properties(${name}_${ranks} PROPERTIES
            TIMEOUT 300 PROCESSORS ${ranks} ENVIRONMENT "${PM_MPI_TEST_ENVIRONMENT}")
    endforeach()
endfunction()

pm_mpi_test(mpi_match)
add_test(NAME mpi_match_single
    COMMAND ${PM_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG} 3 ${MPIEXEC_PREFLAGS} $<TARGET_FILE:test_mpi_match> single)
set_tests_properties(mpi_match_single PROPERTIES TIMEOUT 300 PROCESSORS 3 ENVIRONMENT "${PM_MPI_TEST_ENVIRONMENT}")
pm_mpi_test(mpi_queries)
pm_mpi_test(mpi_summary)

add_executable(test_mpi_death test_mpi_death.c)
target_link_libraries(test_mpi_death PRIVATE parenmatch_mpi_bed parenmatch_families parenmatch_flags)
add_test(NAME mpi_death COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mpi_death.sh
    ${PM_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG} 3 $<TARGET_FILE:test_mpi_death>)
set_tests_properties(mpi_death PROPERTIES TIMEOUT 100 PROCESSORS 3 ENVIRONMENT "${PM_MPI_TEST_ENVIRONMENT}")

if(PM_BUILD_CLI)
    pm_mpi_test(mpi_check)
    target_sources(test_mpi_check PRIVATE
        ../cli/check_options.c
        ../cli/complain.c
        ../cli/diagnostics.c
        ../cli/json.c
        ../cli/mpi_check.c
        ../cli/mpi_delimiters.c
        ../cli/mpi_merge.c
        ../cli/mpi_slice.c
        ../cli/pairs.c
        ../cli/source.c
        ../cli/utf8.c)
    target_compile_definitions(test_mpi_check PRIVATE _DEFAULT_SOURCE _FILE_OFFSET_BITS=64)
    add_test(NAME cli_mpi_check COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/mpi_check.sh $<TARGET_FILE:parenmatch_cli>
        $<TARGET_FILE:parenmatch_mpi_cli> ${PM_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG})
    set_tests_properties(cli_mpi_check PROPERTIES TIMEOUT 300 PROCESSORS 4
        ENVIRONMENT "PM_SANITIZE=${PM_SANITIZE};${PM_MPI_TEST_ENVIRONMENT}")
endif()
