#include <fermata/models/search/split_search.h>

#include <algorithm>

#include <fermata/models/indexing/regions.h>

namespace fermata::search {
namespace {

using indexing::RegionIndexer;

/// Address bits that choose among regions: `bits` of them from bit `at` upwards.
struct Cut {
  unsigned at = 0;
  unsigned bits = 0;

  std::uint32_t regions() const { return std::uint32_t{1} << bits; }
  std::uint32_t region(std::uint32_t word) const { return word >> at & (regions() - 1); }
  std::uint32_t within(std::uint32_t word) const {
    return (word >> at >> bits << at) | (word & ((std::uint32_t{1} << at) - 1));
  }
};

/// Returns the accesses of each region, as words within it.
std::vector<AccessSets> partsOf(const AccessSets& sets, const Cut& cut) {
  std::vector<AccessSets> parts(cut.regions());
  for (AccessSets& part : parts) part.addInstruction({});
  std::vector<std::vector<std::uint32_t>> words(cut.regions());
  for (std::size_t set = 0; set < sets.size(); ++set) {
    for (auto& of : words) of.clear();
    for (const std::uint32_t word : sets.words(set))
      words[cut.region(word)].push_back(cut.within(word));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto size = static_cast<std::uint32_t>(words[i].size());
      parts[i].add(0, words[i].data(), size, sets.weight(set), true);
    }
  }
  return parts;
}

/// Returns the mapping made of the best one of each region of a cut.
Found searchParts(Found found, const Problem& problem, const ConflictCount& count, const Cut& cut,
                  const SearchOptions& options) {
  found.mapping = "regions at=" + std::to_string(cut.at);
  found.candidates = 0;
  const std::vector<AccessSets> parts = partsOf(problem.sets, cut);
  for (std::uint32_t i = 0; i < cut.regions(); ++i) {
    indexing::Shape shape = problem.shape;
    shape.words = RegionIndexer::regionWords(problem.shape.words, cut.at, cut.bits, i);
    std::string text = "mod " + std::to_string(shape.banks);
    if (parts[i].size() != 0) {
      const Found part = search(found.mappingClass, found.method, {parts[i], shape}, options);
      found.candidates += part.candidates;
      text = part.mapping;
    }
    found.mapping += " | " + text;
  }
  found.after = count.mapped(*indexing::build(found.mapping, problem.shape));
  found.proof = found.after == 0 ? Proof::ConflictFree : Proof::Heuristic;
  found.bound = 0;
  found.unchecked.clear();
  return found;
}

}  // namespace

Found searchRegions(MappingClass mappingClass, Method method, const Problem& problem,
                    const ConflictCount& count, const SearchOptions& options) {
  SearchOptions one = options;
  one.regions = 1;
  Found best = search(mappingClass, method, problem, count, one);
  unsigned reached = 0;
  while (reached < options.regionBits && problem.sets.size() != 0 &&
         problem.sets.largestWord() >> reached != 0) {
    ++reached;
  }
  std::uint64_t candidates = best.candidates;
  for (unsigned bits = 1; bits <= reached && std::uint32_t{1} << bits <= options.regions; ++bits) {
    for (unsigned at = reached - bits + 1; at-- > 0 && best.after != 0;) {
      Found found = searchParts(best, problem, count, {at, bits}, one);
      candidates += found.candidates;
      if (found.after < best.after) best = std::move(found);
    }
  }
  best.candidates = candidates;
  return best;
}

std::uint64_t conflictsByInstruction(MappingClass mappingClass, Method method,
                                     const Problem& problem, const SearchOptions& options) {
  const std::vector<Instruction>& instructions = problem.sets.instructions();
  std::vector<AccessSets> parts(instructions.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].addInstruction(instructions[i]);
  for (const Use& use : problem.sets.uses()) {
    const Words words = problem.sets.words(use.set);
    parts[use.instruction].add(0, words.first, words.size, use.count, true);
  }
  std::uint64_t conflicts = 0;
  for (const AccessSets& part : parts) {
    if (part.size() == 0) continue;
    conflicts += search(mappingClass, method, {part, problem.shape}, options).after;
  }
  return conflicts;
}

}  // namespace fermata::search
