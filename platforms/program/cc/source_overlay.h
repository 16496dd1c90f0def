// The sources that clang-16 reads in place of those it does not parse.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A source and the headers it may include, found by name; those of the system are not read. For
/// files whose text clang-16 needs changed (source_text.h), a list in the format of clang's
/// -ivfsoverlay: the compiler reads the changed text under the file's own name, so messages,
/// profiles and dependencies name the user's file and line.
class SourceOverlay {
 public:
  /// `options`: the request's -I and -isystem. Changed texts and the list go to `folder`, with
  /// names that begin with `name`. `relaxed`: host code calls constexpr functions of the device.
  SourceOverlay(const std::filesystem::path& source, const std::vector<std::string>& options,
                bool relaxed, const std::filesystem::path& folder, const std::string& name);

  /// True if the compiler reads changed text.
  bool changesText() const { return !list_.empty(); }
  /// True if a kernel may have clusters by __cluster_dims__.
  bool hasLaunchSizes() const { return hasLaunchSizes_; }
  /// Returns the words for the compiler: the list, and what our headers must know.
  std::vector<std::string> words() const;

 private:
  std::filesystem::path list_;
  bool hasAlignas_ = false;
  bool hasFloat16_ = false;
  bool hasLaunchSizes_ = false;
};

}  // namespace fermata::platforms
