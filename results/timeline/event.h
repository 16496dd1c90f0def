// What a timeline says, whatever file it is written to: tracks, and what happens on them in whole
// cycles.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fermata::results::timeline {

using Cycle = std::uint64_t;
inline constexpr Cycle kOpen = std::numeric_limits<Cycle>::max();

/// Number of a text in Tables::texts; 0 is the empty one.
using Text = std::uint32_t;
/// Number of a track in Tables::tracks.
using TrackId = std::uint32_t;
inline constexpr TrackId kNoTrack = std::numeric_limits<TrackId>::max();

struct Track {
  enum class Kind : std::uint8_t {
    Group,     ///< of tracks; nothing happens on it
    Slices,    ///< one at a time, each with a begin and an end
    Instants,  ///< each in a cycle
    Count,     ///< a whole number over time
    Measure,   ///< a real number over time
  };
  Kind kind = Kind::Slices;
  std::string name;
  TrackId group = kNoTrack;
  /// Group: of what. Slices, instants: what Event::number says, "passes". Count, measure: the unit.
  std::string says;
};

/// Events of a track are in time order; of one cycle, ends come before the rest.
struct Event {
  enum class Kind : std::uint8_t {
    Begin,    ///< a slice: name, detail, number
    End,      ///< of the slice that is there
    Instant,  ///< name, detail, number
    Value,    ///< number, or real
    // The life of an instruction on the track of its warp; `number` is its own.
    Open,   ///< name, detail
    Stage,  ///< name: it is in this stage from now on
    Close,
  };
  Cycle at = 0;
  Kind kind = Kind::Instant;
  bool clipped = false;   ///< Begin, Open: it was there before; End, Close: it is there still
  bool flowEnds = false;  ///< no event of the flow comes behind it
  TrackId track = 0;
  Text name = 0;
  Text detail = 0;
  std::uint64_t number = 0;
  double real = 0;         ///< value of a Measure
  Cycle since = 0;         ///< clipped Begin, Open: when it began
  std::uint64_t flow = 0;  ///< those of one flow belong together; 0: none
};

/// What events name by number.
struct Tables {
  std::vector<Track> tracks;
  std::vector<std::string> texts{""};
  std::string unit;  ///< of time, in words
};

/// A file format.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Every track is known; texts are added to the tables before an event names them.
  virtual void begin(const Tables& tables, Cycle from) = 0;
  /// In time order.
  virtual void put(const Event& event) = 0;
  /// Everything has ended.
  virtual void end(Cycle to) = 0;
};

}  // namespace fermata::results::timeline
