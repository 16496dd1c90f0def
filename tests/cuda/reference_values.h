// Runs host references on values instead of bytes.
#pragma once

#include <fermata/stimuli/cuda/references.h>

#include <cstring>
#include <vector>

namespace fermata::test {

using cuda::findReference;
using cuda::ReferenceInput;

template <class T>
std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Returns the result of the host reference `name`, as values of T.
template <class T>
std::vector<T> reference(const char* name, const cuda::ReferenceInput& input) {
  const auto bytes = cuda::findReference(name)(input);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace fermata::test
