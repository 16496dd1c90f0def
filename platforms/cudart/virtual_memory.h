// Virtual memory of the driver interface: ranges of addresses, memory without an address, and which
// memory lies at which addresses.
#pragma once

#include <fermata/platforms/cudart/session.h>

#include <cstdint>

namespace fermata::cudart {

/// Sizes and addresses are multiples of it, as on GPUs.
inline constexpr std::size_t kVirtualGranularity = std::size_t{2} << 20;

/// Reserves addresses, which are the same in every run. Throws ApiError, like all functions here.
std::uint64_t reserveAddresses(std::size_t bytes, std::size_t alignment);
void freeAddresses(std::uint64_t base, std::size_t bytes);

/// Makes zeroed memory and returns its handle. It goes when the handle is released and nothing maps
/// it.
std::uint64_t createMemory(Session& session, std::size_t bytes);
void releaseMemory(Session& session, std::uint64_t handle);
/// Adds a handle of the memory that is mapped at an address: the same handle, to be released once
/// more.
std::uint64_t retainMemory(std::uint64_t address);
void requireMemory(std::uint64_t handle);

void mapMemory(std::uint64_t address, std::size_t bytes, std::size_t offset, std::uint64_t handle);
/// Lets the device access whole mappings, or not. Neighbours that it accesses are one block.
void setAccess(Session& session, std::uint64_t address, std::size_t bytes, bool accessible);
bool hasAccess(std::uint64_t address);
void unmapMemory(Session& session, std::uint64_t address, std::size_t bytes);

/// Forgets all; called when the device has begun anew, which unmaps everything.
void forgetVirtualMemory(Session& session);

}  // namespace fermata::cudart
