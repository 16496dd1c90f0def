// One execution of an instruction in few bytes, for queues and for compiled traces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::traces {

/// The start of a packed row. The addresses follow in one of two shapes, whichever is smaller:
/// - `runs` > 0: that many AddressRuns;
/// - `offsetBytes` 2, 4 or 8: the lowest address (8 bytes), then for each of the 32 lanes the
///   distance of its address from that, in `offsetBytes` bytes; 0 for a lane that is not active.
/// With neither, no lane has an address.
/// `barrier` and `barrierThreads` also hold a pause's nanoseconds and, with `barrierWaits`, columns
/// of tensor memory (tensor_words.h). `barrierThreads` holds the clusters that a request takes; in
/// a queue's rows that suspend at an mbarrier, the changes to wait for.
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

  std::uint32_t nanoseconds() const { return std::uint32_t{barrier} << 16 | barrierThreads; }
  void setNanoseconds(std::uint32_t value) {
    barrier = static_cast<std::uint8_t>(value >> 16);
    barrierThreads = static_cast<std::uint16_t>(value);
  }
};

struct Row {
  static constexpr std::size_t kMaxAddressBytes = 8 + kWarpLanes * 8;
  RowHead head;
  alignas(8) std::array<std::byte, kMaxAddressBytes> addresses;
};

/// Returns the bytes that the addresses of this row take. They are at most Row::kMaxAddressBytes if
/// the head was made by packRuns.
inline std::size_t addressBytes(const RowHead& head) {
  return head.offsetBytes != 0 ? 8 + std::size_t{kWarpLanes} * head.offsetBytes
                               : head.runs * sizeof(AddressRun);
}

/// Puts the addresses of the active lanes into the row, in the smaller shape. `runs` cover them.
void packRuns(const AddressRuns& runs, unsigned count, Row& row);
/// Sets the addresses of the active lanes; others may get any value. `packed` is what follows the
/// head: addressBytes(head) bytes, aligned to 8.
void unpackAddresses(const RowHead& head, const std::byte* packed, LaneAddresses& address);
/// Sets what a row says of the instruction that it executes. `packed`: see unpackAddresses.
inline void unpack(const RowHead& head, const std::byte* packed, MemoryOperation operation,
                   WarpInstruction& out) {
  out.pc = head.pc;
  out.active = head.active;
  out.space = head.space;
  out.operation = operation;
  out.bytesPerLane = head.bytes;
  out.hasData = false;
  out.barrier = head.barrier;
  out.barrierThreads = head.barrierThreads;
  out.barrierWaits = head.barrierWaits;
  if (head.runs != 0 || head.offsetBytes != 0) unpackAddresses(head, packed, out.address);
}
/// Returns true if a row of unknown origin is one that packRuns could make, with its active lanes'
/// addresses multiples of `head.bytes` and none above `highest`. Preconditions: head.bytes is a
/// power of two, and addressBytes(head) at most Row::kMaxAddressBytes.
bool addressesFit(const Row& row, std::uint64_t highest);

}  // namespace fermata::traces
