// What programs that ask are told of time.
#pragma once

#include <cstdint>

namespace fermata {

class ModelTime {
 public:
  virtual ~ModelTime() = default;
  /// Since the workload began.
  virtual std::uint64_t cycles() const = 0;
  virtual std::uint64_t nanoseconds() const = 0;
};

}  // namespace fermata
