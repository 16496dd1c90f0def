#include <algorithm>

#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

/// True if the lower half of the result depends on the lower halves of the operands alone.
bool keepsHalves(std::string_view opcode) {
  if (!isWideInteger(opcode)) return false;
  const std::string_view name = opcodeName(opcode);
  if (isAmong(name, {"mul", "mad"})) return opcodeHas(opcode, "lo");
  return isAmong(name,
                 {"add", "sub", "and", "or", "xor", "not", "neg", "shl", "mov", "cvta", "selp"});
}

/// True if the instruction converts 64 bits to fewer.
bool dropsUpperHalf(std::string_view opcode) {
  if (opcodeName(opcode) != "cvt" || !isWideInteger(opcode)) return false;
  const std::size_t from = opcodeType(opcode).size() + 1;
  return isAmong(opcodeType(opcode.substr(0, opcode.size() - from)),
                 {"u8", "s8", "u16", "s16", "u32", "s32"});
}

bool hasShortAddresses(MemorySpace space) {
  return space == MemorySpace::Shared || space == MemorySpace::Local ||
         space == MemorySpace::Constant;
}

/// Finds the registers of 64 bits whose upper half is read, backwards from the readers that need
/// it.
class UpperHalves {
 public:
  explicit UpperHalves(const KernelCode& code)
      : code_(code), read_(code.slots.size(), false), writers_(code.slots.size()) {
    for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) start(pc);
    while (!open_.empty()) {
      const RegisterId id = open_.back();
      open_.pop_back();
      for (const std::uint32_t pc : writers_[id]) {
        const StaticInstruction& one = code.statics[pc];
        for (unsigned k = 0; k < one.readCount; ++k) need(one.reads[k]);
      }
    }
  }
  bool isRead(RegisterId id) const { return code_.slots[id].words != 2 || read_[id]; }

 private:
  void start(std::uint32_t pc) {
    const StaticInstruction& one = code_.statics[pc];
    const std::string_view opcode = code_.texts[pc].opcode;
    if (keepsHalves(opcode) && one.writeCount == 1) {
      writers_[one.writes[0]].push_back(pc);
      return;
    }
    if (dropsUpperHalf(opcode)) return;
    // The address is the first operand, 64-bit data are the second.
    const bool isShort = hasShortAddresses(one.space);
    const bool data = one.operation != MemoryOperation::Load && one.bytesPerLane >= 8;
    const unsigned first = !isShort ? 0 : data ? one.addressRead : one.readCount;
    for (unsigned k = first; k < one.readCount; ++k) need(one.reads[k]);
  }

  void need(RegisterId id) {
    if (code_.slots[id].words != 2 || read_[id]) return;
    read_[id] = true;
    open_.push_back(id);
  }

  const KernelCode& code_;
  std::vector<bool> read_;                           ///< by RegisterId
  std::vector<std::vector<std::uint32_t>> writers_;  ///< PCs that keep halves, by RegisterId
  std::vector<RegisterId> open_;
};

/// Returns the opcode that computes the lower half.
std::string lowerHalf(std::string opcode) {
  const std::string_view name = opcodeName(opcode);
  if (isAmong(name, {"mul", "mad"}) && opcodeHas(opcode, "wide"))
    return opcode.replace(opcode.find("wide"), 4, "lo");
  if (name == "cvt" && !isWideInteger(opcode)) {
    const std::string_view from = opcodeType(opcode);
    if (isAmong(from, {"u32", "s32", "b32"})) return "cvt.u32.u32";
    return opcode.replace(opcode.size() - from.size() - 3, 2, "32");
  }
  if (keepsHalves(opcode)) opcode.replace(opcode.size() - 2, 2, "32");
  return opcode;
}

}  // namespace

void narrowAddresses(const KernelCode& code, Folding& folding) {
  const UpperHalves halves(code);
  folding.narrow.resize(code.slots.size());
  for (std::size_t id = 0; id < folding.narrow.size(); ++id)
    folding.narrow[id] = !halves.isRead(static_cast<RegisterId>(id));
  folding.opcodes.reserve(code.statics.size());
  for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
    const StaticInstruction& one = code.statics[pc];
    const std::string& opcode = code.texts[pc].opcode;
    const bool narrow =
        one.space == MemorySpace::None && one.writeCount == 1 && folding.narrow[one.writes[0]];
    folding.opcodes.push_back(narrow ? lowerHalf(opcode) : opcode);
  }
}

}  // namespace fermata::ptx
