// tcgen05.alloc dealloc relinquish_alloc_permit, and who owns which columns of tensor memory.
#include <fermata/stimuli/ptx/tensor_memory.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/tensor_decoding.h>

namespace fermata::ptx {
namespace {

/// Returns the CTA's tensor memory, made at its first use.
TensorMemory& tensorMemoryOf(Machine& machine, Cta& cta) {
  std::shared_ptr<TensorMemory>& memory = cta.tensorMemory;
  if (memory != nullptr) return *memory;
  memory = std::make_shared<TensorMemory>();
  // Where it is not known which CTAs share an SM, none do.
  if (machine.model == nullptr || machine.slotsOfMultiprocessor == 0) return *memory;
  if (machine.tensorColumns == nullptr) machine.tensorColumns = std::make_shared<TensorColumns>();
  memory->multiprocessor =
      cta.firstSlot / machine.slotsOfMultiprocessor * kMostClusterCtas + cta.rank;
  std::vector<std::uint16_t>& used = machine.tensorColumns->used;
  if (used.size() <= memory->multiprocessor) used.resize(memory->multiprocessor + 1);
  return *memory;
}

TensorMemory& ownMemory(const Warp& warp) {
  return tensorMemoryOf(*warp.machine, *warp.cta);
}

/// Returns the columns that nobody else may take now, as TensorMemory::owned.
std::uint16_t usedColumns(Machine& machine, Cta& cta) {
  const TensorMemory& own = tensorMemoryOf(machine, cta);
  const TensorColumns* const all = machine.tensorColumns.get();
  return all == nullptr ? own.owned : all->used[own.multiprocessor];
}

/// Returns the first of `columns` columns that are free in all CTAs; kTensorColumns: there is none.
unsigned freeColumns(const Warp& warp, const TensorSides& sides, unsigned columns) {
  unsigned used = 0;
  for (unsigned s = 0; s < sides.count; ++s) used |= usedColumns(*warp.machine, *sides.ctas[s]);
  return freeTensorColumns(used, columns);
}

/// Makes the units the CTA's, or free.
void setOwner(Machine& machine, Cta& cta, std::uint16_t units, bool owned) {
  TensorMemory& memory = tensorMemoryOf(machine, cta);
  const auto set = [&](std::uint16_t& bits) {
    bits = static_cast<std::uint16_t>(owned ? bits | units : bits & ~units);
  };
  set(memory.owned);
  if (machine.tensorColumns != nullptr) set(machine.tensorColumns->used[memory.multiprocessor]);
}

/// Returns the columns that an instruction names, a power of two from 32 to 512.
unsigned columnsOf(const Warp& warp, const Instruction& i, Row row) {
  const std::uint32_t columns = rowOf<std::uint32_t>(warp, row)[0];
  const bool power = (columns & (columns - 1)) == 0;
  if (!power || columns < TensorMemory::kUnit || columns > TensorMemory::kColumns)
    failAt(warp, i, 0, "{} columns of tensor memory; expected 32, 64, 128, 256 or 512", columns);
  return columns;
}

/// Takes columns for the CTAs, of which the others still have to ask. Returns the first column, or
/// kTensorColumns.
unsigned takeColumns(const Warp& warp, const TensorSides& sides, unsigned columns) {
  std::vector<unsigned>& promised = ownMemory(warp).promised;
  if (!promised.empty()) {
    const unsigned first = promised.front();
    promised.erase(promised.begin());
    return first;
  }
  const unsigned first = freeColumns(warp, sides, columns);
  if (first == kTensorColumns) return first;
  for (unsigned s = 0; s < sides.count; ++s) {
    setOwner(*warp.machine, *sides.ctas[s], tensorUnits(first, columns), true);
    if (s != sides.own) tensorMemoryOf(*warp.machine, *sides.ctas[s]).promised.push_back(first);
  }
  return first;
}

/// Rows: a columns, d the address of the first. Of a pair, the CTA that comes first takes the
/// columns for both.
void executeAllocate(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const unsigned columns = columnsOf(warp, i, i.a);
  if (!ownMemory(warp).mayAllocate)
    failAt(warp, i, 0,
           "an allocation behind tcgen05.relinquish_alloc_permit of the CTA; expected none");
  const unsigned first = takeColumns(warp, tensorSides(warp, i, 0, i.tensor.pairs), columns);
  const bool found = first != kTensorColumns;
  setColumns(*warp.machine->out, {first, found ? columns : 0, i.tensor.pairs});
  if (!found) return executeAgain(warp, i, mask);
  std::fill_n(rowOf<std::uint32_t>(warp, i.d), kWarpLanes, first);
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
  setOwner(*warp.machine, *warp.cta, tensorUnits(place.column, columns), false);
  setColumns(*warp.machine->out, {place.column, columns});
}

void executeRelinquish(Warp& warp, const Instruction& i, LaneMask mask) {
  if (isWholeWarp(warp, i, mask)) ownMemory(warp).mayAllocate = false;
}

}  // namespace

TensorSides tensorSides(const Warp& warp, const Instruction& i, std::int64_t lane, bool pairs) {
  if (!pairs) return {{warp.cta, nullptr}, 1, 0};
  const unsigned ctas = warp.machine->clusterCtas, rank = warp.cta->rank;
  if (ctas % 2 != 0)
    failAt(warp, i, lane, "a pair of CTAs in a cluster of {}; expected an even number", ctas);
  if (windowOfRank(warp, addressIn(warp, 0, rank ^ 1U)).data == nullptr)
    failAt(warp, i, lane,
           "the other CTA of the pair, of rank {}, has exited; expected a barrier of the cluster "
           "before its end",
           rank ^ 1U);
  Cta* const other = const_cast<Cta*>(warp.cta->cluster->ctas[rank ^ 1U]);
  TensorSides sides{{warp.cta, other}, 2, rank % 2};
  if (rank % 2 != 0) std::swap(sides.ctas[0], sides.ctas[1]);
  return sides;
}

std::uint32_t sharedBaseOf(const Warp& warp, const Cta& cta) {
  return &cta == warp.cta ? 0 : static_cast<std::uint32_t>(addressIn(warp, 0, cta.rank));
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

TensorMemory& tensorColumns(const Warp& warp, Cta& cta, const Instruction& i, std::int64_t lane,
                            unsigned first, unsigned count) {
  TensorMemory& memory = tensorMemoryOf(*warp.machine, cta);
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
  const TensorMemory& own = ownMemory(warp);
  return columns >= TensorMemory::kUnit && columns <= TensorMemory::kColumns && own.mayAllocate &&
         own.promised.empty() &&
         freeColumns(warp, tensorSides(warp, i, 0, i.tensor.pairs), columns) == kTensorColumns;
}

// Two instructions: one takes the columns, the other stores their address.
void decodeTensorAllocate(Decoding& d) {
  d.i.tensor = {};
  d.i.tensor.pairs = takeCtaGroup(d);
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
  d.suspends = d.arrives = true;
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
  d.arrives = true;
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
