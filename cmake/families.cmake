# SPDX-License-Identifier: Apache-2.0
# Inputs by name: one generator for tests, benchmarks and crosscheck alike.
add_library(parenmatch_families STATIC ${PROJECT_SOURCE_DIR}/tests/families.c ${PROJECT_SOURCE_DIR}/tests/scenes.c)
target_include_directories(parenmatch_families PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(parenmatch_families PRIVATE parenmatch_static parenmatch_flags)
