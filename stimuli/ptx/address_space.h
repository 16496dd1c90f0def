// Where the state spaces lie in generic addressing, and local memory as the timing model sees it.
#pragma once

#include <cstdint>

#include <fermata/stimuli/ptx/device_memory.h>

namespace fermata::ptx {

/// Generic addresses: a window each for shared, local and parameter space; .global and .const are
/// addresses of DeviceMemory as they are. cvta adds the base, cvta.to takes it off.
/// Addresses of the other spaces have 32 bits: of a 64-bit register the lower half (PTX ISA,
/// addresses as operands: truncated if the register is wider than the addresses of the space).
inline constexpr std::uint64_t kSharedWindow = 0x01000000;
inline constexpr std::uint64_t kLocalWindow = 0x02000000;
inline constexpr std::uint64_t kParameterWindow = 0x03000000;
inline constexpr std::uint64_t kWindowBytes = 0x01000000;

/// Local memory in WarpInstruction::address: lanes at the same offset are adjacent 4-byte words, as
/// in hardware, so that a scalar access of a warp is one 128-byte segment:
///   address = kLocalTimingBase + slot * bytesPerWarp + (offset / 4) * 128 + lane * 4 + offset % 4
/// with bytesPerWarp = 32 * the kernel's local bytes, rounded up to 128. Of an access wider than 4
/// bytes this is the first word; the next lies 128 bytes further.
inline constexpr std::uint64_t kLocalTimingBase = DeviceMemory::kArenaEnd;

}  // namespace fermata::ptx
