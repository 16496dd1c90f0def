// Turns the rows of a kernel's trace into those of the timing model.
#include <algorithm>

#include <fermata/stimuli/traces/sass/kernel_reader.h>

namespace fermata::sass {

namespace {

/// Bounds of addresses.
struct Bounds {
  std::uint64_t lowest = ~std::uint64_t{0};
  std::uint64_t highest = 0;
};

Bounds boundsOf(const RowAddresses& addresses) {
  Bounds bounds;
  if (addresses.run) {
    const unsigned span = addresses.lanes == 0
                              ? 0
                              : 31U - static_cast<unsigned>(__builtin_clz(addresses.lanes)) -
                                    static_cast<unsigned>(__builtin_ctz(addresses.lanes));
    const std::uint64_t last =
        addresses.base + static_cast<std::uint64_t>(addresses.stride * static_cast<int>(span));
    return {std::min(addresses.base, last), std::max(addresses.base, last)};
  }
  const unsigned count = addresses.count();
  for (unsigned k = 0; k < count; ++k) {
    bounds.lowest = std::min(bounds.lowest, addresses.each[k]);
    bounds.highest = std::max(bounds.highest, addresses.each[k]);
  }
  return bounds;
}

/// Returns all bits of the addresses that one of them has set.
std::uint64_t bitsOf(const RowAddresses& addresses) {
  if (addresses.run)
    return addresses.base |
           (addresses.count() > 1 ? static_cast<std::uint64_t>(addresses.stride) : 0);
  std::uint64_t bits = 0;
  const unsigned count = addresses.count();
  for (unsigned k = 0; k < count; ++k) bits |= addresses.each[k];
  return bits;
}

/// Subtracts `base` from each address.
void rebase(RowAddresses& addresses, std::uint64_t base) {
  addresses.base -= base;
  for (unsigned k = 0; !addresses.run && k < addresses.count(); ++k) addresses.each[k] -= base;
}

LaneMask lanesBelow(unsigned count) {
  return count >= kWarpLanes ? kAllLanes : (LaneMask{1} << count) - 1;
}

void addWord(std::string& words, std::string_view word) {
  const std::string bare(word.substr(0, word.find('.')));
  if ((' ' + words + ' ').find(' ' + bare + ' ') != std::string::npos) return;
  words += (words.empty() ? "" : " ") + bare;
}

}  // namespace

void KernelReader::write(OpenWarp& warp, ParsedRow& row) {
  const TracedInstruction& traced = parser_->instructions()[row.index];
  const StaticInstruction& one = traced.decoded.instruction;
  if (warp.halfCopy != nullptr &&
      (warp.halfCopy->index != row.index || warp.halfCopy->target.lanes != row.mask))
    writeHalf(warp);
  if (one.instructionClass != InstructionClass::Memory) {
    if (traced.decoded.unaddressed && row.mask != 0) countUnaddressed(traced);
    if (one.instructionClass == InstructionClass::Barrier)
      return writeBarrier(warp, row.index, row.mask);
    char* to = pieces_.rowBegins(warp);
    const bool masked = row.mask != kAllLanes;
    to = putValue(to, row.index | (masked ? kMasked : 0));
    if (masked) to = putValue(to, row.mask);
    return pieces_.rowEnds(warp, to);
  }
  if (one.copyStep == CopyStep::Begin) return writeCopy(warp, row.index, row.addresses);
  if (one.copyStep == CopyStep::Arrive) return writeArrival(warp, row.index, row.addresses);
  if (one.space == MemorySpace::Generic) return writeGeneric(warp, row.index, row.addresses);
  if (one.matrices != 0) row.addresses.keep(lanesBelow(8U * one.matrices));
  emit(warp, row.index, MemorySpace::None, row.addresses, one.space, nullptr);
}

void KernelReader::countUnaddressed(const TracedInstruction& instruction) {
  ++form_.tallies.unaddressed;
  addWord(form_.tallies.unaddressedOpcodes, instruction.opcode);
}

// Decides the space of each lane. Lanes in several spaces make a row each.
void KernelReader::writeGeneric(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses) {
  const KernelHeader& head = form_.header;
  const auto within = [](std::uint64_t address, std::uint64_t base) {
    return base != 0 && address - base < kWindowBytes;
  };
  const Bounds bounds = boundsOf(addresses);
  struct Window {
    MemorySpace space;
    std::uint64_t base;
  };
  for (const Window& window :
       {Window{MemorySpace::Shared, head.sharedBase}, Window{MemorySpace::Local, head.localBase}}) {
    if (addresses.lanes == 0 || !within(bounds.lowest, window.base) ||
        !within(bounds.highest, window.base))
      continue;
    rebase(addresses, window.base);
    return emit(warp, index, window.space, addresses, window.space, nullptr);
  }
  LaneMask shared = 0, local = 0;
  RowAddresses all = addresses;
  all.expand();
  unsigned k = 0;
  for (LaneMask left = all.lanes; left != 0; left &= left - 1, ++k) {
    const LaneMask bit = left & (~left + 1);
    if (within(all.each[k], head.sharedBase)) shared |= bit;
    if (within(all.each[k], head.localBase)) local |= bit;
  }
  const LaneMask global = all.lanes & ~shared & ~local;
  if ((shared | local) == 0)
    return emit(warp, index, MemorySpace::Global, addresses, MemorySpace::Global, nullptr);
  ++form_.tallies.split;
  struct Part {
    MemorySpace space;
    LaneMask lanes;
    std::uint64_t base;
  };
  for (const Part& part :
       {Part{MemorySpace::Shared, shared, head.sharedBase},
        Part{MemorySpace::Local, local, head.localBase}, Part{MemorySpace::Global, global, 0}}) {
    if (part.lanes == 0) continue;
    RowAddresses some = all;
    some.keep(part.lanes);
    rebase(some, part.base);
    emit(warp, index, part.space, some, part.space, nullptr);
  }
}

// Raw traces give a copy two rows, the shared address first; grouped ones keep the second alone.
void KernelReader::writeCopy(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses) {
  const std::uint64_t base = form_.header.sharedBase;
  const Bounds bounds = boundsOf(addresses);
  const bool windowed = base != 0 && bounds.lowest - base < kWindowBytes;
  const bool shared = addresses.lanes != 0 && (bounds.highest < kWindowBytes || windowed);
  if (shared && warp.halfCopy == nullptr) {
    if (windowed) rebase(addresses, base);
    warp.halfCopy = std::make_unique<OpenWarp::HalfCopy>();
    warp.halfCopy->index = index;
    warp.halfCopy->target = addresses;
    return;
  }
  const std::unique_ptr<OpenWarp::HalfCopy> half = std::move(warp.halfCopy);
  if (half == nullptr && addresses.lanes != 0) ++form_.tallies.halfCopies;
  emit(warp, index, MemorySpace::None, addresses, MemorySpace::Global,
       half == nullptr ? nullptr : &half->target);
}

// Writes a copy whose global addresses never came: its lanes read nothing and store zeros.
void KernelReader::writeHalf(OpenWarp& warp) {
  if (warp.halfCopy == nullptr) return;
  const std::unique_ptr<OpenWarp::HalfCopy> half = std::move(warp.halfCopy);
  RowAddresses none;
  emit(warp, half->index, MemorySpace::None, none, MemorySpace::Global, &half->target);
}

// An arrival reads nothing; when the copies before it are stored, it changes the barrier's word.
void KernelReader::writeArrival(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses) {
  RowAddresses none;
  emit(warp, index, MemorySpace::None, none, MemorySpace::Global, &addresses);
}

void KernelReader::writeBarrier(OpenWarp& warp, std::uint32_t index, LaneMask mask) {
  const TracedInstruction& traced = parser_->instructions()[index];
  // BAR.SYNC 0x1, 0x80 has two immediates, and most traces give the last alone: a number above 15
  // is one of threads.
  const std::int64_t immediate = traced.immediate;
  const bool threadsGiven = immediate >= KernelForm::kBarriers && immediate % kWarpLanes == 0 &&
                            immediate <= std::int64_t{form_.header.warps()} * kWarpLanes;
  const auto number =
      static_cast<std::uint8_t>(threadsGiven                                         ? 1
                                : immediate > 0 && immediate < KernelForm::kBarriers ? immediate
                                                                                     : 0);
  const bool waits = traced.opcode.find(".ARV") == std::string::npos;
  const std::uint16_t threads = threadsGiven ? static_cast<std::uint16_t>(immediate) : 0;
  if (mask != 0) form_.barrierWarps[number] |= 1U << warp.warp;
  if (mask != 0 && !threadsGiven && number != 0) ++form_.tallies.unknownBarriers;
  char* to = pieces_.rowBegins(warp);
  const bool masked = mask != kAllLanes;
  to = putValue(to, index | kBarrier | (masked ? kMasked : 0));
  if (masked) to = putValue(to, mask);
  to = putValue(to, threads);
  to = putValue(to, number);
  to = putValue(to, static_cast<std::uint8_t>(waits));
  pieces_.rowEnds(warp, to);
}

// Writes an access. `generic`: its space if the instruction does not say it, else None. `target`:
// the store of a copy, or nullptr.
void KernelReader::emit(OpenWarp& warp, std::uint32_t index, MemorySpace generic,
                        RowAddresses& addresses, MemorySpace space, RowAddresses* target) {
  const unsigned bytes = parser_->instructions()[index].decoded.instruction.bytesPerLane;
  const std::uint32_t spaceCode = generic == MemorySpace::Shared   ? 1
                                  : generic == MemorySpace::Global ? 2
                                  : generic == MemorySpace::Local  ? 3
                                                                   : 0;
  std::uint32_t head = index | spaceCode << kSpaceBit | (target != nullptr ? kTarget : 0);
  char* const begin = pieces_.rowBegins(warp);
  char* to = emitAddresses(begin + sizeof head, head, addresses, bytes, space);
  putValue(begin, head);
  if (target != nullptr) {
    std::uint32_t second = 0;
    char* const at = to;
    to = emitAddresses(to + sizeof second, second, *target, bytes, MemorySpace::Shared);
    putValue(at, second);
  }
  pieces_.rowEnds(warp, to);
}

// True if the bits of a shared address above its window may hold the CTA's rank in its cluster.
bool KernelReader::hasClusters() const {
  return form_.header.architecture == 0 || form_.header.architecture >= 90;
}

// Writes mask and addresses behind `head`, whose bits it sets.
char* KernelReader::emitAddresses(char* to, std::uint32_t& head, RowAddresses& addresses,
                                  unsigned bytes, MemorySpace space) {
  if (addresses.lanes != kAllLanes) {
    head |= kMasked;
    to = putValue(to, addresses.lanes);
  }
  if (addresses.lanes == 0) return to;
  if ((bitsOf(addresses) & (bytes - 1)) != 0) {
    addresses.expand();
    if ((bitsOf(addresses) & (bytes - 1)) != 0) ++form_.tallies.misaligned;
    for (unsigned k = 0; k < addresses.count(); ++k)
      addresses.each[k] &= ~(std::uint64_t{bytes} - 1);
  }
  Bounds bounds = boundsOf(addresses);
  if (space == MemorySpace::Shared && bounds.highest >= kWindowBytes && hasClusters()) {
    addresses.expand();
    for (unsigned k = 0; k < addresses.count(); ++k) addresses.each[k] %= kWindowBytes;
    bounds = boundsOf(addresses);
  }
  note(bounds.lowest, bounds.highest, bytes, space);
  Shape shape = Shape::Run;
  if (addresses.run) {
    to = putValue(to, addresses.base);
    to = putValue(to, static_cast<std::int32_t>(addresses.stride));
  } else {
    to = putEach(to, addresses, bounds.lowest, bounds.highest, shape);
  }
  head |= static_cast<std::uint32_t>(shape) << kShapeBit;
  return to;
}

// Notes the bounds of accesses, and refuses one beyond shared memory.
void KernelReader::note(std::uint64_t lowest, std::uint64_t highest, unsigned bytes,
                        MemorySpace space) {
  if (space == MemorySpace::Local) {
    form_.localFirst = std::min(form_.localFirst, lowest);
    form_.localEnd = std::max(form_.localEnd, highest + bytes);
  }
  if (space != MemorySpace::Shared) return;
  if (highest >= sharedLimit_ || sharedLimit_ - highest < bytes)
    lines_.fail(nullptr,
                "shared address {:#x} with {} bytes; expected it within the {} bytes of a CTA "
                "(shmem of the header, or --trace-shared BYTES)",
                highest, bytes, sharedLimit_);
  form_.sharedEnd = std::max(form_.sharedEnd, highest + bytes);
}

}  // namespace fermata::sass
