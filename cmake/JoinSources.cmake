# Writes OUTPUT: a source file that includes all others of FOLDER.
file(GLOB sources "${FOLDER}/*.cpp")
list(SORT sources)
set(text "")
foreach(source IN LISTS sources)
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
