#include <fermata/platforms/program/sweep/sweep_program.h>

#include <fermata/platforms/program/work/digests.h>
#include <fermata/platforms/program/sweep/sweep_store.h>
#include <fermata/results/files/output_error.h>
#include <fermata/results/files/output_file.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/toml/toml_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <string>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

std::string digestOfFile(const fs::path& file) {
  return sha256(readTextFile(file.string(), "cannot read it; expected a readable file"));
}

/// Returns a hash of the program, and of the names and bytes of its data.
std::string digestOf(const fs::path& program, const fs::path& data) {
  std::set<fs::path> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(data, fs::directory_options::follow_directory_symlink)) {
    if (entry.is_regular_file()) files.insert(entry.path());
  }
  std::string all = digestOfFile(program) + '\n';
  for (const fs::path& file : files)
    all += file.lexically_relative(data).string() + ' ' + digestOfFile(file) + '\n';
  return sha256(all);
}

/// Writes everything in the folder's file system to the disk.
void synchronise(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int error = descriptor < 0 || ::syncfs(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) ::close(descriptor);
  if (error != 0) files::failWith(error, "cannot write", folder);
}

ProgramCopy copyIn(const fs::path& place) {
  return {place / "bin" / "fermata", place / "share" / "fermata"};
}

bool isWhole(const fs::path& place, const std::string& digest) {
  const ProgramCopy copy = copyIn(place);
  std::error_code unknown;
  return fs::exists(copy.program, unknown) && fs::exists(copy.data, unknown) &&
         digestOf(copy.program, copy.data) == digest;
}

}  // namespace

ProgramCopy copyProgram(const fs::path& folder) {
  const fs::path self = "/proc/self/exe";
  const fs::path data = launch::dataDirectory();
  const std::string digest = digestOf(self, data);
  const fs::path place = folder / "program" / digest.substr(0, 16);
  if (isWhole(place, digest)) return copyIn(place);
  const fs::path temporary = SweepStore::temporaryFor(folder, "program");
  try {
    fs::remove_all(place);  // incomplete: power was lost while it was written
    fs::create_directories(place.parent_path());
    const ProgramCopy copy = copyIn(temporary);
    fs::create_directories(copy.program.parent_path());
    fs::create_directories(copy.data.parent_path());
    fs::copy_file(self, copy.program);
    fs::copy(data, copy.data, fs::copy_options::recursive);
    synchronise(temporary);
    fs::rename(temporary, place);
    files::synchroniseFolder(place.parent_path());
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    if (isWhole(place, digest)) return copyIn(place);  // another process was quicker
    files::failWith(error.code().value(), "cannot copy the program to", place);
  }
  return copyIn(place);
}

}  // namespace fermata::platforms
