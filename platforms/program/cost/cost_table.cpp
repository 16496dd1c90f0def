#include <fermata/platforms/program/cost/cost_table.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include <fermata/platforms/program/number_text.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/csv_rows.h>

namespace fermata::platforms {

namespace {

constexpr const char* kHeaderRow =
    "block,setting,gives,address_bits,lanes,cells,gate_equivalents,register_equivalents,area_um2,"
    "delay_ns,energy_random_fj,energy_stream_fj,energy_glitches_fj,energy_clock_fj";
constexpr std::size_t kColumns = 14;

// Size of the table's tree of XOR gates.
constexpr unsigned kTreeGates = 31;
constexpr unsigned kTreeLevels = 5;

double numberOf(const traces::CsvRows& rows, std::size_t field) {
  const std::string_view text = rows[field];
  const auto value = parseNumber<double>(text);
  if (value && std::isfinite(*value) && *value >= 0) return *value;
  rows.fail(field, 0, fmt::format("'{}' is no cost; expected a number of 0 or more", text));
}

unsigned wholeOf(const traces::CsvRows& rows, std::size_t field) {
  if (rows[field].empty()) return 0;
  const double value = numberOf(rows, field);
  if (value != std::floor(value) || value > 4096) {
    rows.fail(field, 0, fmt::format("'{}'; expected a whole number up to 4096", rows[field]));
  }
  return static_cast<unsigned>(value);
}

BlockCost rowOf(const traces::CsvRows& rows) {
  if (rows.size() != kColumns) {
    rows.failLine(fmt::format("the row has {} fields; expected {}", rows.size(), kColumns));
  }
  if (rows[0].empty()) rows.fail(0, 0, "no block; expected its name");
  BlockCost cost;
  cost.block = rows[0];
  cost.setting = rows[1];
  cost.gives = rows[2];
  cost.addressBits = wholeOf(rows, 3);
  cost.lanes = wholeOf(rows, 4);
  if (cost.lanes == 0) rows.fail(4, 0, "no lanes; expected 1 or more");
  cost.cells = numberOf(rows, 5);
  cost.gates = numberOf(rows, 6);
  cost.registers = numberOf(rows, 7);
  cost.area = numberOf(rows, 8);
  cost.delay = numberOf(rows, 9);
  cost.energy = numberOf(rows, 10);
  if (!rows[11].empty()) cost.energyInOrder = numberOf(rows, 11);
  if (!rows[12].empty()) cost.energyGlitches = numberOf(rows, 12);
  cost.energyClock = numberOf(rows, 13);
  return cost;
}

}  // namespace

CostTable::CostTable(const std::string& path) : file_(path) {
  traces::CsvRows rows(traces::openInput(path), path);
  std::set<std::string> seen;
  bool header = false;
  while (rows.next()) {
    if (!header) {
      std::string found;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        found += (i == 0 ? "" : ",") + std::string(rows[i]);
      }
      if (found != kHeaderRow) rows.failLine("another header; expected " + std::string(kHeaderRow));
      header = true;
      continue;
    }
    BlockCost cost = rowOf(rows);
    const std::string key = fmt::format("{}|{}|{}|{}|{}", cost.block, cost.setting, cost.gives,
                                        cost.addressBits, cost.lanes);
    if (!seen.insert(key).second) {
      rows.failLine("a second row of this block and setting; expected one");
    }
    rows_.push_back(std::move(cost));
  }
  if (!header) refuse({path, 1, 0}, "an empty table; expected {}", kHeaderRow);
}

const CostTable& CostTable::ours() {
  static const CostTable table(
      (std::filesystem::path(launch::dataDirectory()) / "published" / "rtl_costs.csv").string());
  return table;
}

std::vector<BlockCost> CostTable::of(const std::string& block, const std::string& setting) const {
  std::vector<BlockCost> found;
  for (const BlockCost& row : rows_) {
    if (row.block == block && (setting.empty() || row.setting == setting)) found.push_back(row);
  }
  return found;
}

const BlockCost& CostTable::one(const std::string& block, const std::string& setting) const {
  for (const BlockCost& row : rows_) {
    if (row.block == block && row.setting == setting) return row;
  }
  refuse({file_, 0, 0}, "no row of block '{}' with setting '{}'; expected one", block, setting);
}

BlockCost costOfXors(const CostTable& table, unsigned gates, unsigned depth) {
  const BlockCost& tree = table.one("parity", "inputs=32");
  const double share = static_cast<double>(gates) / kTreeGates;
  BlockCost cost;
  cost.block = "xor-gates";
  cost.setting = fmt::format("gates={} depth={}", gates, depth);
  cost.gives = "bank and row";
  cost.cells = gates;
  cost.gates = tree.gates * share;
  cost.area = tree.area * share;
  cost.delay = tree.delay * depth / kTreeLevels;
  cost.energy = tree.energy * share;
  return cost;
}

}  // namespace fermata::platforms
