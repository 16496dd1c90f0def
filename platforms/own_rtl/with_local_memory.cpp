// The program fermata with local_memory.sv in the place of crossbar and scratchpad.
#include "local_memory.h"

#include <fermata/platforms/program/program.h>

int main(int argc, char** argv) {
  own_rtl::LocalMemoryConnector parts;
  return fermata::platforms::runProgram(argc, argv, parts);
}
