#include <fermata/results/timeline/stream.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace fermata::results::timeline {

namespace {

using Kind = Event::Kind;

bool ends(const Event& event) {
  return event.kind == Kind::End || event.kind == Kind::Close;
}

}  // namespace

/// Orders by cycle. Within one cycle ends come first, then events in the order of their addition.
struct Stream::Later {
  bool operator()(const Entry& a, const Entry& b) const {
    const bool beginsA = !ends(a.event);
    const bool beginsB = !ends(b.event);
    return std::tie(a.event.at, beginsA, a.order) > std::tie(b.event.at, beginsB, b.order);
  }
};

Stream::Stream(Writer& writer, const Window& window, Cycle lag, std::string unit)
    : writer_(writer), window_(window), lag_(lag) {
  tables_.unit = std::move(unit);
}

TrackId Stream::add(Track track) {
  tables_.tracks.push_back(std::move(track));
  states_.emplace_back();
  return static_cast<TrackId>(tables_.tracks.size() - 1);
}

Text Stream::text(std::string_view text) {
  if (text.empty()) return 0;
  const auto [place, fresh] =
      numbers_.emplace(std::string(text), static_cast<Text>(tables_.texts.size()));
  if (fresh) tables_.texts.emplace_back(text);
  return place->second;
}

void Stream::add(const Event& event) {
  if (left_ || (event.at >= window_.to && !ends(event))) return;
  if (!inside_ && event.at + (ends(event) ? 0 : 1) <= window_.from) {
    note(event);  // only the state that it leaves counts
    return;
  }
  waiting_.push_back({event, order_++});
  std::push_heap(waiting_.begin(), waiting_.end(), Later());
}

void Stream::slice(const Event& event, Cycle end) {
  if (end <= event.at || end <= window_.from || event.at >= window_.to) return;
  add(event);
  Event last;
  last.at = end;
  last.kind = Kind::End;
  last.track = event.track;
  add(last);
}

void Stream::reach(Cycle now) {
  if (now > lag_) release(now - lag_);
}

void Stream::release(Cycle before) {
  while (!waiting_.empty() && waiting_.front().event.at < before) {
    std::pop_heap(waiting_.begin(), waiting_.end(), Later());
    const Event event = waiting_.back().event;
    waiting_.pop_back();
    pass(event);
  }
  released_ = std::max(released_, before);
}

void Stream::pass(Event event) {
  if (left_) return;
  if (event.at < released_) {  // too late for its place
    event.at = released_;
    ++faults_;
  }
  if (!inside_ && event.at >= window_.from + (ends(event) ? 1 : 0)) enter();
  if (event.at > window_.to || (event.at == window_.to && !ends(event))) return leave(window_.to);
  released_ = std::max(released_, event.at);
  if (note(event) && inside_) write(event);
}

// Keeps the state of the track. Returns false if the event changes nothing.
bool Stream::note(const Event& event) {
  State& state = states_[event.track];
  switch (event.kind) {
    case Kind::Begin:
      if (state.slice) {
        ++faults_;
        ++state.cutShort;
        Event end;
        end.at = event.at;
        end.kind = Kind::End;
        end.track = event.track;
        if (inside_) write(end);
      }
      state.slice = event;
      return true;
    case Kind::End:
      if (state.cutShort != 0) {
        --state.cutShort;
        return false;
      }
      if (!state.slice) return false;
      state.slice.reset();
      return true;
    case Kind::Value:
      if (state.value && state.value->number == event.number && state.value->real == event.real)
        return false;
      state.value = event;
      return true;
    case Kind::Instant:
      return true;
    default:
      return noteInstruction(event);
  }
}

// A stage that begins in the cycle in which its instruction ends does not count.
bool Stream::noteInstruction(const Event& event) {
  if (event.kind == Kind::Open) {
    instructions_[event.number] = {event, std::nullopt};
    return true;
  }
  const auto found = instructions_.find(event.number);
  if (found == instructions_.end()) return false;
  if (event.kind == Kind::Close) {
    instructions_.erase(found);
  } else {
    found->second.stage = event;
  }
  return true;
}

std::vector<std::uint64_t> Stream::instructionNumbers() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, instruction] : instructions_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Writes what is open when the window begins.
void Stream::enter() {
  inside_ = true;
  if (!std::exchange(begun_, true)) writer_.begin(tables_, window_.from);
  const auto put = [&](Event event, bool clipped) {
    event.clipped = clipped && event.at < window_.from;
    event.since = event.at;
    event.at = window_.from;
    write(event);
  };
  for (const State& state : states_) {
    if (state.value) put(*state.value, false);
    if (state.slice) put(*state.slice, true);
  }
  for (const std::uint64_t number : instructionNumbers()) {
    const Instruction& instruction = instructions_.at(number);
    put(instruction.open, true);
    if (instruction.stage) put(*instruction.stage, false);
  }
}

void Stream::leave(Cycle at) {
  left_ = true;
  waiting_.clear();
  Event end;
  end.at = at;
  end.clipped = true;
  end.kind = Kind::End;
  for (TrackId track = 0; track < states_.size(); ++track) {
    if (!states_[track].slice) continue;
    end.track = track;
    write(end);
  }
  end.kind = Kind::Close;
  for (const std::uint64_t number : instructionNumbers()) {
    end.track = instructions_.at(number).open.track;
    end.number = number;
    write(end);
  }
}

void Stream::write(Event event) {
  ++written_;
  latest_ = event.at;
  writer_.put(event);
}

void Stream::finish(Cycle last) {
  release(kOpen);
  const Cycle to = std::max({window_.from, latest_, std::min(last, window_.to)});
  if (!std::exchange(begun_, true)) writer_.begin(tables_, window_.from);
  if (!left_ && inside_) leave(to);
  writer_.end(to);
}

}  // namespace fermata::results::timeline
