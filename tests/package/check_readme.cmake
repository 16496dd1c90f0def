# Every table that the commands of the README's example print stands in it, to the letter.
file(READ "${README}" readme)
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

# What `search nw` prints.
execute_process(COMMAND "${PROGRAM}" search nw OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
if(NOT report MATCHES "nw.cu")
  message(FATAL_ERROR "no report: ${report}")
endif()
shown("${report}")
