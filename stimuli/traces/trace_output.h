// The file that a recorder writes: rows of CSV, compressed on the way when the name says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <fermata/stimuli/traces/whole_file.h>

namespace fermata::traces {

/// A WholeFile, which finish() makes appear. A name that ends in ".zst" is compressed.
/// Throws InputError when the file cannot be created, std::runtime_error when it cannot be written.
class TraceOutput {
 public:
  explicit TraceOutput(const std::string& path);
  ~TraceOutput();
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

  WholeFile file_;
  std::string buffer_;
  std::unique_ptr<Sink> sink_;
};

}  // namespace fermata::traces
