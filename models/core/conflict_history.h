// Remembers, by PC, the conflicts that a kernel's shared memory instructions had when they last
// executed: a small set-associative cache with replacement of the least recently used line (Gou and
// Gaydadjiev, Elastic Pipeline, CF 2011, section 4.2 and figure 7).
//
// `degree` in this file is the paper's: the passes of the whole warp (equation 4) less its ideal
// passes. In the words of this project: conflict cycles. 0 means no conflict (footnote 9).
#pragma once

#include <fermata/models/core/in_order_parameters.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace fermata {

class ConflictHistory {
 public:
  using Parameters = HistoryParameters;
  /// Largest degree kept; larger ones are cut to it: 5 bits (table 2: log2 of the warp size).
  static constexpr unsigned kMostDegree = 31;

  explicit ConflictHistory(const Parameters& parameters);

  /// Returns the prediction for an instruction; nothing if it has not executed since clear() or its
  /// line was replaced.
  std::optional<unsigned> find(std::uint32_t pc);
  /// Records that the instruction executed with this degree.
  void update(std::uint32_t pc, unsigned degree);
  void clear();

  /// Returns the size of the cache in hardware (table 2), with tags from a 14-bit PC and 5-bit
  /// degrees: 704 bytes with the defaults.
  static double bytes(const Parameters& parameters);
  /// Returns the bits of a tag: those of a 14-bit PC less those that choose the set.
  static unsigned tagBits(const Parameters& parameters);

 private:
  struct Line {
    std::uint32_t pc = 0;
    unsigned count = 0;  ///< executions kept; 0: the line is free
    unsigned next = 0;   ///< index at which the next execution is kept
    std::uint64_t used = 0;
  };

  Line* lineOf(std::uint32_t pc);
  Line& replaced(std::uint32_t pc);
  std::uint8_t* degreesOf(const Line& line) {
    return degrees_.data() + static_cast<std::size_t>(&line - lines_.data()) * parameters_.length;
  }
  unsigned foretold(const Line& line);

  Parameters parameters_;
  std::vector<Line> lines_;  ///< [set][way]
  std::vector<std::uint8_t> degrees_;
  std::uint64_t uses_ = 0;
};

}  // namespace fermata
