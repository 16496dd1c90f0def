#include <fermata/platforms/program/search/access_descriptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/access_matrix.h>
#include <fermata/models/search/layout.h>
#include <fermata/models/transaction/lane_groups.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/csv_rows.h>

namespace fermata::platforms {

namespace {

using search::AccessSets;

constexpr std::uint32_t kRowsOfTheirOwn = 4096;
constexpr std::uint64_t kMostCount = 0xffffffff;

std::uint32_t addInstruction(search::Instruction instruction, Collected& into) {
  const std::uint32_t number = into.sets.addInstruction(std::move(instruction));
  into.profile.resize(number + 1);
  into.profile[number].source = static_cast<std::uint32_t>(into.sources.size() - 1);
  return number;
}

/// Returns the class of one access of at most 32 lanes.
search::AccessClass classOf(const std::uint32_t* words, std::size_t lanes) {
  std::array<std::uint32_t, kWarpLanes> word{};
  std::copy(words, words + lanes, word.begin());
  return search::classify(word, lanes == kWarpLanes ? kAllLanes : (LaneMask{1} << lanes) - 1);
}

/// Returns the words of a lane group. The warp may have fewer than 32 lanes.
std::vector<std::uint32_t> wordsOf(const std::vector<std::uint32_t>& warp, LaneMask group) {
  std::vector<std::uint32_t> words;
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    if ((group >> lane & 1) != 0) words.push_back(warp[lane]);
  }
  return words;
}

std::uint64_t number(const traces::CsvRows& rows, std::size_t field, const char* what,
                     std::uint64_t least, std::uint64_t most) {
  const std::string_view text = rows[field];
  const std::string expected =
      fmt::format("; expected {}, a number from {} to {}", what, least, most);
  if (text.empty()) rows.fail(field, 0, "an empty field" + expected);
  const auto value = parseNumber<std::uint64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  rows.fail(field, 0, fmt::format("'{}'", text) + expected);
}

[[noreturn]] void failDescription(const char* what, const std::string& text,
                                  const indexing::IndexingError& error) {
  const std::string column = error.column() == 0 ? "" : std::to_string(error.column()) + ":";
  refuse("{} '{}':{} {}", what, text, column, error.what());
}

/// Words of a warp's access, one per lane: the first of `perLane` consecutive ones.
using Warp = std::vector<std::uint32_t>;

void profileOf(const Warp& warp, std::uint32_t perLane, InstructionProfile& profile) {
  ++profile.executions;
  ++profile.accesses;
  Warp element = warp;
  for (std::uint32_t& word : element) word /= perLane;
  profile.add(classOf(element.data(), element.size()), 1);
}

/// Returns the lane groups of a warp's access.
const LaneGroups& groupsOf(const Warp& warp, MemoryOperation operation, unsigned bytes,
                           const LaneGrouping& grouping) {
  WarpInstruction access;
  access.operation = operation;
  access.bytesPerLane = static_cast<std::uint8_t>(bytes);
  access.active = kAllLanes >> (kWarpLanes - warp.size());
  std::copy(warp.begin(), warp.end(), access.address.begin());
  return grouping.of(access);
}

/// Adds the accesses of warps 0, 1, ... of a block, with `bytes` per lane.
void addWarps(std::uint32_t instruction, const std::vector<Warp>& warps, MemoryOperation operation,
              unsigned bytes, const PlatformParameters& platform, Collected& into) {
  const std::uint32_t perLane = std::max(1U, bytes / platform.scratchpad.bankBytes);
  InstructionProfile& profile = into.profile[instruction];
  for (const Warp& warp : warps) profileOf(warp, perLane, profile);
  std::size_t together = 1;
  for (std::size_t first = 0; first < warps.size(); first += together) {
    const LaneGroups& groups = groupsOf(warps[first], operation, bytes, platform.crossbar.groups);
    together = groups.joins() ? 2 : 1;
    for (const LaneMask group : groups) {
      std::vector<std::uint32_t> set;
      for (std::size_t w = first; w < std::min(first + together, warps.size()); ++w) {
        for (const std::uint32_t word : wordsOf(warps[w], group)) {
          for (std::uint32_t k = 0; k < perLane; ++k) set.push_back(word + k);
        }
      }
      if (set.empty()) continue;
      ++profile.groups;
      into.sets.add(instruction, set.data(), static_cast<std::uint32_t>(set.size()));
    }
  }
}

/// The instructions of a file: one per row up to the limit, then one for all other rows.
class RowInstructions {
 public:
  RowInstructions(const std::string& path, std::uint64_t weight, Collected& into)
      : name_(std::filesystem::path(path).filename().string()), weight_(weight), into_(into) {
    into.sources.push_back(name_);
  }

  std::uint32_t next(std::size_t line) {
    if (rows_ > kRowsOfTheirOwn) return last_;
    const bool rest = rows_ == kRowsOfTheirOwn;
    const std::uint32_t pc = rows_++;
    last_ = addInstruction({name_, "", pc, rest ? "later rows" : "row", name_,
                            rest ? 0 : static_cast<std::uint32_t>(line), weight_},
                           into_);
    return last_;
  }

 private:
  std::string name_;
  std::uint64_t weight_;
  Collected& into_;
  std::uint32_t rows_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace

void collectAccessFile(const std::string& path, std::uint64_t weight, std::uint32_t words,
                       Collected& into) {
  traces::CsvRows rows(traces::openInput(path), path);
  RowInstructions instructions(path, weight, into);
  std::vector<std::uint32_t> set;
  bool first = true;
  bool any = false;
  for (; rows.next(); first = false) {
    if (first && rows[0] == "count") continue;
    const std::uint64_t count = number(rows, 0, "how often the set is accessed", 1, kMostCount);
    if (rows.size() == 1) rows.failLine("a count without words; expected count,word,word,...");
    if (rows.size() > AccessSets::kMaxWords + 1) {
      rows.fail(AccessSets::kMaxWords + 1, 0,
                fmt::format("{} words in one access set; expected at most {}", rows.size() - 1,
                            AccessSets::kMaxWords));
    }
    set.clear();
    for (std::size_t f = 1; f < rows.size(); ++f) {
      set.push_back(
          static_cast<std::uint32_t>(number(rows, f, "a word below --words", 0, words - 1)));
    }
    const std::uint32_t instruction = instructions.next(rows.line());
    into.sets.add(instruction, set.data(), static_cast<std::uint32_t>(set.size()), count);
    InstructionProfile& profile = into.profile[instruction];
    profile.accesses += count;
    profile.groups += count;
    if (set.size() <= kWarpLanes) profile.add(classOf(set.data(), set.size()), count);
    any = true;
  }
  if (!any) refuse(SourceLocation{path}, "no access set; expected rows count,word,word,...");
}

void collectAccessMatrix(const std::string& text, std::uint64_t weight, std::uint32_t words,
                         const PlatformParameters& platform, Collected& into) {
  std::vector<std::vector<std::uint32_t>> warps;
  try {
    warps = search::warpWords(search::parseAccessMatrix(text), words);
  } catch (const indexing::IndexingError& error) {
    failDescription("access", text, error);
  }
  into.sources.push_back(text);
  const std::uint32_t instruction = addInstruction({text, "", 0, "access", "", 0, weight}, into);
  addWarps(instruction, warps, MemoryOperation::Load, sizeof(std::uint32_t), platform, into);
}

void collectLayout(const std::string& text, const std::string& atomText, std::uint32_t elementBytes,
                   std::uint64_t weight, std::uint32_t words, const PlatformParameters& platform,
                   Collected& into) {
  const std::uint32_t wordBytes = platform.scratchpad.bankBytes;
  search::Atom atom;
  std::vector<std::vector<std::uint32_t>> accesses;
  try {
    atom = search::parseAtom(atomText);
  } catch (const indexing::IndexingError& error) {
    refuse("--atom: {}", error.what());
  }
  try {
    accesses =
        search::layoutWords(search::Layout::parse(text), atom, elementBytes, wordBytes, words);
  } catch (const indexing::IndexingError& error) {
    failDescription("layout", text, error);
  }
  into.sources.push_back(text);
  const std::uint32_t instruction = addInstruction({text, "", 0, atom.name, "", 0, weight}, into);
  addWarps(instruction, accesses, atom.operation, atom.bytes, platform, into);
}

}  // namespace fermata::platforms
