# fermata_library(NAME SOURCES file... [LIBRARIES target...] [PRIVATE_LIBRARIES target...])
# A static library fermata_NAME (exported as Fermata::NAME). Headers are included from the root of the tree
# ("models/indexing/indexer.h") and installed under include/fermata.
function(fermata_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;PRIVATE_LIBRARIES")
  add_library(fermata_${name} STATIC ${arg_SOURCES})
  add_library(Fermata::${name} ALIAS fermata_${name})
  target_compile_features(fermata_${name} PUBLIC cxx_std_17)
  target_include_directories(fermata_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fermata>)
  target_link_libraries(fermata_${name} PUBLIC ${arg_LIBRARIES}
    PRIVATE ${arg_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:fermata_warnings>)
  set_target_properties(fermata_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY FERMATA_LIBRARIES fermata_${name})
endfunction()
