# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: header, both libraries, CMake package, pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/parenmatch)
install(FILES include/parenmatch.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(PM_GPU)
    install(FILES include/parenmatch_vulkan.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(TARGETS parenmatch_shared parenmatch_static EXPORT parenmatch
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(parenmatch_shared PROPERTIES EXPORT_NAME shared)
set_target_properties(parenmatch_static PROPERTIES EXPORT_NAME static)
install(EXPORT parenmatch NAMESPACE parenmatch:: FILE parenmatchTargets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/parenmatchConfig.cmake.in parenmatchConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(parenmatchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/parenmatchConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/parenmatchConfigVersion.cmake DESTINATION ${package_dir})

# Relative to the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH PM_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(libs_private ${PM_OPENMP_LIBRARIES} ${CMAKE_DL_LIBS})
list(TRANSFORM libs_private REPLACE "^([^/].*)$" "-l\\1")
list(JOIN libs_private " " PM_PC_LIBS_PRIVATE)
configure_file(cmake/parenmatch.pc.in parenmatch.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/parenmatch.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
