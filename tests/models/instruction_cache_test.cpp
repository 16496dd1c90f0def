#include <fermata/models/core/instruction_cache.h>

#include <utility>
#include <vector>

#include "tests/support/test.h"

using namespace fermata;

namespace {

/// Returns a cache of two sets of two lines of 16 instructions.
InstructionCache::Parameters small(unsigned prefetch = 0, unsigned mshrs = 2) {
  InstructionCache::Parameters p;
  p.bytes = 512;
  p.ways = 2;
  p.prefetch = prefetch;
  p.mshrs = mshrs;
  return p;
}

using Lines = std::vector<std::uint64_t>;
using Starts = std::vector<std::pair<unsigned, Cycle>>;

/// A cache and its memory, which answers when the test says so. Programs 0 and 1 have 7 and 2
/// lines.
class Bench : private InstructionMemory {
 public:
  explicit Bench(const InstructionCache::Parameters& parameters) : cache(parameters) {
    cache.connect(*this);
    begin();
  }
  void begin() {
    cache.clear();
    for (const unsigned program : {0U, 1U}) {
      Grid grid;
      grid.program = program;
      grid.instructionCount = program == 0 ? 100 : 20;
      cache.beginGrid(grid);
    }
  }
  /// True if the warp of `slot` has line `line` of program 0 in cycle `now`.
  bool has(unsigned slot, unsigned line, Cycle now = 0) {
    return cache.fetch(slot, 0, line * 16 + 5, now, now) == now;
  }
  /// Lets a line of program 0 come. Returns the slots that have their instruction now.
  Starts come(std::uint64_t line, Cycle now = 0) {
    Starts starts;
    cache.fetched(InstructionCache::kBase + line * 128, now,
                  [&](unsigned slot, Cycle at) { starts.emplace_back(slot, at); });
    return starts;
  }
  /// Returns the lines asked for since the last call.
  Lines asked() { return std::exchange(asked_, {}); }

  InstructionCache cache;
  std::vector<unsigned> parts;  ///< of each fetch: the part, and ten times their number

 private:
  void fetch(const InstructionLine& line, Cycle) override {
    parts.push_back(line.part + 10 * line.parts);
    asked_.push_back((line.address - InstructionCache::kBase) / 128);
  }
  void setClient(Client&) override {}

  Lines asked_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(instruction_cache)

BOOST_AUTO_TEST_CASE(a_line_comes_once_for_all) {
  Bench bench(small());
  BOOST_TEST(!bench.has(4, 0, 10));
  BOOST_TEST(!bench.has(2, 0, 20));
  BOOST_TEST(bench.cache.waits(2));
  BOOST_TEST((bench.asked() == Lines{0}));
  BOOST_TEST((bench.come(0, 110) == Starts{{2, 110}, {4, 110}}));
  BOOST_TEST(!bench.cache.waits(2));
  BOOST_TEST(bench.has(3, 0, 111));
  BOOST_TEST((bench.asked() == Lines{}));
}

BOOST_AUTO_TEST_CASE(a_warp_keeps_what_else_it_waits_for) {
  Bench bench(small());
  BOOST_TEST(bench.cache.fetch(0, 0, 0, 50, 10) == kNever);
  BOOST_TEST(bench.cache.fetch(1, 0, 0, 11, 10) == kNever);
  bench.cache.delay(1, 90);
  BOOST_TEST((bench.come(0, 40) == Starts{{0, 50}, {1, 90}}));
}

// Lines 0, 2, 4 share a set: the least recently used line leaves.
BOOST_AUTO_TEST_CASE(a_set_holds_its_ways) {
  Bench bench(small());
  for (const unsigned line : {0U, 2U, 0U, 4U}) {
    if (!bench.has(0, line)) bench.come(line);
  }
  BOOST_TEST(bench.has(0, 0));
  BOOST_TEST(bench.has(0, 4));
  BOOST_TEST(!bench.has(0, 2));
}

// The warp that waits longest gets the MSHR that is free.
BOOST_AUTO_TEST_CASE(warps_queue_for_an_mshr) {
  Bench bench(small(0, 1));
  BOOST_TEST(!bench.has(5, 0));
  BOOST_TEST(!bench.has(9, 1));
  BOOST_TEST(!bench.has(1, 2));
  BOOST_TEST(!bench.has(7, 1));
  BOOST_TEST((bench.asked() == Lines{0}));
  BOOST_TEST((bench.come(0, 30) == Starts{{5, 30}}));
  BOOST_TEST((bench.asked() == Lines{1}));
  BOOST_TEST((bench.come(1, 60) == Starts{{9, 60}}));
  BOOST_TEST((bench.asked() == Lines{2}));
  BOOST_TEST((bench.come(2, 90) == Starts{{1, 90}, {7, 90}}));  // line 1 is there already
}

// The example of the header.
BOOST_AUTO_TEST_CASE(lines_are_fetched_ahead) {
  Bench bench(small(2));
  BOOST_TEST(!bench.has(0, 0, 0));
  BOOST_TEST((bench.asked() == Lines{0, 1, 2}));
  bench.come(0, 40);
  bench.come(1, 40);
  bench.come(2, 40);
  BOOST_TEST((bench.asked() == Lines{}));
  BOOST_TEST(bench.has(0, 1, 48));
  BOOST_TEST((bench.asked() == Lines{3}));
  BOOST_TEST(bench.has(0, 2, 56));
  BOOST_TEST((bench.asked() == Lines{4}));
  BOOST_TEST(!bench.has(0, 3, 64));
  BOOST_TEST((bench.come(3, 88) == Starts{{0, 88}}));
  BOOST_TEST((bench.asked() == Lines{5}));
}

// Two warps share the buffers: a line that finds none is fetched when it is missed.
BOOST_AUTO_TEST_CASE(buffers_bound_what_is_fetched_ahead) {
  Bench bench(small(2));
  BOOST_TEST(!bench.has(0, 0));
  BOOST_TEST(!bench.has(1, 4));
  BOOST_TEST((bench.asked() == Lines{0, 1, 2, 4}));
  bench.come(1);
  bench.come(4);
  BOOST_TEST(!bench.has(1, 5));
  BOOST_TEST((bench.asked() == Lines{5, 6}));
}

BOOST_AUTO_TEST_CASE(no_line_behind_the_program_is_fetched_ahead) {
  Bench bench(small(4));
  BOOST_TEST(!bench.has(0, 5));
  BOOST_TEST((bench.asked() == Lines{5, 6}));
}

// Two lines of each program are brought in, the later program's behind the first one's.
BOOST_AUTO_TEST_CASE(a_launch_brings_in_the_first_lines) {
  InstructionCache::Parameters p = small();
  p.preload = 256;
  Bench bench(p);
  BOOST_TEST(bench.cache.fetch(0, 1, 17, 3, 3) == 3U);
  BOOST_TEST(bench.has(0, 0));
  BOOST_TEST(!bench.has(0, 2));
  BOOST_TEST((bench.asked() == Lines{2}));
}

/// Returns a cache with all lines that the tests use present, whose fetches bring two instructions.
InstructionCache::Parameters buffered() {
  InstructionCache::Parameters p = small();
  p.bytes = 4096;
  p.preload = 1024;
  p.buffer = 2;
  p.fetchLatency = 2;
  return p;
}

// A warp fetches in cycle 0. The second issue of each pair begins the next fetch.
BOOST_AUTO_TEST_CASE(a_fetch_brings_two_instructions) {
  Bench bench(buffered());
  std::vector<Cycle> issues;
  Cycle now = 0;
  for (std::uint32_t pc = 0; pc < 6; ++pc) {
    now = bench.cache.fetch(0, 0, pc, now + 1, now);
    issues.push_back(now);
  }
  BOOST_TEST((issues == std::vector<Cycle>{2, 3, 5, 6, 8, 9}));
}

// Instruction 15 is the last one of line 0, and brings instruction 16, the first one of line 1.
BOOST_AUTO_TEST_CASE(the_second_of_a_pair_needs_no_line) {
  InstructionCache::Parameters p = buffered();
  p.preload = 128;
  Bench bench(p);
  const Cycle first = bench.cache.fetch(0, 0, 15, 1, 0);
  BOOST_TEST_REQUIRE(first != kNever);
  BOOST_TEST(bench.cache.fetch(0, 0, 16, first + 1, first) == first + 1);
  BOOST_TEST(bench.asked().empty());
  BOOST_TEST(bench.cache.fetch(0, 0, 17, first + 2, first + 1) == kNever);
  BOOST_TEST((bench.asked() == Lines{1}));
}

// Instruction 1, the second of its pair, is a branch to 4: the fetch of 2 comes first. Instruction
// 4, the first of its pair, is one to 8: the buffer still has 5, which shows a cycle later.
BOOST_AUTO_TEST_CASE(a_branch_out_of_an_empty_buffer_fetches_twice) {
  Bench bench(buffered());
  BOOST_TEST(bench.cache.fetch(0, 0, 0, 1, 0) == 2U);
  BOOST_TEST(bench.cache.fetch(0, 0, 1, 3, 2) == 3U);
  BOOST_TEST(bench.cache.fetch(0, 0, 4, 4, 3) == 7U);
  BOOST_TEST(bench.cache.fetch(0, 0, 8, 8, 7) == 10U);
  // A warp that issues later waits for nothing.
  BOOST_TEST(bench.cache.fetch(0, 0, 9, 50, 40) == 50U);
}

// The branch of warp 0 takes the places of cycles 3 and 5; warps 1 and 2 fetch in 4 and 6.
BOOST_AUTO_TEST_CASE(fetches_take_places_before_others) {
  Bench bench(buffered());
  bench.cache.fetch(0, 0, 0, 1, 0);
  bench.cache.fetch(0, 0, 1, 3, 2);
  BOOST_TEST(bench.cache.fetch(0, 0, 4, 4, 3) == 7U);
  BOOST_TEST(bench.cache.fetch(1, 0, 0, 4, 4) == 6U);
  BOOST_TEST(bench.cache.fetch(2, 0, 0, 4, 4) == 8U);
}

BOOST_AUTO_TEST_CASE(fetches_go_round_the_slots) {
  Bench bench(buffered());
  BOOST_TEST(bench.cache.fetchesFirst(0, 8) == 1U);
  BOOST_TEST(bench.cache.fetchesFirst(0, 1) == 0U);
  BOOST_TEST(bench.cache.fetchesFirst(8, 8) == 8U);
  bench.cache.fetch(9, 0, 0, 1, 0);
  BOOST_TEST(bench.cache.fetchesFirst(8, 8) == 10U);
  BOOST_TEST(bench.cache.fetchesFirst(0, 8) == 0U);
  Bench whole(small());
  BOOST_TEST(whole.cache.fetchesFirst(0, 8) == 0U);
}

BOOST_AUTO_TEST_CASE(fetches_of_several_warps_follow_each_other) {
  Bench bench(buffered());
  for (unsigned slot = 0; slot < 4; ++slot)
    BOOST_TEST(bench.cache.fetch(slot, 0, 0, 1, 0) == 2U + slot);
  BOOST_TEST(bench.cache.fetch(3, 0, 1, 7, 6) == 7U);
}

// The program has 7 lines: line 7 holds its constants.
BOOST_AUTO_TEST_CASE(constants_are_a_line_behind_the_program) {
  InstructionCache::Parameters p = buffered();
  p.buffer = 0;
  p.constants = true;
  Bench bench(p);
  BOOST_TEST(bench.cache.fetch(0, 0, 3, 20, 20) == 20U);
  BOOST_TEST(!bench.cache.askConstants(0, 4, 21));
  BOOST_TEST(!bench.cache.askConstants(0, 4, 22));
  BOOST_TEST((bench.asked() == Lines{7}));
  BOOST_TEST(bench.cache.fetch(0, 0, 4, 23, 23) == 23U);
  bench.come(7);
  BOOST_TEST(bench.cache.askConstants(0, 5, 900));
}

BOOST_AUTO_TEST_CASE(constants_come_in_parts) {
  InstructionCache::Parameters p = buffered();
  p.buffer = 0;
  p.constants = true;
  p.constantParts = 2;
  Bench bench(p);
  BOOST_TEST(!bench.cache.askConstants(0, 4, 21));
  BOOST_TEST((bench.asked() == Lines{7, 7}));
  BOOST_TEST((bench.parts == std::vector<unsigned>{20, 21}));
  bench.come(7);
  BOOST_TEST(!bench.cache.askConstants(0, 5, 900));
  bench.come(7);
  BOOST_TEST(bench.cache.askConstants(0, 5, 901));
  BOOST_TEST(bench.asked().empty());
}

BOOST_AUTO_TEST_CASE(two_fetches_begin_per_cycle) {
  InstructionCache::Parameters p = buffered();
  p.fetches = 2;
  Bench bench(p);
  for (unsigned slot = 0; slot < 4; ++slot)
    BOOST_TEST(bench.cache.fetch(slot, 0, 0, 1, 0) == 2U + slot / 2);
}

// A module has 5 instructions before the program: its first line has 11 of it.
BOOST_DATA_TEST_CASE(a_program_may_begin_within_a_line, bdata::make({false, true}), packed) {
  InstructionCache::Parameters parameters = small();
  parameters.packed = packed;
  Bench bench(parameters);
  bench.cache.clear();
  Grid grid;
  grid.instructionCount = 16;
  grid.instructionsBefore = 16 + 5;
  bench.cache.beginGrid(grid);
  BOOST_TEST(bench.cache.fetch(0, 0, 10, 0, 0) == kNever);
  BOOST_TEST((bench.come(0) == Starts{{0, 0}}));
  BOOST_TEST(bench.cache.fetch(0, 0, 10, 1, 1) == 1U);
  BOOST_TEST(bench.cache.fetch(0, 0, 11, 1, 1) == (packed ? kNever : 1));
  BOOST_TEST((bench.asked() == (packed ? Lines{0, 1} : Lines{0})));
}

BOOST_AUTO_TEST_CASE(programs_do_not_share_lines) {
  Bench bench(small());
  BOOST_TEST(!bench.has(0, 0));
  bench.come(0);
  BOOST_TEST(bench.cache.fetch(0, 1, 0, 200, 200) == kNever);
  BOOST_TEST((bench.asked() == Lines{0, 7}));
}

BOOST_AUTO_TEST_CASE(a_workload_begins_cold) {
  Bench bench(small());
  BOOST_TEST(!bench.has(0, 0));
  bench.come(0);
  BOOST_TEST(!bench.has(0, 1));
  bench.begin();
  BOOST_TEST(!bench.cache.waits(0));
  BOOST_TEST(bench.come(1).empty());  // asked for before
  BOOST_TEST(!bench.has(0, 0));
}

BOOST_AUTO_TEST_CASE(without_bytes_there_is_none) {
  BOOST_TEST(!InstructionCache(InstructionCache::Parameters{}).exists());
}

BOOST_AUTO_TEST_SUITE_END()
