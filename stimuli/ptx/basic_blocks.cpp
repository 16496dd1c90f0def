#include <fermata/stimuli/ptx/basic_blocks.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <limits>

namespace fermata::ptx {

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

std::vector<std::uint32_t> immediateDominators(
    std::uint32_t root, const std::vector<std::vector<std::uint32_t>>& next) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  Graph graph(next.size());
  for (std::uint32_t block = 0; block < next.size(); ++block) {
    for (const std::uint32_t to : next[block]) boost::add_edge(block, to, graph);
  }
  const auto index = boost::get(boost::vertex_index, graph);
  const auto mapOf = [&](auto& values) {
    return boost::make_iterator_property_map(values.begin(), index);
  };
  // Numbers of the depth-first search; the largest one marks blocks to which no path leads.
  std::vector<std::size_t> number(next.size(), std::numeric_limits<std::size_t>::max());
  std::vector<std::size_t> parent(number), order(number);
  std::vector<std::uint32_t> dominator(next.size(), kNoBlock);
  boost::lengauer_tarjan_dominator_tree(graph, std::size_t{root}, index, mapOf(number),
                                        mapOf(parent), order, mapOf(dominator));
  return dominator;
}

}  // namespace fermata::ptx
