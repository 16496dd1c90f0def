#include <fermata/platforms/program/cli_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <vector>

#include <fermata/models/indexing/bank_load.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/warp_pattern.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/cost/mapping_costs.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/search/layout_page.h>
#include <fermata/platforms/program/search/mapping_notations.h>
#include <fermata/results/files/output_file.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {
namespace {

using indexing::Indexer;
using indexing::IndexingError;
using indexing::Location;
using indexing::WarpPattern;

// Limits of the drawing for a reader: rows, banks and words.
constexpr std::uint32_t kShownRows = 16;
constexpr std::uint32_t kShownBanks = 64;
constexpr std::uint32_t kShownWords = 1U << 20;
constexpr std::uint32_t kBanksAbreast = 40;

/// Runs a parser of user text. Errors quote the text: "mapping 'ami 0':5: ...".
template <typename Parser>
auto parsed(const char* what, const std::string& text, Parser parser) {
  try {
    return parser();
  } catch (const IndexingError& error) {
    const std::string column = error.column() == 0 ? "" : std::to_string(error.column()) + ":";
    refuse("{} '{}':{} {}", what, text, column, error.what());
  }
}

std::unique_ptr<Indexer> buildMapping(const MapRequest& request) {
  std::unique_ptr<Indexer> indexer = parsed("mapping", request.text, [&request] {
    return indexing::build(request.text, {request.banks.value_or(32), request.words});
  });
  const std::uint32_t banks = indexer->shape().banks;
  if (request.banks && *request.banks != banks)
    refuse("mapping '{}': it has {} banks of its own; expected no --banks, or --banks {}",
           request.text, banks, banks);
  return indexer;
}

void printHeader(const Indexer& indexer, std::ostream& out) {
  const indexing::Shape& shape = indexer.shape();
  out << fmt::format("{}: {} words on {} bank{} of {} row{}\n", indexer.text(), shape.words,
                     shape.banks, shape.banks == 1 ? "" : "s", indexer.rows(),
                     indexer.rows() == 1 ? "" : "s");
  const indexing::Cost cost = indexer.cost();
  out << fmt::format("cost: {} cycle{} of latency", cost.latency, cost.latency == 1 ? "" : "s");
  if (cost.levels >= 0) out << fmt::format(", {} adder rows a digit", cost.levels);
  if (cost.width >= 0) out << fmt::format(", digits of {} bits", cost.width);
  const MappingPrice price = priceOf(CostTable::ours(), indexer.text(), indexer.shape());
  out << (price.gates ? fmt::format(", {:.0f} gate equivalents", *price.gates)
                      : ", no price in gates");
  out << fmt::format("\n      ({})\n\n", cost.source);
}

void printWordsCsv(const Indexer& indexer, std::ostream& out) {
  out << "word,bank,row\n";
  fmt::memory_buffer buffer;
  for (std::uint32_t word = 0; word < indexer.shape().words; ++word) {
    const Location place = indexer.location(word);
    fmt::format_to(std::back_inserter(buffer), "{},{},{}\n", word, place.bank, place.row);
    if (buffer.size() < 60000) continue;
    out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    buffer.clear();
    if (!out) return;  // main reports the error
  }
  out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
}

/// Returns the drawn part of the memory: cells[row * banks + bank], -1 for a cell without a word.
std::vector<std::int64_t> drawCells(const Indexer& indexer, std::uint32_t rows, std::uint32_t banks,
                                    std::uint32_t words) {
  std::vector<std::int64_t> cells(static_cast<std::size_t>(rows) * banks, -1);
  for (std::uint32_t word = 0; word < words; ++word) {
    const Location place = indexer.location(word);
    if (place.row < rows && place.bank < banks) {
      cells[static_cast<std::size_t>(place.row) * banks + place.bank] = word;
    }
  }
  return cells;
}

/// Prints a part of the table: banks first to end-1 side by side.
void printBlock(const std::vector<std::int64_t>& cells, std::uint32_t rows, std::uint32_t banks,
                std::uint32_t first, std::uint32_t end, std::size_t width, std::ostream& out) {
  const std::size_t side = std::max<std::size_t>(std::to_string(rows - 1).size(), 3);
  std::string line = fmt::format("{:>{}} |", "row", side);
  for (std::uint32_t bank = first; bank < end; ++bank) line += fmt::format(" {:>{}}", bank, width);
  out << line << "  bank\n"
      << std::string(side + 1, '-') << '+' << std::string(line.size() - side - 2, '-') << '\n';
  for (std::uint32_t row = 0; row < rows; ++row) {
    line = fmt::format("{:>{}} |", row, side);
    for (std::uint32_t bank = first; bank < end; ++bank) {
      const std::int64_t word = cells[static_cast<std::size_t>(row) * banks + bank];
      line += fmt::format(" {:>{}}", word < 0 ? "." : std::to_string(word), width);
    }
    out << line << '\n';
  }
}

/// Returns a note on what the table leaves out; empty: nothing.
std::string cutNote(const Indexer& indexer, std::uint32_t rows, std::uint32_t banks,
                    std::uint32_t words) {
  std::vector<std::string> parts;
  if (rows < indexer.rows()) {
    parts.push_back(fmt::format("rows 0 to {} of {}", rows - 1, indexer.rows()));
  }
  if (banks < indexer.shape().banks) {
    parts.push_back(fmt::format("banks 0 to {} of {}", banks - 1, indexer.shape().banks));
  }
  if (words < indexer.shape().words) {
    parts.push_back(fmt::format("words 0 to {} of {}", words - 1, indexer.shape().words));
  }
  return parts.empty() ? ""
                       : fmt::format("\nshown: {} (--csv prints all)\n", fmt::join(parts, ", "));
}

void printWords(const Indexer& indexer, std::ostream& out) {
  printHeader(indexer, out);
  const std::uint32_t rows = std::min(indexer.rows(), kShownRows);
  const std::uint32_t banks = std::min(indexer.shape().banks, kShownBanks);
  const std::uint32_t words = std::min(indexer.shape().words, kShownWords);
  const std::vector<std::int64_t> cells = drawCells(indexer, rows, banks, words);
  const std::size_t width =
      std::max(std::to_string(words - 1).size(), std::to_string(banks - 1).size());
  const std::uint32_t parts = (banks + kBanksAbreast - 1) / kBanksAbreast;
  const std::uint32_t abreast = (banks + parts - 1) / parts;
  for (std::uint32_t first = 0; first < banks; first += abreast) {
    if (first != 0) out << '\n';
    printBlock(cells, rows, banks, first, std::min(first + abreast, banks), width, out);
  }
  out << cutNote(indexer, rows, banks, words);
}

void printWarpCsv(const WarpPattern& pattern, const indexing::BankLoad& load, std::ostream& out) {
  out << "lane,word,bank,row\n";
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((pattern.active >> lane & 1U) == 0) continue;
    out << fmt::format("{},{},{},{}\n", lane, pattern.word[lane], load.bank[lane], load.row[lane]);
  }
}

void printWarp(const Indexer& indexer, const MapRequest& request, const WarpPattern& pattern,
               const indexing::BankLoad& load, std::ostream& out) {
  printHeader(indexer, out);
  out << "warp '" << request.warp << "'\nbank  passes  lane:word\n";
  for (std::uint32_t bank = 0; bank < indexer.shape().banks; ++bank) {
    std::string lanes;
    unsigned passes = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((pattern.active >> lane & 1U) == 0 || load.bank[lane] != bank) continue;
      lanes += fmt::format(" {}:{}", lane, pattern.word[lane]);
      passes = std::max(passes, load.pass[lane] + 1U);
    }
    if (passes != 0) out << fmt::format("{:>4}  {:>6} {}\n", bank, passes, lanes);
  }
  out << fmt::format("\nconflict degree {}: {} distinct word{} in {} bank{} take{} {} pass{}\n",
                     load.degree, load.distinctWords, load.distinctWords == 1 ? "" : "s",
                     load.banks, load.banks == 1 ? "" : "s", load.distinctWords == 1 ? "s" : "",
                     load.degree, load.degree == 1 ? "" : "es");
}

void writePage(const MapRequest& request, const Indexer& indexer, const WarpPattern& pattern) {
  AskedGroup group;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((pattern.active >> lane & 1U) != 0) group.words.push_back({lane, pattern.word[lane]});
  }
  files::OutputFile file(request.html);
  file.write(accessPage(indexer, group, request.warp));
  file.commit();
}

/// Prints one row per notation: its name and the text. A text without a name is a note.
void printNotations(const MapRequest& request, const Indexer& indexer, std::ostream& out) {
  SearchRequest search;
  search.elementBytes = request.element;
  results::Table table({{"notation", results::Align::Left}, {"text", results::Align::Left}});
  for (const Notation& one : mappingNotations(search, indexer, request.banks.value_or(32)))
    table.row({one.name.empty() ? "note" : one.name, one.text});
  request.rows.print(table, out);
}

}  // namespace

void printFamilies(const RowOutput& rows, std::ostream& out) {
  results::Table table({{"text", results::Align::Left}, {"mapping", results::Align::Left}});
  for (const indexing::Family& family : indexing::families()) {
    table.row({family.syntax, family.description});
  }
  rows.print(table, out);
}

void printMap(const MapRequest& request, std::ostream& out) {
  const std::unique_ptr<Indexer> indexer = buildMapping(request);
  if (request.notations) return printNotations(request, *indexer, out);
  if (request.warp.empty()) {
    if (request.rows.json) {
      std::ostringstream words;
      printWordsCsv(*indexer, words);
      request.rows.print(words.str(), out);
    } else {
      request.rows.csv ? printWordsCsv(*indexer, out) : printWords(*indexer, out);
    }
    return;
  }
  const WarpPattern pattern = parsed("warp", request.warp, [&request] {
    return indexing::parseWarpPattern(request.warp, request.words);
  });
  if (!request.html.empty()) writePage(request, *indexer, pattern);
  const indexing::BankLoad load = indexing::bankLoad(*indexer, pattern.word, pattern.active);
  if (request.rows.isAsked()) {
    std::ostringstream lanes;
    printWarpCsv(pattern, load, lanes);
    request.rows.print(lanes.str(), out);
  } else {
    printWarp(*indexer, request, pattern, load, out);
  }
}

void addMapCommand(CLI::App& app, Invocation&) {
  CLI::App* command =
      app.add_subcommand("map", "Draws how a mapping lays words over banks and rows");
  const auto request = std::make_shared<MapRequest>();
  CLI::Option* mapping = command->add_option(
      "text", request->text,
      "Takes the mapping, quoted as one argument. Without it, lists the families of mappings.");
  mapping->type_name("MAPPING");
  command
      ->add_option("--banks", request->banks,
                   "Sets the number of banks (default: the mapping's own number, or 32)")
      ->needs(mapping)
      ->transform(wholeNumber(1, 4096));
  command->add_option("--words", request->words, "Sets the number of words of the memory")
      ->needs(mapping)
      ->transform(wholeNumber(1, 0xffffffffU))
      ->capture_default_str();
  addRowOutput(*command, request->rows,
               "word,bank,row (or lane,word,bank,row with --warp), or the families,");
  CLI::Option* const warp =
      command
          ->add_option("--warp", request->warp,
                       "Shows one access: 'stride S [offset O]' or 'words A,B,...'")
          ->needs(mapping)
          ->check([](const std::string& text) {
            return text.empty() ? std::string(
                                      "an empty pattern; expected 'stride S [offset O]' or "
                                      "'words A,B,...'")
                                : std::string();
          });
  command
      ->add_option("--html", request->html,
                   "Writes lanes by banks before and after to this file, as a page that needs no "
                   "network")
      ->needs(warp)
      ->type_name("FILE")
      ->check(notEmpty("a file"));
  command
      ->add_flag("--notations", request->notations,
                 "Prints how CuTe, TMA, Triton and C write the mapping, for an index i of elements "
                 "or a word w")
      ->needs(mapping)
      ->excludes(warp);
  command->add_option("--element", request->element, "Sets the bytes of an element for --notations")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 2, 4, 8, 16}));
  command->footer(
      "Examples:\n  fermata map\n  fermata map 'ami 6' --words 24\n"
      "  fermata map 'xor k1=0 k2=5 mask=7' --warp 'stride 32' --html access.html");
  command->callback([request, mapping] {
    mapping->count() == 0 ? printFamilies(request->rows, std::cout) : printMap(*request, std::cout);
  });
}

}  // namespace fermata::platforms
