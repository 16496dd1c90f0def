#include <fermata/stimuli/launch/data_directory.h>

#include <cstdlib>
#include <filesystem>

#include <fermata/stimuli/input_error.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

bool holdsKernels(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "cuda" / "fermata_cuda.h", error);
}

}  // namespace

std::string dataDirectory() {
  if (const char* chosen = std::getenv("FERMATA_DATA"); chosen != nullptr && *chosen != '\0') {
    if (holdsKernels(chosen)) return chosen;
    throw InputError(std::string("FERMATA_DATA is '") + chosen +
                     "', which holds no cuda/fermata_cuda.h; expected the folder share/fermata");
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed =
        (executable.parent_path() / ".." / "share" / "fermata").lexically_normal();
    if (holdsKernels(installed)) return installed.string();
  }
  if (holdsKernels(FERMATA_DATA_DEFAULT)) return FERMATA_DATA_DEFAULT;
  throw InputError(
      "the kernels are not found in ../share/fermata beside the program nor in "
      "'" FERMATA_DATA_DEFAULT "'; expected FERMATA_DATA to name the folder share/fermata");
}

}  // namespace fermata::launch
