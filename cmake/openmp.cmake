# SPDX-License-Identifier: Apache-2.0
# OpenMP for what works with several threads; without it, that works with one. The runtime is linked by its name, or by
# its path where only a compiler told of OpenMP finds it (LLVM's), so that who links the static library need not look.
option(PM_OPENMP "Use several threads where the compiler has OpenMP" ON)
set(PM_OPENMP_LIBRARIES "")
add_library(parenmatch_openmp INTERFACE)
if(PM_OPENMP)
    find_package(OpenMP COMPONENTS C)
    if(OpenMP_C_FOUND)
        separate_arguments(openmp_flags UNIX_COMMAND "${OpenMP_C_FLAGS}")
        target_compile_options(parenmatch_openmp INTERFACE $<$<COMPILE_LANGUAGE:C>:${openmp_flags}>)
        set(PM_OPENMP_LIBRARIES ${OpenMP_C_LIB_NAMES})
        list(TRANSFORM PM_OPENMP_LIBRARIES REPLACE "^omp$" "${OpenMP_omp_LIBRARY}")
    endif()
endif()

# What tests run with. Threads without work sleep: teams larger than the machine are tested. ThreadSanitizer sees what
# OpenMP synchronises through LLVM's Archer alone, and would blame the runtime, built without it, for its own locks.
set(PM_TEST_ENVIRONMENT OMP_WAIT_POLICY=passive TSAN_OPTIONS=ignore_noninstrumented_modules=1)
if(PM_SANITIZE STREQUAL thread AND OpenMP_omp_LIBRARY)
    file(REAL_PATH ${OpenMP_omp_LIBRARY} openmp_runtime)
    cmake_path(GET openmp_runtime PARENT_PATH openmp_dir)
    find_library(PM_ARCHER archer HINTS ${openmp_dir} DOC "LLVM's libarcher (Debian: libomp-dev)")
    if(PM_ARCHER)
        list(APPEND PM_TEST_ENVIRONMENT OMP_TOOL_LIBRARIES=${PM_ARCHER})
    endif()
endif()
