# What shells and man know of the program, made by the program itself from the declarations of its commands.
set(shell_folder "${PROJECT_BINARY_DIR}/shell")
set(shell_stamp "${shell_folder}/written")
add_custom_command(OUTPUT "${shell_stamp}"
  COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:fermata_cli>" "-DFOLDER=${shell_folder}"
    -P "${PROJECT_SOURCE_DIR}/cmake/WriteManual.cmake"
  DEPENDS fermata_cli "${PROJECT_SOURCE_DIR}/cmake/WriteManual.cmake"
  COMMENT "Writing manual pages and completion" VERBATIM)
add_custom_target(fermata_manual ALL DEPENDS "${shell_stamp}")

install(DIRECTORY "${shell_folder}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(FILES "${shell_folder}/fermata.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME fermata)
install(FILES "${shell_folder}/fermata.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
# zsh looks into site-functions, Debian's zsh into vendor-completions for what packages bring.
foreach(folder site-functions vendor-completions)
  install(FILES "${shell_folder}/fermata.zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/${folder}" RENAME _fermata)
endforeach()
