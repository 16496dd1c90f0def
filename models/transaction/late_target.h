// A module that ends a path and answers later: the base of models of foreign memories and of RTL
// adapters. The base keeps the phases in order; a derived class decides when they come.
#pragma once

#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/calendar.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_protocol.h>

namespace fermata {

/// `Types`: WarpProtocol, or the base protocol's tlm::tlm_base_protocol_types. An alarm (agenda.h)
/// gives each answer at the time at which it is due. Answers due at one time come in the order in
/// which they were asked for. One response at a time waits for its END_RESP (IEEE 1666-2011,
/// 15.2.6.5); later responses queue behind it.
template <class Types>
class LateTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<Types> {
 public:
  tlm::tlm_target_socket<32, Types> in;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ) {
      keep(payload);
      plan(payload, phase, delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP && &payload == responding_) {
      endResponse();
      return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR("fermata/protocol",
                    "only BEGIN_REQ, and END_RESP of a response, may come on the forward path");
    return tlm::TLM_ACCEPTED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

 protected:
  explicit LateTarget(const sc_core::sc_module_name& name, Turn turn = Turn::Memory)
      : sc_module(name), in("in"), due_(turn, [this] { actDue(); }) {
    in.bind(*this);
  }

  /// Returns the current time of the module.
  const sc_core::sc_time& stamp() const { return due_.stamp(); }
  /// Called when a request takes effect. The derived class must acknowledge or answer the request
  /// by the calls below, now or later.
  virtual void requested(tlm::tlm_generic_payload& payload) = 0;

  /// Keeps the payload until its last answer has been given. Called for every request, except those
  /// that an override of nb_transport_fw takes itself.
  void keep(tlm::tlm_generic_payload& payload) { payload.acquire(); }
  /// Sends END_REQ after `delay`: the initiator may send the next request.
  void acknowledge(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    plan(payload, tlm::END_REQ, delay);
  }
  /// Sends BEGIN_RESP after `delay`. Precondition: the response status has been set.
  void respond(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    plan(payload, tlm::BEGIN_RESP, delay);
  }
  /// Sends TRY_OUTCOME after `delay` (warp protocol). Precondition: WarpAccess::outcome has been
  /// set. With a lane left this is the last answer to the request; without, respond() must follow.
  void tell(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    plan(payload, TRY_OUTCOME, delay);
  }

 private:
  struct Act {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm::tlm_phase phase;
  };

  void plan(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
            const sc_core::sc_time& delay) {
    const sc_core::sc_time at = due_.stamp() + delay;
    if (delay == sc_core::SC_ZERO_TIME) {
      actsOfNow_.push(Act{&payload, phase});
    } else {
      acts_.add(at, Act{&payload, phase});
    }
    if (!acting_) due_.set(at);
  }
  void actDue() {
    const sc_core::sc_time now = due_.stamp();
    acting_ = true;  // plan() sets no alarm: acts that become due meanwhile are done below
    for (;;) {
      // Acts of the calendar were planned in an earlier instant, so they go first.
      if (acts_.isDue(now)) {
        const Act next = acts_.take();
        if (!acts_.empty()) prefetchLine(acts_.front().payload);
        act(next);
      } else if (!actsOfNow_.empty()) {
        act(actsOfNow_.pop());
      } else {
        break;
      }
    }
    acting_ = false;
    if (!acts_.empty()) due_.set(acts_.next());
  }
  void act(const Act& next) {
    if (next.phase == tlm::BEGIN_REQ) {
      requested(*next.payload);
    } else if (next.phase == tlm::BEGIN_RESP && responding_ != nullptr) {
      waiting_.push(next.payload);
    } else {
      answer(*next.payload, next.phase);
    }
  }
  void answer(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    const bool response = phase == tlm::BEGIN_RESP;
    const bool ends = response || (phase == TRY_OUTCOME && leavesLanes(payload));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (response) responding_ = &payload;
    const tlm::tlm_sync_enum status = in->nb_transport_bw(payload, phase, delay);
    if (!ends) return;
    if (!response) return payload.release();
    const bool ended =
        status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (ended && responding_ == &payload) endResponse();
  }
  void endResponse() {
    responding_->release();
    responding_ = nullptr;
    if (waiting_.empty()) return;
    plan(*waiting_.pop(), tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
  }
  static bool leavesLanes(const tlm::tlm_generic_payload& payload) {
    const WarpAccess* access = payload.get_extension<WarpAccess>();
    return access != nullptr && access->outcome.lanesLeft() != 0;
  }

  Calendar<Act> acts_;
  Ring<Act> actsOfNow_;  ///< acts planned in the instant in which they are due
  bool acting_ = false;
  Alarm due_;
  tlm::tlm_generic_payload* responding_ = nullptr;
  Ring<tlm::tlm_generic_payload*> waiting_;
};

using LateWarpTarget = LateTarget<WarpProtocol>;
using LateLineTarget = LateTarget<tlm::tlm_base_protocol_types>;

}  // namespace fermata
