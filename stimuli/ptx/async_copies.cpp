// cp.async, copies of 4, 8 or 16 bytes per lane from global to shared memory with their groups;
// arrivals at mbarriers behind them. Blocks stand in bulk_copies.cpp.
#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/bulk_copies.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/mbarrier.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

/// Calls store(address) for each place to which a lane's copy goes.
template <class Store>
void eachTarget(const Warp& warp, const PendingCopy& copy, unsigned lane, Store store) {
  if (copy.ctas[lane] == 0) return store(copy.to[lane]);
  for (const unsigned rank : lanesIn(copy.ctas[lane])) store(addressIn(warp, copy.to[lane], rank));
}

/// Counts a lane's arrival or bytes at an mbarrier, and leaves its new word in copy.data.
void arriveAt(const Warp& warp, PendingCopy& copy, unsigned lane, std::uint64_t address) {
  const Instruction& i = *copy.instruction;
  const Window window = sharedWindowAt(warp, i, lane, address);
  std::uint64_t word = 0;
  readLane(window, address, lane, 8, reinterpret_cast<std::uint8_t*>(&word));
  MBarrier barrier(word);
  if (!barrier.valid() ||
      !(copy.what == PendingCopy::What::Arrival ? barrier.arrive(1, false)
                                                : barrier.complete(copy.bytes[lane])))
    failAt(warp, i, lane, "copies arrive at an mbarrier that expects no more");
  word = barrier.word();
  std::memcpy(copy.data[lane].data(), &word, 8);
  writeLane(window, address, lane, 8, copy.data[lane].data());
}

void arriveBehind(const Warp& warp, PendingCopy& copy) {
  for (const unsigned lane : lanesIn(copy.lanes)) {
    eachTarget(warp, copy, lane,
               [&](std::uint64_t address) { arriveAt(warp, copy, lane, address); });
  }
}

/// Performs the copy or arrival.
void land(Warp& warp, PendingCopy& copy) {
  if (copy.what == PendingCopy::What::Arrival || copy.what == PendingCopy::What::Bytes)
    return arriveBehind(warp, copy);
  if (copy.what != PendingCopy::What::Data) return landBulk(warp, copy);
  const unsigned bytes = copy.instruction->bytesPerLane;
  for (const unsigned lane : lanesIn(copy.lanes)) {
    eachTarget(warp, copy, lane, [&](std::uint64_t address) {
      writeLane(sharedWindowAt(warp, *copy.instruction, lane, address), address, lane, bytes,
                copy.data[lane].data());
    });
  }
}

/// Sets out.address to the lanes' addresses base + offset in `space`.
void expose(const Warp& warp, WarpInstruction& out, MemorySpace space, Row base, bool wide,
            std::uint64_t offset) {
  out.space = space;
  const std::uint64_t width = space == MemorySpace::Shared ? 0xffffffffU : ~std::uint64_t{0};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    out.address[lane] = (laneValue(warp, base, wide, lane) + offset) & width;
}

void takeTargets(const Warp& warp, const Instruction& i, LaneMask mask, WarpInstruction& out,
                 PendingCopy& copy) {
  expose(warp, out, MemorySpace::Shared, i.b, i.wideData, i.copy.sharedOffset);
  for (const unsigned lane : lanesIn(mask)) {
    laneWindow(warp, i, lane, out);
    copy.to[lane] = out.address[lane];
  }
}

/// Finds the mbarrier of tcgen05.commit. A generic address may be a plain one in the CTA's shared
/// memory, too: the machine looks at the lower bits alone, and libraries rely on it
/// (ThunderKittens). A plain one lies below the shared window, so that its distance from the window
/// wraps around.
void takeProductTargets(const Warp& warp, const Instruction& i, LaneMask mask, WarpInstruction& out,
                        PendingCopy& copy) {
  const std::uint32_t generic = i.tensor.sharedOffset - static_cast<std::uint32_t>(i.offset);
  expose(warp, out, MemorySpace::Shared, i.b, i.wideData, i.tensor.sharedOffset);
  for (const unsigned lane : lanesIn(mask)) {
    const auto address = static_cast<std::uint32_t>(out.address[lane]);
    if (generic != 0 && address >= generic) out.address[lane] = address - generic;
    laneWindow(warp, i, lane, out);
    copy.to[lane] = out.address[lane];
  }
}

/// Returns how many bytes a lane reads.
unsigned readBytes(const Warp& warp, const Instruction& i, unsigned lane, LaneMask ignored) {
  if ((ignored >> lane & 1U) != 0) return 0;
  if (!i.copy.limited) return i.bytesPerLane;
  const std::uint32_t bytes = rowOf<std::uint32_t>(warp, i.c)[lane];
  if (bytes > i.bytesPerLane) {
    failAt(warp, i, lane, "a copy that reads {} bytes; expected at most its size, {}", bytes,
           i.bytesPerLane);
  }
  return bytes;
}

/// Reads the `bytes` bytes of a lane's source. The address must be aligned to the copy's full size;
/// only the bytes read must exist.
void readSource(const Warp& warp, const Instruction& i, unsigned lane, unsigned bytes,
                const WarpInstruction& out, std::uint8_t* data) {
  const std::uint64_t address = out.address[lane];
  const Allocation* part = warp.machine->memory->find(address, bytes);
  if (bytes == i.bytesPerLane || part == nullptr || address % i.bytesPerLane != 0) {
    const Window window = laneWindow(warp, i, lane, out);
    checkWritten(warp, i, window, address, lane, bytes);
    return readSeen(warp, MemorySpace::Global, window, address, lane, bytes, data);
  }
  checkWritten(warp, i, windowOf(*part), address, lane, bytes);
  readSeen(warp, MemorySpace::Global, windowOf(*part), address, lane, bytes, data);
}

/// Describes the store of the copy, without its data.
void exposeStore(const Machine& machine, const PendingCopy& copy, WarpInstruction& out) {
  out.pc = static_cast<std::uint32_t>(copy.instruction - machine.code->instructions.data());
  if (machine.lowered != nullptr) out.pc = machine.lowered->computing(out.pc);
  out.active = copy.lanes;
  out.space = copy.toGlobal ? MemorySpace::Global : MemorySpace::Shared;
  out.operation = MemoryOperation::Store;
  out.bytesPerLane = copy.instruction->bytesPerLane;
  out.hasData = false;
  out.address = copy.to;
  for (const unsigned lane : lanesIn(copy.lanes)) {
    if (copy.ctas[lane] != 0 && machine.clusterCtas > 1)
      out.address[lane] = multicastAddress(offsetIn(copy.to[lane]), copy.ctas[lane]);
  }
  if (!copy.toGlobal) return;
  const std::uint64_t within = ~std::uint64_t{out.bytesPerLane - 1U};
  for (std::uint64_t& address : out.address) address &= within;
}

void executeCopy(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  PendingCopy& copy = beginCopy(warp, i, mask, out);
  takeTargets(warp, i, mask, out, copy);
  expose(warp, out, MemorySpace::Global, i.a, i.wideBase, static_cast<std::uint64_t>(i.offset));
  const LaneMask ignored = predicateValue(warp, i.p);
  bool whole = true;
  out.active = 0;
  for (const unsigned lane : lanesIn(mask)) {
    const unsigned bytes = readBytes(warp, i, lane, ignored);
    whole = whole && (bytes == 0 || bytes == i.bytesPerLane);
    if (bytes == 0) continue;
    readSource(warp, i, lane, bytes, out, copy.data[lane].data());
    out.active |= LaneMask{1} << lane;
  }
  out.hasData = warp.machine->options.carryData && whole;
  if (out.hasData) out.data = copy.data;
}

void executeCommitGroup(Warp& warp, const Instruction&, LaneMask) {
  ++warp.copies.groups;
}

/// Stores the copies for which `due` holds, oldest first.
template <class Due>
void landAll(Warp& warp, Due due) {
  warp.copies.pending.take(due, [&](PendingCopy& copy) { land(warp, copy); });
}

// With time, the copies have been stored already.
void executeWaitGroup(Warp& warp, const Instruction& i, LaneMask) {
  WarpCopies& copies = warp.copies;
  const std::uint64_t wanted = copies.groups - std::min<std::uint64_t>(copies.groups, i.groupsLeft);
  landAll(warp, [&](const PendingCopy& copy) { return copy.group < wanted; });
}

/// True if an arrival comes behind the copy, an earlier one of its warp: a count of bytes behind
/// the engine's copies, any other behind all others. The work of a tensor unit, behind which
/// arrivals of tcgen05.commit come, is no copy that is stored.
bool comesBehind(const PendingCopy& arrival, const PendingCopy& copy) {
  const CopyStep its = copy.instruction->copyStep;
  if (arrival.instruction->copyStep == CopyStep::Complete)
    return its == CopyStep::Bulk && arrival.what == PendingCopy::What::Bytes;
  return its != CopyStep::Bulk && its != CopyStep::BulkOut && its != CopyStep::Complete;
}

/// Takes the operand behind the size: the bytes to read, or a predicate of the lanes that read
/// none.
void takeSource(Decoding& d, const Operand& operand) {
  if (d.registerType(operand) == Type::Pred) {
    d.i.p = d.predicate(operand);
    return;
  }
  if (operand.kind == Operand::Kind::Integer)
    d.immediate(operand, d.i.bytesPerLane, "the bytes that are read");
  d.i.c = d.source(operand, Type::U32);
  d.i.copy.limited = true;
}

/// Takes both addresses. The shared one goes to b, target and wideData; the global one stays in a,
/// offset and wideBase.
void takeEnds(Decoding& d) {
  d.address(d.addressOperand(0), MemorySpace::Shared);
  d.i.b = d.i.a;
  d.i.copy.sharedOffset = static_cast<std::uint32_t>(d.i.offset);
  d.i.wideData = d.i.wideBase;
  d.address(d.addressOperand(1), MemorySpace::Global);
}

void decodeCopy(Decoding& d, bool all) {
  if (d.takeOneOf({"shared", "shared::cta"}).empty() || !d.take("global"))
    d.unsupported("expected .shared.global");
  d.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  const std::size_t policies = d.take("L2::cache_hint") ? 1 : 0;
  d.finishModifiers();
  d.expectOperands(3 + policies, 4 + policies);
  const std::uint64_t bytes = d.immediate(d.operand(2), 16, "the size");
  if (bytes != 16 && (!all || (bytes != 4 && bytes != 8)))
    d.fail(d.operand(2).at, all ? "expected a size of 4, 8 or 16" : "expected a size of 16");
  takeEnds(d);
  d.i.bytesPerLane = static_cast<std::uint8_t>(bytes);
  d.i.p = {kTruePredicate, kAllLanes};
  if (d.operandCount() == 4 + policies) takeSource(d, d.operand(3));
  if (policies != 0) d.source(d.operandCount() - 1, Type::B64);
  d.i.copyStep = CopyStep::Begin;
  d.i.handler = &executeCopy;
  d.emit(InstructionClass::Memory);
}

/// Lets lanes arrive behind the warp's earlier copies. Reads nothing.
template <class Take>
void arrive(Warp& warp, const Instruction& i, LaneMask mask, Take takeMBarriers) {
  WarpInstruction& out = *warp.machine->out;
  PendingCopy& copy = beginCopy(warp, i, mask, out);
  copy.what = PendingCopy::What::Arrival;
  takeMBarriers(warp, i, mask, out, copy);
  out.active = 0;
}

void commitGroup(Decoding& d) {
  d.i.copyStep = CopyStep::Commit;
  d.i.handler = &executeCommitGroup;
  d.emit(InstructionClass::Integer);
}

/// `reads`: the wait ends when the copies have read their sources. They read when they begin, so it
/// is for the owner of the time alone.
void waitGroup(Decoding& d, std::uint64_t left, bool reads = false) {
  if (reads) d.i.copyStep = CopyStep::AwaitRead;
  d.i.groupsLeft =
      static_cast<std::uint8_t>(std::min<std::uint64_t>(left, StaticInstruction::kAnyGroups - 1U));
  d.i.handler = reads ? &executeNothing : &executeWaitGroup;
  d.emit(InstructionClass::Integer);
}

}  // namespace

void executeCopyArrival(Warp& warp, const Instruction& i, LaneMask mask) {
  arrive(warp, i, mask, takeTargets);
}

void executeProductArrival(Warp& warp, const Instruction& i, LaneMask mask) {
  arrive(warp, i, mask, takeProductTargets);
}

PendingCopy& beginCopy(Warp& warp, const Instruction& i, LaneMask lanes, WarpInstruction& out) {
  WarpCopies& copies = warp.copies;
  PendingCopy& copy = copies.pending.add();
  copy.number = out.copy = copies.begun++;
  copy.group = copies.groups;
  copy.instruction = &i;
  copy.lanes = lanes;
  return copy;
}

void landOut(Warp& warp) {
  landAll(warp, [](const PendingCopy& copy) { return copy.toGlobal; });
}

void Executor::copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const {
  const PendingCopy* const found = state_->warps[slot].copies.pending.numbered(copy);
  out.active = 0;
  if (found != nullptr) exposeStore(*state_->warps[slot].machine, *found, out);
}

// An arrival follows all earlier copies, so without time it stores them first.
void Executor::storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) {
  Warp& warp = state_->warps[slot];
  PendingCopies& pending = warp.copies.pending;
  PendingCopy* const found = pending.numbered(copy);
  out.active = 0;
  if (found == nullptr) return;  // the warp's wait has stored it already
  const CopyStep step = found->instruction->copyStep;
  if (step == CopyStep::Arrive || step == CopyStep::Complete)
    landAll(warp,
            [&](const PendingCopy& one) { return one.number < copy && comesBehind(*found, one); });
  land(warp, *found);
  exposeStore(*warp.machine, *found, out);
  const bool whole = found->what == PendingCopy::What::Data || isWhole(*found);
  out.hasData = warp.machine->options.carryData && whole;
  if (out.hasData) out.data = found->data;
  pending.take([copy](const PendingCopy& one) { return one.number == copy; }, [](PendingCopy&) {});
}

std::uint64_t Executor::copyGroups(unsigned slot) const {
  return state_->warps[slot].copies.groups;
}

void decodeCp(Decoding& d) {
  if (d.take("reduce")) {
    if (!d.take("async") || !d.take("bulk")) d.unsupported();
    return decodeBulkReduction(d);
  }
  if (!d.take("async")) d.unsupported();
  if (d.take("mbarrier")) return decodeCopyArrival(d);
  const bool bulk = d.take("bulk");
  const bool waits = d.take("wait_group"), waitsAll = d.take("wait_all");
  if (waits || waitsAll || d.take("commit_group")) {
    const bool reads = bulk && waits && d.take("read");
    d.finishModifiers();
    d.expectOperands(waits ? 1 : 0);
    if (waits)
      return waitGroup(d, d.immediate(d.operand(0), 0x7fffffff, "the number of groups"), reads);
    commitGroup(d);
    if (waitsAll) waitGroup(d, 0);  // a commit, then a wait for all groups (PTX ISA)
    return;
  }
  if (bulk) return decodeBulkCopy(d);
  const std::string_view level = d.takeOneOf({"ca", "cg"});
  if (level.empty()) d.unsupported();
  decodeCopy(d, level == "ca");
}

}  // namespace fermata::ptx
