#include <fermata/stimuli/traces/shared_arena.h>

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace fermata::traces {

SharedArena::SharedArena(std::size_t limit) : limit_(limit) {
  void* const memory = ::mmap(nullptr, limit_, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  take(sizeof(std::size_t));
}

SharedArena::~SharedArena() {
  ::munmap(memory_, limit_);
}

std::size_t SharedArena::used() const {
  std::size_t used = 0;
  std::memcpy(&used, memory_, sizeof used);
  return used;
}

std::byte* SharedArena::take(std::size_t bytes) {
  const std::size_t begin = used();
  const std::size_t end = begin + (bytes + 7) / 8 * 8;
  if (end > limit_ || end < begin) return nullptr;
  std::memcpy(memory_, &end, sizeof end);
  return memory_ + begin;
}

}  // namespace fermata::traces
