#include <fermata/platforms/cudart/host_arena.h>

#include <sys/mman.h>

#include <iterator>

namespace fermata::cudart {
namespace {

constexpr std::uint64_t kPage = 4096;

void* pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT: the cast is the purpose
}

}  // namespace

HostArena::HostArena() {
  void* const got =
      ::mmap(pointer(kBase), kBytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return;
  if (got != pointer(kBase)) {  // a Linux kernel that does not know MAP_FIXED_NOREPLACE
    ::munmap(got, kBytes);
    return;
  }
  reserved_ = true;
  free_[kBase] = kBytes;
}

HostArena::~HostArena() {
  if (reserved_) ::munmap(pointer(kBase), kBytes);
}

void* HostArena::allocate(std::size_t bytes) {
  if (bytes == 0 || bytes > kBytes) return nullptr;
  const std::uint64_t whole = (bytes + kPage - 1) / kPage * kPage;
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < whole) continue;
    const std::uint64_t address = it->first;
    const std::uint64_t rest = it->second - whole;
    if (::mprotect(pointer(address), whole, PROT_READ | PROT_WRITE) != 0) return nullptr;
    free_.erase(it);
    if (rest != 0) free_[address + whole] = rest;
    used_[address] = whole;
    return pointer(address);
  }
  return nullptr;
}

void HostArena::release(void* address) {
  const auto found = used_.find(reinterpret_cast<std::uint64_t>(address));
  if (found == used_.end()) return;
  std::uint64_t at = found->first;
  std::uint64_t bytes = found->second;
  used_.erase(found);
  ::mmap(pointer(at), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
         0);
  const auto after = free_.upper_bound(at);
  if (after != free_.end() && after->first == at + bytes) {
    bytes += after->second;
    free_.erase(after);
  }
  const auto behind = free_.upper_bound(at);
  if (behind != free_.begin()) {
    const auto before = std::prev(behind);
    if (before->first + before->second == at) {
      before->second += bytes;
      return;
    }
  }
  free_[at] = bytes;
}

}  // namespace fermata::cudart
