# Finds SystemC once, in one way for the build and for users of the installed package: an existing target, then
# upstream's CMake package (hint: SYSTEMC_HOME), then pkg-config (Debian). The result is the target Fermata::SystemC; a
# link probe explains a C++ standard mismatch.
function(fermata_find_systemc)
  if(TARGET Fermata::SystemC)
    return()
  endif()
  add_library(Fermata::SystemC INTERFACE IMPORTED GLOBAL)
  if(NOT TARGET SystemC::systemc)
    find_package(SystemCLanguage CONFIG QUIET HINTS "$ENV{SYSTEMC_HOME}" NO_CMAKE_PACKAGE_REGISTRY)
  endif()
  if(TARGET SystemC::systemc)
    target_link_libraries(Fermata::SystemC INTERFACE SystemC::systemc)
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(FERMATA_SYSTEMC REQUIRED IMPORTED_TARGET GLOBAL systemc tlm)
    target_link_libraries(Fermata::SystemC INTERFACE PkgConfig::FERMATA_SYSTEMC)
  endif()
  fermata_probe_systemc()
endfunction()

function(fermata_probe_systemc)
  if(DEFINED FERMATA_SYSTEMC_LINKS)
    return()
  endif()
  set(probe "${CMAKE_BINARY_DIR}/systemc_probe.cpp")
  file(WRITE "${probe}" "#include <systemc>\nint sc_main(int, char**) { return sc_core::sc_time(1, sc_core::SC_NS) == sc_core::SC_ZERO_TIME; }\n")
  try_compile(links "${CMAKE_BINARY_DIR}/systemc_probe" SOURCES "${probe}"
    LINK_LIBRARIES Fermata::SystemC CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    OUTPUT_VARIABLE log)
  if(NOT links)
    message(FATAL_ERROR "SystemC was found but a C++17 program does not link with it. If the log names "
      "sc_api_version_..., SystemC was built with another C++ standard: build it as C++17 "
      "(Debian 12: apt-get install libsystemc-dev).\n${log}")
  endif()
  set(FERMATA_SYSTEMC_LINKS TRUE CACHE INTERNAL "A C++17 program links with the SystemC found")
endfunction()
