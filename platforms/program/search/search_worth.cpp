#include <fermata/platforms/program/search/search_worth.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fermata::platforms {

namespace {

using search::AccessSets;

double percent(double part, double whole) {
  return whole == 0 ? 0 : 100 * part / whole;
}

std::uint64_t randomAccesses(const InstructionProfile& profile) {
  std::uint64_t sum = 0;
  for (const auto& [found, count] : profile.classes) {
    if (found.kind == search::AccessKind::Random) sum += count;
  }
  return sum;
}

double dataShare(const SearchRequest& request, const SearchReport& report) {
  const Collected& collected = report.collected;
  // Layouts come last among the sources; no data decide their accesses.
  const std::size_t layouts = collected.sources.size() - request.layouts.size();
  std::vector<std::uint64_t> distinct(collected.profile.size(), 0);
  for (const search::Use& use : collected.sets.uses()) ++distinct[use.instruction];
  std::uint64_t conflicts = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const InstructionProfile& profile = collected.profile[i];
    if (profile.source >= layouts) continue;
    const bool random = 2 * randomAccesses(profile) >= profile.accesses;
    const bool recur = 2 * distinct[i] < report.counted[i];
    if (random && !recur) conflicts += report.conflictsBefore[i];
  }
  return percent(static_cast<double>(conflicts), static_cast<double>(report.before));
}

/// Returns every second set, starting at set `first` (0 or 1).
AccessSets half(const AccessSets& sets, std::size_t first) {
  AccessSets kept;
  const std::uint32_t all = kept.addInstruction({});
  for (std::size_t set = first; set < sets.size(); set += 2) {
    const search::Words words = sets.words(set);
    kept.add(all, words.first, words.size, sets.weight(set), true);
  }
  return kept;
}

double removedOfOtherHalf(const SearchRequest& request, const SearchReport& report,
                          const SearchRow& row) {
  const AccessSets seen = half(report.collected.sets, 0);
  const AccessSets others = half(report.collected.sets, 1);
  search::SearchOptions options = request.searchOptions;
  if (row.where() == MadeIn::Kernel && report.collected.widestBytes > report.shape.wordBytes)
    options.vectorBytes = std::max(options.vectorBytes, report.collected.widestBytes);
  const search::Found found =
      search::search(row.found.mappingClass, row.found.method, {seen, report.shape}, options);
  const search::ConflictCount count(others, report.addressBits());
  const auto before =
      static_cast<double>(count.mapped(*indexing::build(report.baseline, report.shape)));
  const auto after =
      static_cast<double>(count.mapped(*indexing::build(found.mapping, report.shape)));
  return percent(before - after, before);
}

}  // namespace

bool Worth::reaches(double percent) const {
  if (savedPercent && *savedPercent < percent) return false;
  if (savedOfOthersPercent) return *savedOfOthersPercent >= percent;
  return !otherHalfPercent || *otherHalfPercent >= percent;
}

Worth worthOf(const SearchRequest& request, const SearchReport& report, const SearchRow& row,
              const Applied& applied) {
  Worth worth;
  worth.savedPercent = applied.savedPercent(row);
  worth.dataPercent = dataShare(request, report);
  if (worth.dataPercent < 50) return worth;
  worth.otherHalfPercent = removedOfOtherHalf(request, report, row);
  const auto before = static_cast<double>(report.before);
  const double removed = percent(before - static_cast<double>(row.after), before);
  if (worth.savedPercent && *worth.savedPercent > 0 && removed > 0)
    worth.savedOfOthersPercent =
        *worth.savedPercent * std::max(0.0, *worth.otherHalfPercent) / removed;
  return worth;
}

std::string worthText(const SearchRequest& request, const Applied& applied, const Worth& worth) {
  std::string text;
  if (worth.otherHalfPercent) {
    text += fmt::format(
        "data-dependent: {:.0f}% of the conflicts are of accesses without a pattern that hardly "
        "recur; found on one half\nof the access sets, the mapping removes {:.1f}% of the "
        "conflicts of the other half\n",
        worth.dataPercent, *worth.otherHalfPercent);
  }
  std::string saves = "what it saves of the cycles is unknown: " + applied.notRun;
  if (worth.savedPercent) {
    saves = fmt::format(
        *worth.savedPercent < 0 ? "it takes {:.1f}% more cycles" : "it saves {:.1f}% of the cycles",
        std::abs(*worth.savedPercent));
  }
  if (worth.savedOfOthersPercent)
    saves += fmt::format(", and about {:.1f}% with other data", *worth.savedOfOthersPercent);
  if (worth.reaches(request.worthPercent)) return text + saves + '\n';
  return text + fmt::format("not worth it: {}; expected {:g}% or more (--worth)\n", saves,
                            request.worthPercent);
}

}  // namespace fermata::platforms
