#include <fermata/stimuli/ptx/basic_blocks.h>

#include <utility>

namespace fermata::ptx {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> postOrder(std::uint32_t root, const Edges& next) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(next.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  stack.emplace_back(root, 0);
  seen[root] = true;
  while (!stack.empty()) {
    const std::uint32_t block = stack.back().first;
    if (stack.back().second == next[block].size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = next[block][stack.back().second++];
    if (seen[to]) continue;
    seen[to] = true;
    stack.emplace_back(to, 0);
  }
  return order;
}

}  // namespace

BasicBlocks basicBlocks(const KernelCode& code, CodeRange range) {
  const std::uint32_t count = range.end - range.first;
  std::vector<bool> leader(count + 1, false);
  leader[0] = leader[count] = true;
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    if (!endsBlock(code.instructions[pc])) continue;
    leader[pc + 1 - range.first] = true;
    for (const std::uint32_t to : successors(code, pc, range.end)) leader[to - range.first] = true;
  }
  BasicBlocks blocks;
  blocks.ofPc.resize(count + 1);
  for (std::uint32_t at = 0; at <= count; ++at) {
    if (leader[at]) blocks.first.push_back(range.first + at);
    blocks.ofPc[at] = static_cast<std::uint32_t>(blocks.first.size() - 1);
  }
  const std::size_t size = blocks.first.size();
  blocks.next.resize(size);
  blocks.before.resize(size);
  for (std::uint32_t block = 0; block + 1 < size; ++block) {
    for (const std::uint32_t to : successors(code, blocks.first[block + 1] - 1, range.end)) {
      blocks.next[block].push_back(blocks.ofPc[to - range.first]);
      blocks.before[blocks.ofPc[to - range.first]].push_back(block);
    }
  }
  return blocks;
}

std::vector<std::uint32_t> immediateDominators(std::uint32_t root, const Edges& next,
                                               const Edges& before) {
  const std::vector<std::uint32_t> order = postOrder(root, next);
  std::vector<std::uint32_t> number(next.size(), kNoBlock);
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
  std::vector<std::uint32_t> dominator(next.size(), kNoBlock);
  dominator[root] = root;
  const auto intersect = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominator[a];
      while (number[b] < number[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin() + 1; it < order.rend(); ++it) {
      std::uint32_t best = kNoBlock;
      for (const std::uint32_t from : before[*it]) {
        if (dominator[from] == kNoBlock) continue;
        best = best == kNoBlock ? from : intersect(from, best);
      }
      if (best != kNoBlock && dominator[*it] != best) {
        dominator[*it] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

}  // namespace fermata::ptx
