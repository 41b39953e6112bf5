# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: headers, libraries, programs, CMake package, pkg-config files.
include(CMakePackageConfigHelpers)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/parenmatch)
install(FILES include/parenmatch.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(GLOB subjects include/parenmatch/*.h)
install(FILES ${subjects} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parenmatch)
if(PM_GPU)
    install(FILES include/parenmatch_vulkan.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(DIRECTORY include/parenmatch DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(TARGETS parenmatch_shared parenmatch_static EXPORT parenmatch
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(parenmatch_shared PROPERTIES EXPORT_NAME shared)
set_target_properties(parenmatch_static PROPERTIES EXPORT_NAME static)
if(MPI_C_FOUND)
    install(FILES include/parenmatch_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(TARGETS parenmatch_mpi_shared parenmatch_mpi_static EXPORT parenmatch_mpi
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    set_target_properties(parenmatch_mpi_shared PROPERTIES EXPORT_NAME mpi_shared)
    set_target_properties(parenmatch_mpi_static PROPERTIES EXPORT_NAME mpi_static)
    install(EXPORT parenmatch_mpi NAMESPACE parenmatch:: FILE parenmatchMpiTargets.cmake DESTINATION ${package_dir})
endif()
install(EXPORT parenmatch NAMESPACE parenmatch:: FILE parenmatchTargets.cmake DESTINATION ${package_dir})

foreach(program cli mpi_cli)
    if(TARGET parenmatch_${program})
        get_target_property(program_name parenmatch_${program} OUTPUT_NAME)
        install(TARGETS parenmatch_${program} DESTINATION ${CMAKE_INSTALL_BINDIR})
        install(FILES docs/${program_name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
endforeach()

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
if(MPI_C_FOUND)
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_cflags)
    list(JOIN mpi_cflags " " PM_PC_MPI_CFLAGS)
    list(JOIN MPI_C_LIBRARIES " " PM_PC_MPI_LIBS)
    configure_file(cmake/parenmatch_mpi.pc.in parenmatch_mpi.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/parenmatch_mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
