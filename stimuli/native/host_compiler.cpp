#include <fermata/stimuli/native/host_compiler.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <fermata/results/files/temporary.h>

namespace fermata::native {
namespace {

namespace fs = std::filesystem;

/// A temporary folder that is removed with the object, or by a signal that ends the process.
class Folder {
 public:
  Folder() {
    const files::SignalsHeld held;
    std::string pattern = (fs::temp_directory_path() / "fermata-code-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) return;
    path_ = pattern;
    for (const char* name : {"kernel.ll", "kernel.so", "kernel.d", "code.so"})
      known_.emplace_back(fs::path(path_) / name, files::Temporary::Kind::File);
    known_.emplace_back(path_, files::Temporary::Kind::Folder);
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<files::Temporary> known_;
};

/// Returns what tells this processor from another one, as a comment.
const std::string& processor() {
  static const std::string kText = [] {
    std::ifstream file("/proc/cpuinfo");
    std::string text, line;
    while (std::getline(file, line)) {
      const bool wanted = line.rfind("model name", 0) == 0 || line.rfind("flags", 0) == 0;
      if (wanted) text += "; " + line + "\n";
      if (line.rfind("flags", 0) == 0) break;
    }
    return text;
  }();
  return kText;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

std::optional<Library> load(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Library code;
  code.whole = reinterpret_cast<Code>(::dlsym(library, kWholeName));
  code.part = reinterpret_cast<Code>(::dlsym(library, kPartName));
  if (code.whole == nullptr || code.part == nullptr) return std::nullopt;
  return code;
}

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the environment, with a folder for temporary files.
std::vector<std::string> environmentWith(const std::string& folder) {
  std::vector<std::string> variables = {"TMPDIR=" + folder};
  for (char** one = environ; *one != nullptr; ++one) {
    if (std::string_view(*one).substr(0, 7) != "TMPDIR=") variables.emplace_back(*one);
  }
  return variables;
}

/// Starts a program from the PATH without input and output, in a group of processes of its own.
/// Returns 0 if it cannot be started.
pid_t start(const std::vector<std::string>& words, const std::string& folder) {
  const std::vector<char*> arguments = pointersTo(words);
  const std::vector<std::string> variables = environmentWith(folder);
  const std::vector<char*> environment = pointersTo(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(),
                                   environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : 0;
}

}  // namespace

bool HostCompiler::runs(const std::vector<std::string>& words, const std::string& folder) {
  if (stopped_) return false;
  const pid_t child = start(words, folder);
  if (child == 0) return false;
  child_ = child;
  if (stopped_) ::kill(-child, SIGTERM);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    // The program itself may have waited for its children: the output tells.
    if (errno != EINTR) {
      status = 0;
      break;
    }
  }
  child_ = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void HostCompiler::stop() {
  stopped_ = true;
  if (const pid_t child = child_; child != 0) ::kill(-child, SIGTERM);
}

std::optional<std::string> HostCompiler::made(const launch::CompileJob& job,
                                              const std::string& folder) {
  if (auto kept = cache_.find(job)) return kept;
  std::vector<std::string> words = job.words;
  const std::string output = folder + "/kernel.so";
  words.insert(words.end(), {"-o", output});
  if (!runs(words, folder)) return std::nullopt;
  std::string code = contents(output);
  if (code.empty()) return std::nullopt;
  const std::string rule = folder + "/kernel.d";
  if (write(rule, "kernel.so: " + job.source.string() + "\n")) cache_.keep(job, code, rule);
  return code;
}

std::optional<Library> HostCompiler::compile(const std::string& text) {
  const Folder folder;
  const std::string source = folder.path() + "/kernel.ll";
  if (folder.path().empty() || !write(source, processor() + text)) return std::nullopt;
  const launch::CompileJob job{{"clang-16", "-O1", "-march=native", "-shared", "-fPIC", "-nostdlib",
                                "-w", "-x", "ir", source},
                               source,
                               true};
  const auto code = made(job, folder.path());
  const std::string file = folder.path() + "/code.so";
  if (!code || !write(file, *code)) return std::nullopt;
  return load(file);
}

}  // namespace fermata::native
