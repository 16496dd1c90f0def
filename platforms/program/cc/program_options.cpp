#include <fermata/platforms/program/cc/program_options.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include <fermata/platforms/program/cc/architectures.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using Request = ProgramRequest;
using Value = ProgramOption::Value;
using Text = const std::string&;

bool truth(Text value, const std::string& option) {
  if (value == "true" || value == "false") return value == "true";
  refuse("{} is '{}'; expected true or false", option, value);
}

void addOutput(Request& request, Text value) {
  if (!request.output.empty()) refuse("-o is given twice; expected one file");
  if (value.empty()) refuse("-o is empty; expected a file");
  request.output = value;
}

/// Adds a comma-separated list, as nvcc accepts it.
void addLanguage(Request& request, const char* option, Text value) {
  for (const std::string& one : listOf(value)) request.language.push_back(option + one);
}

void addHost(Request& request, Text value) {
  for (std::string& word : wordsWithin(value)) request.host.push_back(std::move(word));
}

void addLinker(Request& request, Text value) {
  for (const std::string& word : wordsWithin(value)) {
    request.linker.push_back("-Xlinker");
    request.linker.push_back(word);
  }
}

void addLevel(Request& request, Text value) {
  static const std::array<const char*, 4> kLevels = {"0", "1", "2", "3"};
  if (std::find(kLevels.begin(), kLevels.end(), value) == kLevels.end())
    refuse("-O{} is no level; expected -O0, -O1, -O2 or -O3", value);
  request.level = "-O" + value;
}

void addRegisterCount(Request& request, Text value) {
  const auto count = parseNumber<unsigned>(value);
  if (count.value_or(0) == 0 || *count > 255)
    refuse("-maxrregcount={} is no number of registers; expected 1 to 255", value);
  request.registerCount = *count;
}

void addStandard(Request& request, Text value) {
  static const std::array<const char*, 4> kNumbers = {"11", "14", "17", "20"};
  const std::string number = value.substr(std::min(value.size(), value.rfind('+') + 1));
  const bool known = value == "c++" + number || value == "gnu++" + number;
  if (!known || std::find(kNumbers.begin(), kNumbers.end(), number) == kNumbers.end())
    refuse("-std is '{}'; expected c++11, which CUDA's headers need, c++14, c++17 or c++20", value);
  request.standard = "gnu++" + number;  // like nvcc, whose host compiler has the GNU extensions
}

void setProduct(Request& request, Request::Product product) {
  if (request.product != Request::Product::Program && request.product != product)
    refuse("two of -c, -dc, -dlink, -lib and -ptx are given; expected one");
  request.product = product;
}

void checkMachine(Request&, Text value) {
  if (value != "64") refuse("-m is '{}'; expected 64", value);
}

void setSeparate(Request& request, Text value) {
  request.separate = truth(value, "-rdc");
}

void checkRuntime(Request&, Text value) {
  if (value != "shared" && value != "static")
    refuse("-cudart is '{}'; expected shared or static", value);
}

void setKind(Request& request, Text value) {
  if (value == "hip") request.hip = true;
  if (value == "cu" || value == "hip")
    request.kind = Request::Kind::Cuda;
  else if (value == "c++")
    request.kind = Request::Kind::Cpp;
  else if (value == "c")
    request.kind = Request::Kind::C;
  else
    refuse("-x is '{}'; expected cu, hip, c++ or c", value);
}

/// Handles nvcc's own kinds of warnings. The compiler has equivalents of two.
void addErrors(Request& request, Text value) {
  static const std::array<const char*, 4> kOwn = {
      "cross-execution-space-call", "default-stream-launch", "ext-lambda-captures-this",
      "missing-launch-bounds"};
  for (const std::string& kind : listOf(value)) {
    if (kind == "all-warnings")
      request.warnings.push_back("-Werror");
    else if (kind == "reorder" || kind == "deprecated-declarations")
      request.warnings.push_back("-Werror=" + kind);
    else if (std::find(kOwn.begin(), kOwn.end(), kind) == kOwn.end())
      refuse(
          "-Werror is '{}'; expected all-warnings, reorder, deprecated-declarations or another "
          "kind of nvcc's",
          kind);
  }
}

/// Refuses the assembler's options that would change the caches' behaviour.
void checkAssembler(Request& request, Text value) {
  static const std::array<const char*, 8> kCaching = {
      "-dlcm", "--def-load-cache",   "-dscm", "--def-store-cache",
      "-flcm", "--force-load-cache", "-fscm", "--force-store-cache"};
  for (const std::string& word : wordsWithin(value)) {
    const std::string name = word.substr(0, word.find('='));
    if (std::find(kCaching.begin(), kCaching.end(), name) != kCaching.end())
      request.notes.push_back("-Xptxas " + word +
                              " has no effect: accesses are cached as the kernel's own words say "
                              "(__ldcg, __stcg ...)");
  }
}

/// Takes an architecture of AMD's: "gfx90a", with or without features behind a colon.
void setGfx(Request& request, Text value) {
  const std::string name = value.substr(0, value.find(':'));
  const bool known = name.size() >= 6 && name.compare(0, 3, "gfx") == 0 &&
                     (name[3] == '9' || (name[3] == '1' && name.size() >= 7));
  if (!known)
    refuse("--offload-arch is '{}'; expected gfx900 to gfx950, or one of gfx10, gfx11 and gfx12",
           value);
  request.gfx = name;
}

void addCudaMacro(Request& request, const char* name) {
  request.cuda.push_back(std::string("-D") + name + "=1");
}

const char* const kNoBinary = "there is no machine code of a GPU; expected --ptx";

// clang-format off
const ProgramOption kOptions[] = {
    {"-o", "--output-file", Value::Given, addOutput, nullptr},
    {"-c", "--compile", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::Objects); }, nullptr},
    {"-ptx", "--ptx", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::Ptx); }, nullptr},
    {"-fatbin", "--fatbin", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::Ptx); r.ptxEnding = ".fatbin"; }, nullptr},
    {"-I", "--include-path", Value::Given, [](Request& r, Text v) { addLanguage(r, "-I", v); }, nullptr},
    {"-isystem", "--system-include", Value::Given, [](Request& r, Text v) { addLanguage(r, "-isystem", v); }, nullptr},
    {"-D", "--define-macro", Value::Given, [](Request& r, Text v) { addLanguage(r, "-D", v); }, nullptr},
    {"-U", "--undefine-macro", Value::Given, [](Request& r, Text v) { addLanguage(r, "-U", v); }, nullptr},
    {"-include", "--pre-include", Value::Given, [](Request& r, Text v) { addLanguage(r, "-include", v); }, nullptr},
    {"-O", "--optimize", Value::Given, addLevel, nullptr},
    {"-std", "--std", Value::Given, addStandard, nullptr},
    {"-arch", "--gpu-architecture", Value::Given, [](Request& r, Text v) { r.arch = architectureOf(v); }, nullptr},
    {"-code", "--gpu-code", Value::Given, [](Request&, Text v) { checkCodes(v); }, nullptr},
    {"-gencode", "--generate-code", Value::Given, [](Request& r, Text v) { r.arch = newestOfCode(r.arch, v); }, nullptr},
    {"-Xcompiler", "--compiler-options", Value::Given, addHost, nullptr},
    {"-Xlinker", "--linker-options", Value::Given, addLinker, nullptr},
    {"-Xptxas", "--ptxas-options", Value::Given, checkAssembler, nullptr},
    {"-Xnvlink", "--nvlink-options", Value::Given, nullptr, nullptr},
    {"-Xcudafe", "--Xcudafe", Value::Given, nullptr, nullptr},
    {"-ccbin", "--compiler-bindir", Value::Given, nullptr, nullptr},
    {"-maxrregcount", "--maxrregcount", Value::Given, addRegisterCount, nullptr},
    {"-default-stream", "--default-stream", Value::Given, nullptr, nullptr},
    {"-diag-suppress", "--diag-suppress", Value::Given, nullptr, nullptr},
    {"-t", "--threads", Value::Given, nullptr, nullptr},
    {"-cudart", "--cudart", Value::Given, checkRuntime, nullptr},
    {"-x", "--x", Value::Given, setKind, nullptr},
    {"--offload-arch", "--amdgpu-target", Value::Given, setGfx, nullptr},
    {"-fgpu-rdc", nullptr, Value::None, [](Request& r, Text) { r.separate = true; }, nullptr},
    {"-m", "--machine", Value::Given, checkMachine, nullptr},
    {"-g", "--debug", Value::None, [](Request& r, Text) { r.host.push_back("-g"); }, nullptr},
    {"-G", "--device-debug", Value::None, [](Request& r, Text) { r.deviceDebug = true; addCudaMacro(r, "__CUDACC_DEBUG__"); }, nullptr},
    {"-lineinfo", "--generate-line-info", Value::None, nullptr, nullptr},
    {"-w", "--disable-warnings", Value::None, [](Request& r, Text) { r.warnings.push_back("-w"); }, nullptr},
    {"-pthread", nullptr, Value::None, [](Request& r, Text) { r.host.push_back("-pthread"); }, nullptr},
    {"-shared", "--shared", Value::None, [](Request& r, Text) { r.linker.push_back("-shared"); }, nullptr},
    {"-fmad", "--fmad", Value::Given, [](Request& r, Text v) { r.fuse = truth(v, "-fmad"); }, nullptr},
    {"-ftz", "--ftz", Value::Given, [](Request& r, Text v) { r.flushDenormals = truth(v, "-ftz"); }, nullptr},
    {"-prec-div", "--prec-div", Value::Given, [](Request& r, Text v) { r.preciseDivide = truth(v, "-prec-div"); }, nullptr},
    {"-prec-sqrt", "--prec-sqrt", Value::Given, [](Request& r, Text v) { r.preciseRoot = truth(v, "-prec-sqrt"); }, nullptr},
    {"-use_fast_math", "--use_fast_math", Value::None, [](Request& r, Text) { r.fastMath = true; addCudaMacro(r, "__USE_FAST_MATH__"); }, nullptr},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", Value::None, [](Request& r, Text) { r.relaxedConstexpr = true; addCudaMacro(r, "__CUDACC_RELAXED_CONSTEXPR__"); }, nullptr},
    {"-expt-extended-lambda", "--expt-extended-lambda", Value::None, [](Request& r, Text) { addCudaMacro(r, "__CUDACC_EXTENDED_LAMBDA__"); }, nullptr},
    {"-extended-lambda", "--extended-lambda", Value::None, [](Request& r, Text) { addCudaMacro(r, "__CUDACC_EXTENDED_LAMBDA__"); }, nullptr},
    {"-restrict", "--restrict", Value::None, nullptr, nullptr},
    {"-dopt", "--dopt", Value::Given, nullptr, nullptr},
    {"-extra-device-vectorization", "--extra-device-vectorization", Value::None, nullptr, nullptr},
    {"-src-in-ptx", "--source-in-ptx", Value::None, nullptr, nullptr},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", Value::None, [](Request& r, Text) { r.forward = true; }, nullptr},
    {"-Werror", "--Werror", Value::Given, addErrors, nullptr},
    {"-res-usage", "--resource-usage", Value::None, nullptr, nullptr},
    {"-v", "--verbose", Value::None, [](Request& r, Text) { r.verbose = true; }, nullptr},
    {"-keep", "--keep", Value::None, [](Request& r, Text) { r.keep = true; }, nullptr},
    {"-rdc", "--relocatable-device-code", Value::Given, setSeparate, nullptr},
    {"-dc", "--device-c", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::Objects); r.separate = true; }, nullptr},
    {"-dw", "--device-w", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::Objects); }, nullptr},
    {"-dlink", "--device-link", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::DeviceLink); r.separate = true; }, nullptr},
    {"-cubin", "--cubin", Value::None, nullptr, kNoBinary},
    {"-dlto", "--dlink-time-opt", Value::None, nullptr, kNoBinary},
    {"-odir", "--output-directory", Value::Given, nullptr, "what is made is named by -o; expected -o FILE"},
    {"-optf", "--options-file", Value::Given, nullptr, "options are read from the command line alone; expected them there"},
    {"-objtemp", "--objdir-as-tempdir", Value::None, nullptr, "there are no files to keep; expected --keep"},
    {"-lib", "--lib", Value::None, [](Request& r, Text) { setProduct(r, Request::Product::Library); }, nullptr},
    {"-E", "--preprocess", Value::None, nullptr, "a .cu is compiled twice; expected -c or --ptx"},
    {"-MD", "--generate-dependencies-with-compile", Value::None, [](Request& r, Text) { r.makes.push_back("-MD"); }, nullptr},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", Value::None, [](Request& r, Text) { r.makes.push_back("-MMD"); }, nullptr},
    {"-MP", "--generate-dependency-targets", Value::None, [](Request& r, Text) { r.makes.push_back("-MP"); }, nullptr},
    {"-MF", "--dependency-output", Value::Given, [](Request& r, Text v) { r.makes.insert(r.makes.end(), {"-MF", v}); }, nullptr},
    {"-MT", "--dependency-target-name", Value::Given, [](Request& r, Text v) { r.makes.insert(r.makes.end(), {"-MT", v}); }, nullptr},
    {"-M", "--generate-dependencies", Value::None, nullptr, "a .cu is compiled twice; expected -MD beside -c"},
    {"-run", "--run", Value::None, nullptr, "programs are run by another command; expected fermata exec"},
    {"-dryrun", "--dryrun", Value::None, nullptr, "commands are shown as they run; expected --verbose"},
};
// clang-format on

}  // namespace

const ProgramOption* findProgramOption(const std::string& spelling) {
  const auto* const found =
      std::find_if(std::begin(kOptions), std::end(kOptions), [&](const ProgramOption& option) {
        return spelling == option.name || (option.other != nullptr && spelling == option.other);
      });
  return found == std::end(kOptions) ? nullptr : found;
}

namespace {

std::vector<std::string> splitAt(const char* separators, const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool kept = false;
  for (const char c : text) {
    if (!kept && c == '\\') {
      kept = true;
      continue;
    }
    if (!kept && std::strchr(separators, c) != nullptr) {
      if (!word.empty()) words.push_back(word);
      word.clear();
      continue;
    }
    kept = false;
    word += c;
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace

std::vector<std::string> wordsWithin(const std::string& text) {
  return splitAt(", ", text);
}

std::vector<std::string> listOf(const std::string& text) {
  return splitAt(",", text);
}

}  // namespace fermata::platforms
