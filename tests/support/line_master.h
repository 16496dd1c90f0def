// An initiator of the base protocol that sends requests in their order and records the answers. It
// sends each as soon as the previous one was acknowledged, but not before its time.
#pragma once

#include <fermata/models/transaction/protocol_checker.h>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace fermata::test {

struct LineRequest {
  sc_core::sc_time at;
  sc_core::sc_time lead;  ///< sent that much before `at`, with the rest annotated
  bool write = false;
  std::uint64_t address = 0;
  /// Data to write or data read; its size is the length.
  std::vector<std::uint8_t> data;
  std::vector<std::uint8_t> enabled;  ///< byte enables; empty: no pointer

  // Results.
  sc_core::sc_time sent;
  sc_core::sc_time accepted;
  sc_core::sc_time answered;
  unsigned answers = 0;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
};

class LineMaster : public sc_core::sc_module,
                   public tlm::tlm_bw_transport_if<>,
                   public tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(LineMaster);
  tlm::tlm_initiator_socket<> out;
  std::deque<LineRequest> requests;
  std::vector<std::size_t> order;  ///< indices of requests, in the order of their answers
  /// Called before a request is sent.
  std::function<void(LineRequest&)> sending = [](LineRequest&) {};

  explicit LineMaster(const sc_core::sc_module_name& name) : sc_module(name), out("out") {
    SC_METHOD(send);
    sensitive << next_;
    out.bind(*this);
  }
  LineRequest& add(const sc_core::sc_time& at, bool write, std::uint64_t address, unsigned length) {
    LineRequest request;
    request.at = at;
    request.write = write;
    request.address = address;
    request.data.resize(length);
    requests.push_back(std::move(request));
    return requests.back();
  }
  void free(tlm::tlm_generic_payload* payload) override { payload->set_address(~0ULL); }

 private:
  struct Sent {
    explicit Sent(tlm::tlm_mm_interface* memory) : payload(memory) {}
    tlm::tlm_generic_payload payload;
  };

  void send() {
    while (!waits_ && payloads_.size() < requests.size()) {
      LineRequest& request = requests[payloads_.size()];
      const sc_core::sc_time now = sc_core::sc_time_stamp();
      const sc_core::sc_time call = request.at - request.lead;
      if (call > now) return next_.notify(call - now);
      sending(request);
      begin(request);
    }
  }
  void begin(LineRequest& request) {
    payloads_.push_back(std::make_unique<Sent>(this));
    tlm::tlm_generic_payload& payload = payloads_.back()->payload;
    payload.acquire();
    payload.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(request.address);
    payload.set_data_ptr(request.data.data());
    payload.set_data_length(static_cast<unsigned>(request.data.size()));
    payload.set_streaming_width(static_cast<unsigned>(request.data.size()));
    payload.set_byte_enable_ptr(request.enabled.empty() ? nullptr : request.enabled.data());
    payload.set_byte_enable_length(static_cast<unsigned>(request.enabled.size()));
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = request.lead;
    request.sent = sc_core::sc_time_stamp();
    waits_ = true;
    const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
    if (status != tlm::TLM_ACCEPTED) SC_REPORT_FATAL("fermata/test", "answers at the call");
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    std::size_t index = payloads_.size() - 1;
    while (&payloads_[index]->payload != &payload) --index;
    LineRequest& request = requests[index];
    const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
    if (index + 1 == payloads_.size() && waits_) {
      waits_ = false;
      request.accepted = at;
      next_.notify(delay);
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    request.answered = at;
    ++request.answers;
    request.status = payload.get_response_status();
    order.push_back(index);
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  sc_core::sc_event next_;
  std::vector<std::unique_ptr<Sent>> payloads_;
  bool waits_ = false;
};

}  // namespace fermata::test
