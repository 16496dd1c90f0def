// Addresses of the state spaces in generic addressing, and of local memory in the timing model.
#pragma once

#include <cstdint>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/ptx/device_memory.h>

namespace fermata::ptx {

/// Windows of generic addressing: one each for shared, local and parameter space. Generic addresses
/// of .global and .const are addresses of DeviceMemory. cvta adds the base of the window, cvta.to
/// subtracts it.
/// An address within a windowed space has 32 bits: the lower half of a 64-bit register (PTX ISA,
/// addresses as operands: truncated if the register is wider than the addresses of the space).
inline constexpr std::uint64_t kSharedWindow = 0x01000000;
inline constexpr std::uint64_t kLocalWindow = 0x02000000;
inline constexpr std::uint64_t kParameterWindow = 0x03000000;
inline constexpr std::uint64_t kWindowBytes = 0x01000000;

/// Window of the shared memory of all CTAs of a cluster: cvta adds the base of the shared window to
/// an address that names a CTA (models/vocabulary/cluster.h), too.
inline constexpr std::uint64_t kClusterWindow = kSharedWindow + kClusterBase;
inline constexpr std::uint64_t kClusterWindowEnd = kSharedWindow + kClusterEnd;
static_assert(kClusterWindow >= kParameterWindow + kWindowBytes &&
              kClusterWindowEnd <= DeviceMemory::kArenaBase);

/// Base of local memory in WarpInstruction::address. Lanes at the same offset are adjacent 4-byte
/// words, as in hardware, so that a scalar access of a warp is one 128-byte segment:
///   address = kLocalTimingBase + slot * bytesPerWarp + (offset / 4) * 128 + lane * 4 + offset % 4
/// with bytesPerWarp = 32 * the kernel's local bytes, rounded up to 128. An access wider than 4
/// bytes gives the address of its first word; each further word lies 128 bytes beyond the one
/// before. Where the model has places for `warps` warps side by side (ModelState::localPlace):
///   address = kLocalTimingBase + warp * 128 + (offset / 4) * warps * 128 + lane * 4 + offset % 4
/// and further words lie warps * 128 bytes beyond.
inline constexpr std::uint64_t kLocalTimingBase = DeviceMemory::kArenaEnd;

}  // namespace fermata::ptx
