// Files that belong together: all of them appear, or none.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <fermata/results/files/output_file.h>
#include <fermata/results/files/output_folder.h>

namespace fermata::files {

/// Every file is written and durable before the first gets its name. Then all get theirs, while no
/// other set gives names in those folders and no signal comes between. If one is refused its name,
/// the others' old files come back (where the file system can exchange names). Files of two writers
/// never mix: the last set stays. Every member throws OutputError or OutputRefused.
class OutputSet {
 public:
  OutputSet() = default;
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  /// Makes a folder for files of the set. Without commit(), folders that had to be made are
  /// removed.
  void makeFolder(const std::filesystem::path& path);
  /// Opens a file at once: a place that cannot be written is found before the work. Refuses a file
  /// that the set has already. The file lives as long as the set.
  OutputFile& add(const std::filesystem::path& path, Streams streams = Streams::Refused);
  void commit();

 private:
  void publishAll();

  std::vector<OutputFolder> folders_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace fermata::files
