# What the README and the pages beside the code show is so, to the letter: the tables that commands print, the code of
# the platform composed by hand, the lines that the recipes change.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# shown(PAGE TEXT): the page holds it.
function(shown page text)
  file(READ "${SOURCE}/${page}" shows)
  string(FIND "${shows}" "${text}" at)
  if(at LESS 0)
    message(FATAL_ERROR "${page} does not show:\n${text}")
  endif()
endfunction()

foreach(options "" "--param;pad=1" "--set;scratchpad.indexer=ami 33")
  execute_process(COMMAND "${PROGRAM}" run transpose --platform gtx480 --param tile=32 ${options}
    OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
  if(NOT table MATCHES "transpose")
    message(FATAL_ERROR "no table: ${table}")
  endif()
  shown(README.md "${table}")
endforeach()

# The platform composed by hand: its code without the indent of the function that it stands in.
file(READ "${SOURCE}/platforms/gtx480/main.cpp" platform)
string(REGEX MATCH "  // The defaults are .*sc_start\\(\\);\n" platform "${platform}")
string(REGEX REPLACE "(^|\n)  " "\\1" platform "${platform}")
shown(platforms/README.md "```cpp\n${platform}```\n")

# What `explain` prints.
execute_process(COMMAND "${PROGRAM}" explain nw --platform gtx480 --param n=128 OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
if(NOT table MATCHES "nw.cu:30")
  message(FATAL_ERROR "no table: ${table}")
endif()
shown(platforms/program/check/README.md "${table}")

# What `search nw` prints.
execute_process(COMMAND "${PROGRAM}" search nw --platform gtx480 OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "${PROGRAM}" "fermata" report "${report}")  # its hints name it as it was called
if(NOT report MATCHES "nw.cu")
  message(FATAL_ERROR "no report: ${report}")
endif()
shown(models/search/README.md "${report}")

# What it prints for a layout, from its last table on.
execute_process(COMMAND "${PROGRAM}" search --platform sm_80 --layout "(8,4):(32,8)" --atom ldmatrix.x4 --element 2
  OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "the best of each kind:.*" report "${report}")
if(NOT report MATCHES "leading dimension 40")
  message(FATAL_ERROR "no report: ${report}")
endif()
shown(models/search/README.md "${report}")

# The recipes: the lines that they change are in the files that they name. A list takes no ';' and no bracket.
function(read_plain variable file)
  file(READ "${SOURCE}/${file}" text)
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REPLACE "[" "<" text "${text}")
  string(REPLACE "]" ">" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Words of the lines that a recipe takes out of a file stand in the lines that it puts there: a list loses no entry.
macro(none_is_lost)
  foreach(word IN LISTS gone)
    list(FIND come "${word}" at)
    if(at LESS 0)
      message(FATAL_ERROR "models/README.md: the recipe drops ${word} from ${file}")
    endif()
  endforeach()
endmacro()

set(checked 0)
set(file "")
set(gone "")
set(come "")
read_plain(recipes models/README.md)
string(REGEX MATCHALL "```diff\n[^`]*\n```" recipes "${recipes}")
foreach(recipe IN LISTS recipes)
  string(REPLACE "\n" ";" lines "${recipe}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^--- (.*)")
      set(next "${CMAKE_MATCH_1}")
      none_is_lost()
      set(file "${next}")
      read_plain(changed "${file}")
      set(gone "")
      set(come "")
    elseif(line MATCHES "^[ -](.*)")
      string(FIND "\n${changed}" "\n${CMAKE_MATCH_1}\n" at)
      if(at LESS 0)
        message(FATAL_ERROR "models/README.md changes a line that ${file} does not have:\n${CMAKE_MATCH_1}")
      endif()
      math(EXPR checked "${checked} + 1")
    endif()
    string(REGEX MATCHALL "[A-Za-z_0-9]+" words "${line}")
    if(line MATCHES "^-[^-]")
      list(APPEND gone ${words})
    elseif(line MATCHES "^\\+")
      list(APPEND come ${words})
    endif()
  endforeach()
  none_is_lost()
  set(file "")
endforeach()
if(checked LESS 14)
  message(FATAL_ERROR "models/README.md: ${checked} lines of recipes found; expected 14 or more")
endif()

# What the queue before the port is worth.
foreach(queue 0 1 2)
  set(row "| `core.memory_queue=${queue}` |")
  foreach(stride 1 2 4)
    execute_process(COMMAND "${PROGRAM}" run gtx480 stride --param stride=${stride} --set core.memory_queue=${queue}
      OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
    if(NOT table MATCHES "stride +mod 32 +[0-9,]+ +([0-9,]+) ")
      message(FATAL_ERROR "no table: ${table}")
    endif()
    string(APPEND row " ${CMAKE_MATCH_1} |")
  endforeach()
  shown(platforms/README.md "${row}\n")
endforeach()
