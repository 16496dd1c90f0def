// Asks the host's cache for data, ahead of their use. No effect on results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

/// Asks for the bytes [from, to), to be read or written.
inline void prefetch(const void* from, const void* to) {
  constexpr int kLine = 64;  // bytes of a line of the host's cache
  for (auto p = static_cast<const char*>(from); p < to; p += kLine) __builtin_prefetch(p, 1);
}
template <class Object>
void prefetch(const Object& object) {
  prefetch(&object, &object + 1);
}

/// Notes, while data are in the host's cache, which of them will be asked for ahead of their next
/// use. Asking then reads none of them. A place that is noted need not exist any more.
class PrefetchList {
 public:
  void clear() { ranges_.clear(); }
  /// Notes the bytes [from, to), at most 4 KB.
  void add(const void* from, const void* to) {
    const auto first = reinterpret_cast<std::uintptr_t>(from) / kLine;
    const auto end = (reinterpret_cast<std::uintptr_t>(to) + kLine - 1) / kLine;
    if (end > first) ranges_.push_back(first * kLine + std::min(end - first, kLine) - 1);
  }
  template <class Object>
  void add(const Object& object) {
    add(&object, &object + 1);
  }
  void fetch() const {
    for (const std::uintptr_t range : ranges_) {
      const char* p = reinterpret_cast<const char*>(range / kLine * kLine);
      for (std::uintptr_t more = range % kLine + 1; more != 0; --more, p += kLine)
        __builtin_prefetch(p, 1, 2);
    }
  }

 private:
  static constexpr std::uintptr_t kLine = 64;

  std::vector<std::uintptr_t> ranges_;  ///< address of the first line, plus further lines
};

}  // namespace fermata
