// Input: a line "banks words weight", a line with an access as a matrix (or empty), then a CSV file
// of accesses. It is read or refused. Accepted accesses go through every search, and every result
// is counted again, word by word.
#include <fermata/models/indexing/linear.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/program/search/search_job.h>
#include "tests/fuzz/input.h"

namespace {

using namespace fermata;
using fuzz::require;
using indexing::Indexer;
using search::MappingClass;
using search::Method;
using search::Proof;

constexpr std::uint32_t kMostBanks = 40;
constexpr std::uint32_t kMostWords = 1030;
constexpr std::size_t kMostRows = 40;
constexpr std::uint64_t kEffort = 600;

std::uint64_t conflicts(const search::AccessSets& sets, const Indexer& indexer) {
  std::uint64_t sum = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    std::vector<std::uint64_t> load(indexer.shape().banks, 0);
    for (const std::uint32_t word : sets.words(set)) ++load[indexer.location(word).bank];
    sum += sets.weight(set) * (*std::max_element(load.begin(), load.end()) - 1);
  }
  return sum;
}

bool isHash(MappingClass mappingClass) {
  return mappingClass != MappingClass::Ami && mappingClass != MappingClass::Padding;
}

/// True if every mapping of class `narrow` also belongs to `wide`.
bool within(MappingClass narrow, MappingClass wide) {
  if (wide == MappingClass::Matrix) return isHash(narrow);
  if (wide == MappingClass::Pairs) {
    return narrow == MappingClass::Pairs || narrow == MappingClass::Bits ||
           narrow == MappingClass::Xor || narrow == MappingClass::Perm;
  }
  if (wide == MappingClass::Xor) return narrow == MappingClass::Xor || narrow == MappingClass::Perm;
  return narrow == wide || (wide == MappingClass::Bits && narrow == MappingClass::Perm);
}

void checkRow(const platforms::SearchReport& report, const platforms::SearchRow& row) {
  const search::AccessSets& sets = report.collected.sets;
  const search::Found& found = row.found;
  const auto indexer = indexing::build(found.mapping, report.shape);
  const std::string name = found.mapping + " (" + search::name(found.method) + ")";
  require(indexer->text() == found.mapping, name + " is in its canonical form");
  require(conflicts(sets, *indexer) == row.after, name + " leaves the conflicts that are reported");
  require(found.after == row.after && found.before == report.before, name + ": figures agree");
  std::uint64_t sum = 0;
  for (const std::uint64_t each : row.conflicts) sum += each;
  require(sum == row.after, name + ": the instructions' conflicts add up");
  require((found.proof == Proof::ConflictFree) == (row.after == 0), name + ": conflict-free");
  require(found.proof != Proof::Bound || (found.bound != 0 && found.bound <= row.after),
          name + ": its bound is one");
  const bool all = found.method == Method::Exhaustive || found.method == Method::Pruned;
  if (all && found.mappingClass != MappingClass::Bits) {
    const bool same = found.mappingClass == MappingClass::Ami || row.banks == report.shape.banks;
    require(same, name + " has the banks of the memory");
    require(row.after <= report.before || found.mappingClass == MappingClass::Pairs,
            name + " is no worse than what every class holds");
  }
}

/// A proven best mapping must not be beaten by a mapping of a class that its own class contains.
void checkProofs(const platforms::SearchReport& report) {
  for (const platforms::SearchRow& wide : report.rows) {
    const search::Found& found = wide.found;
    std::uint64_t least = 0;
    if (found.proof == Proof::Optimal || found.method == Method::General) least = wide.after;
    if (found.proof == Proof::Bound && found.method != Method::General) least = found.bound;
    for (const platforms::SearchRow& narrow : report.rows) {
      if (!within(narrow.found.mappingClass, found.mappingClass)) continue;
      require(narrow.after >= least, narrow.found.mapping + " beats the best, " + found.mapping);
    }
  }
}

void checkPareto(const platforms::SearchReport& report) {
  std::uint64_t before = ~std::uint64_t{0};
  unsigned gates = 0;
  for (const search::ParetoPoint& point : report.pareto) {
    std::string text;
    unsigned counted = 0;
    for (const std::uint32_t row : point.bank.rows) {
      text += (text.empty() ? "matrix " : ",") + std::to_string(row);
      counted += static_cast<unsigned>(__builtin_popcount(row)) - 1;
    }
    require(counted == point.gates, text + ": its gates");
    const auto indexer = indexing::build(text, report.shape);
    require(conflicts(report.collected.sets, *indexer) == point.conflicts, text + ": a compromise");
    require(point.conflicts < before, "compromises lose conflicts");
    require(before == ~std::uint64_t{0} ? point.gates == 0 : point.gates > gates,
            "compromises gain gates");
    before = point.conflicts;
    gates = point.gates;
  }
  for (const platforms::SearchRow& row : report.rows) {
    if (row.found.mappingClass != MappingClass::Matrix || report.pareto.empty()) continue;
    require(before <= row.after, "the last compromise is as good as the general search");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::InputFile file(".csv");
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string line = fuzz::takeLine(text);
  std::uint32_t banks = 0, words = 0, weight = 0;
  if (!fuzz::takeNumber(line, kMostBanks, banks) || !fuzz::takeNumber(line, kMostWords, words) ||
      !fuzz::takeNumber(line, ~0U, weight) || banks == 0 || words == 0 || weight == 0) {
    return -1;
  }
  platforms::SearchRequest request;
  request.banks = banks;
  request.words = words;
  const std::string access = fuzz::takeLine(text);
  if (!access.empty()) request.accessTexts.push_back(access);
  if (!text.empty()) request.accessFiles.push_back(file.write(text));
  if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > kMostRows) return -1;
  request.weights.assign(request.accessTexts.size() + request.accessFiles.size(), weight);
  request.searchOptions.effort = kEffort;
  request.searchOptions.maxBanks = kMostBanks;
  request.evenWithoutConflicts = true;
  request.pareto = banks > 1 && (banks & (banks - 1)) == 0;
  std::ostringstream nobody;
  results::Progress progress(nobody, false);
  try {
    const platforms::SearchReport report = runSearch(request, progress);
    require(conflicts(report.collected.sets, *indexing::build(report.baseline, report.shape)) ==
                report.before,
            "the baseline's conflicts");
    for (const platforms::SearchRow& row : report.rows) checkRow(report, row);
    checkProofs(report);
    checkPareto(report);
  } catch (const BadInput&) {
  }
  return 0;
}
