// Replacement for the FST format in a build without Verilator.
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/program/timeline/fst_file.h>

namespace fermata::platforms {

std::unique_ptr<results::timeline::SignalFile> makeFstFile(const std::string&) {
  throw BadInput(
      "this build writes no .fst: Verilator 5 or zlib was not found when it was configured; "
      "install "
      "verilator and zlib1g-dev, and configure again, or take .vcd");
}

}  // namespace fermata::platforms
