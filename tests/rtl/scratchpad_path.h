// A scratchpad behind an address generation unit and a crossbar, with a driver before them.
#pragma once

#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/rtl/block_catalog.h>
#include <fermata/models/rtl/block_scratchpad.h>
#include <fermata/models/rtl/model_blocks.h>
#include <fermata/models/transaction/payload_pool.h>

#include "tests/rtl/hooked_block.h"
#include "tests/support/byte_traffic.h"
#include "tests/support/test.h"

namespace fermata::rtl::test {

inline const Clock kPathClock(sc_core::sc_time(1, sc_core::SC_NS));
inline constexpr std::uint32_t kPathWords = 12288;

inline std::shared_ptr<const indexing::Indexer> pathMapping(const std::string& text,
                                                            std::uint32_t banks) {
  return indexing::build(text, {banks, kPathWords});
}

/// Returns a block of models/rtl/*.sv if `described`, and the model's own block if not.
inline std::unique_ptr<ScratchpadBlock> scratchpadBlock(bool described,
                                                        const indexing::Indexer& mapping) {
  const std::uint32_t banks = mapping.shape().banks;
  return described ? makeScratchpadBlock(banks, mapping.rows())
                   : modelScratchpadBlock(banks, mapping.rows());
}

/// A path to a Scratchpad or a class derived from it. Construct all paths of a process before any
/// of them sends.
template <class Pad = Scratchpad>
class ScratchpadPath : sc_core::sc_module, WarpBackward {
 public:
  /// `more`: arguments of the scratchpad's constructor after its parameters.
  template <class... More>
  ScratchpadPath(const sc_core::sc_module_name& name,
                 const std::shared_ptr<const indexing::Indexer>& mapping,
                 const Chosen<ConflictPolicy>& conflicts, More&&... more)
      : sc_module(name),
        agu_("agu", kPathClock, {1, shapeOf(*mapping)}, mapping),
        crossbar_("crossbar", kPathClock, crossbarOf(*mapping, conflicts), nullptr),
        pad_("pad", kPathClock, {24, shapeOf(*mapping), mapping->rows(), true},
             std::forward<More>(more)...) {
    out_.bind(*this);
    out_.bind(agu_.in);
    agu_.out.bind(crossbar_.in);
    crossbar_.out.bind(pad_.in);
  }

  /// Sends through nb_transport until every lane has been served. Returns the cycle at which the
  /// data arrive.
  Cycle send(const fermata::test::ByteAccess& sent, Cycle arrival) {
    WarpAccess& access = open(sent);
    tlm::tlm_generic_payload& payload = *access.payload;
    while (access.unserved != 0) {
      access.asked = access.unserved;
      access.outcome = {};
      ++access.tries;
      ++tries_;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = kPathClock.time(arrival);
      const tlm::tlm_sync_enum status = out_->nb_transport_fw(payload, phase, delay);
      BOOST_TEST_REQUIRE(
          (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == TRY_OUTCOME)));
      arrival = kPathClock.cycles(delay);
      const LaneMask left = status == tlm::TLM_COMPLETED ? 0 : access.outcome.lanesLeft();
      BOOST_TEST_REQUIRE(left != access.unserved);
      BOOST_TEST(access.asked == (access.unserved & ~left));  // `asked` now holds the served lanes
      access.unserved = left;
    }
    BOOST_TEST((payload.get_response_status() == tlm::TLM_OK_RESPONSE));
    payload.release();
    return arrival;
  }
  void debug(const fermata::test::ByteAccess& sent,
             tlm::tlm_command command = tlm::TLM_WRITE_COMMAND) {
    WarpAccess& access = open(sent);
    access.asked = access.unserved;
    access.payload->set_command(command);
    BOOST_TEST(out_->transport_dbg(*access.payload) == access.payload->get_data_length());
    access.payload->release();
  }
  std::uint64_t compared() const { return pad_.compared(); }
  /// Returns the number of tries of all accesses so far.
  std::uint64_t tries() const { return tries_; }

 private:
  static ScratchpadShape shapeOf(const indexing::Indexer& mapping) {
    return {mapping.shape().banks, 4, mapping.shape().words * 4};
  }
  static Crossbar::Parameters crossbarOf(const indexing::Indexer& mapping,
                                         const Chosen<ConflictPolicy>& conflicts) {
    Crossbar::Parameters parameters;
    parameters.banks = mapping.shape().banks;
    parameters.conflictPolicy = conflicts;
    return parameters;
  }

  WarpAccess& open(const fermata::test::ByteAccess& sent) {
    if (sc_core::sc_get_status() < sc_core::SC_START_OF_SIMULATION)
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    WarpAccess& access = warpAccess(pool_.acquire());
    access.begin(++sequence_);
    access.instruction = sent.instruction;
    access.windowBase = sent.windowBase;
    access.beginTry(0);
    access.payload->set_command(sent.instruction.operation == MemoryOperation::Load
                                    ? tlm::TLM_READ_COMMAND
                                    : tlm::TLM_WRITE_COMMAND);
    access.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return access;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    BOOST_ERROR("called back");
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  WarpInitiatorSocket out_{"out"};
  AddressGenerationUnit agu_;
  Crossbar crossbar_;
  Pad pad_;
  PayloadPool pool_;
  std::uint64_t sequence_ = 0;
  std::uint64_t tries_ = 0;
};

using BlockPath = ScratchpadPath<BlockScratchpad>;

/// A path to a block with hooks, which works in cycle 77.
struct HookedPath : BlockPath {
  HookedPath(const std::shared_ptr<const indexing::Indexer>& mapping,
             const HookedScratchpad::Hooks& hooks, Implementation how, bool described = false,
             const char* name = "block")
      : BlockPath(name, mapping, "serialize",
                  std::make_unique<HookedScratchpad>(scratchpadBlock(described, *mapping), hooks),
                  how, [] { return Cycle{77}; }) {}
};

}  // namespace fermata::rtl::test
