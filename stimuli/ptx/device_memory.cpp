#include <fermata/stimuli/ptx/device_memory.h>

#include <sys/mman.h>

#include <cstring>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr std::size_t kRememberedFrees = 4096;

std::uint64_t aligned(std::uint64_t bytes) {
  constexpr std::uint64_t kAlign = DeviceMemory::kAlignment;
  return (bytes + kAlign - 1) / kAlign * kAlign;
}

/// Maps zeroed pages that the host provides one by one, without a promise that all of them are
/// there: a program may allocate a whole board and touch little of it. Huge pages would take 2 MiB
/// for each byte touched.
HostBytes mappedPages(std::size_t bytes) {
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  ::madvise(data, bytes, MADV_NOHUGEPAGE);
  return {static_cast<std::uint8_t*>(data), {true, bytes}};
}

HostBytes zeroed(std::size_t bytes, const std::string& name) {
  constexpr std::size_t kMapped = std::size_t{1} << 28;  // below, the host's heap does as well
  HostBytes data = bytes >= kMapped ? mappedPages(bytes)
                                    : HostBytes(static_cast<std::uint8_t*>(std::calloc(bytes, 1)));
  if (data == nullptr) {
    refuse("the host has no memory for '{}' of {} bytes", name, bytes);
  }
  return data;
}

}  // namespace

void HostBytesDelete::operator()(std::uint8_t* data) const {
  if (!owns) return;
  if (mapped != 0)
    ::munmap(data, mapped);
  else
    std::free(data);
}

DeviceMemory::DeviceMemory(bool trackWritten, Reach reach, std::uint64_t gap)
    : trackWritten_(trackWritten), gap_(aligned(gap)) {
  addGap(kArenaBase, kArenaEnd);
  if (reach == Reach::Wide) addGap(kWideBase, kWideEnd);
}

bool DeviceMemory::isPlaced(std::uint64_t base) {
  return base < kArenaEnd || (base >= kWideBase && base < kWideEnd);
}

std::uint64_t DeviceMemory::span(std::uint64_t bytes) const {
  return aligned(bytes) + gap_;
}

bool DeviceMemory::hasRoom(std::size_t bytes) const {
  return bytes <= kWideEnd - kWideBase &&
         gapsBySize_.lower_bound({span(bytes), 0}) != gapsBySize_.end();
}

std::uint64_t DeviceMemory::allocate(std::size_t bytes, std::string name) {
  if (bytes == 0) refuse("allocation of 0 bytes for '{}'", name);
  if (!hasRoom(bytes)) {
    const std::uint64_t largest = gapsBySize_.empty() ? 0 : gapsBySize_.rbegin()->first;
    refuse("device memory is full: '{}' needs {} bytes, {} are left, the most in one piece {}",
           name, bytes, freeBytes_, largest);
  }
  Allocation allocation;
  allocation.base = gapsBySize_.lower_bound({span(bytes), 0})->second;
  allocation.bytes = bytes;
  allocation.data = zeroed(bytes, name);
  if (trackWritten_) allocation.written = zeroed(bytes, name);
  allocation.name = std::move(name);
  const std::uint64_t base = allocation.base;
  takeGap(base, base + span(bytes));
  insert(std::move(allocation));
  return base;
}

void DeviceMemory::adopt(std::uint64_t base, std::size_t bytes, void* data, std::string name) {
  const std::string range = fmt::format("'{}' of {} bytes at {:#x}", name, bytes, base);
  if (bytes == 0 || base < kArenaBase || base + bytes < base)
    refuse("{} cannot be device memory; expected addresses from {:#x} on", range, kArenaBase);
  const auto after = allocations_.lower_bound(base);
  const bool meetsNext = after != allocations_.end() && after->first < base + bytes;
  if (meetsNext || find(base) != nullptr)
    refuse("{} meets another allocation; {}", range, describe(meetsNext ? after->first : base));
  if (isPlaced(base)) {  // must be a place that allocate() could choose
    auto gap = gaps_.upper_bound(base);
    const bool inGap = gap != gaps_.begin() && std::prev(gap)->second >= base + span(bytes);
    if (base % kAlignment != 0 || !inGap)
      refuse("{} does not fit the arena; expected a gap there, and a multiple of {}", range,
             kAlignment);
  }
  Allocation allocation;
  allocation.base = base;
  allocation.bytes = bytes;
  allocation.data = HostBytes(static_cast<std::uint8_t*>(data), {false, 0});
  if (trackWritten_) allocation.written = zeroed(bytes, name);
  allocation.name = std::move(name);
  if (isPlaced(base)) takeGap(base, base + span(bytes));
  insert(std::move(allocation));
}

void DeviceMemory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) {
    refuse("nothing was allocated at address {:#x}; {}", address, describe(address));
  }
  const Allocation& allocation = found->second;
  remember(allocation);
  if (isPlaced(address)) addGap(address, address + span(allocation.bytes));
  allocations_.erase(found);
  ++generation_;
}

void DeviceMemory::insert(Allocation allocation) {
  forget(allocation.base, allocation.base + allocation.bytes);
  const std::uint64_t base = allocation.base;
  allocations_.emplace(base, std::move(allocation));
}

void DeviceMemory::addGap(std::uint64_t base, std::uint64_t end) {
  freeBytes_ += end - base;
  auto next = gaps_.lower_bound(base);
  if (next != gaps_.end() && next->first == end) {
    end = next->second;
    gapsBySize_.erase({next->second - next->first, next->first});
    next = gaps_.erase(next);
  }
  if (next != gaps_.begin()) {
    const auto before = std::prev(next);
    if (before->second == base) {
      base = before->first;
      gapsBySize_.erase({before->second - before->first, before->first});
      gaps_.erase(before);
    }
  }
  gaps_.emplace(base, end);
  gapsBySize_.emplace(end - base, base);
}

/// Cuts [base, end) out of the gap that holds it.
void DeviceMemory::takeGap(std::uint64_t base, std::uint64_t end) {
  const auto gap = std::prev(gaps_.upper_bound(base));
  const auto [from, to] = *gap;
  gapsBySize_.erase({to - from, from});
  gaps_.erase(gap);
  freeBytes_ -= to - from;
  if (from < base) addGap(from, base);
  if (to > end) addGap(end, to);
}

void DeviceMemory::remember(const Allocation& allocation) {
  if (freedOrder_.size() == kRememberedFrees) {
    freed_.erase(freedOrder_.front());
    freedOrder_.pop_front();
  }
  freed_[allocation.base] = {allocation.bytes, allocation.name};
  freedOrder_.push_back(allocation.base);
}

void DeviceMemory::forget(std::uint64_t base, std::uint64_t end) {
  auto at = freed_.upper_bound(base);
  if (at != freed_.begin()) --at;
  while (at != freed_.end() && at->first < end)
    at = at->first + at->second.bytes > base ? freed_.erase(at) : std::next(at);
}

std::string DeviceMemory::describeFreed(std::uint64_t address) const {
  auto at = freed_.upper_bound(address);
  if (at == freed_.begin() || find(address) != nullptr) return {};
  --at;
  const Freed& freed = at->second;
  if (address - at->first >= freed.bytes) return {};
  return fmt::format("{:#x} is {} bytes into '{}' ({} bytes at {:#x}), which was freed", address,
                     address - at->first, freed.name, freed.bytes, at->first);
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
    refuse("device memory of {} bytes at {:#x} is out of bounds; {}", bytes, address,
           describe(address));
  }
  return *allocation;
}

const std::uint8_t* DeviceMemory::host(std::uint64_t address) const {
  const Allocation& allocation = require(address, 1);
  return allocation.data.get() + (address - allocation.base);
}
std::uint8_t* DeviceMemory::host(std::uint64_t address) {
  return const_cast<std::uint8_t*>(static_cast<const DeviceMemory*>(this)->host(address));
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
  if (const std::string text = describeFreed(address); !text.empty()) return text;
  if (allocations_.empty()) return "nothing is allocated";
  const auto text = [](const Allocation& a) {
    return fmt::format("'{}' ({} bytes at {:#x})", a.name, a.bytes, a.base);
  };
  const auto after = allocations_.upper_bound(address);
  const Allocation* below = after == allocations_.begin() ? nullptr : &std::prev(after)->second;
  if (below != nullptr && below->contains(address, 1)) {
    return fmt::format("{:#x} is {} bytes into {}", address, address - below->base, text(*below));
  }
  const std::uint64_t past =
      below != nullptr ? address - (below->base + below->bytes) : ~std::uint64_t{0};
  const std::uint64_t before =
      after != allocations_.end() ? after->second.base - address : ~std::uint64_t{0};
  if (past <= before)
    return fmt::format("{:#x} is {} bytes past the end of {}", address, past, text(*below));
  return fmt::format("{:#x} is {} bytes before {}", address, before, text(after->second));
}

}  // namespace fermata::ptx
