#include <fermata/models/memory/l1_writes.h>

#include <algorithm>
#include <array>

namespace fermata {

void L1Writes::send(L1Try& t, unsigned i) {
  WarpAccess& access = *t.access;
  const std::uint64_t line = t.lines.line[i];
  const bool hit = array_.find(line) != CacheArray::kNone;
  events_.cached(hit ? CacheEvent::L1Hit : CacheEvent::L1Miss, access);
  if (hit && updates(access)) {
    const std::uint32_t words = std::max(1U, access.instruction.bytesPerLane / 4U);
    events_.effort(EffortEvent::L1Write, access, laneCount(t.lines.lanes[i]) * words, t.arrival);
  }
  tlm::tlm_generic_payload& payload = open(access, line, t.lines.lanes[i]);
  flights_.sent(access);
  LineRequester::of(payload).token = access.token;
  requester_.send(payload, t.arrival + tags_.turn(line, 1) + parameters_.lookupLatency);
}

tlm::tlm_generic_payload& L1Writes::open(const WarpAccess& access, std::uint64_t line,
                                         LaneMask lanes) {
  const CacheArray::Frame frame = array_.find(line);
  if (frame != CacheArray::kNone && !updates(access)) array_.drop(frame);
  misses_.written(line);
  tlm::tlm_generic_payload& payload = openSectors(access, line, lanes);
  if (access.instruction.hasData) carryData(access, line, lanes, payload);
  return payload;
}

tlm::tlm_generic_payload& L1Writes::openSectors(const WarpAccess& access, std::uint64_t line,
                                                LaneMask lanes) {
  const WarpInstruction& instruction = access.instruction;
  std::array<std::uint32_t, 32> bytesOf{};  // by sector: one bit per byte
  const std::uint32_t inLine = parameters_.shape.lineBytes - 1;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint32_t at = static_cast<std::uint32_t>(instruction.address[lane]) & inLine;
    bytesOf[at / kSectorBytes] |= ((1U << instruction.bytesPerLane) - 1) << at % kSectorBytes;
  }
  unsigned first = 0;
  while (bytesOf[first] == 0) ++first;
  unsigned last = parameters_.shape.lineBytes / kSectorBytes - 1;
  while (bytesOf[last] == 0) --last;
  tlm::tlm_generic_payload& payload = requester_.open(
      tlm::TLM_WRITE_COMMAND, array_.addressOf(line) + std::uint64_t{first} * kSectorBytes,
      (last - first + 1) * kSectorBytes);
  LineRequest& request = LineRequester::of(payload);
  request.line = line;
  request.program = access.program;
  request.pc = instruction.pc;
  request.origin = check_.originOf(access);
  for (unsigned s = first; s <= last; ++s)
    request.whole |= SectorMask{bytesOf[s] == ~std::uint32_t{0}} << (s - first);
  return payload;
}

/// Writes the lanes' bytes into the request, and into the line if it is here.
void L1Writes::carryData(const WarpAccess& access, std::uint64_t line, LaneMask lanes,
                         tlm::tlm_generic_payload& payload) {
  const WarpInstruction& instruction = access.instruction;
  const CacheArray::Frame frame = array_.find(line);
  std::uint8_t* here = frame == CacheArray::kNone ? nullptr : array_.data(frame);
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = instruction.address[lane];
    for (std::uint32_t b = 0; b < instruction.bytesPerLane; ++b) {
      const auto inPayload = static_cast<std::uint32_t>(address + b - payload.get_address());
      requester_.enable(payload, inPayload, instruction.data[lane][b]);
      if (here != nullptr) here[address + b - array_.addressOf(line)] = instruction.data[lane][b];
    }
  }
}

}  // namespace fermata
