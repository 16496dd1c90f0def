#include <fermata/models/memory/l2_memory.h>

#include <algorithm>

namespace fermata {

namespace {

unsigned firstOf(SectorMask sectors) {
  return static_cast<unsigned>(__builtin_ctz(sectors));
}
/// Returns the bytes from the first to the last of the sectors.
std::uint32_t spanOf(SectorMask sectors) {
  return (32U - static_cast<unsigned>(__builtin_clz(sectors)) - firstOf(sectors)) * kSectorBytes;
}

}  // namespace

void L2Memory::read(std::uint64_t line, SectorMask sectors, const Payload& cause, Cycle at) {
  Payload& request = requester_.open(
      tlm::TLM_READ_COMMAND,
      array_.addressOf(line) + std::uint64_t{firstOf(sectors)} * kSectorBytes, spanOf(sectors));
  LineRequester::of(request).line = line;
  copyOrigin(cause, LineRequester::of(request));
  send(request, at);
}

void L2Memory::write(const Payload& payload, SectorMask whole, Cycle at) {
  Payload& request = openWrite(payload.get_address(), payload.get_data_length(), whole, payload);
  if (array_.keepsData()) {
    const auto before = static_cast<std::uint32_t>(payload.get_address() - request.get_address());
    settle(payload, [&](unsigned i, std::uint8_t value) {
      if (wholeSectors_) {
        request.get_data_ptr()[before + i] = value;
      } else {
        requester_.enable(request, i, value);
      }
    });
  }
  send(request, at);
}

void L2Memory::writeBack(CacheArray::Frame frame, const Payload& cause, Cycle at) {
  const SectorMask dirty = array_.at(frame).dirty;
  if (!wholeSectors_) return writeBack(frame, dirty, cause, at);
  // Without byte enables a request writes every sector that it spans: one request per run of dirty
  // sectors.
  for (SectorMask left = dirty; left != 0;) {
    const SectorMask run = left & ~(left + (left & (~left + 1)));
    writeBack(frame, run, cause, at);
    left &= ~run;
  }
}

void L2Memory::writeBack(CacheArray::Frame frame, SectorMask sectors, const Payload& cause,
                         Cycle at) {
  const CacheArray::Line& tenant = array_.at(frame);
  const std::uint32_t first = firstOf(sectors) * kSectorBytes;
  Payload& request = openWrite(array_.addressOf(tenant.number) + first, spanOf(sectors),
                               (sectors & tenant.valid) >> firstOf(sectors), cause);
  if (array_.keepsData() && !wholeSectors_) {
    for (std::uint32_t i = 0; i < request.get_data_length(); ++i) {
      const std::uint32_t byte = first + i;
      if ((sectors >> byte / kSectorBytes & 1) == 0 || array_.known(frame)[byte] == 0) continue;
      requester_.enable(request, i, array_.data(frame)[byte]);
    }
  }
  send(request, at);
}

/// Returns a write of `bytes` from `address` on, with no byte enabled. With `wholeSectors` it
/// covers whole sectors, enables all bytes and, where data are kept, holds what a read would find
/// now.
L2Memory::Payload& L2Memory::openWrite(std::uint64_t address, std::uint32_t bytes, SectorMask whole,
                                       const Payload& cause) {
  const std::uint64_t line = array_.lineOf(address);
  if (wholeSectors_) {
    const auto before = static_cast<std::uint32_t>(address % kSectorBytes);
    address -= before;
    bytes = (before + bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
    whole = ~SectorMask{0} >> (32 - bytes / kSectorBytes);
  }
  Payload& request = requester_.open(tlm::TLM_WRITE_COMMAND, address, bytes);
  LineRequester::of(request).line = line;
  LineRequester::of(request).whole = whole;
  copyOrigin(cause, LineRequester::of(request));
  if (wholeSectors_) LineRequester::enableAll(request);
  if (wholeSectors_ && array_.keepsData()) {
    const std::vector<std::uint8_t> found = bytesOf(line);
    const std::uint64_t first = address - array_.addressOf(line);
    std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(first), bytes, request.get_data_ptr());
  }
  writing_.push_back(&request);
  return request;
}

void L2Memory::send(Payload& request, Cycle at) {
  if (reports_ && probe_ != nullptr) {
    const LineRequest& origin = LineRequester::of(request);
    const bool write = request.is_write();
    probe_->cached(
        {write ? CacheEvent::DramWrite : CacheEvent::DramRead, origin.program, origin.pc});
    probe_->effort({write ? EffortEvent::ForeignWrite : EffortEvent::ForeignRead, origin.program,
                    origin.pc, request.get_data_length(), clock_.ticks(at)});
  }
  requester_.send(request, at);
}

bool L2Memory::isWritten(std::uint64_t line) const {
  return std::any_of(writing_.begin(), writing_.end(), [&](const Payload* request) {
    return LineRequester::of(*request).line == line;
  });
}

void L2Memory::writeEnded(const Payload& request) {
  writing_.erase(std::find(writing_.begin(), writing_.end(), &request));
}

void L2Memory::copyOrigin(const Payload& from, LineRequest& to) {
  const auto* origin = from.get_extension<LineRequest>();
  if (origin == nullptr) return;
  to.program = origin->program;
  to.pc = origin->pc;
}

// Untimed

void L2Memory::transportUntimed(Payload& payload, sc_core::sc_time& delay) {
  requester_.out->b_transport(payload, delay);
  if (payload.is_response_ok())
    reconcile(payload, [&](unsigned i) { return isEnabled(payload, i); });
}

unsigned L2Memory::transportDebug(Payload& payload) {
  const unsigned done = requester_.out->transport_dbg(payload);
  reconcile(payload, [](unsigned) { return true; });
  return done;
}

/// Returns the bytes that a read of the line would find.
std::vector<std::uint8_t> L2Memory::bytesOf(std::uint64_t line) {
  std::vector<std::uint8_t> bytes(array_.shape().lineBytes);
  Payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(array_.addressOf(line));
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(array_.shape().lineBytes);
  payload.set_streaming_width(array_.shape().lineBytes);
  transportDebug(payload);
  return bytes;
}

/// Reconciles an untimed access, which memory has carried out, with the bytes here. A read takes
/// bytes that are newer here. A write updates the lines and the writes under way, so that nothing
/// older overwrites it. Only bytes with has(i) count.
template <class Has>
void L2Memory::reconcile(Payload& payload, Has has) {
  if (!array_.keepsData() || (!payload.is_read() && !payload.is_write())) return;
  const auto exchange = [&](std::uint8_t& here, std::uint64_t i) {
    std::uint8_t& there = payload.get_data_ptr()[i];
    payload.is_write() ? here = there : there = here;
  };
  for (Payload* request : writing_) {
    forEachEnabled(*request, [&](unsigned i) {
      const std::uint64_t at = LineRequester::of(*request).address + i - payload.get_address();
      if (at < payload.get_data_length() && has(static_cast<unsigned>(at)))
        exchange(request->get_data_ptr()[i], at);
    });
  }
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    const std::uint64_t line = array_.lineOf(payload.get_address() + i);
    const CacheArray::Frame frame = array_.findAny(line);
    if (frame == CacheArray::kNone || !has(i)) continue;
    const std::uint64_t at = payload.get_address() + i - array_.addressOf(line);
    if (payload.is_write()) array_.known(frame)[at] = 1;
    if (array_.known(frame)[at] != 0) exchange(array_.data(frame)[at], i);
  }
}

}  // namespace fermata
