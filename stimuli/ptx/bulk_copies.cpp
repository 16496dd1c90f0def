#include <fermata/stimuli/ptx/bulk_copies.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kChunk = TensorBox::kChunk;

/// Returns the memory of a chunk's bytes in the tensor. Throws InputError if there is none.
Window globalPart(const Warp& warp, const Instruction& i, const TensorBox::Chunk& chunk) {
  const std::uint64_t address = chunk.address + chunk.first;
  const unsigned bytes = chunk.end - chunk.first;
  const Allocation* part = warp.machine->memory->find(address, bytes);
  if (part == nullptr) {
    failAtAddress(warp, i, -1, FaultKind::Address, address,
                  "a copy of {} bytes at address {:#x} of global memory is out of bounds; {}",
                  bytes, address, warp.machine->memory->describe(address));
  }
  return windowOf(*part);
}

/// Returns the memory of a chunk's bytes, kept in `last` for further chunks of it.
const Window& globalPart(const Warp& warp, const Instruction& i, const TensorBox::Chunk& chunk,
                         Window& last) {
  const std::uint64_t first = chunk.address + chunk.first - last.base;
  if (first > last.bytes || chunk.end - chunk.first > last.bytes - first)
    last = globalPart(warp, i, chunk);
  return last;
}

void checkShared(const Warp& warp, const Instruction& i, std::uint32_t address) {
  sharedWindowAt(warp, i, -1, address);
  if (address % kChunk == 0 && offsetIn(address) + kChunk <= warp.machine->sharedBytes) return;
  failAtAddress(
      warp, i, -1, address % kChunk != 0 ? FaultKind::Misaligned : FaultKind::Address, address,
      "a copy of 16 bytes at address {:#x} of shared memory is {}; the CTA has {} bytes", address,
      address % kChunk != 0 ? "misaligned" : "out of bounds", warp.machine->sharedBytes);
}

void flip(std::uint8_t* data) {
  std::swap_ranges(data, data + kChunk / 2, data + kChunk / 2);
}

/// Rounds the floats in bytes [first, end).
void roundFloats(std::uint8_t* data, unsigned first, unsigned end) {
  for (unsigned byte = first; byte < end; byte += 4) {
    std::uint32_t word;
    std::memcpy(&word, data + byte, 4);
    word = tf32Rounded(word);
    std::memcpy(data + byte, &word, 4);
  }
}

void fill(const BulkShape& shape, std::uint8_t* data) {
  for (unsigned byte = 0; byte < kChunk && shape.elementBytes <= 8; byte += shape.elementBytes)
    std::memcpy(data + byte, &shape.fill, shape.elementBytes);
}

/// Fills a chunk of shared memory with its bytes of the tensor, and the rest. `last`: the window of
/// the chunk before.
void readChunk(const Warp& warp, const Instruction& i, const BulkShape& shape,
               const BulkChunk& chunk, std::uint8_t* data, Window& last) {
  const TensorBox::Chunk& global = chunk.global;
  if (global.end - global.first != kChunk) fill(shape, data);
  if (global.end > global.first) {
    const Window& window = globalPart(warp, i, global, last);
    const std::uint64_t address = global.address + global.first;
    const unsigned bytes = global.end - global.first;
    checkWritten(warp, i, window, address, 0, bytes);
    readSeen(warp, MemorySpace::Global, window, address, 0, bytes, data + global.first);
  }
  if (shape.rounds) roundFloats(data, global.first, global.end);
  if (chunk.flipped) flip(data);
}

std::uint64_t groupOf(const Warp& warp, const Instruction& i) {
  return i.copyStep == CopyStep::BulkOut ? warp.copies.groups : PendingCopy::kNoGroup;
}

/// Combines an element with its operand while other threads may change it, too.
template <class Word>
void combineAtOnce(StoreLog::Update combine, std::uint8_t* at, const std::uint8_t* operands) {
  auto* const word = reinterpret_cast<Word*>(at);
  Word before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;
  do {
    after = before;
    combine(reinterpret_cast<std::uint8_t*>(&after), operands);
  } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
}

void combineElement(const Warp& warp, const PendingCopy& copy, std::uint8_t* at,
                    const std::uint8_t* operands) {
  if (warp.machine->crew == nullptr) return copy.combine(at, operands);
  if (copy.elementBytes == 2) return combineAtOnce<std::uint16_t>(copy.combine, at, operands);
  if (copy.elementBytes == 4) return combineAtOnce<std::uint32_t>(copy.combine, at, operands);
  combineAtOnce<std::uint64_t>(copy.combine, at, operands);
}

/// Stores or combines one lane's bytes.
void landLane(const Warp& warp, const PendingCopy& copy, unsigned lane) {
  const Instruction& i = *copy.instruction;
  const unsigned first = copy.first[lane], end = copy.end[lane];
  const Window window = globalPart(warp, i, {copy.to[lane], first, end});
  const std::uint64_t address = copy.to[lane] + first;
  if (copy.combine == nullptr)
    return writeLane(window, address, 0, end - first, copy.data[lane].data() + first);
  std::uint8_t operands[2 * kChunk] = {};
  for (unsigned byte = first; byte < end; byte += copy.elementBytes) {
    std::memcpy(operands, copy.data[lane].data() + byte, copy.elementBytes);
    combineElement(warp, copy, window.data + window.index(copy.to[lane] + byte, 0), operands);
  }
}

/// Combines one lane's chunk with what shared memory holds.
void combineShared(const Warp& warp, const PendingCopy& copy, unsigned lane) {
  const std::uint64_t address = copy.to[lane];
  const Window window = sharedWindowAt(warp, *copy.instruction, lane, address);
  std::array<std::uint8_t, kChunk> sums;
  readLane(window, address, lane, kChunk, sums.data());
  std::uint8_t operands[2 * kChunk] = {};
  for (unsigned byte = 0; byte < kChunk; byte += copy.elementBytes) {
    std::memcpy(operands, copy.data[lane].data() + byte, copy.elementBytes);
    copy.combine(sums.data() + byte, operands);
  }
  writeLane(window, address, lane, kChunk, sums.data());
}

/// Adds the elements at [byte, byte + bytes) of the lanes' chunks to the log, by allocation.
void logElements(const Warp& warp, const PendingCopy& copy, LaneMask lanes, unsigned byte,
                 unsigned bytes) {
  const ModelState* const time = warp.machine->model;
  std::array<std::uint64_t, kWarpLanes> address = copy.to;
  for (std::uint64_t& one : address) one += byte;
  while (lanes != 0) {
    const unsigned leader = firstLane(lanes);
    const Window window =
        globalPart(warp, *copy.instruction, {copy.to[leader], byte, byte + bytes});
    const LaneMask here = lanesWhere(lanes, [&](unsigned lane) {
      return address[lane] >= window.base && address[lane] + bytes <= window.base + window.bytes;
    });
    StoreLog::Bytes& to = warp.machine->log->add(
        time == nullptr ? 0 : time->cycles(), here, address, bytes,
        reinterpret_cast<std::uintptr_t>(window.data) - window.base, copy.combine);
    const unsigned stride = (copy.combine == nullptr ? 1 : 2) * bytes;
    for (const unsigned lane : lanesIn(here))
      std::memcpy(&to[std::size_t{lane} * stride], copy.data[lane].data() + byte, bytes);
    lanes &= ~here;
  }
}

void logPiece(const Warp& warp, const PendingCopy& copy) {
  if (isWhole(copy)) return logElements(warp, copy, copy.lanes, 0, kChunk);
  for (unsigned byte = 0; byte < kChunk; byte += copy.elementBytes) {
    const LaneMask lanes = lanesWhere(copy.lanes, [&](unsigned lane) {
      return byte >= copy.first[lane] && byte < copy.end[lane];
    });
    if (lanes != 0) logElements(warp, copy, lanes, byte, copy.elementBytes);
  }
}

}  // namespace

// The bytes of the lanes' last copies.
void executeCompletion(Warp& warp, const Instruction& i, LaneMask mask) {
  executeCopyArrival(warp, i, mask);
  PendingCopy& copy = warp.copies.pending.newest();
  copy.what = PendingCopy::What::Bytes;
  copy.group = PendingCopy::kNoGroup;
  copy.bytes = warp.copies.bulkBytes;
  copy.ctas = warp.copies.bulkCtas;
}

void beginIn(Warp& warp, const Instruction& i, LaneMask lanes, const BulkShape& shape,
             const std::array<BulkChunk, kWarpLanes>& chunks) {
  WarpInstruction& out = *warp.machine->out;
  PendingCopy& copy = beginCopy(warp, i, lanes, out);
  copy.group = groupOf(warp, i);
  out.space = MemorySpace::Global;
  out.active = 0;
  bool whole = !shape.rounds;
  Window last;
  for (const unsigned k : lanesIn(lanes)) {
    const BulkChunk& chunk = chunks[k];
    checkShared(warp, i, chunk.shared);
    copy.to[k] = chunk.shared;
    copy.ctas[k] = shape.ctas;
    out.address[k] = chunk.global.address & ~std::uint64_t{kChunk - 1};
    if (chunk.global.end > chunk.global.first) out.active |= LaneMask{1} << k;
    whole = whole && !chunk.flipped && chunk.global.address % kChunk == 0 &&
            chunk.global.end - chunk.global.first == kChunk;
    readChunk(warp, i, shape, chunk, copy.data[k].data(), last);
  }
  out.hasData = warp.machine->options.carryData && whole;
  if (out.hasData) out.data = copy.data;
}

void beginAcross(Warp& warp, const Instruction& i, LaneMask lanes, const BulkShape& shape,
                 const std::array<BulkChunk, kWarpLanes>& chunks) {
  WarpInstruction& out = *warp.machine->out;
  PendingCopy& copy = beginCopy(warp, i, lanes, out);
  copy.group = groupOf(warp, i);
  if (shape.combine != nullptr) copy.what = PendingCopy::What::Combine;
  copy.elementBytes = shape.elementBytes;
  copy.combine = shape.combine;
  out.space = MemorySpace::Shared;
  for (const unsigned k : lanesIn(lanes)) {
    const auto from = static_cast<std::uint32_t>(chunks[k].global.address);
    checkShared(warp, i, from);
    checkShared(warp, i, chunks[k].shared);
    const Window window = sharedWindowAt(warp, i, -1, from);
    checkWritten(warp, i, window, from, 0, kChunk);
    readLane(window, from, 0, kChunk, copy.data[k].data());
    copy.to[k] = chunks[k].shared;
    out.address[k] = from;
  }
  out.hasData = warp.machine->options.carryData;
  if (out.hasData) out.data = copy.data;
}

void beginOut(Warp& warp, const Instruction& i, LaneMask lanes, const BulkShape& shape,
              const std::array<BulkChunk, kWarpLanes>& chunks) {
  WarpInstruction& out = *warp.machine->out;
  const LaneMask inside =
      lanesWhere(lanes, [&](unsigned k) { return chunks[k].global.end > chunks[k].global.first; });
  out.active = inside;
  out.space = MemorySpace::Shared;
  if (inside == 0) return;
  PendingCopy& copy = beginCopy(warp, i, inside, out);
  copy.group = groupOf(warp, i);
  copy.what = shape.combine == nullptr ? PendingCopy::What::Out : PendingCopy::What::Combine;
  copy.toGlobal = true;
  copy.elementBytes = shape.elementBytes;
  copy.combine = shape.combine;
  Window last;
  for (const unsigned k : lanesIn(inside)) {
    const BulkChunk& chunk = chunks[k];
    checkShared(warp, i, chunk.shared);
    globalPart(warp, i, chunk.global, last);
    const Window window = sharedWindow(warp);
    checkWritten(warp, i, window, chunk.shared, 0, kChunk);
    readLane(window, chunk.shared, 0, kChunk, copy.data[k].data());
    if (warp.machine->options.carryData) out.data[k] = copy.data[k];
    if (chunk.flipped) flip(copy.data[k].data());
    copy.to[k] = chunk.global.address;
    copy.first[k] = static_cast<std::uint8_t>(chunk.global.first);
    copy.end[k] = static_cast<std::uint8_t>(chunk.global.end);
    out.address[k] = chunk.shared;
  }
  out.hasData = warp.machine->options.carryData;
}

bool isWhole(const PendingCopy& copy) {
  if (copy.what != PendingCopy::What::Out) return false;
  return lanesWhere(copy.lanes, [&](unsigned lane) {
           return copy.to[lane] % kChunk != 0 || copy.end[lane] - copy.first[lane] != kChunk;
         }) == 0;
}

std::uint16_t ctasOf(const Warp& warp, const Instruction& i, unsigned lane) {
  if (!i.bulk.multicasts) return 0;
  const std::uint32_t ctas = rowOf<std::uint32_t>(warp, i.vector[0])[lane] & 0xffffU;
  const unsigned all = warp.machine->clusterCtas;
  if (ctas == 0 || ctas >> all != 0)
    failAt(warp, i, lane,
           "a multicast to the CTAs of mask {:#x}; expected some of the {} of a cluster", ctas,
           all);
  return static_cast<std::uint16_t>(ctas);
}

void landBulk(Warp& warp, PendingCopy& copy) {
  if (!copy.toGlobal) {
    for (const unsigned lane : lanesIn(copy.lanes)) combineShared(warp, copy, lane);
    return;
  }
  if (warp.machine->log != nullptr) return logPiece(warp, copy);
  for (const unsigned lane : lanesIn(copy.lanes)) landLane(warp, copy, lane);
}

StoreLog::Update combinationOf(const Warp& warp, const Instruction& i, unsigned lane, Type type) {
  const auto op = static_cast<AtomicOp>(i.bulk.reduction - 1);
  const StoreLog::Update combine = combination(op, type);
  if (combine == nullptr)
    failAt(warp, i, lane,
           "a reduction of elements of type .{}; expected one that the operation has",
           nameOf(type));
  return combine;
}

}  // namespace fermata::ptx
