#include <fermata/stimuli/launch/dump_file.h>

#include <algorithm>
#include <filesystem>

#include <fermata/results/files/destination.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {

namespace fs = std::filesystem;

namespace {

/// Returns the path that bytes would be written to, links followed. The path need not exist yet.
fs::path realPath(const fs::path& path) {
  std::error_code missing;
  const bool isLink = fs::is_symlink(fs::symlink_status(path, missing));
  const fs::path file = isLink ? files::destinationOf(path, files::Streams::Refused).path : path;
  return fs::weakly_canonical(file.parent_path()) / file.filename();
}

bool isBelow(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

void checkDumpFile(const std::string& file, const SourceLocation& where) {
  const fs::path path(file);
  const auto refuseFile = [&](const std::string& why) {
    refuse(where,
           "the dump's file '{}' {}; expected a name such as 'c.bin', in the folder of --out",
           file.c_str(), why);
  };
  if (file.empty()) refuseFile("has no name");
  if (file.find('\0') != std::string::npos) refuseFile("goes on behind a zero byte");
  if (path.is_absolute()) refuseFile("is an absolute path");
  if (std::find(path.begin(), path.end(), "..") != path.end())
    refuseFile("leads out of its folder");
  if (path.filename().empty() || path.filename() == ".") refuseFile("names a folder");
}

files::OutputFile& openDump(files::OutputSet& outputs, const std::string& folder,
                            const std::string& file, const SourceLocation& where) {
  checkDumpFile(file, where);
  const fs::path path = fs::path(folder) / file;
  try {
    if (!isBelow(realPath(fs::absolute(path)), fs::weakly_canonical(fs::absolute(folder)))) {
      refuse(where,
             "the dump's file '{}' leads out of the folder of --out by a link; expected a file in "
             "that folder",
             file);
    }
    outputs.makeFolder(path.parent_path());
    return outputs.add(path);
  } catch (const files::OutputRefused& refused) {
    throw InputError(where, refused.what());
  } catch (const fs::filesystem_error& error) {
    refuse(where, "the dump's file '{}': {}; expected a file in the folder of --out", file,
           error.code().message());
  }
}

}  // namespace fermata::launch
