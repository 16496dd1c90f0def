// Brings the events of a timeline into time order, cuts them to a window of cycles and writes them
// to a file.
//
// Events may be added up to `lag` cycles late, and early by any number. So the stream keeps the
// events of `lag` cycles and those to come, whatever the length of the window. A slice that is open
// at the first cycle of the window begins with the window, and one that is open at its end ends
// with it; both are marked as clipped.
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
  /// `unit`: unit of time, in words.
  Stream(Writer& writer, const Window& window, Cycle lag, std::string unit);

  /// Adds a track. Call before the first event.
  TrackId add(Track track);
  Text text(std::string_view text);
  const Window& window() const { return window_; }
  /// Returns whether events from `cycle` on can no longer be in the file.
  bool over(Cycle cycle) const {
    return left_ || cycle >= window_.to + std::min(lag_, kOpen - window_.to);
  }

  /// Adds an event. Events of one track before the window must come in time order.
  void add(const Event& event);
  /// Adds a slice with a known end; an empty one is left out. `event`: of kind Begin, at its begin.
  void slice(const Event& event, Cycle end);
  /// Advances time to this cycle: writes events that are more than the lag before it.
  void reach(Cycle now);
  /// Ends the timeline in cycle `last`: nothing more comes.
  void finish(Cycle last);

  /// Number of events written.
  std::uint64_t written() const { return written_; }
  /// Counts slices that began before the previous slice of their track had ended, which was cut
  /// short, and events that came too late: 0 unless the caller errs.
  std::uint64_t faults() const { return faults_; }

 private:
  struct Entry {
    Event event;
    std::uint64_t order;
  };
  struct Later;
  /// State of a track: its open slice and last value.
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
  Cycle latest_ = 0;    ///< cycle of the latest event written
  bool begun_ = false;
  bool inside_ = false;
  bool left_ = false;
  std::uint64_t written_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace fermata::results::timeline
