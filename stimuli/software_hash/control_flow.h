// Basic blocks of a function, their dominators, and its loops. They tell where the hash of an
// address can be computed so that every use of it finds it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::software_hash {

/// Finds the blocks, numbered in the order of the text. Dominators follow the iteration of Cooper,
/// Harvey and Kennedy, A Simple, Fast Dominance Algorithm (2001). An unreachable block, and any
/// block of a function with branches through a table (brx), dominates only itself and is in no
/// loop.
class ControlFlow {
 public:
  explicit ControlFlow(const ptx::Function& function);

  std::uint32_t block(std::size_t statement) const { return blockOf_[statement]; }
  /// Returns the block's first statement.
  std::size_t first(std::uint32_t block) const { return first_[block]; }
  /// Returns the block's last statement.
  std::size_t last(std::uint32_t block) const { return first_[block + 1] - 1; }
  /// Returns true if the block's last statement leaves it: a branch, ret or exit.
  bool endsInBranch(std::uint32_t block) const { return leaves_[block]; }
  bool dominates(std::uint32_t a, std::uint32_t b) const;

  /// Returns the block at whose end to compute a value that `use` needs and that is fixed since
  /// `definition`, which dominates `use`: the block before the outermost loop that contains `use`
  /// and not `definition`. Returns nothing if there is no such loop, or if that block is in another
  /// loop that does not contain this one.
  std::optional<std::uint32_t> beforeLoops(std::uint32_t definition, std::uint32_t use) const;

 private:
  struct Loop {
    std::uint32_t header = 0;
    std::vector<bool> body;  ///< true for the blocks of the loop
  };

  void findBlocks(const ptx::Function& function);
  void findDominators();
  void findLoops();

  std::vector<std::size_t> first_;  ///< first statement of each block; then their count
  std::vector<std::uint32_t> blockOf_;
  std::vector<bool> leaves_;
  std::vector<std::vector<std::uint32_t>> next_, before_;
  std::vector<std::uint32_t> dominator_;  ///< immediate dominator; the entry's is itself
  std::vector<std::uint32_t> order_;      ///< number in the reverse post-order
  std::vector<Loop> loops_;
};

}  // namespace fermata::software_hash
