// Decodes bra brx ret exit trap brkpt nanosleep pmevent bar barrier vote shfl activemask match
// redux elect.
#include <optional>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

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

}  // namespace

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
  d.source(0, Type::U32);
  d.i.observes = true;
  emitNothing(d);
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

void decodeElect(Decoding& d) {
  if (!d.take("sync")) d.unsupported("expected .sync");
  d.finishModifiers();
  d.expectOperands(2);
  if (d.operand(0).kind != Operand::Kind::Pair)
    d.fail(d.operand(0).at, "expected a lane and a predicate such as %r1|%p1");
  d.i.handler = &executeElect;
  d.takeRows({Type::B32, Type::B32}, true);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
