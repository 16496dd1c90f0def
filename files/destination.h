// Where the bytes go that are written to a path: only regular files are ever replaced.
#pragma once

#include <filesystem>

namespace fermata::files {

/// What may be written that is no regular file.
enum class Streams {
  Refused,
  /// A FIFO, a character device (/dev/null) and an open descriptor of this process (/dev/stdout)
  /// are written as the bytes come, and stay what they are.
  InPlace,
};

struct Destination {
  enum class Kind { File, Stream, Descriptor };
  Kind kind = Kind::File;
  /// File: the regular file to replace, or to make where there is none; no link. Stream: to open.
  std::filesystem::path path;
  int descriptor = -1;  ///< Descriptor: of this process
};

/// Follows links: what a link names is written and the link stays; a dangling one makes the file
/// that it names. A folder, a block device and a socket are refused always. Throws OutputRefused.
Destination destinationOf(const std::filesystem::path& path, Streams streams);

}  // namespace fermata::files
