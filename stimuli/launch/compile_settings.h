// How a .cu is compiled: the keys beside `kernel` in a launch file, for chosen parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

struct CompileSettings {
  struct Word {
    std::string text;
    SourceLocation where;
  };
  static constexpr unsigned kAddressBits = 64;  ///< CUDA's default
  static constexpr const char* kArch = "sm_20";

  std::optional<unsigned> addressBits;  ///< 32 or 64; not stated: kAddressBits
  SourceLocation addressBitsWhere;
  /// Machine code is made of it (MachineLevel::Sass): no machine that has it has addresses of 32
  /// bits, so a .cu is compiled for 64.
  bool forMachineCode = false;
  std::optional<Word> arch;    ///< not stated: kArch
  std::vector<Word> includes;  ///< folders
  std::vector<Word> defines;   ///< NAME or NAME=value

  unsigned bits() const {
    return forMachineCode ? kAddressBits : addressBits.value_or(kAddressBits);
  }
};

/// Evaluates the settings. Relative folders start from `folder`. Throws InputError for bits other
/// than 32 and 64, an architecture that the compiler lacks (listing those it has), a path that is
/// no folder, and a macro without a name or defined twice.
CompileSettings planCompilation(const KernelFile& kernel, const Scope& scope,
                                const std::string& folder);

}  // namespace fermata::launch
