#include <fermata/models/memory/line_merge.h>

#include <algorithm>
#include <string>

namespace fermata {

class LineMerge::Input : public sc_core::sc_module,
                         public tlm::tlm_fw_transport_if<tlm::tlm_base_protocol_types> {
 public:
  Input(const sc_core::sc_module_name& name, LineMerge& merge, unsigned number)
      : sc_module(name), in("in"), merge_(merge), number_(number) {
    in.bind(*this);
  }
  LineTargetSocket in;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return merge_.forward(number_, payload, phase, delay);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    merge_.out->b_transport(payload, delay);
  }
  unsigned transport_dbg(Payload& payload) override { return merge_.out->transport_dbg(payload); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }

  LineMerge& merge_;
  unsigned number_;
};

LineMerge::LineMerge(const sc_core::sc_module_name& name, unsigned inputs)
    : sc_module(name), out("out") {
  out.bind(*this);
  for (unsigned i = 0; i < inputs; ++i)
    inputs_.push_back(std::make_unique<Input>(("input" + std::to_string(i)).c_str(), *this, i));
}

LineMerge::~LineMerge() = default;

LineTargetSocket& LineMerge::in(unsigned input) {
  return inputs_.at(input)->in;
}

tlm::tlm_sync_enum LineMerge::forward(unsigned input, Payload& payload, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    const auto found = underWay_.find(&payload);
    const bool ended = found == underWay_.end() || found->second.ended;
    if (found != underWay_.end()) underWay_.erase(found);
    return ended ? tlm::TLM_COMPLETED : out->nb_transport_fw(payload, phase, delay);
  }
  if (phase != tlm::BEGIN_REQ) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only BEGIN_REQ, and END_RESP of a response, may come on the forward path");
    return tlm::TLM_ACCEPTED;
  }
  underWay_[&payload] = {inputs_[input].get(), ++requests_, false, false};
  waiting_.push_back({due_.stamp() + delay, input, &payload});
  std::push_heap(waiting_.begin(), waiting_.end(),
                 [](const Request& a, const Request& b) { return a.isAfter(b); });
  due_.set(waiting_.front().at);
  return tlm::TLM_ACCEPTED;
}

void LineMerge::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (unacknowledged_ == nullptr && !waiting_.empty()) {
    const Request first = waiting_.front();
    if (first.at > due_.stamp()) {
      due_.set(first.at);
      break;
    }
    std::pop_heap(waiting_.begin(), waiting_.end(),
                  [](const Request& a, const Request& b) { return a.isAfter(b); });
    waiting_.pop_back();
    send(first);
  }
  pumping_ = false;
}

void LineMerge::send(const Request& request) {
  Payload& payload = *request.payload;
  const sc_core::sc_time now = due_.stamp();
  unacknowledged_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max(next_, now) - now;
  next_ = now + delay;
  const std::uint64_t number = underWay_.at(&payload).number;
  const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  acknowledged(payload);
  UnderWay* const current = find(payload, number);
  if (current == nullptr) return;  // answered within the call
  if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    next_ = std::max(next_, now + delay);
    current->input->in->nb_transport_bw(payload, phase, delay);
    return;
  }
  const bool completed = status == tlm::TLM_COMPLETED;
  current->ended = completed;
  if (!respond(payload, delay) || completed) return;
  phase = tlm::END_RESP;
  delay = sc_core::SC_ZERO_TIME;
  out->nb_transport_fw(payload, phase, delay);
}

/// Sends BEGIN_RESP to the slice. True: the slice has ended the response. A memory may answer
/// twice, by BEGIN_RESP within the call and by TLM_COMPLETED: the first counts.
bool LineMerge::respond(Payload& payload, sc_core::sc_time delay) {
  const auto found = underWay_.find(&payload);
  if (found == underWay_.end() || found->second.responded) return false;
  found->second.responded = true;
  const std::uint64_t number = found->second.number;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  const tlm::tlm_sync_enum status = found->second.input->in->nb_transport_bw(payload, phase, delay);
  const bool ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (ended && find(payload, number) != nullptr) underWay_.erase(&payload);
  return ended;
}

LineMerge::UnderWay* LineMerge::find(const Payload& payload, std::uint64_t number) {
  const auto found = underWay_.find(&payload);
  return found != underWay_.end() && found->second.number == number ? &found->second : nullptr;
}

tlm::tlm_sync_enum LineMerge::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only END_REQ and BEGIN_RESP may come on the backward path");
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum status = tlm::TLM_ACCEPTED;
  acknowledged(payload);
  if (phase == tlm::END_REQ) {
    next_ = std::max(next_, due_.stamp() + delay);
    const auto found = underWay_.find(&payload);
    if (found != underWay_.end()) found->second.input->in->nb_transport_bw(payload, phase, delay);
  } else if (respond(payload, delay)) {
    status = tlm::TLM_COMPLETED;
  }
  pump();
  return status;
}

void LineMerge::acknowledged(const Payload& payload) {
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
}

}  // namespace fermata
