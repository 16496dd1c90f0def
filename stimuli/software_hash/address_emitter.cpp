#include <fermata/stimuli/software_hash/address_emitter.h>

namespace fermata::software_hash {
namespace {

std::string instruction(const char* opcode, const std::string& to, const std::string& a,
                        const std::string& b) {
  return std::string(opcode) + " \t" + to + ", " + a + ", " + b + ";";
}

/// Writes a mask that reaches up to bit 31 as a negative number, which suits 32 and 64 bits.
std::string maskText(std::uint32_t mask) {
  return std::to_string(static_cast<std::int32_t>(mask));
}

}  // namespace

std::string AddressEmitter::newRegister(bool wide) {
  return prefix_ + (wide ? "d" : "") + std::to_string(count_[wide ? 1 : 0]++);
}

std::string AddressEmitter::declarations() const {
  std::string text;
  if (count_[0] != 0) text += ".reg .b32 \t" + prefix_ + "<" + std::to_string(count_[0]) + ">;";
  if (count_[1] != 0) {
    text += std::string(text.empty() ? "" : " ") + ".reg .b64 \t" + prefix_ + "d<" +
            std::to_string(count_[1]) + ">;";
  }
  return text;
}

std::string AddressEmitter::hashed(const AddressRegister& base, std::int64_t offset,
                                   std::vector<std::string>& instructions) {
  std::string sum = base.name;
  if (offset != 0) {
    sum = newRegister(base.wide);
    instructions.push_back(
        instruction(base.wide ? "add.s64" : "add.s32", sum, base.name, std::to_string(offset)));
  }
  return hashedName(std::move(sum), base.wide, instructions);
}

std::string AddressEmitter::hashedValue(const std::string& operand,
                                        std::vector<std::string>& instructions) {
  const std::string value = newRegister(false);
  instructions.push_back("mov.u32 \t" + value + ", " + operand + ";");
  return hashedName(value, false, instructions);
}

std::string AddressEmitter::flipped(const std::string& value, std::uint32_t bits, bool wide,
                                    std::vector<std::string>& instructions) {
  const std::string to = newRegister(wide);
  instructions.push_back(
      instruction(wide ? "xor.b64" : "xor.b32", to, value, std::to_string(bits)));
  return to;
}

std::string AddressEmitter::hashedName(std::string base, bool wide,
                                       std::vector<std::string>& instructions) {
  const auto emit = [&](const char* narrow, const char* broad, const std::string& a,
                        const std::string& b) {
    const std::string to = newRegister(wide);
    instructions.push_back(instruction(wide ? broad : narrow, to, a, b));
    return to;
  };
  std::string sum;
  std::uint32_t filled = 0;  // bits of the sum
  for (const SoftwareHash::Term& term : hash_.terms()) {
    std::string part = base;
    if (term.shift > 0) part = emit("shr.u32", "shr.u64", part, std::to_string(term.shift));
    if (term.shift < 0) part = emit("shl.b32", "shl.b64", part, std::to_string(-term.shift));
    if (term.masks) part = emit("and.b32", "and.b64", part, maskText(term.mask));
    if (sum.empty()) {
      sum = part;
    } else if ((filled & term.mask) == 0) {
      sum = emit("or.b32", "or.b64", sum, part);
    } else {
      sum = emit("xor.b32", "xor.b64", sum, part);
    }
    filled |= term.mask;
  }
  return sum;
}

}  // namespace fermata::software_hash
