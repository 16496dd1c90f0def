# Installs libraries and headers with a CMake package (find_package(Fermata)), the program, and the data that it reads
# (platform files, compiled kernels).
include(CMakePackageConfigHelpers)

get_property(fermata_libraries GLOBAL PROPERTY FERMATA_LIBRARIES)
install(TARGETS ${fermata_libraries} EXPORT FermataTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")

if(TARGET fermata_cli)
  install(TARGETS fermata_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  include(FermataManual)
endif()

# Builds all that `cmake --install` copies, and no test: ./fermata install.
add_custom_target(installed)
add_dependencies(installed ${fermata_libraries})
foreach(target fermata_cli fermata_manual fermata_cudart fermata_dpi)
  if(TARGET ${target})
    add_dependencies(installed ${target})
  endif()
endforeach()

# The program finds its data beside bin; the compiled kernels are installed where they are built.
file(GLOB platform_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/platforms/*.toml")
install(FILES ${platform_files} DESTINATION "${CMAKE_INSTALL_DATADIR}/fermata/platforms")
file(GLOB price_tables CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/platforms/energy/*.toml")
install(FILES ${price_tables} DESTINATION "${CMAKE_INSTALL_DATADIR}/fermata/energy")
install(FILES "${PROJECT_SOURCE_DIR}/results/plot_demo.gp" DESTINATION "${CMAKE_INSTALL_DATADIR}/fermata")
foreach(kind studies silicon published)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/results/${kind}/*.toml" "${PROJECT_SOURCE_DIR}/results/${kind}/*.csv")
  install(FILES ${files} DESTINATION "${CMAKE_INSTALL_DATADIR}/fermata/${kind}")
endforeach()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Fermata")
install(EXPORT FermataTargets NAMESPACE Fermata:: DESTINATION "${package}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/FermataConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/FermataConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/FermataConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/FermataConfig.cmake" "${PROJECT_BINARY_DIR}/FermataConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FermataSystemC.cmake" "${PROJECT_SOURCE_DIR}/cmake/FermataCci.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FermataPackages.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FermataRtl.cmake" "${PROJECT_SOURCE_DIR}/cmake/JoinSources.cmake"
  DESTINATION "${package}")

include(FermataDebian)
