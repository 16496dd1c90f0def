// fermata run --wave writes the signals of blocks into a file for waveform viewers. The file exists
// when the run has ended, also with a difference, and does not exist after bad input.
#include <fermata/models/rtl/block_catalog.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/run_workloads.h>

#include "tests/support/program.h"
#include "tests/support/says.h"

namespace fermata::test {
namespace {

constexpr std::uint64_t kTimesOfCycle = 1000;

/// A folder; programs put their temporary files into its folder tmp.
struct WaveFolder : Folder {
  const std::string before = fs::temp_directory_path();
  WaveFolder() {
    fs::create_directories(path / "tmp");
    setenv("TMPDIR", (path / "tmp").c_str(), 1);
  }
  ~WaveFolder() { setenv("TMPDIR", before.c_str(), 1); }
  Outcome run(const std::string& arguments) const {
    return runProgram("run gtx480 " + arguments, path);
  }
  /// Returns the files below the folder, waves included, except tmp.
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path() != path / "tmp") all.insert(entry.path().lexically_relative(path));
    }
    return all;
  }
};

const std::set<std::string> kWaves{"w.fst"};
const std::string kTransposed = "transpose --param tile=32 --param n=64 --quiet ";
const std::string kAll =
    "--set rtl.indexer=rtl --set rtl.crossbar=lockstep --set rtl.scratchpad=rtl ";

std::uint64_t bigEndian(const std::string& bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = at; i < at + 8; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes.at(i));
  return number;
}

/// Times of a file in FST format, read from its first block, the header, which has a fixed length.
struct Header {
  std::uint64_t first = 0;  ///< time of the first sample
  std::uint64_t last = 0;
};
Header headerOf(const fs::path& file) {
  constexpr std::uint64_t kLength = 329;
  const std::string bytes = readFile(file);
  BOOST_TEST_REQUIRE(bytes.size() > kLength);
  BOOST_TEST(bytes.at(0) == 0);
  BOOST_TEST(bigEndian(bytes, 1) == kLength);
  return {bigEndian(bytes, 9), bigEndian(bytes, 17)};
}

/// An indexer with signals that gives some wrong banks.
class FaultyMap final : public rtl::MapBlock {
 public:
  explicit FaultyMap(std::unique_ptr<rtl::MapBlock> block) : block_(std::move(block)) {}
  bool trace(rtl::Waves& waves, const std::string& name) override {
    return block_->trace(waves, name);
  }
  void map(const rtl::Lanes& word, LaneMask active, rtl::Lanes& bank, rtl::Lanes& row) override {
    block_->map(word, active, bank, row);
    if (word[0] >= 512) bank[0] ^= 1;
  }

 private:
  std::unique_ptr<rtl::MapBlock> block_;
};

struct FaultyIndexer : platforms::Connector {
  std::unique_ptr<rtl::MapBlock> mapBlock(const indexing::Indexer& mapping) override {
    return std::make_unique<FaultyMap>(rtl::makeMapBlock(mapping));
  }
};

/// Runs in a child process with this indexer; returns the message of its error, or "none".
std::string differenceOf(const std::string& waves, FaultyIndexer indexer) {
  const auto run = [&] {
    platforms::RunRequest request;
    request.platform = "gtx480";
    request.jobs = {{"transpose", {"tile=32", "n=64"}}};
    request.sets = {"rtl.indexer=lockstep"};
    request.wave = waves;
    request.connector = &indexer;
    const platforms::Configuration configuration = configure(request);
    results::Progress quiet(std::cerr, false);
    runWorkloads(request, configuration, platforms::RunTables(), quiet, [](const auto&...) {});
    return std::string();
  };
  return errorOf<std::runtime_error>([&] { platforms::runInChildren({run}); });
}

const std::string kIndexer = "--set rtl.indexer=rtl ";
const Refusal kBad[] = {
    {"transpose --wave w.fst", "--wave 'w.fst': no block of RTL runs; expected --set rtl.indexer="},
    {"transpose --wave w.vcd " + kIndexer, "--wave 'w.vcd'; expected a name that ends in .fst"},
    {"transpose --wave '' " + kIndexer, "--wave: it is empty; expected a file"},
    {"transpose scan --wave w.fst " + kIndexer, "--wave takes one workload; expected one file of "},
    {"transpos --wave w.fst " + kIndexer,
     "no workload 'transpos'; did you mean 'transpose'? expected one of "},
    {"transpose --wave w.fst " + kIndexer + "--set scratchpad.indexer='ami 97'",
     "rtl.indexer = rtl: no RTL block for 'ami 97'"},
    {"transpose --wave none/w.fst " + kIndexer,
     "cannot write none/w.fst: No such file or directory; expected a place that can be written to"},
    {"transpose --wave-window 5:6 " + kIndexer, "--wave-window requires --wave"},
    {"transpose --wave w.fst --wave-window 5 " + kIndexer,
     "--wave-window '5'; expected from:to, cycles of which the first is less: 100:200"},
    {"transpose --wave w.fst --wave-window 6:6 " + kIndexer, "--wave-window '6:6'; expected"},
    {"transpose --wave w.fst --wave-window 7:6 " + kIndexer, "--wave-window '7:6'; expected"},
    {"transpose --wave w.fst --wave-window :6 " + kIndexer, "--wave-window ':6'; expected"},
    {"transpose --wave w.fst --wave-window 1:2x " + kIndexer, "--wave-window '1:2x'; expected"},
    {"transpose --wave w.fst --wave-window=-1:2 " + kIndexer, "--wave-window '-1:2'; expected"},
    {"transpose --wave w.fst --wave-window 1:99999999999999999999 " + kIndexer,
     "--wave-window '1:99999999999999999999'; expected"},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(waves, WaveFolder)

BOOST_AUTO_TEST_CASE(are_those_of_the_window) {
  BOOST_TEST(run(kTransposed + kAll + "--wave w.fst").text == "");
  const Header whole = headerOf(path / "w.fst");
  BOOST_TEST(whole.first < whole.last);
  const std::uint64_t from = (whole.first + whole.last) / 2 / kTimesOfCycle;
  const std::uint64_t to = from + 200;
  BOOST_TEST(run(kTransposed + kAll + "--wave w.fst --wave-window " + std::to_string(from) + ":" +
                 std::to_string(to))
                 .text == "");
  const Header window = headerOf(path / "w.fst");
  BOOST_TEST(window.first >= from * kTimesOfCycle);
  BOOST_TEST(window.last > window.first);
  BOOST_TEST(window.last < to * kTimesOfCycle);
  BOOST_TEST(names() == kWaves, tt::per_element());
}

// A window contains the clock edge at `from` and not the one at `to`.
BOOST_AUTO_TEST_CASE(end_before_the_last_cycle_named) {
  BOOST_TEST(run(kTransposed + kIndexer + "--wave w.fst").code == 0);
  const std::uint64_t first = headerOf(path / "w.fst").first / kTimesOfCycle;
  const auto window = [&](std::uint64_t from, std::uint64_t to) {
    return run(kTransposed + kIndexer + "--wave w.fst --wave-window " + std::to_string(from) + ":" +
               std::to_string(to))
        .ok()
        .text;
  };
  BOOST_TEST(window(first, first + 1) == "");
  BOOST_TEST(headerOf(path / "w.fst").first == first * kTimesOfCycle);
  BOOST_TEST(window(first - 1, first) ==
             "fermata: warning: w.fst is empty: no block was asked in cycles " +
                 std::to_string(first - 1) + " to " + std::to_string(first - 1) + "\n");
  headerOf(path / "w.fst");
}

BOOST_AUTO_TEST_CASE(change_no_figure) {
  BOOST_TEST(run(kTransposed + kAll + "--out a").text == "");
  BOOST_TEST(run(kTransposed + kAll + "--out b --wave w.fst").text == "");
  for (const char* table : {"runs.csv", "instructions.csv", "banks.csv"})
    BOOST_TEST(readFile(path / "a" / table) == readFile(path / "b" / table));
}

BOOST_DATA_TEST_CASE(refuse_bad_input, bdata::make(kBad), bad) {
  run(bad.input).refused(bad.says);
  BOOST_TEST(names().empty());
}

BOOST_AUTO_TEST_CASE(of_before_stay_when_input_is_bad) {
  write("w.fst", "old");
  BOOST_TEST(run("transpos --wave w.fst " + kIndexer).code == 2);
  BOOST_TEST(readFile(path / "w.fst") == "old");
  BOOST_TEST(names() == kWaves, tt::per_element());
}

BOOST_AUTO_TEST_CASE(are_there_after_a_difference) {
  const std::string difference = differenceOf(path / "w.fst", {});
  BOOST_TEST(has(difference, "the RTL indexer differs from 'mod 32' in cycle "), difference);
  const Header header = headerOf(path / "w.fst");
  const std::size_t at = difference.find("cycle ") + 6;
  BOOST_TEST(header.last / kTimesOfCycle == std::stoull(difference.substr(at)));
  BOOST_TEST(names() == kWaves, tt::per_element());
}

#ifdef FERMATA_FST2VCD

/// Returns the lines that fst2vcd prints for a file.
std::vector<std::string> changesOf(const fs::path& file) {
  const std::string text = file.string() + ".vcd";
  BOOST_TEST_REQUIRE(
      std::system(("'" FERMATA_FST2VCD "' '" + file.string() + "' > '" + text + "'").c_str()) == 0);
  return linesOf(readFile(text));
}

BOOST_AUTO_TEST_CASE(have_a_scope_a_block_and_no_change_outside_of_the_window) {
  BOOST_TEST(run(kTransposed + kAll + "--wave w.fst --wave-window 2000:2600").text == "");
  std::set<std::string> scopes;
  unsigned times = 0;
  unsigned changes = 0;
  for (const std::string& line : changesOf(path / "w.fst")) {
    if (line.compare(0, 17, "$scope module sm.") == 0) scopes.insert(line);
    if (line[0] == 'b') ++changes;
    if (line[0] != '#') continue;
    ++times;
    const std::uint64_t cycle = std::stoull(line.substr(1)) / kTimesOfCycle;
    BOOST_TEST((cycle >= 2000 && cycle < 2600));
  }
  const std::set<std::string> expected{"$scope module sm.indexer $end",
                                       "$scope module sm.crossbar $end",
                                       "$scope module sm.scratchpad $end"};
  BOOST_TEST(scopes == expected, tt::per_element());
  BOOST_TEST(times > 100U);
  BOOST_TEST(changes > times);
}

#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
