// Where the rows of a program's launches go while it runs: it may end as it likes.
#pragma once

#include <fermata/files/output_set.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace fermata::exec {

/// Takes text for the ends of files. Throws files::OutputError.
class TableSink {
 public:
  virtual ~TableSink() = default;
  virtual void append(const std::string& file, std::string_view text) = 0;
  /// All is there: files appear.
  virtual void finish() = 0;
};

/// Into files of a folder, which appear with finish().
std::unique_ptr<TableSink> makeFolderSink(const std::string& folder);

/// To the process that started the program, which makes the files when it has ended, however it
/// did: through a descriptor of a file that both have open.
std::unique_ptr<TableSink> makeSpoolSink(int descriptor);
/// The other end: passes on what has been spooled, from the start of the file. What is cut off at
/// its end is left out.
void readSpool(int descriptor, TableSink& to);

}  // namespace fermata::exec
