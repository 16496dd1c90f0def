// local_memory.sv in the place of crossbar and scratchpad: its adapter and connector.
#pragma once

#include <fermata/platforms/compose/connector.h>

namespace own_rtl {

/// Sizes that the block was built for.
inline constexpr unsigned kBanks = 32;
inline constexpr std::uint32_t kWords = 12288;
inline constexpr unsigned kTagBits = 4;

/// `latency`: cycles from taking a read to its answer, 1 or 2. Throws BadInput for a memory of more
/// words or with another mapping than the block's.
std::unique_ptr<fermata::rtl::BlockMemory> makeLocalMemory(
    const fermata::rtl::BlockMemory::Parameters& parameters, unsigned latency = 1);

class LocalMemoryConnector : public fermata::platforms::Connector {
 public:
  std::unique_ptr<fermata::rtl::BlockMemory> blockMemory(
      const fermata::rtl::BlockMemory::Parameters& parameters) override {
    return makeLocalMemory(parameters);
  }
};

}  // namespace own_rtl
