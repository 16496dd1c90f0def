#include <fermata/platforms/program/study/study_examples.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <fermata/models/indexing/bank_load.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/warp_pattern.h>
#include <fermata/models/search/access_matrix.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using ExampleFigure = Example::What;
using WarpWords = std::vector<std::uint32_t>;  ///< one word per lane

const Choices<ExampleFigure> kExampleFigures{{"layout", ExampleFigure::Layout},
                                             {"degree", ExampleFigure::Degree},
                                             {"candidates", ExampleFigure::Candidates},
                                             {"address_bits", ExampleFigure::AddressBits}};

/// Returns the access of each warp: one of a pattern, several of a matrix.
std::vector<WarpWords> warpsOf(const std::string& text, std::uint32_t words) {
  if (text.find("threads=") != std::string::npos)
    return search::warpWords(search::parseAccessMatrix(text), words);
  const indexing::WarpPattern pattern = indexing::parseWarpPattern(text, words);
  WarpWords warp;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((pattern.active >> lane & 1U) != 0) warp.push_back(pattern.word[lane]);
  }
  return {warp};
}

std::vector<WarpWords> accessesOf(const Example& example) {
  std::vector<WarpWords> all;
  for (const std::string& text : example.accesses) {
    const std::vector<WarpWords> warps = warpsOf(text, example.words);
    all.insert(all.end(), warps.begin(), warps.end());
  }
  return all;
}

/// Returns "0 16 12 8 4 | 5 1 17 13 9": words by row and bank, "." for a place without a word.
std::string layoutText(const Example& example) {
  const auto mapping = indexing::build(example.mapping, {example.banks, example.words});
  std::vector<std::vector<std::string>> rows(mapping->rows(),
                                             std::vector<std::string>(mapping->shape().banks, "."));
  for (std::uint32_t word = 0; word < example.words; ++word) {
    const indexing::Location place = mapping->location(word);
    rows[place.row][place.bank] = std::to_string(word);
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) lines.push_back(fmt::format("{}", fmt::join(row, " ")));
  return fmt::format("{}", fmt::join(lines, " | "));
}

unsigned degreeOf(const Example& example) {
  const auto mapping = indexing::build(example.mapping, {example.banks, example.words});
  unsigned degree = 0;
  for (const WarpWords& warp : accessesOf(example)) {
    std::array<std::uint32_t, kWarpLanes> lanes{};
    std::copy(warp.begin(), warp.end(), lanes.begin());
    const LaneMask active = kAllLanes >> (kWarpLanes - warp.size());
    degree = std::max(degree, indexing::conflictDegree(*mapping, lanes, active));
  }
  return degree;
}

search::Found foundFor(const Example& example) {
  search::AccessSets sets;
  const std::uint32_t instruction = sets.addInstruction({});
  for (const WarpWords& warp : accessesOf(example)) {
    sets.add(instruction, warp.data(), static_cast<std::uint32_t>(warp.size()));
  }
  return search::search(example.search->mappingClass, example.search->method,
                        {sets, {example.banks, example.words}});
}

/// Returns "3 4 5" of the mapping "bits 3,4,5".
std::string bitsText(std::string mapping) {
  mapping.erase(0, mapping.find(' ') + 1);
  std::replace(mapping.begin(), mapping.end(), ',', ' ');
  return mapping;
}

ComparedFigure compared(const Example& example, const PublishedFacts& facts) {
  ComparedFigure figure = facts.of(example.claim, example.where);
  if (!example.note.empty()) figure.note = example.note;
  switch (example.what) {
    case ExampleFigure::Layout:
      figure.oursText = layoutText(example);
      break;
    case ExampleFigure::Degree:
      figure.ours = degreeOf(example);
      break;
    case ExampleFigure::Candidates:
      figure.ours = foundFor(example).candidates;
      break;
    case ExampleFigure::AddressBits:
      figure.oursText = bitsText(foundFor(example).mapping);
      break;
  }
  return figure;
}

std::uint32_t sizeAt(TomlTable& table, const std::string& key, std::uint32_t otherwise,
                     std::uint32_t most) {
  const std::int64_t value = table.constant(key, otherwise);
  if (value < 1 || value > most)
    refuse(table.where(key), "'{}' is {}; expected 1 to {}", key, value, most);
  return static_cast<std::uint32_t>(value);
}

Example readExample(TomlTable& table) {
  constexpr std::uint32_t kMostBanks = 4096;
  constexpr std::uint32_t kMostWords = 1U << 20;
  Example example;
  example.where = table.where();
  example.claim = table.text("claim");
  example.what = choose(table.text("of"), kExampleFigures, table.where("of"), "figure");
  const bool searches =
      example.what == ExampleFigure::Candidates || example.what == ExampleFigure::AddressBits;
  if (searches) {
    example.search = parseSearchChoice(table.text("search"), table.where("search"));
  } else {
    example.mapping = table.text("mapping");
  }
  if (example.what != ExampleFigure::Layout) {
    example.accesses = table.texts("accesses");
    if (example.accesses.empty())
      refuse(table.where("accesses"), "no 'accesses'; expected for instance [\"stride 4\"]");
  }
  if (example.what == ExampleFigure::AddressBits &&
      example.search->mappingClass != search::MappingClass::Bits)
    refuse(table.where("search"), "it does not choose single address bits; expected bits.METHOD");
  example.banks = sizeAt(table, "banks", example.banks, kMostBanks);
  example.words = sizeAt(table, "words", example.words, kMostWords);
  example.note = table.text("note", "");
  table.refuseOtherKeys();
  return example;
}

}  // namespace

void readExamples(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tablesOrRows("example", "an example")) {
    if (study.kind != Study::Kind::Examples)
      refuse(table.where(), "an example; expected kind = \"examples\"");
    study.examples.push_back(readExample(table));
  }
}

std::vector<ComparedFigure> compareExamples(const Study& study) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const Example& example : study.examples) {
    try {
      figures.push_back(compared(example, facts));
    } catch (const indexing::IndexingError& error) {
      refuse(example.where, "{}", error.what());
    }
  }
  return figures;
}

}  // namespace fermata::platforms
