// fermata explain WORKLOAD
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include <fermata/platforms/program/check/conflict_costs.h>
#include <fermata/platforms/program/choose_platform.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

using results::grouped;

struct ExplainOptions : RunRequest {
  RowOutput rows;
};

/// Returns the cycles saved, negative if the run without conflicts is longer: its warps run in
/// another order.
std::int64_t saved(std::uint64_t cycles, std::uint64_t without) {
  return static_cast<std::int64_t>(cycles) - static_cast<std::int64_t>(without);
}

std::string savedText(std::uint64_t cycles, std::uint64_t without) {
  const std::int64_t less = saved(cycles, without);
  return (less < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(less < 0 ? -less : less));
}

std::string percent(std::int64_t part, std::uint64_t whole) {
  return whole == 0
             ? "-"
             : results::fixed(100 * static_cast<double>(part) / static_cast<double>(whole), 1) +
                   "%";
}

/// Returns whether the saving is a part of the line's conflict cycles. A line saves more, or loses
/// cycles, if other waits change with its conflicts.
bool isPart(std::int64_t saved, std::uint64_t conflictCycles) {
  return saved >= 0 && static_cast<std::uint64_t>(saved) <= conflictCycles;
}

std::string partText(std::int64_t saved, std::uint64_t conflictCycles) {
  if (isPart(saved, conflictCycles)) return percent(saved, conflictCycles);
  return saved < 0 ? "none" : "more than all";
}

void warnLeftOut(const ConflictCosts& costs) {
  for (const std::string& place : costs.leftOut)
    warn(place +
         " conflicts and is left out: scratchpad.conflict_free names no kernel with a blank or an "
         "@");
}

void printTable(const ConflictCosts& costs, const std::string& platform, std::ostream& out) {
  out << fmt::format("{} on {}: {} cycles, {} without conflicts ({} saved)\n", costs.workload,
                     platform, grouped(costs.cycles), grouped(costs.without),
                     percent(saved(costs.cycles, costs.without), costs.cycles));
  if (costs.lines.empty()) {
    out << (costs.leftOut.empty() ? "no line conflicts\n" : "no other line conflicts\n");
    return;
  }
  results::Table table({{"line", results::Align::Left},
                        {"opcode", results::Align::Left},
                        {"accesses"},
                        {"worst degree"},
                        {"conflict cycles"},
                        {"cycles without"},
                        {"saved"},
                        {"of the conflict cycles"}});
  bool beyond = !isPart(saved(costs.cycles, costs.without), costs.conflictCycles);
  for (const ConflictCost& line : costs.lines) {
    table.row({line.place, line.opcodes, grouped(line.accesses), grouped(line.degree),
               grouped(line.conflictCycles), grouped(line.without),
               savedText(costs.cycles, line.without),
               partText(saved(costs.cycles, line.without), line.conflictCycles)});
    beyond = beyond || !isPart(saved(costs.cycles, line.without), line.conflictCycles);
  }
  table.row({"all", "", "", "", grouped(costs.conflictCycles), grouped(costs.without),
             savedText(costs.cycles, costs.without),
             partText(saved(costs.cycles, costs.without), costs.conflictCycles)});
  table.print(out);
  if (beyond) {
    out << "none, more than all: without its conflicts other waits change, too: the order of the "
           "warps, queues, replays\n";
  }
}

std::string rowsOf(const ConflictCosts& costs) {
  std::string rows =
      "workload,line,opcode,accesses,max_degree,conflict_cycles,cycles,cycles_without,"
      "cycles_saved\n";
  for (const ConflictCost& line : costs.lines)
    rows +=
        csvLine(costs.workload, line.place, line.opcodes, line.accesses, line.degree,
                line.conflictCycles, costs.cycles, line.without, saved(costs.cycles, line.without));
  return rows + csvLine(costs.workload, "all", "", "", "", costs.conflictCycles, costs.cycles,
                        costs.without, saved(costs.cycles, costs.without));
}

void explain(ExplainOptions& options) {
  options.addJobs();
  const std::string platform = configure(options).name();
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const ConflictCosts costs = conflictCosts(options, progress);
  warnLeftOut(costs);
  if (options.rows.isAsked()) {
    options.rows.print(rowsOf(costs), std::cout);
  } else {
    printTable(costs, platform, std::cout);
  }
}

}  // namespace

void addExplainCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ExplainOptions>();
  options->connector = invocation.connector;
  CLI::App* command = app.add_subcommand("explain",
                                         "Measures what each conflict costs. Runs the workload "
                                         "again for each line, without that line's conflicts.");
  command
      ->add_option("workload", options->workloads,
                   "Takes the workload: a name (fermata workloads), a launch file (.toml) or a "
                   "trace (.csv, .csv.zst, .traceg, kernelslist.g)")
      ->required()
      ->expected(1)
      ->type_name("WORKLOAD");
  addPlatformOfWorkloads(*command, *options);
  addOptions(*command, *options,
             {"--param", "--set", "--unknown-opcodes", "--trace-shared", "--trace-registers"});
  addLaunchOptions(*command, *options, false);
  addRowOutput(*command, options->rows);
  command->footer(
      "Examples:\n  fermata explain transpose --platform gtx480 --param tile=32\n"
      "  fermata explain nw --platform sm_80 --param n=128 --json");
  command->callback([command, options] {
    if (command->count("--platform") == 0)
      options->platform = platformOfWorkloads(options->workloads, options->parameters, *options);
    explain(*options);
  });
}

}  // namespace fermata::platforms
