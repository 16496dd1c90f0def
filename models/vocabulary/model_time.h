// The time that a program can read, for instance from %clock64 or %globaltimer (PTX).
#pragma once

#include <cstdint>

namespace fermata {

class ModelTime {
 public:
  virtual ~ModelTime() = default;
  /// cycles() and nanoseconds() count from the start of the workload.
  virtual std::uint64_t cycles() const = 0;
  virtual std::uint64_t nanoseconds() const = 0;
};

}  // namespace fermata
