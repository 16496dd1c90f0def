#include <fermata/stimuli/software_hash/known_bits.h>

#include <algorithm>
#include <string>
#include <string_view>

#include <fermata/stimuli/software_hash/shared_layout.h>

namespace fermata::software_hash {
namespace {

using ptx::Operand;
using ptx::Statement;

constexpr Bits kAll = ~Bits{0};

Bits below(unsigned width) {
  return width >= 64 ? kAll : (Bits{1} << width) - 1;
}

unsigned trailingZeros(Bits x) {
  return x == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(x));
}

KnownBits cut(const KnownBits& x, unsigned width) {
  return {x.possible & below(width), x.certain & below(width)};
}

KnownBits join(const KnownBits& x, const KnownBits& y) {
  return {x.possible | y.possible, x.certain & y.certain};
}

/// Knows zeros below, and above no more than the largest product.
KnownBits product(const KnownBits& x, const KnownBits& y, unsigned width) {
  if (x.unknown() == 0 && y.unknown() == 0) return cut(KnownBits::of(x.certain * y.certain), width);
  if (x.possible == 0 || y.possible == 0) return {0, 0};
  const unsigned zeros = trailingZeros(x.possible) + trailingZeros(y.possible);
  Bits largest = 0;
  const bool wraps = __builtin_mul_overflow(x.possible, y.possible, &largest);
  const Bits high = wraps ? kAll : below(64 - static_cast<unsigned>(__builtin_clzll(largest)));
  return {zeros >= 64 ? 0 : (kAll << zeros) & high & below(width), 0};
}

/// Splits "add.s32" into "add" and 32; the width is 0 if the last part is no integer type.
struct Opcode {
  std::string_view name;
  unsigned width = 0;
  bool isSigned = false;
};

Opcode split(std::string_view opcode) {
  const std::size_t dot = opcode.rfind('.');
  if (dot == std::string_view::npos) return {opcode};
  const std::string_view type = opcode.substr(dot + 1);
  Opcode result{opcode.substr(0, dot)};
  if (type.size() < 2 || std::string_view("bsu").find(type[0]) == std::string_view::npos)
    return result;
  for (const unsigned width : {16U, 32U, 64U}) {
    if (type.substr(1) == std::to_string(width)) result.width = width;
  }
  result.isSigned = type[0] == 's';
  return result;
}

void collectWritten(const Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::Register) registers.push_back(operand.index);
  if (operand.kind == Operand::Kind::Address) return;
  for (const Operand& element : operand.elements) collectWritten(element, registers);
}

class Analysis {
 public:
  Analysis(const ptx::Function& function, const SharedLayout& layout)
      : function_(function),
        layout_(layout),
        bits_(function.registers.size()),
        reached_(function.registers.size(), false) {
    std::vector<bool> written(bits_.size(), false);
    for (const Statement& statement : function.statements) {
      for (const std::uint32_t reg : writtenRegisters(statement)) written[reg] = true;
    }
    for (std::uint32_t reg = 0; reg < bits_.size(); ++reg) {
      if (!written[reg]) addAll(reg);
    }
    for (const auto* formals : {&function.parameters, &function.results}) {
      for (const ptx::Formal& formal : *formals) {
        if (formal.variable == nullptr) addAll(formal.reg);
      }
    }
  }

  /// Iterates until nothing changes. A register is first what its first write makes of it; each
  /// further write leaves fewer bits known, so the iteration ends.
  std::vector<KnownBits> run() {
    do {
      changed_ = false;
      for (const Statement& statement : function_.statements) write(statement);
    } while (changed_);
    for (std::uint32_t reg = 0; reg < bits_.size(); ++reg) {
      if (!reached_[reg]) addAll(reg);
    }
    return std::move(bits_);
  }

 private:
  unsigned widthOf(std::uint32_t reg) const {
    return 8 * ptx::bytesOf(function_.registers[reg].type);
  }

  void write(const Statement& statement) {
    if (statement.operands.empty()) return;
    const Operand& to = statement.operands.front();
    if (to.kind != Operand::Kind::Register) {
      for (const std::uint32_t reg : writtenRegisters(statement)) addAll(reg);
      return;
    }
    for (std::size_t k = 1; k < statement.operands.size(); ++k) {
      const Operand& operand = statement.operands[k];
      if (operand.kind == Operand::Kind::Register && !reached_[operand.index]) return;
    }
    add(to.index, cut(result(statement), widthOf(to.index)));
  }

  void addAll(std::uint32_t reg) { add(reg, cut({}, widthOf(reg))); }

  void add(std::uint32_t reg, const KnownBits& bits) {
    const KnownBits before = bits_[reg];
    bits_[reg] = reached_[reg] ? join(before, bits) : bits;
    changed_ = changed_ || !reached_[reg] || bits_[reg].possible != before.possible ||
               bits_[reg].certain != before.certain;
    reached_[reg] = true;
  }

  KnownBits of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::Register:
        return bits_[operand.index];
      case Operand::Kind::Integer:
        return KnownBits::of(operand.integer);
      case Operand::Kind::Variable:
        break;
      default:
        return {};
    }
    if (operand.variable->space != ptx::VariableSpace::Shared) return {};
    const auto known = layout_.offset(function_, *operand.variable);
    return known ? KnownBits::of(*known + static_cast<Bits>(operand.offset)) : KnownBits{};
  }

  KnownBits result(const Statement& statement) const {
    const Opcode opcode = split(statement.opcode);
    const auto& operands = statement.operands;
    const unsigned width = opcode.width;
    if (width == 0 || operands.size() < 2) return {};
    const auto operand = [&](std::size_t k) { return cut(of(operands[k]), width); };
    const KnownBits a = operand(1);
    if (operands.size() == 2) {
      if (opcode.name == "mov") return a;
      return opcode.name.substr(0, 4) == "cvt." ? converted(opcode, a) : KnownBits{};
    }
    const KnownBits b = operand(2);
    const std::string_view name = opcode.name;
    if (name == "shl" || name == "shr") return shifted(opcode, a, operands[2]);
    if (name == "and") return {a.possible & b.possible, a.certain & b.certain};
    if (name == "or") return {a.possible | b.possible, a.certain | b.certain};
    if (name == "xor") {
      const Bits unknown = a.unknown() | b.unknown();
      const Bits value = (a.certain ^ b.certain) & ~unknown;
      return {value | unknown, value};
    }
    if (name == "add") return sum(a, b, width);
    if (name == "sub") {  // a + ~b + 1
      const KnownBits inverse{~b.certain & below(width), ~b.possible & below(width)};
      return sum(sum(a, inverse, width), KnownBits::of(1), width);
    }
    if (name == "mul.lo") return product(a, b, width);
    if (name == "mad.lo" && operands.size() == 4)
      return sum(product(a, b, width), operand(3), width);
    return name == "selp" ? join(a, b) : KnownBits{};
  }

  static KnownBits shifted(const Opcode& opcode, const KnownBits& x, const Operand& by) {
    if (by.kind != Operand::Kind::Integer) return {};
    const bool out = by.integer >= opcode.width;
    if (opcode.name == "shl") {
      if (out) return {0, 0};
      return cut({x.possible << by.integer, x.certain << by.integer}, opcode.width);
    }
    if (opcode.isSigned && (x.possible >> (opcode.width - 1) & 1U) != 0) return {};
    return out ? KnownBits{0, 0} : KnownBits{x.possible >> by.integer, x.certain >> by.integer};
  }

  /// Converts by cvt.TO.FROM: `opcode.width` is that of FROM; the rest of its name must be TO
  /// alone.
  static KnownBits converted(const Opcode& opcode, const KnownBits& from) {
    const Opcode to = split(opcode.name);
    if (to.name != "cvt" || to.width == 0) return {};
    const bool sign = opcode.isSigned && (from.possible >> (opcode.width - 1) & 1U) != 0;
    return cut({sign ? from.possible | ~below(opcode.width) : from.possible, from.certain},
               to.width);
  }

  const ptx::Function& function_;
  const SharedLayout& layout_;
  std::vector<KnownBits> bits_;
  std::vector<bool> reached_;  ///< by register: true if some write of it has been seen
  bool changed_ = false;
};

}  // namespace

std::vector<std::uint32_t> writtenRegisters(const Statement& statement) {
  std::vector<std::uint32_t> registers;
  if (!statement.operands.empty()) collectWritten(statement.operands.front(), registers);
  return registers;
}

/// Knows a bit of the sum if both operands' bits and the carry into it are known. The carries of
/// the largest sum and of the smallest are the most and the fewest that can occur.
KnownBits sum(const KnownBits& x, const KnownBits& y, unsigned width) {
  const Bits largest = x.possible + y.possible;
  const Bits smallest = x.certain + y.certain;
  const Bits noCarry = ~(largest ^ x.possible ^ y.possible);
  const Bits carry = smallest ^ x.certain ^ y.certain;
  const Bits known = ~x.unknown() & ~y.unknown() & (noCarry | carry);
  return cut({(largest & known) | ~known, smallest & known}, width);
}

std::vector<KnownBits> knownBits(const ptx::Function& function, const SharedLayout& layout) {
  return Analysis(function, layout).run();
}

}  // namespace fermata::software_hash
