#include <fermata/results/files/output_folder.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <fermata/results/files/output_error.h>

namespace fermata::files {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(const fs::path& path) {
  if (path.empty()) {
    throw OutputRefused("cannot create a folder: its name is empty; expected a folder");
  }
  try {
    fs::path whole;
    for (const fs::path& part : path) {
      whole /= part;
      make(whole);
    }
  } catch (...) {
    remove();
    throw;
  }
}

OutputFolder::~OutputFolder() {
  remove();
}

void OutputFolder::make(const fs::path& path) {
  const SignalsHeld held;
  if (::mkdir(path.c_str(), 0777) == 0) {
    made_.push_back({path, Temporary(path, Temporary::Kind::Folder)});
    return;
  }
  const int error = errno;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return;
    failWith(ENOTDIR, "cannot create folder", path);
  }
  failWith(error, "cannot create folder", path);
}

// Removes the deepest first; a folder that holds something by now stays.
void OutputFolder::remove() noexcept {
  for (; !made_.empty(); made_.pop_back()) ::rmdir(made_.back().path.c_str());
}

}  // namespace fermata::files
