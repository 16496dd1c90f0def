#include <fermata/platforms/program/search/access_descriptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/access_matrix.h>
#include <fermata/models/search/atom.h>
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

/// Words of a warp's access, one per lane: the first of consecutive ones.
using Warp = std::vector<std::uint32_t>;

/// `apart`: words between lanes side by side.
void profileOf(const Warp& warp, std::uint32_t apart, InstructionProfile& profile) {
  ++profile.executions;
  ++profile.accesses;
  Warp element = warp;
  for (std::uint32_t& word : element) word /= apart;
  profile.add(classOf(element.data(), element.size()), 1);
}

/// Returns the lane groups of a warp's access.
const LaneGroups& groupsOf(const Warp& warp, const search::Atom& atom,
                           const LaneGrouping& grouping) {
  WarpInstruction access;
  access.operation = atom.operation;
  access.bytesPerLane = static_cast<std::uint8_t>(atom.bytes);
  access.active = kAllLanes >> (kWarpLanes - warp.size());
  std::copy(warp.begin(), warp.end(), access.address.begin());
  StaticInstruction issued;
  if (atom.matrices) issued.matrices = static_cast<std::uint8_t>(atom.lanes / 8);
  return grouping.of(access, &issued);
}

/// Throws unless each lane of a group updates a word of its own: what lanes on one word cost is the
/// machine's choice (scratchpad.atomics), and no mapping changes it.
void checkUpdates(std::vector<std::uint32_t> words) {
  std::sort(words.begin(), words.end());
  const auto twice = std::adjacent_find(words.begin(), words.end());
  if (twice == words.end()) return;
  throw indexing::IndexingError(fmt::format(
      "two lanes update word {} at once: no mapping parts them; expected a word for each lane of a "
      "group",
      *twice));
}

/// Returns the lane groups of the accesses of warps 0, 1, ... of a block, those without lanes left
/// out.
std::vector<AskedGroup> groupsOf(const std::vector<Warp>& warps, const search::Atom& atom,
                                 const PlatformParameters& platform) {
  const std::uint32_t wordBytes = platform.scratchpad.bankBytes;
  const std::uint32_t perLane = (atom.bytes + wordBytes - 1) / wordBytes;
  std::vector<AskedGroup> all;
  std::size_t together = 1;
  // Each warp but the last is full: `full` lanes.
  const std::size_t full = warps.empty() ? 0 : warps.front().size();
  for (std::size_t first = 0; first < warps.size(); first += together) {
    const LaneGroups& groups = groupsOf(warps[first], atom, platform.crossbar.groups);
    together = groups.joins() ? 2 : 1;
    for (const LaneMask group : groups) {
      AskedGroup asked{static_cast<std::uint32_t>(first), {}};
      for (std::size_t w = first; w < std::min(first + together, warps.size()); ++w) {
        for (std::uint32_t lane = 0; lane < warps[w].size(); ++lane) {
          if ((group >> lane & 1) == 0) continue;
          for (std::uint32_t k = 0; k < perLane; ++k)
            asked.words.push_back({lane + static_cast<std::uint32_t>(w - first) * kWarpLanes,
                                   warps[w][lane] + k, static_cast<std::uint32_t>(w * full + lane),
                                   k});
        }
      }
      if (!asked.words.empty()) all.push_back(std::move(asked));
    }
  }
  return all;
}

/// Adds the accesses of warps 0, 1, ... of a block.
void addWarps(std::uint32_t instruction, const std::vector<Warp>& warps, const search::Atom& atom,
              const PlatformParameters& platform, Collected& into) {
  const std::uint32_t wordBytes = platform.scratchpad.bankBytes;
  InstructionProfile& profile = into.profile[instruction];
  for (const Warp& warp : warps) profileOf(warp, std::max(1U, atom.alignment / wordBytes), profile);
  for (const AskedGroup& group : groupsOf(warps, atom, platform)) {
    std::vector<std::uint32_t> set;
    for (const AskedWord& asked : group.words) set.push_back(asked.word);
    if (atom.operation == MemoryOperation::Atomic) checkUpdates(set);
    ++profile.groups;
    into.sets.add(instruction, set.data(), static_cast<std::uint32_t>(set.size()));
  }
}

/// Throws if the machine's lane groups of an atom are not known.
void checkAtom(const search::Atom& atom, const LaneGrouping& grouping) {
  constexpr unsigned kMeasured = 8;  // lanes of a group of 96 bits
  if (atom.bytes != 12) return;
  for (const LaneMask group : grouping.of(atom.operation, atom.bytes)) {
    if (__builtin_popcount(group) == kMeasured) continue;
    throw indexing::IndexingError(
        atom.name + " on a machine whose groups of 128 bits have " +
        std::to_string(__builtin_popcount(group)) +
        " lanes: groups of 96 bits are known where both have 8; expected mi300 or rdna3");
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

std::vector<Warp> matrixWarps(const std::string& text, std::uint32_t words) {
  try {
    return search::warpWords(search::parseAccessMatrix(text), words);
  } catch (const indexing::IndexingError& error) {
    failDescription("access", text, error);
  }
}

search::Atom wordLoad() {
  return search::parseAtom("ld.32", sizeof(std::uint32_t));
}

search::Atom atomOf(const std::string& text, std::uint32_t elementBytes,
                    const PlatformParameters& platform) {
  try {
    const search::Atom atom = search::parseAtom(text, elementBytes);
    checkAtom(atom, platform.crossbar.groups);
    return atom;
  } catch (const indexing::IndexingError& error) {
    refuse("--atom: {}", error.what());
  }
}

std::vector<Warp> layoutWarps(const std::string& text, const search::Atom& atom,
                              std::uint32_t elementBytes, std::uint32_t words,
                              const PlatformParameters& platform) {
  return search::layoutWords(search::Layout::parse(text), atom, elementBytes,
                             platform.scratchpad.bankBytes, words);
}

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
  const std::vector<Warp> warps = matrixWarps(text, words);
  into.sources.push_back(text);
  const std::uint32_t instruction = addInstruction({text, "", 0, "access", "", 0, weight}, into);
  addWarps(instruction, warps, wordLoad(), platform, into);
}

void collectLayout(const std::string& text, const std::string& atomText, std::uint32_t elementBytes,
                   std::uint64_t weight, std::uint32_t words, const PlatformParameters& platform,
                   Collected& into) {
  const search::Atom atom = atomOf(atomText, elementBytes, platform);
  into.sources.push_back(text);
  const std::uint32_t instruction = addInstruction({text, "", 0, atom.name, "", 0, weight}, into);
  try {
    addWarps(instruction, layoutWarps(text, atom, elementBytes, words, platform), atom, platform,
             into);
  } catch (const indexing::IndexingError& error) {
    failDescription("layout", text, error);
  }
}

std::vector<AskedGroup> matrixGroups(const std::string& text, std::uint32_t words,
                                     const PlatformParameters& platform) {
  return groupsOf(matrixWarps(text, words), wordLoad(), platform);
}

std::vector<AskedGroup> layoutGroups(const std::string& text, const std::string& atomText,
                                     std::uint32_t elementBytes, std::uint32_t words,
                                     const PlatformParameters& platform) {
  const search::Atom atom = atomOf(atomText, elementBytes, platform);
  try {
    return groupsOf(layoutWarps(text, atom, elementBytes, words, platform), atom, platform);
  } catch (const indexing::IndexingError& error) {
    failDescription("layout", text, error);
  }
}

}  // namespace fermata::platforms
