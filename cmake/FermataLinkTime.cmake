# Link-time optimisation where it pays: an access passes half a dozen small libraries, and the calls between them cost
# as much as the work. The objects also hold ordinary code, so that tests and a user's program can link without it.
option(FERMATA_LINK_TIME "Optimise the program and the benchmarks across libraries (GCC, release builds)" ON)
add_library(fermata_link_time INTERFACE)      # for a program
add_library(fermata_link_time_fat INTERFACE)  # for a library on the hot path
if(FERMATA_LINK_TIME AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(fermata_link_time_fat INTERFACE $<$<CONFIG:Release>:-flto=auto$<SEMICOLON>-ffat-lto-objects>)
  target_link_options(fermata_link_time INTERFACE $<$<CONFIG:Release>:-flto=auto$<SEMICOLON>-fno-fat-lto-objects>)
endif()
