// bra brx ret exit trap brkpt nanosleep pmevent bar barrier griddepcontrol, and what has no effect:
// setmaxnreg. Registers are allocated for a launch.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fermata/models/vocabulary/barrier_unit.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>
#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {

enum class BarrierResult : std::uint8_t { Count, And, Or };

namespace {

/// Returns the lanes outside `mask` that have something left to do, except those of other splits.
LaneMask elsewhere(const Warp& warp, LaneMask mask) {
  LaneMask waiting = warp.alive & ~warp.active & ~lanesOfOtherSplits(warp, kAllLanes);
  LaneMask found = warp.active & ~mask;
  for (auto path = warp.paths.rbegin(); path != warp.paths.rend(); ++path) {
    const LaneMask here = path->mask & waiting;
    if (here != 0 && !leadsToExit(*warp.machine->code, path->pc)) found |= here;
    waiting &= ~here;
  }
  return found;
}

/// Throws InputError unless all lanes of the warp that have not exited are at the barrier. Makes
/// the split wait if the missing lanes are in other splits.
void gatherAtBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  if (mask == warp.alive) return;
  LaneMask others = elsewhere(warp, mask);
  if (others == 0) {
    others = lanesOfOtherSplits(warp, kAllLanes);
    if (others == 0 || waitsForOthers(warp, i)) return;
  }
  failAt(warp, i, firstLane(others),
         "barrier divergence: lanes {:#x} of the warp are at the barrier, lanes {:#x} have not "
         "exited and are elsewhere",
         mask, others);
}

void executeTrap(Warp& warp, const Instruction& i, LaneMask mask) {
  failAt(warp, i, firstLane(mask), "the kernel executed a trap");
}

void executeBarrierResult(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t number = rowOf<std::uint32_t>(warp, i.a)[firstLane(mask)];
  const std::uint64_t mine = warp.reductionsDone[number % kBarriers];
  const BarrierReduction::Generation& generation =
      warp.cta->reductions[number % kBarriers].generations[mine % 2];
  if (i.barrier.result == BarrierResult::Count) {
    for (const unsigned lane : lanesIn(mask))
      rowOf<std::uint32_t>(warp, i.d)[lane] = generation.count;
    return;
  }
  const bool holds = i.barrier.result == BarrierResult::And ? generation.count == generation.threads
                                                            : generation.count != 0;
  writePredicate(warp, i.pd, holds ? kAllLanes : 0, mask);
}

/// Returns the statement of targets that the label operand names.
const Statement& targetsOf(Decoding& d, const Operand& label, std::string_view directive) {
  const Function& function = *d.frame().function;
  const std::size_t at =
      label.kind == Operand::Kind::Label ? function.labels[label.index].statement : ~std::size_t{0};
  if (at >= function.statements.size() || function.statements[at].opcode != directive)
    d.fail(label.at, "expected a label of {}", directive);
  return function.statements[at];
}

Row barrierNumber(Decoding& d, std::size_t k) {
  const Operand& operand = d.operand(k);
  if (operand.kind == Operand::Kind::Integer) d.immediate(operand, 15, "the barrier");
  return d.source(operand, Type::U32);
}

Row barrierThreads(Decoding& d, std::size_t k) {
  const Operand& operand = d.operand(k);
  if (operand.kind == Operand::Kind::Integer &&
      (d.immediate(operand, 1024, "the number of threads") % kWarpLanes != 0 ||
       operand.integer == 0)) {
    d.fail(operand.at, "a barrier of {} threads; expected a multiple of 32", operand.integer);
  }
  return d.source(operand, Type::U32);
}

// Decodes bar.red as two instructions: the arrival, then (when the barrier has opened) the result.
void decodeBarrierReduction(Decoding& d) {
  const auto result = d.takeEnum<BarrierResult>({"popc", "and", "or"});
  const std::optional<Type> type = d.tryType();
  d.finishModifiers();
  const Type wanted = result == BarrierResult::Count ? Type::U32 : Type::Pred;
  if (!result || type != wanted) d.unsupported();
  d.expectOperands(3, 4);
  d.i.handler = &executeBarrierReduction;
  d.i.barrier.waits = true;
  d.i.a = barrierNumber(d, 1);
  d.i.b = d.operandCount() == 4 ? barrierThreads(d, 2) : d.builder().constant(0, false);
  d.i.p = d.predicate(d.operand(d.operandCount() - 1));
  d.emit(InstructionClass::Barrier);
  d.i.handler = &executeBarrierResult;
  d.i.barrier.result = *result;
  d.i.a = barrierNumber(d, 1);
  d.takeRows({wanted});
  d.emit(InstructionClass::Integer);
}

void decodeClusterBarrier(Decoding& d) {
  d.take("aligned");
  const bool waits = d.take("wait");
  if (!waits && !d.take("arrive")) d.unsupported("expected .arrive or .wait");
  const bool relaxed = !waits && d.take("relaxed");
  d.take(waits ? "acquire" : "release");
  d.finishModifiers();
  d.expectOperands(0);
  d.i.handler = &executeClusterBarrier;
  d.i.offset = waits ? kClusterWait : relaxed ? kClusterArriveRelaxed : kClusterArrive;
  d.emit(InstructionClass::Barrier);
}

}  // namespace

void executeNothing(Warp&, const Instruction&, LaneMask) {}
void executeSleep(Warp&, const Instruction&, LaneMask) {}
/// Executes again while launches before are not over.
void executeGridWait(Warp& warp, const Instruction&, LaneMask) {
  if (warp.machine->awaitsGrids) --warp.pc;
}
void executeLaunchDependents(Warp& warp, const Instruction&, LaneMask) {
  signal(*warp.machine, *warp.cta);
}
/** One word that all fences of a crew change: each is ordered after the one before. A fence of the
 * host would do as well, but ThreadSanitizer does not see it. */
void executeFence(Warp& warp, const Instruction&, LaneMask) {
  static std::atomic<unsigned> order{0};
  if (warp.machine->crew != nullptr) order.fetch_add(1, std::memory_order_seq_cst);
}

void executeBranch(Warp& warp, const Instruction& i, LaneMask mask) {
  const LaneMask others = warp.active & ~mask;
  const std::uint32_t next = warp.pc;  // the fall-through: execute() has advanced it
  if (others == 0 || i.branch.target == next) {
    warp.pc = i.branch.target;
    return;
  }
  const std::uint32_t join =
      i.branch.reconverge == kNoReconvergence ? warp.reconverge : i.branch.reconverge;
  Path first = pathAt(warp, i.branch.target, join, mask);
  Path second = pathAt(warp, next, join, others);
  if (i.branch.fallThroughFirst) std::swap(first, second);
  if (join != warp.reconverge)
    warp.paths.push_back(pathAt(warp, join, warp.reconverge, warp.active));
  if (second.pc != join) warp.paths.push_back(second);
  if (first.pc == join) return reconverge(warp);
  warp.pc = first.pc;
  warp.reconverge = join;
  warp.active = first.mask;
}

void executeWaitingBranch(Warp& warp, const Instruction& i, LaneMask mask) {
  executeBranch(warp, i, mask);
  if (warp.pc == warp.reconverge) reconverge(warp);
  turnLoop(warp, i.branch.onlyWaits);
}

void executeIndexedBranch(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::vector<std::uint32_t>& targets = warp.machine->code->branchTargets[i.branch.target];
  const std::uint32_t* index = rowOf<std::uint32_t>(warp, i.a);
  const std::uint32_t join =
      i.branch.reconverge == kNoReconvergence ? warp.reconverge : i.branch.reconverge;
  if (join != warp.reconverge)
    warp.paths.push_back(pathAt(warp, join, warp.reconverge, warp.active));
  // The path pushed last goes first: the lanes with the first lane's target.
  if (const LaneMask others = warp.active & ~mask; others != 0 && warp.pc != join)
    warp.paths.push_back(pathAt(warp, warp.pc, join, others));
  std::array<Path, kWarpLanes> sides;
  std::size_t count = 0;
  for (LaneMask rest = mask; rest != 0;) {
    const unsigned lane = firstLane(rest);
    if (index[lane] >= targets.size()) {
      failAt(warp, i, lane, "a branch to target {}; expected 0 to {}", index[lane],
             targets.size() - 1);
    }
    const LaneMask side = lanesWhere(rest, [&](unsigned other) {
      return index[other] < targets.size() && targets[index[other]] == targets[index[lane]];
    });
    rest &= ~side;
    sides[count++] = pathAt(warp, targets[index[lane]], join, side);
  }
  if (i.branch.fallThroughFirst) {
    const std::vector<bool>& late = warp.machine->code->leadsToBarrier;
    std::stable_partition(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(count),
                          [&](const Path& side) { return !late[side.pc]; });
  }
  while (count-- > 0) warp.paths.push_back(sides[count]);
  reconverge(warp);
}

void executeExit(Warp& warp, const Instruction&, LaneMask mask) {
  exitLanes(warp, mask);
}

void executeBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  const unsigned lane = firstLane(mask);
  const std::uint32_t number = rowOf<std::uint32_t>(warp, i.a)[lane];
  const std::uint32_t threads = rowOf<std::uint32_t>(warp, i.b)[lane];
  if (number >= kBarriers) {
    failAt(warp, i, lane, "barrier {}; expected 0 to 15", number);
  }
  if (threads % kWarpLanes != 0 || threads > 1024) {
    failAt(warp, i, lane, "barrier of {} threads; expected a multiple of 32 up to 1024", threads);
  }
  out.barrier = static_cast<std::uint16_t>(number);
  out.barrierThreads = threads;
  out.barrierWaits = i.barrier.waits;
  gatherAtBarrier(warp, i, mask);
}

void executeGroupBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  out.barrier = BarrierUnit::kGroupBarrier;
  out.barrierThreads = BarrierUnit::kGroupThreads;
  out.barrierWaits = true;
  gatherAtBarrier(warp, i, mask);
}

void executeClusterBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  out.barrier = static_cast<std::uint16_t>(i.offset);
  out.barrierThreads = 0;
  out.barrierWaits = out.barrier == kClusterWait;
  gatherAtBarrier(warp, i, mask);
  if (out.active == 0) return;
  if (warp.atCluster != out.barrierWaits) {
    failAt(warp, i, firstLane(mask),
           out.barrierWaits ? "a wait at the cluster's barrier without an arrival before it"
                            : "a second arrival at the cluster's barrier; expected a wait before");
  }
  warp.atCluster = !out.barrierWaits;
}

void executeBarrierReduction(Warp& warp, const Instruction& i, LaneMask mask) {
  executeBarrier(warp, i, mask);
  if (warp.machine->out->active == 0) return;
  const std::uint16_t number = warp.machine->out->barrier;
  const std::uint64_t mine = ++warp.reductionsDone[number];
  BarrierReduction::Generation& generation = warp.cta->reductions[number].generations[mine % 2];
  if (generation.number != mine) generation = {mine, 0, 0};
  generation.count += static_cast<unsigned>(__builtin_popcount(predicateValue(warp, i.p) & mask));
  generation.threads += static_cast<unsigned>(__builtin_popcount(mask));
}

void decodeBranch(Decoding& d) {
  d.take("uni");
  d.finishModifiers();
  d.expectOperands(1);
  const Operand& label = d.operand(0);
  if (label.kind != Operand::Kind::Label) d.fail(label.at, "expected a label");
  d.i.handler = &executeBranch;
  const std::uint32_t pc = d.emit(InstructionClass::Branch);
  d.frame().branches.emplace_back(pc, label.index);
}

void decodeIndexedBranch(Decoding& d) {
  d.take("uni");
  if (!d.take("idx")) d.unsupported("expected .idx");
  d.finishModifiers();
  d.expectOperands(2);
  const Statement& targets = targetsOf(d, d.operand(1), ".branchtargets");
  KernelCode& code = d.builder().code();
  d.i.handler = &executeIndexedBranch;
  d.i.a = d.source(0, Type::U32);
  d.i.branch.target = static_cast<std::uint32_t>(code.branchTargets.size());
  std::vector<std::uint32_t> labels;
  for (const Operand& target : targets.operands) {
    if (target.kind != Operand::Kind::Label) d.fail(target.at, "expected a label");
    labels.push_back(target.index);
  }
  // body() replaces the labels by PCs.
  code.branchTargets.push_back(std::move(labels));
  d.frame().tables.push_back(d.i.branch.target);
  d.emit(InstructionClass::Branch);
}

void decodeReturn(Decoding& d) {
  d.take("uni");
  d.finishModifiers();
  d.expectOperands(0);
  if (d.frame().isEntry || d.mnemonic() == "exit")
    return d.finish(&executeExit, {}, InstructionClass::Exit);
  d.i.handler = &executeBranch;
  d.frame().returns.push_back(d.emit(InstructionClass::Branch));
}

void decodeTrap(Decoding& d) {
  d.finish(d.mnemonic() == "trap" ? &executeTrap : &executeNothing, {});
}

void decodeSleep(Decoding& d) {
  d.takeType();
  d.finishModifiers();
  d.expectOperands(1);
  d.i.a = d.source(0, Type::U32);
  d.i.observes = true;
  d.suspends = true;
  d.i.handler = &executeSleep;
  d.emit(InstructionClass::Integer);
}

void decodeEvent(Decoding& d) {
  const std::uint64_t most = d.take("mask") ? 0xffff : 15;
  d.finishModifiers();
  d.expectOperands(1);
  d.immediate(d.operand(0), most, "the event");
  emitNothing(d);
}

void decodeBarrier(Decoding& d) {
  if (d.take("warp")) {
    if (!d.take("sync")) d.unsupported();
    d.finishModifiers();
    d.expectOperands(1);
    d.i.handler = &executeWarpSync;
    d.i.a = d.source(0, Type::B32);
    d.emit(InstructionClass::Integer);
    return;
  }
  if (d.take("cluster")) return decodeClusterBarrier(d);
  d.take("cta");
  d.take("aligned");
  const std::string_view what = d.takeOneOf({"sync", "arrive", "red"});
  if (what.empty()) d.unsupported("expected .sync, .arrive or .red");
  if (what == "red") return decodeBarrierReduction(d);
  d.finishModifiers();
  d.expectOperands(what == "arrive" ? 2 : 1, 2);
  d.i.handler = &executeBarrier;
  d.i.barrier.waits = what == "sync";
  d.i.a = barrierNumber(d, 0);
  d.i.b = d.operandCount() == 2 ? barrierThreads(d, 1) : d.builder().constant(0, false);
  d.emit(InstructionClass::Barrier);
}

void emitNothing(Decoding& d) {
  d.i.handler = &executeNothing;
  d.emit(InstructionClass::Integer);
}

void decodeDependentGrids(Decoding& d) {
  const std::string_view what = d.takeOneOf({"launch_dependents", "wait"});
  if (what.empty()) d.unsupported();
  d.suspends = what == "wait";
  d.finish(d.suspends ? &executeGridWait : &executeLaunchDependents, {});
}

void decodeRegisterCount(Decoding& d) {
  if (d.takeOneOf({"inc", "dec"}).empty() || !d.take("sync") || !d.take("aligned") ||
      d.takeType() != Type::U32)
    d.unsupported();
  d.finishModifiers();
  d.expectOperands(1);
  const std::uint64_t count = d.immediate(d.operand(0), 256, "the number of registers");
  if (count < 24 || count % 8 != 0)
    d.fail(d.operand(0).at, "expected a multiple of 8 from 24 to 256");
  emitNothing(d);
}

}  // namespace fermata::ptx
