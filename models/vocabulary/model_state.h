// The state of the model that a program can read: time, for instance from %clock64 or %globaltimer
// (PTX), and where it runs (%smid).
#pragma once

#include <cstdint>

namespace fermata {

class ModelState {
 public:
  virtual ~ModelState() = default;
  /// cycles() and nanoseconds() count from the start of the workload.
  virtual std::uint64_t cycles() const = 0;
  virtual std::uint64_t nanoseconds() const = 0;
  /// Returns how many multiprocessors there are.
  virtual unsigned multiprocessors() const { return 1; }
  /// Returns the number, from 0 on, of the multiprocessor that has the warp slot of the workload.
  virtual unsigned multiprocessorOf(unsigned /*slot*/) const { return 0; }
};

}  // namespace fermata
