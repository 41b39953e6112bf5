# SPDX-License-Identifier: Apache-2.0
# The example that embeds the matcher runs under the validation layer, where that is installed: what it finds it prints,
# and so spoils the comparison. Drivers leak, and are not ThreadSanitizer's to watch.
pm_example(vulkan_match)
target_link_libraries(example_vulkan_match PRIVATE Vulkan::Vulkan)
if(PM_BUILD_TESTS)
    pm_example_test(example_vulkan_match_assisted vulkan_match)
    set(environment VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
        ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1)
    set_tests_properties(example_vulkan_match PROPERTIES ENVIRONMENT
        "${environment};VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT")
    set_tests_properties(example_vulkan_match_assisted PROPERTIES ENVIRONMENT
        "${environment};VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT")
endif()
