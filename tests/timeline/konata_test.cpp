// The log for Konata, read by the rules of its parser but strictly: neither Debian nor npm has a
// parser.
#include "tests/energy/result_files.h"
#include "tests/support/csv_columns.h"

namespace fermata::test {
namespace {

struct Instruction {
  std::uint64_t thread = 0;
  std::string label;
  /// First cycle and name of each stage.
  std::vector<std::pair<std::uint64_t, std::string>> stages;
  std::uint64_t opened = 0;
  std::uint64_t closed = 0;
  bool over = false;
  bool flushed = false;
};

struct Log {
  std::vector<Instruction> instructions;
  std::uint64_t cycle = 0;
  std::uint64_t retired = 0;
};

std::uint64_t numberOf(const std::string& text) {
  BOOST_TEST_REQUIRE((!text.empty() && text.find_first_not_of("0123456789") == std::string::npos),
                     "'" << text << "' is no number");
  return std::stoull(text);
}

class Reader {
 public:
  explicit Reader(const fs::path& file) {
    const std::vector<std::string> lines = linesOf(readFile(file));
    BOOST_TEST_REQUIRE(lines.size() > 2U);
    BOOST_TEST(lines[0] == "Kanata\t0004");
    BOOST_TEST(lines[1] == "C=\t0");
    for (std::size_t i = 2; i < lines.size(); ++i) {
      BOOST_TEST_CONTEXT("line " << i + 1 << ": " << lines[i]) {
        read(cellsOf(lines[i], '\t'));
      }
    }
    for (const Instruction& one : log.instructions) BOOST_TEST(one.over);
  }
  Log log;

 private:
  void read(const std::vector<std::string>& field) {
    const std::string& command = field[0];
    const std::size_t expected = command == "C" ? 2 : 4;
    BOOST_TEST_REQUIRE(field.size() == expected);
    const std::uint64_t id = numberOf(field[1]);
    if (command == "C") {
      BOOST_TEST(id > 0U);
      log.cycle += id;
      return;
    }
    if (command == "I") {
      BOOST_TEST_REQUIRE(id == log.instructions.size());
      Instruction one;
      one.thread = numberOf(field[3]);
      one.opened = log.cycle;
      log.instructions.push_back(one);
      return;
    }
    BOOST_TEST_REQUIRE(id < log.instructions.size());
    Instruction& one = log.instructions[id];
    BOOST_TEST_REQUIRE(!one.over);
    if (command == "L") {
      BOOST_TEST(numberOf(field[2]) <= 1U);
      one.label += field[3];
    } else if (command == "S") {
      BOOST_TEST(field[2] == "0");
      one.stages.emplace_back(log.cycle, field[3]);
    } else {
      BOOST_TEST_REQUIRE(command == "R");
      end(one, numberOf(field[2]), numberOf(field[3]));
    }
  }
  void end(Instruction& one, std::uint64_t retired, std::uint64_t type) {
    BOOST_TEST_REQUIRE(type <= 1U);
    one.over = true;
    one.closed = log.cycle;
    one.flushed = type == 1;
    if (!one.flushed) BOOST_TEST(retired == log.retired++);
  }
};

Log logOf(const Folder& folder, const std::string& arguments) {
  const Outcome outcome =
      runProgram("run " + arguments + " --quiet --out o --timeline t.kanata", folder.path).ok();
  BOOST_TEST(outcome.text == "");
  return Reader(folder.path / "t.kanata").log;
}

/// Checks the order of stages: waits, one issue, then stages under way.
void checkStages(const Instruction& one) {
  static const std::set<std::string> waits{"Wo", "Wm", "Wp", "Wu"};
  static const std::set<std::string> after{"X", "M", "Ba", "Rp"};
  bool issued = false;
  for (const auto& [cycle, stage] : one.stages) {
    BOOST_TEST((issued ? after : waits).count(stage) + (stage == "Is" ? 1U : 0U) == 1U, stage);
    if (stage == "Is") BOOST_TEST(!issued);
    issued = issued || stage == "Is";
  }
  BOOST_TEST(issued);
  BOOST_TEST(one.stages.front().first == one.opened);
  BOOST_TEST(one.stages.back().first < one.closed);
}

const std::string kAll = " --timeline-window 0:1000000000";
const std::string kCases[] = {
    "gtx480 transpose --param tile=32 --param n=64" + kAll,
    "gtx480 transpose --param n=64 --set scratchpad.conflict_policy=replay" + kAll,
    "gtx480 reduction --param n=2048" + kAll,
    "gtx580-atomics histogram --param bins=64 --param width=32 --param height=32" + kAll,
    "fermi-chip scan --param n=600 --set chip.sms=3" + kAll,
    "elastic-gt200 reduction --param n=512" + kAll,
};

}  // namespace

BOOST_AUTO_TEST_SUITE(konata)

BOOST_DATA_TEST_CASE(has_a_line_an_instruction, bdata::make(kCases), arguments) {
  const Folder folder;
  const Log log = logOf(folder, arguments);
  const ResultTable runs(folder.path / "o" / "runs.csv");
  BOOST_TEST(log.retired == runs.integer(0, "warp_instructions"));
  BOOST_TEST(log.instructions.size() == log.retired);
  std::map<std::string, std::uint64_t> stages;
  for (const Instruction& one : log.instructions) {
    checkStages(one);
    for (const auto& [cycle, stage] : one.stages) ++stages[stage];
  }
  const bool replays = !runs.cell(0, "issued_instructions").empty();
  const std::uint64_t issued =
      runs.integer(0, replays ? "issued_instructions" : "warp_instructions");
  BOOST_TEST(stages["Is"] + stages["Rp"] == issued);
  BOOST_TEST(log.cycle <= runs.integer(0, "cycles"));
}

BOOST_AUTO_TEST_CASE(says_what_the_window_cuts_off) {
  const Folder folder;
  const Log log =
      logOf(folder, "gtx480 transpose --param tile=32 --param n=64 --timeline-window 800:1400");
  std::size_t before = 0;
  std::size_t behind = 0;
  for (const Instruction& one : log.instructions) {
    BOOST_TEST((one.opened >= 800 && one.closed <= 1400));
    before += has(one.label, "(since cycle ") ? 1U : 0U;
    behind += one.flushed ? 1U : 0U;
    BOOST_TEST(one.flushed == has(one.label, "(goes on behind the window)"));
  }
  BOOST_TEST(before > 0U);
  BOOST_TEST(behind > 0U);
  BOOST_TEST(log.instructions.size() > before + behind);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
