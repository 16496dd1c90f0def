#include <fermata/stimuli/ptx/liveness.h>

#include <algorithm>

#include <fermata/stimuli/ptx/basic_blocks.h>

namespace fermata::ptx {
namespace {

/// Bits of the sets (blocks times registers) beyond which every register counts as live.
constexpr std::size_t kMaxBits = std::size_t{1} << 28;

class Liveness {
 public:
  Liveness(const KernelCode& code, CodeRange range)
      : code_(code), range_(range), words_((code.slots.size() + 63) / 64) {}

  LiveRegisters run() {
    if (words_ == 0) return {};
    blocks_ = basicBlocks(code_, range_);
    const std::size_t count = blocks_.first.size();
    if (count * words_ * 64 > kMaxBits) return {total(), {}};
    spans_.resize(code_.slots.size());
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
    return {most_, std::move(spans_)};
  }

 private:
  // Computes the live set at the start of a block from those of its successors. With `measure`,
  // also the largest sum and the spans.
  void flow(std::size_t block, std::vector<std::uint64_t>& set, bool measure) {
    std::fill(set.begin(), set.end(), 0);
    const std::uint32_t last = blocks_.first[block + 1] - 1;
    for (const std::uint32_t to : blocks_.next[block]) {
      const std::uint64_t* after = &live_[to * words_];
      for (std::size_t w = 0; w < words_; ++w) set[w] |= after[w];
    }
    unsigned sum = measure ? sumOf(set) : 0;
    if (measure) spanAll(set, last);
    for (std::uint32_t pc = last + 1; pc-- > blocks_.first[block];) {
      const StaticInstruction& known = code_.statics[pc];
      for (const RegisterId id : accumulatorsAt(pc)) {
        sum += change(set, id, true);
        if (measure) spans_[id].include(pc);
      }
      const bool always = code_.instructions[pc].guard.number == kTruePredicate;
      for (unsigned k = 0; k < known.writeCount; ++k) {
        if (measure && !has(set, known.writes[k]))
          most_ = std::max(most_, sum + code_.slots[known.writes[k]].words);
        if (measure) spans_[known.writes[k]].include(pc);
        if (always) sum -= change(set, known.writes[k], false);
      }
      for (unsigned k = 0; k < known.readCount; ++k) {
        sum += change(set, known.reads[k], true);
        if (measure) spans_[known.reads[k]].include(pc);
      }
      most_ = std::max(most_, measure ? sum : 0);
    }
    if (measure) spanAll(set, blocks_.first[block]);
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
        spans_[64 * w + static_cast<unsigned>(__builtin_ctzll(rest))].include(pc);
    }
  }

  static bool has(const std::vector<std::uint64_t>& set, RegisterId id) {
    return (set[id / 64] >> (id % 64) & 1U) != 0;
  }

  /// Sets or clears a register's bit. Returns the words of the register if that changed something.
  unsigned change(std::vector<std::uint64_t>& set, RegisterId id, bool on) const {
    if (has(set, id) == on) return 0;
    set[id / 64] ^= std::uint64_t{1} << (id % 64);
    return code_.slots[id].words;
  }

  unsigned sumOf(const std::vector<std::uint64_t>& set) const {
    unsigned sum = 0;
    for (std::size_t id = 0; id < code_.slots.size(); ++id) {
      if (has(set, static_cast<RegisterId>(id))) sum += code_.slots[id].words;
    }
    return sum;
  }
  unsigned total() const {
    unsigned sum = 0;
    for (const RegisterSlot& slot : code_.slots) sum += slot.words;
    return sum;
  }

  const KernelCode& code_;
  CodeRange range_;
  std::size_t words_;
  BasicBlocks blocks_;
  std::vector<std::uint64_t> live_;
  std::vector<LiveSpan> spans_;
  unsigned most_ = 0;
};

}  // namespace

LiveRegisters liveRegisters(const KernelCode& code, CodeRange range) {
  return Liveness(code, range).run();
}

}  // namespace fermata::ptx
