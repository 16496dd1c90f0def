# CCI, Accellera's configuration interface, is optional. Debian 12 has none: CCI_HOME, or CMAKE_PREFIX_PATH, names a user's
# own. Sets FERMATA_HAS_CCI; where it is on there is a target Fermata::CciLibrary.
function(fermata_find_cci)
  find_path(FERMATA_CCI_INCLUDE cci_configuration HINTS "$ENV{CCI_HOME}/include")
  find_library(FERMATA_CCI_LIBRARY NAMES cci-config cciapi HINTS "$ENV{CCI_HOME}" PATH_SUFFIXES lib lib64 lib-linux64)
  mark_as_advanced(FERMATA_CCI_INCLUDE FERMATA_CCI_LIBRARY)
  set(FERMATA_HAS_CCI OFF PARENT_SCOPE)
  if(FERMATA_CCI_INCLUDE AND FERMATA_CCI_LIBRARY)
    set(FERMATA_HAS_CCI ON PARENT_SCOPE)
    if(NOT TARGET Fermata::CciLibrary)
      add_library(Fermata::CciLibrary UNKNOWN IMPORTED GLOBAL)
      set_target_properties(Fermata::CciLibrary PROPERTIES IMPORTED_LOCATION "${FERMATA_CCI_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${FERMATA_CCI_INCLUDE}" INTERFACE_LINK_LIBRARIES Fermata::SystemC)
    endif()
  endif()
endfunction()
