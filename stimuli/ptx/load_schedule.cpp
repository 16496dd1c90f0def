#include <fermata/stimuli/ptx/load_schedule.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/row_packing.h>

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
bool isMemoryWall(const StaticInstruction& one, const Instruction& i) {
  const InstructionClass kind = one.instructionClass;
  return one.fence || one.suspends || one.arrives || one.streams || i.observes ||
         kind == InstructionClass::Barrier || kind == InstructionClass::Exit ||
         kind == InstructionClass::Branch || one.copyStep != CopyStep::None ||
         one.groupsLeft != StaticInstruction::kAnyGroups || one.space == MemorySpace::Generic;
}

using RowOwners = std::unordered_map<Row, RegisterId>;

/// Cycles from a comparison to an instruction that it guards.
constexpr unsigned kGuardLatency = 13;

struct Edge {
  std::uint32_t to = 0;
  unsigned latency = 0;  ///< 0: that of the instruction
};

struct Node {
  ScheduledPart place;
  const StaticInstruction* machine = nullptr;  ///< null: costs nothing
  bool computes = true;                        ///< does what PTX says
};

/// Instructions of a block and which must come before which.
class Dependences {
 public:
  Dependences(const KernelCode& code, const MachineParts& parts, const RowOwners& owners,
              CodeRange range)
      : code_(code), owners_(owners) {
    for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
      const auto count = static_cast<std::uint32_t>(parts[pc].size());
      if (count == 0) nodes.push_back({{pc, 0}, nullptr, true});
      for (std::uint32_t part = 0; part < count; ++part)
        nodes.push_back({{pc, part}, &parts[pc][part], part + 1 == count});
    }
    after.resize(nodes.size());
    waits.resize(nodes.size(), 0);
    for (std::uint32_t k = 0; k < nodes.size(); ++k) add(k);
    for (std::uint32_t k = 0; k < last(); ++k) edge(k, last());
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Users {
    std::uint32_t writer = kNone;
    unsigned latency = 0;                ///< of the writer; 0: its own
    std::vector<std::uint32_t> readers;  ///< since the last write
  };
  using Registers = std::unordered_map<RegisterId, Users>;
  struct Accesses {
    std::uint32_t store = kNone;
    std::vector<std::uint32_t> loads;  ///< since the last store
  };

  const KernelCode& code_;
  const RowOwners& owners_;
  Registers ofMachine_, ofPtx_;
  std::unordered_map<Row, Users> rows_;  ///< those that belong to no register
  std::array<Accesses, 8> accesses_;     ///< by MemorySpace
  std::uint32_t wall_ = kNone, memoryWall_ = kNone;
  std::vector<std::uint32_t> sinceMemoryWall_;  ///< accesses

 public:
  std::vector<Node> nodes;
  std::vector<std::vector<Edge>> after;
  std::vector<unsigned> waits;  ///< instructions that must come first

  std::uint32_t last() const { return static_cast<std::uint32_t>(nodes.size() - 1); }

 private:
  void edge(std::uint32_t from, std::uint32_t to, unsigned latency = 0) {
    if (from == kNone || from == to) return;
    after[from].push_back({to, latency});
    ++waits[to];
  }

  void add(std::uint32_t k) {
    const Node& node = nodes[k];
    edge(wall_, k);
    if (node.machine != nullptr) addRegisters(k, *node.machine, ofMachine_);
    if (!node.computes) return;
    const StaticInstruction& one = code_.statics[node.place.pc];
    const Instruction& i = code_.instructions[node.place.pc];
    addRegisters(k, one, ofPtx_);
    addRows(k, one, i);
    addMemory(k, one, i);
    if (!isWall(node.place.pc)) return;
    for (std::uint32_t before = wall_ == kNone ? 0 : wall_ + 1; before < k; ++before)
      edge(before, k);
    wall_ = k;
  }

  /// True for an instruction that no other one passes: it reads the clock, or works on registers
  /// that the scoreboard does not know.
  bool isWall(std::uint32_t pc) const {
    return code_.instructions[pc].handler == &executeClock || code_.accumulators.count(pc) != 0;
  }

  void addRegisters(std::uint32_t k, const StaticInstruction& one, Registers& all) {
    for (unsigned r = 0; r < one.readCount; ++r) read(k, all[one.reads[r]]);
    for (unsigned w = 0; w < one.writeCount; ++w) write(k, all[one.writes[w]]);
    if (one.guard == StaticInstruction::kNoGuard) return;
    write(k, all[one.guard]);
    all[one.guard].latency = kGuardLatency;
  }
  void read(std::uint32_t k, Users& users) {
    edge(users.writer, k, users.latency);
    users.readers.push_back(k);
  }
  void write(std::uint32_t k, Users& users) {
    edge(users.writer, k);
    for (const std::uint32_t reader : users.readers) edge(reader, k);
    users = {k, 0, {}};
  }

  /// Orders the users of rows that the instruction names without telling the scoreboard.
  void addRows(std::uint32_t k, const StaticInstruction& one, Instruction i) {
    eachRow(i, [&](Row& row) {
      if (row == 0 || row == kUnusedRow || (row & kConstantBit) != 0) return;
      const auto owner = owners_.find(row);
      if (owner == owners_.end()) return write(k, rows_[row]);
      if (!names(one, owner->second)) write(k, ofPtx_[owner->second]);
    });
  }

  /// Orders accesses to the same space: a store passes no other one.
  void addMemory(std::uint32_t k, const StaticInstruction& one, const Instruction& i) {
    const bool wall =
        isMemoryWall(one, i) || (one.tensorWork != 0 && one.space != MemorySpace::None);
    if (!wall && one.instructionClass != InstructionClass::Memory) return;
    edge(memoryWall_, k);
    if (wall) {
      for (const std::uint32_t access : sinceMemoryWall_) edge(access, k);
      sinceMemoryWall_.clear();
      accesses_.fill({});
      memoryWall_ = k;
      return;
    }
    sinceMemoryWall_.push_back(k);
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
  BlockSchedule(const KernelCode& code, const MachineParts& parts, const RegisterUses& uses,
                const RowOwners& owners, const LiveRegisters& live, CodeRange range)
      : uses_(uses), live_(live), range_(range), dependences_(code, parts, owners, range) {
    const std::size_t count = dependences_.nodes.size();
    height_.resize(count, 0);
    readyAt_.resize(count, 0);
    for (std::size_t k = count; k-- > 0;) {
      const unsigned own = latency(static_cast<std::uint32_t>(k));
      height_[k] = own;
      for (const Edge& edge : dependences_.after[k])
        height_[k] = std::max(height_[k], height_[edge.to] + std::max(own, edge.latency));
    }
    for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
      const StaticInstruction& one = uses.statics[pc];
      for (unsigned r = 0; r < one.readCount; ++r) ++reads_[one.reads[r]];
    }
  }

  /// Appends the block to `order`. `live`: registers that are live where the block begins.
  void run(unsigned live, unsigned budget, std::vector<ScheduledPart>& order) {
    pressure_ = static_cast<int>(live);
    budget_ = static_cast<int>(budget);
    for (std::uint32_t k = 0; k < dependences_.nodes.size(); ++k) {
      if (dependences_.waits[k] == 0) ready_.insert(k);
    }
    while (!ready_.empty()) {
      const std::uint32_t k = pick();
      ready_.erase(k);
      issue(k);
      order.push_back(dependences_.nodes[k].place);
    }
  }

 private:
  bool isFree(std::uint32_t k) const { return dependences_.nodes[k].machine == nullptr; }
  unsigned latency(std::uint32_t k) const {
    return isFree(k) ? 0 : latencyOf(*dependences_.nodes[k].machine);
  }

  std::uint32_t pick() const {
    const auto rank = [this](std::uint32_t k) {
      if (isFree(k)) return std::make_tuple(0, 0U, 0U, k);
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
    if (!dependences_.nodes[k].computes) return 0;
    const StaticInstruction& one = uses_.statics[dependences_.nodes[k].place.pc];
    int words = 0;
    for (unsigned r = 0; r < one.readCount; ++r) {
      const RegisterId id = one.reads[r];
      if (live_.spans[id].last < range_.end && reads_.at(id) == 1) words -= uses_.slots[id].words;
    }
    for (unsigned w = 0; w < one.writeCount; ++w) words += uses_.slots[one.writes[w]].words;
    return words;
  }

  void issue(std::uint32_t k) {
    pressure_ += added(k);
    if (dependences_.nodes[k].computes) {
      const StaticInstruction& one = uses_.statics[dependences_.nodes[k].place.pc];
      for (unsigned r = 0; r < one.readCount; ++r) --reads_[one.reads[r]];
    }
    // The result of an instruction that costs nothing is there when its operands are.
    if (!isFree(k)) now_ = std::max(now_, readyAt_[k]) + (latency(k) != 0 ? 1 : 0);
    const unsigned result = isFree(k) ? readyAt_[k] : now_ + latency(k);
    for (const Edge& edge : dependences_.after[k]) {
      readyAt_[edge.to] = std::max({readyAt_[edge.to], result, now_ + edge.latency});
      if (--dependences_.waits[edge.to] == 0) ready_.insert(edge.to);
    }
  }

  const RegisterUses& uses_;
  const LiveRegisters& live_;
  CodeRange range_;
  Dependences dependences_;
  std::unordered_map<RegisterId, unsigned> reads_;  ///< readers to come
  std::vector<unsigned> height_;                    ///< cycles to the end of the block
  std::vector<unsigned> readyAt_;                   ///< cycle at which the operands are there
  std::set<std::uint32_t> ready_;
  unsigned now_ = 0;
  int pressure_ = 0, budget_ = 0;
};

}  // namespace

std::vector<ScheduledPart> scheduledOrder(const KernelCode& code, const MachineParts& parts,
                                          const RegisterUses& uses, const LiveRegisters& live,
                                          unsigned budget) {
  RowOwners owners;
  for (std::size_t id = 0; id < code.slots.size(); ++id) {
    if (code.slots[id].row != kUnusedRow) owners[code.slots[id].row] = static_cast<RegisterId>(id);
  }
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
  std::vector<ScheduledPart> order;
  order.reserve(code.entryEnd);
  for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
    const CodeRange range{blocks.first[block], blocks.first[block + 1]};
    BlockSchedule(code, parts, uses, owners, live, range)
        .run(static_cast<unsigned>(change[range.first]), budget, order);
  }
  return order;
}

}  // namespace fermata::ptx
