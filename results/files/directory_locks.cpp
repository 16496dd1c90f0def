#include <fermata/results/files/directory_locks.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <utility>

namespace fermata::files {

DirectoryLocks::DirectoryLocks(const std::vector<std::filesystem::path>& folders) {
  std::map<std::pair<dev_t, ino_t>, int> each;  // two processes lock in the same order
  for (const std::filesystem::path& folder : folders) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0) continue;
    const bool isNew = ::fstat(descriptor, &status) == 0 &&
                       each.emplace(std::pair(status.st_dev, status.st_ino), descriptor).second;
    if (!isNew) ::close(descriptor);
  }
  for (const auto& [folder, descriptor] : each) {
    descriptors_.push_back(descriptor);
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
}

DirectoryLocks::~DirectoryLocks() {
  for (const int descriptor : descriptors_) ::close(descriptor);
}

}  // namespace fermata::files
