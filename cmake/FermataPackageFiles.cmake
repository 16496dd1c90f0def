# Makes an installed tree one of a Debian package: copyright and changelogs, compressed pages, stripped archives.
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")
set(pages "${root}/share/doc/${CPACK_PACKAGE_NAME}")

function(compress file)
  execute_process(COMMAND gzip -9 -n -f "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The program contains parts of other Debian packages. Their licences ask to come along.
string(CONCAT text "Fermata: a SystemC TLM-2.0 model of the on-chip memory path of a GPU streaming multiprocessor.\n\n"
  "Copyright The Fermata authors\n"
  "License: Apache-2.0. On Debian systems its text is in /usr/share/common-licenses/Apache-2.0.\n")
if(EXISTS "${root}/share/fermata/report/licences.txt")
  string(APPEND text "\nPages of `fermata report` hold Vega. Its licences: /usr/share/fermata/report/licences.txt.\n")
endif()
foreach(package IN LISTS CPACK_FERMATA_COMPILED_IN)
  set(file "/usr/share/doc/${package}/copyright")
  if(EXISTS "${file}")
    file(READ "${file}" copyright)
    string(APPEND text "\n\nThe program contains code of ${package}, whose copyright file says:\n\n${copyright}")
  endif()
endforeach()
file(WRITE "${pages}/copyright" "${text}")

file(COPY_FILE "${CPACK_FERMATA_SOURCE}/CHANGELOG.md" "${pages}/changelog")
compress("${pages}/changelog")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set
file(WRITE "${pages}/changelog.Debian" "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) "
  "unstable; urgency=medium\n\n  * Package of this version; changelog.gz says what is new.\n\n"
  " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
compress("${pages}/changelog.Debian")
file(GLOB texts "${pages}/*")
file(CHMOD ${texts} FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

file(GLOB manuals "${root}/share/man/man*/*[0-9]")
foreach(page IN LISTS manuals)
  compress("${page}")
endforeach()

# Code for link-time optimisation suits one version of the compiler.
file(GLOB archives "${root}/lib*/*.a" "${root}/lib/*/*.a")
execute_process(COMMAND "${CPACK_FERMATA_STRIP}" --strip-debug --enable-deterministic-archives --remove-section=.comment
    --remove-section=.note --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_v1
    ${archives}
  COMMAND_ERROR_IS_FATAL ANY)
