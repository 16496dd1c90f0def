// The words of the CSV trace (README.md beside this file): names, limits, lane addresses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fermata/models/vocabulary/atomic_table.h>

namespace fermata::traces {

inline constexpr std::string_view kMagic = "fermata-trace";
inline constexpr unsigned kVersion = 1;
/// The columns of a row that is a warp instruction; the trace repeats them in its second line.
inline constexpr std::array<std::string_view, 7> kColumns{"cta",     "warp",  "pc",   "lanes",
                                                          "operand", "space", "bytes"};

// Limits that bound what a torn or hostile trace may ask for.
inline constexpr std::uint32_t kMaxThreads = 1024;
inline constexpr std::uint32_t kMaxRegisters = 65536;
inline constexpr std::uint32_t kMaxInstructions = 1U << 20;  ///< in all programs together
inline constexpr std::uint32_t kMaxTensorWork = 65535;
inline constexpr std::uint32_t kMaxBarriers = 16;
inline constexpr std::uint32_t kMaxGroupsLeft = StaticInstruction::kAnyGroups - 1U;
inline constexpr std::uint32_t kMostPause = (1U << 24) - 1;  ///< nanoseconds

/// A place in a text and what is wrong there; becomes an InputError once file and line are known.
struct FormatError {
  std::size_t offset = 0;
  std::string what;
};

std::string_view name(InstructionClass value);
std::string_view name(MemorySpace value);  ///< None: empty
std::string_view name(MemoryOperation value);
std::string_view name(CopyStep value);  ///< None: empty
std::string_view name(AtomicForm value);

/// Returns the value that has this name. Throws FormatError, listing all names.
InstructionClass classNamed(std::string_view text);
MemorySpace spaceNamed(std::string_view text);
MemoryOperation operationNamed(std::string_view text);
CopyStep copyStepNamed(std::string_view text);
AtomicForm formNamed(std::string_view text);

/// Parses a whole decimal number of at most `limit`. Throws FormatError that names `quantity`.
std::uint64_t parseNumber(std::string_view text, std::uint64_t limit, std::string_view quantity);
/// Parses 1 to 8 hexadecimal digits.
LaneMask parseMask(std::string_view text);
/// Parses the bytes of a lane's access: 1, 2, 4, 8 or 16; with `orNone` also 0.
std::uint8_t parseBytes(std::string_view text, bool orNone);
/// Returns true for 1, 2, 4, 8 and 16.
bool isAccessSize(unsigned bytes);

/// A run of addresses: `count` active lanes in rising order, beginning with lane f. Lane l has the
/// byte address base + stride * (l - f).
struct AddressRun {
  std::uint64_t base = 0;
  std::int32_t stride = 0;
  std::uint32_t count = 0;
};
using AddressRuns = std::array<AddressRun, kWarpLanes>;
using LaneAddresses = std::array<std::uint64_t, kWarpLanes>;

struct ParsedRuns {
  unsigned count = 0;
  std::uint64_t highest = 0;  ///< highest address of any lane
};
/// Parses the text form: terms separated by ';', each "base" (one lane), "base+stride" or
/// "base-stride" (all lanes that are left), or "base+stride*lanes". The terms cover every active
/// lane. Throws FormatError.
ParsedRuns parseRuns(std::string_view text, LaneMask active, AddressRuns& runs);
/// Appends the text form of the active lanes' addresses.
void appendRuns(std::string& text, const LaneAddresses& address, LaneMask active);
/// Finds runs that cover the active lanes' addresses. Returns their number.
unsigned findRuns(const LaneAddresses& address, LaneMask active, AddressRuns& runs);
/// Takes the run's lanes off those left and raises `highest` to its highest address. Returns false
/// and changes nothing if the run has no lanes, more than are left, or addresses beyond 64 bits.
bool takeLanes(const AddressRun& run, LaneMask& left, std::uint64_t& highest);
/// Returns true if the address of every active lane is a multiple of `bytes`, a power of two. The
/// runs must cover the active lanes.
bool areAligned(const AddressRun* runs, unsigned count, LaneMask active, unsigned bytes);
/// Sets the addresses of the active lanes; others stay or get any value.
void expandRuns(const AddressRun* runs, unsigned count, LaneMask active, LaneAddresses& address);

/// Appends a decimal number.
void appendNumber(std::string& text, std::uint64_t number);

}  // namespace fermata::traces
