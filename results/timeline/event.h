// Content of a timeline, for any file format: tracks, and events on them in whole cycles.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fermata::results::timeline {

using Cycle = std::uint64_t;
inline constexpr Cycle kOpen = std::numeric_limits<Cycle>::max();

/// Number of a text in Tables::texts; 0 is the empty text.
using Text = std::uint32_t;
/// Number of a track in Tables::tracks.
using TrackId = std::uint32_t;
inline constexpr TrackId kNoTrack = std::numeric_limits<TrackId>::max();

struct Track {
  enum class Kind : std::uint8_t {
    Group,     ///< a group of tracks; has no events
    Slices,    ///< one slice at a time, each with a begin and an end
    Instants,  ///< events of one cycle each
    Count,     ///< a whole number over time
    Measure,   ///< a real number over time
  };
  Kind kind = Kind::Slices;
  std::string name;
  TrackId group = kNoTrack;
  /// Slices, instants: meaning of Event::number, "passes". Count, measure: the unit. Group: empty.
  std::string says;
};

/// Events of a track are in time order; within one cycle, ends come before the rest.
struct Event {
  enum class Kind : std::uint8_t {
    Begin,    ///< a slice: name, detail, number
    End,      ///< ends the open slice
    Instant,  ///< name, detail, number
    Value,    ///< number, or real
    // Life of an instruction on the track of its warp; `number` identifies it.
    Open,   ///< name, detail
    Stage,  ///< name: the instruction is in this stage from now on
    Close,
  };
  Cycle at = 0;
  Kind kind = Kind::Instant;
  bool clipped = false;   ///< Begin, Open: began before the window; End, Close: goes on after it
  bool flowEnds = false;  ///< no event of the flow comes later
  TrackId track = 0;
  Text name = 0;
  Text detail = 0;
  std::uint64_t number = 0;
  double real = 0;         ///< value of a Measure
  Cycle since = 0;         ///< clipped Begin, Open: the cycle in which it began
  std::uint64_t flow = 0;  ///< number shared by the events of one flow; 0: none
};

/// Tables of what events name by number.
struct Tables {
  std::vector<Track> tracks;
  std::vector<std::string> texts{""};
  std::string unit;  ///< unit of time, in words
};

/// Writes one file format.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Begins the file. Every track is known; texts are added to the tables before an event names
  /// them.
  virtual void begin(const Tables& tables, Cycle from) = 0;
  /// Writes an event. Events come in time order.
  virtual void put(const Event& event) = 0;
  /// Ends the file. Everything has ended.
  virtual void end(Cycle to) = 0;
};

}  // namespace fermata::results::timeline
