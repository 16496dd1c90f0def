// st.bulk: fills a block of shared memory with zeros. It is a store: the thread's later accesses
// see the zeros. The block is cut into accesses of up to 32 lanes of 8 bytes, and each takes an
// issue slot, the memory port and the banks (assumption: nobody documents the time it takes).
#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kStep = 8;                       // bytes of a lane
constexpr std::uint64_t kMostBytes = 16ULL << 20U;  // of a block (PTX ISA)

/// Returns the place of a lane's block in shared memory. Throws Fault if there is none.
std::uint64_t startOf(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t size) {
  std::uint64_t start =
      laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset);
  if (i.asked != MemorySpace::Shared) {
    if (spaceOfGeneric(start) != MemorySpace::Shared)
      failAtAddress(warp, i, lane, FaultKind::Address, start,
                    "a block at generic address {:#x}; expected one in shared memory", start);
    start -= windowBase(MemorySpace::Shared);
  } else {
    start &= 0xffffffffU;
  }
  const std::uint64_t bytes = warp.machine->sharedBytes;
  if (size > bytes || start > bytes - size)
    failAtAddress(warp, i, lane, FaultKind::Address, start,
                  "a block of {} bytes at address {:#x} of shared memory is out of bounds; the CTA "
                  "has {} bytes",
                  size, start, bytes);
  if (start % kStep != 0)
    failAtAddress(warp, i, lane, FaultKind::Misaligned, start,
                  "a block at address {:#x} is misaligned; expected a multiple of {}", start,
                  kStep);
  return start;
}

/// Stores the next piece of the first lane's block. The warp executes the instruction again until
/// all lanes' blocks are stored. c: size.
void executeBlockStore(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  const std::uint64_t size = laneValue(warp, i.c, i.wideData, lane);
  if (size % kStep != 0 || size > kMostBytes)
    failAt(warp, i, lane, "a block of {} bytes; expected a multiple of {} up to {}", size, kStep,
           kMostBytes);
  const std::uint64_t start = startOf(warp, i, lane, size);
  std::uint32_t& done = warp.copies.bulkDone;  // in steps
  const auto steps = static_cast<std::uint32_t>(size / kStep);
  const std::uint32_t count = std::min(steps - done, std::uint32_t{kWarpLanes});
  WarpInstruction& out = *warp.machine->out;
  out.space = MemorySpace::Shared;
  out.active = count == 0 ? 0 : kAllLanes >> (kWarpLanes - count);
  out.hasData = warp.machine->options.carryData;
  constexpr std::uint8_t kZeros[kStep] = {};
  for (unsigned k = 0; k < count; ++k) {
    out.address[k] = start + std::uint64_t{done + k} * kStep;
    writeLane(sharedWindow(warp), out.address[k], 0, kStep, kZeros);
    if (out.hasData) out.data[k].fill(0);
  }
  done += count;
  if (done == steps) {
    done = 0;
    mask &= mask - 1;
  }
  if (mask != 0) executeAgain(warp, i, mask);
}

}  // namespace

/// Decodes st.bulk{.weak}{.shared::cta} [address], size, 0.
void decodeBlockStore(Decoding& d) {
  d.take("bulk");
  d.take("weak");
  const bool named = d.take("shared::cta");
  d.finishModifiers();
  d.expectOperands(3);
  d.immediate(d.operand(2), 0, "the value of a block");
  d.address(d.addressOperand(0), named ? MemorySpace::Shared : MemorySpace::Generic);
  const std::optional<Type> held = d.registerType(d.operand(1));
  d.i.wideData = !held || bytesOf(*held) == 8;
  d.i.c = d.source(1, d.i.wideData ? Type::U64 : Type::U32);
  d.i.asked = named ? MemorySpace::Shared : MemorySpace::Generic;
  d.i.space = MemorySpace::Shared;
  d.i.operation = MemoryOperation::Store;
  d.i.bytesPerLane = kStep;
  d.i.handler = &executeBlockStore;
  d.emit(InstructionClass::Memory);
}

}  // namespace fermata::ptx
