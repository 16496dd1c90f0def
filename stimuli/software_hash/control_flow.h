// Basic blocks of a function, what dominates them, and its loops: where the hash of an address may
// be computed so that it is there wherever it is used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::software_hash {

/// Blocks have numbers in the order of the text. Dominators by the iteration of Cooper, Harvey and
/// Kennedy, A Simple, Fast Dominance Algorithm (2001). A block that cannot be reached, and any
/// block of a function with branches through a table (brx), dominates itself only and is in no
/// loop.
class ControlFlow {
 public:
  explicit ControlFlow(const ptx::Function& function);

  std::uint32_t block(std::size_t statement) const { return blockOf_[statement]; }
  /// Its first statement.
  std::size_t first(std::uint32_t block) const { return first_[block]; }
  /// Its last statement.
  std::size_t last(std::uint32_t block) const { return first_[block + 1] - 1; }
  /// Its last statement leaves it: a branch, ret or exit.
  bool endsInBranch(std::uint32_t block) const { return leaves_[block]; }
  bool dominates(std::uint32_t a, std::uint32_t b) const;

  /// The block at whose end to compute what `use` needs and what is fixed since `definition`, which
  /// dominates it: before the outermost loop that is around the one and not around the other.
  /// Nothing when there is no such loop, or when that block is in a loop of its own.
  std::optional<std::uint32_t> beforeLoops(std::uint32_t definition, std::uint32_t use) const;

 private:
  struct Loop {
    std::uint32_t header = 0;
    std::vector<bool> body;  ///< by block
  };

  void findBlocks(const ptx::Function& function);
  void findDominators();
  void findLoops();

  std::vector<std::size_t> first_;  ///< and the number of statements
  std::vector<std::uint32_t> blockOf_;
  std::vector<bool> leaves_;
  std::vector<std::vector<std::uint32_t>> next_, before_;
  std::vector<std::uint32_t> dominator_;  ///< immediate; of the entry itself
  std::vector<std::uint32_t> order_;      ///< number in the reverse post-order
  std::vector<Loop> loops_;
};

}  // namespace fermata::software_hash
