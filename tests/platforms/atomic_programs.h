// Random kernels of atomics whose results can be judged: values returned and left must fit some
// sequential order.
//
// Every thread of a CTA goes through phases: atomics on a few cells, then a barrier, a load of a
// cell, a barrier, stores to some cells, a barrier. A table holds each lane's part in each step.
// Lanes of one instruction thus meet on one cell, use other cells that share its bank or lock, or
// sit out. Between atomics each thread updates a word of its own by a load and a store.
#pragma once

#include "tests/support/test.h"

namespace fermata::test {

enum class AtomicKind : std::uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas };

struct AtomicType {
  unsigned bytes = 4;  ///< 4 or 8
  bool isSigned = false;
};

/// Returns the value that one lane's atomic leaves, of `bytes` bytes.
inline std::uint64_t applied(AtomicKind kind, AtomicType type, std::uint64_t old, std::uint64_t b,
                             std::uint64_t c) {
  const std::uint64_t mask = type.bytes == 8 ? ~std::uint64_t{0} : 0xffffffffU;
  const std::uint64_t top = type.bytes == 8 ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31;
  b &= mask;
  const std::uint64_t flip = type.isSigned ? top : 0;  // orders signed numbers as unsigned ones
  const bool less = (b ^ flip) < (old ^ flip);
  switch (kind) {
    case AtomicKind::Add:
      return (old + b) & mask;
    case AtomicKind::Min:
      return less ? b : old;
    case AtomicKind::Max:
      return less ? old : b;
    case AtomicKind::Inc:
      return old >= b ? 0 : old + 1;
    case AtomicKind::Dec:
      return old == 0 || old > b ? b : old - 1;
    case AtomicKind::And:
      return old & b;
    case AtomicKind::Or:
      return old | b;
    case AtomicKind::Xor:
      return old ^ b;
    case AtomicKind::Exch:
      return b;
    case AtomicKind::Cas:
      return old == b ? c & mask : old;
  }
  return old;
}

/// A location that several atomics access.
struct AtomicCell {
  std::uint64_t offset = 0;  ///< in the CTA's shared memory, or in its part of the global cells
  bool global = false;
  unsigned bytes = 4;
  /// Kind of all atomics here, which commute; some return nothing. None: any kind that returns the
  /// old value.
  std::optional<AtomicKind> only;
  AtomicType type;  ///< type of the atomics of `only`
  /// Bound of increments and decrements, one for all so that they commute.
  std::uint64_t bound = 0;
};

class AtomicProgram {
 public:
  struct Shape {
    unsigned ctas = 3;
    unsigned warps = 3;  ///< per CTA
    unsigned phases = 2;
    unsigned atomics = 5;  ///< per phase
    std::uint32_t sharedBytes = 12288;
  };
  struct Step {
    AtomicKind kind = AtomicKind::Add;
    AtomicType type;
    bool returns = true;
    bool generic = false;   ///< cells may be in global memory
    bool branches = false;  ///< lanes that sit out jump over the atomic
  };
  /// Part of a lane in a step: an atomic, or a load or a store of a phase.
  struct Act {
    std::uint64_t offset = kNone;
    std::uint64_t b = 0, c = 0;
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kGlobal = std::uint64_t{1} << 40;
  static constexpr unsigned kGlobalBytes = 32;  ///< per CTA

  AtomicProgram(const Shape& shape, unsigned seed);

  std::string ptx() const;
  std::string launchFile() const;
  std::vector<std::uint64_t> table() const;

  /// Returns what is wrong with the threads' results; empty if nothing is.
  std::string wrong(const std::vector<std::uint64_t>& out) const;
  /// Returns the number of warp atomics on cells.
  unsigned atomics() const { return shape_.ctas * shape_.warps * shape_.phases * shape_.atomics; }

 private:
  // Parts of a thread: for each phase its atomics, its load, its store. `out` holds the same, and
  // then the thread's word.
  unsigned threads() const { return 32 * shape_.warps; }
  unsigned perPhase() const { return shape_.atomics + 2; }
  unsigned acts() const { return shape_.phases * perPhase(); }
  const Act& act(unsigned cta, unsigned thread, unsigned phase, unsigned i) const {
    return table_[((cta * threads() + thread) * shape_.phases + phase) * perPhase() + i];
  }
  std::uint32_t ownWords() const { return shape_.sharedBytes - 8 * threads(); }
  std::uint64_t place(const AtomicCell& cell) const {
    return cell.offset + (cell.global ? kGlobal : 0);
  }

  void chooseCells();
  Step chooseStep();
  bool takes(const AtomicCell& cell, const Step& step) const;
  void chooseActs(unsigned thread, unsigned phase);
  std::string atomicText(const Step& step, unsigned number) const;
  std::string phaseText(unsigned phase) const;
  std::string checkCell(unsigned cta, std::size_t cell,
                        const std::vector<std::uint64_t>& out) const;

  Shape shape_;
  std::mt19937 random_;
  std::vector<AtomicCell> cells_;
  std::vector<std::vector<Step>> steps_;  ///< by phase
  std::vector<Act> table_;
};

}  // namespace fermata::test
