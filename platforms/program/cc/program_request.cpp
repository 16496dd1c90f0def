#include <fermata/platforms/program/cc/program_request.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include <fermata/platforms/program/cc/architectures.h>
#include <fermata/platforms/program/cc/program_options.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;
using Kind = ProgramRequest::Kind;

/// Parts of CUDA's runtime that a program names for the linker: ours has them all.
constexpr std::array<const char*, 6> kOwnLibraries = {"cudart",    "cudart_static", "cuda",
                                                      "cudadevrt", "culibos",       "nvToolsExt"};
/// The start of the names of CUDA's other libraries.
constexpr std::array<const char*, 15> kForeignLibraries = {
    "cublas", "cudnn", "cufft", "curand",  "cusolver", "cusparse", "cutensor", "nccl",
    "nppc",   "nppi",  "npps",  "nvgraph", "nvjpeg",   "nvrtc",    "nvml"};

bool startsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::optional<Kind> kindOf(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".cu") return Kind::Cuda;
  if (ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C") return Kind::Cpp;
  if (ending == ".c") return Kind::C;
  if (ending == ".o" || ending == ".a" || ending == ".so") return Kind::Linked;
  if (fs::path(path).filename().string().find(".so.") != std::string::npos) return Kind::Linked;
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  ProgramRequest read() {
    while (next_ < words_.size()) take(words_[next_++]);
    finish();
    return std::move(request_);
  }

 private:
  void take(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') {
      takeFile(word);
    } else if (startsWith(word, "-l") && findProgramOption(word) == nullptr) {
      takeLibrary(word.size() > 2 ? word.substr(2) : value(word));
    } else if (startsWith(word, "-L")) {
      takeLinked("-L" + (word.size() > 2 ? word.substr(2) : value(word)));
    } else if (!takeOption(word)) {
      throw InputError("'" + word + "' is no option here; expected one of nvcc's that " +
                       "`fermata cc --help` names, or -Xcompiler for one of the host compiler's");
    }
  }

  void takeFile(const std::string& word) {
    const std::optional<Kind> kind = kindOf(word);
    if (!kind)
      throw InputError("'" + word +
                       "' is of no known kind; expected .cu, .cpp, .cc, .cxx, .c, .o, "
                       ".a or .so");
    std::error_code error;
    if (!fs::is_regular_file(word, error))
      throw InputError("'" + word + "' cannot be read; expected a file");
    request_.inputs.push_back({word, *kind});
  }

  void takeLibrary(const std::string& name) {
    const auto is = [&](const char* own) { return name == own; };
    if (std::any_of(kOwnLibraries.begin(), kOwnLibraries.end(), is)) return;
    const auto starts = [&](const char* start) { return startsWith(name, start); };
    if (std::any_of(kForeignLibraries.begin(), kForeignLibraries.end(), starts))
      throw InputError("-l" + name +
                       " is a library of CUDA's that has no stand-in here; expected a program "
                       "that does without it");
    takeLinked("-l" + name);
  }

  void takeLinked(const std::string& word) { request_.inputs.push_back({word, Kind::Linked}); }

  /// An option alone, as --name=value, or, of one letter, with its value behind it at once.
  bool takeOption(const std::string& word) {
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

  void takeWarning(const std::string& word) {
    if (word == "-Wno-deprecated-gpu-targets") return;  // nvcc's own
    (startsWith(word, "-Wl,") ? request_.linker : request_.warnings).push_back(word);
  }

  void apply(const ProgramOption& option, const std::string& spelling,
             const std::optional<std::string>& given) {
    if (option.refusal != nullptr)
      throw InputError("'" + spelling + "' is not done: " + option.refusal);
    if (option.apply != nullptr) option.apply(request_, given.value_or(""));
  }

  std::string value(const std::string& option) {
    if (next_ == words_.size()) throw InputError("'" + option + "' has no value; expected one");
    return words_[next_++];
  }

  void finish() {
    if (request_.arch.empty()) request_.arch = architectureOf("native");
    const auto& inputs = request_.inputs;
    const auto sources =
        std::count_if(inputs.begin(), inputs.end(),
                      [](const ProgramRequest::Input& one) { return one.kind != Kind::Linked; });
    const bool program = request_.product == ProgramRequest::Product::Program;
    if (inputs.empty() || (!program && sources == 0))
      throw InputError("nothing to compile; expected sources: .cu, .cpp or .c");
    if (!program && sources > 1 && !request_.output.empty())
      throw InputError("-o names one file, and " + std::to_string(sources) +
                       " sources make one each; expected one source, or no -o");
    const auto isHost = [](const ProgramRequest::Input& one) {
      return one.kind == Kind::Cpp || one.kind == Kind::C;
    };
    const auto host = std::find_if(inputs.begin(), inputs.end(), isHost);
    if (request_.product == ProgramRequest::Product::Ptx && host != inputs.end())
      throw InputError("'" + host->text + "' has no device code; expected .cu files for --ptx");
  }

  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  ProgramRequest request_;
};

}  // namespace

ProgramRequest readProgramRequest(const std::vector<std::string>& words) {
  return Reader(words).read();
}

}  // namespace fermata::platforms
