// Decodes cp.async, copies of 4, 8 or 16 bytes per lane from global to shared memory with their
// groups, and cp.async.bulk, copies of blocks.
#include <algorithm>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

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

/// Decodes [to], [from], bytes, [mbarrier]{, policy} as the copy of the block, then its bytes at
/// the mbarrier.
void decodeBulk(Decoding& d) {
  if (d.takeOneOf({"shared::cluster", "shared::cta"}).empty() || !d.take("global") ||
      !d.take("mbarrier::complete_tx::bytes"))
    d.unsupported();
  const std::size_t policies = d.take("L2::cache_hint") ? 1 : 0;
  d.finishModifiers();
  d.expectOperands(4 + policies);
  takeEnds(d);
  d.i.bytesPerLane = WarpInstruction::kMaxBytesPerLane;
  d.i.c = d.source(2, Type::U32);
  if (policies != 0) d.source(4, Type::B64);
  d.i.copyStep = CopyStep::Begin;
  d.i.handler = &executeBulkCopy;
  d.emit(InstructionClass::Memory);
  d.i.c = d.source(2, Type::U32);
  d.i.handler = &executeBulkArrival;
  emitArrival(d, 3);
}

void commitGroup(Decoding& d) {
  d.i.copyStep = CopyStep::Commit;
  d.i.handler = &executeCommitGroup;
  d.emit(InstructionClass::Integer);
}

void waitGroup(Decoding& d, std::uint64_t left) {
  d.i.groupsLeft =
      static_cast<std::uint8_t>(std::min<std::uint64_t>(left, StaticInstruction::kAnyGroups - 1U));
  d.i.handler = &executeWaitGroup;
  d.emit(InstructionClass::Integer);
}

}  // namespace

void decodeCp(Decoding& d) {
  if (!d.take("async")) d.unsupported();
  if (d.take("mbarrier")) return decodeCopyArrival(d);
  if (d.take("bulk")) return decodeBulk(d);
  const bool waits = d.take("wait_group"), waitsAll = d.take("wait_all");
  if (waits || waitsAll || d.take("commit_group")) {
    d.finishModifiers();
    d.expectOperands(waits ? 1 : 0);
    if (waits) return waitGroup(d, d.immediate(d.operand(0), 0x7fffffff, "the number of groups"));
    commitGroup(d);
    if (waitsAll) waitGroup(d, 0);  // a commit, then a wait for all groups (PTX ISA)
    return;
  }
  const std::string_view level = d.takeOneOf({"ca", "cg"});
  if (level.empty()) d.unsupported();
  decodeCopy(d, level == "ca");
}

}  // namespace fermata::ptx
