// Facts about a warp for the code that executes it. The code is text made by
// kernel_writer.h, so that the offsets of these fields are part of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::native {

struct Context {
  std::uint8_t* rows;
  const std::uint8_t* constants;
  LaneMask* predicates;
  std::uint8_t* shared;
  std::uint64_t sharedBytes;
  std::uint8_t* local;
  std::uint64_t localBytes;  ///< per thread
  const std::uint8_t* parameters;
  ptx::Allocation* const* hints;  ///< by PC: allocation of the last access, or null
  std::uint64_t left;             ///< instructions that may still execute
  std::uint32_t pc;
  std::uint32_t reconverge;
  LaneMask active;
  std::uint32_t shares;  ///< 1: other threads access global memory, too
  /// Executes the instruction at `pc` as the executor does. Returns 0 if the warp goes on behind it
  /// with the lanes and paths that it had.
  std::uint32_t (*interpret)(Context* context, std::uint32_t pc);
  ptx::Warp* warp;
};

/// A function of compiled code. Executes pieces of the kernel from `pc` on, and sets `pc` and
/// `left`.
using Code = void (*)(Context*);

}  // namespace fermata::native
