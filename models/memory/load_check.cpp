#include <fermata/models/memory/load_check.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <systemc>

namespace fermata {

void LoadCheck::compareData(const WarpAccess& access, LaneMask lanes, const std::uint8_t* line) {
  const WarpInstruction& instruction = access.instruction;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint8_t* found = line + (instruction.address[lane] & (lineBytes_ - 1));
    ++compared_;
    if (std::memcmp(found, instruction.data[lane].data(), instruction.bytesPerLane) != 0)
      record(access, lane, found);
  }
  if (!later_ && !differences_.empty()) judge(nullptr);
}

void LoadCheck::record(const WarpAccess& access, unsigned lane, const std::uint8_t* found) {
  const WarpInstruction& instruction = access.instruction;
  for (unsigned b = 0; b < instruction.bytesPerLane; ++b) {
    if (found[b] == instruction.data[lane][b]) continue;
    Load& load = differences_[{instruction.address[lane] + b, found[b]}];
    if (load.order > access.sequence) continue;
    load = {access.sequence + 1, access.sent, instruction.pc, access.slot, lane};
  }
}

void LoadCheck::judge(const WriteOrder* writes) {
  const auto differences = std::exchange(differences_, {});
  written_.clear();
  for (const auto& [byte, load] : differences) {
    const auto& [address, value] = byte;
    const WriteOrder::Line* line = writes == nullptr ? nullptr : writes->find(address / lineBytes_);
    const auto at = static_cast<std::uint32_t>(address % lineBytes_);
    if (line != nullptr && line->mayFind(at, {load.order, this, load.sent}, value)) continue;
    const std::string text = "verification failed: pc " + std::to_string(load.pc) + ", warp slot " +
                             std::to_string(load.slot) + ", lane " + std::to_string(load.lane) +
                             ": the cache has other bytes at address " + std::to_string(address) +
                             " than the executor saw";
    SC_REPORT_ERROR("fermata/l1", text.c_str());
    return;
  }
}

}  // namespace fermata
