// Compute capabilities that instructions need: one table for products of matrices, copies of blocks
// and what else GPUs got one after another. A kernel is refused where it first comes to one that
// the platform lacks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace fermata::ptx {

struct KernelCode;

/// A row of the table.
struct CapabilityNeed {
  std::string_view start;      ///< of the opcode
  std::string_view part;       ///< that the opcode has, too; empty: none
  unsigned least;              ///< capability, in tenths: 89
  unsigned most;               ///< 0: no limit
  std::string_view platforms;  ///< with it, for messages
};

/// Returns the row of an opcode such as "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
/// null: every GPU with warps has it.
const CapabilityNeed* capabilityNeed(std::string_view opcode);

/// Sets the capabilities that the code needs.
void noteCapabilities(KernelCode& code);
/// Returns the code with instructions that a GPU of this capability, in tenths, lacks made ones
/// that refuse; null: it lacks none, or is no such GPU (below 7.0).
std::unique_ptr<KernelCode> refusingWhatLacks(const KernelCode& code, unsigned capability);

}  // namespace fermata::ptx
