#include <fermata/platforms/program/search/search_worth.h>

#include <fmt/format.h>

#include <algorithm>

namespace fermata::platforms {

namespace {

using search::AccessSets;

double percent(double part, double whole) {
  return whole == 0 ? 0 : 100 * part / whole;
}

/// Cycles that the workloads cannot do without, each times its weight.
double leastCycles(const SearchReport& report) {
  const PlatformParameters& platform = report.configuration.parameters();
  const double issued = platform.core.issue.schedulers * platform.core.issue.issueWidth;
  const Collected& collected = report.collected;
  std::vector<double> passes(collected.sources.size());
  std::vector<double> weight(collected.sources.size());
  for (std::size_t i = 0; i < collected.profile.size(); ++i) {
    const std::uint32_t source = collected.profile[i].source;
    weight[source] = static_cast<double>(collected.sets.instructions()[i].weight);
    passes[source] += static_cast<double>(collected.profile[i].groups) * weight[source] +
                      static_cast<double>(report.conflictsBefore[i]);
  }
  double cycles = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto instructions = static_cast<double>(collected.warpInstructions[i]);
    cycles += std::max(passes[i], instructions * weight[i] / issued);
  }
  return cycles;
}

std::uint64_t randomAccesses(const InstructionProfile& profile) {
  std::uint64_t sum = 0;
  for (const auto& [found, count] : profile.classes) {
    if (found.kind == search::AccessKind::Random) sum += count;
  }
  return sum;
}

double dataShare(const SearchReport& report) {
  const Collected& collected = report.collected;
  std::vector<std::uint64_t> distinct(collected.profile.size(), 0);
  for (const search::Use& use : collected.sets.uses()) ++distinct[use.instruction];
  std::uint64_t conflicts = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const InstructionProfile& profile = collected.profile[i];
    const bool random = 2 * randomAccesses(profile) >= profile.accesses;
    const bool recur = 2 * distinct[i] < report.counted[i];
    if (random && !recur) conflicts += report.conflictsBefore[i];
  }
  return percent(static_cast<double>(conflicts), static_cast<double>(report.before));
}

/// Every second set, from the first or from the second.
AccessSets half(const AccessSets& sets, std::size_t first) {
  AccessSets kept;
  const std::uint32_t all = kept.addInstruction({});
  for (std::size_t set = first; set < sets.size(); set += 2) {
    const search::Words words = sets.words(set);
    kept.add(all, words.first, words.size, sets.weight(set));
  }
  return kept;
}

double removedOfOtherHalf(const SearchRequest& request, const SearchReport& report,
                          const SearchRow& row) {
  const AccessSets seen = half(report.collected.sets, 0);
  const AccessSets others = half(report.collected.sets, 1);
  const search::Found found = search::search(row.found.mappingClass, row.found.method,
                                             {seen, report.shape}, request.searchOptions);
  const search::ConflictCount count(others, report.addressBits());
  const auto before =
      static_cast<double>(count.mapped(*indexing::build(report.baseline, report.shape)));
  const auto after =
      static_cast<double>(count.mapped(*indexing::build(found.mapping, report.shape)));
  return percent(before - after, before);
}

}  // namespace

Worth worthOf(const SearchRequest& request, const SearchReport& report, const SearchRow& row) {
  Worth worth;
  worth.dataPercent = dataShare(report);
  const auto before = static_cast<double>(report.before);
  double removed = before - static_cast<double>(row.after);
  if (worth.dataPercent >= 50) {
    worth.otherHalfPercent = removedOfOtherHalf(request, report, row);
    removed = before * std::max(0.0, *worth.otherHalfPercent) / 100;
  }
  worth.mostPercent = percent(removed, leastCycles(report));
  return worth;
}

std::string worthText(const SearchRequest& request, const Worth& worth) {
  std::string text;
  if (worth.otherHalfPercent) {
    text += fmt::format(
        "data-dependent: {:.0f}% of the conflicts are of accesses without a pattern that hardly "
        "recur; found on one half\nof the access sets, the mapping removes {:.1f}% of the "
        "conflicts "
        "of the other half\n",
        worth.dataPercent, *worth.otherHalfPercent);
  }
  const char* const noise = worth.otherHalfPercent ? " of other data" : "";
  if (worth.mostPercent < request.worthPercent) {
    text += fmt::format(
        "not worth it: it saves at most {:.1f}% of the cycles{}, which is less than {:g}% "
        "(--worth)\n",
        worth.mostPercent, noise, request.worthPercent);
  } else if (!request.workloads.empty()) {
    text += fmt::format("it saves at most {:.1f}% of the cycles{}; --apply runs it\n",
                        worth.mostPercent, noise);
  }
  return text;
}

}  // namespace fermata::platforms
