#include <fermata/platforms/exec/launch_spool.h>

#include <fermata/results/files/output_error.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace fermata::exec {
namespace {

/// Header of the file.
struct Start {
  std::uint64_t magic = kMagic;
  std::uint64_t launches = 0;  ///< numbers given out
  /// Kept behind the header; bytes further on are the rest of a failed append.
  std::uint64_t bytes = 0;
  std::uint64_t failed = 0;
  std::uint64_t loaded = 0;

  static constexpr std::uint64_t kMagic = 0x32464d5245544146;
};

/// Keeps the spool open and locked.
class Locked {
 public:
  explicit Locked(const std::string& path, int flags = 0)
      : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0600)) {
    if (descriptor_ < 0) fail();
    raise();
    while (::flock(descriptor_, LOCK_EX) != 0) {
      if (errno != EINTR) closeAndFail();
    }
  }
  ~Locked() { ::close(descriptor_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  Start start() {
    Start start;
    const std::string bytes = read(0, sizeof start);
    if (bytes.size() == sizeof start) std::memcpy(&start, bytes.data(), sizeof start);
    if (bytes.size() != sizeof start || start.magic != Start::kMagic) {
      errno = EBADMSG;
      fail();
    }
    return start;
  }
  void store(const Start& start) {
    write({reinterpret_cast<const char*>(&start), sizeof start}, 0);
  }
  void write(std::string_view bytes, std::uint64_t at) {
    while (!bytes.empty()) {
      const ssize_t wrote =
          ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) fail();
      at += static_cast<std::uint64_t>(wrote);
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
  }
  /// Reads up to `count` bytes: fewer at the end of the file.
  std::string read(std::uint64_t at, std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t done = 0;
    while (done < count) {
      const ssize_t got =
          ::pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail();
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }
  /// Truncates the file to `size`.
  void cut(std::uint64_t size) noexcept {
    const int error = errno;
    (void)!::ftruncate(descriptor_, static_cast<off_t>(size));
    errno = error;
  }

 private:
  /// Moves the descriptor above standard input, output and error: another thread may write to
  /// those.
  void raise() {
    if (descriptor_ > STDERR_FILENO) return;
    const int above = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (above < 0) closeAndFail();
    ::close(std::exchange(descriptor_, above));
  }
  [[noreturn]] void fail() const {
    throw files::OutputError("the results of the launches cannot be kept in " + path_ + ": " +
                             std::strerror(errno));
  }
  [[noreturn]] void closeAndFail() const {
    const int error = errno;
    ::close(descriptor_);
    errno = error;
    fail();
  }

  const std::string& path_;
  int descriptor_;
};

constexpr std::uint64_t kFirstByte = sizeof(Start);

void mark(const std::string& path, std::uint64_t Start::*what) {
  Locked file(path);
  Start start = file.start();
  start.*what = 1;
  file.store(start);
}

}  // namespace

LaunchSpool::LaunchSpool(std::string path) : path_(std::move(path)) {
  (void)Locked(path_).start();
}

LaunchSpool LaunchSpool::create(const std::string& path) {
  Locked(path, O_CREAT | O_EXCL).store(Start());
  return LaunchSpool(path);
}

std::uint64_t LaunchSpool::takeLaunch() {
  Locked file(path_);
  Start start = file.start();
  const std::uint64_t launch = start.launches++;
  file.store(start);
  return launch;
}

void LaunchSpool::append(std::string_view bytes) {
  Locked file(path_);
  Start start = file.start();
  const std::uint64_t end = kFirstByte + start.bytes;
  const std::uint64_t size = bytes.size();
  try {
    file.write({reinterpret_cast<const char*>(&size), sizeof size}, end);
    file.write(bytes, end + sizeof size);
  } catch (...) {
    file.cut(end);
    throw;
  }
  start.bytes += sizeof size + size;
  file.store(start);
}

bool LaunchSpool::isEmpty() const {
  return Locked(path_).start().bytes == 0;
}

void LaunchSpool::forEach(const std::function<void(std::string_view)>& visit) const {
  Locked file(path_);
  const std::uint64_t end = kFirstByte + file.start().bytes;
  for (std::uint64_t at = kFirstByte; at < end;) {
    const std::string head = file.read(at, sizeof(std::uint64_t));
    std::uint64_t size = 0;
    std::memcpy(&size, head.data(), head.size());
    at += sizeof size;
    const std::string bytes = file.read(at, std::min(size, end - std::min(at, end)));
    at += size;
    visit(bytes);
  }
}

void LaunchSpool::markLoaded() {
  mark(path_, &Start::loaded);
}

bool LaunchSpool::wasLoaded() const {
  return Locked(path_).start().loaded != 0;
}

void LaunchSpool::markFailed() {
  mark(path_, &Start::failed);
}

bool LaunchSpool::hasFailed() const {
  return Locked(path_).start().failed != 0;
}

}  // namespace fermata::exec
