#include <fermata/models/conformance/driver.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace fermata::conformance {

namespace {

constexpr unsigned kMostTries = 1000;
constexpr Cycle kEndLater = 5;
constexpr unsigned kSlots = 8;

}  // namespace

template <class Types>
Driver<Types>::Driver(const sc_core::sc_module_name& name, const Options& options, Log& log)
    : sc_module(name), out("out"), options_(options), log_(log) {
  SC_METHOD(act);
  sensitive << wake_;
  dont_initialize();
  out.bind(*this);
}

template <class Types>
constexpr bool Driver<Types>::warps() {
  return std::is_same_v<Types, WarpProtocol>;
}

template <class Types>
std::string Driver<Types>::name(const Transaction& transaction) const {
  return "access " + std::to_string(transaction.index);
}

template <class Types>
void Driver<Types>::start(const Stream& stream, const sc_core::sc_time& start, Ending ending,
                          bool ahead) {
  start_ = free_ = known_ = retry_ = start;
  ending_ = ending;
  ahead_ = ahead;
  finished_ = false;
  stream_.clear();
  times_.assign(stream.size(), sc_core::SC_ZERO_TIME);
  for (std::uint32_t i = 0; i < stream.size(); ++i) open(stream[i], i);
  round_.assign(stream_.begin(), stream_.end());
  wake_.notify(sc_core::SC_ZERO_TIME);
}

template <class Types>
void Driver<Types>::open(const Access& access, std::uint32_t index) {
  auto owned = std::make_unique<Transaction>(&memory_);
  Transaction& t = *owned;
  transactions_.emplace(&t.payload, std::move(owned));
  stream_.push_back(&t);
  t.access = &access;
  t.index = index;
  t.unserved = access.lanes;
  t.payload.acquire();
  t.payload.set_command(access.operation == MemoryOperation::Load ? tlm::TLM_READ_COMMAND
                                                                  : tlm::TLM_WRITE_COMMAND);
  t.payload.set_address(access.address[0]);
  t.data.assign(access.bytes, 0);
  t.payload.set_data_ptr(t.data.data());
  t.payload.set_data_length(access.bytes);
  t.payload.set_streaming_width(access.bytes);
  if (!warps()) return;
  auto* extension = new WarpAccess;  // owned by the payload
  extension->payload = &t.payload;
  extension->sequence = sequence_++;
  extension->slot = index % kSlots;
  WarpInstruction& instruction = extension->instruction;
  instruction.pc = index;
  instruction.active = access.lanes;
  instruction.space = options_.space;
  instruction.operation = access.operation;
  instruction.bytesPerLane = static_cast<std::uint8_t>(access.bytes);
  instruction.address = access.address;
  t.payload.set_extension(extension);
}

template <class Types>
void Driver<Types>::act() {
  endDue();
  sendDue();
  if (!ends_.empty() && !finished_)
    wake_.notify(std::max(ends_.begin()->first, sc_core::sc_time_stamp()) -
                 sc_core::sc_time_stamp());
}

template <class Types>
void Driver<Types>::endDue() {
  while (!ends_.empty() && ends_.begin()->first <= sc_core::sc_time_stamp()) {
    Transaction& t = *ends_.begin()->second;
    ends_.erase(ends_.begin());
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    out->nb_transport_fw(t.payload, phase, delay);
    finish(t);
  }
}

template <class Types>
void Driver<Types>::sendDue() {
  while (!finished_ && unacknowledged_ == nullptr) {
    if (round_.empty()) {
      if (open_ != 0) return;
      // Retries must not depend on when the answers were told.
      const sc_core::sc_time settled = known_ + options_.period;
      if (again_ && settled > sc_core::sc_time_stamp())
        return wake_.notify(settled - sc_core::sc_time_stamp());
      nextRound();
      if (round_.empty()) return;  // finished, or waits for TRY_AGAIN
      continue;
    }
    Transaction& t = *round_.front();
    sc_core::sc_time arrival = std::max(free_, start_ + t.access->at);
    if (t.tries > 0) arrival = std::max(arrival, retry_);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    arrival = std::max(arrival, now);
    const sc_core::sc_time call =
        ahead_ ? std::max(now, arrival - std::min(arrival, t.access->lead)) : arrival;
    if (call > now) return wake_.notify(call - now);
    round_.pop_front();
    send(t, arrival);
  }
}

template <class Types>
void Driver<Types>::nextRound() {
  retry_ = again_ ? std::max(known_, sc_core::sc_time_stamp()) : known_;
  std::array<bool, kSlots> waits{};  // not before an older access of its warp, as in a core
  bool waiting = false;
  for (Transaction* t : stream_) {
    waits[t->index % kSlots] |= t->step == Step::Waiting;
    waiting |= t->step == Step::Waiting;
    if (t->step != Step::Idle || waits[t->index % kSlots]) continue;
    if (t->tries < kMostTries) {
      round_.push_back(t);
      continue;
    }
    log_.add(name(*t) + " still has lanes left after " + std::to_string(kMostTries) + " tries");
    t->step = Step::Done;
  }
  if (!round_.empty() || waiting) return;
  finished_ = true;
  sc_core::sc_pause();
}

template <class Types>
void Driver<Types>::send(Transaction& t, const sc_core::sc_time& arrival) {
  begin(t);
  t.arrival = arrival;
  if (!warps()) free_ = arrival;
  t.step = Step::Sent;
  ++open_;
  sending_ = unacknowledged_ = &t;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  sc_core::sc_time delay = arrival - now;
  const tlm::tlm_sync_enum status = out->nb_transport_fw(t.payload, phase, delay);
  returned(t, status, phase, now + delay);
  sending_ = nullptr;
  if (warps() && unacknowledged_ != &t) {
    const Cycle occupancy = warpAccess(t.payload).occupancy;
    free_ = std::max(free_, arrival + cycles(std::max<Cycle>(1, occupancy)));
  }
}

template <class Types>
void Driver<Types>::begin(Transaction& t) {
  ++t.tries;
  t.again = false;
  t.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (warps()) beginWarp(t);
}

template <class Types>
void Driver<Types>::beginWarp(Transaction& t) {
  WarpAccess& access = warpAccess(t.payload);
  access.tries = t.tries;
  access.unserved = access.asked = t.unserved;
  access.occupancy = 1;
  access.outcome = {};
  const auto lane = static_cast<unsigned>(__builtin_ctz(t.unserved));
  t.payload.set_address(access.instruction.address[lane]);
  if (options_.prepare) options_.prepare(access);
}

template <class Types>
void Driver<Types>::returned(Transaction& t, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                             const sc_core::sc_time& at) {
  if (status == tlm::TLM_ACCEPTED) return;
  if (status == tlm::TLM_COMPLETED) {
    if (t.step == Step::Sent && responded(t, at)) finish(t);
  } else if (phase == tlm::END_REQ) {
    accepted(t, at);
  } else if (warps() && phase == TRY_OUTCOME) {
    told(t, at);
  } else if (phase == tlm::BEGIN_RESP && responded(t, at)) {
    endLater(t, ending_ == Ending::Later ? at + cycles(kEndLater) : sc_core::sc_time_stamp());
  }
}

template <class Types>
tlm::tlm_sync_enum Driver<Types>::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
  Transaction* t = find(payload);
  if (t == nullptr) {
    log_.add("an answer to a payload that the suite did not send");
    return tlm::TLM_COMPLETED;
  }
  if (sending_ == nullptr) wake_.notify(sc_core::SC_ZERO_TIME);
  if (phase == tlm::END_REQ) {
    accepted(*t, at);
  } else if (warps() && phase == TRY_OUTCOME) {
    const bool left = warpAccess(payload).outcome.lanesLeft() != 0;
    told(*t, at);
    return left ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  } else if (warps() && phase == TRY_AGAIN) {
    maySendAgain(*t, at);
  } else if (phase == tlm::BEGIN_RESP) {
    return responded(*t, at) ? endAnswer(*t, phase, at) : tlm::TLM_COMPLETED;
  }
  return tlm::TLM_ACCEPTED;
}

template <class Types>
tlm::tlm_sync_enum Driver<Types>::endAnswer(Transaction& t, tlm::tlm_phase& phase,
                                            const sc_core::sc_time& at) {
  if (ending_ == Ending::Later) {
    endLater(t, at + cycles(kEndLater));
    return tlm::TLM_ACCEPTED;
  }
  finish(t);
  if (ending_ == Ending::Completed) return tlm::TLM_COMPLETED;
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

template <class Types>
void Driver<Types>::endLater(Transaction& t, const sc_core::sc_time& at) {
  ends_.emplace(at, &t);
  if (sending_ == nullptr) wake_.notify(sc_core::SC_ZERO_TIME);
}

template <class Types>
void Driver<Types>::accepted(Transaction& t, const sc_core::sc_time& at) {
  ++progress_;
  if (unacknowledged_ != &t) return;
  notBefore(t, at, "acknowledged");
  unacknowledged_ = nullptr;
  free_ = std::max(free_, at);
}

template <class Types>
void Driver<Types>::told(Transaction& t, const sc_core::sc_time& at) {
  const LaneMask left = warpAccess(t.payload).outcome.lanesLeft();
  const Access& access = *t.access;
  if (t.step != Step::Sent) return log_.add(name(t) + " has an outcome but is not under way");
  notBefore(t, at, "told of its outcome");
  if (sending_ == &t) {
    unacknowledged_ = nullptr;  // WarpAccess::occupancy says when the next one may come
  } else {
    accepted(t, at);
  }
  ++progress_;
  known_ = std::max(known_, at);
  if ((left & ~t.unserved) != 0)
    log_.add(name(t) + " leaves lanes that this try was not asked for");
  if (left != 0) toldLeft(t, left & access.lanes, at);
}

template <class Types>
void Driver<Types>::toldLeft(Transaction& t, LaneMask left, const sc_core::sc_time& at) {
  const TryOutcome& outcome = warpAccess(t.payload).outcome;
  if (left != t.unserved) arrives(t, at + cycles(outcome.data));
  t.unserved = left;
  t.step = Step::Waiting;
  --open_;
  again_ |= outcome.retry == kNever;
  if (outcome.retry != kNever) {
    maySendAgain(t, at + cycles(outcome.retry));
  } else if (t.again) {
    maySendAgain(t, at);
  }
}

/// Notes that another try makes sense from `at` on.
template <class Types>
void Driver<Types>::maySendAgain(Transaction& t, const sc_core::sc_time& at) {
  ++progress_;
  t.again = true;
  known_ = std::max(known_, at);
  if (t.step != Step::Waiting) return;
  t.step = Step::Idle;
}

/// Returns false if there was nothing to respond to.
template <class Types>
bool Driver<Types>::responded(Transaction& t, const sc_core::sc_time& at) {
  if (t.step != Step::Sent) {
    log_.add(name(t) + " is answered but is not under way");
    return false;
  }
  notBefore(t, at, "answered");
  if (unacknowledged_ == &t) {
    unacknowledged_ = nullptr;
    if (sending_ != &t) free_ = std::max(free_, at);
  }
  ++progress_;
  const Payload& payload = t.payload;
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    log_.add(name(t) + " is answered without a response status");
  } else if (!payload.is_response_ok()) {
    log_.add(name(t) + " fails with " + payload.get_response_string());
  }
  t.unserved = 0;
  t.step = Step::Responding;
  arrives(t, at);
  known_ = std::max(known_, at);
  return true;
}

template <class Types>
void Driver<Types>::finish(Transaction& t) {
  t.step = Step::Done;
  --open_;
  t.payload.release();
}

template <class Types>
void Driver<Types>::arrives(const Transaction& t, const sc_core::sc_time& at) {
  times_[t.index] = std::max(times_[t.index], at - start_);
}

template <class Types>
void Driver<Types>::notBefore(const Transaction& t, const sc_core::sc_time& at, const char* what) {
  if (at >= t.arrival) return;
  log_.add(name(t) + " is " + what + " at " + (at - start_).to_string() +
           ", before it took effect at " + (t.arrival - start_).to_string());
}

template <class Types>
typename Driver<Types>::Transaction* Driver<Types>::find(const Payload& payload) {
  const auto found = transactions_.find(&payload);
  return found == transactions_.end() ? nullptr : found->second.get();
}

template <class Types>
void Driver<Types>::checkEnd() {
  for (const Transaction* t : stream_) {
    if (t == unacknowledged_) log_.add(name(*t) + " is never acknowledged");
    if (t->step == Step::Sent) log_.add(name(*t) + " is never answered");
    if (t->step == Step::Waiting)
      log_.add(name(*t) + " is never told that another try makes sense");
    if (t->step == Step::Done && t->payload.get_ref_count() != 0)
      log_.add(name(*t) + " is answered but its payload is still held");
  }
}

template class Driver<WarpProtocol>;
template class Driver<tlm::tlm_base_protocol_types>;

}  // namespace fermata::conformance
