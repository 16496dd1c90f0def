// What conflicts the shared memory instructions of a kernel had when they executed last, by PC: a
// small set-associative cache with the least recently used line replaced (Gou and Gaydadjiev,
// Elastic Pipeline, CF 2011, section 4.2 and figure 7).
//
// A degree here is that of the whole warp (equation 4) less that of an access without a conflict:
// 0 says that there was none (footnote 9).
#pragma once

#include <fermata/models/choice.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace fermata {

/// What is foretold from the executions that are kept. Mean: rounded up.
enum class HistoryRule : std::uint8_t { Latest, Greatest, Mean };

template <>
struct ChoiceTable<HistoryRule> {
  static const std::vector<NamedChoice<HistoryRule>>& table();
};

class ConflictHistory {
 public:
  struct Parameters {
    unsigned sets = 256;  ///< a power of two; 0: there is no cache, nothing is ever found
    unsigned ways = 2;    ///< 1 or more
    unsigned degree = 0;  ///< foretold for an instruction that is not found
    unsigned length = 1;  ///< executions of an instruction that are kept, 1 or more
    HistoryRule rule = HistoryRule::Latest;
  };
  /// Degrees are kept up to this one: 5 bits (table 2: log2 of the warp size).
  static constexpr unsigned kMostDegree = 31;

  explicit ConflictHistory(const Parameters& parameters);

  /// Nothing: it has not executed since clear(), or its line was replaced.
  std::optional<unsigned> find(std::uint32_t pc);
  /// It executed, with this degree.
  void update(std::uint32_t pc, unsigned degree);
  void clear();

  /// Of the cache in hardware (table 2): tags of a PC of 14 bits, degrees of 5. 704 with the
  /// defaults.
  static double bytes(const Parameters& parameters);
  /// Of a PC of 14 bits, less those that choose the set.
  static unsigned tagBits(const Parameters& parameters);

 private:
  struct Line {
    std::uint32_t pc = 0;
    unsigned count = 0;  ///< executions kept; 0: the line is free
    unsigned next = 0;   ///< place of the next one
    std::uint64_t used = 0;
  };

  Line* lineOf(std::uint32_t pc);
  Line& replaced(std::uint32_t pc);
  std::uint8_t* degreesOf(const Line& line) {
    return degrees_.data() + static_cast<std::size_t>(&line - lines_.data()) * parameters_.length;
  }
  unsigned foretold(const Line& line);

  Parameters parameters_;
  std::vector<Line> lines_;  ///< by set
  std::vector<std::uint8_t> degrees_;
  std::uint64_t uses_ = 0;
};

}  // namespace fermata
