// Random accesses of a warp to a memory of bytes, with the data of an executor: a plain array that
// the lanes access one after another.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <random>
#include <vector>

namespace fermata::test {

/// An access, in a window of the memory.
struct ByteAccess {
  WarpInstruction instruction;
  std::uint32_t windowBase = 0;
};

class ByteTraffic {
 public:
  ByteTraffic(unsigned seed, std::uint32_t bytes) : random_(seed), memory_(bytes) {}

  /// Returns a random access. Lanes often share words and bytes: most accesses go to a few words.
  ByteAccess next() {
    ByteAccess access;
    WarpInstruction& instruction = access.instruction;
    instruction.pc = count_++ % 1000;
    instruction.space = MemorySpace::Shared;
    instruction.operation = static_cast<MemoryOperation>(random_() % 3);
    const unsigned width = 1U << random_() % 5;
    instruction.bytesPerLane = static_cast<std::uint8_t>(width);
    instruction.active = lanes();
    place(access, width);
    for (std::array<std::uint8_t, 16>& lane : instruction.data) fillRandom(lane);
    for (std::array<std::uint8_t, 16>& lane : instruction.before) fillRandom(lane);
    execute(access);
    return access;
  }
  /// Returns loads of the whole memory, 16 bytes per lane.
  std::vector<ByteAccess> all() {
    std::vector<ByteAccess> loads;
    constexpr std::uint32_t kWidth = WarpInstruction::kMaxBytesPerLane;
    for (std::uint32_t first = 0; first < memory_.size(); first += kWarpLanes * kWidth) {
      ByteAccess& load = loads.emplace_back();
      load.instruction.space = MemorySpace::Shared;
      load.instruction.bytesPerLane = kWidth;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        const std::uint32_t at = first + lane * kWidth;
        const bool there = at < memory_.size();
        load.instruction.active |= LaneMask{there} << lane;
        load.instruction.address[lane] = there ? at : 0;
      }
      execute(load);
    }
    return loads;
  }
  /// Carries an access out; writes the data that loads and atomics find into it.
  void execute(ByteAccess& access) {
    WarpInstruction& instruction = access.instruction;
    instruction.hasData = true;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((instruction.active >> lane & 1U) == 0) continue;
      std::uint8_t* const at = &memory_.at(access.windowBase + instruction.address[lane]);
      const unsigned width = instruction.bytesPerLane;
      auto& data = instruction.data[lane];
      if (instruction.operation == MemoryOperation::Load) std::copy_n(at, width, data.begin());
      if (instruction.operation == MemoryOperation::Atomic)
        std::copy_n(at, width, instruction.before[lane].begin());
      if (instruction.operation != MemoryOperation::Load) std::copy_n(data.begin(), width, at);
    }
  }

 private:
  LaneMask lanes() {
    switch (random_() % 4) {
      case 0:
        return kAllLanes;
      case 1:
        return 1U << random_() % kWarpLanes;
      default:
        return static_cast<LaneMask>(random_()) | 1U << random_() % kWarpLanes;
    }
  }
  void place(ByteAccess& access, unsigned width) {
    const auto bytes = static_cast<std::uint32_t>(memory_.size());
    access.windowBase = static_cast<std::uint32_t>(random_() % (bytes / 2 / 128)) * 128;
    const std::uint32_t most = bytes - access.windowBase;
    const std::uint32_t span = std::min(most, std::uint32_t{16} << random_() % 12);
    const std::uint32_t first = static_cast<std::uint32_t>(random_() % (most - span + 1));
    const std::uint32_t stride = static_cast<std::uint32_t>(random_() % (span / width) * width);
    const bool regular = random_() % 3 == 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t in = regular ? std::uint64_t{lane} * stride % span : random_() % span;
      access.instruction.address[lane] = (first + in) / width * width;
    }
  }
  void fillRandom(std::array<std::uint8_t, 16>& bytes) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_());
  }

  std::mt19937 random_;
  std::vector<std::uint8_t> memory_;
  std::uint32_t count_ = 0;
};

}  // namespace fermata::test
