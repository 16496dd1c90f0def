// Writes the instructions that compute hashed addresses in one function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/software_hash/software_hash.h>

namespace fermata::software_hash {

/// An address register as the text names it.
struct AddressRegister {
  std::uint32_t index = 0;  ///< in Function::registers
  std::string name;
  bool wide = false;  ///< 64 bits
};

/// Registers are new for every value, as compilers write PTX: `prefix` + number for 32 bits,
/// `prefix` + "d" + number for 64 bits. Instructions are appended to the list that is passed; each
/// function returns the register, or operand, that then holds the value.
class AddressEmitter {
 public:
  AddressEmitter(const SoftwareHash& hash, std::string prefix)
      : hash_(hash), prefix_(std::move(prefix)) {}

  /// The hash of `base` + `offset`.
  std::string hashed(const AddressRegister& base, std::int64_t offset,
                     std::vector<std::string>& instructions);
  /// The same for an operand whose value is not known here, such as the address of a variable.
  std::string hashedValue(const std::string& operand, std::vector<std::string>& instructions);
  /// `value` ^ `bits`.
  std::string flipped(const std::string& value, std::uint32_t bits, bool wide,
                      std::vector<std::string>& instructions);

  std::string newRegister(bool wide);
  /// The declarations of all registers, empty when there are none.
  std::string declarations() const;

 private:
  std::string hashedName(std::string base, bool wide, std::vector<std::string>& instructions);

  const SoftwareHash& hash_;
  std::string prefix_;
  unsigned count_[2] = {0, 0};  ///< registers of 32 and of 64 bits
};

}  // namespace fermata::software_hash
