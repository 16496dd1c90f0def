#include <fermata/stimuli/traces/whole_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fermata/stimuli/input_error.h>

namespace fermata::traces {

namespace {

/// Makes a rename in this file's directory durable; a file system that cannot is left alone.
void syncDirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(path) {
  // The process id keeps programs apart, the number two writers of one program.
  const std::string stem = path + ".partial." + std::to_string(::getpid());
  for (unsigned attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = stem + "." + std::to_string(attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) {
      throw InputError({path}, std::string("cannot be created: ") + std::strerror(errno) +
                                   "; expected a name in a directory that can be written");
    }
  }
}

WholeFile::~WholeFile() {
  discard();
}

void WholeFile::fail(const std::string& reason) const {
  throw std::runtime_error("cannot write " + path_ + ": " + reason);
}

void WholeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void WholeFile::commit() {
  if (::fsync(descriptor_) != 0) fail(std::strerror(errno));
  if (::close(std::exchange(descriptor_, -1)) != 0 ||
      std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    ::unlink(temporary_.c_str());
    fail(reason);
  }
  syncDirectoryOf(path_);
}

void WholeFile::discard() noexcept {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  ::unlink(temporary_.c_str());
}

}  // namespace fermata::traces
