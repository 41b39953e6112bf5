# SPDX-License-Identifier: Apache-2.0
# The GPU backend's tests. Without a device they are skipped; Mesa's software renderer will do.
if(NOT PM_GPU)
    return()
endif()

foreach(test test_gpu test_pipelines)
    add_executable(${test} ${test}.c gpu_check.c gpu_stages.c
        ${PROJECT_SOURCE_DIR}/shaders/lookback_twin.c
        ${PROJECT_SOURCE_DIR}/shaders/partition_twin.c ${PROJECT_SOURCE_DIR}/shaders/wide_twin.c)
    target_include_directories(${test} SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
    target_link_libraries(${test} PRIVATE
        parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)
endforeach()

# pm_gpu_test(NAME PROGRAM TEAMS PATTERN [VARIABLE=VALUE]...). Drivers leak, and are unloaded before LeakSanitizer could be told
# to overlook it; what the library itself leaks, the test's allocator and the validation layer notice. A driver's threads
# are not ThreadSanitizer's to watch either.
function(pm_gpu_test name program teams pattern)
    add_test(NAME ${name} COMMAND ${program} ${teams} ${pattern})
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT 600
        ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;TSAN_OPTIONS=ignore_noninstrumented_modules=1;${ARGN}")
endfunction()

pm_gpu_test(gpu test_gpu workgroup *)
pm_gpu_test(gpu_subgroup test_gpu subgroup *)
pm_gpu_test(pipelines test_pipelines any *)
# Mesa's software renderer takes the width of its vectors, and with it of its subgroups, from the environment.
pm_gpu_test(gpu_subgroups_of_4 test_gpu workgroup *twins* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(gpu_subgroups_of_16 test_gpu workgroup *twins* LP_NATIVE_VECTOR_WIDTH=512)
pm_gpu_test(pipelines_subgroups_of_4 test_pipelines any *twins* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(pipelines_subgroups_of_16 test_pipelines any *twins* LP_NATIVE_VECTOR_WIDTH=512)

add_test(NAME gpu_shaders COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_shaders.sh
    ${PROJECT_SOURCE_DIR}/shaders ${CMAKE_CURRENT_BINARY_DIR}/shaders)
set_tests_properties(gpu_shaders PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
