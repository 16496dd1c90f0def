// The warp table's masks and wheels agree with a look at every slot.
#include <fermata/models/core/warp_table.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

StaticInstruction instruction(InstructionClass c, MemorySpace space = MemorySpace::None) {
  StaticInstruction i;
  i.instructionClass = c;
  i.space = space;
  return i;
}

const StaticInstruction kInstructions[] = {
    instruction(InstructionClass::Integer),
    instruction(InstructionClass::Special),
    instruction(InstructionClass::Double),
    instruction(InstructionClass::Memory, MemorySpace::Constant),
    instruction(InstructionClass::Memory, MemorySpace::Shared),
    instruction(InstructionClass::Memory, MemorySpace::Global),
    instruction(InstructionClass::Memory, MemorySpace::Generic),
};

/// Reference: one entry per slot, visited one by one.
struct Naive {
  struct Slot {
    const StaticInstruction* next;
    Cycle at;
  };
  std::vector<std::optional<Slot>> slots = std::vector<std::optional<Slot>>(kMaxWarpSlots);

  Cycle issue(unsigned slot, const Pipelines& pipelines, Cycle from) const {
    if (!slots[slot] || slots[slot]->at == kNever) return kNever;
    return pipelines.free(issueKind(*slots[slot]->next), std::max(slots[slot]->at, from));
  }
  SlotMask issuable(SlotMask among, const Pipelines& pipelines, Cycle now) const {
    SlotMask mask = 0;
    for (unsigned s = 0; s < kMaxWarpSlots; ++s) {
      if ((among >> s & 1) != 0 && issue(s, pipelines, now) == now) mask |= slotBit(s);
    }
    return mask;
  }
  Cycle earliestIssue(const Pipelines& pipelines, Cycle from) const {
    Cycle least = kNever;
    for (unsigned s = 0; s < kMaxWarpSlots; ++s) least = std::min(least, issue(s, pipelines, from));
    return least;
  }
  WarpTable::Ready earliestReady(SlotMask among, Cycle from) const {
    WarpTable::Ready first;
    for (unsigned s = 0; s < kMaxWarpSlots; ++s) {
      if ((among >> s & 1) == 0 || !slots[s] || slots[s]->at == kNever) continue;
      const Cycle at = std::max(slots[s]->at, from);
      if (at < first.at) first = {at, 0};
      if (at == first.at) first.slots |= slotBit(s);
    }
    return first;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(warp_table)

BOOST_AUTO_TEST_CASE(equals_a_look_at_every_slot) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    WarpTable table;
    Naive naive;
    Pipelines pipelines{PipelineParameters{}};
    Cycle now = 0;
    for (int step = 0; step < 2000; ++step) {
      const auto slot = static_cast<unsigned>(random() % kMaxWarpSlots);
      const Cycle far = random() % 5 == 0 ? 2000 : 70;
      switch (random() % 6) {
        case 0:
          table.clear(slot);
          naive.slots[slot].reset();
          break;
        case 1:
          if (!naive.slots[slot]) break;
          table.hold(slot);
          naive.slots[slot]->at = kNever;
          break;
        case 2:
          pipelines.take(static_cast<IssueKind>(random() % kIssueKinds), now, 1 + random() % 9);
          break;
        case 3:
          now += 1 + random() % (random() % 9 == 0 ? 900 : 3);
          table.advance(now);
          break;
        default: {
          const StaticInstruction* next = &kInstructions[random() % std::size(kInstructions)];
          const Cycle at = random() % 7 == 0 ? kNever : now + random() % far;
          table.set(slot, next, at);
          naive.slots[slot] = {next, at};
        }
      }
      const SlotMask among = random() | random();
      BOOST_REQUIRE_EQUAL(table.issuable(among, pipelines, now),
                          naive.issuable(among, pipelines, now));
      const Cycle from = now + random() % 3;
      BOOST_REQUIRE_EQUAL(table.earliestIssue(pipelines, from),
                          naive.earliestIssue(pipelines, from));
      const WarpTable::Ready is = table.earliestReady(among, from);
      const WarpTable::Ready should = naive.earliestReady(among, from);
      BOOST_REQUIRE_EQUAL(is.at, should.at);
      BOOST_REQUIRE_EQUAL(is.slots, should.slots);
      const Cycle to = from + 1 + random() % 90;
      const WarpTable::Ready soon = table.earliestReady(among, from, to);
      BOOST_REQUIRE_EQUAL(std::min(soon.at, to), std::min(should.at, to));
      if (should.at < to) BOOST_REQUIRE_EQUAL(soon.slots, should.slots);
      BOOST_REQUIRE(table.anyReady() || naive.issuable(~SlotMask{0}, pipelines, now) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_busy_unit_is_told_from_the_memory_port) {
  WarpTable table;
  Pipelines pipelines{PipelineParameters{}};
  table.set(0, &kInstructions[1], 0);
  pipelines.take(IssueKind::Special, 0, 5);
  BOOST_TEST((table.blockedBy(1, pipelines, 2) == StallCause::Pipeline));
  table.set(1, &kInstructions[4], 0);
  BOOST_TEST((table.blockedBy(3, pipelines, 2) == StallCause::Pipeline));  // the port is free
  pipelines.take(IssueKind::Global, 0, 5);  // takes the port, for all spaces
  BOOST_TEST((table.blockedBy(3, pipelines, 2) == StallCause::MemoryPort));
}

BOOST_AUTO_TEST_CASE(a_full_path_holds_only_its_own_space) {
  Pipelines pipelines{PipelineParameters{}};
  pipelines.hold(MemoryPath::Global, 3);
  BOOST_TEST(pipelines.free(IssueKind::Global, 4) == kNever);
  BOOST_TEST(pipelines.free(IssueKind::Generic, 4) == kNever);
  BOOST_TEST(pipelines.free(IssueKind::Shared, 4) == 4U);
  BOOST_TEST(pipelines.free(IssueKind::Constant, 4) == 4U);
  pipelines.release(MemoryPath::Global, 9);
  BOOST_TEST(pipelines.free(IssueKind::Global, 4) == 9U);
}

// A path that becomes free must not hide that a place before the collectors is taken.
BOOST_AUTO_TEST_CASE(a_taken_place_holds_its_kind_when_a_path_becomes_free) {
  WarpTable table;
  Pipelines pipelines{PipelineParameters{}};
  pipelines.addGates(SchedulerMap(1, 1));
  table.set(0, &kInstructions[0], 0);
  pipelines.takeGate(0, IssueKind::Alu, 100);
  pipelines.hold(MemoryPath::Global, 3);
  pipelines.release(MemoryPath::Global, 9);
  BOOST_TEST(!pipelines.allFree(50));
  BOOST_TEST(pipelines.allFree(100));
  table.advance(50);
  BOOST_TEST(table.issuable(1, pipelines, 50) == 0U);
  BOOST_TEST(table.earliestIssue(pipelines, 50) == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
