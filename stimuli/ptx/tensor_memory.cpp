// tcgen05.alloc dealloc relinquish_alloc_permit, and who owns which columns of tensor memory.
#include <fermata/stimuli/ptx/tensor_memory.h>

#include <algorithm>
#include <cstring>

#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/tensor_decoding.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kNone = TensorMemory::kUnits;

/// Returns the columns that nobody else may take now, as TensorMemory::owned.
std::uint16_t usedColumns(const Warp& warp) {
  const TensorMemory& own = tensorMemoryOf(warp);
  const TensorColumns* const all = warp.machine->tensorColumns.get();
  return all == nullptr ? own.owned : all->used[own.multiprocessor];
}

std::uint16_t unitsFrom(unsigned first, unsigned count) {
  return static_cast<std::uint16_t>(((1U << count) - 1) << first);
}

/// Returns the first of `count` free units, at a multiple of their number; kNone: there is none.
unsigned freeUnits(const Warp& warp, unsigned count) {
  const unsigned used = usedColumns(warp);
  for (unsigned first = 0; first < TensorMemory::kUnits; first += count) {
    if ((used & unitsFrom(first, count)) == 0) return first;
  }
  return kNone;
}

/// Makes the units the CTA's, or free.
void setOwner(const Warp& warp, std::uint16_t units, bool owned) {
  TensorMemory& memory = tensorMemoryOf(warp);
  const auto set = [&](std::uint16_t& bits) {
    bits = static_cast<std::uint16_t>(owned ? bits | units : bits & ~units);
  };
  set(memory.owned);
  if (warp.machine->tensorColumns != nullptr)
    set(warp.machine->tensorColumns->used[memory.multiprocessor]);
}

/// Returns the columns that an instruction names, a power of two from 32 to 512.
unsigned columnsOf(const Warp& warp, const Instruction& i, Row row) {
  const std::uint32_t columns = rowOf<std::uint32_t>(warp, row)[0];
  const bool power = (columns & (columns - 1)) == 0;
  if (!power || columns < TensorMemory::kUnit || columns > TensorMemory::kColumns)
    failAt(warp, i, 0, "{} columns of tensor memory; expected 32, 64, 128, 256 or 512", columns);
  return columns;
}

/// Rows: a columns, d the address of the first.
void executeAllocate(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const unsigned columns = columnsOf(warp, i, i.a);
  if (!tensorMemoryOf(warp).mayAllocate)
    failAt(warp, i, 0,
           "an allocation behind tcgen05.relinquish_alloc_permit of the CTA; expected none");
  if (!hasTensorColumns(warp, columns)) return executeAgain(warp, i, mask);
  std::uint32_t* const address = rowOf<std::uint32_t>(warp, i.d);
  std::fill_n(address, kWarpLanes, takeTensorColumns(warp, columns));
}

/// Stores the address that an allocation has given. Rows: a address in shared memory, b value.
void executeStoreAddress(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  mask = laneAddresses(warp, i, mask, out);
  if (out.space != MemorySpace::Shared)
    failAt(warp, i, firstLane(mask), "an address outside of shared memory; expected one in it");
  out.hasData = warp.machine->options.carryData;
  for (const unsigned lane : lanesIn(mask)) {
    const auto* from =
        reinterpret_cast<const std::uint8_t*>(rowOf<std::uint32_t>(warp, i.b) + lane);
    writeLane(laneWindow(warp, i, lane, out), out.address[lane], lane, 4, from);
    if (out.hasData) std::memcpy(out.data[lane].data(), from, 4);
  }
}

/// Rows: a address, b columns.
void executeFree(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const unsigned columns = columnsOf(warp, i, i.b);
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.a)[0]);
  tensorColumns(warp, i, 0, place.column, columns);
  if (place.lane != 0 || place.column % TensorMemory::kUnit != 0)
    failAt(warp, i, 0, "address {:#x} of tensor memory; expected one that tcgen05.alloc has given",
           rowOf<std::uint32_t>(warp, i.a)[0]);
  giveTensorColumns(warp, place.column, columns);
}

void executeRelinquish(Warp& warp, const Instruction& i, LaneMask mask) {
  if (isWholeWarp(warp, i, mask)) tensorMemoryOf(warp).mayAllocate = false;
}

}  // namespace

TensorMemory& tensorMemoryOf(const Warp& warp) {
  Machine& machine = *warp.machine;
  std::shared_ptr<TensorMemory>& memory = warp.cta->tensorMemory;
  if (memory != nullptr) return *memory;
  memory = std::make_shared<TensorMemory>();
  // Where it is not known which CTAs share an SM, none do.
  if (machine.time == nullptr || machine.slotsOfMultiprocessor == 0) return *memory;
  if (machine.tensorColumns == nullptr) machine.tensorColumns = std::make_shared<TensorColumns>();
  memory->multiprocessor = warp.cta->firstSlot / machine.slotsOfMultiprocessor;
  std::vector<std::uint16_t>& used = machine.tensorColumns->used;
  if (used.size() <= memory->multiprocessor) used.resize(memory->multiprocessor + 1);
  return *memory;
}

bool hasTensorColumns(const Warp& warp, unsigned columns) {
  return freeUnits(warp, columns / TensorMemory::kUnit) != kNone;
}

unsigned takeTensorColumns(const Warp& warp, unsigned columns) {
  const unsigned count = columns / TensorMemory::kUnit, first = freeUnits(warp, count);
  setOwner(warp, unitsFrom(first, count), true);
  return first * TensorMemory::kUnit;
}

void giveTensorColumns(const Warp& warp, unsigned first, unsigned columns) {
  setOwner(warp, unitsFrom(first / TensorMemory::kUnit, columns / TensorMemory::kUnit), false);
}

void beginTensorMemory(Machine& machine, std::size_t slots) {
  machine.tensorColumns.reset();
  machine.slotsOfMultiprocessor = slots <= kMaxWarpSlots ? static_cast<unsigned>(slots) : 0;
}

void endTensorMemory(const Machine& machine, Cta& cta) {
  if (cta.tensorMemory == nullptr) return;
  if (machine.tensorColumns != nullptr) {
    std::uint16_t& used = machine.tensorColumns->used[cta.tensorMemory->multiprocessor];
    used = static_cast<std::uint16_t>(used & ~cta.tensorMemory->owned);
  }
  cta.tensorMemory.reset();
}

TensorMemory& tensorColumns(const Warp& warp, const Instruction& i, std::int64_t lane,
                            unsigned first, unsigned count) {
  TensorMemory& memory = tensorMemoryOf(warp);
  for (unsigned column = first; column < first + count; ++column) {
    const bool exists = column < TensorMemory::kColumns;
    if (exists && (memory.owned >> column / TensorMemory::kUnit & 1U) != 0) continue;
    failAtAddress(warp, i, lane, FaultKind::Address, column,
                  "column {} of tensor memory is {}; expected one that tcgen05.alloc has given",
                  column, exists ? "not the CTA's" : "beyond the last, 511");
  }
  return memory;
}

bool lacksTensorColumns(const Warp& warp, const Instruction& i) {
  if (i.handler != &executeAllocate) return false;
  const std::uint32_t columns = rowOf<std::uint32_t>(warp, i.a)[0];
  return columns >= TensorMemory::kUnit && columns <= TensorMemory::kColumns &&
         tensorMemoryOf(warp).mayAllocate && !hasTensorColumns(warp, columns);
}

// Two instructions: one takes the columns, the other stores their address.
void decodeTensorAllocate(Decoding& d) {
  takeCtaGroup(d);
  takeAligned(d);
  const bool shared = d.take("shared::cta");
  if (d.takeType() != Type::B32) d.unsupported("expected .b32");
  d.finishModifiers();
  d.expectOperands(2);
  const RegisterPlace address = d.builder().temporary(false, d.statement().at);
  d.i.handler = &executeAllocate;
  d.i.a = d.source(1, Type::U32);
  d.i.d = address.row;
  d.writes(address.id);
  d.suspends = true;
  emitTensorAccess(d, 1);
  d.address(d.addressOperand(0), shared ? MemorySpace::Shared : MemorySpace::Generic);
  d.i.handler = &executeStoreAddress;
  d.i.b = address.row;
  d.reads(address.id);
  d.i.operation = MemoryOperation::Store;
  d.i.bytesPerLane = 4;
  d.emit(InstructionClass::Memory);
}

void decodeTensorFree(Decoding& d) {
  takeCtaGroup(d);
  takeAligned(d);
  if (d.takeType() != Type::B32) d.unsupported("expected .b32");
  d.finishModifiers();
  d.expectOperands(2);
  d.i.handler = &executeFree;
  d.i.a = d.source(0, Type::U32);
  d.i.b = d.source(1, Type::U32);
  emitTensorAccess(d, 1);
}

void decodeTensorRelinquish(Decoding& d) {
  takeCtaGroup(d);
  takeAligned(d);
  d.finishModifiers();
  d.expectOperands(0);
  d.i.handler = &executeRelinquish;
  emitTensorAccess(d, 1);
}

}  // namespace fermata::ptx
