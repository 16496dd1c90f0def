#include <fermata/platforms/program/program.h>

int main(int argc, char** argv) {
  fermata::platforms::Connector asItComes;
  return fermata::platforms::runProgram(argc, argv, asItComes);
}
