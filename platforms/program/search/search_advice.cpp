#include <fermata/platforms/program/search/search_advice.h>

#include <fmt/format.h>

#include <utility>

#include <fermata/platforms/program/search/search_report.h>
#include <fermata/platforms/program/search/search_words.h>
#include <fermata/platforms/program/search/search_worth.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

using results::Align;
using results::grouped;
using search::MappingClass;

std::string leftText(const SearchReport& report, const SearchRow& row) {
  return fmt::format("{}: {}{} left; cost: {}", row.found.mapping, report.estimates() ? "~" : "",
                     plural(row.after, "conflict"), costText(report, row));
}

/// `priced`: the best row with a price, or null.
void printNoPrice(const SearchReport& report, const SearchRow* priced, std::ostream& out) {
  out << "it has no price; ";
  if (priced == nullptr) {
    out << "none that leaves fewer conflicts has one\n";
  } else {
    out << "with a price: " << leftText(report, *priced) << '\n';
  }
}

/// Prints the best row and what it saves.
void printBest(const SearchRequest& request, const SearchReport& report, const Applied& applied,
               std::ostream& out) {
  const SearchRow* best = report.best();
  if (best == nullptr) return;
  const SearchRow* priced = best->price.gates ? nullptr : report.bestPriced();
  if (priced != nullptr && priced->after >= report.before) priced = nullptr;
  if (best->after >= report.before) {
    out << fmt::format("\nrecommended: keep {}: no mapping found leaves fewer conflicts\n",
                       report.baseline);
  } else {
    const Worth worth = worthOf(request, report, *best, applied);
    const bool enough = worth.reaches(request.worthPercent);
    out << (enough ? "\nrecommended: " : "\nbest: ") << leftText(report, *best) << '\n';
    if (!best->price.gates) printNoPrice(report, priced, out);
    out << worthText(request, applied, worth);
    if (enough && !request.workloads.empty()) {
      out << "  " << runCommand(request, report, best->found.mapping) << '\n';
    }
  }
}

/// Prints the best mapping of each kind side by side, if there are two kinds or more.
void printKinds(const SearchRequest& request, const SearchReport& report, std::ostream& out) {
  results::Table table({{"kind", Align::Left},
                        {"mapping", Align::Left},
                        {"conflicts left"},
                        {"removed"},
                        {"cost", Align::Left},
                        {"in the kernel", Align::Left}});
  const std::pair<const char*, const SearchRow*> kinds[] = {{"XOR hash", report.bestHash()},
                                                            {"modulus", report.bestModulus()},
                                                            {"swizzle", report.bestSwizzle()},
                                                            {"padding", report.bestPadding()}};
  unsigned found = 0;
  for (const auto& [kind, row] : kinds) {
    if (row == nullptr) continue;
    ++found;
    if (row->after >= report.before) {
      table.row({kind, "none better", counted(report, report.before), "0.0%", "-", "-"});
      continue;
    }
    const std::string words = indexWords(request, report.shape, row->found.mapping);
    table.row({kind, row->found.mapping, counted(report, row->after),
               removed(report.before, row->after), costText(report, *row),
               words.empty() ? "-" : words});
  }
  if (found < 2) return;
  out << "\nthe best of each kind:\n";
  table.print(out);
}

/// Prints the best swizzle and padding as the kernel's programmer writes them, and the limits of
/// swizzles.
void printWords(const SearchRequest& request, const SearchReport& report, std::ostream& out) {
  for (const SearchRow* row : {report.bestSwizzle(), report.bestPadding()}) {
    if (row == nullptr || row->after >= report.before) continue;
    const std::string words = kernelWords(request, report.shape, row->found.mapping);
    if (words.empty()) continue;
    out << fmt::format("\n{}, in the kernel (elements of {}, index i):\n{}", row->found.mapping,
                       plural(request.elementBytes, "byte"), words);
  }
  for (const SearchRow& row : report.rows) {
    if (row.found.mappingClass != search::MappingClass::Swizzle || row.after == 0) continue;
    if (row.found.proof != search::Proof::Optimal) continue;
    out << fmt::format("no swizzle leaves fewer than {}: all {} were counted\n",
                       plural(row.after, "conflict"), grouped(row.found.candidates));
  }
}

}  // namespace

std::string plural(std::uint64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string counted(const SearchReport& report, std::uint64_t conflicts) {
  return (report.estimates() ? "~" : "") + grouped(conflicts);
}

std::string costText(const SearchReport& report, const SearchRow& row) {
  if (row.found.mappingClass == MappingClass::Padding) {
    const std::string words = plural(row.extraWords, "word");
    if (!row.lost) return words;
    const bool several = report.collected.grids.size() > 1;
    return fmt::format("{}, {} -> {} CTAs{}", words, row.lost->before, row.lost->after,
                       several ? " of " + row.lost->kernel : "");
  }
  std::string text = row.price.gates ? fmt::format("{:.0f} gates", *row.price.gates) : "no price";
  if (row.latency != 0) text += ", +" + plural(row.latency, "cycle");
  if (row.banks != report.shape.banks) text += ", " + plural(row.banks, "bank");
  return text;
}

std::string removed(std::uint64_t before, std::uint64_t after) {
  if (before == 0) return "-";
  const double share = 1 - static_cast<double>(after) / static_cast<double>(before);
  return results::fixed(100 * share, 1) + "%";
}

void printAdvice(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 std::ostream& out) {
  printBest(request, report, applied, out);
  printKinds(request, report, out);
  printWords(request, report, out);
}

}  // namespace fermata::platforms
