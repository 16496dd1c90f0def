// A block's banks behind a real path hold the same bytes as a plain array.

#include "tests/rtl/differences.h"
#include "tests/rtl/scratchpad_path.h"
#include "tests/support/report_log.h"

namespace fermata::rtl::test {

using fermata::test::ByteAccess;
using fermata::test::ByteTraffic;

namespace {

Cycle none() {
  return 0;
}

std::uint64_t comparedOf(const ByteAccess& access) {
  return access.instruction.operation == MemoryOperation::Store
             ? 0
             : laneCount(access.instruction.active);
}

/// Overlaps of the lanes of an access.
struct Sharing {
  bool byte = false;      ///< two lanes access one byte
  bool wordOnly = false;  ///< two lanes access different bytes of a word
};

Sharing sharingOf(const ByteAccess& access) {
  Sharing sharing;
  std::set<std::uint64_t> bytes;
  std::set<std::uint64_t> words;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.instruction.active >> lane & 1) == 0) continue;
    const std::uint64_t at = access.windowBase + access.instruction.address[lane];
    if (!bytes.insert(at).second) {
      sharing.byte = true;
    } else if (!words.insert(at / 4).second) {
      sharing.wordOnly = true;
    }
  }
  return sharing;
}

/// Returns the requests that a block of 33 banks needs. A load or store needs, for word k of the
/// lanes, as many as the fullest bank has rows. An atomic needs a read and a write of each word of
/// each lane.
std::size_t requestsOf33(const ByteAccess& access) {
  const WarpInstruction& instruction = access.instruction;
  const unsigned words = std::max(1, instruction.bytesPerLane / 4);
  if (instruction.operation == MemoryOperation::Atomic)
    return std::size_t{2} * words * laneCount(instruction.active);
  std::size_t requests = 0;
  for (unsigned k = 0; k < words; ++k) {
    std::map<std::uint64_t, std::set<std::uint64_t>> rowsOf;
    std::size_t most = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((instruction.active >> lane & 1) == 0) continue;
      const std::uint64_t word = (access.windowBase + instruction.address[lane]) / 4 + k;
      rowsOf[word % 33].insert(word / 33);
      most = std::max(most, rowsOf[word % 33].size());
    }
    requests += most;
  }
  return requests;
}

struct Mapping {
  const char* text;
  std::uint32_t banks;
};
std::ostream& operator<<(std::ostream& out, const Mapping& mapping) {
  return out << mapping.text;
}
const Mapping kMappings[] = {{"mod 32", 32},
                             {"mod 64", 64},
                             {"ami 33", 33},
                             {"xor k1=0 k2=5 mask=31", 32},
                             {"pairs 3,4,0^5,1^6,2^7", 32}};

}  // namespace

BOOST_AUTO_TEST_SUITE(block_scratchpad)

// The cases below rely on these overlaps.
BOOST_AUTO_TEST_CASE(lanes_of_the_traffic_share_bytes_and_words) {
  ByteTraffic traffic(1, kPathWords * 4);
  std::map<std::pair<MemoryOperation, unsigned>, unsigned> bytes;
  std::map<MemoryOperation, unsigned> words;
  for (unsigned i = 0; i < 4000; ++i) {
    const ByteAccess access = traffic.next();
    const Sharing sharing = sharingOf(access);
    const MemoryOperation operation = access.instruction.operation;
    bytes[{operation, access.instruction.bytesPerLane}] += sharing.byte ? 1 : 0;
    words[operation] += sharing.wordOnly ? 1 : 0;
  }
  BOOST_TEST(bytes.size() == 3U * 5U);
  for (const auto& [kind, accesses] : bytes) BOOST_TEST(accesses > 50U);
  for (const auto& [operation, accesses] : words) BOOST_TEST(accesses > 100U);
}

// A lost byte would be reported as an error, and an error report throws here.
BOOST_DATA_TEST_CASE(holds_what_an_array_of_bytes_holds,
                     bdata::make(kMappings) *
                         bdata::make({Implementation::Lockstep, Implementation::Rtl}) *
                         bdata::make(kDescribed),
                     shape, how, described) {
  const auto map = pathMapping(shape.text, shape.banks);
  ScratchpadPath<> plain("plain", map, "serialize");
  HookedPath block(map, {}, how, described);
  ByteTraffic traffic(shape.banks, kPathWords * 4);
  std::uint64_t compared = 0;
  Cycle arrival = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const ByteAccess access = traffic.next();
    compared += comparedOf(access);
    if (i % 4 == 0) {
      plain.debug(access);
      block.debug(access);
    } else {
      arrival += i % 50;
      BOOST_TEST(block.send(access, arrival) == plain.send(access, arrival));
    }
    BOOST_TEST_REQUIRE(block.compared() == compared);
    BOOST_TEST_REQUIRE(plain.compared() == compared);
  }
  for (const ByteAccess& load : traffic.all()) {
    block.debug(load);
    compared += comparedOf(load);
  }
  BOOST_TEST(block.compared() == compared);
}

// Under replay the lanes of a load or store come in several tries. Of the lanes that store to one
// word, a higher lane may come before a lower lane of another lane group.
BOOST_DATA_TEST_CASE(holds_what_comes_in_several_tries,
                     bdata::make({Implementation::Lockstep, Implementation::Rtl}), how) {
  const auto map = pathMapping("mod 32", 32);
  ScratchpadPath<> plain("plain", map, "replay");
  BlockPath block("block", map, "replay", scratchpadBlock(false, *map), how, none);
  ByteTraffic traffic(5, kPathWords * 4);
  std::uint64_t compared = 0;
  Cycle arrival = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const ByteAccess access = traffic.next();
    compared += comparedOf(access);
    arrival += 100;
    BOOST_TEST(block.send(access, arrival) == plain.send(access, arrival));
    BOOST_TEST_REQUIRE(block.compared() == compared);
  }
  BOOST_TEST(block.tries() > 4000U + 500U);
}

// A block is asked as scratchpad_block.h demands, in no more passes than that takes.
BOOST_AUTO_TEST_CASE(asks_its_block_for_one_row_of_a_bank_at_once) {
  const auto map = pathMapping("ami 33", 33);
  std::size_t requests = 0;
  HookedScratchpad::Hooks hooks;
  hooks.asked = [&](const ScratchpadRequest& request) {
    ++requests;
    BOOST_TEST(request.valid != 0U);
    BOOST_TEST((request.write & ~request.valid) == 0U);
    std::map<std::uint32_t, std::uint32_t> rowOf;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((request.valid >> lane & 1) == 0) continue;
      BOOST_TEST(request.bank[lane] < 33U);
      BOOST_TEST(request.row[lane] < map->rows());
      BOOST_TEST(rowOf.emplace(request.bank[lane], request.row[lane]).first->second ==
                 request.row[lane]);
      if ((request.write >> lane & 1) != 0) BOOST_TEST(request.enable[lane] != 0U);
    }
  };
  HookedPath block(map, hooks, Implementation::Rtl);
  ByteTraffic traffic(2, kPathWords * 4);
  for (unsigned i = 0; i < 500; ++i) {
    const ByteAccess access = traffic.next();
    requests = 0;
    block.debug(access);
    BOOST_TEST(requests == requestsOf33(access));
  }
}

// 32 lanes add 1 to a word, which ends as 32; the block is asked lane by lane.
BOOST_DATA_TEST_CASE(lanes_of_an_atomic_act_one_after_another,
                     bdata::make({Implementation::Lockstep, Implementation::Rtl}) *
                         bdata::make(kDescribed),
                     how, described) {
  std::vector<LaneMask> asked;
  HookedScratchpad::Hooks hooks;
  hooks.asked = [&](const ScratchpadRequest& request) { asked.push_back(request.valid); };
  HookedPath block(pathMapping("mod 32", 32), hooks, how, described);
  ByteAccess access;
  access.windowBase = 256;
  access.instruction.operation = MemoryOperation::Atomic;
  access.instruction.bytesPerLane = 4;
  access.instruction.active = kAllLanes;
  access.instruction.hasData = true;
  access.instruction.before = {};
  access.instruction.data = {};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    access.instruction.address[lane] = 12;
    access.instruction.before[lane][0] = static_cast<std::uint8_t>(lane);
    access.instruction.data[lane][0] = static_cast<std::uint8_t>(lane + 1);
  }
  block.send(access, 10);
  BOOST_TEST(block.compared() == 32U);
  BOOST_TEST_REQUIRE(asked.size() == 2U * kWarpLanes);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    for (const unsigned step : {0U, 1U}) BOOST_TEST(asked[2 * lane + step] == 1U << lane);
  }
  ByteAccess load = access;
  load.instruction.operation = MemoryOperation::Load;
  for (auto& lane : load.instruction.data) lane[0] = 32;
  block.send(load, 1000);
  // The executor's data are changed: every lane finds the word that only the first lane found.
  fermata::test::ReportLog log;
  for (auto& lane : access.instruction.before) lane[0] = 32;
  for (auto& lane : access.instruction.data) lane[0] = 33;
  block.send(access, 2000);
  BOOST_TEST(log.take().size() == kWarpLanes - 1U);
}

BOOST_DATA_TEST_CASE(banks_of_8_bytes_and_no_data_are_refused,
                     bdata::make({Implementation::Lockstep, Implementation::Rtl}), how) {
  const auto refused = [&](unsigned bankBytes, bool verify, const std::string& said) {
    const ScratchpadShape shape{32, bankBytes, kPathWords * 4};
    const auto make = [&] {
      BlockScratchpad("pad", kPathClock, {24, shape, 384, verify}, modelScratchpadBlock(32, 384),
                      how, none);
    };
    BOOST_CHECK_EXCEPTION(make(), BadInput, fermata::test::says(said));
  };
  refused(8, true, "the banks have 8 bytes; expected 4");
  refused(4, false, "with verify = true only");
}

BOOST_AUTO_TEST_CASE(what_carries_no_data_asks_no_block) {
  HookedScratchpad::Hooks hooks;
  unsigned requests = 0;
  hooks.asked = [&](const ScratchpadRequest&) { ++requests; };
  HookedPath block(pathMapping("mod 32", 32), hooks, Implementation::Lockstep);
  ByteTraffic traffic(3, kPathWords * 4);
  for (unsigned i = 0; i < 50; ++i) {
    ByteAccess access = traffic.next();
    block.debug(access, tlm::TLM_IGNORE_COMMAND);
    access.instruction.hasData = false;
    block.debug(access);
    block.send(access, 100 * i);
  }
  BOOST_TEST(requests == 0U);
  BOOST_TEST(block.compared() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
