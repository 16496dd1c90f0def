// Times as integers, in units of SystemC's time resolution.
#pragma once

#include <systemc>

#include <type_traits>

namespace fermata {

using Ticks = sc_core::sc_time::value_type;

/// Returns the time of `ticks`. It asks nothing of SystemC's kernel, which sc_time::from_value()
/// does: a thread that simulates an island may call it (island.h). A class of standard layout has
/// the address of its first member, and the ticks are the only one.
inline sc_core::sc_time timeOf(Ticks ticks) {
  static_assert(std::is_standard_layout_v<sc_core::sc_time> &&
                sizeof(sc_core::sc_time) == sizeof(Ticks));
  sc_core::sc_time time;
  reinterpret_cast<Ticks&>(time) = ticks;
  return time;
}

}  // namespace fermata
