// Parameters of clusters: the way between the shared memories of their CTAs, and their barrier. No
// SystemC.
#pragma once

namespace fermata {

struct ClusterParameters {
  unsigned latency = 0;         ///< cycles that a CTA's access to another CTA takes more; 0: none
  unsigned ownLatency = 0;      ///< cycles that a load from the own CTA by its rank takes more
  unsigned loadInterval = 6;    ///< cycles that 128 bytes of loads take on the way
  unsigned storeInterval = 3;   ///< cycles that 128 bytes of stores take
  unsigned atomicInterval = 8;  ///< cycles that 128 bytes of atomics take
  unsigned barrierLatency = 0;  ///< from the last arrival to the next issue of a warp that waits
  unsigned releaseLatency = 0;  ///< from the issue of an arrival that orders stores to its effect

  bool exists() const { return latency != 0; }
};

}  // namespace fermata
