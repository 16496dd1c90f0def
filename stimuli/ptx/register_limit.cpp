#include <fermata/stimuli/ptx/register_limit.h>

#include <algorithm>
#include <cctype>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {
namespace {

/// CUDA C++ Programming Guide 12.4, table of technical specifications.
struct Machine {
  unsigned registers;
  unsigned warps;
};

Machine machineOf(std::string_view target) {
  unsigned number = 0;
  for (const char c : target) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      number = number * 10 + static_cast<unsigned>(c - '0');
  }
  if (number < 20) return {16384, 32};
  if (number < 30) return {32768, 48};
  if (number == 75) return {65536, 32};
  const bool ofGraphics = number == 86 || number == 87 || number == 89 || number >= 120;
  return {65536, ofGraphics ? 48U : 64U};
}

unsigned roundedUp(unsigned value, unsigned unit) {
  return (value + unit - 1) / unit * unit;
}

constexpr unsigned kLanes = 32, kRegisterUnit = 8;

}  // namespace

unsigned registersThatFit(unsigned threads) {
  constexpr unsigned kRegisters = 65536;
  const unsigned warps = std::max(roundedUp(threads, kLanes) / kLanes, 1U);
  return std::min(kMostRegisters, kRegisters / (warps * kLanes) / kRegisterUnit * kRegisterUnit);
}

unsigned registerLimit(const Function& entry, std::string_view target) {
  unsigned most = kMostRegisters;
  if (entry.maximumRegisters != 0)
    most = std::clamp(entry.maximumRegisters, kFewestRegisters, most);
  const unsigned threads = std::max(entry.maximumThreads, entry.requiredThreads);
  if (threads == 0) return most;
  constexpr unsigned kWarpUnit = 4;
  const Machine machine = machineOf(target);
  const unsigned warps = roundedUp(threads, kLanes) / kLanes;
  const bool fits = entry.minimumCtas != 0 && entry.minimumCtas <= machine.warps / warps;
  const unsigned resident = roundedUp(warps * (fits ? entry.minimumCtas : 1), kWarpUnit);
  const unsigned each = machine.registers / (resident * kLanes) / kRegisterUnit * kRegisterUnit;
  return std::min(most, std::max(each, kFewestRegisters));
}

}  // namespace fermata::ptx
