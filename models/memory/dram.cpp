#include <fermata/models/memory/dram.h>

#include <fermata/models/memory/line_requester.h>

#include <algorithm>
#include <limits>

namespace fermata {

namespace {

/// Returns the parameters. Reports a fatal error that names the impossible one, if any.
const DramParameters& checked(const DramParameters& p) {
  DramParameters copy = p;
  RangeCheck ranges;
  describeDram(copy, ranges);
  if (!ranges.wrong().empty()) SC_REPORT_FATAL("fermata/dram", ranges.wrong().c_str());
  if (const auto what = contradiction(p)) SC_REPORT_FATAL("fermata/dram", what->text().c_str());
  return p;
}

std::string inputName(unsigned number) {
  return "input" + std::to_string(number);
}

}  // namespace

/// A socket, whose requests come one after another.
class Dram::Input : public LateLineTarget {
 public:
  Input(const sc_core::sc_module_name& name, Dram& dram) : LateLineTarget(name), dram_(dram) {}
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    dram_.b_transport(payload, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    return dram_.transport_dbg(payload);
  }
  using LateLineTarget::acknowledge;
  using LateLineTarget::respond;

  bool holds = false;  ///< a request of the socket waits for room in the queue of a channel

 private:
  void requested(tlm::tlm_generic_payload& payload) override { dram_.requested(*this, payload); }

  Dram& dram_;
};

namespace {

template <class Input, class Dram>
std::vector<std::unique_ptr<Input>> inputsOf(Dram& dram, unsigned count) {
  std::vector<std::unique_ptr<Input>> inputs;
  for (unsigned i = 0; i < count; ++i)
    inputs.push_back(std::make_unique<Input>(inputName(i).c_str(), dram));
  return inputs;
}

}  // namespace

Dram::Dram(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
           Probe* probe, unsigned inputs)
    : sc_module(name),
      inputs_(inputsOf<Input>(*this, inputs)),
      in(inputs_.at(0)->in),
      clock_(clock),
      parameters_(checked(parameters)),
      probe_(probe),
      map_(parameters) {
  closeRows();
}

Dram::~Dram() = default;

LineTargetSocket& Dram::input(unsigned number) {
  return inputs_.at(number)->in;
}

void Dram::closeRows() {
  const Parameters& p = parameters_;
  const DramChannel::Parameters channel{p.banks,  p.bankGroups,   p.queue,      p.patience,
                                        p.timing, p.refreshBanks, clock_.now(), p.stackIds};
  channels_.assign(p.channels, Channel(channel));
}

void Dram::requested(Input& input, tlm::tlm_generic_payload& payload) {
  const Cycle now = clock_.now();
  settle(now);
  if (input.holds) {
    SC_REPORT_ERROR("fermata/dram", "BEGIN_REQ before the previous request was acknowledged");
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else {
    payload.set_response_status(statusOf(payload));
  }
  if (payload.is_response_ok()) {
    enqueue(open(input, payload), now);
  } else {
    input.respond(payload, sc_core::SC_ZERO_TIME);
  }
  arm();
}

void Dram::wake() {
  settle(clock_.now());
  arm();
}

/// Makes everything due visible before a new request comes in. The order of events of one time then
/// does not depend on which process the SystemC kernel runs first.
void Dram::settle(Cycle now) {
  if (due_ > now) return;
  for (unsigned c = 0; c < channels_.size(); ++c) {
    if (channels_[c].due <= now) run(c, now);
  }
  for (unsigned c = 0; c < channels_.size(); ++c) {
    if (!channels_[c].held.empty()) goOn(c, now);
  }
}

/// Lets requests go on that wait for room in the channel's queue, as long as there is room.
void Dram::goOn(unsigned number, Cycle now) {
  run(number, now);
  Channel& channel = channels_[number];
  while (!channel.held.empty() && !channel.queue.full()) enqueue(channel.held.pop(), now);
  channel.due = std::min(channel.due, dueOf(number));
}

void Dram::arm() {
  due_ = kNever;
  for (const Channel& channel : channels_) due_ = std::min(due_, channel.due);
  if (due_ != kNever) wake_.set(clock_.time(due_));
}

Dram::Index Dram::open(Input& input, tlm::tlm_generic_payload& payload) {
  if (idle_.empty()) {
    idle_.push_back(static_cast<Index>(requests_.size()));
    requests_.emplace_back();
  }
  const Index index = idle_.back();
  idle_.pop_back();
  requests_[index] = {&payload, &input, 0, 0, 0, true};
  return index;
}

/// Adds parts of a request to the queues of their channels; holds the request at the first full
/// queue.
void Dram::enqueue(Index index, Cycle now) {
  Request& request = requests_[index];
  const tlm::tlm_generic_payload& payload = *request.payload;
  const std::uint32_t length = payload.get_data_length();
  const std::uint32_t block = map_.blockBytes();
  const std::uint32_t burst = parameters_.bytesPerBurst(payload.is_write());
  request.input->holds = false;
  while (request.queued < length) {
    const std::uint64_t address = payload.get_address() + request.queued;
    const DramPlace place = map_.place(address);
    Channel& channel = channels_[place.channel];
    run(place.channel, now);
    if (channel.queue.full()) {
      request.input->holds = true;
      channel.held.push(index);
      channel.due = dueOf(place.channel);
      return;
    }
    const auto inBlock = static_cast<std::uint32_t>(address & (block - 1));
    const std::uint32_t bytes = std::min(block - inBlock, length - request.queued);
    const std::uint32_t bursts = ((inBlock & (burst - 1)) + bytes + burst - 1) / burst;
    channel.queue.add(
        {place.bank, place.row, bursts, payload.is_write(), index, request.queued, bytes}, now);
    channel.due = std::min(channel.due, now + leastToAnswer(payload.is_write()));
    request.queued += bytes;
    ++request.open;
  }
  request.input->acknowledge(*request.payload, sc_core::SC_ZERO_TIME);
}

void Dram::run(unsigned channel, Cycle now) {
  served_.clear();
  Channel& c = channels_[channel];
  if (!c.queue.run(now, served_) && c.due > now) return;
  c.due = dueOf(channel);
  for (const DramChannel::Served& part : served_) served(part);
}

/// Returns the first cycle in which the channel may do something visible: a response, or room in
/// its queue if a request waits for it.
Cycle Dram::dueOf(unsigned channel) const {
  const DramChannel& queue = channels_[channel].queue;
  const Cycle next = queue.nextServed();
  if (next == kNever) return kNever;
  if (!channels_[channel].held.empty()) return next + 1;
  const Cycle reads = leastToAnswer(false);
  return next + (queue.writes() == 0 ? reads : std::min(reads, leastToAnswer(true)));
}

Cycle Dram::leastToAnswer(bool write) const {
  return DramChannel::leastToEnd(parameters_.timing, write) + (write ? 0 : parameters_.latency);
}

void Dram::served(const DramChannel::Served& part) {
  Request& request = requests_[part.access.owner];
  if (probe_ != nullptr) report(part, *request.payload);
  if (parameters_.verify) bytes_.carryOut(*request.payload, part.access.offset, part.access.length);
  request.end = std::max(request.end, part.end);
  request.rowHit = request.rowHit && part.rowHit;
  if (--request.open != 0 || request.queued != request.payload->get_data_length()) return;
  answer(request);
  idle_.push_back(part.access.owner);
}

void Dram::answer(Request& request) {
  const bool write = request.payload->is_write();
  count(*request.payload, request.rowHit);
  const Cycle at = request.end + (write ? 0 : parameters_.latency);
  request.input->respond(*request.payload, clock_.time(at) - clock_.stamp());
}

void Dram::report(const DramChannel::Served& part, const tlm::tlm_generic_payload& payload) const {
  const auto* origin = payload.get_extension<LineRequest>();
  EffortEvent event{payload.is_write() ? EffortEvent::DramWrite : EffortEvent::DramRead,
                    origin == nullptr ? EffortEvent::kNoProgram : origin->program,
                    origin == nullptr ? 0 : origin->pc, part.access.length, clock_.ticks(part.end)};
  probe_->effort(event);
  if (part.rowHit) return;
  event.what = EffortEvent::DramActivate;
  event.count = 1;
  probe_->effort(event);
}

void Dram::count(const tlm::tlm_generic_payload& payload, bool rowHit) {
  ++(payload.is_write() ? counts_.writes : counts_.reads);
  if (rowHit) ++counts_.rowHits;
  const auto* origin = payload.get_extension<LineRequest>();
  if (probe_ == nullptr || origin == nullptr) return;
  const CacheEvent::What what = payload.is_write() ? CacheEvent::DramWrite : CacheEvent::DramRead;
  probe_->cached({what, origin->program, origin->pc});
  if (rowHit) probe_->cached({CacheEvent::DramRowHit, origin->program, origin->pc});
}

tlm::tlm_response_status Dram::statusOf(const tlm::tlm_generic_payload& payload) const {
  const unsigned length = payload.get_data_length();
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (length == 0 || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_address() > std::numeric_limits<std::uint64_t>::max() - (length - 1))
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (parameters_.verify && payload.get_data_ptr() == nullptr)
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void Dram::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(statusOf(payload));
  if (!payload.is_response_ok()) return;
  const std::uint64_t length = payload.get_data_length();
  if (parameters_.verify) bytes_.carryOut(payload, 0, length);
  count(payload, false);
  const std::uint64_t bursts = (length - 1) / parameters_.bytesPerBurst(payload.is_write()) + 1;
  const DramTiming& t = parameters_.timing;
  delay += clock_.time(t.rcd + leastToAnswer(payload.is_write()) + (bursts - 1) * t.ccd);
}

unsigned Dram::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (!parameters_.verify || payload.get_data_ptr() == nullptr) return 0;
  const std::uint64_t toEnd = std::numeric_limits<std::uint64_t>::max() - payload.get_address();
  const unsigned length = payload.get_data_length();
  const auto bytes =
      length == 0 ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(length - 1U, toEnd) + 1);
  if (payload.is_read()) {
    bytes_.read(payload.get_address(), payload.get_data_ptr(), bytes);
  } else if (payload.is_write()) {
    bytes_.write(payload.get_address(), payload.get_data_ptr(), bytes);
  } else {
    return 0;
  }
  return bytes;
}

}  // namespace fermata
