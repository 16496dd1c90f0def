// Results of work, each stored under the key of what it was computed from.
//
//   results/ab/KEY.csv        a result, one file per key
//   failed/ab/KEY             why there is none
//                             both end in a line "sha256 HASH": of the key and the lines above it
//   tmp/                      files being written
//
// Several processes and hosts may work in the folder at the same time, without locks. Files are
// written to tmp, made durable, and linked to their names; a link never replaces another file. Only
// a result with a hash that shows damage is replaced.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace fermata::platforms {

/// Thrown if the work of a key gave other bytes when it ran again.
class TwoResults : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Keys have 64 hexadecimal digits.
class ResultStore {
 public:
  /// Damaged: the file exists, but its hash does not match its bytes.
  enum class State { Missing, Done, Failed, Damaged };

  /// Makes the folder where it is missing, and calls collectOrphans().
  explicit ResultStore(std::filesystem::path folder);

  /// Returns a name in tmp that belongs to this process. The file is removed after the process has
  /// ended.
  static std::filesystem::path temporaryFor(const std::filesystem::path& folder,
                                            const std::string& name);

  const std::filesystem::path& folder() const { return folder_; }
  State state(const std::string& key) const;
  /// Returns true for Done and Failed: the work need not run.
  bool hasResult(const std::string& key) const;

  /// Both store the outcome of work. They do nothing if it is stored already, and replace a damaged
  /// file. If other bytes are stored, the model is not deterministic: they keep both and throw
  /// TwoResults. Also throw files::OutputError or OutputRefused.
  void storeResult(const std::string& key, const std::string& bytes) const;
  void storeFailure(const std::string& key, const std::string& message) const;
  /// Precondition of both: state Done or Failed. Throw InputError if the file has been damaged
  /// since.
  std::string result(const std::string& key) const;
  std::string failure(const std::string& key) const;
  /// Returns the damaged file, to name it. Precondition: state Damaged.
  std::filesystem::path damagedFile(const std::string& key) const;
  /// Removes the unfinished files of dead processes of this host.
  void collectOrphans() const;
  /// Removes the failure, so that the work is tried again.
  void forgetFailure(const std::string& key) const;

 private:
  std::filesystem::path place(const char* kind, const std::string& key) const;
  std::string stored(const char* kind, const std::string& key) const;
  void store(const std::filesystem::path& to, const std::string& key,
             const std::string& bytes) const;

  std::filesystem::path folder_;
};

/// Makes a folder durably, unless it exists.
void makeDurableFolder(const std::filesystem::path& folder);
/// Writes a file of the store's folder completely and to the disk; an existing file stays as it is.
void writeOnce(const std::filesystem::path& folder, const std::string& name,
               const std::string& bytes);

}  // namespace fermata::platforms
