// The loop of a locked atomic, in pure C++: a path that grants locks arbitrarily, and a workload
// that records the calls.
#include <fermata/models/core/lock_loop.h>

#include "tests/support/scripted_workload.h"

using namespace fermata;
using Class = InstructionClass;
using Operation = MemoryOperation;

namespace {

/// Atomics whose lanes must be updated once each, among instructions that pass unchanged.
class Counted : public Workload {
 public:
  struct Step {
    StaticInstruction what;
    LaneMask active = kAllLanes;
    /// Lanes whose generic address is global: they take a second execution.
    LaneMask global = 0;
  };
  struct Program {
    std::vector<Step> steps;
    std::uint32_t registers = 8;
  };
  static constexpr unsigned kWarps = 3;

  std::vector<Program> programs;
  std::vector<unsigned> launches;  ///< program of each grid
  std::uint64_t lost = 0;          ///< rounds lost
  /// Updates by warp slot: pc, lanes.
  std::vector<std::pair<std::uint32_t, LaneMask>> updated[kWarps];

  void setWarpSlots(unsigned slots) override { BOOST_TEST(slots == kWarps); }
  const Grid* nextGrid() override {
    if (next_ == launches.size()) return nullptr;
    current_ = &programs[launches[next_]];
    grid_.program = launches[next_++];
    grid_.registerCount = current_->registers;
    grid_.instructionCount = static_cast<std::uint32_t>(current_->steps.size());
    return &grid_;
  }
  void startCta(std::uint64_t, unsigned first) override {
    for (unsigned w = 0; w < kWarps; ++w) {
      position_[first + w] = 0;
      rest_[first + w] = 0;
      updated[first + w].clear();
    }
  }
  void endCta(unsigned) override {}
  const StaticInstruction* peek(unsigned slot) override {
    return position_[slot] == current_->steps.size() ? nullptr
                                                     : &current_->steps[position_[slot]].what;
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    const Step& step = current_->steps[position_[slot]];
    BOOST_TEST((step.what.operation != Operation::Atomic || step.what.space == MemorySpace::Global),
               "an atomic on shared memory is executed at once");
    fill(slot, step, out);
  }
  void beginAtomic(unsigned slot, WarpInstruction& out) override {
    begun_[slot] = position_[slot];
    fill(slot, current_->steps[position_[slot]], out);
  }
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override {
    BOOST_TEST(lanes != 0U);
    const StaticInstruction& what = current_->steps[begun_[slot]].what;
    updated[slot].emplace_back(what.pc, lanes);
    out.address.fill(0xdead);  // an executor leaves other addresses
    out.operation = Operation::Atomic;
    out.space = inShared_[slot] ? MemorySpace::Shared : MemorySpace::Global;
    out.hasData = true;
  }
  void lostRound(unsigned slot) override {
    ++lost;
    BOOST_TEST(begun_[slot] < current_->steps.size());
  }
  unsigned programCount() const override { return static_cast<unsigned>(programs.size()); }
  std::string kernelName(unsigned) const override { return "counted"; }
  std::uint32_t instructionCount(unsigned p) const override {
    return static_cast<std::uint32_t>(programs[p].steps.size());
  }
  InstructionText instructionText(unsigned, std::uint32_t) const override { return {}; }

  static std::uint64_t address(std::uint32_t pc, unsigned lane) { return 64 * pc + lane % 5 * 4; }

 private:
  // Lanes in two spaces take two executions: the first lane's space, then the other.
  void fill(unsigned slot, const Step& step, WarpInstruction& out) {
    const bool generic = step.what.space == MemorySpace::Generic;
    const LaneMask todo = rest_[slot] != 0 ? rest_[slot] : step.active;
    const bool global = generic && (todo & (~todo + 1) & step.global) != 0;
    out.active = !generic ? todo : global ? todo & step.global : todo & ~step.global;
    rest_[slot] = todo & ~out.active;
    if (rest_[slot] == 0) ++position_[slot];
    out.pc = step.what.pc;
    out.space = !generic ? step.what.space : global ? MemorySpace::Global : MemorySpace::Shared;
    inShared_[slot] = out.space == MemorySpace::Shared;
    out.operation = step.what.operation;
    out.bytesPerLane = step.what.bytesPerLane;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      out.address[lane] = address(step.what.pc, lane);
  }

  Grid grid_;
  std::size_t next_ = 0;
  const Program* current_ = nullptr;
  std::size_t position_[kWarps] = {}, begun_[kWarps] = {};
  LaneMask rest_[kWarps] = {};
  bool inShared_[kWarps] = {};
};

StaticInstruction memory(std::uint32_t pc, MemorySpace space, Operation operation,
                         unsigned bytes = 4) {
  StaticInstruction what;
  what.pc = pc;
  what.instructionClass = Class::Memory;
  what.space = space;
  what.operation = operation;
  what.bytesPerLane = static_cast<std::uint8_t>(bytes);
  what.readCount = 2;
  what.reads = {1, 2};
  what.writeCount = 1;
  what.writes = {3};
  return what;
}

/// Steps the warps through a grid, in the place of core and path, and checks every step.
class FakePath {
 public:
  FakePath(LockLoop& loop, Counted& inner, unsigned seed)
      : loop_(loop), inner_(inner), random_(seed) {}

  void runGrid(const Grid& grid) {
    grid_ = &grid;
    loop_.startCta(0, 0);
    std::vector<unsigned> alive{0, 1, 2};
    while (!alive.empty()) {
      const std::size_t which = random_() % alive.size();
      if (!step(alive[which])) alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
    }
    loop_.endCta(0);
  }
  std::uint64_t emptyRounds = 0;
  std::uint64_t loops = 0;

 private:
  struct Warp {
    unsigned at = 0;  ///< step within the loop: 0 none or the read, 1 update, 2 write, 3 branch
    LaneMask left = 0, locked = 0;
    std::uint32_t pc = 0;
  };

  bool step(unsigned slot) {
    const StaticInstruction* const next = loop_.peek(slot);
    BOOST_TEST(loop_.peek(slot) == next);  // asking changes nothing
    if (next == nullptr) {
      BOOST_TEST(warps_[slot].left == 0U);
      return false;
    }
    Warp& warp = warps_[slot];
    WarpInstruction out;
    out.takesOutcome = false;
    out.lock = LockStep::None;
    out.hasData = false;
    const StaticInstruction what = *next;
    loop_.execute(slot, out);
    BOOST_TEST(out.pc == what.pc);
    const bool inLoop = warp.left != 0 || out.lock == LockStep::Read;
    if (!inLoop) return true;  // passes unchanged, or has no lane in shared memory
    chained(what);
    // A step that frees locks is urgent; a step that asks for locks is not, nor one that no lane
    // executes.
    BOOST_TEST(what.urgent == ((warp.at == 1 || warp.at == 2) && warp.locked != 0));
    if (warp.at == 0) {
      read(slot, warp, what, out);
    } else if (warp.at == 1) {
      BOOST_TEST((what.instructionClass == Class::Integer));
      BOOST_TEST(out.active == warp.locked);
      warp.at = 2;
    } else if (warp.at == 2) {
      write(slot, warp, what, out);
    } else {
      BOOST_TEST((what.instructionClass == Class::Branch));
      BOOST_TEST(out.active == warp.left);
      warp.left &= ~warp.locked;
      warp.at = 0;
    }
    return true;
  }
  void read(unsigned slot, Warp& warp, const StaticInstruction& what, const WarpInstruction& out) {
    BOOST_TEST((what.instructionClass == Class::Memory && what.operation == Operation::Load));
    BOOST_TEST((out.operation == Operation::Load && out.space == MemorySpace::Shared));
    BOOST_TEST((out.lock == LockStep::Read && out.takesOutcome));
    if (warp.left == 0) {
      warp.left = out.active;
      warp.pc = out.pc;
      ++loops;
    }
    BOOST_TEST(out.active == warp.left);
    checkAddresses(warp, out);
    const LaneMask none = random_() % 4 == 0 ? kAllLanes : 0;  // all locks are taken by others
    const LaneMask left = warp.left & (random_() | none);
    warp.locked = warp.left & ~left;
    if (warp.locked == 0) ++emptyRounds;
    TryOutcome outcome;
    outcome.leave(left & 0xffff, LeftCause::Lock);
    outcome.leave(left & 0xffff0000, LeftCause::Bank);  // any cause
    loop_.responded(slot, outcome);
    warp.at = 1;
  }
  void write(unsigned slot, Warp& warp, const StaticInstruction& what, const WarpInstruction& out) {
    BOOST_TEST((what.instructionClass == Class::Memory && what.operation == Operation::Store));
    BOOST_TEST((out.operation == Operation::Store && out.space == MemorySpace::Shared));
    BOOST_TEST((out.lock == LockStep::Write && !out.takesOutcome));
    BOOST_TEST(out.active == warp.locked);
    if (warp.locked != 0) {
      checkAddresses(warp, out);
      BOOST_TEST((inner_.updated[slot].back() == std::make_pair(warp.pc, warp.locked)));
    }
    warp.at = 3;
  }
  static void checkAddresses(const Warp& warp, const WarpInstruction& out) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      BOOST_TEST(out.address[lane] == Counted::address(warp.pc, lane));
    BOOST_TEST(static_cast<unsigned>(out.bytesPerLane) == 4U);
  }
  /// Checks that each step waits for the previous one, by a register that the kernel does not have.
  void chained(const StaticInstruction& what) {
    const auto link = static_cast<RegisterId>(grid_->registerCount - 1);
    BOOST_TEST(std::count(what.reads.begin(), what.reads.begin() + what.readCount, link) == 1);
    BOOST_TEST(std::count(what.writes.begin(), what.writes.begin() + what.writeCount, link) == 1);
  }

  LockLoop& loop_;
  Counted& inner_;
  std::mt19937 random_;
  const Grid* grid_ = nullptr;
  Warp warps_[Counted::kWarps];
};

/// Returns a program with every kind of step; the seed gives the lanes of an atomic.
Counted::Program program(std::mt19937& random, unsigned length, std::uint32_t registers) {
  Counted::Program program;
  program.registers = registers;
  for (std::uint32_t pc = 0; pc < length; ++pc) {
    Counted::Step step;
    const unsigned kind = random() % 7;
    const MemorySpace spaces[] = {MemorySpace::Shared, MemorySpace::Generic, MemorySpace::Global,
                                  MemorySpace::Shared};
    if (kind < 4) {
      step.what = memory(pc, spaces[kind], Operation::Atomic);
    } else if (kind < 6) {
      step.what = memory(pc, MemorySpace::Shared, kind == 4 ? Operation::Load : Operation::Store);
    } else {
      step.what.pc = pc;
    }
    step.active = random() % 5 == 0 ? 0 : static_cast<LaneMask>(random());
    step.global = kind == 1 ? static_cast<LaneMask>(random()) : 0;
    program.steps.push_back(step);
  }
  return program;
}

void checkUpdates(const Counted& inner, const Counted::Program& program) {
  for (const auto& updates : inner.updated) {
    std::vector<LaneMask> lanes(program.steps.size(), 0);
    for (const auto& [pc, mask] : updates) {
      BOOST_TEST((lanes[pc] & mask) == 0U, "a lane of pc " << pc << " is updated twice");
      lanes[pc] |= mask;
    }
    for (std::size_t pc = 0; pc < lanes.size(); ++pc) {
      const Counted::Step& step = program.steps[pc];
      const bool loop =
          step.what.operation == Operation::Atomic && step.what.space != MemorySpace::Global;
      BOOST_TEST(lanes[pc] == (loop ? step.active : 0U), "pc " << pc);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lock_loop)

BOOST_DATA_TEST_CASE(every_lane_is_updated_once, bdata::xrange(1U, 6U), seed) {
  std::mt19937 random(seed);
  Counted inner;
  inner.programs = {program(random, 60, 9), program(random, 25, 31), program(random, 90, 4)};
  inner.launches = {0, 1, 2, 0, 2, 1, 1};
  LockLoop loop(inner);
  loop.setWarpSlots(Counted::kWarps);
  FakePath path(loop, inner, seed);
  for (const unsigned launched : inner.launches) {
    const Grid* const grid = loop.nextGrid();
    BOOST_TEST_REQUIRE(grid != nullptr);
    BOOST_TEST(grid->program == launched);
    BOOST_TEST(grid->registerCount == inner.programs[launched].registers + 1);
    path.runGrid(*grid);
    checkUpdates(inner, inner.programs[launched]);
  }
  BOOST_TEST(loop.nextGrid() == nullptr);
  BOOST_TEST(path.loops > 300U);
  BOOST_TEST(path.emptyRounds > 100U);
  BOOST_TEST(inner.lost == path.emptyRounds);
  BOOST_TEST(loop.idleInstructions() == 4 * path.emptyRounds);
}

// An atomic with all registers that an instruction may have: the steps must find room for their
// own.
BOOST_AUTO_TEST_CASE(an_atomic_with_every_register) {
  Counted inner;
  Counted::Program full;
  full.steps.resize(1);
  full.steps[0].what = memory(0, MemorySpace::Shared, Operation::Atomic);
  full.steps[0].what.readCount = StaticInstruction::kMaxReads;
  full.steps[0].what.writeCount = StaticInstruction::kMaxWrites;
  inner.programs = {full};
  inner.launches = {0};
  LockLoop loop(inner);
  loop.setWarpSlots(Counted::kWarps);
  FakePath path(loop, inner, 1);
  path.runGrid(*loop.nextGrid());
  checkUpdates(inner, full);
}

// A workload that cannot execute in parts, a trace: its atomic is executed at once, without data.
BOOST_AUTO_TEST_CASE(a_workload_that_executes_at_once) {
  test::ScriptedWorkload inner(1, 32);
  const auto first = [](auto, auto, unsigned lane, auto) { return std::uint64_t{4} * lane; };
  inner.addMemory(MemorySpace::Shared, Operation::Atomic, 4, first, {1});
  inner.addMemory(MemorySpace::Global, Operation::Atomic, 4, first, {1});
  inner.loaded = [](std::uint64_t) { return 5U; };
  LockLoop loop(inner);
  loop.setWarpSlots(1);
  loop.setCarriesData(true);
  BOOST_TEST_REQUIRE(loop.nextGrid() != nullptr);
  loop.startCta(0, 0);
  WarpInstruction out;
  const auto next = [&] {
    out.lock = LockStep::None;
    out.takesOutcome = out.hasData = false;
    loop.execute(0, out);
  };
  for (const LaneMask left : {0x0000ffffU, 0U}) {
    next();
    BOOST_TEST(out.active == (left == 0 ? 0x0000ffffU : kAllLanes));
    BOOST_TEST((out.lock == LockStep::Read && !out.hasData));
    TryOutcome outcome;
    outcome.leave(left, LeftCause::Lock);
    loop.responded(0, outcome);
    next();
    next();
    BOOST_TEST((out.lock == LockStep::Write && !out.hasData));
    BOOST_TEST(out.address[31] == 124U);
    next();
  }
  BOOST_TEST(inner.executed == 1U);
  next();
  BOOST_TEST((out.operation == Operation::Atomic && out.space == MemorySpace::Global));
  BOOST_TEST((out.lock == LockStep::None && !out.takesOutcome));
  BOOST_TEST(loop.peek(0) == nullptr);
}

// A workload with loops of its own, which takes the outcomes of its tries itself.
class Trying : public test::ScriptedWorkload {
 public:
  Trying() : ScriptedWorkload(1, 32) {
    addMemory(MemorySpace::Shared, Operation::Store, 4,
              [](auto, auto, unsigned lane, auto) { return std::uint64_t{4} * lane; }, {1});
  }
  void responded(unsigned, const TryOutcome& outcome) override { left = outcome.lanesLeft(); }

  LaneMask left = 0;
};

BOOST_AUTO_TEST_CASE(outcomes_of_other_loops_go_to_their_producer) {
  Trying inner;
  LockLoop loop(inner);
  loop.setWarpSlots(1);
  BOOST_TEST_REQUIRE(loop.nextGrid() != nullptr);
  loop.startCta(0, 0);
  WarpInstruction out;
  loop.execute(0, out);
  TryOutcome outcome;
  outcome.leave(0xf0, LeftCause::Bank);
  loop.responded(0, outcome);
  BOOST_TEST(inner.left == 0xf0U);
  BOOST_TEST(loop.peek(0) == inner.peek(0));
}

BOOST_AUTO_TEST_SUITE_END()
