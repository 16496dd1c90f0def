// Places that the lanes of a memory instruction access: windows of memory, bounds, alignment,
// never-written bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// A stretch of memory that lanes access: base <= address < base + bytes.
struct Window {
  std::uint8_t* data = nullptr;     ///< bytes, from the one at `base`
  std::uint8_t* written = nullptr;  ///< one flag per byte; nullptr: not tracked
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
/// Returns the allocation that this PC used last, or an empty window.
inline Window hintedWindow(const Warp& warp, const Instruction& instruction) {
  const Machine& machine = *warp.machine;
  const Allocation* hint =
      machine.hints[static_cast<std::size_t>(&instruction - machine.code->instructions.data())];
  return hint != nullptr ? windowOf(*hint) : Window{};
}
Window localWindow(const Warp& warp);

/// Returns what cvta adds to an address of the space: the base of its window, or 0.
std::uint64_t windowBase(MemorySpace space);
/// Returns the space in which a generic address lies; Global for constant memory, too.
MemorySpace spaceOfGeneric(std::uint64_t address);
/// Resolves the generic addresses in out.address: sets out.space to the space of the first lane,
/// and makes all addresses relative to it. Returns the lanes in that space, and sets out.active to
/// them. For the other lanes the warp executes the instruction once more, next: one access per
/// space, as in hardware.
LaneMask resolveGeneric(Warp& warp, const Instruction& instruction, LaneMask mask,
                        WarpInstruction& out);

/// Fills out.address for an atomic or an mbarrier. Returns the lanes that act now: all, unless
/// generic addresses fall into several spaces.
LaneMask laneAddresses(Warp& warp, const Instruction& i, LaneMask mask, WarpInstruction& out);

/// Returns the window of one lane's access. Throws InputError if it is out of bounds or misaligned.
Window laneWindow(const Warp& warp, const Instruction& instruction, unsigned lane,
                  const WarpInstruction& out);

/// Returns the log that takes the stores to a space; null: memory takes them.
inline StoreLog* logOf(const Warp& warp, MemorySpace space) {
  return space == MemorySpace::Global ? warp.machine->log : nullptr;
}
/// Adds a store or an atomic of `lanes`, all in the window, to a log. The caller fills the bytes.
StoreLog::Bytes& addTo(StoreLog& log, const Warp& warp, const Window& window, LaneMask lanes,
                       const WarpInstruction& out, StoreLog::Update update = nullptr);
/// True if the log may hold bytes that the lanes load. `out.address` and `out.space` are set.
bool mayBeLogged(const Warp& warp, LaneMask lanes, unsigned bytes, const WarpInstruction& out);
/// Reads a lane's bytes as its multiprocessor sees them.
void readSeen(const Warp& warp, MemorySpace space, const Window& window, std::uint64_t address,
              unsigned lane, unsigned bytes, std::uint8_t* to);

/// Copy `bytes` bytes between a lane's memory and a buffer. writeLane marks the bytes as written.
void readLane(const Window& window, std::uint64_t address, unsigned lane, unsigned bytes,
              std::uint8_t* to);
void writeLane(const Window& window, std::uint64_t address, unsigned lane, unsigned bytes,
               const std::uint8_t* from);
/// Reads `bytes` bytes at a generic address. Returns false if they do not lie in the lane's memory.
bool readGeneric(const Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes,
                 std::uint8_t* to);
/// Writes `bytes` bytes likewise.
bool writeGeneric(const Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes,
                  const std::uint8_t* from);
/// Reads a string at a generic address up to its NUL, or its first `most` characters. Returns
/// nothing if it runs out of the lane's memory before.
std::optional<std::string> readString(const Warp& warp, unsigned lane, std::uint64_t address,
                                      std::size_t most = ~std::size_t{0});
/// Throws InputError if one of the bytes was never written and checkUninitialised is on.
void checkWritten(const Warp& warp, const Instruction& instruction, const Window& window,
                  std::uint64_t address, unsigned lane, unsigned bytes);

/// Copy a lane's bytes to or from the rows of vector[0..elements), as its fields say. loadElements
/// with nullptr loads zeros.
void loadElements(const Warp& warp, const Instruction& i, unsigned lane, const std::uint8_t* from);
void storeElements(const Warp& warp, const Instruction& i, unsigned lane, std::uint8_t* to);

/// Load and store lane after lane, in every space, with every check. The fast paths of
/// lane_memory.inl leave all but plain accesses to these.
void loadByLane(Warp& warp, const Instruction& instruction, LaneMask mask);
void storeByLane(Warp& warp, const Instruction& instruction, LaneMask mask);

/// Replaces out.address of a local access by the addresses that the timing model sees
/// (address_space.h).
void exposeLocalAddresses(const Warp& warp, WarpInstruction& out);

}  // namespace fermata::ptx
