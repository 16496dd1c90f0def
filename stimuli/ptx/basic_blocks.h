// The control-flow graph of a function, and its dominators.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/kernel_decoder.h>

namespace fermata::ptx {

inline constexpr std::uint32_t kNoBlock = 0xffffffffU;

/// Blocks in the order of their PCs. The last one is the exit, which holds no instruction.
struct BasicBlocks {
  std::vector<std::uint32_t> first;  ///< first PC, by block
  std::vector<std::uint32_t> ofPc;   ///< block, by PC minus the first PC of the range
  std::vector<std::vector<std::uint32_t>> next, before;

  std::uint32_t exit() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

BasicBlocks basicBlocks(const KernelCode& code, CodeRange range);

/// Returns the immediate dominator of each block on the paths from `root`, or kNoBlock for the root
/// and for blocks to which no path leads. `next` holds the edges. With the edges reversed and the
/// exit as root: post-dominators.
std::vector<std::uint32_t> immediateDominators(std::uint32_t root,
                                               const std::vector<std::vector<std::uint32_t>>& next);

}  // namespace fermata::ptx
