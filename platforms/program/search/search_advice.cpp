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

/// Returns "; index i + i / 31" if the kernel's index can compute the mapping.
std::string indexText(const SearchRequest& request, const SearchReport& report,
                      const SearchRow& row) {
  if (row.where() != MadeIn::Kernel) return "";
  const std::string words = indexWords(request, report.shape, row.found.mapping);
  return words.empty() ? "" : "; index " + words;
}

/// Prints a row that leaves fewer conflicts, and what it saves.
void printBetter(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 const SearchRow& row, std::ostream& out) {
  const Worth worth = worthOf(request, report, row, applied);
  const bool enough = worth.reaches(request.worthPercent);
  out << fmt::format("{} {}: {}{}\n", enough ? "recommended" : "best", name(row.where()),
                     leftText(report, row), indexText(request, report, row));
  if (row.where() == MadeIn::Hardware && !row.price.gates) {
    const SearchRow* priced = report.bestPriced();
    if (priced != nullptr && priced->after >= report.before) priced = nullptr;
    printNoPrice(report, priced, out);
  }
  out << worthText(request, applied, worth);
  if (enough && !request.workloads.empty())
    out << "  " << runCommand(request, report, row.found.mapping) << '\n';
}

/// Prints the best row that is made in one place.
void printBest(const SearchRequest& request, const SearchReport& report, const Applied& applied,
               MadeIn where, std::ostream& out) {
  const SearchRow* const row = report.bestIn(where);
  const bool kernel = where == MadeIn::Kernel;
  if (row != nullptr && row->after < report.before) {
    printBetter(request, report, applied, *row, out);
  } else if (row != nullptr) {
    out << fmt::format("recommended {}: keep {}: no {} found leaves fewer conflicts\n", name(where),
                       report.baseline, kernel ? "padding or swizzle" : "mapping of banks");
  } else if (!(kernel && request.l1)) {
    out << fmt::format("{}: not searched; expected --class {}\n", name(where),
                       kernel ? "padding,swizzle" : "matrix,ami");
  }
}

/// Prints the best mapping of each kind side by side.
void printKinds(const SearchRequest& request, const SearchReport& report, std::ostream& out) {
  results::Table table({{"where", Align::Left},
                        {"kind", Align::Left},
                        {"mapping", Align::Left},
                        {"conflicts left"},
                        {"removed"},
                        {"cost", Align::Left},
                        {"index", Align::Left}});
  const std::pair<const char*, const SearchRow*> kinds[] = {{"padding", report.bestPadding()},
                                                            {"swizzle", report.bestSwizzle()},
                                                            {"XOR hash", report.bestHash()},
                                                            {"modulus", report.bestModulus()}};
  for (const auto& [kind, row] : kinds) {
    if (row == nullptr) continue;
    const std::string where = name(row->where());
    if (row->after >= report.before) {
      table.row({where, kind, "none better", counted(report, report.before), "0.0%", "-", "-"});
      continue;
    }
    const std::string words = indexWords(request, report.shape, row->found.mapping);
    table.row({where, kind, row->found.mapping, counted(report, row->after),
               removed(report.before, row->after), costText(report, *row),
               words.empty() ? "-" : words});
  }
  out << "\nthe best of each kind:\n";
  table.print(out);
}

/// Prints the best swizzle and padding as the kernel's programmer writes them, and the limits of
/// swizzles.
void printWords(const SearchRequest& request, const SearchReport& report, std::ostream& out) {
  for (const SearchRow* row : {report.bestSwizzle(), report.bestPadding()}) {
    if (row == nullptr || row->after >= report.before) continue;
    const Notations words = kernelWords(request, report.shape, row->found.mapping);
    if (words.empty()) continue;
    out << fmt::format(
        "\n{}, in the kernel (elements of {}, index i{}):\n{}", row->found.mapping,
        plural(request.elementBytes, "byte"),
        request.workloads.empty() ? "" : " from the start of the CTA's shared memory",
        linesOf(words));
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
  if (row.found.mappingClass == MappingClass::Tma) return "done by TMA";
  if (const auto form = swizzleForm(row.found.mapping))
    return form->bits == 0 ? "nothing" : "3 operations per index";
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
  out << '\n';
  printBest(request, report, applied, MadeIn::Kernel, out);
  printBest(request, report, applied, MadeIn::Hardware, out);
  printKinds(request, report, out);
  printWords(request, report, out);
}

}  // namespace fermata::platforms
