# SPDX-License-Identifier: Apache-2.0
# The examples that embed the matcher run under the validation layer, where that is installed: what it finds it prints,
# and so spoils the comparison. Drivers leak, and are not ThreadSanitizer's to watch.
foreach(name vulkan_batch vulkan_boxes vulkan_match)
    pm_example(${name})
    target_sources(example_${name} PRIVATE vulkan_program.c)
    target_link_libraries(example_${name} PRIVATE Vulkan::Vulkan)
    if(PM_BUILD_TESTS)
        set(environment VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
            ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1)
        set_tests_properties(example_${name} PROPERTIES ENVIRONMENT
            "${environment};VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT")
        # Not under sanitizers, for the reasons of pm_assisted_test() (tests/gpu.cmake).
        if(NOT PM_SANITIZE)
            pm_example_test(example_${name}_assisted ${name})
            set_tests_properties(example_${name}_assisted PROPERTIES LABELS shaders ENVIRONMENT
                "${environment};VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT")
        endif()
    endif()
endforeach()
