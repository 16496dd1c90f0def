// Writes that an L2 takes, and what it writes to memory.
#include <fermata/models/memory/byte_enables.h>
#include <fermata/models/memory/l2_cache.h>

#include <algorithm>

namespace fermata {

/// Calls store(i, value) for each byte that the write enables. `value`: the byte to store, which is
/// another than the write's if a newer write came sooner (write_order.h).
template <class Store>
void L2Cache::settle(const Payload& payload, Store store) {
  const auto* request = payload.get_extension<LineRequest>();
  if (request == nullptr || request->origin.order == 0) {
    forEachEnabled(payload, [&](unsigned i) { store(i, payload.get_data_ptr()[i]); });
    return;
  }
  const std::uint64_t number = array_.lineOf(payload.get_address());
  WriteOrder::Line* line = writes_.find(number);
  if (line == nullptr) line = &writes_.add(number, bytesOf(number));
  const auto base = static_cast<std::uint32_t>(payload.get_address() - array_.addressOf(number));
  forEachEnabled(payload, [&](unsigned i) {
    store(i, line->take(base + i, request->origin, payload.get_data_ptr()[i]));
  });
}

/// Takes the bytes of a write into the line.
void L2Cache::take(const Payload& payload, CacheArray::Frame frame) {
  const SectorMask all = wanted(payload);
  effort(EffortEvent::L2Write, payload, all);
  array_.at(frame).valid |= whole(payload) << __builtin_ctz(all);
  if (!array_.keepsData()) return;
  const std::uint64_t base =
      payload.get_address() - array_.addressOf(array_.lineOf(payload.get_address()));
  settle(payload, [&](unsigned i, std::uint8_t value) {
    array_.data(frame)[base + i] = value;
    array_.known(frame)[base + i] = 1;
  });
}

bool L2Cache::writeThrough(Payload& payload, CacheArray::Frame frame) {
  const std::uint64_t line = array_.lineOf(payload.get_address());
  if (isWritten(line)) return false;
  if (frame != CacheArray::kNone) take(payload, frame);
  Payload& request =
      openWrite(line, payload.get_address(), payload.get_data_length(), whole(payload), payload);
  if (parameters_.verify) {
    const auto before = static_cast<std::uint32_t>(payload.get_address() - request.get_address());
    settle(payload, [&](unsigned i, std::uint8_t value) {
      if (parameters_.wholeSectors) {
        request.get_data_ptr()[before + i] = value;
      } else {
        requests_.enable(request, i, value);
      }
    });
  }
  send(request, clock_.now() + parameters_.latency);
  return true;
}

/// Returns a write of `bytes` from `address` on, with no byte enabled. With `wholeSectors` it
/// covers whole sectors, enables all bytes and, with `verify`, holds what a read would find now.
/// `whole`: sectors that will be written completely, counted from the first.
L2Cache::Payload& L2Cache::openWrite(std::uint64_t line, std::uint64_t address, std::uint32_t bytes,
                                     SectorMask whole, const Payload& cause) {
  if (parameters_.wholeSectors) {
    const auto before = static_cast<std::uint32_t>(address % kSectorBytes);
    address -= before;
    bytes = (before + bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
    whole = ~SectorMask{0} >> (32 - bytes / kSectorBytes);
  }
  Payload& request = requests_.open(tlm::TLM_WRITE_COMMAND, address, bytes);
  copyOrigin(cause, request);
  LineRequester::of(request).line = line;
  LineRequester::of(request).whole = whole;
  if (parameters_.wholeSectors) {
    LineRequester::enableAll(request);
    if (parameters_.verify) {
      const std::vector<std::uint8_t> found = bytesOf(line);
      const std::uint64_t first = address - array_.addressOf(line);
      std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(first), bytes,
                  request.get_data_ptr());
    }
  }
  writing_.push_back(&request);
  return request;
}

void L2Cache::writeBack(CacheArray::Frame frame, const Payload& cause) {
  const SectorMask dirty = array_.at(frame).dirty;
  effort(EffortEvent::L2Read, cause, dirty);
  if (!parameters_.wholeSectors) return writeBack(frame, dirty, cause);
  // Without byte enables a request writes every sector that it spans: one request per run of dirty
  // sectors.
  for (SectorMask left = dirty; left != 0;) {
    const SectorMask run = left & ~(left + (left & (~left + 1)));
    writeBack(frame, run, cause);
    left &= ~run;
  }
}

void L2Cache::writeBack(CacheArray::Frame frame, SectorMask sectors, const Payload& cause) {
  const CacheArray::Line& tenant = array_.at(frame);
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(sectors));
  const auto last = 31U - static_cast<std::uint32_t>(__builtin_clz(sectors));
  Payload& request = openWrite(
      tenant.number, array_.addressOf(tenant.number) + std::uint64_t{first} * kSectorBytes,
      (last - first + 1) * kSectorBytes, (sectors & tenant.valid) >> first, cause);
  if (array_.keepsData() && !parameters_.wholeSectors) {
    for (std::uint32_t i = 0; i < request.get_data_length(); ++i) {
      const std::uint32_t at = first * kSectorBytes + i;
      if ((sectors >> at / kSectorBytes & 1) == 0 || array_.known(frame)[at] == 0) continue;
      requests_.enable(request, i, array_.data(frame)[at]);
    }
  }
  send(request, clock_.now() + parameters_.latency);
}

}  // namespace fermata
