#include <fermata/stimuli/ptx/machine_registers.h>

#include <algorithm>
#include <deque>
#include <numeric>

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

class RegisterEstimate {
 public:
  RegisterEstimate(const KernelCode& code, const Folding& folding)
      : code_(code), free_(folding.free) {
    uses_.slots = code.slots;
    uses_.statics.reserve(code.statics.size());
    for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
      uses_.statics.push_back(machineOperands(code, folding, pc));
      StaticInstruction& one = uses_.statics.back();
      if (folding.free[pc]) one.readCount = one.writeCount = 0;
      if (one.unread) one.writeCount = 0;
      scratch_.push_back(one.space == MemorySpace::None ? scratchRegisters(code.texts[pc].opcode)
                                                        : constantAddress(pc, folding));
    }
    uses_.order.resize(code.statics.size());
    std::iota(uses_.order.begin(), uses_.order.end(), 0U);
    for (std::size_t id = 0; id < uses_.slots.size(); ++id) {
      if (folding.narrow[id]) uses_.slots[id].words = 1;
    }
    freeUniformRegisters(code, folding, uses_);
  }

  MachineRegisters run(const MachineParts& parts) {
    const LiveRegisters asPtx = liveInOrder();
    const std::vector<unsigned> budgets = schedule(asPtx);
    const LiveRegisters live = budgets.empty() ? asPtx : liveInOrder();
    const unsigned registers = std::min(kept(live), available(asPtx.most)) + kReserved;
    const bool calls = code_.callsLibrary || !code_.called.empty();
    MachineRegisters made;
    made.count = std::max(registers + code_.calledRegisters, calls ? kLeastWithCall : 0);
    if (!budgets.empty()) {
      made.order = LoadSchedule(code_, parts, uses_, asPtx).order(budgets);
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

  /// Schedules with the registers that are available without loss. Where that takes more, the
  /// instructions that were brought before the place get fewer. If a few tries do not mend it, two
  /// registers more are accepted: ptxas saves some by computing again. Returns the budgets by PC;
  /// none: the order of PTX is kept.
  std::vector<unsigned> schedule(const LiveRegisters& asPtx) {
    if (asPtx.spans.empty() || !code_.called.empty()) return {};
    MachineParts parts(uses_.statics.size());
    for (std::uint32_t pc = 0; pc < parts.size(); ++pc) {
      if (!free_[pc]) parts[pc].push_back(uses_.statics[pc]);
    }
    const std::vector<std::uint32_t> before = uses_.order;
    const unsigned most = available(asPtx.most);
    std::vector<unsigned> budgets(code_.entryEnd, most);
    const LoadSchedule scheduled(code_, parts, uses_, asPtx);
    constexpr unsigned kTries = 12;  // bounds the time
    constexpr unsigned kSaved = 2;   // assumption
    for (unsigned tries = 0; tries < kTries; ++tries) {
      const auto order = scheduled.order(budgets);
      std::transform(order.begin(), order.end(), uses_.order.begin(),
                     [](const ScheduledPart& each) { return each.pc; });
      const LiveRegisters live = liveInOrder();
      if (live.most <= (tries < kTries / 2 ? most : most + kSaved)) return budgets;
      keepBack(budgets, std::find(live.at.begin(), live.at.end(), live.most) - live.at.begin());
    }
    uses_.order = before;
    return {};
  }

  /// Lowers the budgets of the instructions that were brought before a place, or stand near it.
  void keepBack(std::vector<unsigned>& budgets, std::ptrdiff_t place) const {
    constexpr std::uint32_t kNear = 16;  // assumption
    constexpr unsigned kStep = kUnit / 2;
    const std::uint32_t pc = uses_.order[static_cast<std::size_t>(place)];
    for (std::ptrdiff_t at = 0; at < place + kNear; ++at) {
      if (static_cast<std::size_t>(at) == uses_.order.size()) break;
      const std::uint32_t each = uses_.order[static_cast<std::size_t>(at)];
      if (each < budgets.size() && each + kNear > pc)
        budgets[each] -= std::min(budgets[each], kStep);
    }
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
