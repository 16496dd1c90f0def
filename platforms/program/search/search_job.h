// The job of `fermata search`: accesses collected, mappings searched, conflicts counted for each
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
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/cost/mapping_costs.h>
#include <fermata/platforms/program/search/access_collection.h>
#include <fermata/platforms/program/search/residency.h>
#include <fermata/platforms/program/search/search_pairs.h>
#include <fermata/results/progress.h>
#include <fermata/stimuli/launch/launch_workload.h>

namespace fermata::platforms {

struct SearchRequest {
  std::string platform = "gtx480";
  std::vector<std::string> sets;  ///< "path=value"
  // Where accesses come from, in this order; at least one.
  std::vector<std::string> workloads;   ///< names or paths
  std::vector<std::string> program;     ///< command whose launches the only workload is a trace of
  std::vector<std::string> parameters;  ///< "name=value", for every workload
  launch::WorkloadOptions options;      ///< of kernels
  std::vector<std::string> accessFiles;
  std::vector<std::string> accessTexts;
  std::vector<std::string> layouts;    ///< search::Layout
  std::vector<std::string> atoms;      ///< search::Atom: one for all layouts, or one for each
  std::uint32_t elementBytes = 4;      ///< of layouts and of what is said in a kernel's words
  std::vector<std::uint64_t> weights;  ///< none, or one for each of the above

  std::optional<std::uint32_t> banks;  ///< nothing: the platform's
  std::optional<std::uint32_t> words;  ///< nothing: as many as the platform's scratchpad has
  std::vector<std::string> classes;    ///< see chooseSearches()
  std::vector<std::string> methods;
  search::SearchOptions searchOptions;
  bool pareto = false;
  bool keepOccupancy = false;         ///< no padding that costs a resident CTA
  bool evenWithoutConflicts = false;  ///< search although there is nothing to win
  /// A mapping that saves a smaller share of the cycles is not worth it.
  double worthPercent = 1;
  std::optional<EnergyRequest> energy;  ///< of the runs with the best mapping and without
  Connector* connector = nullptr;       ///< of these runs; null: as a platform comes
};

/// What a mapping leaves. Conflicts are sums over the access sets of count times weight times
/// (degree - 1), an estimate (AccessSets::whole) when only a sample of the sets was kept.
struct SearchRow {
  search::Found found;
  std::uint64_t after = 0;
  unsigned latency = 0;           ///< extra cycles of an access
  MappingPrice price;             ///< of padding, which takes no hardware: 0 gates
  std::uint32_t banks = 0;        ///< of the mapping
  std::uint32_t extraWords = 0;   ///< that padding inserts below the largest word accessed
  std::optional<Residency> lost;  ///< by these; nothing: no kernel loses a CTA
  /// Of each instruction; they add up to `after`, estimates but for rounding.
  std::vector<std::uint64_t> conflicts;
};

/// A search that was asked for, by name or as one of all, and could not be made.
struct LeftOut {
  SearchPair pair;
  std::string reason;
};

struct SearchReport {
  Configuration configuration;
  indexing::Shape shape;
  std::string baseline;  ///< word mod banks, as a mapping text
  Collected collected;
  std::uint64_t before = 0;                    ///< conflicts of the baseline
  std::vector<std::uint64_t> conflictsBefore;  ///< of each instruction
  /// Accesses of each instruction that the conflicts were counted on, and their mean degree there.
  std::vector<std::uint64_t> counted;
  std::vector<double> meanDegree;  ///< 0: none were counted
  std::vector<SearchRow> rows;
  std::vector<LeftOut> leftOut;
  std::vector<search::ParetoPoint> pareto;

  /// The conflicts are estimates: the access sets are a sample.
  bool estimates() const { return collected.sets.sampled(); }
  /// Bits of a word's address, at least as many as a bank's number has.
  unsigned addressBits() const;
  /// Of the rows with no more banks than the memory has, the one with fewest conflicts, at a tie
  /// one with a price, then fewest banks, lowest latency, fewest gates. A modulus of more banks,
  /// which is another memory, and padding, which changes the kernel, only when nothing else was
  /// searched. nullptr: nothing was.
  const SearchRow* best() const;
  /// best() of the rows that have a price.
  const SearchRow* bestPriced() const;
  // The same within one kind, or nullptr.
  const SearchRow* bestHash() const;
  const SearchRow* bestModulus() const;
  const SearchRow* bestPadding() const;
  const SearchRow* bestSwizzle() const;
};

/// Throws BadInput and what a wrong result of a kernel throws.
SearchReport runSearch(const SearchRequest& request, results::Progress& progress);

/// "conflict-free", "optimal", "bound=N" or "heuristic".
std::string proofText(const search::Found& found);

}  // namespace fermata::platforms
