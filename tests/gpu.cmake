# SPDX-License-Identifier: Apache-2.0
# The GPU backend's tests. Without a device they are skipped; Mesa's software renderer will do.
if(NOT PM_GPU)
    return()
endif()

set(stages gpu_stages.c
    ${PROJECT_SOURCE_DIR}/shaders/lookback_twin.c
    ${PROJECT_SOURCE_DIR}/shaders/partition_twin.c
    ${PROJECT_SOURCE_DIR}/shaders/wide_twin.c)
set(box_stages box_stages.c ${PROJECT_SOURCE_DIR}/shaders/boxes_twin.c ${PROJECT_SOURCE_DIR}/shaders/boxes_slices_twin.c)

foreach(name gpu pipelines)
    add_executable(test_${name} test_${name}.c gpu_check.c gpu_tests.c ${stages})
    target_include_directories(test_${name} SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
    target_link_libraries(test_${name} PRIVATE
        parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)
endforeach()

add_executable(test_gpu_boxes test_gpu_boxes.c gpu_tests.c ${box_stages} ${stages})
target_include_directories(test_gpu_boxes SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_gpu_boxes PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

foreach(name vulkan vulkan_boxes vulkan_calls vulkan_scan vulkan_slices)
    add_executable(test_${name} test_${name}.c vulkan_bed.c vulkan_block.c vulkan_host.c ${stages})
    target_include_directories(test_${name} SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
    target_link_libraries(test_${name} PRIVATE
        parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)
endforeach()

add_executable(test_vulkan_structure
    test_vulkan_structure.c pairs_bed.c structure_bed.c vulkan_bed.c vulkan_host.c ${stages})
target_include_directories(test_vulkan_structure SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_vulkan_structure PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

add_executable(test_auto_device test_auto_device.c gpu_check.c)
target_include_directories(test_auto_device SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_auto_device PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

foreach(name devices pipeline_choice resident transfer)
    add_executable(test_${name} test_${name}.c gpu_check.c gpu_tests.c)
    target_include_directories(test_${name} SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
    target_link_libraries(test_${name} PRIVATE
        parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)
endforeach()

add_executable(test_gpu_scan test_gpu_scan.c gpu_tests.c)
target_include_directories(test_gpu_scan SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_gpu_scan PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

add_executable(test_scan_stages test_scan_stages.c gpu_tests.c ${stages}
    ${PROJECT_SOURCE_DIR}/shaders/monoid_twin.c
    ${PROJECT_SOURCE_DIR}/shaders/nodes_twin.c)
target_include_directories(test_scan_stages SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_scan_stages PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

add_executable(test_find_gpu test_find_gpu.c gpu_tests.c word_sets.c)
target_include_directories(test_find_gpu SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_find_gpu PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

add_executable(test_pfac_stages test_pfac_stages.c gpu_tests.c word_sets.c ${PROJECT_SOURCE_DIR}/shaders/pfac_twin.c)
target_include_directories(test_pfac_stages SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_pfac_stages PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

add_executable(test_structure_gpu test_structure_gpu.c gpu_tests.c pairs_bed.c structure_bed.c
    ${PROJECT_SOURCE_DIR}/shaders/structure_names_twin.c)
target_include_directories(test_structure_gpu SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_structure_gpu PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

add_executable(test_structure_stages test_structure_stages.c gpu_tests.c pairs_bed.c structure_bed.c
    ${PROJECT_SOURCE_DIR}/shaders/structure_twin.c ${PROJECT_SOURCE_DIR}/shaders/structure_names_twin.c ${stages})
target_include_directories(test_structure_stages SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
target_link_libraries(test_structure_stages PRIVATE
    parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)

foreach(name commands pipeline_cache)
    add_executable(test_${name} test_${name}.c)
    target_include_directories(test_${name} SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
    target_link_libraries(test_${name} PRIVATE
        parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)
endforeach()
add_test(NAME gpu_commands COMMAND test_commands) # without a device

add_executable(test_reopen test_reopen.c)
target_link_libraries(test_reopen PRIVATE
    parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka ${CMAKE_DL_LIBS})

# pm_gpu_test(NAME EXECUTABLE TEAMS PATTERN [VARIABLE=VALUE]...). Drivers leak, and are unloaded before LeakSanitizer could be told
# to overlook it; what the library itself leaks, the test's allocator and the validation layer notice. A driver's threads
# are not ThreadSanitizer's to watch either.
function(pm_gpu_test name executable teams pattern)
    add_test(NAME ${name} COMMAND ${executable} ${teams} ${pattern})
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT 1200
        ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;TSAN_OPTIONS=ignore_noninstrumented_modules=1;${ARGN}")
endfunction()

pm_gpu_test(gpu test_gpu workgroup *)
pm_gpu_test(gpu_subgroup test_gpu subgroup *)
pm_gpu_test(gpu_boxes test_gpu_boxes workgroup *)
pm_gpu_test(gpu_boxes_subgroup test_gpu_boxes subgroup *)
pm_gpu_test(gpu_scan test_gpu_scan any *)
# With a monoid of a user's, who has what is installed.
add_test(NAME gpu_monoid COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_monoid.sh
    ${CMAKE_CURRENT_BINARY_DIR}/install/prefix/include ${PROJECT_SOURCE_DIR}/examples/matrices.comp
    ${CMAKE_CURRENT_BINARY_DIR}/monoid $<TARGET_FILE:test_gpu_scan>)
set_tests_properties(gpu_monoid PROPERTIES FIXTURES_REQUIRED installed SKIP_RETURN_CODE 77 TIMEOUT 600
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;TSAN_OPTIONS=ignore_noninstrumented_modules=1")
pm_gpu_test(pipelines test_pipelines any *)
# Mesa's software renderer takes the width of its vectors, and with it of its subgroups, from the environment.
pm_gpu_test(gpu_subgroups_of_4 test_gpu workgroup *twins* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(gpu_subgroups_of_16 test_gpu workgroup *twins* LP_NATIVE_VECTOR_WIDTH=512)
pm_gpu_test(pipelines_subgroups_of_4 test_pipelines any *twins* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(pipelines_subgroups_of_16 test_pipelines any *twins* LP_NATIVE_VECTOR_WIDTH=512)

pm_gpu_test(find_gpu test_find_gpu any *)
pm_gpu_test(pfac_stages test_pfac_stages any *)
pm_gpu_test(pfac_stages_of_4 test_pfac_stages any *twins* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(scan_stages test_scan_stages any *)
pm_gpu_test(scan_stages_of_4 test_scan_stages any *edges* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(structure_gpu test_structure_gpu any *)
pm_gpu_test(structure_stages test_structure_stages any *)
pm_gpu_test(structure_stages_of_4 test_structure_stages any *twins* LP_NATIVE_VECTOR_WIDTH=128)
pm_gpu_test(pipeline_cache test_pipeline_cache "" "")
pm_gpu_test(auto_device test_auto_device "" "")
pm_gpu_test(devices test_devices "" "")
pm_gpu_test(reopen test_reopen "" "")
pm_gpu_test(pipeline_choice test_pipeline_choice "" "")
pm_gpu_test(resident test_resident workgroup "")
pm_gpu_test(resident_subgroup test_resident subgroup "")
pm_gpu_test(transfer test_transfer "" "")
# pm_assisted_test(NAME EXECUTABLE TEAMS PATTERN): shaders are given code that checks every address they use. Not under
# sanitizers, which see nothing of that, and under whose allocator the driver takes minutes to compile such shaders.
function(pm_assisted_test name executable teams pattern)
    if(NOT PM_SANITIZE)
        pm_gpu_test(${name} ${executable} "${teams}" "${pattern}"
            VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT)
    endif()
endfunction()

pm_assisted_test(gpu_assisted test_gpu workgroup *chunk*)
pm_assisted_test(gpu_scan_assisted test_gpu_scan any *sequence_of*)
pm_assisted_test(gpu_boxes_assisted test_gpu_boxes workgroup *odd*)
pm_assisted_test(structure_gpu_assisted test_structure_gpu any *call*)
# Accesses are held against barriers.
pm_gpu_test(gpu_boxes_synchronised test_gpu_boxes workgroup *host*
    VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)
pm_gpu_test(structure_gpu_synchronised test_structure_gpu any *call*
    VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)
pm_gpu_test(vulkan test_vulkan workgroup *)
pm_gpu_test(vulkan_boxes test_vulkan_boxes workgroup *)
pm_gpu_test(vulkan_boxes_subgroup test_vulkan_boxes subgroup *)
pm_gpu_test(vulkan_calls test_vulkan_calls workgroup *)
pm_gpu_test(vulkan_scan test_vulkan_scan workgroup *)
pm_gpu_test(vulkan_scan_subgroup test_vulkan_scan subgroup *)
pm_gpu_test(vulkan_graphics test_vulkan workgroup-graphics *)
pm_gpu_test(vulkan_structure test_vulkan_structure workgroup *)
pm_gpu_test(vulkan_structure_subgroup test_vulkan_structure subgroup *)
pm_gpu_test(vulkan_slices test_vulkan_slices workgroup *)
pm_gpu_test(vulkan_slices_subgroup test_vulkan_slices subgroup *)
pm_gpu_test(vulkan_subgroup test_vulkan subgroup *)
pm_gpu_test(vulkan_subgroup_graphics test_vulkan subgroup-graphics *)
pm_assisted_test(vulkan_assisted test_vulkan workgroup *string*)

if(PM_BUILD_BENCH)
    add_test(NAME bench_sizes COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/test_bench_sizes.sh
        $<TARGET_FILE:pm_bench_gpu_boxes> $<TARGET_FILE:pm_bench_gpu_scan> $<TARGET_FILE:pm_bench_gpu_structure>)
    add_test(NAME bench_gpu COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/test_bench_gpu.sh $<TARGET_FILE:pm_bench_gpu>
        ${PROJECT_SOURCE_DIR}/shaders ${CMAKE_CURRENT_BINARY_DIR}/bench_gpu)
    set_tests_properties(bench_gpu PROPERTIES SKIP_RETURN_CODE 77)
    set_tests_properties(bench_gpu bench_sizes PROPERTIES TIMEOUT 300
        ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;TSAN_OPTIONS=ignore_noninstrumented_modules=1")
endif()

add_test(NAME gpu_shaders COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_shaders.sh
    ${PROJECT_SOURCE_DIR}/shaders ${CMAKE_CURRENT_BINARY_DIR}/shaders)
set_tests_properties(gpu_shaders PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
