# The Debian package of all that `cmake --install` copies: `cpack -G DEB` in the build folder, or `./fermata package`.
# FermataPythonPackage makes python3-fermata beside it.
# dpkg-shlibdeps finds what the program links with. FermataPackageVersion and FermataPackageFiles run within cpack.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fermata)
set(CPACK_PACKAGE_VENDOR "The Fermata authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model of the on-chip memory path of a GPU's multiprocessor")
string(CONCAT CPACK_PACKAGE_DESCRIPTION
  "Fermata runs CUDA kernels and programs without a GPU and says where warps\n"
  "wait for memory banks, what that costs, and which layout or which hardware\n"
  "would cure it. The model is in SystemC TLM-2.0.\n"
  "\n"
  "The package holds the program, platform files, kernels, and the libraries and\n"
  "headers for platforms in C++ (find_package(Fermata) of CMake). These need the\n"
  "suggested packages.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_THREADS 0)  # compresses on all cores

set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if("$ENV{DEBEMAIL}" STREQUAL "")
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Fermata authors <nobody@fermata.invalid>")
endif()

# `cc` and launch files that name a .cu call clang-16; `study` and `run --power` draw with gnuplot.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-16, libstdc++-12-dev, gnuplot-nox")
set(needed g++ cmake pkg-config libsystemc-dev libfmt-dev libcli11-dev nlohmann-json3-dev libpugixml-dev libssl-dev
  libtomlplusplus-dev libcsv-dev libxxhash-dev libzstd-dev liblzma-dev libprotozero-dev)
if(FERMATA_HAS_VERILATOR)
  list(APPEND needed zlib1g-dev verilator)
endif()
list(JOIN needed ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)

set(CPACK_FERMATA_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_FERMATA_STRIP "${CMAKE_STRIP}")
set(CPACK_FERMATA_COMPILED_IN libcli11-dev nlohmann-json3-dev libprotozero-dev)  # headers, and sources of Verilator
if(FERMATA_HAS_VERILATOR)
  list(APPEND CPACK_FERMATA_COMPILED_IN verilator)
endif()
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/FermataPackageVersion.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/FermataPackageFiles.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/FermataPythonPackage.cmake")
set(CPACK_OUTPUT_CONFIG_FILE "${PROJECT_BINARY_DIR}/CPackConfig.cmake")
include(CPack)
