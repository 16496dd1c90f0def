# Writes FOLDER/man1/*.1 and FOLDER/fermata.{bash,zsh,fish} by the program PROGRAM, and FOLDER/written when all is there.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${PROGRAM}" manual "${FOLDER}/man1" COMMAND_ERROR_IS_FATAL ANY)
foreach(shell bash zsh fish)
  execute_process(COMMAND "${PROGRAM}" completion ${shell} OUTPUT_FILE "${FOLDER}/fermata.${shell}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(TOUCH "${FOLDER}/written")
