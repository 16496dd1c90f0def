# Writes the commit of the tree SOURCE to the file OUT: cmake -DSOURCE=DIR -DOUT=FILE -P WriteCommit.cmake
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=10 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(WRITE "${OUT}" "${commit}\n")
