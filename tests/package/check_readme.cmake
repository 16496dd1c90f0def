# What the README shows is so, to the letter: the tables that its commands print, the code of its platform.
file(READ "${SOURCE}/README.md" readme)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# shown(TEXT): the README holds it.
function(shown text)
  string(FIND "${readme}" "${text}" at)
  if(at LESS 0)
    message(FATAL_ERROR "the README does not show:\n${text}")
  endif()
endfunction()

foreach(options "--out;${WORK}" "--param;pad=1" "--set;scratchpad.indexer=ami 33")
  execute_process(COMMAND "${PROGRAM}" run gtx480 transpose --param tile=32 ${options}
    OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
  if(NOT table MATCHES "transpose")
    message(FATAL_ERROR "no table: ${table}")
  endif()
  shown("${table}")
endforeach()

# The columns of instructions.csv that the README cuts out, for the accesses to shared memory.
execute_process(COMMAND cut -d, -f5,7-9,11,13,16 "${WORK}/instructions.csv"
  COMMAND grep -E "kernel|shared" OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
shown("${lines}")

# The platform composed by hand: its code without the indent of the function that it stands in.
file(READ "${SOURCE}/platforms/gtx480/main.cpp" platform)
string(REGEX MATCH "  // The defaults are .*sc_start\\(\\);\n" platform "${platform}")
string(REGEX REPLACE "(^|\n)  " "\\1" platform "${platform}")
shown("```cpp\n${platform}```\n")

# What `search nw` prints.
execute_process(COMMAND "${PROGRAM}" search nw OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
if(NOT report MATCHES "nw.cu")
  message(FATAL_ERROR "no report: ${report}")
endif()
shown("${report}")
