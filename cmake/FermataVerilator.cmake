# Verilator turns the SystemVerilog of models/rtl into C++. It is optional: FERMATA_VERILATOR is empty without it.
# What it writes goes into one source file a model, so that its headers are read once.
set(FERMATA_VERILATOR_MINIMUM 5.006)
find_program(FERMATA_VERILATOR NAMES verilator DOC "Turns SystemVerilog into C++ (Debian: apt-get install verilator)")
mark_as_advanced(FERMATA_VERILATOR)
if(FERMATA_VERILATOR AND NOT FERMATA_VERILATOR STREQUAL FERMATA_VERILATOR_CHECKED)
  execute_process(COMMAND "${FERMATA_VERILATOR}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  execute_process(COMMAND "${FERMATA_VERILATOR}" --getenv VERILATOR_ROOT OUTPUT_VARIABLE root ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" version "${version}")
  set(FERMATA_VERILATOR_CHECKED "${FERMATA_VERILATOR}" CACHE INTERNAL "The Verilator that was looked at")
  set(FERMATA_VERILATOR_ROOT "${root}" CACHE INTERNAL "Where its headers are")
  set(FERMATA_VERILATOR_VERSION "${version}" CACHE INTERNAL "Its version")
endif()
set(FERMATA_HAS_VERILATOR OFF)
find_package(ZLIB QUIET)
if(NOT FERMATA_VERILATOR OR FERMATA_VERILATOR_VERSION VERSION_LESS FERMATA_VERILATOR_MINIMUM)
  message(STATUS "Fermata: no blocks of RTL, for Verilator ${FERMATA_VERILATOR_MINIMUM} was not found (Debian: verilator)")
elseif(NOT ZLIB_FOUND)
  message(STATUS "Fermata: no blocks of RTL, for zlib was not found, which writes their waves (Debian: zlib1g-dev)")
else()
  set(FERMATA_HAS_VERILATOR ON)
endif()

# fermata_verilated_options(TARGET): of a library of machine-made C++. It has neither our warnings nor the sanitizers,
# which would find nothing of ours in it and make it several times slower; the code that drives it has both.
function(fermata_verilated_options target)
  target_include_directories(${target} SYSTEM PUBLIC "${FERMATA_VERILATOR_ROOT}/include")
  target_compile_definitions(${target} PUBLIC VL_TIME_CONTEXT)
  target_compile_options(${target} PRIVATE -w -O2 -g0 -fno-sanitize=all)
endfunction()

# fermata_verilate(TARGET PREFIX name TOP module [FOLDERS folder...] [DEPENDS file...] [WAVES argument...]
#                  [ARGUMENTS argument...])
# Adds the C++ of a top module, the class PREFIX, to the sources of a target; modules are looked up in the folders.
# WAVES: its signals can be written, and what else Verilator is told of them.
# -Wno-LATCH and -Wno-NOLATCH: tops for simulation keep what is not selected. Other lint is a matter of the tests.
function(fermata_verilate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;TOP" "FOLDERS;DEPENDS;WAVES;ARGUMENTS")
  if(arg_WAVES)
    list(PREPEND arg_WAVES --trace-fst)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_PREFIX}")
  set(joined "${folder}/joined.cpp")
  set(modules "")
  set(lookups "")
  foreach(place IN LISTS arg_FOLDERS)
    file(GLOB files CONFIGURE_DEPENDS "${place}/*.sv")
    list(APPEND modules ${files})
    list(APPEND lookups -y "${place}")
  endforeach()
  add_custom_command(OUTPUT "${joined}" DEPENDS ${modules} ${arg_DEPENDS} "${PROJECT_SOURCE_DIR}/cmake/JoinSources.cmake"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${folder}"
    COMMAND "${FERMATA_VERILATOR}" --cc -O3 --x-assign fast --x-initial fast --noassert -Wno-LATCH -Wno-NOLATCH
      -Wno-PINMISSING --prefix ${arg_PREFIX} --top-module ${arg_TOP} --Mdir "${folder}" ${lookups} ${arg_WAVES} ${arg_ARGUMENTS}
      ${arg_TOP}.sv
    COMMAND "${CMAKE_COMMAND}" -DFOLDER=${folder} -DOUTPUT=${joined} -P "${PROJECT_SOURCE_DIR}/cmake/JoinSources.cmake"
    COMMENT "Verilating ${arg_PREFIX}" VERBATIM)
  target_sources(${target} PRIVATE "${joined}")
  target_include_directories(${target} SYSTEM PUBLIC "${folder}")
endfunction()
