// Destination of the rows of a program's launches while it runs. Survives any end of the program.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fermata/platforms/exec/launch_spool.h>

namespace fermata::exec {

/// Takes texts for files. Every member throws files::OutputError.
class TableSink {
 public:
  virtual ~TableSink() = default;
  /// Sets the text that `file` starts with. Each process of a program calls it; a call that repeats
  /// the text has no effect. Throws InputError if `file` starts with another text.
  virtual void begin(const std::string& file, std::string_view text) = 0;
  virtual void append(const std::string& file, std::string_view text) = 0;
  /// Replaces the whole content of `file`: the last call counts.
  virtual void put(const std::string& file, std::string_view text) = 0;
  /// Marks the text since the previous keep() as one launch, which has ended.
  virtual void keep() = 0;
  /// Ends all files, which then appear.
  virtual void finish() = 0;
};

/// Makes a sink for files of a folder; they appear with finish().
std::unique_ptr<TableSink> makeFolderSink(const std::string& folder);

/// Makes a sink that appends the text of one file to `into` and drops other files. `into` must
/// outlive it.
std::unique_ptr<TableSink> makeTextSink(std::string file, std::string& into);

/// Makes a sink to the process that started the program. That process makes the files when the
/// program has ended, however it ended. keep() passes on the text since the previous keep(), whole
/// or not at all.
std::unique_ptr<TableSink> makeSpoolSink(LaunchSpool spool);
/// Replays to `to` what was kept in the spool: the receiving end of makeSpoolSink.
void readSpool(const LaunchSpool& spool, TableSink& to);

}  // namespace fermata::exec
