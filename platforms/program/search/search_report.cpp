#include <fermata/platforms/program/search/search_report.h>

#include <fermata/platforms/program/called_as.h>

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/cost/cost_table.h>
#include <fermata/platforms/program/search/search_advice.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

using results::Align;
using results::grouped;
using search::MappingClass;

constexpr std::size_t kRowsShown = 12;  ///< rows of the instruction table

/// Instructions of one source line: an unrolled loop is one row for a person.
struct LineRow {
  std::string workload;
  std::string place;
  std::string opcode;
  InstructionProfile profile;
  std::uint64_t counted = 0;  ///< access sets behind the mean passes
  double degrees = 0;         ///< sum of degrees over these sets
  std::uint64_t before = 0;
  std::vector<std::uint64_t> after;  ///< by mapping of the table
};

std::string placeText(const search::Instruction& one) {
  const std::string file = std::filesystem::path(one.file).filename().string();
  if (one.line != 0) return fmt::format("{}:{}", file, one.line);
  if (one.nearLine != 0) return fmt::format("about {}:{}", file, one.nearLine);
  return one.kernel.empty() ? "-" : fmt::format("{} pc {}", one.kernel, one.pc);
}

/// Returns the best mapping in the kernel and the best in hardware, as far as they were searched.
std::vector<const SearchRow*> bestRows(const SearchReport& report) {
  std::vector<const SearchRow*> rows;
  for (const MadeIn where : {MadeIn::Kernel, MadeIn::Hardware}) {
    if (const SearchRow* const row = report.bestIn(where)) rows.push_back(row);
  }
  return rows;
}

std::vector<LineRow> lineRows(const SearchReport& report,
                              const std::vector<const SearchRow*>& best) {
  std::vector<LineRow> rows;
  std::map<std::tuple<std::uint32_t, std::string, std::string>, std::size_t> known;
  const Collected& collected = report.collected;
  for (std::size_t i = 0; i < collected.profile.size(); ++i) {
    const search::Instruction& one = collected.sets.instructions()[i];
    const InstructionProfile& profile = collected.profile[i];
    const auto [entry, fresh] =
        known.emplace(std::make_tuple(profile.source, placeText(one), one.opcode), rows.size());
    if (fresh) rows.push_back({one.workload, placeText(one), one.opcode, {}, 0, 0, 0, {}});
    LineRow& row = rows[entry->second];
    row.profile.accesses += profile.accesses;
    row.profile.groups += profile.groups;
    row.profile.otherClasses += profile.otherClasses;
    for (const auto& [found, count] : profile.classes) row.profile.add(found, count);
    row.counted += report.counted[i];
    row.degrees += report.meanDegree[i] * static_cast<double>(report.counted[i]);
    row.before += report.conflictsBefore[i];
    row.after.resize(best.size());
    for (std::size_t k = 0; k < best.size(); ++k) row.after[k] += best[k]->conflicts[i];
  }
  std::stable_sort(rows.begin(), rows.end(), [](const LineRow& a, const LineRow& b) {
    return std::tie(a.before, a.after) > std::tie(b.before, b.after);
  });
  return rows;
}

std::string allClasses(const InstructionProfile& profile) {
  std::vector<std::string> parts;
  for (const auto& [found, count] : profile.classes) {
    parts.push_back(fmt::format("{}x {}", count, found.text()));
  }
  if (profile.otherClasses != 0) parts.push_back(fmt::format("{}x other", profile.otherClasses));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

void printInstructions(const SearchReport& report, const std::vector<const SearchRow*>& best,
                       bool every, std::ostream& out) {
  const bool several = report.collected.sources.size() > 1;
  std::vector<results::TableColumn> columns;
  if (several) columns.push_back({"workload", Align::Left});
  for (const char* heading : {"source", "instruction", "accesses are"}) {
    columns.push_back({heading, Align::Left});
  }
  for (const char* heading : {"accesses", "mean passes", "conflicts"}) columns.push_back({heading});
  for (const SearchRow* const row : best) columns.push_back({name(row->where())});
  results::Table table(std::move(columns));
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const LineRow& row : lineRows(report, best)) {
    const std::uint64_t after =
        std::accumulate(row.after.begin(), row.after.end(), std::uint64_t{0});
    const bool conflicts = row.before + after != 0;
    if (!every && (!conflicts || shown == kRowsShown)) {
      left += conflicts ? 1 : 0;
      continue;
    }
    ++shown;
    std::vector<std::string> cells;
    if (several) cells.push_back(row.workload);
    cells.insert(
        cells.end(),
        {row.place, row.opcode, every ? allClasses(row.profile) : row.profile.classText(),
         grouped(row.profile.accesses),
         row.counted == 0 ? "-" : results::fixed(row.degrees / static_cast<double>(row.counted), 2),
         counted(report, row.before)});
    for (const std::uint64_t one : row.after) cells.push_back(counted(report, one));
    table.row(std::move(cells));
  }
  if (shown == 0) return;
  out << '\n';
  table.print(out);
  if (left != 0)
    out << fmt::format("and {} with conflicts; --profile shows all\n", plural(left, "more line"));
}

/// Formats the number of mappings in the searched space; for the general search, of all that exist.
std::string candidates(const search::Found& found) {
  constexpr std::uint64_t kMostDigits = 1000000000;
  return found.candidates < kMostDigits
             ? grouped(found.candidates)
             : fmt::format("{:.1e}", static_cast<double>(found.candidates));
}

/// Prints why methods are missing from the table, and the part searched of unlimited classes.
void printSearched(const SearchReport& report, std::ostream& out) {
  for (const LeftOut& one : report.leftOut) {
    out << fmt::format("{} {} was left out: {}\n", name(one.pair.mappingClass),
                       name(one.pair.method), one.reason);
  }
  std::set<std::string> unpriced;
  for (const SearchRow& row : report.rows) {
    if (!row.price.gates && unpriced.insert(row.price.why).second)
      out << "no price: " << row.price.why << '\n';
  }
  for (const SearchRow& row : report.rows) {
    if (row.found.searched.empty()) continue;
    out << fmt::format("{} searched: {}\n", name(row.found.mappingClass), row.found.searched);
  }
  std::string large;
  for (const MappingClass one : {MappingClass::Pairs, MappingClass::Matrix}) {
    const auto row = std::find_if(report.rows.begin(), report.rows.end(),
                                  [&](const SearchRow& r) { return r.found.mappingClass == one; });
    if (row == report.rows.end()) continue;
    large += fmt::format("{}{} ({} mappings)", large.empty() ? "" : ", ", name(one),
                         candidates(row->found));
  }
  if (!large.empty()) out << "too large for an exhaustive search: " << large << '\n';
}

void printResults(const SearchReport& report, std::ostream& out) {
  results::Table table({{"class", Align::Left},
                        {"method", Align::Left},
                        {"candidates"},
                        {"mapping", Align::Left},
                        {"conflicts"},
                        {"removed"},
                        {"cost", Align::Left},
                        {"proof", Align::Left}});
  for (const SearchRow& row : report.rows) {
    table.row({name(row.found.mappingClass), name(row.found.method), candidates(row.found),
               row.found.mapping,
               fmt::format("{} -> {}", counted(report, report.before), counted(report, row.after)),
               removed(report.before, row.after), costText(report, row), proofText(row.found)});
  }
  for (const LeftOut& one : report.leftOut) {
    table.row(
        {name(one.pair.mappingClass), name(one.pair.method), "-", "-", "-", "-", "-", "left out"});
  }
  out << '\n';
  table.print(out);
  printSearched(report, out);
  for (const SearchRow& row : report.rows) {
    if (row.found.unchecked.empty()) continue;
    out << fmt::format(
        "note: {} {} without its rank check would choose {}: rank {} of {}, which maps different "
        "words onto one place\n",
        name(row.found.mappingClass), name(row.found.method), row.found.unchecked,
        row.found.uncheckedRank, row.found.rank);
  }
}

/// Prints a table per workload if there are several.
void printSources(const SearchReport& report, const std::vector<const SearchRow*>& best,
                  std::ostream& out) {
  const Collected& collected = report.collected;
  const std::size_t sources = collected.sources.size();
  if (sources < 2) return;
  std::vector<std::uint64_t> accesses(sources);
  std::vector<std::uint64_t> weight(sources);
  std::vector<std::vector<std::uint64_t>> conflicts(sources,
                                                    std::vector<std::uint64_t>(1 + best.size()));
  for (std::size_t i = 0; i < collected.profile.size(); ++i) {
    const std::uint32_t source = collected.profile[i].source;
    accesses[source] += collected.profile[i].accesses;
    weight[source] = collected.sets.instructions()[i].weight;
    conflicts[source][0] += report.conflictsBefore[i];
    for (std::size_t k = 0; k < best.size(); ++k) conflicts[source][1 + k] += best[k]->conflicts[i];
  }
  std::vector<results::TableColumn> columns{
      {"workload", Align::Left}, {"accesses"}, {"weight"}, {"conflicts"}};
  for (const SearchRow* const row : best) columns.push_back({name(row->where())});
  results::Table table(std::move(columns));
  for (std::size_t i = 0; i < sources; ++i) {
    std::vector<std::string> cells{collected.sources[i], grouped(accesses[i]), grouped(weight[i])};
    for (const std::uint64_t one : conflicts[i]) cells.push_back(counted(report, one));
    table.row(std::move(cells));
  }
  out << "\nconflicts, times the weight:\n";
  table.print(out);
}

/// Quotes a word of a command line if a shell would change it.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./=,:+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  return "'" + boost::replace_all_copy(word, "'", "'\\''") + "'";
}

/// Says where the conflicts of a run differ from those counted here.
void printRules(const SearchReport& report, std::ostream& out) {
  const Collected& collected = report.collected;
  const PlatformParameters& platform = report.configuration.parameters();
  if (collected.atomics && platform.crossbar.atomics->needs.locks)
    out << fmt::format(
        "note: shared atomics of {} take locks: the steps of a run depend on its timing; here they "
        "count as loads\n",
        platform.name);
  if (collected.loops)
    out << fmt::format(
        "note: some shared atomics of {} are loops: a run takes more rounds where another warp "
        "swaps a word in between\n",
        platform.name);
  if (report.l1 || report.estimates() || !platform.crossbar.groups.idleGroupsCount) return;
  std::uint64_t conflicts = 0;
  for (std::size_t i = 0; i < collected.profile.size(); ++i) {
    const InstructionProfile& profile = collected.profile[i];
    conflicts += (profile.passes - profile.idealPasses) * collected.sets.instructions()[i].weight;
  }
  if (collected.countsPasses && conflicts != report.before)
    out << fmt::format(
        "note: lane groups without lanes take a pass anyway, which hides conflicts: a run counts "
        "{}\n",
        grouped(conflicts));
}

}  // namespace

void printSearch(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 bool everyInstruction, std::ostream& out) {
  const Collected& collected = report.collected;
  const search::AccessSets& sets = collected.sets;
  out << fmt::format("{} on {}: {}, {}\n", fmt::join(collected.sources, ", "),
                     report.configuration.parameters().name, plural(report.shape.banks, "bank"),
                     plural(report.shape.words, "word"));
  out << fmt::format(
      "{}, {}, {} with {}\n",
      fmt::format("{} {} access{}", grouped(collected.accesses()), report.l1 ? "L1" : "shared",
                  collected.accesses() == 1 ? "" : "es"),
      plural(sets.size(), "distinct access set"),
      (report.estimates() ? "~" : "") + plural(report.before, "conflict"), report.baseline);
  if (report.estimates()) {
    out << fmt::format(
        "note: one distinct access set in {} was kept: conflicts (~) are estimates, scaled as the "
        "accesses of these sets\nare to all, and nothing is proved\n",
        sets.sampling());
  }
  printRules(report, out);
  const std::vector<const SearchRow*> best = bestRows(report);
  printSources(report, best, out);
  printInstructions(report, best, everyInstruction, out);
  if (report.rows.empty()) {
    if (report.before == 0) out << "nothing to search: there is no conflict\n";
    return;
  }
  for (const SearchRow* const row : best)
    out << fmt::format("{}: with {}\n", name(row->where()), row->found.mapping);
  printResults(report, out);
  printAdvice(request, report, applied, out);
}

void printPareto(const SearchReport& report, std::ostream& out) {
  results::Table table({{"gates"},
                        {"depth"},
                        {"NAND2"},
                        {"ns"},
                        {"fJ"},
                        {"conflicts"},
                        {"removed"},
                        {"mapping", Align::Left}});
  for (const search::ParetoPoint& point : report.pareto) {
    const BlockCost cost = costOfXors(CostTable::ours(), point.gates, point.depth);
    table.row({std::to_string(point.gates), std::to_string(point.depth),
               results::fixed(cost.gates, 1), results::fixed(cost.delay, 2),
               results::fixed(cost.energy, 0), counted(report, point.conflicts),
               removed(report.before, point.conflicts), matrixText(point.bank)});
  }
  out << "\ncompromises of XOR gates (two inputs; in NAND2 equivalents, ns and fJ a lane of 180 nm "
         "cells) and conflicts:\n";
  table.print(out);
}

std::vector<std::string> settingsFor(const SearchReport& report, const std::string& mapping) {
  std::vector<std::string> settings;
  if (report.l1) return {"l1.indexer=" + mapping};
  const std::uint32_t banks = indexing::build(mapping, report.shape)->shape().banks;
  if (banks == report.shape.banks && banks != report.configuration.parameters().scratchpad.banks) {
    settings.push_back("scratchpad.banks=" + std::to_string(banks));
  }
  settings.push_back("scratchpad.indexer=" + mapping);
  return settings;
}

std::string runCommand(const SearchRequest& request, const SearchReport& report,
                       const std::string& mapping) {
  const bool exec = !request.program.empty();
  std::string text = quoted(calledAs()) + (exec ? " exec" : " run");
  if (!exec) {
    for (const std::string& workload : request.workloads) text += " " + quoted(workload);
  }
  text += " --platform " + quoted(request.platform);
  if (!exec) {
    for (const std::string& parameter : request.parameters) text += " --param " + quoted(parameter);
  }
  for (const std::string& set : request.sets) text += " --set " + quoted(set);
  for (const std::string& set : settingsFor(report, mapping)) text += " --set " + quoted(set);
  if (exec) text += " --";
  for (const std::string& word : request.program) text += " " + quoted(word);
  return text;
}

}  // namespace fermata::platforms
