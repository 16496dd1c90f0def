// Times as integers, in units of SystemC's time resolution.
#pragma once

#include <systemc>

namespace fermata {

using Ticks = sc_core::sc_time::value_type;

/// Returns the time of `ticks`. Up to 2^52 ticks it asks nothing of SystemC's kernel, which
/// sc_time::from_value() does: a thread that simulates an island may call it (island.h).
inline sc_core::sc_time timeOf(Ticks ticks) {
  static const sc_core::sc_time one = sc_core::sc_time::from_value(1);
  if (ticks >> 52 != 0) return sc_core::sc_time::from_value(ticks);
  sc_core::sc_time time = one;
  time *= static_cast<double>(ticks);
  return time;
}

}  // namespace fermata
