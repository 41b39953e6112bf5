# SPDX-License-Identifier: Apache-2.0
# libparenmatch_mpi, where there is MPI (Debian: libopenmpi-dev or libmpich-dev). Which one, if there are several:
# -DMPI_C_COMPILER=mpicc.mpich -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich.
# ThreadSanitizer would blame MPI, built without it, for its own threads; the library here has none.
if(PM_MPI AND NOT CMAKE_CROSSCOMPILING AND NOT PM_SANITIZE STREQUAL "thread")
    find_package(MPI COMPONENTS C)
endif()
if(NOT MPI_C_FOUND)
    return()
endif()

add_library(parenmatch_mpi_objects OBJECT
    mpi/device.c
    mpi/exchange.c
    mpi/group.c
    mpi/match.c
    mpi/plan.c
    mpi/queries.c
    mpi/summary.c
)
if(PM_OPENMP AND OpenMP_C_FOUND)
    target_sources(parenmatch_mpi_objects PRIVATE mpi/team.c mpi/team_stack.c)
else()
    target_sources(parenmatch_mpi_objects PRIVATE mpi/team_absent.c)
endif()
target_include_directories(parenmatch_mpi_objects PRIVATE include .)
target_link_libraries(parenmatch_mpi_objects PRIVATE MPI::MPI_C parenmatch_flags parenmatch_openmp)
set_target_properties(parenmatch_mpi_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)

add_library(parenmatch_mpi_static STATIC $<TARGET_OBJECTS:parenmatch_mpi_objects>)
add_library(parenmatch_mpi_shared SHARED $<TARGET_OBJECTS:parenmatch_mpi_objects>)
foreach(kind static shared)
    target_include_directories(parenmatch_mpi_${kind} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(parenmatch_mpi_${kind} PUBLIC parenmatch_${kind} MPI::MPI_C PRIVATE ${PM_OPENMP_LIBRARIES})
    set_target_properties(parenmatch_mpi_${kind} PROPERTIES OUTPUT_NAME parenmatch_mpi)
endforeach()
set_target_properties(parenmatch_mpi_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PM_SOVERSION})

# How tests start ranks, PM_MPIEXEC, and what with. Open MPI asks for permission to have more ranks than cores, and to be
# run by root; its ranks without work are to sleep (PM_MPI_YIELDS), and none is bound to a core that others use. Leaks are
# not looked for: it unloads its modules before the sanitizer asks, so that theirs have no name by which they could be
# suppressed. The library's own memory the tests count themselves.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version ERROR_QUIET)
set(PM_MPIEXEC ${MPIEXEC_EXECUTABLE})
set(PM_MPI_YIELDS OFF)
if(mpiexec_version MATCHES "OpenRTE|Open MPI")
    list(APPEND PM_MPIEXEC --oversubscribe)
    set(PM_MPI_YIELDS ON)
endif()
set(PM_MPI_TEST_ENVIRONMENT ${PM_TEST_ENVIRONMENT} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none ASAN_OPTIONS=detect_leaks=0
    HWLOC_HIDE_ERRORS=2) # where /sys is not mounted
