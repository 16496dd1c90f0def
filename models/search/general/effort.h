// How much work the general search may still do. Counted, never timed: the same answer on any
// machine.
#pragma once

#include <cstdint>
#include <limits>

namespace fermata::search::general {

class Effort {
 public:
  /// Looking at a set of words once; a mapping on few sets costs little besides what is around it.
  static constexpr std::uint64_t kVisitsPerMapping = 512;

  /// `mappings`: mappings and partial mappings that may be evaluated.
  explicit Effort(std::uint64_t mappings) : mappings_(mappings) { allow(100); }

  /// spent() from now on means: this percentage of the whole is spent.
  void allow(unsigned percent) {
    mappingLimit_ = mappings_ / 100 * percent + mappings_ % 100 * percent / 100;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    visitLimit_ =
        mappingLimit_ > kMost / kVisitsPerMapping ? kMost : mappingLimit_ * kVisitsPerMapping;
  }
  void addMapping() { ++evaluated_; }
  /// Of sets, or other work that takes as long (some 50 operations each).
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
