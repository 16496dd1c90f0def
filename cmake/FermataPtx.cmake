# fermata_ptx(TARGET HEADERS file.h... PARTS file.h... KERNELS file.cu... LAUNCHES file.toml...)
# Compiles each kernel at build time to <build>/share/fermata/cuda/NAME.ptx, and copies the launch files and the headers
# beside it. fermata_cuda.h is included before each kernel; PARTS are other files that it includes. The sources are
# copied to <build>/share/fermata/sources: reports show lines of them. The installed tree mirrors these folders. NAME.cu
# is compiled for the address_bits and arch of NAME.toml, without one for 32 and sm_20. If they are 32, it is compiled for
# 64 as well, to NAME.64.ptx: machine code is made of that. The flags are those that stimuli/launch/compile_cuda.cpp uses
# for such a file. It compiles a file with arrays in local memory once more: here is none. -gline-tables-only gives
# profiles their source lines and does not change the instructions.
find_program(FERMATA_CLANG NAMES clang++-16 DOC "Compiles CUDA kernels to PTX; no CUDA SDK is needed")
mark_as_advanced(FERMATA_CLANG)

# Sets `variable` to the value of a key at the top of a launch file, as compile_settings.h reads it; to `absent` if the
# key is not there.
function(fermata_launch_key variable file key absent)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^${key} = ")
  set(${variable} ${absent} PARENT_SCOPE)
  if(lines MATCHES "^${key} = \"?([a-z0-9_]+)\"?$")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
  elseif(lines)
    message(FATAL_ERROR "${file}: '${lines}'; expected a plain value of ${key}")
  endif()
endfunction()

function(fermata_ptx target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;PARTS;KERNELS;LAUNCHES")
  if(NOT FERMATA_CLANG)
    message(FATAL_ERROR "clang++-16 is missing: it compiles the CUDA kernels to PTX "
      "(Debian 12: apt-get install clang-16). Another path to it: -DFERMATA_CLANG=/path/to/clang++-16")
  endif()
  set(source "${CMAKE_CURRENT_SOURCE_DIR}")
  set(folder "${PROJECT_BINARY_DIR}/share/fermata/cuda")
  set(headers ${arg_HEADERS} ${arg_PARTS})
  list(TRANSFORM headers PREPEND "${source}/")
  foreach(name IN LISTS arg_HEADERS arg_LAUNCHES)
    add_custom_command(OUTPUT "${folder}/${name}" DEPENDS "${source}/${name}"
      COMMAND ${CMAKE_COMMAND} -E copy "${source}/${name}" "${folder}/${name}" VERBATIM)
    list(APPEND outputs "${folder}/${name}")
  endforeach()
  set(sources "${PROJECT_BINARY_DIR}/share/fermata/sources")
  foreach(kernel IN LISTS arg_KERNELS)
    get_filename_component(name "${kernel}" NAME_WE)
    configure_file("${kernel}" "${sources}/${name}.cu" COPYONLY)
    install(FILES "${kernel}" DESTINATION "${CMAKE_INSTALL_DATADIR}/fermata/sources")
    set(arch sm_20)
    set(bits 32)
    if(EXISTS "${source}/${name}.toml")
      fermata_launch_key(arch "${source}/${name}.toml" arch sm_20)
      fermata_launch_key(bits "${source}/${name}.toml" address_bits 64)
    endif()
    # clang-16 compiles for sm_90 what is newer; stimuli/launch/newer_architectures.cpp does the same.
    set(compiled "${arch}")
    set(retarget "")
    if(arch STREQUAL "sm_100a")
      set(compiled sm_90)
      set(macros -U__CUDA_ARCH__ -D__CUDA_ARCH__=1000 -Wno-builtin-macro-redefined)
      set(retarget COMMAND sed -i "-e" "s/^.version .*/.version 8.6/" "-e" "s/^.target .*/.target sm_100a/"
        "${folder}/${name}.ptx")
    else()
      set(macros "")
    endif()
    set(all_bits ${bits})
    if(bits EQUAL 32)
      list(APPEND all_bits 64)
    endif()
    foreach(each IN LISTS all_bits)
      set(made "${name}")
      if(NOT each EQUAL bits)
        set(made "${name}.${each}")
      endif()
      add_custom_command(OUTPUT "${folder}/${made}.ptx" DEPENDS "${source}/${kernel}" ${headers}
        COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
        COMMAND "${FERMATA_CLANG}" -x cuda --cuda-device-only -S -nocudainc -nocudalib
          --cuda-path=/nonexistent --cuda-gpu-arch=${compiled} ${macros} -m${each} -O3 -fno-strict-aliasing -nostdinc
          -std=c++14 -mllvm -inline-threshold=100000 -gline-tables-only -fdebug-compilation-dir=.
          "-ffile-prefix-map=${source}/=" -Wall -Wextra -Werror
          -include "${source}/fermata_cuda.h" -o "${folder}/${made}.ptx" "${source}/${kernel}"
        ${retarget}
        COMMENT "Compiling CUDA kernel ${kernel} to PTX, addresses of ${each} bits" VERBATIM)
      list(APPEND outputs "${folder}/${made}.ptx")
    endforeach()
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${outputs})
  install(FILES ${outputs} DESTINATION "${CMAKE_INSTALL_DATADIR}/fermata/cuda")
endfunction()
