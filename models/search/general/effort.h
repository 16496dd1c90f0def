// Work that the general search may still do. Counted, never timed, so that any machine gives the
// same answer.
#pragma once

#include <cstdint>
#include <limits>

namespace fermata::search::general {

class Effort {
 public:
  /// Visits allowed per mapping; a visit looks at one set of words once. On few sets, the work
  /// around a mapping outweighs its visits.
  static constexpr std::uint64_t kVisitsPerMapping = 512;

  /// `mappings`: most mappings and partial mappings that may be evaluated.
  explicit Effort(std::uint64_t mappings) : mappings_(mappings) { allow(100); }

  /// From now on, spent() means that this percentage of the whole is spent.
  void allow(unsigned percent) {
    mappingLimit_ = mappings_ / 100 * percent + mappings_ % 100 * percent / 100;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    visitLimit_ =
        mappingLimit_ > kMost / kVisitsPerMapping ? kMost : mappingLimit_ * kVisitsPerMapping;
  }
  void addMapping() { ++evaluated_; }
  /// Adds visits of sets, or other work that takes as long (some 50 operations each).
  void addVisits(std::uint64_t count) { visits_ += count; }

  bool spent() const { return evaluated_ >= mappingLimit_ || visits_ >= visitLimit_; }
  std::uint64_t evaluated() const { return evaluated_; }

 private:
  std::uint64_t mappings_;
  std::uint64_t mappingLimit_ = 0;
  std::uint64_t visitLimit_ = 0;
  std::uint64_t evaluated_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace fermata::search::general
