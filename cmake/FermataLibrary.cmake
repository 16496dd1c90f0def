# fermata_library(NAME [INTERNAL] [HOT | COLD] [TOGETHER [APART file...]] [PRECOMPILED NAME] SOURCES file...
#                 [HEADERS file...] [LIBRARIES target...] [PRIVATE_LIBRARIES target...])
# Adds a static library fermata_NAME, exported as Fermata::NAME. Headers are included as
# <fermata/models/indexing/indexer.h>, in the tree (cmake/include holds links, so that tools resolve them without a build)
# and where the package is installed. The headers of its folder are installed with it, or only HEADERS.
# INTERNAL: part of a program; none of its headers is installed. HOT: on the path of every access (FermataLinkTime).
# COLD: its compile time matters, its speed does not; the tests' own sources are compiled like that too.
# TOGETHER: where FERMATA_TOGETHER asks for it, that many sources are compiled as one, which reads their headers once.
# APART sources stay alone: they have names of their own that other sources have as well. HOT ones of a release build
# stay alone too: their machine code must not depend on others, because it is measured.
# PRECOMPILED: the sources begin with the headers of that name (fermata_precompiled).
set(FERMATA_TOGETHER 0 CACHE STRING "How many sources of a library are compiled as one (0: each for itself)")
set(FERMATA_COLD_OPTIONS "$<$<CONFIG:Release>:-O1>" CACHE STRING "Compiler options of commands and of the tests' own sources")
function(fermata_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERNAL;HOT;COLD;TOGETHER" "PRECOMPILED" "APART;SOURCES;HEADERS;LIBRARIES;PRIVATE_LIBRARIES")
  add_library(fermata_${name} STATIC ${arg_SOURCES})
  add_library(Fermata::${name} ALIAS fermata_${name})
  target_compile_features(fermata_${name} PUBLIC cxx_std_17)
  target_include_directories(fermata_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/cmake/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(fermata_${name} PUBLIC ${arg_LIBRARIES}
    PRIVATE ${arg_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:fermata_warnings>)
  fermata_speed(fermata_${name} "${arg_HOT}" "${arg_COLD}")
  if(arg_HOT)
    # A program linked to the package is not optimised across libraries: that takes 20 seconds of CPU time. -flto=auto on its
    # own command line asks for it.
    target_link_options(fermata_${name} INTERFACE $<INSTALL_INTERFACE:-fno-lto>)
  endif()
  if(arg_PRECOMPILED AND FERMATA_TOGETHER)
    target_precompile_headers(fermata_${name} REUSE_FROM fermata_precompiled_${arg_PRECOMPILED})
  endif()
  if(arg_TOGETHER AND NOT (arg_HOT AND CMAKE_BUILD_TYPE STREQUAL "Release"))
    fermata_together(fermata_${name} ${arg_APART})
  endif()
  set_target_properties(fermata_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY FERMATA_LIBRARIES fermata_${name})
  if(arg_HEADERS)
    foreach(header IN LISTS arg_HEADERS)
      fermata_public_header("${CMAKE_CURRENT_SOURCE_DIR}/${header}")
    endforeach()
  elseif(NOT arg_INTERNAL)
    fermata_public_headers("${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
endfunction()

# fermata_precompiled(NAME [HOT | COLD] HEADERS header... LIBRARIES target...): compiles headers of other projects once,
# for libraries of the same speed, where FERMATA_TOGETHER asks for it. The sources include them as well: without it, as
# in the preset dev, a missing include is an error.
function(fermata_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;COLD" "" "HEADERS;LIBRARIES")
  if(NOT FERMATA_TOGETHER)
    return()
  endif()
  set(target fermata_precompiled_${name})
  add_library(${target} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} fermata_warnings)
  fermata_speed(${target} "${arg_HOT}" "${arg_COLD}")
  target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
endfunction()

# fermata_speed(TARGET HOT COLD): sets the compiler options of a library by how much its speed matters.
function(fermata_speed target hot cold)
  if(hot)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fermata_link_time_fat>)
  endif()
  if(cold)
    target_compile_options(${target} PRIVATE ${FERMATA_COLD_OPTIONS})
  endif()
endfunction()

# fermata_together(TARGET [source...]): compiles as many sources of the target as FERMATA_TOGETHER says as one, except
# the named ones.
function(fermata_together target)
  if(NOT FERMATA_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${FERMATA_TOGETHER})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# fermata_groups(TARGET ["source source"...]): adds sources to the target; where FERMATA_TOGETHER asks for it, those of one
# string are compiled as one.
function(fermata_groups target)
  set(number 0)
  foreach(group IN LISTS ARGN)
    math(EXPR number "${number} + 1")
    separate_arguments(sources UNIX_COMMAND "${group}")
    target_sources(${target} PRIVATE ${sources})
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${number})
  endforeach()
  if(number AND FERMATA_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# Installs the headers of a folder and of its subfolders one by one, so that no empty folder comes along.
function(fermata_public_headers folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.h")
  foreach(header IN LISTS headers)
    fermata_public_header("${header}")
  endforeach()
endfunction()

# Installs a header and appends its path in the tree to the global property FERMATA_PUBLIC_HEADERS.
function(fermata_public_header header)
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${header}")
  set_property(GLOBAL APPEND PROPERTY FERMATA_PUBLIC_HEADERS "${path}")
  get_filename_component(place "${path}" DIRECTORY)
  install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fermata/${place}")
endfunction()
