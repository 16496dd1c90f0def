// Stands in for all blocks in a build without Verilator.
#include <fermata/models/rtl/verilated/blocks.h>

#include <fermata/models/rtl/waves.h>

namespace fermata::rtl {
namespace verilated {
namespace {

[[noreturn]] void refuse() {
  throw BadInput(
      "this build has no RTL blocks: Verilator 5 or zlib was not found when it was configured; "
      "install verilator and zlib1g-dev, and configure again");
}

}  // namespace

std::unique_ptr<MapBlock> amiArray(std::uint32_t) {
  refuse();
}

std::unique_ptr<MapBlock> amiFolded(std::uint32_t) {
  refuse();
}

std::unique_ptr<MapBlock> linearHash(const LinearSetting&) {
  refuse();
}

std::unique_ptr<MapBlock> fixedXor(unsigned, unsigned) {
  refuse();
}

std::unique_ptr<MapBlock> addHash(unsigned, unsigned) {
  refuse();
}

std::unique_ptr<PassBlock> passArbiter(unsigned) {
  refuse();
}

std::unique_ptr<ScratchpadBlock> bankedScratchpad(unsigned) {
  refuse();
}

std::unique_ptr<LockBlock> lockUnit() {
  refuse();
}

}  // namespace verilated

std::unique_ptr<Waves> openWaves(const std::string&, const WaveWindow&) {
  verilated::refuse();
}

}  // namespace fermata::rtl
