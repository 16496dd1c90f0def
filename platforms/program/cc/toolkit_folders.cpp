#include <fermata/platforms/program/cc/toolkit_folders.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace fermata::platforms {

bool isToolkit(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::exists(fs::path(folder) / "cuda_runtime.h", error) &&
         fs::exists(fs::path(folder) / "cuda_device_runtime_api.h", error) &&
         fs::exists(fs::path(folder) / "crt", error);
}

void leaveToolkitsOfEnvironment() {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    std::string kept;
    bool found = false;
    std::istringstream folders(value);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (isToolkit(folder)) {
        found = true;
      } else {
        kept += (kept.empty() ? "" : ":") + folder;
      }
    }
    if (found) setenv(name, kept.c_str(), 1);
  }
}

}  // namespace fermata::platforms
