#include <fermata/stimuli/ptx/device_memory.h>

#include <cstring>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

std::uint64_t DeviceMemory::allocate(std::size_t bytes, std::string name) {
  if (bytes == 0) throw InputError("allocation of 0 bytes for '" + name + "'");
  if (bytes > kArenaEnd - kArenaBase || next_ + bytes + kAlignment > kArenaEnd) {
    throw InputError("device memory is full: '" + name + "' needs " + std::to_string(bytes) +
                     " bytes, " + std::to_string(kArenaEnd - next_) + " are left");
  }
  Allocation allocation;
  allocation.base = next_;
  allocation.bytes = bytes;
  allocation.name = std::move(name);
  allocation.data = std::make_unique<std::uint8_t[]>(bytes);
  if (trackWritten_) allocation.written = std::make_unique<std::uint8_t[]>(bytes);
  next_ += (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
  const std::uint64_t base = allocation.base;
  allocations_.emplace(base, std::move(allocation));
  return base;
}

void DeviceMemory::release(std::uint64_t address) {
  if (allocations_.erase(address) == 0) {
    throw InputError("nothing was allocated at address " + hexAddress(address));
  }
  ++generation_;
}

const Allocation* DeviceMemory::find(std::uint64_t address, std::size_t bytes) const {
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  --it;
  return it->second.contains(address, bytes) ? &it->second : nullptr;
}

Allocation* DeviceMemory::find(std::uint64_t address, std::size_t bytes) {
  return const_cast<Allocation*>(static_cast<const DeviceMemory*>(this)->find(address, bytes));
}

const Allocation& DeviceMemory::require(std::uint64_t address, std::size_t bytes) const {
  const Allocation* allocation = find(address, bytes);
  if (allocation == nullptr) {
    throw InputError("device memory of " + std::to_string(bytes) + " bytes at " +
                     hexAddress(address) + " is out of bounds; " + describe(address));
  }
  return *allocation;
}

const std::uint8_t* DeviceMemory::host(std::uint64_t address) const {
  const Allocation& allocation = require(address, 1);
  return allocation.data.get() + (address - allocation.base);
}
std::uint8_t* DeviceMemory::host(std::uint64_t address) {
  const Allocation& allocation = require(address, 1);
  return allocation.data.get() + (address - allocation.base);
}

void DeviceMemory::read(std::uint64_t address, void* to, std::size_t bytes) const {
  if (bytes == 0) return;
  const Allocation& allocation = require(address, bytes);
  std::memcpy(to, allocation.data.get() + (address - allocation.base), bytes);
}

void DeviceMemory::write(std::uint64_t address, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const Allocation& allocation = require(address, bytes);
  std::memcpy(allocation.data.get() + (address - allocation.base), from, bytes);
  markInitialised(address, bytes);
}

void DeviceMemory::markInitialised(std::uint64_t address, std::size_t bytes) {
  if (bytes == 0) return;
  const Allocation& allocation = require(address, bytes);
  if (allocation.written != nullptr)
    std::memset(allocation.written.get() + (address - allocation.base), 1, bytes);
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  if (allocations_.empty()) return "nothing is allocated";
  const auto text = [](const Allocation& a) {
    return "'" + a.name + "' (" + std::to_string(a.bytes) + " bytes at " + hexAddress(a.base) + ")";
  };
  const auto after = allocations_.upper_bound(address);
  const Allocation* below = after == allocations_.begin() ? nullptr : &std::prev(after)->second;
  if (below != nullptr && below->contains(address, 1)) {
    return hexAddress(address) + " is " + std::to_string(address - below->base) + " bytes into " +
           text(*below);
  }
  const std::uint64_t past =
      below != nullptr ? address - (below->base + below->bytes) : ~std::uint64_t{0};
  const std::uint64_t before =
      after != allocations_.end() ? after->second.base - address : ~std::uint64_t{0};
  if (past <= before)
    return hexAddress(address) + " is " + std::to_string(past) + " bytes past the end of " +
           text(*below);
  return hexAddress(address) + " is " + std::to_string(before) + " bytes before " +
         text(after->second);
}

}  // namespace fermata::ptx
