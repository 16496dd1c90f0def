// The tables of `fermata search` as CSV.
#include <fmt/format.h>

#include <filesystem>

#include <fermata/platforms/program/cost/cost_table.h>
#include <fermata/platforms/program/search/search_report.h>
#include <fermata/results/csv.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

class Rows {
 public:
  explicit Rows(std::string header) : text_(std::move(header)) {}

  Rows& cell(std::string_view text) {
    text_ += separator_;
    results::appendField(text_, text);
    separator_ = ",";
    return *this;
  }
  Rows& cell(std::uint64_t value) { return cell(std::string_view(std::to_string(value))); }
  void end() {
    text_ += '\n';
    separator_ = "";
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  const char* separator_ = "";
};

struct Column {
  const char* file;
  const char* name;
  const char* type;
  const char* unit;
  const char* description;
};

constexpr const char* kBefore =
    "conflicts of word mod banks: count times weight times (degree - 1)";
constexpr const char* kAfter = "conflicts of the mapping, counted likewise";
constexpr const char* kEstimate =
    "1: the conflicts are estimates from a sample of the access sets; 0: they are counted";
constexpr Column kColumns[] = {
    {"search.csv", "class", "text", "", "mappings searched, as --class takes them"},
    {"search.csv", "method", "text", "", "search method, as --method takes it"},
    {"search.csv", "mapping", "text", "", "mapping found, as scratchpad.indexer takes it"},
    {"search.csv", "conflicts_before", "integer", "passes", kBefore},
    {"search.csv", "conflicts_after", "integer", "passes", kAfter},
    {"search.csv", "rank", "integer", "bits",
     "independent bank bits; empty: not linear over GF(2)"},
    {"search.csv", "proof", "text", "",
     "conflict-free, optimal (in the class), bound=N (none of the class leaves fewer) or "
     "heuristic; left out: no search was made"},
    {"search.csv", "estimate", "integer", "", kEstimate},
    {"search.csv", "searched", "text", "",
     "part of an endless class that was searched; empty: the whole class, or as the method says"},
    {"search.csv", "left_out", "text", "", "reason why no search was made; empty: one was made"},
    {"instructions.csv", "class", "text", "", "mappings searched, as --class takes them"},
    {"instructions.csv", "method", "text", "", "search method, as --method takes it"},
    {"instructions.csv", "mapping", "text", "", "mapping found, as scratchpad.indexer takes it"},
    {"instructions.csv", "workload", "text", "", "workload that made the accesses"},
    {"instructions.csv", "kernel", "text", "", "entry of the program; empty: no kernel"},
    {"instructions.csv", "pc", "integer", "", "index of the instruction in the kernel"},
    {"instructions.csv", "source_file", "text", "",
     "name of the source file, without its folder; empty: unknown"},
    {"instructions.csv", "line", "integer", "", "line in the source file; empty: unknown"},
    {"instructions.csv", "opcode", "text", "", "instruction with its modifiers"},
    {"instructions.csv", "access_class", "text", "",
     "most frequent class of the accesses (linear, stride, block, random or broadcast), and how "
     "many "
     "others there are"},
    {"instructions.csv", "weight", "integer", "",
     "factor by which a conflict of the instruction counts"},
    {"instructions.csv", "executions", "integer", "warp instructions",
     "executions of the instruction by warps; 0: unknown"},
    {"instructions.csv", "accesses", "integer", "accesses", "executions with an active lane"},
    {"instructions.csv", "access_sets", "integer", "access sets",
     "accesses, or their parts where one is served in several"},
    {"instructions.csv", "conflicts_before", "integer", "passes", kBefore},
    {"instructions.csv", "conflicts_after", "integer", "passes", kAfter},
    {"instructions.csv", "estimate", "integer", "", kEstimate},
    {"pareto.csv", "gates", "integer", "gates", "two-input XOR gates of the fixed function"},
    {"pareto.csv", "depth", "integer", "gates", "levels of two-input XOR gates"},
    {"pareto.csv", "mapping", "text", "", "mapping, as scratchpad.indexer takes it"},
    {"pareto.csv", "conflicts_before", "integer", "passes", kBefore},
    {"pareto.csv", "conflicts_after", "integer", "passes", kAfter},
    {"pareto.csv", "estimate", "integer", "", kEstimate},
    {"pareto.csv", "gate_equivalents", "real", "NAND2", "area of the XOR gates, in NAND2 gates"},
    {"pareto.csv", "delay_ns", "real", "ns",
     "delay of the levels of XOR gates, in cells of 180 nm"},
    {"pareto.csv", "energy_fj", "real", "fJ",
     "energy per random address and lane, in cells of 180 nm"},
};

/// Returns the header line of a file.
std::string headerOf(std::string_view file) {
  std::string header;
  for (const Column& column : kColumns) {
    if (column.file != file) continue;
    header += (header.empty() ? "" : ",") + std::string(column.name);
  }
  return header + "\n";
}

}  // namespace

std::string searchSchema() {
  Rows rows("file,column,type,unit,description\n");
  for (const Column& column : kColumns) {
    rows.cell(column.file).cell(column.name).cell(column.type).cell(column.unit);
    rows.cell(column.description).end();
  }
  return rows.take();
}

std::string searchCsv(const SearchReport& report) {
  Rows rows(headerOf("search.csv"));
  const std::uint64_t estimate = report.estimates() ? 1 : 0;
  for (const SearchRow& row : report.rows) {
    const search::Found& found = row.found;
    rows.cell(name(found.mappingClass)).cell(name(found.method)).cell(found.mapping);
    rows.cell(report.before).cell(row.after);
    rows.cell(found.rank == 0 ? std::string() : std::to_string(found.rank));
    rows.cell(proofText(found)).cell(estimate).cell(found.searched).cell("").end();
  }
  for (const LeftOut& one : report.leftOut) {
    rows.cell(name(one.pair.mappingClass)).cell(name(one.pair.method)).cell("");
    rows.cell(report.before).cell("").cell("").cell("left out").cell(estimate).cell("");
    rows.cell(one.reason).end();
  }
  return rows.take();
}

std::string instructionsCsv(const SearchReport& report) {
  Rows rows(headerOf("instructions.csv"));
  const std::uint64_t estimate = report.estimates() ? 1 : 0;
  const auto& instructions = report.collected.sets.instructions();
  for (const SearchRow& row : report.rows) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const search::Instruction& one = instructions[i];
      const InstructionProfile& profile = report.collected.profile[i];
      rows.cell(name(row.found.mappingClass)).cell(name(row.found.method)).cell(row.found.mapping);
      rows.cell(one.workload).cell(one.kernel).cell(one.pc);
      // No folder: equal inputs give equal bytes wherever they lie.
      rows.cell(std::filesystem::path(one.file).filename().string());
      rows.cell(one.line == 0 ? std::string() : std::to_string(one.line)).cell(one.opcode);
      rows.cell(profile.classText()).cell(one.weight).cell(profile.executions);
      rows.cell(profile.accesses).cell(profile.groups);
      rows.cell(report.conflictsBefore[i]).cell(row.conflicts[i]).cell(estimate).end();
    }
  }
  return rows.take();
}

std::string paretoCsv(const SearchReport& report) {
  Rows rows(headerOf("pareto.csv"));
  const std::uint64_t estimate = report.estimates() ? 1 : 0;
  for (const search::ParetoPoint& point : report.pareto) {
    rows.cell(point.gates).cell(point.depth).cell(matrixText(point.bank));
    rows.cell(report.before).cell(point.conflicts).cell(estimate);
    const BlockCost cost = costOfXors(CostTable::ours(), point.gates, point.depth);
    rows.cell(results::fixed(cost.gates, 1)).cell(results::fixed(cost.delay, 3));
    rows.cell(results::fixed(cost.energy, 1)).end();
  }
  return rows.take();
}

std::string matrixText(const indexing::gf2::Matrix& bank) {
  std::string text = "matrix ";
  for (std::size_t i = 0; i < bank.rows.size(); ++i) {
    text += fmt::format("{}0x{:x}", i == 0 ? "" : ",", bank.rows[i]);
  }
  return text;
}

}  // namespace fermata::platforms
