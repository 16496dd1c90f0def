// The instructions that become code of their own: arithmetic of integers and floats, comparisons,
// conversions, moves. Each is known by its handler, so that the decoder need not know of this.
#pragma once

#include <string_view>
#include <vector>

#include <fermata/stimuli/native/lane_code.h>
#include <fermata/stimuli/ptx/forms.h>
#include <fermata/stimuli/ptx/lane_ops.h>

namespace fermata::native {

/// Facts about an instruction that its handler tells.
struct Known {
  /// Writes the code of an instruction, whose type and flags are those of the handler.
  void (*write)(LaneCode& code, const ptx::Instruction& i, const Known& known);
  ptx::Type type = ptx::Type::B32;
  std::uint8_t flags = 0;           ///< kFlushFlag, kSaturateFlag
  ptx::Type from = ptx::Type::B32;  ///< conversions
  ptx::Rounding rounding{};         ///< conversions: to an integer
  ptx::Compare relation{};          ///< comparisons
  ptx::CompareResult result{};
};

/// A form of the tables of regular instructions (forms.h).
struct KnownForm {
  std::string_view opcode;
  ptx::TypeSet types;
  void (*write)(LaneCode& code, const ptx::Instruction& i, const Known& known);
};
const std::vector<KnownForm>& integerForms();
const std::vector<KnownForm>& floatForms();
/// Returns what is known of an instruction, or null: the executor executes it.
const Known* knownOf(const ptx::Instruction& i);

// Parts of the results of f32. flushed: subnormals are zero. canonical: one pattern stands for all
// that is no number. saturated: clamped to 0 and 1.
std::string flushed(LaneCode& code, const std::string& value);
std::string canonical(LaneCode& code, const std::string& value);
std::string saturated(LaneCode& code, const std::string& value);
/// Returns 1 in all lanes.
std::string one(LaneCode& code, ptx::Type type);

}  // namespace fermata::native
