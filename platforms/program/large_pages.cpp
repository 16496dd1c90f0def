#include <fermata/platforms/program/large_pages.h>

#include <cstdint>
#include <cstdlib>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fermata::platforms {

// The host must know before a page is touched, so the room is taken at once; it takes no memory
// until it is used. The heap keeps it: its top is trimmed only where more than that is free. Any
// mallopt() ends glibc's own choice of what lies outside of the heap, so the size is set, too, to
// the largest that it would choose.
void growHeapByLargePages() {
  constexpr int kRoom = 512 << 20, kOutside = 32 << 20, kLarge = 2 << 20, kUsual = 128 << 10;
  if (::mallopt(M_TOP_PAD, kRoom) == 0 || ::mallopt(M_TRIM_THRESHOLD, 2 * kRoom - 1) == 0 ||
      ::mallopt(M_MMAP_THRESHOLD, kOutside) == 0)
    return;
  auto* const begin = static_cast<std::uint8_t*>(::sbrk(0));
  void* volatile const first = std::malloc(kLarge);  // volatile: the compiler leaves it in
  std::free(first);
  ::mallopt(M_TOP_PAD, kUsual);
  const auto bytes = static_cast<std::uint8_t*>(::sbrk(0)) - begin;  // 0: the host had no room
  const auto before = reinterpret_cast<std::uintptr_t>(begin) % kLarge;
  if (bytes > kLarge) ::madvise(begin + (kLarge - before), bytes - kLarge, MADV_HUGEPAGE);
}

}  // namespace fermata::platforms
