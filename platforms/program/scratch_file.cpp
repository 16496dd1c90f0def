#include <fermata/platforms/program/scratch_file.h>

#include <fermata/results/files/output_error.h>
#include <fermata/stimuli/refuse.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace fermata::platforms {

namespace fs = std::filesystem;

namespace {

fs::path makeFolder(const std::string& what) {
  std::string pattern = (fs::temp_directory_path() / ("fermata-" + what + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    refuse("cannot write the {} to {}: {}; expected a writable {}", what, pattern,
           std::strerror(errno), fs::temp_directory_path().string());
  return pattern;
}

}  // namespace

ScratchFile::ScratchFile(const std::string& what, const std::string& name)
    : what_(what), name_(name) {
  const files::SignalsHeld held;
  folder_ = makeFolder(what);
  known_ = files::Temporary(folder_, files::Temporary::Kind::Folder);
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;  // files that cannot be removed are left
  fs::remove_all(folder_, ignored);
}

void ScratchFile::copyTo(files::OutputFile& output) const {
  std::ifstream in(path(), std::ios::binary);
  if (!in) throw files::OutputError("cannot write the " + what_ + " to " + path().string());
  std::array<char, 1U << 16> part;
  while (in.read(part.data(), part.size()) || in.gcount() > 0)
    output.write({part.data(), static_cast<std::size_t>(in.gcount())});
}

}  // namespace fermata::platforms
