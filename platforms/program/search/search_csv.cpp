// The tables of `fermata search` as CSV.
#include <fmt/format.h>

#include <filesystem>

#include <fermata/platforms/program/cost/cost_table.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/search/search_report.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

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
    {"search.csv", "mapping", "text", "",
     "mapping found, as scratchpad.indexer or l1.indexer takes it"},
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
    {"search.csv", "where", "text", "",
     "who makes the mapping: the programmer (in the kernel) or the machine (in hardware)"},
    {"search.csv", "best", "integer", "",
     "1: the mapping leaves the fewest conflicts of those made there; 0: another one is best"},
    {"instructions.csv", "class", "text", "", "mappings searched, as --class takes them"},
    {"instructions.csv", "method", "text", "", "search method, as --method takes it"},
    {"instructions.csv", "mapping", "text", "",
     "mapping found, as scratchpad.indexer or l1.indexer takes it"},
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
    {"instructions.csv", "passes", "integer", "passes",
     "passes of all accesses with mod, as a run counts them; empty: no workload was run"},
    {"instructions.csv", "passes_ideal", "integer", "passes",
     "passes without conflicts, as a run counts them; empty: no workload was run"},
    {"instructions.csv", "conflicts_before", "integer", "passes", kBefore},
    {"instructions.csv", "conflicts_after", "integer", "passes", kAfter},
    {"instructions.csv", "estimate", "integer", "", kEstimate},
    {"pareto.csv", "gates", "integer", "gates", "two-input XOR gates of the fixed function"},
    {"pareto.csv", "depth", "integer", "gates", "levels of two-input XOR gates"},
    {"pareto.csv", "mapping", "text", "", "mapping, as scratchpad.indexer or l1.indexer takes it"},
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

std::string unlessZero(std::uint64_t value) {
  return value == 0 ? "" : std::to_string(value);
}

}  // namespace

std::string searchSchema() {
  std::string text = "file,column,type,unit,description\n";
  for (const Column& one : kColumns)
    text += csvLine(one.file, one.name, one.type, one.unit, one.description);
  return text;
}

std::string searchCsv(const SearchReport& report) {
  std::string text = headerOf("search.csv");
  for (const SearchRow& row : report.rows) {
    const search::Found& found = row.found;
    text += csvLine(name(found.mappingClass), name(found.method), found.mapping, report.before,
                    row.after, unlessZero(found.rank), proofText(found), report.estimates(),
                    found.searched, "", name(row.where()),
                    static_cast<int>(&row == report.bestIn(row.where())));
  }
  for (const LeftOut& one : report.leftOut)
    text += csvLine(name(one.pair.mappingClass), name(one.pair.method), "", report.before, "", "",
                    "left out", report.estimates(), "", one.reason,
                    name(whereOf(one.pair.mappingClass)), 0);
  return text;
}

std::string instructionsCsv(const SearchReport& report) {
  std::string text = headerOf("instructions.csv");
  const auto& instructions = report.collected.sets.instructions();
  for (const SearchRow& row : report.rows) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const search::Instruction& one = instructions[i];
      const InstructionProfile& profile = report.collected.profile[i];
      const auto counted = [&](std::uint64_t passes) {
        return report.collected.countsPasses ? std::to_string(passes) : std::string();
      };
      // No folder: equal inputs give equal bytes wherever they lie.
      const std::string file = std::filesystem::path(one.file).filename().string();
      text += csvLine(name(row.found.mappingClass), name(row.found.method), row.found.mapping,
                      one.workload, one.kernel, one.pc, file, unlessZero(one.line), one.opcode,
                      profile.classText(), one.weight, profile.executions, profile.accesses,
                      profile.groups, counted(profile.passes), counted(profile.idealPasses),
                      report.conflictsBefore[i], row.conflicts[i], report.estimates());
    }
  }
  return text;
}

std::string paretoCsv(const SearchReport& report) {
  std::string text = headerOf("pareto.csv");
  for (const search::ParetoPoint& point : report.pareto) {
    const BlockCost cost = costOfXors(CostTable::ours(), point.gates, point.depth);
    text += csvLine(point.gates, point.depth, matrixText(point.bank), report.before,
                    point.conflicts, report.estimates(), results::fixed(cost.gates, 1),
                    results::fixed(cost.delay, 3), results::fixed(cost.energy, 1));
  }
  return text;
}

std::string matrixText(const indexing::gf2::Matrix& bank) {
  std::string text = "matrix ";
  for (std::size_t i = 0; i < bank.rows.size(); ++i) {
    text += fmt::format("{}0x{:x}", i == 0 ? "" : ",", bank.rows[i]);
  }
  return text;
}

}  // namespace fermata::platforms
