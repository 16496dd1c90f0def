// Sends accesses to a target of warps, each as soon as the path takes it, and records when each is
// over.
#pragma once

#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/payload_pool.h>
#include <fermata/models/transaction/warp_protocol.h>

#include "tests/support/test.h"

namespace fermata::rtl::test {

class WarpMaster : public sc_core::sc_module, public WarpBackward {
 public:
  WarpInitiatorSocket out{"out"};

  WarpMaster(const sc_core::sc_module_name& name, const Clock& clock)
      : sc_module(name), clock_(clock) {
    out.bind(*this);
  }

  /// Returns a new access, for the caller to fill in.
  WarpAccess& open() {
    WarpAccess& access = warpAccess(pool_.acquire());
    access.begin(sequence_++);
    return access;
  }
  /// Sends the access in cycle `at`; if SystemC's time is earlier, annotates the delay. The access
  /// may be over on return, but it stays valid until forget().
  void send(WarpAccess& access, Cycle at) {
    access.beginTry(at);
    ++access.tries;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.time(at) - sc_core::sc_time_stamp();
    const auto status = out->nb_transport_fw(*access.payload, phase, delay);
    if (status == tlm::TLM_COMPLETED) over_[&access] = clock_.now() + clock_.cycles(delay);
  }
  static constexpr Cycle kOpen = kNever;
  /// Returns the cycle at which the data arrived; kOpen if they have not.
  Cycle over(const WarpAccess& access) const {
    const auto found = over_.find(&access);
    return found == over_.end() ? kOpen : found->second;
  }
  void forget(WarpAccess& access) {
    over_.erase(&access);
    access.payload->release();
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    over_[&warpAccess(payload)] = clock_.cycles(sc_core::sc_time_stamp() + delay);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Clock clock_;
  PayloadPool pool_;
  std::uint64_t sequence_ = 1;
  std::map<const WarpAccess*, Cycle> over_;
};

/// The executor's memory: fills in the data that an access finds and leaves.
class Truth {
 public:
  /// `words`: size of the memory, all 0 at first.
  explicit Truth(std::uint32_t words) : bytes_(std::size_t{4} * words) {}

  void act(WarpInstruction& instruction, std::mt19937& random) {
    instruction.hasData = true;
    for (LaneMask m = instruction.active; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      for (unsigned b = 0; b < instruction.bytesPerLane; ++b) {
        std::uint8_t& byte = bytes_.at(instruction.address[lane] + b);
        instruction.before[lane][b] = byte;
        if (instruction.operation != MemoryOperation::Load)
          byte = static_cast<std::uint8_t>(random());
        instruction.data[lane][b] = byte;
      }
    }
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Sets words, banks and rows like the address generation unit, for `banks` banks.
inline void locate(WarpAccess& access, std::uint32_t banks) {
  access.banks = banks;
  access.windowBase = 0;
  access.wordsPerLane = std::max(1U, access.instruction.bytesPerLane / 4U);
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const auto word = static_cast<std::uint32_t>(access.instruction.address[i] / 4 + k);
      access.word[k][i] = word;
      access.bank[k][i] = word % banks;
      access.row[k][i] = word / banks;
    }
  }
}

}  // namespace fermata::rtl::test
