// Where a statement becomes several instructions: copies of registers that a later one reads and an
// earlier one writes.
#pragma once

#include <utility>
#include <vector>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

class RegisterCopies {
 public:
  /// Emits a move of each register that is `read` and `written`. To be called before the first of
  /// the instructions.
  void add(Decoding& d, const std::vector<const Operand*>& written,
           const std::vector<const Operand*>& read, Type type);
  /// As Decoding::source(): of the copy, where there is one.
  Row source(Decoding& d, const Operand& operand, Type type) const;

 private:
  const RegisterPlace* find(const Operand& operand) const;

  std::vector<std::pair<std::uint32_t, RegisterPlace>> copies_;  ///< by register of the function
};

}  // namespace fermata::ptx
