// fermata demo: the kernels on the GTX 480 platform with three indexers, side by side.
//
// SystemC elaborates once per process, so every indexer runs in a child process that sends its
// rows. The parent writes the files.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/study/picture_drawing.h>
#include <fermata/results/table.h>
#include <fermata/results/writers.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kIndexers{"mod 32", "fixed-xor", "ami 33"};
/// Kernels; those with several variants run in one that conflicts.
const std::vector<Job> kJobs{{"stride", {"stride=32"}},
                             {"transpose", {"tile=32"}},
                             {"reduction", {"variant=1"}},
                             {"fwt", {}},
                             {"hist64", {"variant=1", "n=524288"}},
                             {"hist256", {"variant=1", "blocks=24"}},
                             {"scan", {"variant=1"}},
                             {"matmul", {}},
                             {"scalarprod", {}},
                             {"lud", {}},
                             {"nw", {}}};

struct Figures {
  std::string workload;
  std::uint64_t conflicts = 0;
  std::uint64_t cycles = 0;
};

/// Message of a child: tables, and the figures printed per kernel. Each text is preceded by its
/// length.
struct Part {
  explicit Part(const results::Schema& schema) : rows(schema) {}

  results::ResultTexts rows;
  std::string figures;

  template <class Visit>
  void forEach(Visit visit) {
    for (std::string* text : {&rows.runs, &rows.instructions, &rows.banks, &figures}) visit(*text);
  }
};

/// Runs every kernel on one indexer; called in the child.
std::string runIndexer(const std::string& indexer) {
  RunRequest request;
  request.jobs = kJobs;
  request.sets = {"scratchpad.indexer=" + indexer};
  const Configuration configuration = configure(request);
  const RunTables tables;
  Part part(tables.schema());
  runQuietly(request, configuration, tables,
             [&](const results::RunRecord& record, const RunOutcome&, const OpenWorkload&) {
               part.rows.add(record);
               part.figures += fmt::format("{} {} {}\n", record.identity.workload,
                                           record.run.integer("wavefronts_excessive").value(),
                                           record.run.integer("cycles").value());
             });
  std::string sent;
  part.forEach([&](const std::string& text) { sent += fmt::format("{} {}", text.size(), text); });
  return sent;
}

Part received(const std::string& sent, const results::Schema& schema) {
  Part part(schema);
  std::istringstream in(sent);
  part.forEach([&](std::string& text) {
    std::size_t size = 0;
    in >> size;
    in.get();
    text.resize(size);
    in.read(text.data(), static_cast<std::streamsize>(size));
  });
  return part;
}

std::vector<Figures> parse(const std::string& text) {
  std::istringstream lines(text);
  std::vector<Figures> figures;
  for (Figures f; lines >> f.workload >> f.conflicts >> f.cycles;) figures.push_back(f);
  return figures;
}

void printTable(const std::vector<std::vector<Figures>>& runs, const RowOutput& output) {
  std::vector<results::TableColumn> columns{{"kernel", results::Align::Left}};
  for (const std::string& indexer : kIndexers) columns.push_back({"conflicts " + indexer});
  for (const std::string& indexer : kIndexers) columns.push_back({"cycles " + indexer});
  results::Table table(std::move(columns));
  for (std::size_t k = 0; k < kJobs.size(); ++k) {
    std::vector<std::string> cells{kJobs[k].workload};
    for (const auto& run : runs) cells.push_back(results::grouped(run.at(k).conflicts));
    for (const auto& run : runs) cells.push_back(results::grouped(run.at(k).cycles));
    table.row(std::move(cells));
  }
  output.print(table, std::cout);
  if (output.isAsked()) return;
  std::cout << "conflicts: cycles that bank conflicts held the scratchpad (passes beyond the first "
               "of each group of lanes)\n";
}

void demo(const fs::path& out, const RowOutput& output) {
  const results::Schema schema = RunTables().schema();
  results::ResultWriter writer(out, schema);
  std::vector<ChildTask> tasks;
  for (const std::string& indexer : kIndexers) {
    tasks.push_back([&indexer] { return runIndexer(indexer); });
  }
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const auto done = [&](std::size_t count) { progress.update(count, tasks.size(), "indexers"); };
  std::vector<std::vector<Figures>> runs;
  for (const std::string& sent : runInChildren(tasks, 0, done)) {
    const Part part = received(sent, schema);
    writer.add(part.rows);
    runs.push_back(parse(part.figures));
  }
  progress.finish();
  writer.commit();
  printTable(runs, output);
  std::cerr << "Tables: " << out.string() << "/{runs,instructions,banks,schema}.csv\n";
  if (const auto picture = drawDemo(out)) std::cerr << "Picture: " << picture->string() << '\n';
}

}  // namespace

void addDemoCommand(CLI::App& app, Invocation&) {
  const auto out = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "demo", "Runs the built-in kernels on gtx480 with the indexers mod 32, fixed-xor and ami 33");
  command->add_option("--out", *out, "Writes the tables and demo.svg to this folder")
      ->required()
      ->check(notEmpty("a folder"));
  const auto rows = std::make_shared<RowOutput>();
  addRowOutput(*command, *rows);
  command->footer("Examples:\n  fermata demo --out results/out/demo");
  command->callback([out, rows] { demo(*out, *rows); });
}

}  // namespace fermata::platforms
