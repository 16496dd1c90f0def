#include <fermata/stimuli/launch/data_directory.h>

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

bool holdsKernels(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "cuda" / "fermata_cuda.h", error);
}

/// Returns the file that contains this code: the program, or a library of another program.
fs::path ownFile() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&holdsKernels), &info) == 0) return {};
  return info.dli_fname;
}

}  // namespace

std::string dataDirectory() {
  if (const char* chosen = std::getenv("FERMATA_DATA"); chosen != nullptr && *chosen != '\0') {
    if (holdsKernels(chosen)) return chosen;
    refuse(
        "FERMATA_DATA is '{}', which holds no cuda/fermata_cuda.h; expected the folder "
        "share/fermata",
        chosen);
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed =
        (executable.parent_path() / ".." / "share" / "fermata").lexically_normal();
    if (holdsKernels(installed)) return installed.string();
  }
  for (const char* up : {"../..", "../../.."}) {  // from lib/fermata, lib/x86_64-linux-gnu/fermata
    const fs::path beside = (ownFile().parent_path() / up / "share" / "fermata").lexically_normal();
    if (holdsKernels(beside)) return beside.string();
  }
  // The build's own; then those of an installed package, for a user's program in any folder.
  for (const char* place :
       {FERMATA_DATA_DEFAULT, "/usr/local/share/fermata", "/usr/share/fermata"}) {
    if (holdsKernels(place)) return place;
  }
  throw InputError(
      "the kernels are not found in ../share/fermata beside the program, "
      "in '" FERMATA_DATA_DEFAULT
      "' nor in /usr/share/fermata; expected FERMATA_DATA to name the folder share/fermata");
}

}  // namespace fermata::launch
