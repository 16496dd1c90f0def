#include <fermata/platforms/program/sweep/sweep_store.h>

#include <fermata/files/output_error.h>
#include <fermata/files/output_set.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(fmt::format("cannot read {}", file.string()));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Durably, where it is not there.
void makeFolder(const fs::path& folder) {
  std::error_code error;
  const bool isNew = fs::create_directories(folder, error);
  if (error) files::failWith(error.value(), "cannot make", folder);
  if (isNew) files::synchroniseFolder(files::folderOf(folder));
}

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "host";
}

/// One that has ended and waits for its parent does nothing any more.
bool isAlive(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(in, text);
  const std::size_t name = text.rfind(") ");
  return name == std::string::npos || (text[name + 2] != 'Z' && text[name + 2] != 'X');
}

/// A whole file that is on the disk.
void writeDurably(const fs::path& file, const std::string& bytes) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) files::failWith(errno, "cannot write", file);
  std::size_t written = 0;
  int error = 0;
  while (written < bytes.size() && error == 0) {
    const ssize_t n = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (n >= 0) {
      written += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return;
  ::unlink(file.c_str());
  files::failWith(error, "cannot write", file);
}

}  // namespace

void SweepStore::create(const fs::path& folder, const std::string& studyText,
                        const SweepPlan& plan) {
  const std::string text = planText(plan);
  const fs::path file = folder / "plan.csv";
  std::error_code unknown;
  if (fs::exists(file, unknown)) {
    if (read(file) == text) return;
    throw InputError(fmt::format(
        "{} holds the plan of another sweep: its axes, its inputs or the program have changed; "
        "expected a folder of its own for each",
        folder.string()));
  }
  for (const char* part : {"results", "failed", "tmp"}) makeFolder(folder / part);
  files::OutputSet files;
  files.add(folder / "study.toml").write(studyText);
  files.add(file).write(text);
  files.commit();
}

SweepStore::SweepStore(fs::path folder) : folder_(std::move(folder)) {
  const fs::path file = folder_ / "plan.csv";
  std::error_code unknown;
  if (!fs::exists(file, unknown))
    throw InputError(
        fmt::format("{} holds no sweep; expected a folder that 'fermata sweep plan' "
                    "made",
                    folder_.string()));
  plan_ = readPlan(file.string());
  collectOrphans();
}

fs::path SweepStore::temporaryFor(const fs::path& folder, const std::string& name) {
  return folder / "tmp" / fmt::format("{}.{}.{}", hostName(), ::getpid(), name);
}

// tmp/HOST.PID.NAME: a process of this host that is no more will not finish it.
void SweepStore::collectOrphans() const {
  const std::string prefix = hostName() + '.';
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "tmp", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(prefix, 0) != 0) continue;
    const auto process = static_cast<pid_t>(std::atoi(name.c_str() + prefix.size()));
    if (process > 0 && !isAlive(process)) fs::remove_all(entry.path(), ignored);
  }
}

fs::path SweepStore::place(const char* kind, const SweepPoint& point) const {
  return folder_ / kind / point.key.substr(0, 2) /
         (point.key + (std::string(kind) == "results" ? ".csv" : ""));
}

SweepStore::State SweepStore::state(const SweepPoint& point) const {
  if (::access(place("results", point).c_str(), F_OK) == 0) return State::Done;
  if (::access(place("failed", point).c_str(), F_OK) == 0) return State::Failed;
  return State::Missing;
}

void SweepStore::store(const fs::path& to, const SweepPoint& point,
                       const std::string& bytes) const {
  makeFolder(to.parent_path());
  const fs::path temporary = temporaryFor(folder_, point.key);
  writeDurably(temporary, bytes);
  const int error = ::link(temporary.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (error == EEXIST && read(to) != bytes) {
    const fs::path other = to.string() + ".other";
    if (::rename(temporary.c_str(), other.c_str()) != 0)
      files::failWith(errno, "cannot write", other);
    throw TwoResults(fmt::format("not deterministic: a point has two results, {} and {}",
                                 to.string(), other.string()));
  }
  ::unlink(temporary.c_str());
  if (error != 0 && error != EEXIST) files::failWith(error, "cannot write", to);
  files::synchroniseFolder(to.parent_path());
}

void SweepStore::storeResult(const SweepPoint& point, const std::string& row) const {
  store(place("results", point), point, row);
}

void SweepStore::storeFailure(const SweepPoint& point, const std::string& message) const {
  store(place("failed", point), point, message);
}

std::string SweepStore::result(const SweepPoint& point) const {
  return read(place("results", point));
}

std::string SweepStore::failure(const SweepPoint& point) const {
  return read(place("failed", point));
}

void SweepStore::forgetFailure(const SweepPoint& point) const {
  std::error_code ignored;
  fs::remove(place("failed", point), ignored);
}

}  // namespace fermata::platforms
