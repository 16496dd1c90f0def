// Parameters of the engine for copies of blocks. No SystemC.
#pragma once

namespace fermata {

struct BulkEngineParameters {
  unsigned loadInterval = 0;  ///< cycles from one copy into shared memory to the next; 0: no engine
  unsigned storeInterval = 1;     ///< cycles from one copy out of shared memory to the next
  unsigned loadLatency = 0;       ///< cycles from issue to the first request, into shared memory
  unsigned storeLatency = 0;      ///< cycles from issue to the first request, out of shared memory
  unsigned multicastLatency = 0;  ///< cycles that data of a multicast take more
  unsigned loadBytes = 128;       ///< bytes requested per cycle, into shared memory
  unsigned storeBytes = 32;       ///< bytes requested per cycle, out of shared memory

  bool exists() const { return loadInterval != 0; }
  unsigned interval(bool out) const { return out ? storeInterval : loadInterval; }
  unsigned latency(bool out) const { return out ? storeLatency : loadLatency; }
  unsigned bytes(bool out) const { return out ? storeBytes : loadBytes; }
};

}  // namespace fermata
