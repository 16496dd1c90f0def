#include <fermata/stimuli/launch/dump_file.h>

#include <algorithm>
#include <filesystem>

namespace fermata::launch {

namespace fs = std::filesystem;

void checkDumpFile(const std::string& file, const SourceLocation& where) {
  const fs::path path(file);
  const auto refuse = [&](const std::string& why) {
    throw InputError(where, "the dump's file '" + std::string(file.c_str()) + "' " + why +
                                "; expected a name such as 'c.bin', in the folder of --out");
  };
  if (file.empty()) refuse("has no name");
  if (file.find('\0') != std::string::npos) refuse("goes on behind a zero byte");
  if (path.is_absolute()) refuse("is an absolute path");
  if (std::find(path.begin(), path.end(), "..") != path.end()) refuse("leads out of its folder");
  if (path.filename().empty() || path.filename() == ".") refuse("names a folder");
}

files::OutputFile& openDump(files::OutputSet& outputs, const std::string& folder,
                            const std::string& file, const SourceLocation& where) {
  checkDumpFile(file, where);
  const fs::path path = fs::path(folder) / file;
  try {
    outputs.makeFolder(path.parent_path());
    return outputs.add(path);
  } catch (const files::OutputRefused& refused) {
    throw InputError(where, refused.what());
  }
}

}  // namespace fermata::launch
