// One execution of an instruction in few bytes: as it waits in a queue and lies in a compiled
// trace.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fermata/models/transaction/warp_instruction.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::traces {

/// The addresses follow a head in one of two shapes, whichever takes fewer bytes:
/// - `runs` > 0: that many AddressRuns;
/// - `offsetBytes` 2, 4 or 8: the lowest address (8 bytes), then for each of the 32 lanes what its
///   address is above that, in so many bytes; 0 for a lane that is not active.
/// Neither: no lane has an address.
struct RowHead {
  std::uint32_t pc = 0;
  LaneMask active = 0;
  std::uint16_t barrierThreads = 0;
  std::uint8_t barrier = 0;
  bool barrierWaits = true;
  MemorySpace space = MemorySpace::None;
  std::uint8_t bytes = 0;
  std::uint8_t runs = 0;
  std::uint8_t offsetBytes = 0;
};

struct Row {
  static constexpr std::size_t kMaxAddressBytes = 8 + kWarpLanes * 8;
  RowHead head;
  alignas(8) std::array<std::byte, kMaxAddressBytes> addresses;
};

/// Bytes that the addresses of this row take; at most Row::kMaxAddressBytes when the head is one
/// that packRuns made.
inline std::size_t addressBytes(const RowHead& head) {
  return head.offsetBytes != 0 ? 8 + std::size_t{kWarpLanes} * head.offsetBytes
                               : head.runs * sizeof(AddressRun);
}

/// Puts the addresses of the active lanes into the row, in the smaller shape. `runs` cover them.
void packRuns(const AddressRuns& runs, unsigned count, Row& row);
/// Sets the addresses of the active lanes; others may get any value. `packed`: what follows the
/// head, addressBytes(head) of them, aligned to 8.
void unpackAddresses(const RowHead& head, const std::byte* packed, LaneAddresses& address);
/// Is a row of unknown origin what packRuns makes, its active lanes' addresses multiples of
/// `head.bytes`, none above `highest`? Precondition: head.bytes is a power of two,
/// addressBytes(head) at most Row::kMaxAddressBytes.
bool addressesFit(const Row& row, std::uint64_t highest);

}  // namespace fermata::traces
