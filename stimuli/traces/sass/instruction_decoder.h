// Makes the static instruction of the timing model from the opcode and registers of a trace.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <fermata/stimuli/traces/sass/opcode_table.h>

namespace fermata::sass {

/// Numbers of the scoreboard: R0 to R254, then UR0 to UR62, P0 to P6 and UP0 to UP6. The registers
/// that read as zero or true (RZ, URZ, PT, UPT) have none.
inline constexpr unsigned kFirstUniform = 256;
inline constexpr unsigned kFirstPredicate = 320;
inline constexpr unsigned kFirstUniformPredicate = 328;
inline constexpr unsigned kRegisters = 336;
inline constexpr RegisterId kNoRegister = 0xffff;

/// Registers as a line of a trace names them: only the first of each operand.
struct NamedRegisters {
  static constexpr unsigned kMost = 16;
  std::array<RegisterId, kMost> ids{};
  unsigned count = 0;
};

/// Reads R12, UR4, P0 or UP1. Returns false if the word names no register. A register that reads as
/// zero or true gives kNoRegister.
bool readRegister(std::string_view word, RegisterId& id);

/// An instruction of a kernel, as its first row shows it.
struct Decoded {
  StaticInstruction instruction;
  Role role = Role::None;
  /// The instruction should access memory, and no row of it has an address.
  bool unaddressed = false;
};

/// `immediate`: the last immediate operand, or -1 if the trace has none. `addressed`: the row has
/// addresses. `architecture`: 61, 80, 90; 0: not known.
Decoded decodeInstruction(std::string_view opcode, const Opcode& entry,
                          const NamedRegisters& destinations, const NamedRegisters& sources,
                          bool addressed, std::int64_t immediate, unsigned architecture);

}  // namespace fermata::sass
