// Wrong values behind a real path: the executor's are reported as the plain scratchpad reports
// them, and those of a block with a fault are found where they show.
#include <fermata/models/rtl/ended.h>

#include "tests/rtl/differences.h"
#include "tests/rtl/scratchpad_path.h"
#include "tests/support/report_log.h"

namespace fermata::rtl::test {

using fermata::test::ByteAccess;
using fermata::test::ByteTraffic;
using fermata::test::ReportLog;

namespace {

using Texts = std::vector<std::string>;

std::string placeText(const ByteAccess& access, unsigned lane, unsigned byte) {
  const std::uint64_t address = access.instruction.address[lane] + byte;
  const std::uint64_t word = (access.windowBase + address) / 4;  // mapping "mod 32"
  return "lane " + std::to_string(lane) + ", shared byte address " + std::to_string(address) +
         " (bank " + std::to_string(word % 32) + ", row " + std::to_string(word / 32) + ")";
}

std::string reportText(const ByteAccess& access, unsigned lane, unsigned byte, unsigned held,
                       unsigned seen) {
  return ReportLog::error("fermata/scratchpad",
                          "verification failed: pc " + std::to_string(access.instruction.pc) +
                              ", warp slot 0, " + placeText(access, lane, byte) + " holds " +
                              std::to_string(held) + ", the executor saw " + std::to_string(seen));
}

std::string differenceText(const ByteAccess& access, unsigned lane, unsigned byte, unsigned rtl,
                           unsigned expected) {
  return "the RTL scratchpad differs from the model in cycle 77, pc " +
         std::to_string(access.instruction.pc) + ": " + placeText(access, lane, byte) + ": RTL " +
         std::to_string(rtl) + "; expected " + std::to_string(expected);
}

/// Returns the data that a load or an atomic found, as the executor gives them.
WarpInstruction::LaneData& found(WarpInstruction& instruction) {
  return instruction.operation == MemoryOperation::Atomic ? instruction.before : instruction.data;
}

/// Changes random bytes that the executor gives, including bytes that no lane asks for. Returns the
/// expected reports: one per asking lane with a wrong byte.
Texts spoil(ByteAccess& access, std::mt19937& random) {
  const WarpInstruction::LaneData right = found(access.instruction);
  for (unsigned changes = 1 + random() % 8; changes > 0; --changes) {
    auto& lane = found(access.instruction)[random() % kWarpLanes];
    lane[random() % lane.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
  }
  Texts texts;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.instruction.active >> lane & 1) == 0) continue;
    const auto& said = found(access.instruction)[lane];
    for (unsigned b = 0; b < access.instruction.bytesPerLane; ++b) {
      if (said[b] == right[lane][b]) continue;
      texts.push_back(reportText(access, lane, b, right[lane][b], said[b]));
      break;
    }
  }
  return texts;
}

/// Returns an access in which lane l has `width` bytes at l * width, and the window is at byte 128.
/// Byte b of lane l is 7 l + b + 1.
ByteAccess row(MemoryOperation operation, unsigned width) {
  ByteAccess access;
  access.windowBase = 128;
  WarpInstruction& instruction = access.instruction;
  instruction.pc = 5;
  instruction.operation = operation;
  instruction.bytesPerLane = static_cast<std::uint8_t>(width);
  instruction.active = kAllLanes;
  instruction.hasData = true;
  instruction.data = instruction.before = {};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    instruction.address[lane] = std::uint64_t{lane} * width;
    for (unsigned b = 0; b < width; ++b)
      instruction.data[lane][b] = static_cast<std::uint8_t>(7 * lane + b + 1);
  }
  return access;
}

/// A fault, and the byte that first shows it in loads after stores by row().
struct Fault {
  const char* name;
  unsigned width;
  HookedScratchpad::Hooks hooks;
  unsigned lane, byte;
  unsigned held;  ///< found in place of the stored byte
};

HookedScratchpad::Hooks asking(std::function<void(ScratchpadRequest&)> asked) {
  HookedScratchpad::Hooks hooks;
  hooks.asked = std::move(asked);
  return hooks;
}

bool writes(const ScratchpadRequest& request, unsigned lane) {
  return (request.write >> lane & 1) != 0;
}

std::vector<Fault> faults() {
  HookedScratchpad::Hooks flip;
  flip.answered = [](const ScratchpadRequest& request, ScratchpadResponse& response) {
    if (request.bank[3] == 13) response.data[3] ^= 1U << 20;
  };
  return {
      // Lane 3 has words 44 to 47, counted from the start of the memory.
      {"a bit of an answer is flipped", 16, flip, 3, 6, (7 * 3 + 6 + 1) ^ 16},
      {"a byte enable is dropped", 16, asking([](ScratchpadRequest& request) {
         if (request.bank[3] == 13) request.enable[3] &= static_cast<std::uint8_t>(~4U);
       }),
       3, 6, 0},
      {"the data of another lane are written", 16, asking([](ScratchpadRequest& request) {
         if (writes(request, 3) && request.bank[3] == 15) request.data[3] = request.data[4];
       }),
       3, 12, 7 * 4 + 12 + 1},
      {"another row is written", 16, asking([](ScratchpadRequest& request) {
         if (writes(request, 3) && request.bank[3] == 14) ++request.row[3];
       }),
       3, 8, 0},
      {"another bank is written", 4, asking([](ScratchpadRequest& request) {
         if (writes(request, 31)) request.bank[31] = 0;
       }),
       0, 0, 7 * 31 + 1},
      // The highest lane writes a whole word, though only its last byte is the lane's own.
      {"a byte enable too many", 1, asking([](ScratchpadRequest& request) {
         if (writes(request, 31)) request.enable[31] = 15;
       }),
       28, 0, 0},
      {"a store is lost", 8,
       asking([](ScratchpadRequest& request) { request.write &= ~(1U << 17); }), 17, 0, 0},
  };
}

std::shared_ptr<const indexing::Indexer> mod32() {
  return pathMapping("mod 32", 32);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(block_scratchpad_faults)

BOOST_DATA_TEST_CASE(what_the_executor_says_wrong_is_reported_as_without_a_block,
                     bdata::make({Implementation::Lockstep, Implementation::Rtl}) *
                         bdata::make(kDescribed),
                     how, described) {
  ScratchpadPath<> plain("plain", mod32(), "serialize");
  HookedPath block(mod32(), {}, how, described);
  ByteTraffic traffic(11, kPathWords * 4);
  std::mt19937 random(11);
  ReportLog log;
  std::size_t reports = 0;
  std::size_t ofNoAccount = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    ByteAccess access = traffic.next();
    Texts expected;
    if (access.instruction.operation != MemoryOperation::Store && i % 3 == 0) {
      expected = spoil(access, random);
      ofNoAccount += expected.empty() ? 1 : 0;
    }
    reports += expected.size();
    plain.send(access, 100 * i);
    BOOST_TEST(log.take() == expected, tt::per_element());
    block.send(access, 100 * i);
    BOOST_TEST(log.take() == expected, tt::per_element());
  }
  BOOST_TEST(block.compared() == plain.compared());
  BOOST_TEST(reports > 300U);
  BOOST_TEST(ofNoAccount > 10U);
}

// The memory holds what the executor says that it wrote: the next load shows an error.
BOOST_DATA_TEST_CASE(wrong_data_of_a_store_or_an_atomic_are_reported_by_the_next_load,
                     bdata::make({false, true}) *
                         bdata::make({Implementation::Lockstep, Implementation::Rtl}),
                     atomic, how) {
  HookedPath block(mod32(), {}, how);
  ByteAccess store = row(atomic ? MemoryOperation::Atomic : MemoryOperation::Store, 8);
  store.instruction.data[9][5] ^= 64;
  ReportLog log;
  block.send(store, 10);
  BOOST_TEST(log.take().empty());
  const ByteAccess load = row(MemoryOperation::Load, 8);
  block.debug(load);
  const unsigned right = 7 * 9 + 5 + 1;
  BOOST_TEST(log.take() == Texts{reportText(load, 9, 5, right ^ 64, right)}, tt::per_element());
}

BOOST_DATA_TEST_CASE(a_fault_ends_the_run_beside_the_model, bdata::xrange(faults().size()),
                     number) {
  const Fault fault = faults()[number];
  HookedPath block(mod32(), fault.hooks, Implementation::Lockstep);
  block.send(row(MemoryOperation::Store, fault.width), 10);
  const ByteAccess load = row(MemoryOperation::Load, fault.width);
  BOOST_TEST_CONTEXT(fault.name) {
    BOOST_TEST(differenceOf([&] { block.send(load, 100); }) ==
               differenceText(load, fault.lane, fault.byte, fault.held,
                              load.instruction.data[fault.lane][fault.byte]));
  }
}

// With the block alone, its answers are compared with the executor's.
BOOST_DATA_TEST_CASE(a_fault_of_the_block_alone_is_reported, bdata::xrange(faults().size()),
                     number) {
  const Fault fault = faults()[number];
  HookedPath block(mod32(), fault.hooks, Implementation::Rtl);
  ReportLog log;
  block.send(row(MemoryOperation::Store, fault.width), 10);
  BOOST_TEST(log.take().empty());
  const ByteAccess load = row(MemoryOperation::Load, fault.width);
  block.send(load, 100);
  const Texts reports = log.take();
  BOOST_TEST_CONTEXT(fault.name) {
    BOOST_TEST_REQUIRE(!reports.empty());
    BOOST_TEST(reports.front() == reportText(load, fault.lane, fault.byte, fault.held,
                                             load.instruction.data[fault.lane][fault.byte]));
  }
}

// All lanes add to one word: the lane that finds another lane's result shows the difference.
BOOST_AUTO_TEST_CASE(a_fault_in_an_atomic_names_the_lane_that_finds_it) {
  const auto hooks = asking([](ScratchpadRequest& request) {
    if (writes(request, 20)) request.enable[20] = 0;
  });
  ByteAccess access = row(MemoryOperation::Atomic, 4);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    access.instruction.address[lane] = 40;
    access.instruction.data[lane] = {static_cast<std::uint8_t>(lane + 1)};
    access.instruction.before[lane] = {static_cast<std::uint8_t>(lane)};
  }
  HookedPath lockstep(mod32(), hooks, Implementation::Lockstep, false, "lockstep");
  HookedPath alone(mod32(), hooks, Implementation::Rtl, false, "alone");
  BOOST_TEST(differenceOf([&] { lockstep.send(access, 10); }) ==
             differenceText(access, 21, 0, 20, 21));
  ReportLog log;
  alone.send(access, 10);
  BOOST_TEST(log.take() == Texts{reportText(access, 21, 0, 20, 21)}, tt::per_element());
}

// Lanes 4 to 7 store to one byte: the highest must win.
BOOST_DATA_TEST_CASE(another_lane_that_wins_a_byte_is_found, bdata::make({4U, 5U, 6U}), winner) {
  const auto hooks = asking([winner](ScratchpadRequest& request) {
    if (!writes(request, 7)) return;
    for (unsigned lane = winner + 1; lane < 8; ++lane) request.enable[lane] = 0;
  });
  HookedPath block(mod32(), hooks, Implementation::Lockstep);
  ByteAccess store = row(MemoryOperation::Store, 1);
  for (unsigned lane = 4; lane < 8; ++lane) store.instruction.address[lane] = 7;
  block.send(store, 10);
  ByteAccess load = row(MemoryOperation::Load, 1);
  for (unsigned lane = 4; lane < 7; ++lane) load.instruction.data[lane] = {};
  BOOST_TEST(differenceOf([&] { block.send(load, 100); }) ==
             differenceText(load, 7, 0, 7 * winner + 1, 7 * 7 + 1));
}

BOOST_AUTO_TEST_CASE(rtl_that_ends_the_run_is_told_with_cycle_and_lanes) {
  const auto ends = asking([](ScratchpadRequest&) { throw RtlEnded("my.sv:3: $finish"); });
  HookedPath block(mod32(), ends, Implementation::Rtl);
  ByteAccess load = row(MemoryOperation::Load, 4);
  load.instruction.active = 3;
  BOOST_TEST(errorOf<RtlEnded>([&] { block.debug(load); }) ==
             "the RTL of the scratchpad ends the run in cycle 77: my.sv:3: $finish; "
             "asked for pc 5, lane:bank/row 0:0/1 1:1/1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
