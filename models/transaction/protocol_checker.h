// A socket interposer that checks the protocol between two modules. Put one between any two, in
// tests or while a module of your own is new.
#pragma once

#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <cstdint>
#include <map>
#include <systemc>

namespace fermata {

/// Reports violations as SC_REPORT_ERRORs of type "fermata/protocol". Checks:
///   - Phases come in order and in the right direction: with a return, later, or within a call.
///   - BEGIN_REQ is not sent while a request is unacknowledged, nor BEGIN_RESP while a response is
///     not ended.
///   - A payload is not in flight twice, and has a memory manager and a reference.
///   - A completed transaction has a response status.
///   - Annotated delays do not shrink below what the caller gave.
///   - Warp protocol: there is a WarpAccess that asks for a lane; lanes left were asked for here; a
///     response leaves none of them.
///
/// `Types`: WarpProtocol, or tlm::tlm_base_protocol_types.
template <class Types>
class BasicProtocolChecker : public sc_core::sc_module,
                             public tlm::tlm_fw_transport_if<Types>,
                             public tlm::tlm_bw_transport_if<Types> {
 public:
  tlm::tlm_target_socket<32, Types> in;
  tlm::tlm_initiator_socket<32, Types> out;

  explicit BasicProtocolChecker(const sc_core::sc_module_name& name);

  std::uint64_t started() const { return started_; }
  std::uint64_t completed() const { return completed_; }
  std::size_t inFlight() const { return state_.size(); }

 private:
  enum class Step { Requested, Accepted, Told, Responding };
  struct State {
    Step step = Step::Requested;
    LaneMask asked = 0;
    LaneMask leftBefore = 0;  ///< lanes that a stage upstream of the checker left
  };
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void b_transport(Payload&, sc_core::sc_time&) override;
  unsigned transport_dbg(Payload& payload) override { return out->transport_dbg(payload); }
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
    return out->get_direct_mem_ptr(payload, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    in->invalidate_direct_mem_ptr(start, end);
  }

  static constexpr bool warps();
  State checkedStart(Payload& payload) const;
  static LaneMask leftHere(const Payload& payload, const State& state);
  void begin(Payload& payload);
  void returned(Payload& payload, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase);
  void advance(Payload& payload, const tlm::tlm_phase& phase);
  void told(Payload& payload, State& state);
  void respond(Payload& payload, State& state);
  void requireStatus(const Payload& payload) const;
  void complete(Payload& payload, const State& state);
  void end(Payload& payload);
  void require(bool holds, const char* what) const;

  std::map<Payload*, State> state_;
  Payload* unacknowledged_ = nullptr;
  Payload* responding_ = nullptr;  ///< payload whose response has not been ended
  std::uint64_t started_ = 0;
  std::uint64_t completed_ = 0;
};

using ProtocolChecker = BasicProtocolChecker<WarpProtocol>;
using LineProtocolChecker = BasicProtocolChecker<tlm::tlm_base_protocol_types>;

extern template class BasicProtocolChecker<WarpProtocol>;
extern template class BasicProtocolChecker<tlm::tlm_base_protocol_types>;

}  // namespace fermata
