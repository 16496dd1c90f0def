#include <fermata/stimuli/ptx/load_schedule.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/block_dependences.h>

namespace fermata::ptx {
namespace {

/// Ready instructions that are compared at each step. Bounds the time.
constexpr unsigned kWindow = 16;

/// Cycles until a result from global memory is there. Only the order of magnitude of this and the
/// other latencies matters: with 100 cycles the estimates of registers are the same.
constexpr unsigned kFarLatency = 400;

/// Returns the cycles until a result is there.
unsigned latencyOf(const StaticInstruction& one) {
  if (one.readCount + one.writeCount == 0) return 0;
  switch (one.instructionClass) {
    case InstructionClass::Memory:
      if (one.operation == MemoryOperation::Store) return 1;
      if (one.space == MemorySpace::Constant || one.space == MemorySpace::Parameter) return 10;
      return one.space == MemorySpace::Shared ? 30 : kFarLatency;
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

unsigned latencyOf(const Node& node) {
  return node.machine == nullptr ? 0 : latencyOf(*node.machine);
}

/// Returns the words that an instruction of PTX writes.
int wordsOf(const RegisterUses& uses, std::uint32_t pc) {
  const StaticInstruction& one = uses.statics[pc];
  return std::accumulate(one.writes.begin(), one.writes.begin() + one.writeCount, 0,
                         [&](int sum, RegisterId id) { return sum + uses.slots[id].words; });
}

/// A block, with what does not depend on the budgets.
struct Block {
  Block(const KernelCode& code, const MachineParts& parts, const RegisterUses& uses,
        const HiddenRegisters& hidden, CodeRange pcs, int words)
      : range(pcs), live(words), dependences(code, parts, hidden, pcs) {
    const std::size_t count = dependences.nodes.size();
    height.resize(count, 0);
    leadsTo.resize(count, kNoLoad);
    for (std::size_t k = count; k-- > 0;) {
      const Node& node = dependences.nodes[k];
      const unsigned own = latencyOf(node);
      height[k] = own;
      if (own >= kFarLatency) {
        leadsTo[k] = node.walls;
        if (farWords.size() <= node.walls) farWords.resize(node.walls + 1, 0);
        farWords[node.walls] += wordsOf(uses, node.place.pc);
      }
      for (const Edge& edge : dependences.after[k]) {
        height[k] = std::max(height[k], height[edge.to] + std::max(own, edge.latency));
        if (edge.operand) leadsTo[k] = std::min(leadsTo[k], leadsTo[edge.to]);
      }
    }
  }

  CodeRange range;
  int live;  ///< words where the block begins
  Dependences dependences;
  std::vector<unsigned> height;  ///< cycles to the end of the block
  static constexpr unsigned kNoLoad = ~0U;
  /// Walls (Node::wall) before the first load from far away that needs the result.
  std::vector<unsigned> leadsTo;
  std::vector<int> farWords;  ///< results of far loads, by walls before
};

/// Puts the instructions of a block in order.
class BlockSchedule {
 public:
  /// `reads`: by RegisterId, all 0; they are so again afterwards.
  BlockSchedule(const Block& block, const RegisterUses& uses, const LiveRegisters& live,
                const std::vector<unsigned>& budgets, std::vector<unsigned>& reads)
      : block_(block),
        uses_(uses),
        live_(live),
        budgets_(budgets),
        reads_(reads),
        waits_(block.dependences.waits),
        farWords_(block.farWords),
        readyAt_(waits_.size(), 0),
        pressure_(block.live) {
    for (std::uint32_t pc = block.range.first; pc < block.range.end; ++pc) {
      const StaticInstruction& one = uses.statics[pc];
      for (unsigned r = 0; r < one.readCount; ++r) ++reads_[one.reads[r]];
    }
  }

  /// Appends the block to `order`.
  void run(std::vector<ScheduledPart>& order) {
    for (std::uint32_t k = 0; k < waits_.size(); ++k) {
      if (waits_[k] == 0) ready_.insert(k);
    }
    while (!ready_.empty()) {
      const std::uint32_t k = pick();
      ready_.erase(k);
      issue(k);
      order.push_back(node(k).place);
    }
  }

 private:
  const Node& node(std::uint32_t k) const { return block_.dependences.nodes[k]; }
  bool isFree(std::uint32_t k) const { return node(k).machine == nullptr; }

  std::uint32_t pick() const {
    auto best = rank(*ready_.begin());
    unsigned seen = 0;
    for (auto each = ready_.begin(); each != ready_.end() && seen < kWindow; ++each, ++seen)
      best = std::min(best, rank(*each));
    return std::get<3>(best);
  }

  using Rank = std::tuple<unsigned, unsigned, unsigned, std::uint32_t>;
  Rank rank(std::uint32_t k) const {
    if (isFree(k)) return {0, 0, 0, k};
    if (const int more = added(k); more > 0 && !fits(k, more)) return {2, 0, 0, k};
    if (readyAt_[k] > now_) return {1, readyAt_[k], 0, k};
    return {0, 0, ~block_.height[k], k};
  }

  /// Returns whether an instruction that makes `more` words live may issue. Loads from far away,
  /// and what leads to them, have the budget first; what stands behind a wall waits for it.
  bool fits(std::uint32_t k, int more) const {
    const bool far = block_.leadsTo[k] == walls_;
    if (!far && node(k).walls > walls_) return false;
    const int others = far || walls_ >= farWords_.size() ? 0 : farWords_[walls_];
    return pressure_ + more + others <= static_cast<int>(budgets_[node(k).place.pc]);
  }

  /// Returns the words that the instruction makes live, less those that it reads last.
  int added(std::uint32_t k) const {
    if (!node(k).computes) return 0;
    const StaticInstruction& one = uses_.statics[node(k).place.pc];
    const auto end = one.reads.begin() + one.readCount;
    int words = 0;
    for (unsigned w = 0; w < one.writeCount; ++w) {
      const bool again = std::find(one.reads.begin(), end, one.writes[w]) != end;
      words += again ? 0 : uses_.slots[one.writes[w]].words;
    }
    for (auto id = one.reads.begin(); id != end; ++id) {
      if (live_.spans[*id].last < block_.range.end && reads_[*id] == 1)
        words -= uses_.slots[*id].words;
    }
    return words;
  }

  void issue(std::uint32_t k) {
    const Node& one = node(k);
    const unsigned latency = latencyOf(one);
    pressure_ += added(k);
    if (latency >= kFarLatency) farWords_[one.walls] -= wordsOf(uses_, one.place.pc);
    if (one.wall) ++walls_;
    if (one.computes) {
      const StaticInstruction& known = uses_.statics[one.place.pc];
      for (unsigned r = 0; r < known.readCount; ++r) --reads_[known.reads[r]];
    }
    // The result of an instruction that costs nothing is there when its operands are.
    if (!isFree(k)) now_ = std::max(now_, readyAt_[k]) + (latency != 0 ? 1 : 0);
    const unsigned result = isFree(k) ? readyAt_[k] : now_ + latency;
    for (const Edge& edge : block_.dependences.after[k]) {
      readyAt_[edge.to] = std::max({readyAt_[edge.to], result, now_ + edge.latency});
      if (--waits_[edge.to] == 0) ready_.insert(edge.to);
    }
  }

  const Block& block_;
  const RegisterUses& uses_;
  const LiveRegisters& live_;
  const std::vector<unsigned>& budgets_;
  std::vector<unsigned>& reads_;   ///< readers to come
  std::vector<unsigned> waits_;    ///< as Dependences::waits
  std::vector<int> farWords_;      ///< of far loads that have not begun
  std::vector<unsigned> readyAt_;  ///< cycle at which the operands are there
  std::set<std::uint32_t> ready_;
  unsigned walls_ = 0;  ///< passed
  unsigned now_ = 0;
  int pressure_;
};

}  // namespace

struct LoadSchedule::State {
  const RegisterUses& uses;
  const LiveRegisters& live;
  HiddenRegisters hidden;
  std::vector<Block> blocks;
  std::size_t parts = 0;
};

LoadSchedule::LoadSchedule(const KernelCode& code, const MachineParts& parts,
                           const RegisterUses& uses, const LiveRegisters& live)
    : state_(std::make_unique<State>(State{uses, live, HiddenRegisters(code), {}, 0})) {
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
  state_->blocks.reserve(blocks.exit());
  for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
    const CodeRange range{blocks.first[block], blocks.first[block + 1]};
    state_->blocks.emplace_back(code, parts, uses, state_->hidden, range, change[range.first]);
    state_->parts += state_->blocks.back().dependences.nodes.size();
  }
}

LoadSchedule::~LoadSchedule() = default;

std::vector<ScheduledPart> LoadSchedule::order(const std::vector<unsigned>& budgets) const {
  std::vector<ScheduledPart> order;
  order.reserve(state_->parts);
  std::vector<unsigned> reads(state_->uses.slots.size(), 0);
  for (const Block& block : state_->blocks)
    BlockSchedule(block, state_->uses, state_->live, budgets, reads).run(order);
  return order;
}

}  // namespace fermata::ptx
