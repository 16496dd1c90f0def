// Emits the instructions that compute hashed addresses in one function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/software_hash/software_hash.h>

namespace fermata::software_hash {

/// An address register, by the name it has in the text.
struct AddressRegister {
  std::uint32_t index = 0;  ///< index in Function::registers
  std::string name;
  bool wide = false;  ///< 64 bits
};

/// Emits a new register for every value, like compilers that write PTX: `prefix` + number for 32
/// bits, `prefix` + "d" + number for 64 bits. Instructions are appended to the list that is passed.
/// Each function returns the register or operand that then holds the value.
class AddressEmitter {
 public:
  AddressEmitter(const SoftwareHash& hash, std::string prefix)
      : hash_(hash), prefix_(std::move(prefix)) {}

  /// Emits the hash of `base` + `offset`.
  std::string hashed(const AddressRegister& base, std::int64_t offset,
                     std::vector<std::string>& instructions);
  /// Emits the hash of an operand whose value is not known here, such as the address of a variable.
  std::string hashedValue(const std::string& operand, std::vector<std::string>& instructions);
  /// Emits `value` ^ `bits`.
  std::string flipped(const std::string& value, std::uint32_t bits, bool wide,
                      std::vector<std::string>& instructions);

  std::string newRegister(bool wide);
  /// Returns the declarations of all registers; empty if there are none.
  std::string declarations() const;

 private:
  std::string hashedName(std::string base, bool wide, std::vector<std::string>& instructions);

  const SoftwareHash& hash_;
  std::string prefix_;
  unsigned count_[2] = {0, 0};  ///< number of registers of 32 and of 64 bits
};

}  // namespace fermata::software_hash
