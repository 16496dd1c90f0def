#include <fermata/stimuli/ptx/load_schedule.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fermata/stimuli/ptx/basic_blocks.h>

namespace fermata::ptx {
namespace {

/// Ready instructions that are compared at each step. Bounds the time.
constexpr unsigned kWindow = 16;

/// Cycles until a result is there. Only their order of magnitude matters: with 100 cycles for
/// global memory the estimates are the same.
unsigned latencyOf(const StaticInstruction& one) {
  if (one.readCount + one.writeCount == 0) return 0;
  switch (one.instructionClass) {
    case InstructionClass::Memory:
      if (one.operation == MemoryOperation::Store) return 1;
      if (one.space == MemorySpace::Constant || one.space == MemorySpace::Parameter) return 10;
      return one.space == MemorySpace::Shared ? 30 : 400;
    case InstructionClass::Tensor:
      return 30;
    case InstructionClass::Special:
      return 20;
    case InstructionClass::Double:
      return 8;
    default:
      return 5;
  }
}

/// True for an instruction that no access to memory passes.
bool isWall(const StaticInstruction& one, const Instruction& i) {
  const InstructionClass kind = one.instructionClass;
  return one.fence || kind == InstructionClass::Barrier || kind == InstructionClass::Exit ||
         kind == InstructionClass::Branch || one.copyStep != CopyStep::None ||
         one.groupsLeft != StaticInstruction::kAnyGroups || one.space == MemorySpace::Generic ||
         i.observes;
}

/// Instructions of a block and which must come before which. Numbers count from the block's first.
class Dependences {
 public:
  Dependences(const KernelCode& code, const RegisterUses& uses, CodeRange range)
      : code_(code), uses_(uses), range_(range), after(range.end - range.first) {
    waits.resize(after.size(), 0);
    for (std::uint32_t k = 0; k < after.size(); ++k) {
      addRegisters(k);
      addMemory(k);
    }
    for (std::uint32_t k = 0; k + 1 < after.size(); ++k) edge(k, last());
  }

 private:
  const KernelCode& code_;
  const RegisterUses& uses_;
  CodeRange range_;
  struct Users {
    std::uint32_t writer = kNone;
    std::vector<std::uint32_t> readers;  ///< since the last write
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::unordered_map<RegisterId, Users> users_;
  struct Accesses {
    std::uint32_t store = kNone;
    std::vector<std::uint32_t> loads;  ///< since the last store
  };
  std::array<Accesses, 8> accesses_;  ///< by MemorySpace
  std::uint32_t wall_ = kNone;
  std::vector<std::uint32_t> sinceWall_;  ///< accesses

 public:
  std::vector<std::vector<std::uint32_t>> after;
  std::vector<unsigned> waits;  ///< instructions that must come first
  std::unordered_map<RegisterId, unsigned> reads;

  std::uint32_t last() const { return static_cast<std::uint32_t>(after.size() - 1); }

 private:
  void edge(std::uint32_t from, std::uint32_t to) {
    if (from == kNone || from == to) return;
    after[from].push_back(to);
    ++waits[to];
  }

  void addRegisters(std::uint32_t k) {
    const StaticInstruction& one = uses_.statics[range_.first + k];
    for (unsigned r = 0; r < one.readCount; ++r) {
      Users& users = users_[one.reads[r]];
      edge(users.writer, k);
      users.readers.push_back(k);
      ++reads[one.reads[r]];
    }
    for (unsigned w = 0; w < one.writeCount; ++w) {
      Users& users = users_[one.writes[w]];
      edge(users.writer, k);
      for (const std::uint32_t reader : users.readers) edge(reader, k);
      users = {k, {}};
    }
  }

  /// Orders accesses to the same space: a store passes no other one.
  void addMemory(std::uint32_t k) {
    const StaticInstruction& one = uses_.statics[range_.first + k];
    const bool wall = isWall(one, code_.instructions[range_.first + k]);
    if (!wall && one.instructionClass != InstructionClass::Memory) return;
    edge(wall_, k);
    if (wall) {
      for (const std::uint32_t access : sinceWall_) edge(access, k);
      sinceWall_.clear();
      accesses_.fill({});
      wall_ = k;
      return;
    }
    sinceWall_.push_back(k);
    if (one.space == MemorySpace::Constant || one.space == MemorySpace::Parameter) return;
    Accesses& accesses = accesses_[static_cast<unsigned>(one.space)];
    edge(accesses.store, k);
    if (one.operation == MemoryOperation::Load) {
      accesses.loads.push_back(k);
      return;
    }
    for (const std::uint32_t load : accesses.loads) edge(load, k);
    accesses = {k, {}};
  }
};

class BlockSchedule {
 public:
  BlockSchedule(const KernelCode& code, const RegisterUses& uses, const LiveRegisters& live,
                CodeRange range)
      : uses_(uses), live_(live), range_(range), dependences_(code, uses, range) {
    const std::size_t count = dependences_.after.size();
    height_.resize(count, 0);
    readyAt_.resize(count, 0);
    for (std::size_t k = count; k-- > 0;) {
      for (const std::uint32_t to : dependences_.after[k])
        height_[k] = std::max(height_[k], height_[to]);
      height_[k] += latencyOf(one(static_cast<std::uint32_t>(k)));
    }
  }

  /// Appends the block's PCs to `order`. `live`: registers that are live where the block begins.
  void run(unsigned live, unsigned budget, std::vector<std::uint32_t>& order) {
    pressure_ = static_cast<int>(live);
    budget_ = static_cast<int>(budget);
    for (std::uint32_t k = 0; k < dependences_.after.size(); ++k) {
      if (dependences_.waits[k] == 0) ready_.insert(k);
    }
    while (!ready_.empty()) {
      const std::uint32_t k = pick();
      ready_.erase(k);
      issue(k);
      order.push_back(range_.first + k);
    }
  }

 private:
  const StaticInstruction& one(std::uint32_t k) const { return uses_.statics[range_.first + k]; }

  std::uint32_t pick() const {
    const auto rank = [this](std::uint32_t k) {
      const int more = added(k);
      // Over the budget the order of PTX holds.
      if (more > 0 && pressure_ + more > budget_) return std::make_tuple(2, 0U, 0U, k);
      if (readyAt_[k] > now_) return std::make_tuple(1, readyAt_[k], 0U, k);
      return std::make_tuple(0, 0U, ~height_[k], k);
    };
    auto best = rank(*ready_.begin());
    unsigned seen = 0;
    for (auto each = ready_.begin(); each != ready_.end() && seen < kWindow; ++each, ++seen)
      best = std::min(best, rank(*each));
    return std::get<3>(best);
  }

  /// Returns the words that the instruction makes live, less those that it reads last.
  int added(std::uint32_t k) const {
    int words = 0;
    for (unsigned r = 0; r < one(k).readCount; ++r) {
      const RegisterId id = one(k).reads[r];
      if (live_.spans[id].last < range_.end && dependences_.reads.at(id) == 1)
        words -= uses_.slots[id].words;
    }
    for (unsigned w = 0; w < one(k).writeCount; ++w) words += uses_.slots[one(k).writes[w]].words;
    return words;
  }

  void issue(std::uint32_t k) {
    pressure_ += added(k);
    for (unsigned r = 0; r < one(k).readCount; ++r) --dependences_.reads[one(k).reads[r]];
    const unsigned latency = latencyOf(one(k));
    now_ = std::max(now_, readyAt_[k]) + (latency != 0 ? 1 : 0);
    for (const std::uint32_t to : dependences_.after[k]) {
      readyAt_[to] = std::max(readyAt_[to], now_ + latency);
      if (--dependences_.waits[to] == 0) ready_.insert(to);
    }
  }

  const RegisterUses& uses_;
  const LiveRegisters& live_;
  CodeRange range_;
  Dependences dependences_;
  std::vector<unsigned> height_;   ///< cycles to the end of the block
  std::vector<unsigned> readyAt_;  ///< cycle at which the operands are there
  std::set<std::uint32_t> ready_;
  unsigned now_ = 0;
  int pressure_ = 0, budget_ = 0;
};

}  // namespace

std::vector<std::uint32_t> scheduledOrder(const KernelCode& code, const RegisterUses& uses,
                                          const LiveRegisters& live, unsigned budget) {
  const BasicBlocks blocks = basicBlocks(code, {0, code.entryEnd});
  // Words by the block at which registers become live or are dead again
  std::vector<int> change(code.entryEnd + 2, 0);
  for (std::size_t id = 0; id < live.spans.size(); ++id) {
    const LiveSpan& span = live.spans[id];
    if (span.first >= span.last) continue;
    change[span.first + 1] += uses.slots[id].words;
    change[span.last + 1] -= uses.slots[id].words;
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  std::vector<std::uint32_t> order;
  order.reserve(code.entryEnd);
  for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
    const CodeRange range{blocks.first[block], blocks.first[block + 1]};
    BlockSchedule(code, uses, live, range)
        .run(static_cast<unsigned>(change[range.first]), budget, order);
  }
  return order;
}

}  // namespace fermata::ptx
