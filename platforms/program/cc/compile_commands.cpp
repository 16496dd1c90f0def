#include <fermata/platforms/program/cc/compile_commands.h>

#include <algorithm>

#include <fermata/platforms/program/cc/architectures.h>
#include <fermata/stimuli/launch/newer_architectures.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCompiler = "clang++-16";

void append(Command& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Options meant for another host compiler, or for only one of compiling and linking, are accepted.
const std::vector<std::string> kLenient = {
    "-Qunused-arguments", "-Wno-ignored-optimization-argument", "-Wno-unknown-warning-option"};

/// Narrowing in braces is a warning, as with nvcc and gcc.
const std::string kNarrowing = "-Wno-error=c++11-narrowing";

}  // namespace

/// Returns the options for both sides of a .cu. Old programs use `register` and `throw(...)`, which
/// nvcc accepts.
Command CompileCommands::cuda(const Command& reading) const {
  Command words = {kCompiler, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent"};
  append(words, {"-Xclang", "-target-sdk-version=11.0", "-std=" + request_.standard});
  append(words, {"-Wno-register", "-Wno-dynamic-exception-spec", "-Wno-unknown-cuda-version"});
  append(words, {"-Wno-reserved-user-defined-literal"});  // "%"PRIu64
  append(words, {kNarrowing});
  append(words, {"-Wno-invalid-constexpr"});  // nvcc does not look whether one can be constant
  // Declarations that are never called, as in detections of types.
  append(words, {"-Xclang", "-fcuda-allow-variadic-functions"});
  const std::string digits = request_.arch.substr(3);
  words.push_back(
      "-D__CUDA_ARCH_LIST__=" + digits.substr(0, digits.find_first_not_of("0123456789")) + "0");
  append(words, request_.cuda);
  append(words, hip());
  // _Float16 is __fp16 in our HIP headers: clang-16 has it on the host only.
  if (request_.hip)
    append(words,
           {"-Xclang", "-fnative-half-type", "-Xclang", "-fnative-half-arguments-and-returns"});
  append(words, {"-include", "cuda_runtime.h"});  // before those of the user, as with nvcc
  append(words, request_.language);
  append(words, reading);
  append(words, {"-isystem", headers_.string()});
  return words;
}

/// Returns the macros by which sources know HIP. Waves of gfx9 have 64 lanes, later ones 32.
Command CompileCommands::hip() const {
  if (!request_.hip) return {};
  const std::string lanes = request_.gfx[3] == '9' ? "64" : "32";
  return {"-D__HIP__=1",
          "-D__HIPCC__=1",
          "-D__HIP_PLATFORM_AMD__=1",
          "-D__HIP_PLATFORM_HCC__=1",
          "-D__AMDGCN_WAVEFRONT_SIZE=" + lanes,
          "-DFERMATA_WAVE=" + lanes,
          "-DFERMATA_GFX=\"" + request_.gfx + "\""};
}

Command CompileCommands::device(const std::string& source, const Command& reading,
                                const fs::path& ptx) const {
  Command words = cuda(reading);
  append(words, {"--cuda-device-only", "-S",
                 "--cuda-gpu-arch=" + launch::compiledArchitecture(request_.arch)});
  append(words, launch::architectureMacros(request_.arch));
  if (request_.hip) append(words, {"-D__HIP_DEVICE_COMPILE__=1", "-D__" + request_.gfx + "__=1"});
  append(words, {"-Xclang", "-target-feature", "-Xclang", ptxFeatureOf(request_.arch)});
  append(words, {request_.deviceDebug ? "-O0" : request_.level, "-fno-math-errno"});
  // nvcc's compiler supposes nothing of types that programs mix: measured with nvcc 13.0.
  append(words, {"-fno-strict-aliasing"});
  // Like nvcc's compiler: products are fused where the backend's own rule says so. What nvcc's
  // assembler fuses, withFusedProducts() does.
  append(words, {"-ffp-contract=off"});
  if (request_.fuse) append(words, {"-mllvm", "-nvptx-fma-level=1"});
  // Profiles name lines. Files lose their folder, so that results do not depend on it.
  append(words, {"-gline-tables-only", "-fdebug-compilation-dir=."});
  const fs::path folder = fs::absolute(source).parent_path();
  for (const fs::path& each : {folder, fs::path(source).parent_path()}) {
    if (!each.empty()) words.push_back("-fdebug-prefix-map=" + each.string() + "/=");
  }
  if (request_.flushDenormals || request_.fastMath)
    append(words, {"-fgpu-flush-denormals-to-zero", "-DFERMATA_FLUSH_DENORMALS"});
  if (request_.fastMath)
    append(words, {"-mllvm", "-nvptx-prec-divf32=0"});  // division as in __fdividef
  else if (!request_.preciseDivide)
    append(words, {"-mllvm", "-nvptx-prec-divf32=1"});
  if (!request_.preciseRoot || request_.fastMath) append(words, {"-DFERMATA_APPROXIMATE_ROOTS"});
  if (request_.fastMath) append(words, {"-fcuda-approx-transcendentals"});
  // The host side reports the same warnings.
  append(words, {"-w", "-o", ptx.string(), source});
  return words;
}

Command CompileCommands::host(const std::string& source, const Command& reading,
                              const fs::path& ptx, const fs::path& object) const {
  Command words = cuda(reading);
  append(words, {"--cuda-host-only", "-c", request_.level});
  append(words, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx.string()});
  append(words, kLenient);
  append(words, request_.warnings);
  append(words, request_.host);
  append(words, {"-o", object.string(), source});
  return words;
}

Command CompileCommands::plain(const ProgramRequest::Input& source, const fs::path& object) const {
  const bool isC = source.kind == ProgramRequest::Kind::C;
  Command words = {isC ? "clang-16" : kCompiler, "-c", request_.level};
  if (!isC) append(words, {"-std=" + request_.standard, kNarrowing});
  append(words, hip());
  append(words, request_.language);
  append(words, {"-isystem", headers_.string()});
  append(words, kLenient);
  append(words, request_.warnings);
  append(words, request_.host);
  append(words, {"-o", object.string(), source.text});
  return words;
}

Command CompileCommands::dependencies(const fs::path& object) const {
  Command words = request_.makes;
  const auto lacks = [&](const char* option) {
    return std::find(words.begin(), words.end(), option) == words.end();
  };
  if (words.empty()) return words;
  if (lacks("-MT")) append(words, {"-MT", object.string()});
  if (lacks("-MF")) append(words, {"-MF", fs::path(object).replace_extension(".d").string()});
  return words;
}

Command CompileCommands::link(const std::vector<std::string>& files, const fs::path& library,
                              const fs::path& program) const {
  Command words = {kCompiler};
  append(words, kLenient);
  append(words, request_.host);
  append(words, files);
  append(words, {"-L" + library.string(), "-lfermata_cudart"});
  append(words, {"-Xlinker", "-rpath", "-Xlinker", library.string()});
  append(words, request_.linker);
  append(words, {"-ldl", "-lpthread", "-lm", "-o", program.string()});
  return words;
}

}  // namespace fermata::platforms
