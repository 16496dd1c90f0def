#include <fermata/stimuli/launch/compile_cuda.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fermata/results/files/temporary.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/launch/compile_cache.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/newer_architectures.h>
#include <fermata/stimuli/launch/register_arrays.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCompiler = "clang++-16";

/// A temporary folder that is removed with the object, or by a signal that ends the process.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const files::SignalsHeld held;
    std::string pattern = (fs::temp_directory_path() / "fermata-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      refuse("no temporary folder: {}; expected a writable {}", std::strerror(errno),
             fs::temp_directory_path().string());
    }
    path_ = pattern;
    for (const char* name : {"kernel.ptx", "kernel.d", "log"})
      known_.emplace_back(path_ / name, files::Temporary::Kind::File);
    known_.emplace_back(path_, files::Temporary::Kind::Folder);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  std::vector<files::Temporary> known_;
};

std::string readText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Runs a program from the PATH without a shell, with its output in `log`. Returns the wait status,
/// or -1 if it cannot be started (errno says why).
int runProgram(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

/// Returns the flag that names the files in a folder without it, so that results do not depend on
/// the place.
std::string withoutFolder(const fs::path& folder) {
  return "-ffile-prefix-map=" + folder.string() + "/=";
}

/// Returns the compiler's command without its output; cmake/FermataPtx.cmake gives the same flags.
std::vector<std::string> compilerCommand(const fs::path& source, const CompileSettings& settings) {
  const std::string arch = settings.arch ? settings.arch->text : CompileSettings::kArch;
  std::vector<std::string> words = {kCompiler,
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "-S",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "--cuda-path=/nonexistent",
                                    "--cuda-gpu-arch=" + compiledArchitecture(arch),
                                    "-m" + std::to_string(settings.bits()),
                                    "-O3",
                                    "-fno-strict-aliasing",
                                    "-nostdinc",
                                    "-std=c++14",
                                    "-mllvm",
                                    "-inline-threshold=100000",
                                    "-gline-tables-only",
                                    "-fdebug-compilation-dir=."};
  const std::vector<std::string> macros = architectureMacros(arch);
  words.insert(words.end(), macros.begin(), macros.end());
  for (const CompileSettings::Word& include : settings.includes) {
    const fs::path folder = fs::absolute(include.text).lexically_normal();
    words.push_back("-I" + folder.string());
    words.push_back(withoutFolder(folder));
  }
  for (const CompileSettings::Word& define : settings.defines) words.push_back("-D" + define.text);
  const std::string header = (fs::path(dataDirectory()) / "cuda" / "fermata_cuda.h").string();
  const fs::path file = fs::absolute(source);
  words.insert(words.end(), {withoutFolder(file.parent_path()), "-include", header, file.string()});
  return words;
}

/// Returns the PTX that a command makes of a source, from the cache if it is there.
std::string compiledText(const std::vector<std::string>& command, const std::string& path,
                         const SourceLocation& where) {
  const CompileCache cache;
  const CompileJob job{command, path, true};
  if (const auto made = cache.find(job)) return *made;
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "kernel.ptx";
  const fs::path log = folder.path() / "log";
  const fs::path read = folder.path() / "kernel.d";
  std::vector<std::string> words = job.words;
  words.insert(words.end(), {"-MD", "-MF", read.string(), "-o", output.string()});
  const int status = runProgram(words, log);
  if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
    refuse(where,
           "'{}' needs a compiler, and {} cannot be started ({}); expected clang-16 on the PATH "
           "(Debian: apt-get install clang-16), or a .ptx file",
           path, kCompiler, std::strerror(status == -1 ? errno : ENOENT));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string said = readText(log);
    const bool hasHost = said.find("' file not found") != std::string::npos;
    const char* const host =
        hasHost ? " without headers of the host; a program with both sides is built by 'fermata "
                  "cc' and run by 'fermata exec'"
                : "";
    throw CompileError(
        where, fmt::format("'{}' does not compile; expected CUDA device code{}", path, host),
        fmt::format("{} says:\n{}", kCompiler, said), said);
  }
  std::string made = readText(output);
  cache.keep(job, made, read);
  return made;
}

/// Parses compiled PTX. Refuses a setting that differs from it, or needs a compilation.
std::shared_ptr<const ptx::Module> parseCompiled(const std::string& path,
                                                 const CompileSettings& settings) {
  auto module = ptx::parseFile(path);
  if (settings.addressBits && *settings.addressBits != module->addressBits()) {
    refuse(settings.addressBitsWhere,
           "'{}' has addresses of {} bits; expected address_bits = {}, or the .cu to compile", path,
           module->addressBits(), module->addressBits());
  }
  if (settings.arch && settings.arch->text != module->target()) {
    refuse(settings.arch->where,
           "'{}' is code for {}; expected arch = \"{}\", or the .cu to compile", path,
           module->target(), module->target());
  }
  const auto refuseWord = [&](const CompileSettings::Word& word, const std::string& key) {
    refuse(word.where,
           "'{}' has no effect on '{}', which is compiled; expected a .cu that is there", key,
           path);
  };
  if (!settings.includes.empty()) refuseWord(settings.includes.front(), "include");
  if (!settings.defines.empty()) refuseWord(settings.defines.front(), "define");
  return module;
}

}  // namespace

std::shared_ptr<const ptx::Module> compileCuda(const std::string& path, const SourceLocation& where,
                                               const CompileSettings& settings) {
  std::vector<std::string> command = compilerCommand(path, settings);
  std::string made = compiledText(command, path, where);
  if (localBytes(made) != 0) {
    const std::vector<std::string> more = unrollingOptions();
    command.insert(command.end(), more.begin(), more.end());
    made = withFewerLocalBytes(made, compiledText(command, path, where));
  }
  const std::string arch = settings.arch ? settings.arch->text : CompileSettings::kArch;
  return ptx::parse(withTarget(made, arch), path + ", compiled");
}

std::shared_ptr<const ptx::Module> loadKernels(const std::string& path, const SourceLocation& where,
                                               const CompileSettings& settings) {
  const fs::path source(path);
  const std::string kind = source.extension().string();
  if (kind != ".cu" && kind != ".ptx")
    refuse(where, "'{}' is not a kernel file; expected a .cu or .ptx file", path);
  std::error_code error;
  if (fs::is_regular_file(source, error)) {
    return kind == ".ptx" ? parseCompiled(path, settings) : compileCuda(path, where, settings);
  }
  fs::path compiled = source;
  if (settings.addressBits && *settings.addressBits != settings.bits()) {
    compiled.replace_extension("." + std::to_string(settings.bits()) + ".ptx");
    CompileSettings wider = settings;
    wider.addressBits = settings.bits();
    if (fs::is_regular_file(compiled, error)) return parseCompiled(compiled.string(), wider);
  }
  compiled = fs::path(source).replace_extension(".ptx");
  if (fs::is_regular_file(compiled, error)) return parseCompiled(compiled.string(), settings);
  refuseFolder(path, "a .cu or .ptx file", where);
  refuse(where, "'{}' cannot be read; expected a .cu or .ptx file", path);
}

}  // namespace fermata::launch
