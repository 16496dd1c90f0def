#include <fermata/platforms/program/cc/compile_program.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fermata/platforms/program/cc/compile_commands.h>
#include <fermata/platforms/program/cc/device_link.h>
#include <fermata/platforms/program/cc/launch_sizes.h>
#include <fermata/platforms/program/cc/product_fusion.h>
#include <fermata/platforms/program/cc/ptx_check.h>
#include <fermata/platforms/program/cc/register_count.h>
#include <fermata/platforms/program/cc/runtime_folder.h>
#include <fermata/platforms/program/cc/source_overlay.h>
#include <fermata/platforms/program/cc/toolkit_folders.h>
#include <fermata/platforms/program/command.h>
#include <fermata/platforms/program/diagnostics.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/platforms/program/work/digests.h>
#include <fermata/results/files/output_set.h>
#include <fermata/stimuli/launch/compile_cache.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/newer_architectures.h>
#include <fermata/stimuli/launch/register_arrays.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;
using Product = ProgramRequest::Product;
using Kind = ProgramRequest::Kind;

constexpr const char* kCompilerHint =
    "clang-16 on the PATH (Debian: apt-get install clang-16 libstdc++-12-dev)";

/// Thrown when a compiler has failed and printed why; `code` is its exit code.
struct Failed {
  int code;
};

std::string readFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void writeText(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) refuse("'{}' cannot be written; expected room for it", path.string());
}

void addWords(Command& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Returns the folder of the programs' library.
fs::path libraryFolder(const fs::path& data) {
  if (const auto found = runtimeFolder(data)) return *found;
  refuse("libfermata_cudart.so is not in {}; expected it there, as it is built and installed",
         (data.parent_path().parent_path() / FERMATA_LIBRARY_FOLDER).string());
}

class Compilation {
 public:
  explicit Compilation(const ProgramRequest& request)
      : request_(request),
        data_(fs::weakly_canonical(launch::dataDirectory())),
        commands_(request, data_ / "cuda" / "include"),
        folder_(scratch_.path().parent_path()) {}

  void run() {
    for (const std::string& note : request_.notes) warn(note);
    leaveToolkitsOfEnvironment();
    checkParallel();
    const fs::path library =
        request_.product == Product::Program ? libraryFolder(data_) : fs::path();
    std::vector<std::string> files;
    for (const ProgramRequest::Input& input : request_.inputs) files.push_back(made(input));
    if (request_.product == Product::Program) {
      const fs::path program = folder_ / "program";
      const fs::path device = linkedDevice(files);
      if (!device.empty()) files.push_back(device.string());
      call(commands_.link(files, library, program));
      produce(program, outputOr("a.out"));
    } else if (request_.product == Product::DeviceLink) {
      produce(linkedDevice(files), outputOr("a_dlink.o"));
    } else if (request_.product == Product::Library) {
      archive(files);
    }
    outputs_.commit();
    if (request_.product == Product::Program) makeExecutable();
  }

 private:
  /// Compiles an input if needed; returns the word for the linker.
  std::string made(const ProgramRequest::Input& input) {
    if (input.kind == Kind::Linked) return input.text;
    const std::string name = std::to_string(++number_);
    const fs::path object = folder_ / (name + ".o");
    if (input.kind == Kind::Cuda) {
      const fs::path ptx = folder_ / (name + ".ptx");
      const SourceOverlay sources(input.text, request_.language, request_.relaxedConstexpr, folder_,
                                  name);
      const std::string unit = request_.separate ? unitOf(input.text) : "";
      Command reading = sources.words();
      // Clang's driver hands on an id for the device only, and makes one up if it has none.
      if (request_.separate)
        addWords(reading, {"-fgpu-rdc", "-cuid=" + unit, "-Xclang", "-cuid=" + unit});
      compileDevice(commands_.device(input.text, reading, ptx), input.text, sources.changesText(),
                    ptx);
      if (unrolls()) keepArraysInRegisters(input.text, reading, sources.changesText(), ptx);
      if (request_.arch != launch::compiledArchitecture(request_.arch))
        writeText(ptx, launch::withTarget(readFile(ptx), request_.arch));
      if (request_.fuse) writeText(ptx, withFusedProducts(readFile(ptx)));
      if (sources.hasLaunchSizes()) addLaunchSizes(input.text, reading, sources.changesText(), ptx);
      if (request_.registerCount != 0) limitRegisters(ptx);
      check(ptx, input.text, request_.separate);
      if (request_.product == Product::Ptx || request_.keep) produceBeside(ptx, input.text, request_.ptxEnding);
      if (request_.product == Product::Ptx) return "";
      if (request_.separate) writeText(ptx, markedUnit(unit, readFile(ptx)));
      // Clang embeds the file without a terminating zero.
      std::ofstream(ptx, std::ios::binary | std::ios::app).put('\0');
      callHost(commands_.host(input.text, reading, ptx, object), input.text);
      if (request_.separate) nameUnit(object, unit);
    } else {
      callHost(commands_.plain(input, object), input.text);
    }
    if (request_.product == Product::Objects) produceBeside(object, input.text, ".o");
    return object.string();
  }

  /// Returns the id of a translation unit: objects of one program differ in source, name or
  /// options.
  std::string unitOf(const std::string& source) const {
    std::string facts = source + '\n' + placeOf(source, ".o").string() + '\n' + request_.arch;
    for (const auto* words : {&request_.language, &request_.cuda}) {
      for (const std::string& word : *words) facts += '\n' + word;
    }
    return sha256(facts + '\n' + readFile(source)).substr(0, kUnitDigits);
  }

  /// Links the relocatable device code of the files. Returns the object for the host's linker;
  /// empty: a program needs none.
  fs::path linkedDevice(const std::vector<std::string>& files) const {
    const DeviceObjects found = deviceObjectsIn(files);
    std::vector<DeviceUnit> units;
    for (const DeviceUnit& unit : found.units) {
      if (found.linked.count(unit.id) == 0) units.push_back(unit);
    }
    if (units.empty() && request_.product == Product::Program) return {};
    const fs::path ptx = fs::absolute(folder_ / "device.ptx"), source = folder_ / "device.c";
    const DeviceLink linked = linkDevice(units, ptx);
    writeText(ptx, linked.ptx);
    writeText(source, linked.source);
    check(ptx, "the linked objects", false);
    const fs::path object = folder_ / "device.o";
    call({"clang-16", "-c", "-fPIC", "-O1", "-o", object.string(), source.string()});
    return object;
  }

  void archive(const std::vector<std::string>& files) {
    const fs::path made = folder_ / "library.a";
    Command words = {"ar", "rcs", made.string()};
    addWords(words, files);
    call(words);
    produce(made, outputOr("a.a"));
  }

  /// Throws a clear error if OpenMP is missing: the compiler would only say that the linker finds
  /// no -lomp.
  void checkParallel() const {
    const auto asks = [](const std::string& word) { return word.rfind("-fopenmp", 0) == 0; };
    if (std::none_of(request_.host.begin(), request_.host.end(), asks)) return;
    const std::string found = runCommand({"clang++-16", "-print-file-name=include/omp.h"},
                                         CommandErrors::Shown, kCompilerHint)
                                  .output;
    if (found.empty() || found[0] != '/')
      refuse(
          "-fopenmp needs clang-16's OpenMP, which is not there; expected it (Debian: apt-get "
          "install libomp-16-dev)");
  }

  void call(const Command& words) const {
    if (request_.verbose) {
      std::string line;
      for (const std::string& word : words) line += (line.empty() ? "" : " ") + shellWord(word);
      std::cerr << line << '\n';
    }
    const bool json = diagnosticsAreJson();
    const CommandOutcome outcome =
        runCommand(words, json ? CommandErrors::InOutput : CommandErrors::Shown, kCompilerHint);
    if (json) {
      for (const Diagnostic& one : compilerDiagnostics(outcome.output)) printDiagnostic(one);
    } else {
      std::cout << outcome.output;
    }
    if (outcome.code != 0) throw Failed{outcome.code};
  }

  bool unrolls() const { return request_.level >= "-O2" && !request_.deviceDebug; }

  /// Compiles PTX with arrays in local memory once more, with loops unrolled further.
  void keepArraysInRegisters(const std::string& source, const Command& reading, bool changesText,
                             const fs::path& ptx) const {
    const std::string made = readFile(ptx);
    if (launch::localBytes(made) == 0) return;
    const fs::path unrolled = fs::path(ptx).replace_extension(".unrolled");
    Command words = commands_.device(source, reading, unrolled);
    addWords(words, launch::unrollingOptions());
    compileDevice(words, source, changesText, unrolled);
    writeText(ptx, launch::withFewerLocalBytes(made, readFile(unrolled)));
  }

  /// Adds the sizes of __cluster_dims__ and __block_size__ to the PTX.
  void addLaunchSizes(const std::string& source, const Command& reading, bool changesText,
                      const fs::path& ptx) const {
    const fs::path llvm = fs::path(ptx).replace_extension(".ll");
    Command words = commands_.device(source, reading, llvm);
    words.insert(words.begin() + 1, {"-emit-llvm", "-Xclang", "-disable-llvm-passes"});
    compileDevice(words, source, changesText, llvm);
    writeText(ptx, withLaunchSizes(readFile(ptx), launchSizesIn(readFile(llvm))));
  }

  /// Compiles the device side to `made`, or takes what an earlier call made.
  void compileDevice(Command words, const std::string& source, bool changesText,
                     const fs::path& made) const {
    const launch::CompileCache cache;
    if (changesText) return callDevice(words);  // from a temporary file, no key for a cache
    const auto output = std::find(words.rbegin(), words.rend(), "-o").base() - 1;
    launch::CompileJob job{words, source};
    job.words.erase(job.words.begin() + (output - words.begin()),
                    job.words.begin() + (output - words.begin()) + 2);
    if (const auto kept = request_.verbose ? std::nullopt : cache.find(job)) {
      return writeText(made, *kept);
    }
    const fs::path read = fs::path(made).replace_extension(".d");
    if (cache.isOn()) words.insert(words.end(), {"-MD", "-MF", read.string()});
    callDevice(words);
    cache.keep(job, readFile(made), read);
  }

  /// Compiles the device side. Says more of a launch by a kernel (source_device_code.h) than
  /// clang-16 does.
  void callDevice(const Command& words) const {
    try {
      call(words);
    } catch (const Failed&) {
      const std::string told = runCommand(words, CommandErrors::InOutput, kCompilerHint).output;
      if (told.find("error: reference to __global__ function") != std::string::npos)
        printError(
            "a launch by a kernel that 'cc' cannot rewrite; expected kernel<<<...>>>(...) in the "
            "text of a __global__ or __device__ function, not in a macro or a function for both "
            "sides",
            "input");
      throw;
    }
  }

  void limitRegisters(const fs::path& ptx) const {
    writeText(ptx, withRegisterCount(readFile(ptx), request_.registerCount));
  }

  static void check(const fs::path& ptx, const std::string& source, bool relocatable) {
    const std::string refusal = refusalOf(readFile(ptx), source, relocatable);
    if (!refusal.empty()) warn("launches will refuse the kernels of " + source + ": " + refusal);
  }

  fs::path outputOr(const char* name) const {
    return request_.output.empty() ? fs::path(name) : fs::path(request_.output);
  }
  /// Returns where a product goes: the path given by -o, or the source's name in the working
  /// folder.
  fs::path placeOf(const std::string& source, const char* ending) const {
    const bool asked =
        request_.product == (ending == std::string(".o") ? Product::Objects : Product::Ptx);
    return asked && !request_.output.empty() ? fs::path(request_.output)
                                             : fs::path(source).stem().replace_extension(ending);
  }
  void produceBeside(const fs::path& made, const std::string& source, const char* ending) {
    produce(made, placeOf(source, ending));
  }
  void callHost(Command words, const std::string& source) const {
    const Command more = commands_.dependencies(placeOf(source, ".o"));
    words.insert(words.end(), more.begin(), more.end());
    call(words);
  }

  void produce(const fs::path& made, const fs::path& output) {
    files::OutputFile& file = outputs_.add(output);
    file.write(readFile(made));
    if (request_.product == Product::Program) program_ = file.target();
  }

  void makeExecutable() const {
    using fs::perms;
    const perms now = fs::status(program_).permissions();
    perms more = perms::none;
    for (const auto& [read, execute] : {std::pair{perms::owner_read, perms::owner_exec},
                                        {perms::group_read, perms::group_exec},
                                        {perms::others_read, perms::others_exec}}) {
      if ((now & read) != perms::none) more |= execute;
    }
    fs::permissions(program_, more, fs::perm_options::add);
  }

  const ProgramRequest& request_;
  const fs::path data_;
  const CompileCommands commands_;
  const ScratchFile scratch_{"program", "program"};
  const fs::path folder_;
  unsigned number_ = 0;
  files::OutputSet outputs_;
  fs::path program_;
};

}  // namespace

int compileProgram(const ProgramRequest& request) {
  try {
    Compilation(request).run();
    return 0;
  } catch (const Failed& failed) {
    return failed.code;
  }
}

}  // namespace fermata::platforms
