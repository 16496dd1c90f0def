#include <fermata/platforms/program/report/report_details.h>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/platforms/program/report/source_files.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostNumber = 1U << 30;
constexpr std::size_t kLongestLine = 160;

/// Returns the rows of `table` with the identity of row `run` of `runs`.
std::vector<std::size_t> rowsAlike(const ReportTable& table, const ReportTable& runs,
                                   std::size_t run) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) rows.push_back(i);
  for (const char* const name : {"workload", "parameters", "platform", "changes"}) {
    const std::vector<std::string>& cells = table.texts(name);
    const std::string& wanted = runs.texts(name)[run];
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [&](std::size_t row) { return cells[row] != wanted; }),
               rows.end());
  }
  return rows;
}

/// Returns the rows of a table that belong to one run. If the same run occurs twice, its rows do
/// too: only one copy is returned.
std::vector<std::size_t> rowsOf(const ReportTable& table, const ReportTable& runs,
                                std::size_t run) {
  std::vector<std::size_t> rows = rowsAlike(table, runs, run);
  rows.resize(rows.size() / rowsAlike(runs, runs, run).size());
  return rows;
}

std::optional<std::string> bytesOf(const fs::path& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return {};
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

/// Returns whether `file` lies directly in the folder, after links are followed.
bool liesIn(const fs::path& folder, const fs::path& file) {
  std::error_code unknown;
  const fs::path place = fs::canonical(file, unknown);
  return !unknown && place.parent_path() == fs::canonical(folder, unknown) && !unknown;
}

/// Source lines without surrounding blanks, from files that the run recorded or the user named.
class Sources {
 public:
  /// `recorded`: sources.csv; its `rows` are the run's. null: no such table.
  Sources(const SourcePlaces& places, const ReportTable* recorded,
          const std::vector<std::size_t>& rows)
      : places_(places) {
    if (recorded == nullptr) return;
    for (const std::size_t row : rows)
      hashes_[recorded->texts("source_file")[row]].insert(recorded->texts("xxh3_128")[row]);
  }

  std::string line(const std::string& file, const std::string& number) {
    const auto [known, isNew] = files_.try_emplace(file);
    if (isNew) known->second = read(file);
    const double line = numberIn(number).value_or(0);
    if (!(line >= 1) || line > static_cast<double>(known->second.size())) return "";
    const std::string& text = known->second[static_cast<std::size_t>(line) - 1];
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    const std::size_t last = text.find_last_not_of(" \t\r");
    return text.substr(first, std::min(last - first + 1, kLongestLine));
  }

  /// Returns why lines are missing; empty: none is.
  std::string note() const {
    if (missing_.empty()) return "";
    return fmt::format("no source lines of {}", fmt::join(missing_, "; "));
  }

 private:
  std::vector<std::string> read(const std::string& file) {
    if (file.empty()) return {};
    const auto recorded = hashes_.find(file);
    const bool isRecorded = recorded != hashes_.end() && recorded->second.size() == 1;
    const auto linesIf = [&](const fs::path& path) -> std::optional<std::vector<std::string>> {
      const std::optional<std::string> bytes = bytesOf(path);
      if (!bytes || (isRecorded && sourceHash(*bytes) != *recorded->second.begin())) return {};
      std::vector<std::string> lines;
      std::istringstream in(*bytes);
      for (std::string line; std::getline(in, line);) lines.push_back(line);
      return lines;
    };
    for (const fs::path& named : places_.named) {
      if (named.filename() != file) continue;
      if (auto lines = linesIf(named)) return *std::move(lines);
    }
    for (const fs::path& folder : places_.folders) {
      if (!isRecorded || fs::path(file).filename() != file || !liesIn(folder, folder / file))
        continue;
      if (auto lines = linesIf(folder / file)) return *std::move(lines);
    }
    missing_.push_back(
        file +
        (isRecorded
             ? " (the file as the run read it is not here; name it or its folder: --source FILE)"
             : " (the run recorded no hash of it; name the file: --source FILE)"));
    return {};
  }

  const SourcePlaces& places_;
  std::map<std::string, std::set<std::string>> hashes_;  ///< by name; two hashes: ambiguous
  std::map<std::string, std::vector<std::string>> files_;
  std::vector<std::string> missing_;
};

std::string placeOf(const ReportTable& table, std::size_t row) {
  const std::string& line = table.texts("line")[row];
  const std::string& file = table.texts("source_file")[row];
  return file.empty() || line.empty()
             ? fmt::format("{}:pc {}", table.texts("kernel")[row], table.texts("pc")[row])
             : fmt::format("{}:{}", file, line);
}

/// Returns the number of accesses in a histogram such as "1:96;32:32".
double accessesIn(const ReportTable& table, std::size_t row) {
  double sum = 0;
  const std::string& text = table.texts("passes_histogram")[row];
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::size_t colon = text.find(':', at);
    const auto count =
        colon < end ? numberIn(text.substr(colon + 1, end - colon - 1)) : std::nullopt;
    if (!count)
      refuse(table.where(row),
             "passes_histogram is '{}'; expected passes:accesses, separated by semicolons", text);
    sum += *count;
    at = end + 1;
  }
  return sum;
}

std::vector<ReportLine> linesOf(const ReportTable& table, const std::vector<std::size_t>& rows,
                                Sources& sources) {
  std::vector<ReportLine> lines;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  const auto conflicts = table.counts("wavefronts_excessive");
  const auto wavefronts = table.counts("wavefronts");
  const auto ideal = table.counts("wavefronts_ideal");
  const auto passes = table.counts("max_passes");
  for (const std::size_t row : rows) {
    if (wavefronts[row] == 0) continue;
    const std::string place = placeOf(table, row);
    const std::string& opcode = table.texts("opcode")[row];
    const auto [at, isNew] = known.try_emplace({place, opcode}, lines.size());
    if (isNew) {
      ReportLine line;
      line.place = place;
      line.source = sources.line(table.texts("source_file")[row], table.texts("line")[row]);
      line.opcode = opcode;
      lines.push_back(std::move(line));
    }
    ReportLine& line = lines[at->second];
    line.accesses += accessesIn(table, row);
    line.wavefronts += wavefronts[row];
    line.ideal += ideal[row];
    line.conflictCycles += conflicts[row];
    line.passes = std::max(line.passes, passes[row]);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const ReportLine& a, const ReportLine& b) {
    return a.conflictCycles > b.conflictCycles;
  });
  return lines;
}

/// Columns of accesses.csv that hold small whole numbers.
class Numbers {
 public:
  explicit Numbers(const ReportTable& table) : table_(table) {}

  unsigned of(const char* column, std::size_t row) {
    const auto [at, isNew] = columns_.try_emplace(column);
    if (isNew) at->second = table_.counts(column);
    const double value = at->second[row];
    if (value != std::floor(value) || value > kMostNumber)
      refuse(table_.where(row), "{} is '{}'; expected a whole number", column,
             table_.texts(column)[row]);
    return static_cast<unsigned>(value);
  }

 private:
  const ReportTable& table_;
  std::map<std::string, std::vector<double>> columns_;
};

/// Counts the distinct words that each bank must deliver to each lane group.
void pileUp(ReportAccess& access) {
  std::map<std::pair<unsigned, unsigned>, std::set<unsigned>> words;
  for (const ReportLane& lane : access.lanes) words[{lane.group, lane.bank}].insert(lane.word);
  for (ReportLane& lane : access.lanes)
    lane.pile = static_cast<unsigned>(words[{lane.group, lane.bank}].size());
}

/// Returns the worst access of each line, in the order of `lines`.
std::vector<ReportAccess> accessesOf(const ReportTable& table, const std::vector<std::size_t>& rows,
                                     const std::vector<ReportLine>& lines) {
  Numbers numbers(table);
  std::map<std::pair<std::string, std::string>, ReportAccess> worst;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t first = rows[i];
    ReportAccess access;
    access.place = placeOf(table, first);
    access.opcode = table.texts("opcode")[first];
    access.degree = numbers.of("degree", first);
    access.passes = numbers.of("passes", first);
    access.ideal = numbers.of("passes_ideal", first);
    access.banks = numbers.of("banks", first);
    const auto sameInstruction = [&](std::size_t row) {
      return table.texts("kernel")[row] == table.texts("kernel")[first] &&
             table.texts("pc")[row] == table.texts("pc")[first];
    };
    for (; i < rows.size() && sameInstruction(rows[i]); ++i) {
      access.lanes.push_back({numbers.of("lane", rows[i]), numbers.of("bank", rows[i]),
                              numbers.of("word", rows[i]), numbers.of("lane_group", rows[i]), 1});
      if (access.lanes.back().lane >= kWarpLanes)
        refuse(table.where(rows[i]), "lane {}; expected 0 to {}", access.lanes.back().lane,
               kWarpLanes - 1);
      if (access.lanes.back().bank >= access.banks)
        refuse(table.where(rows[i]), "bank {} of {}; expected one that there is",
               access.lanes.back().bank, access.banks);
    }
    ReportAccess& known = worst[{access.place, access.opcode}];
    if (access.degree > known.degree) known = std::move(access);
  }
  std::vector<ReportAccess> all;
  for (const ReportLine& line : lines) {
    const auto at = worst.find({line.place, line.opcode});
    if (at == worst.end()) continue;
    at->second.source = line.source;
    at->second.conflictCycles = line.conflictCycles;
    pileUp(at->second);
    all.push_back(std::move(at->second));
  }
  return all;
}

std::vector<double> banksOf(const ReportTable& table, const std::vector<std::size_t>& rows) {
  const auto numbers = table.counts("bank");
  const auto accesses = table.counts("accesses");
  std::vector<double> banks;
  for (const std::size_t row : rows) {
    if (numbers[row] != static_cast<double>(banks.size()))
      refuse(table.where(row), "bank {}; expected {}: a row each, in their order",
             table.texts("bank")[row], banks.size());
    banks.push_back(accesses[row]);
  }
  return banks;
}

}  // namespace

RunDetail detailOf(const RunFiles& files, std::size_t row, const SourcePlaces& places) {
  Sources sources(
      places, files.sources ? &*files.sources : nullptr,
      files.sources ? rowsAlike(*files.sources, files.runs, row) : std::vector<std::size_t>());
  RunDetail detail;
  detail.row = row;
  detail.banks = banksOf(files.banks, rowsOf(files.banks, files.runs, row));
  detail.lines = linesOf(files.instructions, rowsOf(files.instructions, files.runs, row), sources);
  detail.sourceNote = sources.note();
  if (files.accesses)
    detail.accesses =
        accessesOf(*files.accesses, rowsOf(*files.accesses, files.runs, row), detail.lines);
  return detail;
}

}  // namespace fermata::platforms
