// A file that a library writes by name, in a temporary folder that is always removed.
#pragma once

#include <fermata/results/files/output_file.h>
#include <fermata/results/files/temporary.h>

#include <filesystem>
#include <string>

namespace fermata::platforms {

class ScratchFile {
 public:
  /// `what` ("waves") is used in the folder's name and in messages. Throws InputError if nothing
  /// can be written.
  ScratchFile(const std::string& what, const std::string& name);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::filesystem::path path() const { return folder_ / name_; }
  /// Copies the content into `output`. Throws files::OutputError.
  void copyTo(files::OutputFile& output) const;

 private:
  std::string what_;
  std::string name_;
  std::filesystem::path folder_;
  files::Temporary known_;
};

}  // namespace fermata::platforms
