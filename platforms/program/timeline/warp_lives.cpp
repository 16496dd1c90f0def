#include <fermata/platforms/program/timeline/warp_lives.h>

#include <fermata/platforms/program/timeline/event_of.h>

#include <algorithm>
#include <utility>

namespace fermata::platforms {

using results::timeline::Event;
using results::timeline::Text;
using results::timeline::Track;

WarpLives::WarpLives(Stream& stream, InstructionNames& names, TrackId group, unsigned slots,
                     std::uint64_t first)
    : stream_(stream), names_(names), warps_(slots), lines_(first) {
  constexpr std::array<const char*, kStates> states{"",          "wait operands", "wait memory",
                                                    "wait port", "wait unit",     ""};
  constexpr std::array<const char*, kStates> stages{"", "Wo", "Wm", "Wp", "Wu", ""};
  for (unsigned i = 0; i < kStates; ++i) {
    stateNames_[i] = stream.text(states[i]);
    waitStages_[i] = stream.text(stages[i]);
  }
  for (unsigned slot = 0; slot < slots; ++slot)
    warps_[slot].track =
        stream.add({Track::Kind::Slices, "warp " + std::to_string(slot), group, "pc"});
}

// States

WarpLives::State WarpLives::readyState(const StaticInstruction* next) {
  const bool memory = next != nullptr && next->instructionClass == InstructionClass::Memory;
  return memory ? State::Port : State::Unit;
}

Text WarpLives::nameOf(const Warp& warp) {
  if (warp.state == State::Barrier) return stream_.text("barrier " + std::to_string(warp.barrier));
  return stateNames_[static_cast<unsigned>(warp.state)];
}

void WarpLives::settle(Cycle now) {
  for (SlotMask m = unsettled_; m != 0; m &= m - 1) {
    const unsigned slot = lowestSlot(m);
    Warp& warp = warps_[slot];
    settle(warp, now);
    const bool changes = warp.state == State::Operands || warp.state == State::Memory;
    if (warp.state == State::None || (warp.begun && (!changes || warp.ready == kNever)))
      unsettled_ &= ~slotBit(slot);
  }
}

void WarpLives::settle(Warp& warp, Cycle now) {
  const bool changes = warp.state == State::Operands || warp.state == State::Memory;
  if (changes && warp.ready < now) {
    if (!warp.begun && warp.since < warp.ready) begin(warp);
    const Cycle ready = std::max(warp.since, warp.ready);
    endState(warp, ready);
    warp.state = readyState(warp.next);
    warp.since = ready;
  }
  if (warp.state != State::None && !warp.begun && warp.since < now) begin(warp);
}

void WarpLives::begin(Warp& warp) {
  warp.begun = true;
  Event slice = eventOf(Event::Kind::Begin, warp.since, warp.track, nameOf(warp));
  if (warp.next != nullptr) {
    slice.number = warp.next->pc;
    slice.detail = names_.of(warp.program, warp.next->pc).source;
  }
  stream_.add(slice);
  if (warp.next == nullptr || warp.state == State::Barrier) return;
  if (warp.line == 0) openLine(warp, warp.since);
  stage(warp, warp.line, waitStages_[static_cast<unsigned>(warp.state)], warp.since);
}

void WarpLives::endState(Warp& warp, Cycle at) {
  if (!std::exchange(warp.begun, false)) return;
  stream_.add(eventOf(Event::Kind::End, at, warp.track));
}

void WarpLives::change(Warp& warp, State state, Cycle from) {
  endState(warp, from);
  warp.state = state;
  warp.since = from;
  unsettled_ |= slotBit(static_cast<unsigned>(&warp - warps_.data()));
}

// Returns whether the warp waits for memory. If `ready` is kNever, an access or the in-order
// pipeline holds the warp: true if an access is under way.
bool WarpLives::waitsForMemory(const Warp& warp, Cycle ready) {
  if (ready != kNever) return ready == warp.memoryUntil;
  return std::any_of(warp.underWay.begin(), warp.underWay.end(),
                     [](const UnderWay& one) { return one.flow != 0; });
}

// Events

void WarpLives::waits(const WaitEvent& event, std::uint32_t program, Cycle now, Cycle ready) {
  Warp& warp = warps_[event.slot];
  const Cycle from = std::max(now, warp.busyUntil);
  if (warp.atBarrier) {
    closeLine(warp, warp.atBarrier->line, from);
    warp.atBarrier.reset();
  }
  State state = waitsForMemory(warp, ready) ? State::Memory : State::Operands;
  if (ready <= from) state = readyState(event.next);
  const bool same = warp.state == state && warp.next == event.next;
  warp.program = program;
  warp.next = event.next;
  warp.ready = ready;
  if (same) {
    unsettled_ |= slotBit(event.slot);
  } else {
    change(warp, state, from);
  }
}

void WarpLives::waitsAtBarrier(unsigned slot, unsigned barrier, Cycle now) {
  Warp& warp = warps_[slot];
  warp.barrier = barrier;
  warp.next = nullptr;
  change(warp, State::Barrier, std::max(now, warp.busyUntil));
}

void WarpLives::issued(const IssueEvent& event) {
  Warp& warp = warps_[event.slot];
  const StaticInstruction& instruction = event.instruction;
  endState(warp, event.cycle);
  warp.state = State::None;
  warp.program = event.grid.program;
  warp.next = &instruction;
  if (warp.line == 0) openLine(warp, event.cycle);
  stage(warp, warp.line, issue_, event.cycle);
  const bool barrier = instruction.instructionClass == InstructionClass::Barrier;
  stage(warp, warp.line,
        barrier               ? barrier_
        : warp.requested != 0 ? memory_
                              : compute_,
        event.cycle + 1);
  const InstructionNames::Name name = names_.of(warp.program, instruction.pc);
  stream_.slice(eventOf(Event::Kind::Begin, event.cycle, warp.track, name.opcode, name.source,
                        instruction.pc, warp.requested),
                event.cycle + 1);
  warp.busyUntil = event.cycle + 1;
  warp.underWay.push_back(
      {instruction.pc, std::exchange(warp.line, 0), std::exchange(warp.requested, 0), event.cycle});
}

void WarpLives::retried(unsigned slot, std::uint64_t flow, Cycle now) {
  const Warp& warp = warps_[slot];
  const auto found = std::find_if(warp.underWay.begin(), warp.underWay.end(),
                                  [&](const UnderWay& one) { return one.flow == flow; });
  if (found == warp.underWay.end()) return;
  stage(warp, found->line, replay_, now);
  stage(warp, found->line, memory_, now + 1);
}

void WarpLives::completed(unsigned slot, const StaticInstruction& instruction, Cycle at) {
  Warp& warp = warps_[slot];
  const auto found = std::find_if(warp.underWay.begin(), warp.underWay.end(),
                                  [&](const UnderWay& one) { return one.pc == instruction.pc; });
  if (found == warp.underWay.end()) return;
  const UnderWay one = *found;
  warp.underWay.erase(found);
  if (one.flow != 0) {
    warp.memoryUntil = at;
    Event response = eventOf(Event::Kind::Instant, at, warp.track, response_,
                             names_.of(warp.program, one.pc).source, one.pc, one.flow);
    response.flowEnds = true;
    stream_.add(response);
  }
  if (instruction.instructionClass == InstructionClass::Barrier) {
    warp.atBarrier = one;
  } else {
    closeLine(warp, one.line, std::max(at, one.issued + 1));
  }
}

void WarpLives::exited(unsigned slot, Cycle now) {
  Warp& warp = warps_[slot];
  const Cycle at = std::max(now, warp.busyUntil);
  change(warp, State::None, at);
  warp.next = nullptr;
  if (warp.line != 0) closeLine(warp, std::exchange(warp.line, 0), at);
  if (!warp.atBarrier) return;
  closeLine(warp, warp.atBarrier->line, at);
  warp.atBarrier.reset();
}

// Lives of instructions

void WarpLives::openLine(Warp& warp, Cycle at) {
  const InstructionNames::Name name = names_.of(warp.program, warp.next->pc);
  warp.line = ++lines_;
  stream_.add(eventOf(Event::Kind::Open, at, warp.track, name.opcode, name.source, warp.line));
}

void WarpLives::stage(const Warp& warp, std::uint64_t line, Text name, Cycle at) {
  stream_.add(eventOf(Event::Kind::Stage, at, warp.track, name, 0, line));
}

void WarpLives::closeLine(const Warp& warp, std::uint64_t line, Cycle at) {
  stream_.add(eventOf(Event::Kind::Close, at, warp.track, 0, 0, line));
}

}  // namespace fermata::platforms
