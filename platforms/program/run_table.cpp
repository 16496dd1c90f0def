#include <fermata/platforms/program/run_table.h>

namespace fermata::platforms {

namespace {

/// A column of runs.csv and its heading in this table.
struct Shown {
  const char* column;
  const char* heading;
  results::Align align = results::Align::Right;
};
constexpr Shown kShown[] = {{"indexer", "indexer", results::Align::Left},
                            {"warp_instructions", "warp instructions"},
                            {"cycles", "cycles"},
                            {"ipc", "IPC"},
                            {"shared_accesses", "shared accesses"},
                            {"wavefronts_excessive", "conflict cycles"},
                            {"mean_passes", "mean passes"}};
constexpr Shown kShownOfEnergy[] = {{"energy_nj", "energy nJ"},
                                    {"average_power_mw", "mW"},
                                    {"energy_per_warp_instruction_pj", "pJ/warp instruction"}};

std::vector<results::TableColumn> columns(bool timing, bool energy) {
  std::vector<results::TableColumn> all{{"workload", results::Align::Left}};
  for (const Shown& shown : kShown) all.push_back({shown.heading, shown.align});
  if (energy) {
    for (const Shown& shown : kShownOfEnergy) all.push_back({shown.heading, shown.align});
  }
  if (timing) all.push_back({"million instructions/s"});
  return all;
}

std::string forPerson(const results::Cell& cell) {
  if (const auto* integer = std::get_if<std::uint64_t>(&cell)) return results::grouped(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return results::fixed(*real, 2);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

std::string speed(const results::Row& run) {
  const double seconds = run.real("wall_seconds").value();
  const auto instructions = static_cast<double>(run.integer("warp_instructions").value());
  return seconds > 0 ? results::fixed(instructions / seconds * 1e-6, 2) : "-";
}

}  // namespace

RunTable::RunTable(const RunTables& tables, bool timing, bool energy)
    : timing_(timing),
      energy_(energy),
      table_(columns(timing, energy)),
      texts_(tables.schema()),
      header_(results::tableHeader(*tables.schema().runs)) {}

void RunTable::add(const results::RunRecord& record) {
  std::vector<std::string> cells{record.identity.workload};
  for (const Shown& shown : kShown) cells.push_back(forPerson(record.run.cell(shown.column)));
  if (energy_) {
    for (const Shown& shown : kShownOfEnergy)
      cells.push_back(forPerson(record.run.cell(shown.column)));
  }
  if (timing_) cells.push_back(speed(record.run));
  table_.row(std::move(cells));
  texts_.add(record);
}

void RunTable::print(std::ostream& out, const RowOutput& rows) const {
  if (rows.isAsked())
    rows.print(header_ + texts_.runs, out);
  else
    table_.print(out);
}

}  // namespace fermata::platforms
