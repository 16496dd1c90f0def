// The bytes of a compiled trace, one value at a time, in constant memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <istream>
#include <memory>
#include <vector>

#include <fermata/stimuli/traces/compiled_format.h>

namespace fermata::traces {

/// Reads values; a value that would lie beyond the records, or a number of more than 64 bits, makes
/// each member throw Damaged.
class CompiledInput {
 public:
  struct Damaged {};
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 17;

  /// Checks the whole file: returns true if it is intact and begins with this header. The first
  /// value is then the one behind the header.
  bool open(std::unique_ptr<std::istream> in, const CompiledHeader& expected);

  /// Call before each record, so that its values lie in the buffer.
  void beginRecord() {
    if (end_ - at_ < kMaxRecordBytes && left_ != 0) refill();
  }
  bool atEnd() {
    beginRecord();
    return at_ == end_;
  }

  template <typename Value>
  Value take() {
    Value value;
    std::memcpy(&value, need(sizeof value), sizeof value);
    return value;
  }
  std::uint64_t takeNumber() {
    const auto first = take<std::uint8_t>();
    return first < 0x80 ? first : takeLongNumber(first);
  }
  /// Returns the next `size` bytes, valid until the next record. A record may take at most
  /// kMaxRecordBytes in all, or one piece of up to kBufferBytes.
  const char* takeBytes(std::size_t size) {
    if (size > end_ - at_) refill();
    return need(size);
  }

 private:
  const char* need(std::size_t size) {
    if (size > end_ - at_) throw Damaged();
    const char* const from = buffer_.data() + at_;
    at_ += size;
    return from;
  }
  std::uint64_t takeLongNumber(std::uint64_t value);
  void refill();

  std::unique_ptr<std::istream> in_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::uint64_t left_ = 0;  ///< bytes of the records not yet read from the file
};

}  // namespace fermata::traces
