# Warnings are errors in our own targets; an interface target, so that no installed target carries them.
add_library(fermata_warnings INTERFACE)
target_compile_options(fermata_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
