#include <fermata/models/memory/load_mismatches.h>

#include <algorithm>
#include <string>
#include <systemc>

namespace fermata {

void LoadMismatches::add(const WarpAccess& access, unsigned lane, const std::uint8_t* data) {
  const WarpInstruction& instruction = access.instruction;
  for (unsigned b = 0; b < instruction.bytesPerLane; ++b) {
    if (data[b] == instruction.data[lane][b]) continue;
    Load& load = found_[{instruction.address[lane] + b, data[b]}];
    load = {std::max(load.order, access.sequence + 1), instruction.pc, access.slot, lane};
  }
}

void LoadMismatches::judge(const WriteOrder* writes, std::uint32_t lineBytes, const void* cache) {
  const auto found = std::exchange(found_, {});
  for (const auto& [byte, load] : found) {
    const auto& [address, value] = byte;
    const WriteOrder::Line* line = writes == nullptr ? nullptr : writes->find(address / lineBytes);
    const auto at = static_cast<std::uint32_t>(address % lineBytes);
    if (line != nullptr && line->mayFind(at, {load.order, cache}, value)) continue;
    const std::string text = "verification failed: pc " + std::to_string(load.pc) + ", warp slot " +
                             std::to_string(load.slot) + ", lane " + std::to_string(load.lane) +
                             ": the cache has other bytes at address " + std::to_string(address) +
                             " than the executor saw";
    SC_REPORT_ERROR("fermata/l1", text.c_str());
    return;
  }
}

}  // namespace fermata
