// The untimed accesses of an L2: they must see bytes that memory has not got yet.
#include <fermata/models/memory/byte_enables.h>
#include <fermata/models/memory/l2_cache.h>

namespace fermata {

void L2Cache::b_transport(Payload& payload, sc_core::sc_time& delay) {
  out->b_transport(payload, delay);
  delay += clock_.time(parameters_.latency);
  if (array_.keepsData() && payload.is_response_ok())
    meet(payload, [&](unsigned i) { return isEnabled(payload, i); });
}

unsigned L2Cache::transport_dbg(Payload& payload) {
  const unsigned done = out->transport_dbg(payload);
  if (array_.keepsData()) meet(payload, [](unsigned) { return true; });
  return done;
}

/// Returns the bytes that a read of the line would find.
std::vector<std::uint8_t> L2Cache::bytesOf(std::uint64_t line) {
  std::vector<std::uint8_t> bytes(parameters_.shape.lineBytes);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(array_.addressOf(line));
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(parameters_.shape.lineBytes);
  payload.set_streaming_width(parameters_.shape.lineBytes);
  transport_dbg(payload);
  return bytes;
}

/// Reconciles an untimed access, which memory has carried out, with the bytes here. A read takes
/// bytes that are newer here. A write updates the lines and the writes under way, so that nothing
/// older overwrites it. Only bytes with has(i) count.
template <class Has>
void L2Cache::meet(Payload& payload, Has has) {
  if (!payload.is_read() && !payload.is_write()) return;
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
    const CacheArray::Frame frame = frameOf(line);
    if (frame == CacheArray::kNone || !has(i)) continue;
    const std::uint64_t at = payload.get_address() + i - array_.addressOf(line);
    if (payload.is_write()) array_.known(frame)[at] = 1;
    if (array_.known(frame)[at] != 0) exchange(array_.data(frame)[at], i);
  }
}

/// Returns the frame that holds the line or is reserved for it; kNone: there is none.
CacheArray::Frame L2Cache::frameOf(std::uint64_t line) const {
  return mshrs_.find(line) == Waiters::kNone ? array_.find(line) : array_.reservedFor(line);
}

void L2Cache::warm(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0) return;
  tlm::tlm_generic_payload payload;
  std::vector<std::uint8_t> data(parameters_.shape.lineBytes);
  payload.set_data_ptr(data.data());
  payload.set_data_length(parameters_.shape.lineBytes);
  payload.set_streaming_width(parameters_.shape.lineBytes);
  const std::uint64_t last = array_.lineOf(address + bytes - 1);
  for (std::uint64_t line = array_.lineOf(address); line <= last; ++line) {
    CacheArray::Frame frame = array_.find(line);
    if (frame == CacheArray::kNone) {
      frame = array_.victim(line);
      if (array_.at(frame).dirty != 0) continue;  // memory has not got it yet
      array_.place(frame, line, false);
    }
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(array_.addressOf(line));
    if (array_.keepsData()) {
      out->transport_dbg(payload);
      for (std::uint32_t i = 0; i < parameters_.shape.lineBytes; ++i) {
        if (array_.known(frame)[i] != 0) continue;
        array_.data(frame)[i] = data[i];
        array_.known(frame)[i] = 1;
      }
    }
    array_.at(frame).valid = array_.allSectors();
    array_.touch(frame);
  }
}

}  // namespace fermata
