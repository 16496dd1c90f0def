// Destination of the bytes that are written to a path: only regular files are ever replaced.
#pragma once

#include <filesystem>

namespace fermata::files {

/// Paths other than regular files that may be written.
enum class Streams {
  Refused,
  /// A FIFO, a character device (/dev/null) and an open descriptor of this process (/dev/stdout)
  /// are written as the bytes come, and stay unchanged themselves.
  InPlace,
};

struct Destination {
  enum class Kind { File, Stream, Descriptor };
  Kind kind = Kind::File;
  /// File: the regular file to replace, or to make if there is none; no link. Stream: to open.
  std::filesystem::path path;
  int descriptor = -1;  ///< Descriptor: the number in this process
};

/// Finds the destination of a path. Follows links: the file that a link names is written and the
/// link stays; a dangling link makes the file that it names. A folder, a block device and a socket
/// are always refused. Throws OutputRefused.
Destination destinationOf(const std::filesystem::path& path, Streams streams);

}  // namespace fermata::files
