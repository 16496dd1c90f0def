// Bytes aligned to a cache line, used for rows of registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace fermata::ptx {

class AlignedBytes {
 public:
  static constexpr std::size_t kAlignment = 64;

  AlignedBytes() = default;
  /// Allocates `bytes` zeroed bytes.
  explicit AlignedBytes(std::size_t bytes) : AlignedBytes(uninitialised(bytes)) {
    std::memset(data_.get(), 0, bytes);
  }
  /// Allocates `bytes` bytes without touching them; their values are unspecified.
  static AlignedBytes uninitialised(std::size_t bytes) {
    AlignedBytes fresh;
    fresh.data_.reset(
        static_cast<std::uint8_t*>(::operator new (bytes, std::align_val_t{kAlignment})));
    return fresh;
  }
  std::uint8_t* get() const { return data_.get(); }

 private:
  struct Delete {
    void operator()(std::uint8_t* data) const {
      ::operator delete (data, std::align_val_t{kAlignment});
    }
  };
  std::unique_ptr<std::uint8_t, Delete> data_;
};

}  // namespace fermata::ptx
