#include <fermata/results/files/destination.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include <fermata/results/files/output_error.h>

namespace fermata::files {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kMostLinks = 40;  // the number that Linux follows

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw OutputRefused("cannot write '" + path.string() + "': " + why);
}

/// Returns the descriptor of this process that a path names: /dev/stdout, /dev/fd/3 and
/// /proc/self/fd/3 end in such a path. Its link is not looked at: a file that the shell has
/// redirected to is shared with the shell, at the place where it stands.
std::optional<int> ownDescriptor(const fs::path& path) {
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (wrong != std::errc() || end != name.data() + name.size()) return std::nullopt;
  std::error_code missing;
  const fs::path folder = fs::canonical(path.parent_path(), missing);
  if (missing || folder != fs::canonical("/proc/self/fd", missing) || missing) return std::nullopt;
  return number;
}

Destination streamAt(const fs::path& path, Streams streams, const fs::path& asked,
                     const char* what) {
  if (streams == Streams::InPlace) return {Destination::Kind::Stream, path, -1};
  refuse(asked, std::string("it is ") + what + "; expected a regular file or none yet");
}

}  // namespace

void failWith(int error, const std::string& doing, const fs::path& path) {
  const std::string what =
      doing + " " + path.string() + ": " + std::generic_category().message(error);
  switch (error) {
    case EACCES:
    case EPERM:
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EEXIST:
    case EROFS:
    case ELOOP:
    case ENAMETOOLONG:
    case ENXIO:
    case ETXTBSY:
      throw OutputRefused(what + "; expected a place that can be written to");
    default:
      throw OutputError(what);
  }
}

Destination destinationOf(const fs::path& path, Streams streams) {
  if (path.empty()) refuse(path, "the name is empty; expected a file");
  if (path.native().find('\0') != std::string::npos) {
    refuse(path.c_str(), "the name goes on behind a zero byte; expected a file");
  }
  fs::path at = path;
  for (unsigned links = 0; links < kMostLinks; ++links) {
    if (at.filename().empty()) refuse(path, "it names a folder; expected a file");
    if (const auto descriptor = ownDescriptor(at)) {
      streamAt(at, streams, path, "an open file of this program");
      return {Destination::Kind::Descriptor, at, *descriptor};
    }
    struct stat status {};
    if (::lstat(at.c_str(), &status) != 0) {
      if (errno == ENOENT) return {Destination::Kind::File, at, -1};
      failWith(errno, "cannot write", path);
    }
    switch (status.st_mode & S_IFMT) {
      case S_IFREG:
        return {Destination::Kind::File, at, -1};
      case S_IFIFO:
        return streamAt(at, streams, path, "a FIFO");
      case S_IFCHR:
        return streamAt(at, streams, path, "a device");
      case S_IFDIR:
        refuse(path, "it is a folder; expected a file");
      case S_IFLNK: {
        std::error_code error;
        const fs::path next = fs::read_symlink(at, error);
        if (error) failWith(error.value(), "cannot write", path);
        at = at.parent_path() / next;
        break;
      }
      default:
        refuse(path, "it is a block device or a socket; expected a file");
    }
  }
  failWith(ELOOP, "cannot write", path);
}

}  // namespace fermata::files
