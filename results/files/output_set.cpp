#include <fermata/results/files/output_set.h>

#include <fermata/results/files/directory_locks.h>

namespace fermata::files {

namespace fs = std::filesystem;

namespace {

/// Returns the path of a file, whatever way leads to its folder.
fs::path placeOf(const OutputFile& file) {
  std::error_code error;
  const fs::path folder = fs::canonical(folderOf(file.target()), error);
  return error ? file.target() : folder / file.target().filename();
}

}  // namespace

// Removes files before the folders that they lie in, and later folders before earlier ones.
OutputSet::~OutputSet() {
  files_.clear();
  while (!folders_.empty()) folders_.pop_back();
}

void OutputSet::makeFolder(const fs::path& path) {
  folders_.emplace_back(path);
}

OutputFile& OutputSet::add(const fs::path& path, Streams streams) {
  auto file = std::make_unique<OutputFile>(path, streams);
  for (const auto& other : files_) {
    if (file->isStream() || placeOf(*other) != placeOf(*file)) continue;
    throw OutputRefused("cannot write " + path.string() +
                        ": another file of this run goes there; expected a name of its own");
  }
  files_.push_back(std::move(file));
  return *files_.back();
}

void OutputSet::commit() {
  for (const auto& file : files_) file->seal();
  std::vector<fs::path> folders;
  for (const auto& file : files_) {
    if (!file->isStream()) folders.push_back(folderOf(file->target()));
  }
  {
    const DirectoryLocks locks(folders);
    publishAll();
  }
  for (OutputFolder& folder : folders_) folder.keep();
  for (const fs::path& folder : folders) synchroniseFolder(folder);
}

void OutputSet::publishAll() {
  const SignalsHeld held;
  try {
    for (const auto& file : files_) file->publish();
  } catch (...) {
    for (const auto& file : files_) file->retract();
    throw;
  }
  for (const auto& file : files_) file->settle();
}

}  // namespace fermata::files
