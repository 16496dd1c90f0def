#include <fermata/platforms/program/large_pages.h>

#include <cstdint>
#include <cstdlib>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fermata::platforms {

// The host must know before a page is touched, so the room is taken at once. It takes no memory
// until it is used, and stays: it is never more than the top of the heap that may be trimmed.
void growHeapByLargePages() {
  constexpr int kRoom = 512 << 20, kFrom = 32 << 20, kLarge = 2 << 20, kUsual = 128 << 10;
  if (::mallopt(M_TOP_PAD, kRoom) == 0 || ::mallopt(M_TRIM_THRESHOLD, 2 * kRoom - 1) == 0 ||
      ::mallopt(M_MMAP_THRESHOLD, kFrom) == 0)
    return;
  void* volatile const first = std::malloc(kLarge);  // volatile: the compiler leaves it in
  std::free(first);
  ::mallopt(M_TOP_PAD, kUsual);
  if (first == nullptr) return;
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0)) / kLarge * kLarge;
  ::madvise(reinterpret_cast<void*>(end - kRoom), kRoom, MADV_HUGEPAGE);
}

}  // namespace fermata::platforms
