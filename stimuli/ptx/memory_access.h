// Where the lanes of a memory instruction go: windows of memory, bounds, alignment, never-written
// bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// A stretch of memory that lanes access: base <= address < base + bytes.
struct Window {
  std::uint8_t* data = nullptr;     ///< of the byte at `base`
  std::uint8_t* written = nullptr;  ///< flags as `data`; nullptr: not tracked
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  bool interleaved = false;  ///< local memory: [offset / 4][lane][offset % 4]

  std::uint64_t index(std::uint64_t address, unsigned lane) const {
    const std::uint64_t offset = address - base;
    return interleaved ? (offset >> 2) * kRowBytes + lane * 4 + (offset & 3U) : offset;
  }
};

inline Window sharedWindow(const Warp& warp) {
  return {warp.cta->shared.get(), warp.cta->sharedWritten.get(), 0, warp.machine->sharedBytes,
          false};
}
inline Window windowOf(const Allocation& allocation) {
  return {allocation.data.get(), allocation.written.get(), allocation.base, allocation.bytes,
          false};
}
/// The allocation that this PC used last; empty when there is none.
inline Window hintedWindow(const Warp& warp, const Instruction& instruction) {
  const Machine& machine = *warp.machine;
  const Allocation* hint =
      machine.hints[static_cast<std::size_t>(&instruction - machine.code->instructions.data())];
  return hint != nullptr ? windowOf(*hint) : Window{};
}
Window localWindow(const Warp& warp);

/// Generic addresses in out.address: sets out.space to that of the first lane and makes them
/// addresses of it. Returns the lanes that are in it, which are out.active too; for the others the
/// warp executes the instruction once more, next: one access a space, as in hardware.
LaneMask resolveGeneric(Warp& warp, const Instruction& instruction, LaneMask mask,
                        WarpInstruction& out);

/// The window of one lane's access; throws InputError when it is out of bounds or misaligned.
Window laneWindow(const Warp& warp, const Instruction& instruction, unsigned lane,
                  const WarpInstruction& out);

/// Copies of `bytes` between a lane's memory and a buffer. writeLane marks the bytes as written.
void readLane(const Window& window, std::uint64_t address, unsigned lane, unsigned bytes,
              std::uint8_t* to);
void writeLane(const Window& window, std::uint64_t address, unsigned lane, unsigned bytes,
               const std::uint8_t* from);
/// Reads `bytes` at a generic address; false where they do not lie in the memory of the lane.
bool readGeneric(const Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes,
                 std::uint8_t* to);
/// At a generic address a string up to its NUL, or `most` characters of it; nothing when it runs
/// out of the memory of the lane before.
std::optional<std::string> readString(const Warp& warp, unsigned lane, std::uint64_t address,
                                      std::size_t most = ~std::size_t{0});
/// Throws when one of the bytes was never written (and checkUninitialised is on).
void checkWritten(const Warp& warp, const Instruction& instruction, const Window& window,
                  std::uint64_t address, unsigned lane, unsigned bytes);

/// Loads and stores lane after lane: every space, every check. The fast paths of lane_memory.inl
/// leave to these whatever is not plain.
void loadByLane(Warp& warp, const Instruction& instruction, LaneMask mask);
void storeByLane(Warp& warp, const Instruction& instruction, LaneMask mask);

/// Local memory: out.address becomes what the timing model sees (address_space.h).
void exposeLocalAddresses(const Warp& warp, WarpInstruction& out);

}  // namespace fermata::ptx
