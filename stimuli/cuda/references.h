// Host references of the kernels here: what a buffer must hold after the last launch, computed
// plainly from the parameters and the buffers as they were filled; and what a host program would
// make of them before the first launch.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::cuda {

/// What a reference looks at. Its errors are InputErrors: a launch file that asks for a reference
/// must have the buffers and parameters that the reference is made for.
struct ReferenceInput {
  std::map<std::string, std::int64_t, std::less<>> parameters;
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> buffers;  ///< as filled so far

  /// A parameter between `least` and `greatest`.
  std::size_t parameter(std::string_view name, std::int64_t least = 1,
                        std::int64_t greatest = 1 << 28) const;
  /// The elements of a buffer that must have `count` of them.
  template <class T>
  std::vector<T> elements(std::string_view name, std::size_t count) const {
    const std::vector<std::uint8_t>& bytes = buffer(name, count * sizeof(T));
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  const std::vector<std::uint8_t>& buffer(std::string_view name, std::size_t bytes) const;
};

/// The bytes that the checked buffer must hold, or that a buffer is filled with.
using Reference = std::vector<std::uint8_t> (*)(const ReferenceInput&);

/// nullptr: there is none of this name.
Reference findReference(std::string_view name);
std::vector<std::string> referenceNames();

}  // namespace fermata::cuda
