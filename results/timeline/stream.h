// The events of a timeline on their way to a file: put in time order, and cut to a window of
// cycles.
//
// Whoever adds events may be late by `lag` cycles, and early by any; so what is kept are the events
// of `lag` cycles and those to come, whatever the length of the window. What is there at the first
// cycle of the window begins with it, what is there at its end ends with it, and both say so.
#pragma once

#include <fermata/results/timeline/event.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fermata::results::timeline {

/// Cycles from `from` to the one before `to`.
struct Window {
  Cycle from = 0;
  Cycle to = kOpen;
};

class Stream {
 public:
  /// `unit`: of time, in words.
  Stream(Writer& writer, const Window& window, Cycle lag, std::string unit);

  /// Before the first event.
  TrackId add(Track track);
  Text text(std::string_view text);
  const Window& window() const { return window_; }
  /// What is said from `cycle` on can no longer be in the file.
  bool over(Cycle cycle) const {
    return left_ || cycle >= window_.to + std::min(lag_, kOpen - window_.to);
  }

  /// Those of one track and before the window in time order.
  void add(const Event& event);
  /// A slice of known ends; an empty one is left out. `event`: of kind Begin, at its begin.
  void slice(const Event& event, Cycle end);
  /// Time has come to this cycle: what is more than the lag before it is written.
  void reach(Cycle now);
  /// There is nothing more: time has come to its end in cycle `last`.
  void finish(Cycle last);

  /// Events written.
  std::uint64_t written() const { return written_; }
  /// Slices that began before the one before on their track had ended, which was cut short, and
  /// events that came too late: 0 unless whoever adds them errs.
  std::uint64_t faults() const { return faults_; }

 private:
  struct Entry {
    Event event;
    std::uint64_t order;
  };
  struct Later;
  /// What is there on a track.
  struct State {
    std::optional<Event> slice;
    std::optional<Event> value;
    unsigned cutShort = 0;  ///< slices whose ends are still to come
  };
  struct Instruction {
    Event open;
    std::optional<Event> stage;
  };

  void release(Cycle before);
  void pass(Event event);
  bool note(const Event& event);
  bool noteInstruction(const Event& event);
  std::vector<std::uint64_t> instructionNumbers() const;
  void enter();
  void leave(Cycle at);
  void write(Event event);

  Writer& writer_;
  Window window_;
  Cycle lag_;
  Tables tables_;
  std::unordered_map<std::string, Text> numbers_;
  std::vector<Entry> waiting_;  ///< a heap
  std::vector<State> states_;   ///< by track
  std::unordered_map<std::uint64_t, Instruction> instructions_;
  std::uint64_t order_ = 0;
  Cycle released_ = 0;  ///< everything before it is out of `waiting_`
  Cycle latest_ = 0;    ///< of what was written
  bool begun_ = false;
  bool inside_ = false;
  bool left_ = false;
  std::uint64_t written_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace fermata::results::timeline
