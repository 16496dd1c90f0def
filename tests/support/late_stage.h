// Delays answers given at the call: END_REQ acknowledges the request when the path takes the next
// one, BEGIN_RESP follows when the data have arrived.
#pragma once

#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_protocol.h>

#include "tests/support/open_edge.h"

namespace fermata::test {

class LateStage : public WarpEdge {
 public:
  SC_HAS_PROCESS(LateStage);

  /// `extraDelta`: answers come a delta cycle after the time at which they are due.
  LateStage(const sc_core::sc_module_name& name, const Clock& clock, bool extraDelta)
      : WarpEdge(name), clock_(clock), extraDelta_(extraDelta) {
    SC_METHOD(answer);
    sensitive << due_ << again_;
    dont_initialize();
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase != tlm::BEGIN_REQ) {
      endResponse();
      return tlm::TLM_COMPLETED;
    }
    sc_core::sc_time latency = delay;
    out->nb_transport_fw(payload, phase, latency);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    payload.acquire();
    const sc_core::sc_time taken = delay + clock_.time(warpAccess(payload).occupancy);
    if (taken < latency) answers_.emplace(now + taken, Answer{&payload, tlm::END_REQ});
    answers_.emplace(now + latency, Answer{&payload, tlm::BEGIN_RESP});
    due_.notify(answers_.begin()->first - now);
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }

 private:
  struct Answer {
    tlm::tlm_generic_payload* payload;
    tlm::tlm_phase phase;
  };

  void answer() {
    if (extraDelta_ && !again_.triggered()) return again_.notify(sc_core::SC_ZERO_TIME);
    while (!answers_.empty() && answers_.begin()->first <= sc_core::sc_time_stamp()) {
      Answer next = answers_.begin()->second;
      answers_.erase(answers_.begin());
      if (next.phase == tlm::BEGIN_RESP) {
        responses_.push_back(next.payload);
        if (responses_.size() == 1) respond();
        continue;
      }
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      in->nb_transport_bw(*next.payload, next.phase, delay);
    }
    if (!answers_.empty()) due_.notify(answers_.begin()->first - sc_core::sc_time_stamp());
  }

  // Sends one response; the next waits for its END_RESP.
  void respond() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = in->nb_transport_bw(*responses_.front(), phase, delay);
    if (status == tlm::TLM_COMPLETED || phase == tlm::END_RESP) endResponse();
  }
  void endResponse() {
    responses_.front()->release();
    responses_.pop_front();
    if (!responses_.empty()) respond();
  }

  Clock clock_;
  bool extraDelta_;
  std::multimap<sc_core::sc_time, Answer> answers_;
  std::deque<tlm::tlm_generic_payload*> responses_;  ///< the first has begun
  sc_core::sc_event due_;
  sc_core::sc_event again_;
};

}  // namespace fermata::test
