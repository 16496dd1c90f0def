// A socket interposer that checks the protocol of warp_protocol.h on the edge it stands on: put one
// between any two modules, in tests or while a module of your own is new.
#pragma once

#include <cstdint>
#include <map>
#include <systemc>

#include <fermata/models/transaction/warp_protocol.h>

namespace fermata {

/// Violations are SC_REPORT_ERRORs of type "fermata/protocol". Checked: phases come in order and in
/// the right direction; BEGIN_REQ is not sent while a request is unacknowledged; a payload is not
/// in flight twice; it has a memory manager, a reference and a WarpAccess; a completed transaction
/// has a response status; annotated delays do not shrink below what the caller gave.
class ProtocolChecker : public sc_core::sc_module, public WarpForward, public WarpBackward {
 public:
  WarpTargetSocket in;
  WarpInitiatorSocket out;

  explicit ProtocolChecker(const sc_core::sc_module_name& name);

  std::uint64_t started() const { return started_; }
  std::uint64_t completed() const { return completed_; }
  std::size_t inFlight() const { return state_.size(); }

 private:
  enum class State { Requested, Accepted, Responding };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override;
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    return out->transport_dbg(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    return out->get_direct_mem_ptr(payload, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    in->invalidate_direct_mem_ptr(start, end);
  }

  void begin(tlm::tlm_generic_payload& payload);
  void checkStart(tlm::tlm_generic_payload& payload);
  void outcome(tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status,
               const tlm::tlm_phase& phase);
  void advance(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void complete(tlm::tlm_generic_payload& payload);
  void require(bool holds, const char* what) const;

  std::map<tlm::tlm_generic_payload*, State> state_;
  tlm::tlm_generic_payload* unacknowledged_ = nullptr;
  std::uint64_t started_ = 0;
  std::uint64_t completed_ = 0;
};

}  // namespace fermata
