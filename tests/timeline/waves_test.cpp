// Timelines as waves: GTKWave's own tools read both formats, find equal contents, and these add up
// to the figures of the run.
#include "tests/energy/result_files.h"

namespace fermata::test {
namespace {

using Changes = std::vector<std::pair<std::uint64_t, std::string>>;

/// Signals by the names of scopes and signal, "sm.passes.busy".
struct Waves {
  std::map<std::string, Changes> signals;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

std::vector<std::string> wordsOf(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

/// Returns the value without leading zeros.
std::string plain(std::string value) {
  if (value.empty()) return value;
  if (value[0] == 'b') {
    value.erase(0, 1);
    if (value[0] == 'x') return "x";
    value.erase(0, std::min(value.find_first_not_of('0'), value.size() - 1));
  }
  return value;
}

Waves parse(const std::string& text) {
  Waves waves;
  // By code: fst2vcd gives one code to signals of equal length and history.
  std::map<std::string, std::vector<std::string>> names;
  std::vector<std::string> scopes;
  std::uint64_t now = 0;
  bool any = false;
  bool definitions = true;
  for (const std::string& line : linesOf(text)) {
    const std::vector<std::string> word = wordsOf(line);
    if (word.empty()) continue;
    if (definitions) {
      if (word[0] == "$scope") scopes.push_back(word.at(2));
      if (word[0] == "$upscope") scopes.pop_back();
      if (word[0] == "$var") {
        std::string name;
        for (const std::string& scope : scopes) name += scope + ".";
        names[word.at(3)].push_back(name + word.at(4));
      }
      definitions = word[0] != "$enddefinitions";
      continue;
    }
    if (line[0] == '$') continue;
    if (line[0] == '#') {
      const std::uint64_t at = std::stoull(line.substr(1));
      BOOST_TEST((!any || at > now), line);
      if (!any) waves.first = at;
      any = true;
      now = waves.last = at;
      continue;
    }
    const bool scalar = line[0] == '0' || line[0] == '1' || line[0] == 'x';
    const std::size_t split = scalar ? 1 : line.rfind(' ') + 1;
    const std::string value = plain(line.substr(0, scalar ? 1 : split - 1));
    const auto found = names.find(line.substr(split));
    BOOST_TEST_REQUIRE((found != names.end()), line);
    for (const std::string& name : found->second) {
      Changes& changes = waves.signals[name];
      if (changes.empty() || changes.back().second != value) changes.emplace_back(now, value);
    }
  }
  return waves;
}

std::string convert(const Folder& folder, const std::string& command) {
  BOOST_TEST_REQUIRE(std::system(("cd '" + folder.path.string() + "' && " + command).c_str()) == 0,
                     command);
  return readFile(folder.path / "read.vcd");
}

void run(const Folder& folder, const std::string& arguments, const std::string& file) {
  const Outcome outcome =
      runProgram("run " + arguments + " --quiet --out o --timeline " + file, folder.path).ok();
  BOOST_TEST(outcome.text == "");
}

Waves vcdOf(const Folder& folder, const std::string& arguments) {
  run(folder, arguments, "t.vcd");
  return parse(convert(folder, "'" FERMATA_VCD2FST "' t.vcd t2.fst > log 2>&1 && '" FERMATA_FST2VCD
                               "' t2.fst > read.vcd"));
}

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Returns the cycles in which signals whose names end in `end` are 1.
std::uint64_t busy(const Waves& waves, const std::string& end) {
  std::uint64_t cycles = 0;
  for (const auto& [name, changes] : waves.signals) {
    if (!endsWith(name, end)) continue;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const std::uint64_t to = i + 1 < changes.size() ? changes[i + 1].first : waves.last;
      if (changes[i].second == "1") cycles += to - changes[i].first;
    }
  }
  return cycles;
}

/// Returns the sum of the last values, as binary numbers, of signals whose names end in `end`.
std::uint64_t lastValue(const Waves& waves, const std::string& end) {
  std::uint64_t sum = 0;
  for (const auto& [name, changes] : waves.signals) {
    if (endsWith(name, end)) sum += std::stoull(changes.back().second, nullptr, 2);
  }
  return sum;
}

void checkFigures(const Waves& waves, const Folder& folder) {
  const ResultTable runs(folder.path / "o" / "runs.csv");
  const auto figure = [&](const std::string& column) {
    return runs.cell(0, column).empty() ? 0 : runs.integer(0, column);
  };
  BOOST_TEST(busy(waves, ".passes.busy") == figure("wavefronts"));
  BOOST_TEST(lastValue(waves, ".conflict_passes") == figure("wavefronts_excessive"));
  BOOST_TEST(busy(waves, ".replays.busy") == figure("replays") + figure("squashes"));
  std::uint64_t slots = busy(waves, ".issue_slot_0.busy") + busy(waves, ".issue_slot_1.busy");
  BOOST_TEST(slots == figure("warp_instructions") + figure("replays") + figure("squashes"));
  BOOST_TEST(lastValue(waves, ".resident_warps") == 0U);
  const ResultTable banks(folder.path / "o" / "banks.csv");
  if (runs.cell(0, "platform") != "gtx480") return;
  for (std::size_t row = 0; row < banks.size(); ++row) {  // one word per cycle
    BOOST_TEST(busy(waves, ".bank_" + banks.cell(row, "bank") + ".busy") ==
               banks.integer(row, "accesses"));
  }
}

const std::string kAll = " --timeline-window 0:1000000000";
const std::string kCases[] = {
    "gtx480 transpose --param tile=32 --param n=64" + kAll,
    "gtx480 transpose --param n=64 --set scratchpad.conflict_policy=replay" + kAll,
    "fermi-chip scan --param n=600 --set chip.sms=3" + kAll,
    "fermi-ami nw --param n=32 --power fermi-40nm --window 300" + kAll,
};

}  // namespace

BOOST_AUTO_TEST_SUITE(waves)

BOOST_DATA_TEST_CASE(of_vcd_add_up, bdata::make(kCases), arguments) {
  const Folder folder;
  const Waves waves = vcdOf(folder, arguments);
  checkFigures(waves, folder);
  BOOST_TEST(waves.first == 0U);
  const ResultTable runs(folder.path / "o" / "runs.csv");
  BOOST_TEST(waves.last == runs.integer(0, "cycles"));
}

BOOST_AUTO_TEST_CASE(have_the_cycles_of_the_window) {
  const Folder folder;
  const Waves waves = vcdOf(folder, "gtx480 transpose --param n=64 --timeline-window 500:700");
  BOOST_TEST(waves.first == 500U);
  BOOST_TEST(waves.last == 700U);
}

#if FERMATA_HAS_VERILATOR

BOOST_DATA_TEST_CASE(of_fst_are_those_of_vcd, bdata::make(kCases), arguments) {
  const Folder folder;
  const Waves expected = vcdOf(folder, arguments);
  run(folder, arguments, "t.fst");
  const Waves waves = parse(convert(folder, "'" FERMATA_FST2VCD "' t.fst > read.vcd"));
  BOOST_TEST(waves.signals.size() == expected.signals.size());
  for (const auto& [name, changes] : expected.signals) {
    const auto found = waves.signals.find(name);
    BOOST_TEST_REQUIRE((found != waves.signals.end()), name);
    BOOST_TEST((found->second == changes), name);
  }
  BOOST_TEST(waves.last == expected.last);
}

#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
