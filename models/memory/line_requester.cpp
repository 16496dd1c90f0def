#include <fermata/models/memory/line_requester.h>
#include <fermata/models/transaction/warp_access.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace fermata {

namespace {

std::string failureText(const tlm::tlm_generic_payload& line, Cycle now) {
  const LineRequest& request = LineRequester::of(line);
  std::ostringstream text;
  text << "a request failed: " << line.get_response_string() << " in cycle " << now << ", a "
       << (line.is_read() ? "read" : "write") << " of " << line.get_data_length()
       << " bytes at address 0x" << std::hex << request.address << std::dec << " (line "
       << request.line << "), for pc " << request.pc << " of program " << request.program;
  return text.str();
}

}  // namespace

LineRequester::LineRequester(const sc_core::sc_module_name& name, const Clock& clock,
                             Client& client, std::uint32_t lineBytes, unsigned queue, Cycle period,
                             Turn turn, ResponseEnd end)
    : sc_module(name),
      out("out"),
      clock_(clock),
      client_(client),
      lineBytes_(lineBytes),
      queue_(queue),
      period_(period),
      fourPhase_(end == ResponseEnd::FourPhase),
      due_(turn, [this] { act(); }) {
  out.bind(*this);
}

void LineRequester::grow() {
  auto line = std::make_unique<Line>(this);
  line->data.resize(lineBytes_);
  line->enabled.resize(lineBytes_);
  line->set_data_ptr(line->data.data());
  idle_.push_back(line.get());
  lines_.push_back(std::move(line));
}

LineRequester::Payload& LineRequester::open(tlm::tlm_command command, std::uint64_t address,
                                            std::uint32_t bytes) {
  if (idle_.empty()) grow();
  Line& line = *idle_.back();
  idle_.pop_back();
  line.acquire();
  static_cast<LineRequest&>(line.request) = LineRequest{};
  line.request.address = address;
  line.set_command(command);
  line.set_address(address);
  line.set_data_length(bytes);
  line.set_streaming_width(bytes);
  line.set_dmi_allowed(false);
  line.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  static const unsigned char none = TLM_BYTE_DISABLED;
  const bool read = command == tlm::TLM_READ_COMMAND;
  line.set_byte_enable_ptr(read ? nullptr : const_cast<unsigned char*>(&none));
  line.set_byte_enable_length(read ? 0 : 1);
  return line;
}

void LineRequester::enable(Payload& line, std::uint32_t at, std::uint8_t value) {
  if (line.get_byte_enable_length() == 1) {
    std::vector<std::uint8_t>& enabled = static_cast<Line&>(line).enabled;
    std::fill(enabled.begin(), enabled.end(), std::uint8_t{TLM_BYTE_DISABLED});
    line.set_byte_enable_ptr(enabled.data());
    line.set_byte_enable_length(line.get_data_length());
  }
  line.get_byte_enable_ptr()[at] = TLM_BYTE_ENABLED;
  line.get_data_ptr()[at] = value;
}

void LineRequester::enableAll(Payload& line) {
  line.set_byte_enable_ptr(nullptr);
  line.set_byte_enable_length(0);
}

void LineRequester::addBanks(unsigned banks, unsigned depth) {
  banks_.resize(banks);
  bankDepth_ = depth;
  handsOn_ = std::make_unique<Alarm>(Turn::L1, [this] { handOn(); });
}

bool LineRequester::bankRoom() const {
  return std::all_of(banks_.begin(), banks_.end(),
                     [this](const Ring<Waiting>& bank) { return bank.size() < bankDepth_; });
}

void LineRequester::send(Payload& line, Cycle at, Way way) {
  ++open_;
  if (!banks_.empty() && way == Way::Banks) {
    banks_[of(line).address / kSectorBytes % banks_.size()].push({&line, at});
    return planHandOn();
  }
  if (unacknowledged_ != nullptr || !waiting_.empty()) {
    waiting_.push({&line, at});
    if (!banks_.empty()) planHandOn();
    return;
  }
  sendNow(line, at);
}

void LineRequester::sendNow(Payload& line, Cycle at) {
  const sc_core::sc_time now = clock_.stamp();
  const Cycle leaves = std::max({at, next_, clock_.cycles(now)});
  next_ = leaves + period_;
  unacknowledged_ = &line;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time(leaves) - now;
  line.acquire();  // the call may answer the line and release it
  const bool outer = std::exchange(sending_, true);
  const tlm::tlm_sync_enum status = out->nb_transport_fw(line, phase, delay);
  sending_ = outer;
  const bool response = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  of(line).owesEnd = status != tlm::TLM_COMPLETED && (of(line).owesEnd || (response && fourPhase_));
  if (status == tlm::TLM_COMPLETED || response) {
    acknowledged(line, clock_.time(leaves));
    answerAt(line, now + delay);
  } else if (status == tlm::TLM_UPDATED) {
    acknowledged(line, now + delay);
  }
  if (response && !fourPhase_) {
    phase = tlm::END_RESP;
    out->nb_transport_fw(line, phase, delay);
  }
  line.release();
}

tlm::tlm_sync_enum LineRequester::nb_transport_bw(Payload& line, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  const sc_core::sc_time now = clock_.stamp();
  const bool response = phase == tlm::BEGIN_RESP;
  if (!response && phase != tlm::END_REQ) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only END_REQ and BEGIN_RESP may come on the backward path");
    return tlm::TLM_ACCEPTED;
  }
  acknowledged(line, response ? now : now + delay);
  if (response) {
    of(line).owesEnd = fourPhase_;
    answerAt(line, now + delay);
  }
  if (!sending_) {
    const Cycle cycle = clock_.cycles(now);
    if (sendWaiting()) client_.roomFreed(cycle);
  }
  return response && !fourPhase_ ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

/// Does the work of a cycle where there are banks.
void LineRequester::handOn() {
  const Cycle now = clock_.now();
  nextHandOn_ = now + 1;
  bool freed = false;
  for (Ring<Waiting>& bank : banks_) {
    if (bank.empty() || bank.front().at > now || waiting_.size() >= queue_) continue;
    waiting_.push(bank.pop());
    freed = true;
  }
  if (!waiting_.empty() && unacknowledged_ == nullptr &&
      std::max(next_, waiting_.front().at) <= now)
    sendNow(*waiting_.pop().line, now);
  planHandOn();
  if (freed) client_.roomFreed(now);
}

void LineRequester::planHandOn() {
  const Cycle now = clock_.cycles(clock_.stamp());
  const bool full = waiting_.size() >= queue_;
  Cycle next = kNever;
  if (!waiting_.empty() && unacknowledged_ == nullptr)
    next = std::max({now, next_, waiting_.front().at});
  for (const Ring<Waiting>& bank : banks_) {
    if (!bank.empty() && !full) next = std::min(next, std::max(now, bank.front().at));
  }
  if (next != kNever) handsOn_->set(clock_.time(std::max(next, nextHandOn_)));
}

/// Sends waiting requests as long as `out` takes them. False: sent none.
bool LineRequester::sendWaiting() {
  if (!banks_.empty()) {
    planHandOn();
    return false;
  }
  bool sent = false;
  while (unacknowledged_ == nullptr && !waiting_.empty()) {
    const Waiting next = waiting_.pop();
    sendNow(*next.line, next.at);
    sent = true;
  }
  return sent;
}

void LineRequester::acknowledged(Payload& line, const sc_core::sc_time& at) {
  if (unacknowledged_ != &line) return;
  unacknowledged_ = nullptr;
  next_ = std::max(next_, clock_.cycles(at));
}

// Plans to tell the client at time `at`, never from within a call to `out`. The target may answer
// twice, by BEGIN_RESP within the call and by TLM_COMPLETED: the first counts.
void LineRequester::answerAt(Payload& line, const sc_core::sc_time& at) {
  if (std::exchange(of(line).answered, true)) return;
  if (!sending_ && !fourPhase_ && at == clock_.stamp()) return tell(line);
  answers_.add(at, &line);
  due_.set(at);
}

void LineRequester::tell(Payload& line) {
  const Cycle now = clock_.now();
  if (!line.is_response_ok()) SC_REPORT_ERROR("fermata/memory", failureText(line, now).c_str());
  if (of(line).owesEnd) endResponse(line);
  line.set_address(of(line).address);
  --open_;
  client_.answered(line, now);
  line.release();
}

/// Sends END_RESP. The memory may respond to the next request from within this call: `sending_`
/// keeps that answer from being told at once.
void LineRequester::endResponse(Payload& line) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const bool outer = std::exchange(sending_, true);
  out->nb_transport_fw(line, phase, delay);
  sending_ = outer;
}

void LineRequester::act() {
  while (!answers_.empty() && answers_.next() <= clock_.stamp()) {
    Payload& line = *answers_.take();
    if (!answers_.empty()) prefetchLine(answers_.front());
    tell(line);
  }
  sendWaiting();  // requests that queued up behind one that was answered at its call
  client_.roomFreed(clock_.now());
  if (!answers_.empty()) due_.set(answers_.next());
}

}  // namespace fermata
