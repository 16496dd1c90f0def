#include <fermata/platforms/program/run_table.h>

namespace fermata::platforms {

namespace {

std::vector<results::TableColumn> columns(bool timing) {
  std::vector<results::TableColumn> all{{"workload", results::Align::Left},
                                        {"indexer", results::Align::Left},
                                        {"warp instructions"},
                                        {"cycles"},
                                        {"IPC"},
                                        {"shared accesses"},
                                        {"conflict cycles"},
                                        {"mean degree"}};
  if (timing) all.push_back({"million instructions/s"});
  return all;
}

std::string optional(const std::optional<double>& value) {
  return value ? results::fixed(*value, 2) : "-";
}

}  // namespace

RunTable::RunTable(bool timing) : timing_(timing), table_(columns(timing)) {}

void RunTable::add(const results::RunRecord& run) {
  std::vector<std::string> cells{run.identity.workload,
                                 run.indexer,
                                 results::grouped(run.warpInstructions),
                                 results::grouped(run.cycles),
                                 optional(run.ipc()),
                                 results::grouped(run.sharedAccesses()),
                                 results::grouped(run.degrees.conflictCycles()),
                                 optional(run.degrees.mean())};
  if (timing_) {
    const auto instructions = static_cast<double>(run.warpInstructions);
    cells.push_back(run.wallSeconds > 0 ? results::fixed(instructions / run.wallSeconds * 1e-6, 2)
                                        : "-");
  }
  table_.row(std::move(cells));
}

}  // namespace fermata::platforms
