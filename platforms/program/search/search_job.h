// The job of `fermata search`: collects accesses, searches mappings, and counts conflicts per
// instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/search/general/general_xor.h>
#include <fermata/models/search/search.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/cost/mapping_costs.h>
#include <fermata/platforms/program/measurement.h>
#include <fermata/platforms/program/search/access_collection.h>
#include <fermata/platforms/program/search/residency.h>
#include <fermata/platforms/program/search/search_pairs.h>
#include <fermata/results/progress.h>

namespace fermata::platforms {

struct SearchRequest : Measurement {
  // Sources of accesses, collected in this order, behind `workloads`; at least one is set.
  std::vector<std::string> program;  ///< command; the only workload is a trace of its launches
  std::vector<std::string> accessFiles;
  std::vector<std::string> accessTexts;
  std::vector<std::string> layouts;  ///< texts for search::Layout
  /// Texts for search::Atom: one for all layouts, or one per layout.
  std::vector<std::string> atoms;
  /// Bytes of an element: in layouts and in the words for a kernel's author.
  std::uint32_t elementBytes = 4;
  std::vector<std::uint64_t> weights;  ///< empty, or one per source above

  std::optional<std::uint32_t> banks;  ///< empty: the platform's
  std::optional<std::uint32_t> words;  ///< empty: the number of words of the platform's scratchpad
  std::vector<std::string> classes;    ///< see chooseSearches()
  std::vector<std::string> methods;
  search::SearchOptions searchOptions;
  bool l1 = false;  ///< search l1.indexer, for hits of the L1
  bool pareto = false;
  bool keepOccupancy = false;         ///< no padding that costs a resident CTA
  bool evenWithoutConflicts = false;  ///< search even if there is nothing to win
  /// Percent of the cycles. A mapping that saves less is not worth it.
  double worthPercent = 1;
  std::optional<EnergyRequest> energy;  ///< of the runs with and without the best mapping
  Connector* connector = nullptr;       ///< for these runs; null: the platform as configured
};

/// Place where a mapping is made: in the indices of a kernel, by its programmer, or in hardware,
/// for all kernels.
enum class MadeIn { Kernel, Hardware };
const char* name(MadeIn where);  ///< "in the kernel", "in hardware"
inline MadeIn whereOf(search::MappingClass mappingClass) {
  return search::ofKernel(mappingClass) ? MadeIn::Kernel : MadeIn::Hardware;
}

/// Result of one search. Conflicts are sums over the access sets of count * weight * (degree - 1).
/// They are estimates (AccessSets::whole) if only a sample of the sets was kept.
struct SearchRow {
  search::Found found;
  std::uint64_t after = 0;
  unsigned latency = 0;           ///< extra cycles per access
  MappingPrice price;             ///< 0 gates for padding, which takes no hardware
  std::uint32_t banks = 0;        ///< of the mapping
  std::uint32_t extraWords = 0;   ///< inserted by padding below the largest word accessed
  std::optional<Residency> lost;  ///< CTAs lost to `extraWords`; empty: no kernel loses one
  /// Conflicts per instruction. They add up to `after`; estimates do so up to rounding.
  std::vector<std::uint64_t> conflicts;

  MadeIn where() const { return whereOf(found.mappingClass); }
};

/// A search that was requested, by name or as part of "all", and is impossible.
struct LeftOut {
  SearchPair pair;
  std::string reason;
};

struct SearchReport {
  Configuration configuration;
  bool ofLayouts = false;  ///< layouts are searched
  indexing::Shape shape;
  bool l1 = false;       ///< the memory is the L1's data array
  std::string baseline;  ///< text of the mapping word mod banks
  Collected collected;
  std::uint64_t before = 0;                    ///< conflicts of the baseline
  std::vector<std::uint64_t> conflictsBefore;  ///< per instruction
  /// Accesses per instruction on which the conflicts were counted.
  std::vector<std::uint64_t> counted;
  std::vector<double> meanDegree;  ///< mean passes of the counted accesses; 0: none were counted
  std::vector<SearchRow> rows;
  std::vector<LeftOut> leftOut;
  std::vector<search::ParetoPoint> pareto;

  /// Returns whether conflicts are estimates: the access sets are a sample.
  bool estimates() const { return collected.sets.sampled(); }
  /// Returns the bits of a word's address; at least as many as a bank number has.
  unsigned addressBits() const;
  /// Returns the row with fewest conflicts among those made there; nullptr if none was searched. In
  /// hardware a modulus of more banks is another memory: it counts only if nothing else was
  /// searched. At a tie, a row with a price wins, then fewest banks, lowest latency, fewest gates;
  /// in the kernel, one that costs no resident CTA, then padding (of layouts, a swizzle).
  const SearchRow* bestIn(MadeIn where) const;
  /// Returns bestIn() the kernel for layouts, otherwise in hardware; the other one if that has
  /// none.
  const SearchRow* best() const;
  /// Returns bestIn() hardware of the rows that have a price.
  const SearchRow* bestPriced() const;
  // Each returns the best row within one kind of mapping, or nullptr.
  const SearchRow* bestHash() const;
  const SearchRow* bestModulus() const;
  const SearchRow* bestPadding() const;
  const SearchRow* bestSwizzle() const;
};

/// Runs the searches. Throws BadInput, and what a wrong result of a kernel throws.
SearchReport runSearch(const SearchRequest& request, results::Progress& progress);

/// Returns "conflict-free", "optimal", "bound=N" or "heuristic".
std::string proofText(const search::Found& found);

}  // namespace fermata::platforms
