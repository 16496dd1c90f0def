// CMake compiles headers ahead only for a target that has a source.
