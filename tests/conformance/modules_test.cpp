// Puts every module of the model through the conformance suite.
#include <fermata/models/indexing/families.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>

#include "tests/conformance/support.h"
#include "tests/support/late_stage.h"
#include "tests/support/leaving_path.h"

using namespace fermata;
using namespace fermata::conformance;
using namespace fermata::test;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

const unsigned kSeeds[] = {1, 2, 3};

std::shared_ptr<const indexing::Indexer> mod(std::uint32_t banks) {
  return indexing::build("mod " + std::to_string(banks), {banks, 12288});
}

/// Sets bank and row as the address generation unit does.
void locate(WarpAccess& access) {
  access.banks = ScratchpadShape{}.banks;
  access.wordsPerLane = std::max(1U, access.instruction.bytesPerLane / 4U);
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const auto word = static_cast<std::uint32_t>(access.instruction.address[i] / 4 + k);
      access.word[k][i] = word;
      access.bank[k][i] = word % access.banks;
      access.row[k][i] = word / access.banks;
    }
  }
}

/// Makes the first try of a load lock. A try of lanes that were left writes and unlocks; so does
/// the next try of lanes that found their locks taken. Stores pass.
void lock(WarpAccess& access) {
  locate(access);
  access.passes = 1;
  const bool locks = access.instruction.operation == MemoryOperation::Load;
  access.instruction.lock = !locks             ? LockStep::None
                            : access.tries > 1 ? LockStep::Write
                                               : LockStep::Read;
}

/// Leaves odd lanes, so that they meet lanes left below in one try.
class OddLanesLast : public LeavingStage {
 public:
  OddLanesLast(const sc_core::sc_module_name& name, const Clock& clock)
      : LeavingStage(name, clock) {}

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    WarpAccess& access = warpAccess(payload);

    const bool even = (access.asked & 0x55555555U) != 0;
    LaneMask left = even ? access.asked & 0xaaaaaaaaU : 0;
    if (!order_.mayServe(access)) left = access.asked;
    if (left == 0) {
      order_.served(access);
      return 0;
    }
    order_.left(access);
    access.outcome.leave(left, LeftCause::Bank);
    delay += clock().time(2);
    return left;
  }

  WarpOrder order_;
};

/// Acknowledges the first of two lines later, and answers both from within the call of the second.
class PairedMemory : public LateLineTarget {
 public:
  explicit PairedMemory(const sc_core::sc_module_name& name) : LateLineTarget(name) {}
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    keep(payload);
    if (first_ == nullptr) {
      first_ = &payload;
      acknowledge(payload, delay + kClock.time(3));
    } else {
      respondNested(*std::exchange(first_, nullptr), delay);
      respondNested(payload, delay);
    }
    return tlm::TLM_ACCEPTED;
  }
  void respondNested(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
    delay += kClock.time(9);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    in->nb_transport_bw(payload, phase, delay);
    payload.release();
  }
  void requested(tlm::tlm_generic_payload&) override {}

  tlm::tlm_generic_payload* first_ = nullptr;
};

struct PathToPairs {
  Coalescer coalescer{"coalescer", kClock, {}, nullptr};
  PairedMemory memory{"memory"};
  PathToPairs() { coalescer.out.bind(memory.in); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(modules)

BOOST_DATA_TEST_CASE(address_generation_unit, bdata::make(kSeeds), seed) {
  conforms<AddressGenerationUnit>(checkWarpStage, seeded(seed), kClock,
                                  AddressGenerationUnit::Parameters{}, mod(32));
}

BOOST_DATA_TEST_CASE(crossbar, bdata::make(kSeeds), seed) {
  Options options = seeded(seed);
  options.prepare = locate;
  conforms<Crossbar>(checkWarpStage, options, kClock, Crossbar::Parameters{}, nullptr);
}

BOOST_DATA_TEST_CASE(lock_unit, bdata::make(kSeeds) * bdata::make({1U, 1024U}), seed, locks) {
  Options options = seeded(seed);
  options.prepare = lock;
  options.repeats = false;  // locks stay taken
  conforms<LockUnit>(checkWarpStage, options, kClock, LockUnit::Parameters{}, mod(locks), nullptr);
}

BOOST_DATA_TEST_CASE(lock_unit_that_nobody_locks, bdata::make(kSeeds), seed) {
  Options options = seeded(seed);
  options.prepare = locate;
  conforms<LockUnit>(checkWarpStage, options, kClock, LockUnit::Parameters{}, mod(1024), nullptr);
}

BOOST_DATA_TEST_CASE(scratchpad, bdata::make(kSeeds), seed) {
  Options options = seeded(seed);
  options.prepare = locate;
  Scratchpad::Parameters parameters;
  parameters.verify = true;
  conforms<Scratchpad>(checkWarpTarget, options, kClock, parameters);
}

BOOST_DATA_TEST_CASE(coalescer, bdata::make(kSeeds), seed) {
  conforms<Coalescer>(checkCoalescer, seeded(seed), kClock, Coalescer::Parameters{}, nullptr);
}

// The end of a late request sends the next line, whose call answers both.
BOOST_AUTO_TEST_CASE(coalescer_before_pairs) {
  Options options = seeded(1);
  options.space = MemorySpace::Global;
  options.accesses = 95;  // an even number of lines
  checkConforms(checkWarpTarget(
      [](const char*) {
        auto path = std::make_shared<PathToPairs>();
        return Target<WarpProtocol>{path, path->coalescer.in};
      },
      options));
}

BOOST_DATA_TEST_CASE(flat_memory, bdata::make(kSeeds), seed) {
  conforms<FlatMemory>(checkLineTarget, seeded(seed), kClock, FlatMemory::Parameters{});
}

BOOST_DATA_TEST_CASE(leaving_stage, bdata::make(kSeeds), seed) {
  conforms<OddLanesLast>(checkWarpStage, seeded(seed), kClock);
}

BOOST_DATA_TEST_CASE(leaving_path, bdata::make(kSeeds), seed) {
  Options options = seeded(seed);
  for (const Way way : warpsWays()) {  // counts lanes as served once it has passed them on
    if (way < Way::LeftReturned) options.below.push_back(way);
  }
  options.repeats = false;  // it leaves lanes at random
  conforms<LeavingPath>(checkWarpStage, options, kClock, LeavingPath::Behaviour{7, 2, 5, 9}, 3);
}

BOOST_DATA_TEST_CASE(late_stage, bdata::make(kSeeds), seed) {
  Options options = seeded(seed);
  options.below = {Way::AtOnce};  // made for targets that answer at the call
  conforms<LateStage>(checkWarpStage, options, kClock, false);
}

BOOST_AUTO_TEST_SUITE_END()
