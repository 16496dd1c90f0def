// Where the rows of a program's launches go while it runs: it may end as it likes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fermata/platforms/exec/launch_spool.h>

namespace fermata::exec {

/// Takes text for files. Throws files::OutputError.
class TableSink {
 public:
  virtual ~TableSink() = default;
  /// What `file` starts with. Where it has started so already, nothing happens: each process of a
  /// program says it. Throws InputError where it has started otherwise.
  virtual void begin(const std::string& file, std::string_view text) = 0;
  virtual void append(const std::string& file, std::string_view text) = 0;
  /// All of `file`: the last call counts.
  virtual void put(const std::string& file, std::string_view text) = 0;
  /// A launch has ended: the text so far belongs together.
  virtual void keep() = 0;
  /// All is there: files appear.
  virtual void finish() = 0;
};

/// Into files of a folder, which appear with finish().
std::unique_ptr<TableSink> makeFolderSink(const std::string& folder);

/// To the process that started the program, which makes the files when the program has ended,
/// however it did. keep() passes on what was said since, whole or not at all.
std::unique_ptr<TableSink> makeSpoolSink(LaunchSpool spool);
/// The other end: says to `to` what was kept.
void readSpool(const LaunchSpool& spool, TableSink& to);

}  // namespace fermata::exec
