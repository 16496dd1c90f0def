// The code of a kernel, as text of LLVM's intermediate language.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::native {

/// How the code is cut. A piece is a run of instructions that execute one after another.
struct Pieces {
  static constexpr std::uint16_t kNone = 0;
  std::vector<std::uint16_t> length;  ///< by PC: instructions of the piece that begins there
  std::vector<bool> leader;           ///< by PC: where paths may meet
  std::vector<bool> stepped;          ///< by PC: the runner may step the instruction itself
};

/// Names of the functions: for warps all of whose lanes are active, and for any.
inline constexpr const char* kWholeName = "fermata_whole";
inline constexpr const char* kPartName = "fermata_part";

Pieces cut(const ptx::KernelCode& kernel);
std::string textOf(const ptx::KernelCode& kernel, const Pieces& pieces);

}  // namespace fermata::native
