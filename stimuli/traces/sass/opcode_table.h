// Reads sass_opcodes.toml: what the opcodes of machine code are to the timing model.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <fermata/models/vocabulary/choice.h>
#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/traces/content_hash.h>

namespace fermata::sass {

/// The effect of an opcode besides its class; sass_opcodes.toml describes each.
enum class Role : std::uint8_t {
  None,
  Load,
  Store,
  Atomic,
  LoadMatrices,
  StoreMatrices,
  Copy,
  CopyArrival,
  Commit,
  WaitGroups,
  MBarrier,
  Fence,
  NoAddresses,
  SharedFactors,
};

struct Opcode {
  InstructionClass instructionClass = InstructionClass::Integer;
  Role role = Role::None;
  MemorySpace space = MemorySpace::None;
  std::uint8_t writes = 1;  ///< registers that the destination names
  /// Registers that each source names; further sources name one each.
  std::array<std::uint8_t, 4> reads{1, 1, 1, 1};
};

class OpcodeTable {
 public:
  /// Throws InputError if the file is no such table.
  explicit OpcodeTable(const std::string& file);

  /// Returns the entry for `opcode` with as many of its modifiers as an entry names, or nullptr.
  const Opcode* find(std::string_view opcode) const;
  /// Returns the hash of the file: compiled traces of another table are not used.
  const traces::ContentHash& hash() const { return hash_; }
  std::size_t size() const { return opcodes_.size(); }

 private:
  std::map<std::string, Opcode, std::less<>> opcodes_;
  traces::ContentHash hash_;
};

/// Returns the bytes of a lane's access by the opcode's modifiers, and 4 without one:
///   LDS.U8 1, LDG.E.64 8, LDS.U.128 16, RED.E.ADD.F16x2.RN 4, ATOMS.CAS.64 8
std::uint8_t widthOf(std::string_view opcode);

}  // namespace fermata::sass
