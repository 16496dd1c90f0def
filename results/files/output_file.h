// A file that appears whole or not at all.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fermata/results/files/destination.h>
#include <fermata/results/files/output_error.h>
#include <fermata/results/files/temporary.h>

namespace fermata::files {

/// Bytes go to a temporary file in the same folder. commit() makes it durable and gives it its name
/// in one step, so that a reader sees the old file or the new one, never a part. Other code in the
/// process may close the descriptor and open another file of that number: the temporary file is
/// then opened again by its name, and no byte goes elsewhere.
/// Without commit() the temporary file vanishes and an older file of that name stays as it was. It
/// also vanishes when a signal ends the process (see removeTemporariesOnSignals). The next writer
/// of the file removes what a killed process left. A link is followed (see destinationOf). Every
/// member throws OutputError or OutputRefused; the folder must exist.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path, Streams streams = Streams::Refused);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

  /// Path as it was given.
  const std::filesystem::path& path() const { return path_; }
  /// Path where the file appears, links followed; for a stream, the path that is open.
  const std::filesystem::path& target() const { return target_; }
  bool isStream() const { return stream_; }

  // The steps of commit(), for a set of files.
  /// Writes everything and makes it durable: no later step needs room.
  void seal();
  /// Gives the file its name; the old file of that name is kept aside until settle().
  void publish();
  /// Undoes publish().
  void retract() noexcept;
  void settle() noexcept;

 private:
  enum class State { Open, Sealed, Exchanged, Renamed, Settled };

  void openTemporary();
  void openStream(const Destination& destination);
  void take(int descriptor);
  bool holds() const noexcept;
  void regain();
  void flush();
  void exchange();
  void discard() noexcept;
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;
  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty: none (a stream, or it has its name)
  Temporary known_;
  std::string buffer_;
  int descriptor_ = -1;
  std::pair<dev_t, ino_t> identity_;  ///< device and inode behind the descriptor
  bool stream_ = false;
  State state_ = State::Open;
};

/// Synchronises a folder: after a rename the folder holds the new name durably only then. Throws
/// OutputError; does nothing on a file system that cannot do so.
void synchroniseFolder(const std::filesystem::path& folder);
/// Returns the folder that a file lies in.
std::filesystem::path folderOf(const std::filesystem::path& file);

}  // namespace fermata::files
