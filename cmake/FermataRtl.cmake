# RTL in C++, by Verilator: fermata_add_rtl for a user's blocks (it is part of the installed package) and helpers for
# the blocks of models/rtl. Verilator is optional: FERMATA_HAS_VERILATOR is OFF without it.
set(FERMATA_VERILATOR_MINIMUM 5.006)

# Sets FERMATA_VERILATOR, _ROOT and _VERSION; empty if there is no Verilator.
function(fermata_find_verilator)
  find_program(FERMATA_VERILATOR NAMES verilator DOC "Turns SystemVerilog into C++ (Debian: apt-get install verilator)")
  mark_as_advanced(FERMATA_VERILATOR)
  if(NOT FERMATA_VERILATOR OR FERMATA_VERILATOR STREQUAL FERMATA_VERILATOR_CHECKED)
    return()
  endif()
  execute_process(COMMAND "${FERMATA_VERILATOR}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  execute_process(COMMAND "${FERMATA_VERILATOR}" --getenv VERILATOR_ROOT OUTPUT_VARIABLE root ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" version "${version}")
  set(FERMATA_VERILATOR_CHECKED "${FERMATA_VERILATOR}" CACHE INTERNAL "The Verilator that was looked at")
  set(FERMATA_VERILATOR_ROOT "${root}" CACHE INTERNAL "Where its headers are")
  set(FERMATA_VERILATOR_VERSION "${version}" CACHE INTERNAL "Its version")
endfunction()

# fermata_verilated_options(TARGET): sets the options of a library of machine-made C++. It has neither our warnings nor
# the sanitizers, which would find nothing of ours in it and make it several times slower. The code that drives it has
# both.
function(fermata_verilated_options target)
  target_include_directories(${target} SYSTEM PUBLIC "${FERMATA_VERILATOR_ROOT}/include")
  target_compile_definitions(${target} PUBLIC VL_TIME_CONTEXT)
  target_compile_options(${target} PRIVATE -w -O2 -g0 -fno-sanitize=all)
endfunction()

# fermata_verilate(TARGET PREFIX name TOP module [FOLDERS folder...] [SOURCES file...] [DEPENDS file...]
#                  [PARTS count] [ARGUMENTS argument...])
# Adds the C++ of a top module, the class PREFIX, to the sources of a target. It is compiled as two source files, so
# that its headers are read twice at most: one for the code that runs often, and one, not optimised, for the code that
# runs once.
# PARTS: most source files of each kind, for a large block that no compiler could read whole. Modules are read from the
# sources, or looked up in the folders.
# --assert: an assertion that fails ends the run. -fno-dfg: Verilator 5.006 computes wrong results with that
# optimisation (tests/rtl/blocks/rev_scan.sv), and later versions had such faults, too.
# -Wno-LATCH and -Wno-NOLATCH: tops for simulation keep what is not selected. The tests check other lint.
function(fermata_verilate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;TOP;PARTS" "FOLDERS;SOURCES;DEPENDS;ARGUMENTS")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_PREFIX}")
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
  endif()
  set(fast "")
  set(slow "")
  foreach(part RANGE 1 ${arg_PARTS})
    list(APPEND fast "${folder}/joined_${part}.cpp")
    list(APPEND slow "${folder}/joined_slow_${part}.cpp")
  endforeach()
  set(join "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/JoinSources.cmake")
  set(modules ${arg_SOURCES})
  set(lookups "")
  foreach(place IN LISTS arg_FOLDERS)
    file(GLOB files CONFIGURE_DEPENDS "${place}/*.sv" "${place}/*.v" "${place}/*.svh" "${place}/*.vh")
    list(APPEND modules ${files})
    list(APPEND lookups -y "${place}" "-I${place}")
  endforeach()
  set(read ${arg_SOURCES})
  if(NOT read)
    set(read "${arg_TOP}.sv")
  endif()
  add_custom_command(OUTPUT ${fast} ${slow} DEPENDS ${modules} ${arg_DEPENDS} "${join}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${folder}"
    COMMAND "${FERMATA_VERILATOR}" --cc -O3 -fno-dfg --x-assign fast --x-initial fast --assert -Wno-LATCH
      -Wno-NOLATCH -Wno-PINMISSING --prefix ${arg_PREFIX} --top-module ${arg_TOP} --Mdir "${folder}" ${lookups} ${arg_ARGUMENTS}
      ${read}
    COMMAND "${CMAKE_COMMAND}" -DFOLDER=${folder} -DPARTS=${arg_PARTS} -P "${join}"
    COMMENT "Verilating ${arg_PREFIX}" VERBATIM)
  target_sources(${target} PRIVATE ${fast} ${slow})
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0)
  target_include_directories(${target} SYSTEM PUBLIC "${folder}")
endfunction()

# fermata_add_rtl(NAME TOP module SOURCES file... [CLASS class] [FOLDERS folder...] [PARAMETERS name=value...]
#                 [ARGUMENTS argument...])
# Adds a library NAME of one block of RTL, with signals for waves: the class V<module>, or CLASS, as Verilator makes it,
# in the header of that name. FOLDERS: where modules and files that the sources name are looked up. PARAMETERS: of the
# top module. ARGUMENTS: further ones for Verilator, whose warnings are shown and stop nothing. models/rtl/README.md
# shows how the block takes a module's place.
function(fermata_add_rtl name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TOP;CLASS" "SOURCES;FOLDERS;PARAMETERS;ARGUMENTS")
  if(NOT arg_TOP OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fermata_add_rtl(${ARGV}): expected fermata_add_rtl(NAME TOP module SOURCES file... "
      "[CLASS class] [FOLDERS folder...] [PARAMETERS name=value...] [ARGUMENTS argument...])")
  endif()
  fermata_find_verilator()
  if(NOT FERMATA_VERILATOR)
    message(FATAL_ERROR "fermata_add_rtl(${name}): Verilator was not found; expected version "
      "${FERMATA_VERILATOR_MINIMUM} or later (Debian: apt-get install verilator)")
  endif()
  if(NOT Fermata_VERILATOR_VERSION)
    message(FATAL_ERROR "fermata_add_rtl(${name}): Fermata was built without Verilator; expected one that was built "
      "where there is Verilator ${FERMATA_VERILATOR_MINIMUM} or later")
  elseif(NOT FERMATA_VERILATOR_VERSION VERSION_EQUAL Fermata_VERILATOR_VERSION)
    message(FATAL_ERROR "fermata_add_rtl(${name}): ${FERMATA_VERILATOR} is Verilator '${FERMATA_VERILATOR_VERSION}', but Fermata was built "
      "with ${Fermata_VERILATOR_VERSION}; expected the same")
  endif()
  foreach(list SOURCES FOLDERS)
    set(absolute_${list} "")
    foreach(path IN LISTS arg_${list})
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      if(NOT EXISTS "${path}")
        message(FATAL_ERROR "fermata_add_rtl(${name}): there is no ${path}")
      endif()
      list(APPEND absolute_${list} "${path}")
    endforeach()
  endforeach()
  if(NOT arg_CLASS)
    set(arg_CLASS "V${arg_TOP}")
  endif()
  list(TRANSFORM arg_PARAMETERS PREPEND -G)
  add_library(${name} STATIC)
  fermata_verilated_options(${name})
  fermata_verilate(${name} PREFIX ${arg_CLASS} TOP ${arg_TOP} SOURCES ${absolute_SOURCES} FOLDERS ${absolute_FOLDERS}
    PARTS 8 ARGUMENTS --trace-fst -Wno-fatal ${arg_PARAMETERS} ${arg_ARGUMENTS})
  target_compile_features(${name} PUBLIC cxx_std_17)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${name} PUBLIC Fermata::rtl_blocks)
endfunction()
