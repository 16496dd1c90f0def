#include <fermata/platforms/program/cc/runtime_folder.h>

namespace fermata::platforms {

namespace fs = std::filesystem;

std::optional<fs::path> runtimeFolder(const fs::path& data) {
  const fs::path root = data.parent_path().parent_path();
  for (const char* folder : {FERMATA_LIBRARY_FOLDER, "lib/fermata"}) {
    std::error_code error;
    if (fs::is_regular_file(root / folder / "libfermata_cudart.so", error)) return root / folder;
  }
  return std::nullopt;
}

}  // namespace fermata::platforms
