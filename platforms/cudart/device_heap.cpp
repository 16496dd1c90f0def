#include <fermata/platforms/cudart/device_heap.h>

#include <fermata/platforms/cudart/sizes.h>
#include <fermata/stimuli/ptx/warp.h>

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace fermata::cudart {
namespace {

bool isOnDevice(MemoryKind kind) {
  return kind == MemoryKind::Device || kind == MemoryKind::Managed;
}

void* host(std::uint64_t address) { return reinterpret_cast<void*>(address); }

/// Returns whether all pages of [base, base + bytes) are mapped.
bool isMapped(std::uint64_t base, std::size_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kTogether = std::uint64_t{1} << 26;
  std::vector<unsigned char> pages(kTogether / kPage);
  const std::uint64_t end = sum(base, bytes);
  for (std::uint64_t at = base / kPage * kPage; at < end; at += kTogether) {
    if (::mincore(host(at), std::min(kTogether, end - at), pages.data()) != 0) return false;
  }
  return true;
}

}  // namespace

void DeviceHeap::refuseFor(std::size_t bytes) const {
  fail(cudaErrorMemoryAllocation, "{} bytes; the device has {} of {} free", bytes, freeBytes(),
       capacity_);
}
void DeviceHeap::requireRoom(std::size_t bytes) const {
  if (bytes > freeBytes()) refuseFor(bytes);
}
void DeviceHeap::take(std::size_t bytes) {
  requireRoom(bytes);
  used_ += bytes;
}

std::uint64_t DeviceHeap::allocate(MemoryKind kind, std::size_t bytes, unsigned flags,
                                   const char* by) {
  if (isOnDevice(kind)) requireRoom(bytes);
  std::string name = fmt::format("{} {}", by, allocations_);
  std::uint64_t address = 0;
  if (kind == MemoryKind::Device) {
    try {
      address = memory_.allocate(bytes, std::move(name));
    } catch (const BadInput& error) {
      throw ApiError(cudaErrorMemoryAllocation, error.what());
    }
  } else {
    void* const data = arena_.allocate(bytes);
    if (data == nullptr) refuseFor(bytes);
    address = reinterpret_cast<std::uint64_t>(data);
    memory_.adopt(address, bytes, static_cast<std::uint8_t*>(data), std::move(name));
  }
  ++allocations_;
  blocks_[address] = {kind, bytes, flags, nullptr, false};
  if (isOnDevice(kind)) used_ += bytes;
  return address;
}

void DeviceHeap::adopt(void* address, std::size_t bytes, unsigned flags) {
  const auto base = reinterpret_cast<std::uint64_t>(address);
  constexpr cudaError_t kCode = cudaErrorHostMemoryAlreadyRegistered;
  require(find(base, 1) == nullptr, kCode, "memory that is registered already");
  const auto next = blocks_.upper_bound(base);
  require(next == blocks_.end() || next->first >= sum(base, bytes), kCode,
          "memory that is registered in part");
  requireValue(isMapped(base, bytes), "memory that this process has not");
  try {
    memory_.adopt(base, bytes, static_cast<std::uint8_t*>(address),
                  fmt::format("cudaHostRegister {}", allocations_));
  } catch (const BadInput& error) {
    throw ApiError(cudaErrorInvalidValue, error.what());
  }
  ++allocations_;
  blocks_[base] = {MemoryKind::Registered, bytes, flags, nullptr, false};
}

void DeviceHeap::release(std::uint64_t address, bool ofHost) {
  const auto found = blocks_.find(address);
  const bool fits = found != blocks_.end() && found->second.kind != MemoryKind::Registered &&
                    !found->second.mapped && (found->second.kind == MemoryKind::Pinned) == ofHost;
  if (!fits)
    fail(cudaErrorInvalidValue, "{} is not the start of an allocation that is to be freed so; {}",
         ptx::hexAddress(address), memory_.describe(address));
  memory_.release(address);
  if (found->second.kind != MemoryKind::Device) arena_.release(host(address));
  if (isOnDevice(found->second.kind)) used_ -= found->second.bytes;
  if (found->second.pool != nullptr) pools_[found->second.pool].now -= found->second.bytes;
  blocks_.erase(found);
}

void DeviceHeap::unregister(void* address) {
  const auto found = blocks_.find(reinterpret_cast<std::uint64_t>(address));
  require(found != blocks_.end() && found->second.kind == MemoryKind::Registered,
          cudaErrorHostMemoryNotRegistered, "memory that is not registered");
  memory_.release(found->first);
  blocks_.erase(found);
}

void DeviceHeap::assign(std::uint64_t address, const void* pool) {
  Block& block = blocks_.at(address);
  block.pool = pool;
  PoolUse& uses = use(pool);
  uses.now += block.bytes;
  uses.high = std::max(uses.high, uses.now);
}

void DeviceHeap::map(std::uint64_t address, std::size_t bytes, void* data) {
  memory_.adopt(address, bytes, data, fmt::format("cuMemMap {}", allocations_));
  ++allocations_;
  blocks_[address] = {MemoryKind::Device, bytes, 0, nullptr, true};
}
void DeviceHeap::unmap(std::uint64_t address) {
  memory_.release(address);
  blocks_.erase(address);
}

void DeviceHeap::clear() {
  while (!blocks_.empty()) {
    const auto& [address, block] = *blocks_.begin();
    if (block.mapped) {
      unmap(address);
    } else if (block.kind == MemoryKind::Registered) {
      unregister(host(address));
    } else {
      release(address, block.kind == MemoryKind::Pinned);
    }
  }
}

const Block* DeviceHeap::find(std::uint64_t address, std::size_t bytes, std::uint64_t* base) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const auto found = std::prev(after);
  const std::uint64_t offset = address - found->first;
  if (offset >= found->second.bytes || bytes > found->second.bytes - offset) return nullptr;
  if (base != nullptr) *base = found->first;
  return &found->second;
}

}  // namespace fermata::cudart
