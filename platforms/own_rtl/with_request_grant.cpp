// The program fermata with request_grant.sv behind --set rtl.crossbar=rtl.
#include "request_grant.h"

#include <fermata/platforms/program/program.h>

int main(int argc, char** argv) {
  own_rtl::RequestGrantConnector parts;
  return fermata::platforms::runProgram(argc, argv, parts);
}
