#include <fermata/platforms/program/search/search_apply.h>

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/search/search_report.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/sass/access_list.h>

namespace fermata::platforms {

namespace {

using results::grouped;

/// Runs every workload on one mapping; returns one line of figures per workload. Called in the
/// child.
std::string runMapping(const SearchRequest& request, const SearchReport& report,
                       const std::string& mapping) {
  Configuration configuration = report.configuration;
  for (const std::string& setting : settingsFor(report, mapping)) configuration.apply(setting);
  configuration.check();
  Connector plain;
  Simulation simulation(configuration, request.connector == nullptr ? plain : *request.connector);
  simulation.allowLead();
  const std::unique_ptr<EnergyAccount> energy =
      openAccount(request.energy, configuration.parameters());
  if (energy != nullptr) simulation.addEnergy(*energy);
  std::string lines;
  for (const std::string& name : request.workloads) {
    if (sass::isAccessListName(name)) refuse("'{}' lists accesses alone, which do not run", name);
    const OpenWorkload open =
        openWorkload(name, parseParameters(request.parameters),
                     kernelOptions(request, configuration.parameters()), traceSettings(request));
    const RunOutcome outcome = simulation.run(*open.workload);
    double nanojoules = 0;
    double seconds = 0;
    if (energy != nullptr) {
      requirePrices(request.energy->prices, *energy, name);
      nanojoules = static_cast<double>(energy->total().nominal) * 1e-6;
      seconds = energy->seconds(outcome.cycles);
    }
    const std::uint64_t conflicts =
        report.l1 ? outcome.l1->counts().totals().of(CacheEvent::L1BankConflict)
                  : outcome.totals.bankConflictCycles();
    lines += fmt::format("{} {} {} {}\n", outcome.cycles, conflicts, nanojoules, seconds);
  }
  return lines;
}

std::vector<RunFigures> parseFigures(const std::string& text) {
  std::istringstream lines(text);
  std::vector<RunFigures> figures;
  for (RunFigures f; lines >> f.cycles >> f.conflicts >> f.nanojoules >> f.seconds;)
    figures.push_back(f);
  return figures;
}

/// Returns the conflicts that the search predicts per workload: as a run counts them with the
/// mapping of the collection; otherwise the passes of the access sets beyond one each, with `ports`
/// words per bank and pass.
std::vector<std::uint64_t> predict(const SearchReport& report, const std::string& mapping) {
  const Collected& collected = report.collected;
  const PlatformParameters& platform = report.configuration.parameters();
  const bool own = report.l1 && platform.l1.array == L1Array::Own;
  const std::uint64_t ports = own ? 1 : platform.crossbar.ports;
  const auto indexer = indexing::build(mapping, report.shape);
  const std::vector<std::uint32_t> degrees =
      search::ConflictCount(collected.sets, report.addressBits()).degrees(*indexer);
  std::vector<std::uint64_t> conflicts(collected.sources.size(), 0);
  if (collected.countsPasses && mapping == report.baseline) {
    for (const InstructionProfile& one : collected.profile)
      conflicts[one.source] += one.passes - one.idealPasses;
    return conflicts;
  }
  for (const search::Use& use : collected.sets.uses()) {
    const std::uint64_t passes = (degrees[use.set] + ports - 1) / ports;
    conflicts[collected.profile[use.instruction].source] += use.count * (passes - 1);
  }
  for (std::uint64_t& one : conflicts) one = collected.sets.whole(one);
  return conflicts;
}

std::string change(std::uint64_t before, std::uint64_t after) {
  return grouped(before) + " -> " + grouped(after);
}

std::string saved(double before, double after) {
  return before == 0 ? "-" : results::fixed(100 * (1 - after / before), 1) + "%";
}

void printEnergy(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 std::ostream& out) {
  if (!request.energy) return;
  results::Table table({{"workload", results::Align::Left},
                        {"where", results::Align::Left},
                        {"energy, nJ"},
                        {"saved"},
                        {"energy-delay product, nJ us"},
                        {"saved"}});
  const auto whole = [](double amount) { return static_cast<std::uint64_t>(std::llround(amount)); };
  for (const AppliedRow& one : applied.rows) {
    for (std::size_t i = 0; i < applied.before.size(); ++i) {
      const RunFigures& b = applied.before[i];
      const RunFigures& a = one.after[i];
      table.row({report.collected.sources[i], name(one.row->where()),
                 change(whole(b.nanojoules), whole(a.nanojoules)),
                 saved(b.nanojoules, a.nanojoules),
                 change(whole(b.energyDelay()), whole(a.energyDelay())),
                 saved(b.energyDelay(), a.energyDelay())});
    }
  }
  out << fmt::format("\nenergy at the prices of {}\n", request.energy->prices.name);
  table.print(out);
}

void explain(const SearchReport& report, bool beforeDiffers, bool afterDiffers, bool packed,
             std::ostream& out) {
  if (!beforeDiffers && !afterDiffers) {
    out << "the runs have the conflicts that the search predicts\n";
    return;
  }
  if (report.estimates()) {
    out << "note: the prediction is an estimate from a sample of the access sets\n";
  }
  if (beforeDiffers) {
    out << "note: the order of the warps decides some accesses (atomics, locks, races): the run "
           "makes others than the collection without timing\n";
  }
  if (afterDiffers && !beforeDiffers &&
      report.configuration.parameters().crossbar.groups.idleGroupsCount) {
    out << "note: lane groups without lanes take a pass anyway, which hides conflicts of the run\n";
  }
  if (packed) {
    out << fmt::format(
        "note: the windows of the CTAs of {} fill the scratchpad and are packed, not aligned to "
        "powers of two: a word's address bits are not those relative to its CTA\n",
        fmt::join(report.collected.packedKernels, ", "));
  } else if (afterDiffers && !beforeDiffers) {
    out << "note: the timing differs with the mapping, and with it the accesses that depend on the "
           "order of the warps\n";
  }
}

/// Returns the rows to run: the best in the kernel and in hardware that save conflicts.
std::vector<const SearchRow*> rowsToRun(const SearchReport& report) {
  std::vector<const SearchRow*> rows;
  for (const MadeIn where : {MadeIn::Kernel, MadeIn::Hardware}) {
    const SearchRow* const row = report.bestIn(where);
    if (row != nullptr && row->after < report.before) rows.push_back(row);
  }
  return rows;
}

double weightedCycles(const SearchRequest& request, const std::vector<RunFigures>& runs) {
  double cycles = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::uint64_t weight = request.weights.empty() ? 1 : request.weights[i];
    cycles += static_cast<double>(weight) * static_cast<double>(runs[i].cycles);
  }
  return cycles;
}

double savedOf(const RunFigures& before, const RunFigures& after) {
  return 100 * (1 - static_cast<double>(after.cycles) / static_cast<double>(before.cycles));
}

void printNotWorth(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                   std::ostream& out) {
  for (const AppliedRow& one : applied.rows) {
    for (std::size_t i = 0; applied.before.size() > 1 && i < applied.before.size(); ++i) {
      const double saved = savedOf(applied.before[i], one.after[i]);
      if (saved >= request.worthPercent) continue;
      out << fmt::format(
          "not worth it for {}, {}: it saves {:.1f}% of the cycles; expected {:g}% or more "
          "(--worth)\n",
          report.collected.sources[i], name(one.row->where()), saved, request.worthPercent);
    }
  }
}

/// Prints how a kernel's run would differ from that of its layout as a mapping.
void printLost(const AppliedRow& one, std::ostream& out) {
  if (!one.row->lost) return;
  out << fmt::format(
      "note: the run with {} keeps the CTAs of the kernel as it is; padded, {} of {} are "
      "resident\n",
      one.row->found.mapping, one.row->lost->after, one.row->lost->before);
}

}  // namespace

std::optional<double> Applied::savedPercent(const SearchRow& row) const {
  for (const AppliedRow& one : rows) {
    if (one.row == &row) return one.savedPercent;
  }
  return std::nullopt;
}

Applied applyBest(const SearchRequest& request, const SearchReport& report,
                  results::Progress& progress) {
  Applied applied;
  std::vector<std::string> mappings{report.baseline};
  for (const SearchRow* const row : rowsToRun(report)) {
    applied.rows.push_back({row, {}, 0});
    mappings.push_back(row->found.mapping);
  }
  if (applied.rows.empty()) return applied;
  std::vector<ChildTask> tasks;
  for (const std::string& mapping : mappings) {
    tasks.push_back([&] { return runMapping(request, report, mapping); });
  }
  const auto done = [&](std::size_t count) { progress.update(count, tasks.size(), "runs"); };
  const std::vector<std::string> texts = runInChildren(tasks, 0, done);
  progress.finish();
  applied.before = parseFigures(texts[0]);
  const double before = weightedCycles(request, applied.before);
  for (std::size_t i = 0; i < applied.rows.size(); ++i) {
    applied.rows[i].after = parseFigures(texts[i + 1]);
    applied.rows[i].savedPercent =
        100 * (1 - weightedCycles(request, applied.rows[i].after) / before);
  }
  return applied;
}

void printApplied(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                  std::ostream& out) {
  const std::vector<RunFigures>& before = applied.before;
  const std::vector<std::uint64_t> expectedBefore = predict(report, report.baseline);
  results::Table table({{"workload", results::Align::Left},
                        {"where", results::Align::Left},
                        {"cycles"},
                        {"speed-up"},
                        {"conflict cycles of the run"},
                        {"predicted"}});
  bool beforeDiffers = false;
  bool afterDiffers = false;
  bool packed = false;
  for (const AppliedRow& one : applied.rows) {
    const std::vector<std::uint64_t> expected = predict(report, one.row->found.mapping);
    for (std::size_t i = 0; i < before.size(); ++i) {  // workloads come first in `sources`
      const RunFigures& after = one.after[i];
      const double speedUp =
          static_cast<double>(before[i].cycles) / static_cast<double>(after.cycles);
      table.row({report.collected.sources[i], name(one.row->where()),
                 change(before[i].cycles, after.cycles), results::fixed(speedUp, 2),
                 change(before[i].conflicts, after.conflicts),
                 (report.estimates() ? "~" : "") + change(expectedBefore[i], expected[i])});
      const bool differs = after.conflicts != expected[i];
      beforeDiffers = beforeDiffers || before[i].conflicts != expectedBefore[i];
      afterDiffers = afterDiffers || differs;
      packed = packed || (differs && one.row->where() == MadeIn::Hardware &&
                          !report.collected.packedKernels.empty());
    }
  }
  out << fmt::format("\nruns on {}, from {}:\n", report.configuration.parameters().name,
                     report.baseline);
  table.print(out);
  explain(report, beforeDiffers, afterDiffers, packed, out);
  for (const AppliedRow& one : applied.rows) printLost(one, out);
  printNotWorth(request, report, applied, out);
  printEnergy(request, report, applied, out);
}

}  // namespace fermata::platforms
