#include <fermata/platforms/program/work/result_store.h>

#include <fermata/platforms/program/work/digests.h>
#include <fermata/results/files/output_error.h>
#include <fermata/results/files/output_file.h>
#include <fermata/stimuli/refuse.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse("{} cannot be read; expected a readable file", file.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "host";
}

/// Returns whether a process runs. A zombie does not: it will write nothing more.
bool isAlive(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(in, text);
  const std::size_t name = text.rfind(") ");
  return name == std::string::npos || (text[name + 2] != 'Z' && text[name + 2] != 'X');
}

/// Returns the last line of a point's file. It covers the key too, so the file of another point
/// fails the check.
std::string sealOf(const std::string& key, const std::string& bytes) {
  return "sha256 " + sha256(key + '\n' + bytes) + '\n';
}

/// Returns the file without its seal; nothing if the seal does not match.
std::optional<std::string> unsealed(const std::string& key, std::string file) {
  static const std::size_t kSeal = sealOf({}, "").size();
  if (file.size() < kSeal) return {};
  const std::string seal = file.substr(file.size() - kSeal);
  file.resize(file.size() - kSeal);
  if (seal != sealOf(key, file)) return {};
  return file;
}

bool isThere(const fs::path& file) {
  return ::access(file.c_str(), F_OK) == 0;
}

/// Writes a new file completely and to the disk.
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

/// Links `temporary` to the name `to` unless that exists. Among several writers on any hosts
/// exactly one succeeds; it returns true and its temporary file is removed.
bool nameOnce(const fs::path& temporary, const fs::path& to) {
  const int error = ::link(temporary.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (error == EEXIST) return false;
  ::unlink(temporary.c_str());
  if (error != 0) files::failWith(error, "cannot write", to);
  files::synchroniseFolder(files::folderOf(to));
  return true;
}

}  // namespace

void makeDurableFolder(const fs::path& folder) {
  std::error_code error;
  const bool isNew = fs::create_directories(folder, error);
  if (error) files::failWith(error.value(), "cannot make", folder);
  if (isNew) files::synchroniseFolder(files::folderOf(folder));
}

void writeOnce(const fs::path& folder, const std::string& name, const std::string& bytes) {
  const fs::path temporary = ResultStore::temporaryFor(folder, name);
  writeDurably(temporary, bytes);
  if (!nameOnce(temporary, folder / name)) ::unlink(temporary.c_str());
}

ResultStore::ResultStore(fs::path folder) : folder_(std::move(folder)) {
  for (const char* part : {"results", "failed", "tmp"}) makeDurableFolder(folder_ / part);
  collectOrphans();
}

fs::path ResultStore::temporaryFor(const fs::path& folder, const std::string& name) {
  return folder / "tmp" / fmt::format("{}.{}.{}", hostName(), ::getpid(), name);
}

// Files are named tmp/HOST.PID.NAME. Removes those of dead processes of this host: nobody will
// finish them.
void ResultStore::collectOrphans() const {
  const std::string prefix = hostName() + '.';
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "tmp", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(prefix, 0) != 0) continue;
    const auto process = static_cast<pid_t>(std::atoi(name.c_str() + prefix.size()));
    if (process > 0 && !isAlive(process)) fs::remove_all(entry.path(), ignored);
  }
}

fs::path ResultStore::place(const char* kind, const std::string& key) const {
  return folder_ / kind / key.substr(0, 2) / (key + (std::string(kind) == "results" ? ".csv" : ""));
}

ResultStore::State ResultStore::state(const std::string& key) const {
  bool damaged = false;
  for (const State state : {State::Done, State::Failed}) {
    const fs::path file = place(state == State::Done ? "results" : "failed", key);
    if (!isThere(file)) continue;
    if (unsealed(key, read(file))) return state;
    damaged = true;
  }
  return damaged ? State::Damaged : State::Missing;
}

bool ResultStore::hasResult(const std::string& key) const {
  const State state = this->state(key);
  return state == State::Done || state == State::Failed;
}

fs::path ResultStore::damagedFile(const std::string& key) const {
  const fs::path result = place("results", key);
  return isThere(result) ? result : place("failed", key);
}

void ResultStore::store(const fs::path& to, const std::string& key,
                        const std::string& bytes) const {
  makeDurableFolder(to.parent_path());
  const fs::path temporary = temporaryFor(folder_, key);
  const std::string sealed = bytes + sealOf(key, bytes);
  writeDurably(temporary, sealed);
  if (nameOnce(temporary, to)) return;
  const std::string there = read(to);
  if (there == sealed) {
    ::unlink(temporary.c_str());
    return;
  }
  const bool damaged = !unsealed(key, there);
  const fs::path other = damaged ? to : fs::path(to.string() + ".other");
  if (::rename(temporary.c_str(), other.c_str()) != 0)
    files::failWith(errno, "cannot write", other);
  files::synchroniseFolder(to.parent_path());
  if (damaged) return;
  throw TwoResults(fmt::format("not deterministic: a point has two results, {} and {}", to.string(),
                               other.string()));
}

void ResultStore::storeResult(const std::string& key, const std::string& row) const {
  store(place("results", key), key, row);
}

void ResultStore::storeFailure(const std::string& key, const std::string& message) const {
  store(place("failed", key), key, message);
}

std::string ResultStore::stored(const char* kind, const std::string& key) const {
  const fs::path file = place(kind, key);
  std::optional<std::string> bytes = unsealed(key, read(file));
  if (!bytes)
    refuse(
        {file.string()},
        "damaged: its SHA-256 is another than its last line says; expected the command that made "
        "it again, which replaces it");
  return *std::move(bytes);
}

std::string ResultStore::result(const std::string& key) const {
  return stored("results", key);
}

std::string ResultStore::failure(const std::string& key) const {
  return stored("failed", key);
}

void ResultStore::forgetFailure(const std::string& key) const {
  std::error_code ignored;
  fs::remove(place("failed", key), ignored);
}

}  // namespace fermata::platforms
