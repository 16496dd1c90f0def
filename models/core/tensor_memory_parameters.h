// Parameters of tensor memory and of the unit whose sums it holds (tcgen05). No SystemC.
#pragma once

#include <algorithm>

namespace fermata {

struct TensorMemoryParameters {
  unsigned loadLatency = 0;  ///< cycles of tcgen05.ld of one register; 0: no tensor memory
  unsigned loadBytes = 128;  ///< bytes per cycle from a warp's 32 lanes
  unsigned storeLatency = 1;
  unsigned storeBytes = 128;
  unsigned productLatency = 1;   ///< cycles from the end of a product to an arrival behind it
  unsigned productInterval = 1;  ///< least cycles from a product to the next
  unsigned productColumns = 2;   ///< columns of a product per cycle
  unsigned copyBytes = 128;      ///< bytes that tcgen05.cp moves per cycle

  bool exists() const { return loadLatency != 0; }
  /// Returns the cycles for which an access of `registers` registers holds the way of its warp.
  unsigned held(bool store, unsigned registers) const {
    constexpr unsigned kBytes = 128;  // a register of a warp
    const unsigned bytes = store ? storeBytes : loadBytes;
    return (registers * kBytes + bytes - 1) / bytes;
  }
  /// Returns the cycles from the issue of an access until its registers are there.
  unsigned latency(bool store, unsigned registers) const {
    return (store ? storeLatency : loadLatency) + held(store, registers) - held(store, 1);
  }
  unsigned interval(unsigned columns) const {
    return std::max(productInterval, (columns + productColumns - 1) / productColumns);
  }
};

}  // namespace fermata
