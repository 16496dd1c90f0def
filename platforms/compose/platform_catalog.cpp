#include <algorithm>
#include <filesystem>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/platform_file.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/data_directory.h>

namespace fermata::platforms {

namespace fs = std::filesystem;

namespace {

bool isPath(const std::string& name) {
  return name.find('/') != std::string::npos || fs::path(name).extension() == ".toml";
}

}  // namespace

std::vector<PlatformEntry> listPlatforms() {
  std::vector<PlatformEntry> entries;
  std::error_code missing;
  const fs::path folder = fs::path(launch::dataDirectory()) / "platforms";
  if (!fs::is_directory(folder, missing))
    throw InputError(folder.string() + ": no such folder; expected the platform files there");
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".toml") continue;
    const Configuration configuration = Configuration::read(file.path().string());
    entries.push_back(
        {file.path().stem().string(), file.path().string(), configuration.description()});
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

std::string platformFile(const std::string& name, const fs::path& folder) {
  std::error_code missing;
  if (isPath(name)) {
    const fs::path path = folder / name;
    return fs::is_regular_file(path, missing) ? path.string() : "";
  }
  const fs::path shipped = fs::path(launch::dataDirectory()) / "platforms";
  for (const fs::path& place : {folder, shipped}) {
    const fs::path path = place / (name + ".toml");
    if (fs::is_regular_file(path, missing)) return path.string();
  }
  return "";
}

namespace {

/// Calls `open` and marks its errors as those of a platform.
template <class Open>
Configuration marked(Open open) {
  try {
    return open();
  } catch (const InputError& error) {
    throw PlatformError(error);
  }
}

Configuration openNamed(const std::string& nameOrPath) {
  if (isPath(nameOrPath)) return Configuration::read(nameOrPath);
  const std::string file =
      platformFile(nameOrPath, fs::path(launch::dataDirectory()) / "platforms");
  if (!file.empty()) return Configuration::read(file);
  std::string known;
  for (const PlatformEntry& entry : listPlatforms())
    known += (known.empty() ? "" : ", ") + entry.name;
  refuseFolder(nameOrPath, "a platform: a name or a .toml file");
  throw InputError("unknown platform '" + nameOrPath + "'; expected one of " + known +
                   ", or the path of a .toml file");
}

}  // namespace

Configuration openPlatform(const std::string& nameOrPath) {
  return marked([&] { return openNamed(nameOrPath); });
}

Configuration openPlatform(const std::string& nameOrPath, const std::vector<std::string>& changes) {
  return marked([&] {
    Configuration configuration = openNamed(nameOrPath);
    configuration.applyAll(changes);
    configuration.check();
    return configuration;
  });
}

}  // namespace fermata::platforms
