// What is to be made of which CUDA sources: the words behind `fermata cc`, in nvcc's spelling.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

struct ProgramRequest {
  enum class Product { Program, Objects, Ptx };
  /// Linked: an object, a library, a word of the linker's.
  enum class Kind { Cuda, Cpp, C, Linked };

  struct Input {
    std::string text;  ///< a path, or -lNAME, -LFOLDER
    Kind kind = Kind::Linked;
  };

  Product product = Product::Program;
  std::vector<Input> inputs;  ///< in the order of the command line
  std::string output;         ///< empty: a.out, or each source's name with another ending
  std::optional<Kind> kind;   ///< of all sources, whatever their ending: -x
  std::string arch;           ///< "sm_70"
  std::string standard = "gnu++17";
  std::string level = "-O3";
  bool deviceDebug = false;           ///< -G: device code is not optimised
  bool fuse = true;                   ///< a * b + c in one rounding (-fmad)
  bool flushDenormals = false;        ///< -ftz
  bool preciseDivide = true;          ///< -prec-div
  bool preciseRoot = true;            ///< -prec-sqrt
  bool fastMath = false;              ///< -use_fast_math
  bool verbose = false;               ///< shows the commands
  bool keep = false;                  ///< leaves the PTX of each source
  bool forward = false;               ///< words that are no option here go to the host's compiler
  std::vector<std::string> language;  ///< for both sides: -I, -D, -U, -include, -isystem
  std::vector<std::string> cuda;      ///< for both sides of a .cu alone: macros that nvcc defines
  std::vector<std::string> warnings;  ///< -W..., -w
  std::vector<std::string> host;      ///< for the host alone, and for linking it: -Xcompiler, -g
  std::vector<std::string> linker;    ///< for the linker alone
  std::vector<std::string> makes;     ///< for make, of the host's side: -MD, -MF FILE ...
  std::vector<std::string> notes;     ///< what is not done, and for a person to know
};

/// Reads the words. Throws InputError, naming the word: an option that nvcc or this command does
/// not have, or that asks for what is not done here; a library of CUDA's that has no stand-in; a
/// file of an unknown kind; nothing to compile.
ProgramRequest readProgramRequest(const std::vector<std::string>& words);

}  // namespace fermata::platforms
