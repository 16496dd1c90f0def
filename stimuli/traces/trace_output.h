// The file that a recorder writes: rows of CSV, compressed on the way when the name says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fermata::traces {

/// A file that appears whole or not at all: rows go to a temporary file beside it, which finish()
/// makes durable (fsync) and gives its name in one step. A name that ends in ".zst" is compressed.
/// Throws InputError when the file cannot be created, std::runtime_error when it cannot be written.
class TraceOutput {
 public:
  explicit TraceOutput(const std::string& path);
  ~TraceOutput();  ///< without finish(): the temporary file vanishes
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;

  /// Buffer to append to: numbers and plain words, ',' between fields, each row ended by endRow().
  std::string& row() { return buffer_; }
  void endRow() {
    buffer_ += '\n';
    if (buffer_.size() >= kFlushBytes) flush();
  }
  /// Appends ",key=text", quoted where CSV needs it; control characters become blanks.
  void field(std::string_view key, std::string_view text);
  void field(std::string_view key, std::uint64_t number);

  void finish();

 private:
  static constexpr std::size_t kFlushBytes = std::size_t{1} << 16;
  struct Sink;  // Boost.Iostreams', kept out of this header

  void flush();
  void discard() noexcept;
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::string temporary_;
  std::string buffer_;
  std::unique_ptr<Sink> sink_;
  int descriptor_ = -1;
};

}  // namespace fermata::traces
