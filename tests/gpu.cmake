# SPDX-License-Identifier: Apache-2.0
# How tests of the GPU backend are declared. Without a device they are skipped; Mesa's software renderer will do.

# pm_gpu_test_program(NAME [SOURCE]...): as pm_test_program(), with the fixtures of device tests.
function(pm_gpu_test_program name)
    add_executable(test_${name} test_${name}.c ${ARGN})
    target_include_directories(test_${name} SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
    target_link_libraries(test_${name} PRIVATE parenmatch_gpu_fixtures
        parenmatch_families parenmatch_fixtures parenmatch_static parenmatch_flags PkgConfig::cmocka)
    set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL "${WIN32}") # wine has no device
endfunction()

# pm_gpu_test(NAME EXECUTABLE TEAMS PATTERN [VARIABLE=VALUE]...). Drivers leak, and are unloaded before LeakSanitizer could be told
# to overlook it; what the library itself leaks, the test's allocator and the validation layer notice. A driver's threads
# are not ThreadSanitizer's to watch either.
function(pm_gpu_test name executable teams pattern)
    if(WIN32)
        return()
    endif()
    add_test(NAME ${name} COMMAND ${executable} ${teams} ${pattern})
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT 2400 COST 20
        ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;TSAN_OPTIONS=ignore_noninstrumented_modules=1;${ARGN}")
endfunction()

# pm_shader_test(NAME EXECUTABLE TEAMS PATTERN [VARIABLE=VALUE]...): about shaders alone, which the driver compiles once
# more for it, for minutes. The preset `shaders` runs them. The host's compiler changes nothing there, and sanitizers see
# nothing of them.
function(pm_shader_test name)
    if(CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT PM_SANITIZE AND NOT WIN32)
        pm_gpu_test(${name} ${ARGN})
        set_tests_properties(${name} PROPERTIES LABELS shaders)
    endif()
endfunction()

# pm_assisted_test(NAME EXECUTABLE TEAMS PATTERN): shaders are given code that checks every address they use.
function(pm_assisted_test name executable teams pattern)
    pm_shader_test(${name} ${executable} "${teams}" "${pattern}"
        VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT)
endfunction()

# pm_synchronised_test(NAME EXECUTABLE TEAMS PATTERN): accesses are held against barriers.
function(pm_synchronised_test name executable teams pattern)
    pm_gpu_test(${name} ${executable} "${teams}" "${pattern}"
        VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)
endfunction()
