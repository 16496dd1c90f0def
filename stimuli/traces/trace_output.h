// The file that a recorder writes: rows of CSV, compressed while written if the name asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <fermata/results/files/output_file.h>

namespace fermata::traces {

class ZstdOutput;

/// Returns true for the name of a trace: it ends in ".csv" or ".csv.zst", in letters of either
/// case.
bool isTraceName(std::string_view path);
/// Returns true for a compressed file: the name ends in ".zst", in letters of either case.
bool isCompressedName(std::string_view path);

/// Writes rows. Throws files::OutputRefused and files::OutputError.
class TraceOutput {
 public:
  /// Opens an own file (or a stream: files::Streams::InPlace), which finish() makes appear.
  explicit TraceOutput(const std::string& path);
  /// Writes into a file whose owner makes it appear.
  explicit TraceOutput(files::OutputFile& file);
  ~TraceOutput();
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;

  /// Returns the buffer to append to: numbers and plain words, ',' between fields, each row ended
  /// by endRow().
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

  void flush();

  std::unique_ptr<files::OutputFile> own_;
  files::OutputFile& file_;
  std::string buffer_;
  std::unique_ptr<ZstdOutput> zstd_;  ///< nullptr: not compressed
};

}  // namespace fermata::traces
