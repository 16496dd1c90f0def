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
  std::vector<std::uint32_t> ofPc;   ///< block of a PC, counted from the first of the range
  std::vector<std::vector<std::uint32_t>> next, before;

  std::uint32_t exit() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

BasicBlocks basicBlocks(const KernelCode& code, CodeRange range);

/// Immediate dominator of each block on the paths from `root`, whose edges `next` holds and
/// `before` reversed; kNoBlock: no path leads there. With the two exchanged and the exit as root:
/// post-dominators. Cooper, Harvey and Kennedy's iteration.
std::vector<std::uint32_t> immediateDominators(
    std::uint32_t root, const std::vector<std::vector<std::uint32_t>>& next,
    const std::vector<std::vector<std::uint32_t>>& before);

}  // namespace fermata::ptx
