#include <fermata/models/memory/l1_misses.h>

#include <algorithm>
#include <cstring>

namespace fermata {

L1Misses::L1Misses(const L1CacheParameters& parameters, CacheArray& array, const L1Tags& tags,
                   LineRequester& requester, const L1Events& events)
    : parameters_(parameters),
      array_(array),
      tags_(tags),
      requester_(requester),
      events_(events),
      mshrs_(parameters.mshrs, parameters.merges),
      states_(parameters.mshrs) {}

bool L1Misses::request(const L1Try& t, unsigned i) {
  WarpAccess& access = *t.access;
  const std::uint64_t line = t.lines.line[i];
  if (const Number number = mshrs_.find(line); number != kNone) return join(number, t, line);
  if (mshrs_.full() || !reserveFrame(line)) return false;
  const Number number = mshrs_.take(line);
  states_[number] = State::Requested;
  waiters(number).push_back(&access);
  events_.effort(EffortEvent::MshrUse, access, 1, t.arrival);
  tlm::tlm_generic_payload& payload = openRead(line);
  LineRequester::of(payload).program = access.program;
  LineRequester::of(payload).pc = access.instruction.pc;
  requester_.send(payload, t.arrival + tags_.turn(line) + parameters_.lookupLatency);
  return true;
}

bool L1Misses::join(Number number, const L1Try& t, std::uint64_t line) {
  if (states_[number] != State::Requested || !mshrs_.mayMerge(number)) return false;
  waiters(number).push_back(t.access);
  events_.effort(EffortEvent::MshrUse, *t.access, 1, t.arrival);
  if (parameters_.allocation == Allocation::Miss) array_.touch(array_.reservedFor(line));
  return true;
}

bool L1Misses::reserveFrame(std::uint64_t line) {
  if (parameters_.allocation == Allocation::Fill) return true;
  const CacheArray::Frame frame = array_.victim(line);
  if (frame == CacheArray::kNone) return false;
  array_.place(frame, line, true);
  return true;
}

tlm::tlm_generic_payload& L1Misses::openRead(std::uint64_t line) {
  tlm::tlm_generic_payload& payload =
      requester_.open(tlm::TLM_READ_COMMAND, array_.addressOf(line), parameters_.shape.lineBytes);
  LineRequester::of(payload).line = line;
  return payload;
}

void L1Misses::written(std::uint64_t line) {
  const Number number = mshrs_.find(line);
  if (number != kNone && !isHeld(number)) states_[number] = State::Overwritten;
}

L1Misses::Number L1Misses::fill(const tlm::tlm_generic_payload& payload, Cycle now) {
  const std::uint64_t line = LineRequester::of(payload).line;
  const Number number = mshrs_.find(line);
  if (!isOverwritten(number)) {
    install(payload, now);
  } else if (parameters_.allocation == Allocation::Miss) {
    array_.drop(array_.reservedFor(line));
  }
  return number;
}

void L1Misses::install(const tlm::tlm_generic_payload& payload, Cycle now) {
  const LineRequest& request = LineRequester::of(payload);
  const bool reserved = parameters_.allocation == Allocation::Miss;
  const CacheArray::Frame frame =
      reserved ? array_.reservedFor(request.line) : array_.victim(request.line);
  if (!reserved) array_.place(frame, request.line, false);
  array_.at(frame).reserved = false;
  events_.effort(EffortEvent::L1Write, request.program, request.pc, parameters_.shape.lineBytes / 4,
                 now);
  array_.at(frame).valid = array_.allSectors();
  if (array_.keepsData())
    std::memcpy(array_.data(frame), payload.get_data_ptr(), parameters_.shape.lineBytes);
}

bool L1Misses::waits(Number number, const WarpAccess& access) {
  const auto& all = waiters(number);
  return std::find(all.begin(), all.end(), &access) != all.end();
}

}  // namespace fermata
