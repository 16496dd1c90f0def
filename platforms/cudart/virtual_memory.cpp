#include <fermata/platforms/cudart/virtual_memory.h>

#include <fermata/platforms/cudart/sizes.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace fermata::cudart {
namespace {

/// Memory without an address: an unnamed file, which may be mapped at several places.
struct Memory {
  int file = -1;
  std::size_t bytes = 0;
  unsigned handles = 1, mappings = 0;
};
struct Mapping {
  std::uint64_t handle = 0;
  std::size_t bytes = 0;
  bool accessible = false;
};
struct Range {
  std::size_t bytes = 0;
  std::uint8_t* host = nullptr;                 ///< the host's view of it, contiguous
  std::map<std::uint64_t, Mapping> mappings;    ///< by address; no two overlap
  std::map<std::uint64_t, std::size_t> blocks;  ///< bytes by address, as the device knows them
};

/// Device addresses of ranges begin here: none of the host, nor of other device memory.
constexpr std::uint64_t kFirst = 0x300000000000;

struct State {
  std::map<std::uint64_t, Memory> memories;  ///< by handle
  std::map<std::uint64_t, Range> ranges;     ///< by address
  std::uint64_t nextHandle = 1, nextAddress = kFirst;
};
State& state() {
  static auto* const one = new State;
  return *one;
}

void requireWhole(std::uint64_t value, const char* text) {
  requireValue(value % kVirtualGranularity == 0, text);
}

Memory& memoryOf(std::uint64_t handle) {
  const auto found = state().memories.find(handle);
  requireValue(found != state().memories.end() && found->second.handles != 0,
               "not a handle of cuMemCreate");
  return found->second;
}
void dropUnused(Session& session, std::uint64_t handle) {
  const auto found = state().memories.find(handle);
  if (found->second.handles != 0 || found->second.mappings != 0) return;
  ::close(found->second.file);
  session.heap.giveBack(found->second.bytes);
  state().memories.erase(found);
}

/// Returns the range that holds [address, address + bytes).
Range& rangeAt(std::uint64_t address, std::size_t bytes, std::uint64_t& base) {
  auto found = state().ranges.upper_bound(address);
  requireValue(found != state().ranges.begin(), "an address that was not reserved");
  --found;
  base = found->first;
  const std::uint64_t offset = address - base;
  requireValue(offset < found->second.bytes && bytes <= found->second.bytes - offset,
               "addresses that were not reserved");
  return found->second;
}
/// Returns the first mapping of [address, address + bytes), which must be whole mappings.
std::map<std::uint64_t, Mapping>::iterator wholeMappings(Range& range, std::uint64_t address,
                                                         std::size_t bytes) {
  const auto first = range.mappings.find(address);
  std::uint64_t at = address;
  for (auto each = first; each != range.mappings.end() && each->first == at && at < address + bytes;
       ++each)
    at += each->second.bytes;
  requireValue(bytes != 0 && at == address + bytes,
               "a part of a mapping, or nothing; expected whole mappings");
  return first;
}

/// Tells the device what it may access now: each run of accessible mappings is a block.
void update(Session& session, Range& range, std::uint64_t base) {
  std::map<std::uint64_t, std::size_t> now;
  for (const auto& [address, mapping] : range.mappings) {
    if (!mapping.accessible) continue;
    const auto last = now.empty() ? now.end() : std::prev(now.end());
    if (last != now.end() && last->first + last->second == address)
      last->second += mapping.bytes;
    else
      now[address] = mapping.bytes;
  }
  const auto has = [](const auto& blocks, const auto& block) {
    const auto found = blocks.find(block.first);
    return found != blocks.end() && found->second == block.second;
  };
  for (const auto& block : range.blocks) {
    if (!has(now, block)) session.heap.unmap(block.first);
  }
  for (const auto& block : now) {
    if (!has(range.blocks, block))
      session.heap.map(block.first, block.second, range.host + (block.first - base));
  }
  range.blocks = std::move(now);
}

void* view(const Range& range, std::uint64_t base, std::uint64_t address) {
  return range.host + (address - base);
}

}  // namespace

std::uint64_t reserveAddresses(std::size_t bytes, std::size_t alignment) {
  requireValue(bytes != 0, "0 bytes");
  requireWhole(bytes, "a size that is no multiple of 2 MiB");
  requireValue((alignment & (alignment - 1)) == 0, "an alignment that is no power of two");
  const std::uint64_t unit = std::max<std::uint64_t>(alignment, kVirtualGranularity);
  const std::uint64_t base = roundedUp(state().nextAddress, unit);
  void* const host =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(host != MAP_FAILED, cudaErrorMemoryAllocation, "so many addresses are not free");
  state().nextAddress = sum(base, bytes);
  state().ranges[base] = {bytes, static_cast<std::uint8_t*>(host), {}, {}};
  return base;
}

void freeAddresses(std::uint64_t base, std::size_t bytes) {
  const auto found = state().ranges.find(base);
  requireValue(found != state().ranges.end() && found->second.bytes == bytes,
               "not a range of cuMemAddressReserve");
  requireValue(found->second.mappings.empty(), "a range with mappings; expected cuMemUnmap before");
  ::munmap(found->second.host, bytes);
  state().ranges.erase(found);
}

std::uint64_t createMemory(Session& session, std::size_t bytes) {
  requireValue(bytes != 0, "0 bytes");
  requireWhole(bytes, "a size that is no multiple of 2 MiB");
  session.heap.take(bytes);
  Memory memory;
  memory.bytes = bytes;
  memory.file = ::memfd_create("fermata", MFD_CLOEXEC);
  if (memory.file < 0 || ::ftruncate(memory.file, static_cast<off_t>(bytes)) != 0) {
    if (memory.file >= 0) ::close(memory.file);
    session.heap.giveBack(bytes);
    fail(cudaErrorMemoryAllocation, "the host has no {} bytes", bytes);
  }
  state().memories[state().nextHandle] = memory;
  return state().nextHandle++;
}

void releaseMemory(Session& session, std::uint64_t handle) {
  --memoryOf(handle).handles;
  dropUnused(session, handle);
}

std::uint64_t retainMemory(std::uint64_t address) {
  std::uint64_t base = 0;
  Range& range = rangeAt(address, 1, base);
  auto found = range.mappings.upper_bound(address);
  requireValue(found != range.mappings.begin(), "nothing is mapped there");
  --found;
  requireValue(address - found->first < found->second.bytes, "nothing is mapped there");
  ++state().memories.at(found->second.handle).handles;
  return found->second.handle;
}

void requireMemory(std::uint64_t handle) { (void)memoryOf(handle); }

void mapMemory(std::uint64_t address, std::size_t bytes, std::size_t offset, std::uint64_t handle) {
  Memory& memory = memoryOf(handle);
  requireValue(bytes != 0, "0 bytes");
  for (const std::uint64_t each : {address, std::uint64_t{bytes}, std::uint64_t{offset}})
    requireWhole(each, "an address, a size or an offset that is no multiple of 2 MiB");
  requireValue(offset <= memory.bytes && bytes <= memory.bytes - offset,
               "more than the memory of the handle");
  std::uint64_t base = 0;
  Range& range = rangeAt(address, bytes, base);
  const auto next = range.mappings.lower_bound(address);
  const bool freeAbove = next == range.mappings.end() || next->first >= address + bytes;
  const bool freeBelow = next == range.mappings.begin() ||
                         std::prev(next)->first + std::prev(next)->second.bytes <= address;
  requireValue(freeAbove && freeBelow, "addresses at which memory is mapped already");
  void* const made = ::mmap(view(range, base, address), bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_FIXED, memory.file, static_cast<off_t>(offset));
  require(made != MAP_FAILED, cudaErrorMemoryAllocation, "the host cannot map the memory");
  range.mappings[address] = {handle, bytes, false};
  ++memory.mappings;
}

void setAccess(Session& session, std::uint64_t address, std::size_t bytes, bool accessible) {
  std::uint64_t base = 0;
  Range& range = rangeAt(address, bytes, base);
  auto each = wholeMappings(range, address, bytes);
  for (; each != range.mappings.end() && each->first < address + bytes; ++each)
    each->second.accessible = accessible;
  update(session, range, base);
}

bool hasAccess(std::uint64_t address) {
  std::uint64_t base = 0;
  const Range& range = rangeAt(address, 1, base);
  const auto next = range.mappings.upper_bound(address);
  if (next == range.mappings.begin()) return false;
  const auto& [start, mapping] = *std::prev(next);
  return address - start < mapping.bytes && mapping.accessible;
}

void unmapMemory(Session& session, std::uint64_t address, std::size_t bytes) {
  std::uint64_t base = 0;
  Range& range = rangeAt(address, bytes, base);
  setAccess(session, address, bytes, false);
  auto each = wholeMappings(range, address, bytes);
  while (each != range.mappings.end() && each->first < address + bytes) {
    --state().memories.at(each->second.handle).mappings;
    dropUnused(session, each->second.handle);
    each = range.mappings.erase(each);
  }
  ::mmap(view(range, base, address), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void forgetVirtualMemory(Session& session) {
  for (const auto& [base, range] : state().ranges) ::munmap(range.host, range.bytes);
  for (const auto& [handle, memory] : state().memories) {
    ::close(memory.file);
    session.heap.giveBack(memory.bytes);
  }
  state() = State();
}

}  // namespace fermata::cudart
