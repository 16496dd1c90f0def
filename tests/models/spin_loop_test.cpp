// The loop of load and swap that stands for an atomic, in pure C++: which lanes each round serves,
// what other warps spoil, and which steps the core sees.
#include <fermata/models/core/spin_loop.h>

#include <numeric>
#include <random>

#include "tests/support/test.h"

using namespace fermata;
using Class = InstructionClass;
using Operation = MemoryOperation;

namespace {

/// Atomics of two warps of a CTA, which add 1 to their words.
class Adders : public Workload {
 public:
  static constexpr unsigned kWarps = 2;

  StaticInstruction what;
  unsigned repeat = 1;
  std::array<std::array<std::uint64_t, kWarpLanes>, kWarps> address{};
  std::array<LaneMask, kWarps> active{kAllLanes, kAllLanes};
  std::map<std::uint64_t, unsigned> memory;  ///< by byte address
  std::uint64_t lost = 0;
  MemorySpace found = MemorySpace::Shared;  ///< space of generic addresses

  Adders(AtomicForm form, unsigned bytes) {
    what.instructionClass = Class::Memory;
    what.space = MemorySpace::Shared;
    what.operation = Operation::Atomic;
    what.bytesPerLane = static_cast<std::uint8_t>(bytes);
    what.form = form;
    what.polls = true;
    what.readCount = what.writeCount = 1;
    what.reads = {1};
    what.writes = {2};
  }

  void setWarpSlots(unsigned) override {}
  const Grid* nextGrid() override {
    grid_.threadsPerCta = kWarps * kWarpLanes;
    grid_.registerCount = 4;
    grid_.instructionCount = 1;
    return &grid_;
  }
  void startCta(std::uint64_t, unsigned) override {}
  void endCta(unsigned) override {}
  const StaticInstruction* peek(unsigned slot) override {
    return done_[slot] == repeat ? nullptr : &what;
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    beginAtomic(slot, out);
    updateAtomic(slot, out.active, out);
  }
  void beginAtomic(unsigned slot, WarpInstruction& out) override {
    ++done_[slot];
    out.active = active[slot];
    out.space = what.space == MemorySpace::Generic ? found : what.space;
    out.operation = Operation::Atomic;
    out.bytesPerLane = what.bytesPerLane;
    out.address = address[slot];
  }
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((lanes >> lane & 1) != 0) ++memory[address[slot][lane]];
    }
    out.hasData = true;
  }
  void lostRound(unsigned) override { ++lost; }
  unsigned programCount() const override { return 1; }
  std::string kernelName(unsigned) const override { return "adders"; }
  std::uint32_t instructionCount(unsigned) const override { return 1; }
  InstructionText instructionText(unsigned, std::uint32_t) const override { return {}; }

 private:
  Grid grid_;
  std::array<unsigned, kWarps> done_{};
};

struct Bench {
  Adders inner;
  SpinLoop loop;
  WarpInstruction out;
  StaticInstruction seen;  ///< what the core saw of the last step

  Bench(AtomicForm form, unsigned bytes) : inner(form, bytes), loop(inner, loops(), banks()) {
    loop.setWarpSlots(Adders::kWarps);
  }
  static AtomicForms loops() {
    AtomicForms forms;
    BOOST_TEST(AtomicForms::read("float double half wide", forms) == "");
    return forms;
  }
  static SpinLoop::Banks banks() {
    return {indexing::build("mod 32", {32, 12288}), 4, LaneGrouping()};
  }
  void begin() {
    BOOST_TEST_REQUIRE(loop.nextGrid() != nullptr);
    loop.startCta(0, 0);
  }
  /// Runs the warp to its end. Returns the rounds that it begins.
  unsigned rounds(unsigned slot) {
    unsigned tests = 0;
    for (Class last = Class::Memory; step(slot); last = seen.instructionClass)
      tests += seen.instructionClass == Class::Branch && last == Class::Integer ? 1 : 0;
    return tests;
  }
  bool step(unsigned slot) {
    const StaticInstruction* next = loop.peek(slot);
    if (next == nullptr) return false;
    seen = *next;
    out.clear();
    loop.execute(slot, out);
    return true;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(spin_loop)

BOOST_AUTO_TEST_CASE(the_steps_of_each_form) {
  struct Row {
    AtomicForm form;
    unsigned bytes;
    std::vector<Class> classes;
  };
  const Class m = Class::Memory, f = Class::Float, i = Class::Integer, b = Class::Branch;
  const Row rows[] = {{AtomicForm::Float, 4, {m, f, m, i, b}},
                      {AtomicForm::Half, 4, {m, f, m, i, b}},
                      {AtomicForm::Double, 8, {m, Class::Double, m, i, i, b}},
                      {AtomicForm::Wide, 8, {m, i, i, m, i, i, b}}};
  for (const Row& row : rows) {
    Bench bench(row.form, row.bytes);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      bench.inner.address[0][lane] = lane / 2 * row.bytes;  // two lanes on each word: two rounds
    bench.begin();
    unsigned memory = 0;
    BOOST_TEST_REQUIRE(bench.step(0));
    BOOST_TEST((bench.seen.instructionClass == b));  // enter
    for (unsigned round = 0; round < 2; ++round) {
      const LaneMask left = round == 0 ? kAllLanes : 0xaaaaaaaa;
      const LaneMask served = round == 0 ? 0x55555555 : 0xaaaaaaaa;
      for (const Class kind : row.classes) {
        BOOST_TEST_REQUIRE(bench.step(0));
        BOOST_TEST((bench.seen.instructionClass == kind));
        const RegisterId link = 4;  // each step waits for the one before
        BOOST_TEST(bench.seen.reads[bench.seen.readCount - 1] == link);
        BOOST_TEST(bench.seen.writes[bench.seen.writeCount - 1] == link);
        if (kind != Class::Memory) continue;
        const bool swaps = memory++ % 2 == 1;
        BOOST_TEST((bench.seen.form == AtomicForm::Spin) == swaps);
        BOOST_TEST((bench.out.operation == (swaps ? Operation::Atomic : Operation::Load)));
        BOOST_TEST(bench.out.active == (swaps ? served : left));
        BOOST_TEST(!bench.seen.polls);
      }
    }
    BOOST_TEST_REQUIRE(bench.step(0));
    BOOST_TEST((bench.seen.instructionClass == b));  // leave
    BOOST_TEST(bench.out.active == kAllLanes);
    BOOST_TEST(!bench.step(0));
    BOOST_TEST(bench.inner.lost == 0U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      BOOST_TEST(bench.inner.memory[lane / 2 * row.bytes] == 2U);
  }
}

// Rounds as an H100 takes them: lanes that share a word or a bank of their group.
BOOST_AUTO_TEST_CASE(rounds_by_banks) {
  struct Row {
    unsigned bytes;
    std::function<std::uint64_t(unsigned)> address;
    unsigned rounds;
  };
  const Row rows[] = {{4, [](unsigned lane) { return 4 * lane; }, 1},
                      {4, [](unsigned) { return 4; }, 32},
                      {4, [](unsigned lane) { return lane / 4 * 4; }, 4},
                      {4, [](unsigned lane) { return lane * 128; }, 32},
                      {4, [](unsigned lane) { return lane % 8 * 128 + lane / 8 * 4; }, 8},
                      {4, [](unsigned lane) { return lane % 2 * 128; }, 32},
                      {8, [](unsigned lane) { return 8 * lane; }, 1},
                      {8, [](unsigned) { return 8; }, 32},
                      {8, [](unsigned lane) { return lane % 2 * 128 + lane / 2 * 8; }, 2},
                      {8, [](unsigned lane) { return lane * 128; }, 16},
                      {8, [](unsigned lane) { return lane / 2 * 8; }, 2},
                      {8, [](unsigned lane) { return lane % 16 * 8; }, 2}};
  for (const Row& row : rows) {
    Bench bench(row.bytes == 4 ? AtomicForm::Float : AtomicForm::Double, row.bytes);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      bench.inner.address[0][lane] = row.address(lane);
    bench.begin();
    BOOST_TEST(bench.rounds(0) == row.rounds, row.bytes << " bytes, row " << &row - rows);
  }
}

// Two halves in one word contend: the loop swaps the word.
BOOST_AUTO_TEST_CASE(lanes_contend_for_words) {
  Bench bench(AtomicForm::Half, 2);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) bench.inner.address[0][lane] = 2 * lane;
  bench.begin();
  BOOST_TEST(bench.rounds(0) == 2U);
}

// Warp 1 loads, warp 0 swaps, so warp 1 loses the words of both, and no other.
BOOST_AUTO_TEST_CASE(another_warp_spoils_a_round) {
  for (const bool meet : {true, false}) {
    Bench bench(AtomicForm::Float, 4);
    bench.inner.active = {1, 1};
    bench.inner.address[1].fill(meet ? 0 : 256);  // 256 and 0 look alike in the first comparison
    bench.begin();
    for (unsigned s = 0; s < 3; ++s) BOOST_TEST_REQUIRE(bench.step(1));  // enter, load, addition
    for (unsigned s = 0; s < 7; ++s) BOOST_TEST_REQUIRE(bench.step(0));  // the whole loop
    BOOST_TEST(bench.loop.peek(0) == nullptr);
    BOOST_TEST_REQUIRE(bench.step(1));
    BOOST_TEST(bench.out.active == 1U);  // it is offered all the same
    BOOST_TEST(bench.out.hasData == !meet);
    BOOST_TEST(bench.rounds(1) == (meet ? 2U : 1U));
    BOOST_TEST(bench.inner.lost == (meet ? 1U : 0U));
    BOOST_TEST(bench.loop.idleInstructions() == (meet ? 5U : 0U));
    BOOST_TEST(bench.inner.memory[0] == (meet ? 2U : 1U));
  }
}

// Under any order of the steps each lane is served once, and some lane in every round of all warps.
BOOST_DATA_TEST_CASE(every_lane_is_served_once, bdata::xrange(1U, 9U), seed) {
  std::mt19937 random(seed);
  Bench bench(seed % 2 == 0 ? AtomicForm::Float : AtomicForm::Wide, seed % 2 == 0 ? 4 : 8);
  bench.inner.repeat = 20;
  std::map<std::uint64_t, unsigned> expected;
  for (unsigned slot = 0; slot < Adders::kWarps; ++slot) {
    bench.inner.active[slot] = static_cast<LaneMask>(random() | 1U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      bench.inner.address[slot][lane] = random() % (1U << seed) * 8;
      if ((bench.inner.active[slot] >> lane & 1) != 0)
        expected[bench.inner.address[slot][lane]] += bench.inner.repeat;
    }
  }
  bench.begin();
  std::uint64_t steps = 0;
  while (bench.loop.peek(0) != nullptr || bench.loop.peek(1) != nullptr) {
    bench.step(random() % 2);
    BOOST_TEST_REQUIRE(++steps < 100000U);
  }
  BOOST_TEST((bench.inner.memory == expected));
}

BOOST_AUTO_TEST_CASE(other_atomics_pass) {
  Bench global(AtomicForm::Float, 4);
  global.inner.what.space = MemorySpace::Global;
  Bench plain(AtomicForm::Plain, 4);
  for (Bench* bench : {&global, &plain}) {
    bench->begin();
    BOOST_TEST(bench->loop.peek(0) == bench->inner.peek(0));
    BOOST_TEST(bench->step(0));
    BOOST_TEST((bench->out.operation == Operation::Atomic));
    BOOST_TEST(!bench->step(0));
  }
  Bench generic(AtomicForm::Float, 4);  // its address turns out to lie in global memory
  generic.inner.what.space = MemorySpace::Generic;
  generic.inner.found = MemorySpace::Global;
  generic.begin();
  BOOST_TEST(generic.step(0));
  BOOST_TEST((generic.out.operation == Operation::Atomic));
  BOOST_TEST(generic.inner.memory[0] == 32U);
  BOOST_TEST(!generic.step(0));
}

// An atom whose result nothing reads keeps no register.
BOOST_AUTO_TEST_CASE(unread_results_keep_no_register) {
  for (const bool unread : {true, false}) {
    Bench bench(AtomicForm::Plain, 4);
    bench.inner.what.unread = unread;
    bench.begin();
    BOOST_TEST(bench.step(0));
    BOOST_TEST(bench.seen.writeCount == (unread ? 0U : 1U));
    BOOST_TEST(bench.seen.polls == !unread);
    BOOST_TEST(bench.inner.memory[0] == 32U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
