#include <fermata/models/memory/l1_misses.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fermata {

namespace {

/// Takes the lowest sectors side by side off the mask, or the lowest one, and returns them.
SectorMask takeRun(SectorMask& sectors, bool single) {
  const SectorMask lowest = sectors & ~(sectors - 1);
  const SectorMask run = single ? lowest : sectors & ~(sectors + lowest);
  sectors &= ~run;
  return run;
}

}  // namespace

L1Misses::L1Misses(const L1CacheParameters& parameters, CacheArray& array, L1Sectors& sectors,
                   const L1Tags& tags, LineRequester& requester, const L1Events& events)
    : parameters_(parameters),
      array_(array),
      sectors_(sectors),
      tags_(tags),
      requester_(requester),
      events_(events),
      mshrs_(parameters.mshrs, parameters.merges),
      requests_(parameters.mshrs) {
  if (parameters.verify) line_.resize(parameters.shape.lineBytes);
}

bool L1Misses::request(const L1Try& t, unsigned i, const Absent& absent) {
  const std::uint64_t line = t.lines.line[i];
  Number number = mshrs_.find(line);
  if (number != kNone) {
    if (!mayJoin(number, *t.access, absent)) return false;
    if (parameters_.allocation == Allocation::Miss) array_.touch(array_.reservedFor(line));
  } else {
    if (mshrs_.full() || !reserveFrame(line)) return false;
    number = mshrs_.take(line);
    requests_[number] = {};
  }
  waiters(number).push_back({t.access, absent.lanes, absent.sectors, false});
  events_.effort(EffortEvent::MshrUse, *t.access, 1, t.arrival);
  const SectorMask asked = absent.sectors & ~requests_[number].underWay;
  if (asked == 0) return true;
  requests_[number].underWay |= asked;
  send(t, line, asked);
  if (evicted_ != kNoLine) writeBack(t, array_.reservedFor(line));
  return true;
}

/// False if data that the access needs come too old for it, or if waiters must have their data
/// first: they need the MSHR that holds them.
bool L1Misses::mayJoin(Number number, const WarpAccess& access, const Absent& absent) {
  const auto& all = waiters(number);
  return mshrs_.mayMerge(number) && (requests_[number].overwritten & absent.sectors) == 0 &&
         !sectors_.comeTooOld(number, access, absent.lanes) &&
         std::none_of(all.begin(), all.end(), [](const Waiter& w) { return w.held; });
}

bool L1Misses::reserveFrame(std::uint64_t line) {
  if (parameters_.allocation == Allocation::Fill) return true;
  CacheArray::Frame frame = sectors_.target(line);
  if (frame != CacheArray::kNone) {
    array_.reserve(frame);
    return true;
  }
  frame = array_.victim(line);
  if (frame == CacheArray::kNone) return false;
  if (frame < changed_.size() && std::exchange(changed_[frame], 0) != 0 &&
      array_.at(frame).valid != 0)
    evicted_ = array_.at(frame).number;
  array_.place(frame, line, true);
  return true;
}

bool L1Misses::keepChange(const WarpAccess& access, CacheArray::Frame frame) {
  if (!parameters_.localBack || parameters_.writePolicy != WritePolicy::Evict ||
      parameters_.fetch != Fetch::Line || parameters_.allocation != Allocation::Miss)
    return false;
  if (frame == CacheArray::kNone || access.instruction.space != MemorySpace::Local ||
      access.instruction.operation != MemoryOperation::Store)
    return false;
  if (frame >= changed_.size()) changed_.resize(frame + 1);
  changed_[frame] = 1;
  return true;
}

/// Writes the line back that the frame held before it was reserved, and whose bytes it still has.
/// Nobody waits for the answer.
void L1Misses::writeBack(const L1Try& t, CacheArray::Frame frame) {
  const std::uint64_t line = std::exchange(evicted_, kNoLine);
  tlm::tlm_generic_payload& payload =
      requester_.open(tlm::TLM_WRITE_COMMAND, array_.addressOf(line), parameters_.shape.lineBytes);
  LineRequest& request = LineRequester::of(payload);
  request.line = line;
  request.program = t.access->program;
  request.pc = t.access->instruction.pc;
  request.whole = array_.allSectors();
  request.silent = true;
  if (array_.keepsData()) {
    std::copy_n(array_.data(frame), parameters_.shape.lineBytes, payload.get_data_ptr());
    LineRequester::enableAll(payload);
  }
  requester_.send(payload, t.arrival + tags_.turn(line) + parameters_.lookupLatency);
}

void L1Misses::send(const L1Try& t, std::uint64_t line, SectorMask sectors) {
  while (sectors != 0) {
    tlm::tlm_generic_payload& payload =
        openRead(line, takeRun(sectors, parameters_.requestSectors));
    LineRequester::of(payload).program = t.access->program;
    LineRequester::of(payload).pc = t.access->instruction.pc;
    requester_.send(payload, t.arrival + tags_.turn(line) + parameters_.lookupLatency);
  }
}

tlm::tlm_generic_payload& L1Misses::openRead(std::uint64_t line, SectorMask sectors) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(sectors));
  const auto end = 32 - static_cast<std::uint32_t>(__builtin_clz(sectors));
  tlm::tlm_generic_payload& payload = requester_.open(
      tlm::TLM_READ_COMMAND, array_.addressOf(line) + std::uint64_t{first} * kSectorBytes,
      (end - first) * kSectorBytes);
  LineRequester::of(payload).line = line;
  return payload;
}

void L1Misses::written(std::uint64_t line, const TouchedBytes& bytes) {
  const Number number = mshrs_.find(line);
  if (number == kNone) return;
  if (sectors_.allocates()) return sectors_.outdate(number, requests_[number].underWay, bytes);
  requests_[number].overwritten |= requests_[number].underWay & sectors_.obsolete(bytes.sectors);
}

void L1Misses::dropped(std::uint64_t line) {
  const Number number = mshrs_.find(line);
  if (number != kNone && !passesStores())
    requests_[number].overwritten = requests_[number].underWay;
}

L1Misses::Arrival L1Misses::fill(const tlm::tlm_generic_payload& payload, Cycle now) {
  const LineRequest& request = LineRequester::of(payload);
  Arrival arrival{mshrs_.find(request.line), request.line,
                  array_.sectors(request.address, payload.get_data_length()), false,
                  bytesOf(payload)};
  Requests& requests = requests_[arrival.number];
  for (const Requests::Byte& byte : requests.stored) payload.get_data_ptr()[byte.at] = byte.value;
  requests.stored.clear();
  const SectorMask kept = arrival.sectors & ~requests.overwritten;
  arrival.written = kept != arrival.sectors || sectors_.isOutdated(arrival.number, arrival.sectors);
  requests.underWay &= ~arrival.sectors;
  requests.overwritten &= ~arrival.sectors;
  if (kept != 0) install(arrival, kept, request, now);
  sectors_.arrived(arrival.number, arrival.sectors);
  if (requests.underWay == 0 && parameters_.allocation == Allocation::Miss)
    array_.unreserve(array_.reservedFor(request.line));
  for (Waiter& waiter : waiters(arrival.number)) waiter.sectors &= ~arrival.sectors;
  return arrival;
}

void L1Misses::install(const Arrival& arrival, SectorMask kept, const LineRequest& request,
                       Cycle now) {
  const bool reserved = parameters_.allocation == Allocation::Miss;
  CacheArray::Frame frame =
      reserved ? array_.reservedFor(arrival.line) : sectors_.target(arrival.line);
  if (frame == CacheArray::kNone) {
    frame = array_.victim(arrival.line);
    array_.place(frame, arrival.line, false);
  }
  const auto words = static_cast<std::uint32_t>(__builtin_popcount(kept)) * kSectorBytes / 4;
  events_.effort(EffortEvent::L1Write, request.program, request.pc, words, now);
  sectors_.fill(arrival.number, frame, kept, arrival.bytes);
}

const std::uint8_t* L1Misses::bytesOf(const tlm::tlm_generic_payload& payload) {
  if (line_.empty() || payload.get_data_length() == line_.size()) return payload.get_data_ptr();
  std::memcpy(line_.data() + (LineRequester::of(payload).address & (line_.size() - 1)),
              payload.get_data_ptr(), payload.get_data_length());
  return line_.data();
}

L1Misses::Waiter* L1Misses::waiter(std::uint64_t line, const WarpAccess& access) {
  const Number number = mshrs_.find(line);
  if (number == kNone) return nullptr;
  auto& all = waiters(number);
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const Waiter& w) { return w.access == &access; });
  return own == all.end() ? nullptr : &*own;
}

}  // namespace fermata
