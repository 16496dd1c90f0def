#include <fermata/stimuli/ptx/liveness.h>

#include <algorithm>

#include <fermata/stimuli/ptx/basic_blocks.h>

namespace fermata::ptx {
namespace {

/// Bits of the sets (blocks times registers) beyond which every register counts as live.
constexpr std::size_t kMaxBits = std::size_t{1} << 28;

class Liveness {
 public:
  Liveness(const KernelCode& code, const RegisterUses* uses, CodeRange range)
      : code_(code),
        statics_(uses != nullptr ? uses->statics : code.statics),
        slots_(uses != nullptr ? uses->slots : code.slots),
        order_(uses != nullptr ? &uses->order : nullptr),
        range_(range),
        words_((code.slots.size() + 63) / 64) {}

  LiveRegisters run() {
    if (words_ == 0) return {};
    blocks_ = basicBlocks(code_, range_);
    const std::size_t count = blocks_.first.size();
    if (count * words_ * 64 > kMaxBits) return {total(), {}, {}, {}};
    result_.spans.resize(slots_.size());
    result_.at.resize(range_.end - range_.first, 0);
    result_.ending.resize(range_.end - range_.first, 0);
    live_.assign(count * words_, 0);
    std::vector<std::uint64_t> set(words_);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t block = blocks_.exit(); block-- > 0;) {
        flow(block, set, false);
        std::uint64_t* before = &live_[block * words_];
        if (std::equal(set.begin(), set.end(), before)) continue;
        std::copy(set.begin(), set.end(), before);
        changed = true;
      }
    }
    for (std::size_t block = 0; block < blocks_.exit(); ++block) flow(block, set, true);
    return std::move(result_);
  }

 private:
  // Computes the live set at the start of a block from those of its successors. With `measure`,
  // also the sums and the spans.
  void flow(std::size_t block, std::vector<std::uint64_t>& set, bool measure) {
    std::fill(set.begin(), set.end(), 0);
    const std::uint32_t last = blocks_.first[block + 1] - 1;
    for (const std::uint32_t to : blocks_.next[block]) {
      const std::uint64_t* after = &live_[to * words_];
      for (std::size_t w = 0; w < words_; ++w) set[w] |= after[w];
    }
    if (!measure) return pass(block, set);
    spanAll(set, last);
    measured(block, set);
    spanAll(set, blocks_.first[block]);
  }

  // Goes through a block backwards, from the set at its end to the set at its start.
  void pass(std::size_t block, std::vector<std::uint64_t>& set) const {
    for (std::uint32_t at = blocks_.first[block + 1]; at-- > blocks_.first[block];) {
      const StaticInstruction& known = statics_[pcOf(at)];
      for (const RegisterId id : accumulatorsAt(pcOf(at))) change(set, id, true);
      for (unsigned k = 0; k < known.writeCount && always(at); ++k)
        change(set, known.writes[k], false);
      for (unsigned k = 0; k < known.readCount; ++k) change(set, known.reads[k], true);
    }
  }

  // Goes through a block like pass() and notes sums and spans.
  void measured(std::size_t block, std::vector<std::uint64_t>& set) {
    unsigned sum = sumOf(set);
    for (std::uint32_t at = blocks_.first[block + 1]; at-- > blocks_.first[block];) {
      const StaticInstruction& known = statics_[pcOf(at)];
      unsigned& most = result_.at[at - range_.first];
      for (const RegisterId id : accumulatorsAt(pcOf(at))) {
        sum += change(set, id, true);
        result_.spans[id].include(at);
      }
      for (unsigned k = 0; k < known.writeCount; ++k) {
        const RegisterId id = known.writes[k];
        most = std::max(most, sum + (has(set, id) ? 0 : slots_[id].words));
        result_.spans[id].include(at);
        if (always(at)) sum -= change(set, id, false);
      }
      for (unsigned k = 0; k < known.readCount; ++k) {
        const unsigned words = change(set, known.reads[k], true);
        sum += words;
        result_.ending[at - range_.first] += words;
        result_.spans[known.reads[k]].include(at);
      }
      most = std::max(most, sum);
      result_.most = std::max(result_.most, most);
    }
  }

  std::uint32_t pcOf(std::uint32_t at) const { return order_ != nullptr ? (*order_)[at] : at; }
  bool always(std::uint32_t at) const {
    return code_.instructions[pcOf(at)].guard.number == kTruePredicate;
  }

  const std::vector<RegisterId>& accumulatorsAt(std::uint32_t pc) const {
    static const std::vector<RegisterId> kNone;
    if (code_.accumulators.empty()) return kNone;
    const auto found = code_.accumulators.find(pc);
    return found == code_.accumulators.end() ? kNone : found->second;
  }

  // Extends the span of every register in `set` to `pc`. Needed only at the ends of a block: within
  // it, registers become live or dead where they are read or written.
  void spanAll(const std::vector<std::uint64_t>& set, std::uint32_t pc) {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1)
        result_.spans[64 * w + static_cast<unsigned>(__builtin_ctzll(rest))].include(pc);
    }
  }

  static bool has(const std::vector<std::uint64_t>& set, RegisterId id) {
    return (set[id / 64] >> (id % 64) & 1U) != 0;
  }

  /// Sets or clears a register's bit. Returns the words of the register if that changed something.
  unsigned change(std::vector<std::uint64_t>& set, RegisterId id, bool on) const {
    if (has(set, id) == on) return 0;
    set[id / 64] ^= std::uint64_t{1} << (id % 64);
    return slots_[id].words;
  }

  unsigned sumOf(const std::vector<std::uint64_t>& set) const {
    unsigned sum = 0;
    for (std::size_t id = 0; id < slots_.size(); ++id) {
      if (has(set, static_cast<RegisterId>(id))) sum += slots_[id].words;
    }
    return sum;
  }
  unsigned total() const {
    unsigned sum = 0;
    for (const RegisterSlot& slot : slots_) sum += slot.words;
    return sum;
  }

  const KernelCode& code_;
  const std::vector<StaticInstruction>& statics_;
  const std::vector<RegisterSlot>& slots_;
  const std::vector<std::uint32_t>* order_;
  CodeRange range_;
  std::size_t words_;
  BasicBlocks blocks_;
  std::vector<std::uint64_t> live_;
  LiveRegisters result_;
};

}  // namespace

LiveRegisters liveRegisters(const KernelCode& code, CodeRange range) {
  return Liveness(code, nullptr, range).run();
}

LiveRegisters liveRegisters(const KernelCode& code, const RegisterUses& uses, CodeRange range) {
  return Liveness(code, &uses, range).run();
}

}  // namespace fermata::ptx
