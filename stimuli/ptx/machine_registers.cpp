#include <fermata/stimuli/ptx/machine_registers.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>

namespace fermata::ptx {
namespace {

/// R1, the stack pointer, and two more that ptxas 13.0 counts for every kernel: one that holds n
/// words around a barrier has n + 3 and more registers.
constexpr unsigned kReserved = 3;
/// Registers per thread are handed out in units of 8.
constexpr unsigned kUnit = 8;
/// With as many registers per thread 64 warps fit an SM of 65536 registers: fewer gain nothing.
constexpr unsigned kFree = 32;
/// Least registers of a kernel that calls a library function: those that the calling convention
/// leaves to the function.
constexpr unsigned kLeastWithCall = 24;
/// Instructions for which a register is kept behind its last reader, where registers are free.
/// Fitted to the entries of results/silicon/registers.csv: with 2, 3 and 4 the mean error is 12.4,
/// 12.6 and 13.3 %. 3 is best over the compute capabilities 7.5 to 12.0.
constexpr unsigned kKept = 3;

/// Makes sums take in products by constants in 64 bits (IMAD.WIDE), however many sums there are:
/// the product itself needs no register then.
Folding withWideProducts(const KernelCode& code, Folding folding) {
  std::vector<unsigned> writes(code.slots.size(), 0);
  std::vector<bool> sumsOnly(code.slots.size(), true);
  for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
    const StaticInstruction& one = code.statics[pc];
    const std::string_view opcode = code.texts[pc].opcode;
    const bool sum = opcodeName(opcode) == "add" && isWideInteger(opcode) && one.readCount <= 2;
    for (unsigned k = 0; k < one.writeCount; ++k) ++writes[one.writes[k]];
    for (unsigned k = 0; k < one.readCount && !sum; ++k) sumsOnly[one.reads[k]] = false;
  }
  for (std::uint32_t pc = 0; pc < code.entryEnd; ++pc) {
    const StaticInstruction& one = code.statics[pc];
    const std::string_view opcode = code.texts[pc].opcode;
    if (opcodeName(opcode) != "mul" || !opcodeHas(opcode, "wide") || one.readCount != 1) continue;
    const RegisterId to = one.writes[0], from = one.reads[0];
    const bool always = code.instructions[pc].guard.number == kTruePredicate;
    if (!always || writes[to] != 1 || writes[from] != 1 || !sumsOnly[to]) continue;
    folding.replaced[to] = true;
    folding.readsInstead[to] = {from};
  }
  return folding;
}

class RegisterEstimate {
 public:
  RegisterEstimate(const KernelCode& code, const Folding& folding)
      : code_(code), free_(folding.free) {
    const Folding wide = withWideProducts(code, folding);
    uses_.slots = code.slots;
    uses_.statics.reserve(code.statics.size());
    for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
      uses_.statics.push_back(machineOperands(code, wide, pc));
      StaticInstruction& one = uses_.statics.back();
      if (folding.free[pc]) one.readCount = one.writeCount = 0;
      if (one.unread) one.writeCount = 0;
      scratch_.push_back(one.space == MemorySpace::None ? scratchRegisters(code.texts[pc].opcode)
                                                        : constantAddress(pc, wide));
    }
    uses_.order.resize(code.statics.size());
    std::iota(uses_.order.begin(), uses_.order.end(), 0U);
    narrowAddresses(code, uses_);
    freeUniformRegisters(code, folding, uses_);
  }

  MachineRegisters run(const MachineParts& parts) {
    const LiveRegisters asPtx = liveInOrder();
    const std::optional<unsigned> budget = schedule(asPtx);
    const unsigned registers = kept(budget ? liveInOrder() : asPtx) + kReserved;
    const bool calls = code_.callsLibrary || !code_.called.empty();
    MachineRegisters made;
    made.count = std::max(registers + code_.calledRegisters, calls ? kLeastWithCall : 0);
    if (budget) {
      made.order = scheduledOrder(code_, parts, uses_, asPtx, *budget);
    } else {
      for (std::uint32_t pc = 0; pc < code_.entryEnd; ++pc) {
        const auto count = static_cast<std::uint32_t>(parts[pc].size());
        for (std::uint32_t part = 0; part < std::max(count, 1U); ++part)
          made.order.push_back({pc, part});
      }
    }
    return made;
  }

 private:
  /// Returns the words of an address in global memory that lies in the constant bank: the access
  /// needs it in registers.
  unsigned constantAddress(std::uint32_t pc, const Folding& folding) const {
    const StaticInstruction& one = code_.statics[pc];
    if (one.space != MemorySpace::Global && one.space != MemorySpace::Generic) return 0;
    if (one.readCount == 0 || !folding.replaced[one.reads[0]]) return 0;
    return constant(folding, one.reads[0], 0) ? code_.slots[one.reads[0]].words : 0;
  }
  static bool constant(const Folding& folding, RegisterId id, unsigned depth) {
    constexpr unsigned kDeepest = 16;
    if (!folding.replaced[id] || depth == kDeepest) return false;
    const auto& instead = folding.readsInstead[id];
    return std::all_of(instead.begin(), instead.end(),
                       [&](RegisterId each) { return constant(folding, each, depth + 1); });
  }

  static unsigned available(unsigned needed) {
    return std::max(kFree, (needed + kReserved + kUnit - 1) / kUnit * kUnit) - kReserved;
  }

  LiveRegisters liveInOrder() const {
    LiveRegisters live = liveRegisters(code_, uses_, {0, code_.entryEnd});
    for (std::uint32_t at = 0; at < live.at.size(); ++at) {
      live.at[at] += scratch_[uses_.order[at]];
      live.most = std::max(live.most, live.at[at]);
    }
    return live;
  }

  /// Schedules with the registers that are available without loss, with fewer if that takes more
  /// than the order of PTX does. Returns with how many; nothing: the order of PTX is kept.
  std::optional<unsigned> schedule(const LiveRegisters& asPtx) {
    if (asPtx.spans.empty() || !code_.called.empty()) return {};
    MachineParts parts(uses_.statics.size());
    for (std::uint32_t pc = 0; pc < parts.size(); ++pc) {
      if (!free_[pc]) parts[pc].push_back(uses_.statics[pc]);
    }
    const std::vector<std::uint32_t> before = uses_.order;
    constexpr unsigned kSteps = 3, kStep = 4;
    for (unsigned less = 0; less < kSteps * kStep; less += kStep) {
      const unsigned budget = available(asPtx.most) - less;
      const auto order = scheduledOrder(code_, parts, uses_, asPtx, budget);
      std::transform(order.begin(), order.end(), uses_.order.begin(),
                     [](const ScheduledPart& each) { return each.pc; });
      if (liveInOrder().most <= std::max(asPtx.most, available(0))) return budget;
    }
    uses_.order = before;
    return {};
  }

  /// Returns the registers if each is kept a while behind its last reader, as far as available.
  unsigned kept(const LiveRegisters& live) const {
    unsigned most = live.most;
    std::deque<unsigned> ended(kKept, 0);  // by instruction, the latest first
    for (std::uint32_t at = 0; at < live.at.size(); ++at) {
      const StaticInstruction& one = uses_.statics[uses_.order[at]];
      if (one.readCount + one.writeCount == 0) continue;
      if (one.writeCount != 0)
        most = std::max(most, std::accumulate(ended.begin(), ended.end(), live.at[at]));
      ended.pop_back();
      ended.push_front(live.ending[at]);
    }
    return std::min(most, available(live.most));
  }

  const KernelCode& code_;
  const std::vector<bool>& free_;
  RegisterUses uses_;
  std::vector<unsigned> scratch_;  ///< scratchRegisters(), by PC
};

}  // namespace

MachineRegisters machineRegisters(const KernelCode& code, const Folding& folding,
                                  const MachineParts& parts) {
  return RegisterEstimate(code, folding).run(parts);
}

}  // namespace fermata::ptx
