#include <fermata/platforms/program/check/source_paths.h>

#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace fs = std::filesystem;

std::vector<fs::path> sourceFolders(const OpenWorkload& open) {
  std::vector<fs::path> folders;
  if (open.kernel != nullptr) {
    const launch::Plan& plan = open.kernel->plan();
    const fs::path launchFolder(open.kernel->description().folder);
    folders.push_back(fs::absolute(launchFolder / plan.kernelFile).parent_path());
    for (const auto& include : plan.compile.includes) folders.push_back(fs::absolute(include.text));
  }
  folders.push_back(fs::absolute(open.path).parent_path());
  return folders;
}

SourcePaths::SourcePaths(const std::string& root) {
  std::error_code unknown;
  if (!root.empty() && !fs::is_directory(root, unknown))
    refuse("--root '{}' is no folder; expected the folder of the sources", root);
  root_ = fs::absolute(root.empty() ? "." : root).lexically_normal();
  if (!root_.has_filename()) root_ = root_.parent_path();
}

std::optional<fs::path> SourcePaths::find(const std::string& file,
                                          const std::vector<fs::path>& folders) const {
  if (file.empty()) return std::nullopt;
  std::vector<fs::path> all = folders;
  all.insert(all.end(), {fs::current_path(), root_});
  for (const fs::path& folder : all) {
    const fs::path path = (folder / file).lexically_normal();  // an absolute file stays as it is
    std::error_code unknown;
    if (fs::is_regular_file(path, unknown)) return path;
  }
  return std::nullopt;
}

std::string SourcePaths::fromRoot(const fs::path& file) const {
  return file.lexically_relative(root_).generic_string();
}

}  // namespace fermata::platforms
