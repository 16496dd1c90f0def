#include <fermata/results/files/leftovers.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>
#include <string_view>
#include <system_error>

namespace fermata::files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostOfName = 200;  // a name has 255 bytes at most

std::string stemOf(const fs::path& file) {
  return "." + file.filename().string().substr(0, kMostOfName) + ".";
}

/// Takes a decimal number off the front; returns -1 if there is none.
pid_t takeNumber(std::string_view& text) {
  pid_t number = -1;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || number < 0) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Returns the process in the name of a temporary file; 0 if it is no such name.
pid_t writerOf(std::string_view name, const std::string& stem) {
  if (name.substr(0, stem.size()) != stem) return 0;
  name.remove_prefix(stem.size());
  const pid_t process = takeNumber(name);
  if (process <= 0 || name.empty() || name.front() != '.') return 0;
  name.remove_prefix(1);
  return takeNumber(name) >= 0 && name.empty() ? process : 0;
}

bool mayBeLeft(pid_t process) {
  return process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH);
}

void removeUnlessLocked(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

}  // namespace

fs::path temporaryName(const fs::path& file, unsigned number) {
  return file.parent_path() /
         (stemOf(file) + std::to_string(::getpid()) + "." + std::to_string(number));
}

bool lockTemporary(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void removeLeftovers(const fs::path& file) {
  const std::string stem = stemOf(file);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const pid_t process = writerOf(entry->path().filename().native(), stem);
    if (process != 0 && mayBeLeft(process)) removeUnlessLocked(entry->path());
  }
}

}  // namespace fermata::files
