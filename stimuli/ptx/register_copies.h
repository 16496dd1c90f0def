// Copies of registers for statements that become several instructions: a later instruction reads
// the copy of a register that an earlier one writes.
#pragma once

#include <utility>
#include <vector>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

class RegisterCopies {
 public:
  /// Emits a move of each register that is in both lists. Call it before the first of the
  /// instructions.
  void add(Decoding& d, const std::vector<const Operand*>& written,
           const std::vector<const Operand*>& read, Type type);
  /// Returns the row of the register's copy or, if it has none, Decoding::source().
  Row source(Decoding& d, const Operand& operand, Type type) const;

 private:
  const RegisterPlace* find(const Operand& operand) const;

  std::vector<std::pair<std::uint32_t, RegisterPlace>> copies_;  ///< by register of the function
};

}  // namespace fermata::ptx
