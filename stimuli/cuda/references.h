// Host references of the kernels here. A reference computes a buffer's contents after the last
// launch from the parameters and the initial buffers, by plain code; or it computes a buffer that a
// host program would prepare before the first launch.
#pragma once

#include <any>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::cuda {

/// Input of a reference. Its members throw InputError: a launch file that asks for a reference must
/// have the buffers and parameters that the reference needs.
struct ReferenceInput {
  std::map<std::string, std::int64_t, std::less<>> parameters;
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> buffers;  ///< filled so far

  /// Returns a parameter between `least` and `greatest`.
  std::size_t parameter(std::string_view name, std::int64_t least = 1,
                        std::int64_t greatest = 1 << 28) const;
  /// Returns the elements of a buffer that must have `count` of them.
  template <class T>
  std::vector<T> elements(std::string_view name, std::size_t count) const {
    const std::vector<std::uint8_t>& bytes = buffer(name, count * sizeof(T));
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  const std::vector<std::uint8_t>& buffer(std::string_view name, std::size_t bytes) const;

  /// Returns make(), or its result of an earlier call with this input: references of several
  /// buffers share a computation.
  template <class Make>
  const auto& once(Make make) const {
    using Result = decltype(make());
    if (std::any_cast<Result>(&kept) == nullptr) kept = make();
    return *std::any_cast<Result>(&kept);
  }
  mutable std::any kept = {};  ///< result of once()
};

/// Returns the bytes that the checked buffer must hold, or that a buffer is filled with.
using Reference = std::vector<std::uint8_t> (*)(const ReferenceInput&);

/// Returns the reference of this name, or nullptr.
Reference findReference(std::string_view name);
std::vector<std::string> referenceNames();

}  // namespace fermata::cuda
