#include <fermata/results/output_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace fermata::results {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

std::string reason(int error) {
  return std::generic_category().message(error);
}

std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// After a rename the directory holds the new name only once it is synchronised itself. Some file
// systems cannot do that to a directory (EINVAL): the rename is then as durable as they make it.
int synchroniseDirectory(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  return error;
}

}  // namespace

void createDirectory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    throw OutputError("cannot create directory " + directory.string() + ": " + error.message());
  }
  if (!std::filesystem::is_directory(directory, error)) {
    throw OutputError("cannot create directory " + directory.string() + ": it is not a directory");
  }
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  // The process id keeps writers apart; a file left behind by a killed one is stepped over.
  const std::string stem = "." + path_.filename().string() + "." + std::to_string(::getpid());
  for (unsigned attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = folderOf(path_) / (stem + "." + std::to_string(attempt));
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) {
      const int error = errno;
      temporary_.clear();
      fail(error);
    }
  }
  buffer_.reserve(kBufferBytes);
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::fail(int error) {
  discard();
  throw OutputError("cannot write " + path_.string() + ": " + reason(error));
}

void OutputFile::flush() {
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
  if (descriptor_ < 0) throw std::logic_error("OutputFile: written after commit or an error");
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::commit() {
  if (descriptor_ < 0) throw std::logic_error("OutputFile: committed after commit or an error");
  flush();
  if (::fsync(descriptor_) != 0) fail(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
  if (const int error = synchroniseDirectory(folderOf(path_)); error != 0) fail(error);
}

}  // namespace fermata::results
