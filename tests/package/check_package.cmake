# Installs the build in BUILD below WORK, moves it, builds CONSUMER against it, runs both.
file(REMOVE_RECURSE "${WORK}")

# step(DESCRIPTION [OUTPUT variable] COMMAND...): fails the test, with the command's output, when it fails.
function(step description)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT" "COMMAND")
  execute_process(COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${description}: ${result}\n${out}\n${err}")
  endif()
  if(arg_OUTPUT)
    set(${arg_OUTPUT} "${out}" PARENT_SCOPE)
  endif()
endfunction()

# expect(TEXT PART): TEXT holds PART.
function(expect text part)
  string(FIND "${text}" "${part}" at)
  if(at LESS 0)
    message(FATAL_ERROR "expected '${part}' in:\n${text}")
  endif()
endfunction()

# configure_and_build(FOLDER BUILD): a project that has the installed package and nothing of the tree.
function(configure_and_build folder build)
  step("configuring ${folder}" COMMAND "${CMAKE_COMMAND}" -S "${folder}" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
  step("building ${folder}" COMMAND "${CMAKE_COMMAND}" --build "${build}")
endfunction()

file(MAKE_DIRECTORY "${WORK}")
step("installing" COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/prefix")

file(GLOB_RECURSE package "${WORK}/prefix/*.cmake")
if(NOT package)
  message(FATAL_ERROR "no CMake package was installed")
endif()
foreach(file IN LISTS package)
  file(READ "${file}" text)
  foreach(path "${SOURCE}" "${BUILD}" "${WORK}")
    string(FIND "${text}" "${path}/" at)
    if(NOT at LESS 0)
      message(FATAL_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

# Manual pages and completion, which asks the installed program.
foreach(file man/man1/fermata.1 man/man1/fermata-run.1 bash-completion/completions/fermata fish/vendor_completions.d/fermata.fish
    zsh/site-functions/_fermata zsh/vendor-completions/_fermata)
  if(NOT EXISTS "${WORK}/prefix/share/${file}")
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
step("completing" OUTPUT out COMMAND "${CMAKE_COMMAND}" -E env "PATH=${WORK}/prefix/bin:$ENV{PATH}" bash -c
  "source prefix/share/bash-completion/completions/fermata; COMP_WORDS=(fermata run tran); COMP_CWORD=2; _fermata; echo \"\${COMPREPLY[@]}\"")
expect("${out}" "transpose")

configure_and_build("${CONSUMER}" "${WORK}/build")

# 24576 loads of 32 words apart: 31 passes too many each on 32 banks, none on 33.
set(with_data "${CMAKE_COMMAND}" -E env "FERMATA_DATA=${WORK}/prefix/share/fermata" "${WORK}/build/consumer")
step("running the consumer" OUTPUT out COMMAND ${with_data} "mod 32")
expect("${out}" "conflict cycles: 761856")
expect("${out}" "my memory: 43200000 fJ")
step("running the consumer" OUTPUT out COMMAND ${with_data} "ami 33")
expect("${out}" "conflict cycles: 0")
file(READ "${WORK}/out/runs.csv" runs)
expect("${runs}" "stride,,,,ami 33,33,")

# A module of the consumer's own is put through the conformance suite, as its README shows.
step("putting a module through the suite" OUTPUT out COMMAND "${WORK}/build/my_memory_conforms")
expect("${out}" "0 findings")
file(READ "${SOURCE}/models/conformance/README.md" readme)
file(READ "${CONSUMER}/my_memory_conforms.cpp" example)
expect("${readme}" "${example}")

# The program, with the data beside it: a platform file put there is found.
file(COPY_FILE "${WORK}/prefix/share/fermata/platforms/gtx480.toml"
  "${WORK}/prefix/share/fermata/platforms/copied.toml")
step("listing platforms" OUTPUT out COMMAND "${WORK}/prefix/bin/fermata" platforms)
expect("${out}" "copied")
step("listing workloads" OUTPUT out COMMAND "${WORK}/prefix/bin/fermata" workloads)
expect("${out}" "transpose")
step("running a kernel" OUTPUT out COMMAND "${WORK}/prefix/bin/fermata" run copied stride --power fermi-40nm)
expect("${out}" "stride")
expect("${out}" "energy nJ")

if(NOT HAS_RTL)
  return()
endif()

# A testbench with the model as its reference, as the README shows it, to the letter.
file(GLOB library "${WORK}/prefix/lib*/fermata/libfermata_dpi.so" "${WORK}/prefix/lib/*/fermata/libfermata_dpi.so")
get_filename_component(library "${library}" DIRECTORY)
set(own "${SOURCE}/platforms/own_rtl")
step("verilating the testbench" COMMAND "${VERILATOR}" --binary --top-module my_indexer_tb --Mdir "${WORK}/testbench"
  "${WORK}/prefix/share/fermata/rtl/fermata_dpi.sv" "${own}/my_indexer.sv" "${own}/my_indexer_tb.sv"
  -LDFLAGS "-L${library} -lfermata_dpi -Wl,-rpath,${library}")
step("running the testbench" OUTPUT out COMMAND "${WORK}/testbench/Vmy_indexer_tb")
expect("${out}" "1024 words and 32 strides as 'xor k1=0 k2=5 mask=31' says")
file(READ "${SOURCE}/models/rtl/README.md" readme)
foreach(case "mod 32:word 32: bank 1, row 1; expected bank 0, row 1" "mox 32:no mapping has the name 'mox'")
  string(REGEX MATCH "^([^:]*):(.*)" case "${case}")
  set(mapping "${CMAKE_MATCH_1}")
  set(says "${CMAKE_MATCH_2}")
  execute_process(COMMAND "${WORK}/testbench/Vmy_indexer_tb" "+mapping=${mapping}" RESULT_VARIABLE result
    OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(result EQUAL 0)
    message(FATAL_ERROR "expected a difference from ${mapping}: ${out}${err}")
  endif()
  expect("${out}${err}" "${says}")
endforeach()
file(READ "${own}/my_indexer_tb.sv" text)
expect("${readme}" "${text}")

# A program with RTL of its own, as the README shows it, to the letter.
file(COPY "${SOURCE}/platforms/own_rtl" DESTINATION "${WORK}")
configure_and_build("${WORK}/own_rtl" "${WORK}/rtl")
file(READ "${SOURCE}/models/rtl/README.md" readme)
foreach(file my_indexer.sv my_fermata.cpp)
  file(READ "${WORK}/own_rtl/${file}" text)
  expect("${readme}" "${text}")
endforeach()
file(READ "${WORK}/own_rtl/CMakeLists.txt" text)
string(REGEX MATCH "fermata_add_rtl\\(my_indexer [^#]*" text "${text}")
string(STRIP "${text}" text)
expect("${readme}" "${text}")
set(with_data "${CMAKE_COMMAND}" -E env "FERMATA_DATA=${WORK}/prefix/share/fermata" "${WORK}/rtl/my_fermata")
set(lockstep run gtx480 transpose --set rtl.indexer=lockstep --wave my.fst)
step("running its indexer" OUTPUT out COMMAND ${with_data} ${lockstep} --set "scratchpad.indexer=xor k1=0 k2=5 mask=31"
  --wave-window 800:900)
expect("${readme}" "${out}")
execute_process(COMMAND ${with_data} ${lockstep} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result ERROR_VARIABLE err)
if(NOT result EQUAL 1 OR NOT EXISTS "${WORK}/my.fst")
  message(FATAL_ERROR "expected a difference and its waves: ${result} ${err}")
endif()
expect("${readme}" "${err}")
