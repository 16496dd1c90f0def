// The head of a kernel's trace: lines "-key = value" before the first '#'.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <fermata/models/vocabulary/grid.h>
#include <fermata/stimuli/traces/sass/trace_lines.h>

namespace fermata::sass {

/// Settings of the user for traces of machine code.
struct TraceSettings {
  std::optional<std::uint32_t> shared;     ///< bytes of shared memory per CTA; none: the header's
  std::optional<std::uint32_t> registers;  ///< registers per thread; none: the header's
  bool unknownAsInteger = false;           ///< an opcode that is not known is one of class integer
};

struct KernelHeader {
  std::string name;
  std::array<std::uint32_t, 3> grid{};   ///< x, y, z
  std::array<std::uint32_t, 3> block{};  ///< x, y, z
  std::uint64_t shared = 0;              ///< bytes per CTA, static and dynamic
  std::uint64_t registers = 0;           ///< per thread
  std::uint32_t architecture = 0;        ///< 61, 80, 90; 0: not known
  std::uint64_t stream = 0;
  std::uint64_t sharedBase = 0;  ///< window of shared memory in generic addresses; 0: not known
  std::uint64_t localBase = 0;   ///< window of local memory
  bool sourceLines = false;      ///< rows begin with a line of the source
  bool accessesAlone = false;    ///< a list of accesses (access_list.h)

  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + kWarpLanes - 1) / kWarpLanes; }
};

/// Reads the lines up to the first that begins with '#' or is no header line. Throws InputError for
/// a value that no GPU has, unless the settings replace it.
KernelHeader readHeader(TraceLines& lines, const TraceSettings& settings);

/// Returns whether a GPU may have the values that the settings do not replace.
bool isPlausible(const KernelHeader& header, const TraceSettings& settings);

/// Bytes of a window of generic addresses.
inline constexpr std::uint64_t kWindowBytes = 0x1000000;

/// Returns the bytes of shared memory that addresses may reach: those of the settings or of the
/// header. From sm_80 on, the 1024 bytes that the system keeps for each CTA count, too.
std::uint64_t sharedLimit(const KernelHeader& header, const TraceSettings& settings);

}  // namespace fermata::sass
