// Files that belong together: all of them appear, or none.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <fermata/files/output_file.h>
#include <fermata/files/output_folder.h>

namespace fermata::files {

/// Every file is written and durable before the first gets its name; then all get theirs, while
/// no other set is named in the same folders and no signal comes between. Should one be refused
/// its name, the others' old files come back (where the file system can exchange names). Files of
/// two writers never mix: the set of the last stays. Every member throws OutputError or
/// OutputRefused.
class OutputSet {
 public:
  OutputSet() = default;
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  /// A folder for files of the set. What had to be made goes again without commit().
  void makeFolder(const std::filesystem::path& path);
  /// Opened at once: a place that cannot be written is found before the work. Refuses a file that
  /// the set has already. It lives as long as the set.
  OutputFile& add(const std::filesystem::path& path, Streams streams = Streams::Refused);
  void commit();

 private:
  void publishAll();

  std::vector<OutputFolder> folders_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace fermata::files
