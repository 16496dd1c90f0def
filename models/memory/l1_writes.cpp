#include <fermata/models/memory/l1_writes.h>

#include <algorithm>
#include <utility>

namespace fermata {

void L1Writes::send(L1Try& t, unsigned i) {
  WarpAccess& access = *t.access;
  const std::uint64_t line = t.lines.line[i];
  const CacheArray::Frame frame = array_.findPresent(line);
  const bool hit = frame != CacheArray::kNone;
  events_.cached(hit ? CacheEvent::L1Hit : CacheEvent::L1Miss, access);
  if (misses_.keepChange(access, frame)) return keep(t, i, frame);
  if ((hit || sectors_.allocates()) && updates(access)) {
    const std::uint32_t words = std::max(1U, access.instruction.bytesPerLane / 4U);
    events_.effort(EffortEvent::L1Write, access, laneCount(t.lines.lanes[i]) * words, t.arrival);
  }
  const Cycle at = t.arrival + tags_.turn(line, 1) + parameters_.lookupLatency;
  if (!parameters_.requestSectors) return send(access, line, t.lines.lanes[i], at);
  const TouchedBytes bytes(access, t.lines.lanes[i], parameters_.shape.lineBytes);
  for (SectorMask left = bytes.sectors; left != 0; left &= left - 1)
    send(access, line, sectors_.lanesIn(access, t.lines.lanes[i], left & ~(left - 1)), at);
}

/// Changes a line here alone.
void L1Writes::keep(const L1Try& t, unsigned i, CacheArray::Frame frame) {
  const WarpAccess& access = *t.access;
  const WarpInstruction& instruction = access.instruction;
  const std::uint32_t words = std::max(1U, instruction.bytesPerLane / 4U);
  events_.effort(EffortEvent::L1Write, access, laneCount(t.lines.lanes[i]) * words, t.arrival);
  array_.touch(frame);
  if (!instruction.hasData || !array_.keepsData()) return;
  const WriteOrder::Origin origin = check_.originOf(access);
  for (LaneMask m = t.lines.lanes[i]; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (std::uint32_t b = 0; b < instruction.bytesPerLane; ++b) {
      const std::uint64_t address = instruction.address[lane] + b;
      array_.data(frame)[address & (parameters_.shape.lineBytes - 1)] =
          check_.newest(address, origin, instruction.data[lane][b]);
    }
  }
}

void L1Writes::send(WarpAccess& access, std::uint64_t line, LaneMask lanes, Cycle at) {
  tlm::tlm_generic_payload& payload = open(access, line, lanes);
  flights_.sent(access);
  LineRequester::of(payload).token = access.token;
  requester_.send(payload, at);
}

void L1Writes::pass(L1Try& t) {
  WarpAccess& access = *t.access;
  Cycle at = t.arrival;
  for (unsigned i = 0; i < t.lines.count; ++i) {
    // A line that is here is dropped, so the tags are looked up, beside the way that loads take.
    const bool hit = array_.findPresent(t.lines.line[i]) != CacheArray::kNone;
    events_.cached(hit ? CacheEvent::L1Hit : CacheEvent::L1Miss, access);
    events_.effort(EffortEvent::L1Lookup, access, 1, t.arrival);
    const TouchedBytes bytes(access, t.lines.lanes[i], parameters_.shape.lineBytes);
    for (SectorMask left = bytes.sectors; left != 0;) {
      const unsigned highest = 31U - static_cast<unsigned>(__builtin_clz(left));
      left &= ~(SectorMask{1} << highest);
      const std::uint64_t address =
          array_.addressOf(t.lines.line[i]) + std::uint64_t{highest} * kSectorBytes;
      const LaneMask lanes =
          lane_scan::lanesIn(access.instruction.address, address, kSectorBytes) & t.lines.lanes[i];
      tlm::tlm_generic_payload& payload = open(access, t.lines.line[i], lanes);
      const unsigned further = std::exchange(LineRequester::of(payload).furtherUpdates, 0);
      const bool addsFloats = LineRequester::of(payload).addsFloats;
      sendPassing(access, payload, at++);
      const TouchedBytes sector(access, lanes, parameters_.shape.lineBytes);
      for (unsigned k = 0; k < further; ++k) {
        tlm::tlm_generic_payload& repeat = openSectors(access, t.lines.line[i], sector);
        LineRequester::of(repeat).whole = 0;
        LineRequester::of(repeat).bytes = {};
        LineRequester::of(repeat).updates = 1;
        LineRequester::of(repeat).addsFloats = addsFloats;
        sendPassing(access, repeat, at++);
      }
    }
  }
}

/// Sends a request of an atomic that passes the tags by.
void L1Writes::sendPassing(WarpAccess& access, tlm::tlm_generic_payload& payload, Cycle at) {
  flights_.sent(access);
  LineRequester::of(payload).token = access.token;
  requester_.send(payload, at, LineRequester::Way::Direct);
}

Cycle L1Writes::passing(const WarpAccess& access, const TouchedLines& lines) const {
  Cycle requests = 0;
  for (unsigned i = 0; i < lines.count; ++i) {
    const TouchedBytes bytes(access, lines.lanes[i], parameters_.shape.lineBytes);
    requests += laneCount(bytes.sectors) +
                furtherLanes(access, lines.lanes[i], parameters_.shape.lineBytes);
  }
  return requests;
}

tlm::tlm_generic_payload& L1Writes::open(const WarpAccess& access, std::uint64_t line,
                                         LaneMask lanes) {
  const TouchedBytes bytes(access, lanes, parameters_.shape.lineBytes);
  const CacheArray::Frame frame = change(access, line, bytes);
  tlm::tlm_generic_payload& payload = openSectors(access, line, bytes);
  if (access.instruction.operation == MemoryOperation::Atomic)
    countUpdates(access, lanes, bytes.sectors, LineRequester::of(payload));
  if (access.instruction.hasData)
    carryData(access, lanes, frame == CacheArray::kNone ? nullptr : array_.data(frame), payload);
  return payload;
}

/// Updates, allocates or drops the line. Returns its frame; kNone: the line is not here afterwards.
CacheArray::Frame L1Writes::change(const WarpAccess& access, std::uint64_t line,
                                   const TouchedBytes& bytes) {
  CacheArray::Frame frame = array_.findPresent(line);
  if (!updates(access)) {
    if (frame != CacheArray::kNone) array_.empty(frame);
    misses_.dropped(line);
    return CacheArray::kNone;
  }
  misses_.written(line, bytes);
  return sectors_.allocates() ? sectors_.store(line, bytes) : frame;
}

tlm::tlm_generic_payload& L1Writes::openSectors(const WarpAccess& access, std::uint64_t line,
                                                const TouchedBytes& bytes) {
  const auto first = static_cast<unsigned>(__builtin_ctz(bytes.sectors));
  const auto last = 31 - static_cast<unsigned>(__builtin_clz(bytes.sectors));
  tlm::tlm_generic_payload& payload = requester_.open(
      tlm::TLM_WRITE_COMMAND, array_.addressOf(line) + std::uint64_t{first} * kSectorBytes,
      (last - first + 1) * kSectorBytes);
  LineRequest& request = LineRequester::of(payload);
  request.line = line;
  request.program = access.program;
  request.pc = access.instruction.pc;
  request.origin = check_.originOf(access);
  for (unsigned s = first; s <= last; ++s) {
    request.whole |= SectorMask{bytes.of[s] == ~std::uint32_t{0}} << (s - first);
    if (s - first < request.bytes.size()) request.bytes[s - first] = bytes.of[s];
  }
  return payload;
}

/// Returns how many updates an atomic asks for beyond one for each sector: one for each further
/// lane on the fullest word of the sector.
unsigned L1Writes::furtherLanes(const WarpAccess& access, LaneMask lanes, std::uint64_t lineBytes) {
  const WarpInstruction& instruction = access.instruction;
  std::array<std::uint16_t, 32> most{};  // lanes on the fullest word, by sector
  for (LaneMask rest = lanes; rest != 0;) {
    const std::uint64_t address = instruction.address[static_cast<unsigned>(__builtin_ctz(rest))];
    LaneMask same = 0;
    for (LaneMask m = rest; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      same |= LaneMask{instruction.address[lane] == address} << lane;
    }
    rest &= ~same;
    auto& ofSector = most[(address & (lineBytes - 1)) / kSectorBytes];
    ofSector = std::max(ofSector, static_cast<std::uint16_t>(laneCount(same)));
  }
  unsigned further = 0;
  for (const std::uint16_t lanesOfWord : most) further += lanesOfWord > 1 ? lanesOfWord - 1U : 0;
  return further;
}

/// Counts what an atomic asks of the place where it is carried out.
void L1Writes::countUpdates(const WarpAccess& access, LaneMask lanes, SectorMask sectors,
                            LineRequest& request) const {
  request.updates = static_cast<std::uint16_t>(laneCount(sectors));
  request.furtherUpdates =
      static_cast<std::uint16_t>(furtherLanes(access, lanes, parameters_.shape.lineBytes));
  const AtomicForm form =
      access.issuedInstruction == nullptr ? AtomicForm::Plain : access.issuedInstruction->form;
  request.addsFloats =
      form == AtomicForm::Float || form == AtomicForm::Double || form == AtomicForm::Half;
}

/// Writes the lanes' bytes into the request, and into the line: `here`; null: it is not here.
void L1Writes::carryData(const WarpAccess& access, LaneMask lanes, std::uint8_t* here,
                         tlm::tlm_generic_payload& payload) {
  const WarpInstruction& instruction = access.instruction;
  const std::uint64_t inLine = parameters_.shape.lineBytes - 1;
  const WriteOrder::Origin origin = check_.originOf(access);
  const L1Misses::Number passed =
      array_.keepsData() ? misses_.passed(array_.lineOf(payload.get_address())) : L1Misses::kNone;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = instruction.address[lane];
    for (std::uint32_t b = 0; b < instruction.bytesPerLane; ++b) {
      const auto inPayload = static_cast<std::uint32_t>(address + b - payload.get_address());
      requester_.enable(payload, inPayload, instruction.data[lane][b]);
      const std::uint8_t newest = check_.newest(address + b, origin, instruction.data[lane][b]);
      if (here != nullptr) here[(address + b) & inLine] = newest;
      if (passed != L1Misses::kNone)
        misses_.store(passed, static_cast<std::uint32_t>((address + b) & inLine), newest);
    }
  }
}

}  // namespace fermata
