// Asks the host's cache for data, ahead of their use. No effect on results.
#pragma once

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

}  // namespace fermata
