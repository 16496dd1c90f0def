#include <fermata/models/timing/clock.h>

#include <cmath>
#include <sstream>

namespace fermata {

std::string Clock::wrong(double megahertz) {
  if (!(megahertz >= 1e-6 && megahertz <= 1e6))
    return "a clock's frequency must be 1e-6 to 1e6 MHz";
  constexpr double kMostChange = 1e-3 * (1 + 1e-9);  // 0.1 %, plus the rounding error of a quotient
  const double exact = 1e6 / megahertz;
  const double resolution = sc_core::sc_get_time_resolution().to_seconds() * 1e12;
  const double rounded = std::floor(exact / resolution + 0.5) * resolution;
  const double change = std::abs(rounded - exact) / exact;
  if (change <= kMostChange) return "";
  std::ostringstream text;
  text << "a clock of " << megahertz << " MHz has a period of " << exact
       << " ps, and a time resolution of " << resolution << " ps makes it " << rounded << " ps, "
       << 100 * change
       << " % off; expected 0.1 % or less: another frequency, or a finer resolution";
  return text.str();
}

}  // namespace fermata
