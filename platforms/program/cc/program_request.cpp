#include <fermata/platforms/program/cc/program_request.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include <fermata/platforms/program/cc/architectures.h>
#include <fermata/platforms/program/cc/program_options.h>
#include <fermata/platforms/program/cc/toolkit_folders.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;
using Kind = ProgramRequest::Kind;

/// Parts of CUDA's runtime that a program may link; our runtime contains them all.
constexpr std::array<const char*, 12> kOwnLibraries = {
    "cudart", "cudart_static", "cuda",   "cudadevrt",     "culibos",  "nvToolsExt",
    "curand", "curand_static", "cublas", "cublas_static", "cublasLt", "cublasLt_static"};
/// Name prefixes of CUDA's other libraries.
constexpr std::array<const char*, 20> kForeignLibraries = {
    "cublas",    "cudnn",    "cufft", "cufile", "cuinj",         "cupti",   "cusolver",
    "cusparse",  "cutensor", "nccl",  "npp",    "nvblas",        "nvgraph", "nvidia-ml",
    "nvJitLink", "nvjpeg",   "nvml",  "nvperf", "nvptxcompiler", "nvrtc"};

bool startsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::optional<Kind> kindOf(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".cu" || ending == ".hip") return Kind::Cuda;
  if (ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C") return Kind::Cpp;
  if (ending == ".c") return Kind::C;
  if (ending == ".o" || ending == ".a" || ending == ".so") return Kind::Linked;
  if (fs::path(path).filename().string().find(".so.") != std::string::npos) return Kind::Linked;
  return std::nullopt;
}

bool namesToolkit(const std::string& word) {
  for (const std::string option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
    if (startsWith(word, option)) return isToolkit(word.substr(option.size()));
  }
  return false;
}

/// Returns "cudart_static" for /usr/local/cuda/lib64/libcudart_static.a; empty if the path is no
/// library.
std::string libraryOf(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  const bool library = startsWith(name, "lib") && !startsWith(name, "lib.");
  return library && kindOf(path) == Kind::Linked ? name.substr(3, name.find('.') - 3) : "";
}

class RequestReader {
 public:
  RequestReader(const std::vector<std::string>& words, bool hipcc) : words_(words), hipcc_(hipcc) {
    request_.hip = request_.forward = hipcc;
  }

  ProgramRequest read() {
    while (next_ < words_.size()) take(words_[next_++]);
    finish();
    return std::move(request_);
  }

 private:
  void take(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') {
      takeFile(word);
    } else if (startsWith(word, "--library-path")) {
      takePaths(valueOf("--library-path", word));
    } else if (startsWith(word, "--library")) {
      takeLibraries(valueOf("--library", word));
    } else if (startsWith(word, "-l") && findProgramOption(word) == nullptr) {
      takeLibraries(valueOf("-l", word));
    } else if (startsWith(word, "-L")) {
      takePaths(valueOf("-L", word));
    } else if (takeOption(word)) {
    } else if (request_.forward) {
      request_.host.push_back(word);
    } else {
      refuse(
          "'{}' is no option here; expected one of nvcc's that `fermata cc --help` names, or "
          "-Xcompiler for one of the host compiler's",
          word);
    }
  }

  void takeFile(const std::string& word) {
    const std::optional<Kind> kind = kindOf(word);
    if (isOfCuda(libraryOf(word))) return;
    std::error_code error;
    refuseFolder(word, "a file");
    if (!fs::is_regular_file(word, error)) refuse("'{}' cannot be read; expected a file", word);
    if (!kind) unknown_.push_back(request_.inputs.size());
    if (fs::path(word).extension() == ".hip") request_.hip = true;
    const bool isHip = hipcc_ && kind == Kind::Cpp;
    request_.inputs.push_back({word, isHip ? Kind::Cuda : kind.value_or(Kind::Cuda)});
  }
  /// Applies -x to all sources, wherever it stands. It overrides their endings.
  void settleKinds() {
    std::vector<ProgramRequest::Input>& inputs = request_.inputs;
    if (request_.kind) {
      for (ProgramRequest::Input& each : inputs) {
        if (each.kind != Kind::Linked) each.kind = *request_.kind;
      }
    } else if (!unknown_.empty()) {
      refuse(
          "'{}' is of no known kind; expected .cu, .hip, .cpp, .cc, .cxx, .c, .o, .a or .so, or -x "
          "cu",
          inputs[unknown_[0]].text);
    }
  }
  /// Gives macros and headers of the host's compiler to the device's too: nvcc preprocesses both
  /// sides with the host's.
  void shareLanguage() {
    static const std::array<const char*, 7> kWords = {
        "-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter"};
    std::vector<std::string> host;
    const std::vector<std::string>& words = request_.host;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto is = [&](const char* word) { return words[i] == word; };
      const std::string letter = words[i].substr(0, 2);
      if (std::any_of(kWords.begin(), kWords.end(), is)) {
        const std::string option = words[i];
        if (++i < words.size()) request_.language.push_back(option + words[i]);
      } else if (letter == "-D" || letter == "-U" || letter == "-I") {
        request_.language.push_back(words[i]);
      } else {
        host.push_back(words[i]);
      }
    }
    request_.host = std::move(host);
  }

  /// Removes gcc's OpenMP runtime: it would answer clang's queries, but does not know clang's
  /// threads.
  void leaveOtherOpenMp() {
    const std::vector<std::string>& host = request_.host;
    if (std::find(host.begin(), host.end(), "-fopenmp") == host.end()) return;
    std::vector<ProgramRequest::Input>& inputs = request_.inputs;
    const auto is = [](const ProgramRequest::Input& one) { return one.text == "-lgomp"; };
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(), is), inputs.end());
  }

  /// Returns an option's value: directly after it, after '=', or the next word.
  std::string valueOf(const std::string& option, const std::string& word) {
    if (word.size() == option.size()) return value(word);
    return word.substr(option.size() + (word[option.size()] == '=' ? 1 : 0));
  }
  void takePaths(const std::string& list) {
    for (const std::string& path : listOf(list)) takeLinked("-L" + path);
  }
  void takeLibraries(const std::string& list) {
    for (const std::string& name : listOf(list)) takeLibrary(name);
  }

  /// Returns whether our runtime contains the library.
  static bool isOfCuda(const std::string& name) {
    const auto is = [&](const char* own) { return name == own; };
    if (std::any_of(kOwnLibraries.begin(), kOwnLibraries.end(), is)) return true;
    const auto starts = [&](const char* start) { return startsWith(name, start); };
    if (std::any_of(kForeignLibraries.begin(), kForeignLibraries.end(), starts))
      refuse(
          "-l{} is a library of CUDA's that has no stand-in here; expected a program that does "
          "without it",
          name);
    return false;
  }
  void takeLibrary(const std::string& name) {
    if (!isOfCuda(name)) takeLinked("-l" + name);
  }

  void takeLinked(const std::string& word) { request_.inputs.push_back({word, Kind::Linked}); }

  /// Takes an option alone, as --name=value, or, if it has one letter, directly followed by its
  /// value.
  bool takeOption(const std::string& word) {
    if (word == "-Werror" && !kindIsNext()) {  // the compiler's own option, not nvcc's
      takeWarning(word);
      return true;
    }
    if (const ProgramOption* option = findProgramOption(word)) {
      apply(*option, word,
            option->value == ProgramOption::Value::Given ? std::optional<std::string>(value(word))
                                                         : std::nullopt);
      return true;
    }
    const std::size_t equals = word.find('=');
    const ProgramOption* const named =
        equals == std::string::npos ? nullptr : findProgramOption(word.substr(0, equals));
    if (named != nullptr && named->value == ProgramOption::Value::Given) {
      apply(*named, word.substr(0, equals), word.substr(equals + 1));
      return true;
    }
    const std::string letter = word.substr(0, 2);
    if (letter == "-W") {
      takeWarning(word);
      return true;
    }
    const bool joined = letter == "-I" || letter == "-D" || letter == "-U" || letter == "-O" ||
                        letter == "-m" || letter == "-o";
    const bool number = letter != "-m" || word == "-m64" || word == "-m32";
    if (!joined || !number || word[1] == '-') return false;
    apply(*findProgramOption(letter), letter, word.substr(2));
    return true;
  }

  /// Returns whether a kind follows, as nvcc's -Werror has one: a word that is neither option nor
  /// file.
  bool kindIsNext() const {
    return next_ < words_.size() && words_[next_].find_first_of("./") == std::string::npos &&
           words_[next_][0] != '-';
  }

  void takeWarning(const std::string& word) {
    static const std::array<const char*, 4> kOwn = {
        // nvcc's own
        "-Wno-deprecated-gpu-targets", "-Wdefault-stream-launch", "-Wext-lambda-captures-this",
        "-Wmissing-launch-bounds"};
    if (std::any_of(kOwn.begin(), kOwn.end(), [&](const char* own) { return word == own; })) return;
    (startsWith(word, "-Wl,") ? request_.linker : request_.warnings).push_back(word);
  }

  void apply(const ProgramOption& option, const std::string& spelling,
             const std::optional<std::string>& given) {
    if (option.refusal != nullptr) refuse("'{}' is not done: {}", spelling, option.refusal);
    if (option.apply != nullptr) option.apply(request_, given.value_or(""));
  }

  std::string value(const std::string& option) {
    if (next_ == words_.size()) refuse("'{}' has no value; expected one behind it", option);
    return words_[next_++];
  }

  void finish() {
    settleKinds();
    shareLanguage();
    std::vector<std::string>& language = request_.language;
    language.erase(std::remove_if(language.begin(), language.end(), namesToolkit), language.end());
    leaveOtherOpenMp();
    if (request_.arch.empty()) request_.arch = architectureOf("native");
    const auto& inputs = request_.inputs;
    const auto sources =
        std::count_if(inputs.begin(), inputs.end(),
                      [](const ProgramRequest::Input& one) { return one.kind != Kind::Linked; });
    const bool program = request_.product != ProgramRequest::Product::Objects &&
                         request_.product != ProgramRequest::Product::Ptx;
    if (inputs.empty() || (!program && sources == 0))
      refuse("nothing to compile; expected sources: .cu, .cpp or .c");
    if (!request_.makes.empty() && request_.product != ProgramRequest::Product::Objects)
      refuse("'{}' is done beside -c alone; expected -c", request_.makes[0]);
    if (!program && sources > 1 && !request_.output.empty())
      refuse("-o names one file, and {} sources make one each; expected one source, or no -o",
             sources);
    const auto isHost = [](const ProgramRequest::Input& one) {
      return one.kind == Kind::Cpp || one.kind == Kind::C;
    };
    const auto host = std::find_if(inputs.begin(), inputs.end(), isHost);
    if (request_.product == ProgramRequest::Product::Ptx && host != inputs.end())
      refuse("'{}' has no device code; expected .cu files for --ptx", host->text);
  }

  const std::vector<std::string>& words_;
  const bool hipcc_;
  std::size_t next_ = 0;
  std::vector<std::size_t> unknown_;  ///< inputs with an ending of unknown meaning
  ProgramRequest request_;
};

}  // namespace

ProgramRequest readProgramRequest(const std::vector<std::string>& words, bool hipcc) {
  return RequestReader(words, hipcc).read();
}

}  // namespace fermata::platforms
