// A memory written to the TLM-2.0 standard alone (IEEE 1666-2011, 15.2), as a user would bring it:
// includes nothing of Fermata. Strictly four phases, back-pressure, responses out of order.
#pragma once

#include <systemc>
#include <tlm>

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <vector>

namespace foreign {

/// Lenient: a response may end early. Strict: only END_RESP on the forward path ends a response,
/// and byte enables are an error, as in arbiters of DRAM models.
enum class Kind { Lenient, Strict };

/// Answers BEGIN_REQ and END_RESP with TLM_ACCEPTED or completion, nothing on the return path.
/// END_REQ and BEGIN_RESP come on the backward path; END_RESP is waited for. The treatment of a
/// request depends on its address alone.
class Memory : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(Memory);
  tlm::tlm_target_socket<> socket;

  explicit Memory(const sc_core::sc_module_name& name, Kind kind = Kind::Lenient)
      : sc_module(name), socket("socket"), kind_(kind), period_(1, sc_core::SC_NS) {
    SC_METHOD(takeRequest);
    sensitive << arrival_;
    dont_initialize();
    SC_METHOD(endRequest);
    sensitive << acceptance_;
    dont_initialize();
    SC_METHOD(respond);
    sensitive << response_;
    dont_initialize();
    SC_METHOD(endResponse);
    sensitive << ended_;
    dont_initialize();
    socket.bind(*this);
  }
  /// Return the requests with withheld END_REQ, and those that a younger request's response
  /// overtook.
  unsigned withheld() const { return withheld_; }
  unsigned overtaken() const { return overtaken_; }
  /// Number of requests so far, and their bytes.
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
  };
  Count reads() const { return reads_; }
  Count writes() const { return writes_; }
  /// Returns the number of responses that have not ended.
  unsigned open() const { return open_; }
  /// Fails every request from now on.
  void fail() { fails_ = true; }

 private:
  struct Response {
    sc_core::sc_time at;
    std::uint64_t number;
    tlm::tlm_generic_payload* payload;
    bool operator<(const Response& other) const {  // a priority queue gives the greatest
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ && request_ == nullptr) {
      payload.acquire();
      ++open_;
      Count& count = payload.is_read() ? reads_ : writes_;
      ++count.requests;
      count.bytes += payload.get_data_length();
      request_ = &payload;
      arrival_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP && responding_ == &payload) {
      --open_;
      payload.release();
      ended_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR("foreign", "a phase out of order");
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    execute(payload);
    delay += cycles(60);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) move(payload, i);
    return payload.get_data_length();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

  void takeRequest() {
    const std::uint64_t block = request_->get_address() / 128;
    const bool withholds = block % 5 == 3;
    if (withholds) ++withheld_;
    acceptance_.notify(cycles(withholds ? 90 : 1));
  }
  void endRequest() {
    tlm::tlm_generic_payload& payload = *request_;
    request_ = nullptr;
    execute(payload);
    // 40 to 137 cycles: many later requests are answered sooner.
    const std::uint64_t late = payload.get_address() / 128 * 37 % 98;
    responses_.push({sc_core::sc_time_stamp() + cycles(40 + late), number_++, &payload});
    awaitResponse();
    backward(payload, tlm::END_REQ);
  }
  void respond() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    while (responding_ == nullptr && !responses_.empty() && responses_.top().at <= now) {
      const Response next = responses_.top();
      responses_.pop();
      if (next.number < latest_) ++overtaken_;
      latest_ = std::max(latest_, next.number);
      responding_ = next.payload;
      if (!backward(*next.payload, tlm::BEGIN_RESP) || kind_ == Kind::Strict) continue;
      --open_;
      responding_->release();
      responding_ = nullptr;
    }
    awaitResponse();
  }
  void awaitResponse() {
    // An unfinished response goes on at its END_RESP.
    if (responding_ != nullptr || responses_.empty()) return;
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    response_.notify(std::max(responses_.top().at, now) - now);
  }
  void endResponse() {
    responding_ = nullptr;
    respond();
  }
  /// Sends a phase on the backward path. Returns true if the transaction is over.
  bool backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    return status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  }

  void execute(tlm::tlm_generic_payload& payload) {
    const std::uint8_t* enable = payload.get_byte_enable_ptr();
    if (fails_) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (enable != nullptr && kind_ == Kind::Strict) {
      return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
      return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
    if (payload.get_streaming_width() < payload.get_data_length()) {
      return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    }
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      const bool on =
          enable == nullptr || enable[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
      if (on) move(payload, i);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void move(tlm::tlm_generic_payload& payload, unsigned i) {
    std::uint8_t& kept = bytes_[payload.get_address() + i];
    std::uint8_t& theirs = payload.get_data_ptr()[i];
    if (payload.is_read()) theirs = kept;
    if (payload.is_write()) kept = theirs;
  }
  sc_core::sc_time cycles(std::uint64_t count) const {
    return period_ * static_cast<double>(count);
  }

  Kind kind_;
  sc_core::sc_time period_;
  std::map<std::uint64_t, std::uint8_t> bytes_;
  tlm::tlm_generic_payload* request_ = nullptr;  ///< request whose END_REQ is still to come
  tlm::tlm_generic_payload* responding_ = nullptr;
  std::priority_queue<Response> responses_;
  sc_core::sc_event arrival_, acceptance_, response_, ended_;
  std::uint64_t number_ = 0;
  std::uint64_t latest_ = 0;
  unsigned withheld_ = 0;
  unsigned overtaken_ = 0;
  Count reads_;
  Count writes_;
  unsigned open_ = 0;
  bool fails_ = false;
};

}  // namespace foreign
