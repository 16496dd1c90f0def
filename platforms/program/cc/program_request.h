// The request behind the words of `fermata cc`, which uses nvcc's spelling: products and sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

struct ProgramRequest {
  enum class Product { Program, Objects, Ptx, DeviceLink, Library };
  /// Linked: an object, a library, or an option for the linker.
  enum class Kind { Cuda, Cpp, C, Linked };

  struct Input {
    std::string text;  ///< a path, or -lNAME, -LFOLDER
    Kind kind = Kind::Linked;
  };

  Product product = Product::Program;
  const char* ptxEnding =
      ".ptx";                 ///< of files with PTX; ".fatbin" for a container, which holds PTX
  std::vector<Input> inputs;  ///< in the order of the command line
  std::string output;         ///< empty: a.out, or each source's name with another ending
  std::optional<Kind> kind;   ///< -x: kind of all sources, regardless of their ending
  std::string arch;           ///< "sm_70"
  std::string standard = "gnu++17";
  std::string level = "-O3";
  bool hip = false;                   ///< .hip, -x hip, hipcc: sources of the device are HIP
  std::string gfx = "gfx942";         ///< --offload-arch: says how many lanes a wave has
  unsigned registerCount = 0;         ///< -maxrregcount; 0: not given
  bool separate = false;              ///< -rdc=true, -dc: device code is linked later
  bool deviceDebug = false;           ///< -G: device code is not optimised
  bool fuse = true;                   ///< -fmad: a * b + c with one rounding
  bool flushDenormals = false;        ///< -ftz
  bool preciseDivide = true;          ///< -prec-div
  bool preciseRoot = true;            ///< -prec-sqrt
  bool fastMath = false;              ///< -use_fast_math
  bool relaxedConstexpr = false;      ///< --expt-relaxed-constexpr
  bool verbose = false;               ///< show the commands
  bool keep = false;                  ///< keep the PTX of each source
  bool forward = false;               ///< pass unknown options to the host's compiler
  std::vector<std::string> language;  ///< for both sides: -I, -D, -U, -include, -isystem
  std::vector<std::string> cuda;      ///< for both sides of a .cu only: macros that nvcc defines
  std::vector<std::string> warnings;  ///< -W..., -w
  std::vector<std::string> host;      ///< for compiling and linking the host side: -Xcompiler, -g
  std::vector<std::string> linker;    ///< for the linker only
  std::vector<std::string> makes;  ///< dependencies of the host side, for make: -MD, -MF FILE ...
  std::vector<std::string> notes;  ///< messages for the user about what is not done
};

/// Reads the words. Throws InputError that names the word: an option that nvcc or this command does
/// not have, or one that asks for something not done here; a CUDA library without a replacement; a
/// file of an unknown kind; nothing to compile.
/// With `hipcc` sources of C++ are HIP, and unknown options are the compiler's.
ProgramRequest readProgramRequest(const std::vector<std::string>& words, bool hipcc = false);

}  // namespace fermata::platforms
