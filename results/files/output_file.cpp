#include <fermata/results/files/output_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include <fermata/results/files/leftovers.h>

namespace fermata::files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

bool isRegular(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool hasName(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink != 0;
}

std::pair<dev_t, ino_t> identityOf(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

/// Returns the descriptor, moved above the three that every program reads from or writes to.
int aboveStandard(int descriptor) {
  if (descriptor > STDERR_FILENO || descriptor < 0) return descriptor;
  const int above = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(descriptor);
  return above;
}

int exchangeNames(const fs::path& a, const fs::path& b) {
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
}

}  // namespace

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void synchroniseFolder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may be written but not read
  const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  if (error != 0) failWith(error, "cannot write", folder);
}

OutputFile::OutputFile(fs::path path, Streams streams) : path_(std::move(path)) {
  const Destination destination = destinationOf(path_, streams);
  target_ = destination.path;
  if (destination.kind == Destination::Kind::File) {
    removeLeftovers(target_);
    openTemporary();
  } else {
    stream_ = true;
    openStream(destination);
  }
  buffer_.reserve(kBufferBytes);
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::openTemporary() {
  const SignalsHeld held;
  for (unsigned number = 0; descriptor_ < 0; ++number) {
    const fs::path name = temporaryName(target_, number);
    const int opened =
        aboveStandard(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (opened < 0 && errno == EEXIST) continue;
    if (opened < 0) fail(errno);
    // Another process may have taken it for a leftover before it was locked.
    if (lockTemporary(opened) && hasName(opened)) {
      take(opened);
      temporary_ = name;
      known_ = Temporary(name, Temporary::Kind::File);
    } else {
      ::close(opened);
    }
  }
}

void OutputFile::openStream(const Destination& destination) {
  const int opened = destination.kind == Destination::Kind::Descriptor
                         ? ::fcntl(destination.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                         : aboveStandard(::open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (opened < 0) fail(errno);
  take(opened);
}

void OutputFile::take(int descriptor) {
  descriptor_ = descriptor;
  identity_ = identityOf(descriptor);
}

bool OutputFile::holds() const noexcept {
  return descriptor_ >= 0 && identityOf(descriptor_) == identity_;
}

void OutputFile::regain() {
  if (holds()) return;
  const int again =
      stream_
          ? -1
          : aboveStandard(::open(temporary_.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  const bool found = again >= 0 && identityOf(again) == identity_;
  if (again >= 0 && !found) ::close(again);
  descriptor_ = found ? again : -1;
  if (!found) {
    discard();
    throw OutputError("cannot write " + path_.string() +
                      ": something else in this process closed its descriptor");
  }
  (void)lockTemporary(descriptor_);
}

void OutputFile::discard() noexcept {
  const SignalsHeld held;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  known_.forget();
  if (holds()) ::close(descriptor_);
  descriptor_ = -1;
}

void OutputFile::fail(int error) {
  discard();
  failWith(error, "cannot write", path_);
}

void OutputFile::flush() {
  regain();
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::write(std::string_view bytes) {
  if (descriptor_ < 0 || state_ != State::Open) {
    throw std::logic_error("OutputFile: written after commit or an error");
  }
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::seal() {
  if (descriptor_ < 0 || state_ != State::Open) {
    throw std::logic_error("OutputFile: committed after commit or an error");
  }
  flush();
  if (!stream_ && ::fsync(descriptor_) != 0) fail(errno);
  state_ = State::Sealed;
}

void OutputFile::publish() {
  if (state_ != State::Sealed) throw std::logic_error("OutputFile: published before it was sealed");
  if (stream_) return;
  const SignalsHeld held;
  destinationOf(target_, Streams::Refused);  // the target may have become a folder since
  exchange();
}

// The old file is kept under the temporary name, so that it can come back. If there is no old file,
// or the file system cannot exchange names, it is a plain rename.
void OutputFile::exchange() {
  const int error = exchangeNames(temporary_, target_);
  if (error == 0) {
    state_ = State::Exchanged;
    if (!isRegular(temporary_)) {  // another process has put something else there
      retract();
      fail(EEXIST);
    }
    return;
  }
  if (error != ENOENT && error != EINVAL && error != ENOSYS && error != ENOTSUP) fail(error);
  const bool replaces = error != ENOENT;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  known_.forget();
  state_ = replaces ? State::Settled : State::Renamed;
  if (replaces) temporary_.clear();
}

void OutputFile::retract() noexcept {
  const SignalsHeld held;
  if (state_ == State::Exchanged) exchangeNames(temporary_, target_);
  if (state_ == State::Renamed) ::unlink(target_.c_str());
  state_ = State::Sealed;
}

void OutputFile::settle() noexcept {
  if (state_ == State::Renamed) temporary_.clear();
  state_ = State::Settled;
  discard();
}

void OutputFile::commit() {
  seal();
  publish();
  settle();
  if (!stream_) synchroniseFolder(folderOf(target_));
}

}  // namespace fermata::files
