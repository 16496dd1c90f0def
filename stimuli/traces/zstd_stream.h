// zstd frames, read and written piece by piece with libzstd.
#pragma once

#include <cstddef>
#include <istream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::traces {

/// First bytes of every frame.
inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

/// The bytes are no zstd frame, or the frame is cut off: what() says which.
class ZstdError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Decompresses a stream, frame by frame. Reading throws ZstdError, also if the stream ends before
/// its frame does.
class ZstdInput : public std::streambuf {
 public:
  /// `head` holds bytes of the stream that were read already.
  ZstdInput(std::string head, std::unique_ptr<std::istream> rest);
  ~ZstdInput() override;

 protected:
  int_type underflow() override;

 private:
  struct Context;
  bool refill();
  std::size_t decompress();

  std::unique_ptr<std::istream> rest_;
  std::unique_ptr<Context> context_;
  std::vector<char> packed_;
  std::size_t begin_ = 0;  ///< first byte left in packed_
  std::size_t end_ = 0;
  std::vector<char> plain_;
  bool inFrame_ = false;
};

/// Compresses bytes into one frame.
class ZstdOutput {
 public:
  ZstdOutput();
  ~ZstdOutput();
  ZstdOutput(const ZstdOutput&) = delete;
  ZstdOutput& operator=(const ZstdOutput&) = delete;

  /// Returns the part of the frame that is ready after these bytes; valid until the next call.
  std::string_view add(std::string_view bytes);
  std::string_view finish();

 private:
  struct Context;
  std::string_view compress(std::string_view bytes, bool last);

  std::unique_ptr<Context> context_;
  std::string packed_;
};

}  // namespace fermata::traces
