#include <fermata/stimuli/ptx/short_branches.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/liveness.h>
#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

// Limits of instructions: short_branches.h has their source.
constexpr unsigned kMost = 8, kMostWithLoad = 20, kMostFirst = 7, kMostSecond = 10;

/// Branches that become predicates at once: none is within another one's sides.
class ShortBranches {
 public:
  explicit ShortBranches(const KernelCode& code)
      : code_(code),
        folding_(foldOperands(code)),
        blocks_(basicBlocks(code, {0, code.entryEnd})),
        dropped_(code.instructions.size(), false),
        writers_(code.slots.size(), 0),
        readers_(code.slots.size()) {
    for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
      const StaticInstruction& one = code.statics[pc];
      for (unsigned k = 0; k < one.writeCount; ++k) ++writers_[one.writes[k]];
      for (unsigned k = 0; k < one.readCount; ++k) readers_[one.reads[k]].include(pc);
    }
    for (const auto& [pc, ids] : code.accumulators) {
      for (const RegisterId id : ids) writers_[id] += 2;
    }
  }

  /// Returns whether there is one.
  bool find() {
    std::uint32_t block = 0;
    while (block < blocks_.exit()) block = find(block);
    return !found_.empty();
  }
  /// Makes those that find() has found guards. `code`: that of the constructor.
  void apply(KernelCode& code) {
    for (const auto& [branch, side] : found_) guard(code, side, branch);
    drop(code);
  }

 private:
  struct Side {
    std::uint32_t block = kNoBlock;
    bool taken = false;  ///< its lanes are those that take the branch
  };

  std::uint32_t lastOf(std::uint32_t block) const { return blocks_.first[block + 1] - 1; }
  bool isGuarded(std::uint32_t pc) const {
    return code_.instructions[pc].guard.number != kTruePredicate;
  }
  bool isJump(std::uint32_t pc) const {
    return code_.instructions[pc].handler == &executeBranch && !isGuarded(pc);
  }
  std::uint32_t targetOf(std::uint32_t pc) const {
    return blocks_.ofPc[code_.instructions[pc].branch.target];
  }
  bool hasOneWay(std::uint32_t block, std::uint32_t from, std::uint32_t to) const {
    return block < blocks_.exit() && blocks_.before[block].size() == 1 &&
           blocks_.before[block].front() == from && blocks_.next[block].size() == 1 &&
           blocks_.next[block].front() == to;
  }

  /// Notes the branch at the end of a block, if it is short. Returns the block to go on with.
  std::uint32_t find(std::uint32_t block) {
    const std::uint32_t next = block + 1, branch = lastOf(block);
    const Instruction& i = code_.instructions[branch];
    if (i.handler != &executeBranch || !isGuarded(branch) || next >= blocks_.exit()) return next;
    const std::uint32_t target = targetOf(branch);
    if (hasOneWay(next, block, target) && isJump(lastOf(next)) &&
        lastOf(next) == blocks_.first[next])
      return next;  // nothing but a jump to where the branch goes
    const bool jumps = lastOf(next) == blocks_.first[next] && isJump(lastOf(next)) &&
                       blocks_.before[next].size() == 1;
    if (jumps) return findPair(block, target, targetOf(lastOf(next)));
    if (hasOneWay(next, block, target)) return findOne(branch, {next, false}, kNoBlock);
    const std::uint32_t meet =
        blocks_.next[next].size() == 1 ? blocks_.next[next].front() : kNoBlock;
    const bool two = target == next + 1 && meet != kNoBlock && hasOneWay(next, block, meet) &&
                     hasOneWay(target, block, meet) && isJump(lastOf(next));
    return two ? findTwo(branch, next) : next;
  }

  /// A branch and a jump behind it, of which one leads to the block that follows.
  std::uint32_t findPair(std::uint32_t block, std::uint32_t target, std::uint32_t other) {
    const std::uint32_t jump = block + 1, side = block + 2, branch = lastOf(block);
    if (side == other && hasOneWay(side, jump, target)) return findOne(branch, {side, false}, jump);
    if (side == target && hasOneWay(side, block, other)) return findOne(branch, {side, true}, jump);
    return jump;
  }

  std::uint32_t findOne(std::uint32_t branch, const Side& side, std::uint32_t jump) {
    const std::uint32_t after = side.block + 1;
    const std::uint32_t meet = blocks_.next[side.block].front();
    const unsigned count = countOf(side, branch);
    if (count > (loadsFarIn(side.block) ? kMostWithLoad : kMost)) return after;
    found_.emplace_back(branch, side);
    dropped_[branch] = true;
    if (jump != kNoBlock) dropped_[blocks_.first[jump]] = true;
    if (meet == after && isJump(lastOf(side.block))) dropped_[lastOf(side.block)] = true;
    return after;
  }

  std::uint32_t findTwo(std::uint32_t branch, std::uint32_t first) {
    const Side sides[] = {{first, false}, {first + 1, true}};
    const std::uint32_t after = first + 2;
    if (countOf(sides[0], branch) > kMostFirst || countOf(sides[1], branch) > kMostSecond)
      return first;
    for (const Side& side : sides) found_.emplace_back(branch, side);
    dropped_[branch] = dropped_[lastOf(first)] = true;
    if (blocks_.next[first].front() == after && isJump(lastOf(first + 1)))
      dropped_[lastOf(first + 1)] = true;
    return after;
  }

  std::uint32_t endOf(std::uint32_t block) const {
    return isJump(lastOf(block)) ? lastOf(block) : lastOf(block) + 1;
  }
  RegisterId predicateOf(std::uint32_t branch) const {
    const StaticInstruction& one = code_.statics[branch];
    return one.reads[one.readCount - 1];
  }

  /// Returns the instructions of a side as ptxas counts them, in outline: a pair of 32 bits is one
  /// (add.s64), a sequence of four two (ex2.approx). More than any limit if one may have no guard.
  unsigned countOf(const Side& side, std::uint32_t branch) const {
    unsigned count = 0;
    for (std::uint32_t pc = blocks_.first[side.block]; pc < endOf(side.block); ++pc) {
      if (!mayBeGuarded(pc, predicateOf(branch))) return ~0U;
      const Sequence& own = folding_.sequences[pc];
      const Sequence sequence = own.empty() ? sequenceOf(folding_.opcodes[pc]) : own;
      if (sequence.find('B') != Sequence::npos) return ~0U;
      if (!folding_.free[pc]) count += std::max<unsigned>(1, (sequence.size() + 1) / 2);
    }
    return count;
  }

  bool loadsFarIn(std::uint32_t block) const {
    for (std::uint32_t pc = blocks_.first[block]; pc < endOf(block); ++pc) {
      const StaticInstruction& one = code_.statics[pc];
      if (one.space == MemorySpace::Global && one.operation == MemoryOperation::Load) return true;
    }
    return false;
  }

  bool mayBeGuarded(std::uint32_t pc, RegisterId predicate) const {
    const StaticInstruction& one = code_.statics[pc];
    const InstructionClass kind = one.instructionClass;
    const std::string_view opcode = code_.texts[pc].opcode;
    const bool other = kind == InstructionClass::Branch || kind == InstructionClass::Barrier ||
                       kind == InstructionClass::Exit || kind == InstructionClass::Tensor;
    if (isGuarded(pc) || other || one.operation == MemoryOperation::Atomic) return false;
    if (one.copyStep != CopyStep::None || one.groupsLeft != StaticInstruction::kAnyGroups ||
        one.fence || one.suspends || one.streams || one.tensorWork != 0 || one.matrices != 0)
      return false;
    const std::string_view name = opcodeName(opcode);
    if (opcodeHas(opcode, "sync") || isAmong(name, {"shfl", "vote", "activemask"})) return false;
    if (name == "call" && code_.callsLibrary) return false;
    if (code_.instructions[pc].handler == &executeClock || one.readCount == one.reads.size())
      return false;
    return std::find(one.writes.begin(), one.writes.begin() + one.writeCount, predicate) ==
           one.writes.begin() + one.writeCount;
  }

  /// True for an instruction that does nothing but write its results, for any operands.
  bool isCalculation(std::uint32_t pc) const {
    const StaticInstruction& one = code_.statics[pc];
    if (one.space == MemorySpace::Parameter) return one.readCount == 0;  // at a fixed address
    if (one.space != MemorySpace::None) return false;
    return isAmong(opcodeName(code_.texts[pc].opcode),
                   {"mov",  "cvt", "cvta", "add", "sub", "mul",   "mad",   "fma",  "neg", "abs",
                    "and",  "or",  "xor",  "not", "shl", "shr",   "shf",   "lop3", "min", "max",
                    "setp", "set", "selp", "bfe", "bfi", "mul24", "mad24", "prmt", "sad"});
  }

  /// True for a calculation whose results the side alone reads.
  bool isLocal(std::uint32_t pc, std::uint32_t end) const {
    const StaticInstruction& one = code_.statics[pc];
    if (!isCalculation(pc) || one.writeCount == 0) return false;
    // The copy of a result is the result itself (foldOperands), so it has the guard.
    return std::all_of(one.writes.begin(), one.writes.begin() + one.writeCount, [&](RegisterId id) {
      const LiveSpan& readers = readers_[id];  // from the first to the last one
      return writers_[id] == 1 && readers.first > pc && readers.last > pc && readers.last < end &&
             opcodeName(code_.texts[readers.last].opcode) != "mov";
    });
  }

  void guard(KernelCode& code, const Side& side, std::uint32_t branch) const {
    PredicateOperand predicate = code.instructions[branch].guard;
    if (!side.taken) predicate.flip = ~predicate.flip;
    const std::uint32_t end = endOf(side.block);
    for (std::uint32_t pc = blocks_.first[side.block]; pc < end; ++pc) {
      if (isLocal(pc, end)) continue;
      code.instructions[pc].guard = predicate;
      StaticInstruction& one = code.statics[pc];
      one.reads[one.readCount++] = predicateOf(branch);
    }
  }

  void drop(KernelCode& code) const {
    std::vector<std::uint32_t> placeOf(dropped_.size() + 1);
    std::uint32_t place = 0;
    for (std::uint32_t pc = 0; pc < dropped_.size(); ++pc) {
      placeOf[pc] = place;
      if (!dropped_[pc]) ++place;
    }
    placeOf.back() = place;
    for (Instruction& i : code.instructions) {
      if (isBranch(i)) i.branch.target = placeOf[i.branch.target];
    }
    for (std::vector<std::uint32_t>& table : code.branchTargets) {
      for (std::uint32_t& target : table) target = placeOf[target];
    }
    const auto accumulators = std::move(code.accumulators);
    code.accumulators.clear();
    for (const auto& [pc, ids] : accumulators) code.accumulators[placeOf[pc]] = ids;
    erase(code.instructions);
    erase(code.statics);
    erase(code.texts);
    for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) code.statics[pc].pc = pc;
    code.entryEnd = placeOf[code.entryEnd];
  }
  template <class T>
  void erase(std::vector<T>& all) const {
    std::size_t kept = 0;
    for (std::size_t pc = 0; pc < all.size(); ++pc) {
      if (dropped_[pc]) continue;
      if (kept != pc) all[kept] = std::move(all[pc]);
      ++kept;
    }
    all.resize(kept);
  }

  const KernelCode& code_;
  Folding folding_;
  BasicBlocks blocks_;
  std::vector<std::pair<std::uint32_t, Side>> found_;  ///< branches, and what they guard
  std::vector<bool> dropped_;                          ///< by PC
  std::vector<unsigned> writers_;                      ///< instructions that write the register
  std::vector<LiveSpan> readers_;                      ///< by RegisterId
};

}  // namespace

bool hasShortBranches(const KernelCode& code) {
  return ShortBranches(code).find();
}

void predicateShortBranches(KernelCode& code) {
  // A side that has become part of a block may be part of another one. Instructions with guards end
  // that, so few turns find something.
  constexpr unsigned kDeepest = 4;
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
    ShortBranches branches(code);
    if (!branches.find()) return;
    branches.apply(code);
  }
}

}  // namespace fermata::ptx
