#include <fermata/stimuli/software_hash/rewritten_access.h>

#include <array>
#include <cstring>

#include <fermata/stimuli/refuse.h>

namespace fermata::software_hash {
namespace {

using ptx::Operand;

constexpr unsigned kHalfBytes = 4;  ///< half of a 64-bit element

/// Returns the opcode for `elements` of a type.
std::string opcodeOf(const SharedAccess& access, unsigned elements, const std::string& type) {
  std::string opcode;
  for (std::size_t k = 0; k + 1 < access.parts.size(); ++k) {
    const std::string& part = access.parts[k];
    const bool vector = part == "v2" || part == "v4";
    if (vector && elements == 1) continue;
    opcode += (k == 0 ? "" : ".") + (vector ? "v" + std::to_string(elements) : part);
  }
  return opcode + "." + type;
}

const Operand& element(const ptx::Statement& statement, const SharedAccess& access, std::size_t k) {
  const Operand& data = statement.operands[access.dataOperand];
  return data.kind == Operand::Kind::Vector ? data.elements[k] : data;
}

/// Returns the two words of a 64-bit constant.
std::array<std::string, 2> wordsOf(const Operand& constant) {
  std::uint64_t bits = constant.integer;
  if (constant.kind == Operand::Kind::Float && constant.hexFloatBits != 64) {
    std::memcpy(&bits, &constant.real, sizeof bits);
  }
  return {std::to_string(bits & 0xffffffffU), std::to_string(bits >> 32)};
}

class Splitter {
 public:
  Splitter(const ptx::Ast& ast, const ptx::Statement& statement, const SharedAccess& access,
           const AccessText& text, const AddressSource& address, AddressEmitter& emitter,
           unsigned wordBytes)
      : ast_(ast),
        statement_(statement),
        access_(access),
        text_(text),
        address_(address),
        emitter_(emitter),
        wordBytes_(wordBytes) {}

  std::vector<std::string> run() {
    isLoad_ = access_.kind == SharedAccess::Kind::Load;
    if (ptx::bytesOf(access_.type) > wordBytes_) {
      doubleWords();
    } else {
      words();
    }
    std::vector<std::string> all = std::move(before_);
    all.insert(all.end(), accesses_.begin(), accesses_.end());
    all.insert(all.end(), after_.begin(), after_.end());
    return all;
  }

 private:
  bool isSink(std::size_t k) const {
    return element(statement_, access_, k).kind == Operand::Kind::Sink;
  }

  void access(const std::string& opcode, std::int64_t offset, const std::string& data) {
    const std::string place = "[" + address_(offset, before_) + "]";
    accesses_.push_back(text_.guard + opcode + " \t" +
                        (isLoad_ ? data + ", " + place : place + ", " + data) + ";");
  }

  /// Splits into elements of at most a word; one access has as many as a word holds.
  void words() {
    const unsigned bytes = ptx::bytesOf(access_.type);
    const unsigned perWord = wordBytes_ / bytes;
    const std::string opcode = opcodeOf(access_, perWord, access_.parts.back());
    for (unsigned first = 0; first < access_.elements; first += perWord) {
      std::string data;
      bool wanted = false;
      for (unsigned k = first; k < first + perWord; ++k) {
        data += (k == first ? "" : ", ") + text_.data[k];
        wanted = wanted || !isSink(k);
      }
      if (!wanted) continue;
      access(opcode, std::int64_t{first} * bytes, perWord == 1 ? data : "{" + data + "}");
    }
  }

  /// Splits elements of 64 bits into two words each, joined or parted by mov.b64.
  void doubleWords() {
    const std::string opcode = opcodeOf(access_, 1, "b32");
    for (unsigned k = 0; k < access_.elements; ++k) {
      if (isSink(k)) continue;
      const std::array<std::string, 2> halves = isLoad_ ? loadHalves(k) : storeHalves(k);
      for (unsigned half = 0; half < 2; ++half)
        access(opcode, std::int64_t{k} * 8 + half * kHalfBytes, halves[half]);
    }
  }

  std::array<std::string, 2> loadHalves(unsigned k) {
    const std::array<std::string, 2> halves = newHalves();
    after_.push_back(text_.guard + "mov.b64 \t" + text_.data[k] + ", {" + halves[0] + ", " +
                     halves[1] + "};");
    return halves;
  }

  std::array<std::string, 2> storeHalves(unsigned k) {
    const Operand& data = element(statement_, access_, k);
    if (data.kind == Operand::Kind::Integer || data.kind == Operand::Kind::Float)
      return wordsOf(data);
    if (data.kind != Operand::Kind::Register)
      refuse({ast_.fileName, data.at.line, data.at.column},
             "'{}' stores 64 bits that the hash has to part; expected a register or a constant",
             statement_.opcode);
    const std::array<std::string, 2> halves = newHalves();
    before_.push_back("mov.b64 \t{" + halves[0] + ", " + halves[1] + "}, " + text_.data[k] + ";");
    return halves;
  }

  std::array<std::string, 2> newHalves() {
    std::array<std::string, 2> halves;
    for (std::string& half : halves) half = emitter_.newRegister(false);
    return halves;
  }

  const ptx::Ast& ast_;
  const ptx::Statement& statement_;
  const SharedAccess& access_;
  const AccessText& text_;
  const AddressSource& address_;
  AddressEmitter& emitter_;
  unsigned wordBytes_;
  bool isLoad_ = false;
  std::vector<std::string> before_, accesses_, after_;
};

}  // namespace

std::vector<std::string> splitAccess(const ptx::Ast& ast, const ptx::Statement& statement,
                                     const SharedAccess& access, const AccessText& text,
                                     const AddressSource& address, AddressEmitter& emitter,
                                     unsigned wordBytes) {
  return Splitter(ast, statement, access, text, address, emitter, wordBytes).run();
}

}  // namespace fermata::software_hash
