# Adds date, time and commit to the version: 0.1.0+git20261126.205314.be0d763a92. A package of a later commit is newer for
# apt. Times of files are the commit's, so that one tree gives the same bytes again. A tree without git has the version
# alone.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env TZ=UTC0
    git -C "${CPACK_FERMATA_SOURCE}" show -s --abbrev=10 --date=format-local:%Y%m%d.%H%M%S "--format=+git%cd.%h;%ct" HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit)
  list(GET commit 0 suffix)
  string(APPEND CPACK_PACKAGE_VERSION "${suffix}")
  if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
    list(GET commit 1 seconds)
    set(ENV{SOURCE_DATE_EPOCH} "${seconds}")
  endif()
endif()
