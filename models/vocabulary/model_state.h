// The state of the model that a workload can ask for: time, for instance for %clock64 or
// %globaltimer (PTX), where a warp runs (%smid), and where its local memory lies.
#pragma once

#include <cstdint>

namespace fermata {

/// The place of a warp in local memory whose words at one offset lie side by side for many warps.
struct LocalPlace {
  std::uint64_t warp = 0;   ///< number of the warp; from `warps` on: behind all words of these
  std::uint64_t warps = 0;  ///< warps side by side; 0: a warp's words lie together, by its slot
};

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
  /// Returns where the local memory of the warp in the slot lies. While a grid runs,
  /// LocalPlace::warps is equal for all its warps.
  virtual LocalPlace localPlace(unsigned /*slot*/) const { return {}; }
};

}  // namespace fermata
