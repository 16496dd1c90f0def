// Blocks added by fermata_add_rtl: the output of their RTL, how it can end a run, the sources that
// Verilator makes, and the use of their ports by adapters.
#include <VChecked.h>
#include <VCheckedNone.h>
#include <VEnds.h>
#include <VRevScan.h>

#include <fermata/models/rtl/ended.h>
#include <fermata/models/rtl/verilated/simulation.h>
#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/workloads.h>

#include <fcntl.h>
#include <unistd.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using rtl::RtlEnded;
using rtl::verilated::FirstInputs;
using rtl::verilated::Simulation;
using test::errorOf;
using test::has;

namespace {

enum class How { Nothing, Finish, Assert, Stop, Fatal, Property, Print };

class Ends final : public rtl::MapBlock {
 public:
  explicit Ends(How how) { block_->how = static_cast<CData>(how); }
  void map(const rtl::Lanes& word, LaneMask, rtl::Lanes& bank, rtl::Lanes& row) override {
    rtl::verilated::copyIn(word, block_->word);
    block_.eval();
    block_.clock();
    block_.clock();
    rtl::verilated::copyOut(block_->bank, bank);
    rtl::verilated::copyOut(block_->row, row);
  }
  bool trace(rtl::Waves& waves, const std::string& name) override {
    return block_.trace(waves, name);
  }

 private:
  Simulation<VEnds> block_;
};

class Parts final : public platforms::Connector {
 public:
  explicit Parts(How how) : how_(how) {}
  std::unique_ptr<rtl::MapBlock> mapBlock(const indexing::Indexer&) override {
    return std::make_unique<Ends>(how_);
  }

 private:
  How how_;
};

/// Outcome of a run: its error, and its standard output and standard error.
struct Outcome {
  platforms::Caught wrong;  ///< empty if nothing was wrong
  std::string out;
  std::string error;
};

/// Redirects a descriptor (standard output or error) to a file while the object lives.
class Redirected {
 public:
  Redirected(int descriptor, const std::filesystem::path& file)
      : descriptor_(descriptor), before_(::dup(descriptor)) {
    std::fflush(nullptr);
    const int to = ::open(file.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    BOOST_REQUIRE(to >= 0);
    ::dup2(to, descriptor);
    ::close(to);
  }
  ~Redirected() {
    std::fflush(nullptr);
    ::dup2(before_, descriptor_);
    ::close(before_);
  }

 private:
  int descriptor_;
  int before_;
};

/// Runs a transpose with the block as indexer.
Outcome run(How how, rtl::Waves* waves = nullptr) {
  const test::TemporaryFolder folder;
  Outcome outcome;
  {
    const Redirected out(1, folder / "out");
    const Redirected error(2, folder / "error");
    try {
      Parts parts(how);
      platforms::Simulation simulation(test::gtx480({"rtl.indexer=rtl"}), parts,
                                       platforms::BuildOrder::Rising, waves);
      const platforms::OpenWorkload open =
          platforms::openWorkload("transpose", {{"n", "64"}, {"tile", "32"}});
      simulation.run(*open.workload);
    } catch (...) {
      outcome.wrong = platforms::caught();
    }
  }
  outcome.out = test::bytesOf(folder / "out");
  outcome.error = test::bytesOf(folder / "error");
  return outcome;
}

struct End {
  How how;
  const char* line;  ///< line of ends.sv
  const char* said;
};
std::ostream& operator<<(std::ostream& out, const End& end) {
  return out << end.said;
}

const End kEnds[] = {
    {How::Finish, "17", "$finish"},
    {How::Assert, "18", "word 64 is not mine"},
    {How::Stop, "19", "$stop"},
    {How::Fatal, "20", "word 64 is the last"},
    {How::Property, "31", "Assertion failed"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(added_blocks)

// The message has everything that helps to find the place. It is bad input (exit code 2), and there
// is no table.
BOOST_DATA_TEST_CASE(rtl_that_ends_the_run_is_an_error, bdata::make(kEnds), end) {
  const Outcome outcome = run(end.how);
  BOOST_TEST(outcome.wrong.badInput);
  const std::string& said = outcome.wrong.what;
  BOOST_TEST(said.find("the RTL of the indexer ends the run in cycle ") == 0U, said);
  BOOST_TEST(has(said, std::string("/ends.sv:") + end.line + ": "), said);
  BOOST_TEST(has(said, end.said), said);
  BOOST_TEST(has(said, "lane:word 0:64 1:"), said);
  BOOST_TEST(outcome.out == "");
}

// Standard output may carry tables: the output of RTL must not mix with them.
BOOST_AUTO_TEST_CASE(what_rtl_prints_goes_to_standard_error) {
  const Outcome outcome = run(How::Print);
  BOOST_TEST(outcome.wrong.what == "");
  BOOST_TEST(outcome.out == "");
  for (const char* text : {"of display, word 64\n", "of fdisplay\n", "of standard output\n"})
    BOOST_TEST(has(outcome.error, text), outcome.error.substr(0, 1000));
}

// The waves must include the state that failed the assertion.
BOOST_AUTO_TEST_CASE(waves_of_a_run_that_rtl_ended_have_the_end) {
  const test::TemporaryFolder folder;
  const auto waves = rtl::openWaves((folder / "w.fst").string(), {});
  BOOST_TEST(run(How::Assert, waves.get()).wrong.badInput);
  const std::uint64_t samples = waves->samples();
  BOOST_TEST(samples % 5 == 1U);  // a map has five samples; the first fails the assertion
  waves->close();
}

// A block reports that it cannot work before its first inputs come. Assertions on inputs can be
// left out at that time.
BOOST_AUTO_TEST_CASE(a_block_says_at_once_that_it_cannot_work) {
  const auto make = [](FirstInputs first) { Simulation<VChecked> block(first); };
  BOOST_TEST(has(errorOf<RtlEnded>([&] { make(FirstInputs::Asserted); }), "checked.sv:10: "));
  BOOST_TEST(errorOf<RtlEnded>([&] { make(FirstInputs::NotAsserted); }) == "none");
  const std::string said =
      errorOf<RtlEnded>([] { Simulation<VCheckedNone> none(FirstInputs::NotAsserted); });
  BOOST_TEST(has(said, "checked.sv:8: "), said);
  BOOST_TEST(has(said, "0 is no size"), said);
  // Assertions hold for later inputs in either case.
  Simulation<VChecked> block(FirstInputs::NotAsserted);
  block->a = 5;
  block.eval();
  BOOST_TEST(block->b == 9U);
  block->a = 0;
  BOOST_TEST(has(errorOf<RtlEnded>([&] { block.eval(); }), "checked.sv:10: "));
}

BOOST_AUTO_TEST_CASE(a_scan_over_reversed_bits_finds_the_lowest) {
  Simulation<VRevScan> block;
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 10000; ++trial) {
    const auto bits = static_cast<std::uint32_t>(random()) << random() % 32;
    block->i = bits;
    block.eval();
    BOOST_REQUIRE(block->o == (bits & (0U - bits)));
  }
}

BOOST_AUTO_TEST_CASE(ports_that_lanes_would_overrun_are_refused) {
  rtl::Lanes lanes;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) lanes[lane] = 0x2a5a5a5aU + lane;
  VlWide<14> port;
  std::fill_n(&port[0], 14, 0U);
  BOOST_CHECK_THROW(rtl::verilated::packIn(lanes, 15, port), BadInput);
  BOOST_CHECK_THROW(rtl::verilated::packIn(lanes, 0, port), BadInput);
  BOOST_CHECK_THROW(rtl::verilated::packIn(lanes, 33, port), BadInput);
  BOOST_CHECK_THROW(rtl::verilated::packOut(port, 15, lanes), BadInput);
  rtl::verilated::packIn(lanes, 14, port);
  rtl::Lanes back{};
  rtl::verilated::packOut(port, 14, back);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    BOOST_TEST(back[lane] == (lanes[lane] & 0x3fffU));
}

// 33 lanes of 10 bits do not end at a multiple of 32 bits.
BOOST_AUTO_TEST_CASE(the_last_lane_is_packed_too) {
  std::array<std::uint32_t, 33> lanes;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) lanes[lane] = 1000 - lane;
  VlWide<11> port;
  std::fill_n(&port[0], 11, 0U);
  rtl::verilated::packIn(lanes, 10, port);
  std::array<std::uint32_t, 33> back{};
  rtl::verilated::packOut(port, 10, back);
  BOOST_TEST(back == lanes, tt::per_element());
}

// Sources of 900 bytes, 100 times 10 bytes and 5 bytes (slow); parts hold 500 bytes.
BOOST_AUTO_TEST_CASE(sources_of_a_large_block_are_compiled_in_parts) {
  const test::TemporaryFolder folder;
  folder.put("large.cpp", std::string(900, ' '));
  for (unsigned i = 0; i < 100; ++i)
    folder.put("small" + std::to_string(i) + ".cpp", std::string(10, ' '));
  folder.put("begin__Slow.cpp", std::string(5, ' '));
  const std::string join = "'" FERMATA_CMAKE "' '-DFOLDER=" + folder.path().string() +
                           "' -DPARTS=8 -DPART_BYTES=500 -P '" FERMATA_SOURCE_DIR
                           "/cmake/JoinSources.cmake'";
  BOOST_REQUIRE(std::system(join.c_str()) == 0);
  std::size_t sources = 0;
  for (unsigned part = 1; part <= 8; ++part) {
    const std::string text = test::bytesOf(folder / ("joined_" + std::to_string(part) + ".cpp"));
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    sources += lines;
    // 1900 bytes make 4 parts: the large source is one part, the small ones share three.
    BOOST_TEST((part > 4 ? lines == 0 : has(text, "large.cpp") ? lines == 1 : lines > 30), part);
    const std::string slow =
        test::bytesOf(folder / ("joined_slow_" + std::to_string(part) + ".cpp"));
    BOOST_TEST(has(slow, "begin__Slow.cpp") == (part == 1));
  }
  BOOST_TEST(sources == 101U);
}

BOOST_AUTO_TEST_SUITE_END()
