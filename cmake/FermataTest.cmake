# fermata_test(NAME [APART | TOGETHER_BUT file... | GROUPS "file file"...] SOURCES file... LIBRARIES target... [SYSTEMC]
#              [LABELS label...])
# Adds one Boost.Test executable; every case of it becomes a CTest test that runs in its own process.
# Cases are discovered after the build, from the executable itself.
# Its sources are compiled together where FERMATA_TOGETHER asks for it. APART: each source alone. TOGETHER_BUT: the
# named sources alone, because they have names that others have as well. GROUPS: the sources of each string together,
# besides SOURCES, which stay alone.
# Label `once`: tests that a sanitizer need not run, because it has no part in what they test (CMakePresets.json).
# The preset asan also excludes slow cases that compare figures, or do on a larger scale what a neighbouring case does.
set(FERMATA_MOST_SAMPLES 0 CACHE STRING "About how many samples of a case with data run (0: all)")
find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)
find_program(FERMATA_LLD ld.lld)  # Debian: lld. Links a test in a third of the time
mark_as_advanced(FERMATA_LLD)

# Headers that every test reads first, compiled once. The target is an executable, as the tests are, so that its options
# are theirs. (CMake writes the header for a target with a source that reads it, so it has one.)
add_executable(fermata_test_headers "${PROJECT_SOURCE_DIR}/tests/support/headers_main.cpp")
target_compile_features(fermata_test_headers PRIVATE cxx_std_17)
target_compile_options(fermata_test_headers PRIVATE ${FERMATA_COLD_OPTIONS})
target_compile_definitions(fermata_test_headers PRIVATE BOOST_TEST_DYN_LINK)
target_link_libraries(fermata_test_headers PRIVATE Boost::unit_test_framework fermata_warnings)
target_precompile_headers(fermata_test_headers PRIVATE <boost/test/data/monomorphic.hpp> <boost/test/data/test_case.hpp>
  <boost/test/unit_test.hpp> <algorithm> <array> <filesystem> <fstream> <functional> <map> <memory> <random> <sstream>
  <string> <vector>)

# Main functions, compiled once as well: fermata_test_plain_main for tests without SystemC, fermata_test_systemc_main.
foreach(kind plain systemc)
  set(target fermata_test_${kind}_main)
  add_library(${target} OBJECT "${PROJECT_SOURCE_DIR}/tests/support/${kind}_main.cpp")
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE ${FERMATA_COLD_OPTIONS})
  target_compile_definitions(${target} PRIVATE BOOST_TEST_DYN_LINK)
  target_link_libraries(${target} PRIVATE Boost::unit_test_framework fermata_warnings)
endforeach()
target_link_libraries(fermata_test_systemc_main PRIVATE Fermata::SystemC)

function(fermata_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART;SYSTEMC" "" "TOGETHER_BUT;GROUPS;SOURCES;LIBRARIES;LABELS;DEFINITIONS")
  set(target test_${name})
  set(main fermata_test_plain_main)
  if(arg_SYSTEMC)
    set(main fermata_test_systemc_main)
    list(APPEND arg_LIBRARIES Fermata::SystemC)
  endif()
  add_executable(${target} ${arg_SOURCES} $<TARGET_OBJECTS:${main}>)
  fermata_groups(${target} ${arg_GROUPS})
  if(NOT arg_APART AND NOT arg_GROUPS)
    fermata_together(${target} ${arg_TOGETHER_BUT})
  endif()
  if(NOT arg_APART)
    # Fixtures in included sources would cause the warning.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  target_compile_options(${target} PRIVATE ${FERMATA_COLD_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM fermata_test_headers)
  target_link_options(${target} PRIVATE -fno-lto)  # would cost some tests half a minute and speed up none
  if(FERMATA_LLD)
    target_link_options(${target} PRIVATE -fuse-ld=lld)
  endif()
  target_compile_definitions(${target} PRIVATE BOOST_TEST_DYN_LINK ${arg_DEFINITIONS}
    FERMATA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" FERMATA_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")  # "tests/support/..."
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} Boost::unit_test_framework fermata_warnings)
  set(cases "${CMAKE_CURRENT_BINARY_DIR}/${target}_cases.cmake")
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${cases}"
    COMMAND ${CMAKE_COMMAND} -DEXECUTABLE=$<TARGET_FILE:${target}> -DPREFIX=${name}
      -DMOST=${FERMATA_MOST_SAMPLES} -DOUTPUT=${cases} "-DLABELS=${arg_LABELS}" -DWORKING_DIRECTORY=${CMAKE_CURRENT_BINARY_DIR}
      -P ${PROJECT_SOURCE_DIR}/cmake/DiscoverCases.cmake VERBATIM)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/DiscoverCases.cmake")
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake")
  file(WRITE "${include}" "if(EXISTS \"${cases}\")\n  include(\"${cases}\")\nelse()\n  add_test(${name}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
endfunction()
