# SPDX-License-Identifier: Apache-2.0
# MPI, if it is there (Debian: libopenmpi-dev or libmpich-dev). Which one, if there are several:
# -DMPI_C_COMPILER=mpicc.mpich -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich.
# ThreadSanitizer would blame MPI, built without it, for its own threads; the library here has none.
if(PM_MPI AND NOT CMAKE_CROSSCOMPILING AND NOT PM_SANITIZE STREQUAL "thread")
    find_package(MPI COMPONENTS C GLOBAL) # users of parenmatch::mpi link it, too
endif()
if(NOT MPI_C_FOUND)
    return()
endif()

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
