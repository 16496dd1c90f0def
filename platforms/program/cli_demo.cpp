// fermata demo: the kernels on the GTX 480 platform with three indexers, side by side.
//
// SystemC elaborates once a process, so every indexer runs in a child process that writes result
// files of its own; the parent joins them.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/output_file.h>
#include <fermata/results/table.h>
#include <fermata/results/writers.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kIndexers{"mod 32", "fixed-xor", "ami 33"};
/// The variants that conflict, where a kernel has several.
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

/// In the child: runs every kernel on one indexer, writes result files into `out` and returns the
/// table's figures, a line a kernel.
std::string runIndexer(const std::string& indexer, const fs::path& out) {
  RunRequest request;
  request.platform = "gtx480";
  request.jobs = kJobs;
  request.sets = {"scratchpad.indexer=" + indexer};
  const Configuration configuration = configure(request);
  const RunTables tables;
  results::ResultWriter writer(out, tables.schema());
  std::ostringstream nowhere;  // the parent says how far the whole is
  results::Progress quiet(nowhere, false);
  std::string lines;
  runWorkloads(request, configuration, tables, quiet, [&](const results::RunRecord& record) {
    writer.add(record);
    lines += fmt::format("{} {} {}\n", record.identity.workload,
                         record.run.integer("bank_conflict_cycles").value(),
                         record.run.integer("cycles").value());
  });
  writer.commit();
  return lines;
}

std::vector<Figures> parse(const std::string& text) {
  std::istringstream lines(text);
  std::vector<Figures> figures;
  for (Figures f; lines >> f.workload >> f.conflicts >> f.cycles;) figures.push_back(f);
  return figures;
}

/// Joins the children's files of one name under one header.
void join(const std::vector<fs::path>& parts, const std::string& name, const fs::path& out) {
  results::OutputFile file(out / name);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::ifstream in(parts[i] / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const std::string all = text.str();
    file.write(i == 0 ? all : all.substr(all.find('\n') + 1));
  }
  file.commit();
}

void printTable(const std::vector<std::vector<Figures>>& runs) {
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
  table.print(std::cout);
  std::cout << "conflicts: cycles that bank conflicts held the scratchpad (passes beyond the first "
               "of each group of lanes)\n";
}

void demo(const fs::path& out) {
  results::createDirectory(out);
  std::vector<fs::path> parts;
  std::vector<ChildTask> tasks;
  for (const std::string& indexer : kIndexers) {
    parts.push_back(out / fmt::format(".part{}.{}", parts.size(), getpid()));
    tasks.push_back([&indexer, part = parts.back()] { return runIndexer(indexer, part); });
  }
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const auto done = [&](std::size_t count) { progress.update(count, tasks.size(), "indexers"); };
  std::vector<std::vector<Figures>> runs;
  for (const std::string& lines : runInChildren(tasks, 0, done)) runs.push_back(parse(lines));
  progress.finish();
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv"}) join(parts, name, out);
  results::OutputFile schema(out / "schema.csv");
  schema.write(results::schemaText(RunTables().schema()));
  schema.commit();
  for (const fs::path& part : parts) fs::remove_all(part);
  printTable(runs);
}

}  // namespace

void addDemoCommand(CLI::App& app) {
  const auto out = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "demo", "Run the built-in kernels on gtx480 with the indexers mod 32, fixed-xor and ami 33");
  command->add_option("--out", *out, "Folder for the result files")->required();
  command->callback([out] { demo(*out); });
}

}  // namespace fermata::platforms
