// The text of a trace file: plain, or unpacked from .xz or .tracez while it is read.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <fermata/stimuli/traces/content_hash.h>

namespace fermata::sass {

class TraceBytes {
 public:
  TraceBytes() = default;
  virtual ~TraceBytes() = default;
  TraceBytes(const TraceBytes&) = delete;
  TraceBytes& operator=(const TraceBytes&) = delete;

  /// Reads up to `room` bytes of text; 0: the text is over. Throws InputError.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  /// Returns the hash of the file as it lies on the disk. Precondition: read() has returned 0.
  virtual traces::ContentHash hash() = 0;
};

/// Forms of a trace, by the end of its name.
enum class Packing { Plain, Xz, Tracez };
Packing packingOf(const std::string& path);

/// Opens a file by its name. Throws InputError.
std::unique_ptr<TraceBytes> openBytes(const std::string& path);
/// Reads text from memory, for tests.
std::unique_ptr<TraceBytes> bytesOf(std::string text);

/// A file that is read from any place, without a pointer that readers share.
class PlacedFile {
 public:
  /// Throws InputError if the file cannot be opened, or is no regular file.
  explicit PlacedFile(const std::string& path);
  /// Takes a descriptor over.
  PlacedFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~PlacedFile();
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;

  /// Reads up to `size` bytes at `place`; fewer only at the end of the file. Throws InputError.
  std::size_t read(char* to, std::size_t size, std::uint64_t place) const;
  std::uint64_t size() const;
  /// Returns the hash of the first `bytes` bytes. Throws InputError if the file has fewer.
  traces::ContentHash hash(std::uint64_t bytes) const;
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace fermata::sass
