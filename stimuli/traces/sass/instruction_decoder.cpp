#include <fermata/stimuli/traces/sass/instruction_decoder.h>

#include <algorithm>
#include <charconv>

namespace fermata::sass {

namespace {

/// Returns whether `opcode` has the modifier: hasModifier("RED.E.ADD.F32", "F32").
bool hasModifier(std::string_view opcode, std::string_view modifier) {
  for (std::size_t at = opcode.find('.'); at != std::string_view::npos;) {
    const std::size_t end = std::min(opcode.find('.', at + 1), opcode.size());
    if (opcode.substr(at + 1, end - at - 1) == modifier) return true;
    at = end == opcode.size() ? std::string_view::npos : end;
  }
  return false;
}

/// Number of matrices of LDSM and STSM: 1, 2 or 4.
std::uint8_t matricesOf(std::string_view opcode) {
  return hasModifier(opcode, "4") ? 4 : hasModifier(opcode, "2") ? 2 : 1;
}

AtomicForm formOf(std::string_view opcode, unsigned bytes) {
  if (hasModifier(opcode, "CAS") || hasModifier(opcode, "CAST")) return AtomicForm::Swap;
  if (hasModifier(opcode, "POPC") || hasModifier(opcode, "ARRIVE")) return AtomicForm::Count;
  if (hasModifier(opcode, "EXCH")) return AtomicForm::Plain;
  if (hasModifier(opcode, "F16x2") || hasModifier(opcode, "BF16_V2")) return AtomicForm::Half;
  if (hasModifier(opcode, "F32")) return AtomicForm::Float;
  if (hasModifier(opcode, "F64")) return AtomicForm::Double;
  return bytes == 8 ? AtomicForm::Wide : AtomicForm::Plain;
}

/// Multiply-adds times bits of a factor, in units of StaticInstruction::kTensorWork, from a shape
/// such as 16816 (16 by 8 by 16) or 64x128x16.
std::uint16_t tensorWorkOf(std::string_view opcode) {
  struct Shape {
    std::string_view name;
    std::uint32_t products;
  };
  constexpr Shape kShapes[] = {
      {"884", 8 * 8 * 4},       {"1684", 16 * 8 * 4},   {"1688", 16 * 8 * 8},
      {"16816", 16 * 8 * 16},   {"8816", 8 * 8 * 16},   {"8832", 8 * 8 * 32},
      {"16832", 16 * 8 * 32},   {"16864", 16 * 8 * 64}, {"168128", 16 * 8 * 128},
      {"168256", 16 * 8 * 256}, {"88128", 8 * 8 * 128}};
  std::uint64_t products = 16 * 8 * 16;
  for (const Shape& shape : kShapes) {
    if (hasModifier(opcode, shape.name)) products = shape.products;
  }
  const std::size_t first = opcode.find('x');
  if (first != std::string_view::npos) {  // HGMMA.64x128x16.F32
    const std::size_t begin = opcode.rfind('.', first) + 1;
    std::uint64_t all = 1;
    const char* at = opcode.data() + begin;
    const char* const end = opcode.data() + opcode.size();
    for (unsigned k = 0; k < 3; ++k) {
      std::uint32_t one = 0;
      const auto [stop, error] = std::from_chars(at, end, one);
      if (error != std::errc{} || one == 0 || one > 1024) return StaticInstruction::kTensorWork;
      all *= one;
      at = stop == end ? end : stop + 1;
    }
    products = all;
  }
  const unsigned bits = opcode.substr(0, 1) == "D"                                 ? 64
                        : hasModifier(opcode, "TF32")                              ? 32
                        : opcode.substr(0, 1) == "I" || opcode.substr(0, 1) == "Q" ? 8
                        : opcode.substr(0, 1) == "B"                               ? 1
                                                                                   : 16;
  constexpr std::uint64_t kUnit = 16 * 8 * 16 * 16 / StaticInstruction::kTensorWork;
  const std::uint64_t work = std::max<std::uint64_t>(1, products * bits / kUnit);
  return static_cast<std::uint16_t>(std::min<std::uint64_t>(work, 65535));
}

void addReads(StaticInstruction& to, RegisterId first, unsigned count) {
  if (first == kNoRegister) return;
  for (unsigned k = 0; k < count && to.readCount < StaticInstruction::kMaxReads; ++k) {
    if (first < kFirstUniform && first + k >= kFirstUniform - 1U) return;
    to.reads[to.readCount++] = static_cast<RegisterId>(first + k);
  }
}

void addWrites(StaticInstruction& to, RegisterId first, unsigned count) {
  if (first == kNoRegister) return;
  for (unsigned k = 0; k < count && to.writeCount < StaticInstruction::kMaxWrites; ++k) {
    if (first < kFirstUniform && first + k >= kFirstUniform - 1U) return;
    to.writes[to.writeCount++] = static_cast<RegisterId>(first + k);
  }
}

/// Registers of 4 bytes that hold an operand of `bytes`.
unsigned registersFor(unsigned bytes) {
  return (bytes + 3) / 4;
}

/// Sets what a memory access reads and writes: the address, then data; results of its width.
void setAccessRegisters(StaticInstruction& to, std::string_view opcode, unsigned data,
                        const NamedRegisters& destinations, const NamedRegisters& sources) {
  const bool wide = hasModifier(opcode, "E") && to.space != MemorySpace::Shared;
  to.addressRead = sources.count != 0 && sources.ids[0] != kNoRegister;
  for (unsigned k = 0; k < sources.count; ++k)
    addReads(to, sources.ids[k], k == 0 ? (wide ? 2 : 1) : data);
  if (to.operation == MemoryOperation::Store) return;
  for (unsigned k = 0; k < destinations.count; ++k) addWrites(to, destinations.ids[k], data);
}

void setAccess(StaticInstruction& to, Role role, std::string_view opcode) {
  to.bytesPerLane = widthOf(opcode);
  switch (role) {
    case Role::Store:
      to.operation = MemoryOperation::Store;
      break;
    case Role::Atomic:
      to.operation = MemoryOperation::Atomic;
      to.form = formOf(opcode, to.bytesPerLane);
      break;
    case Role::StoreMatrices:
      to.operation = MemoryOperation::Store;
      [[fallthrough]];
    case Role::LoadMatrices:
      to.bytesPerLane = WarpInstruction::kMaxBytesPerLane;
      to.matrices = matricesOf(opcode);
      break;
    case Role::Copy:
      to.copyStep = CopyStep::Begin;
      break;
    case Role::CopyArrival:
      to.copyStep = CopyStep::Arrive;
      to.space = MemorySpace::Global;
      to.bytesPerLane = 8;
      break;
    case Role::MBarrier:
      to.bytesPerLane = 8;
      to.polls = hasModifier(opcode, "PHASECHK");
      if (!to.polls) to.operation = MemoryOperation::Store;
      if (hasModifier(opcode, "ARRIVE")) {
        to.operation = MemoryOperation::Atomic;
        to.form = AtomicForm::Count;
      }
      break;
    default:
      break;
  }
}

/// Returns whether a load or a copy gets its data behind the L1.
bool passesL1(std::string_view opcode) {
  return hasModifier(opcode, "BYPASS") ||
         (hasModifier(opcode, "STRONG") && !hasModifier(opcode, "SM"));
}

/// Turns an access without addresses into an instruction that only issues.
void setUnaddressed(Decoded& decoded) {
  StaticInstruction& one = decoded.instruction;
  one.instructionClass = InstructionClass::Integer;
  one.space = MemorySpace::None;
  one.operation = MemoryOperation::Load;
  one.bytesPerLane = one.matrices = 0;
  one.copyStep = CopyStep::None;
  one.form = AtomicForm::Plain;
  one.polls = false;
  decoded.unaddressed = true;
}

}  // namespace

bool readRegister(std::string_view word, RegisterId& id) {
  struct Bank {
    std::string_view letters;
    unsigned first, count;
  };
  // The last of each bank reads as zero or true.
  constexpr Bank kBanks[] = {{"UR", kFirstUniform, 64},
                             {"UP", kFirstUniformPredicate, 8},
                             {"R", 0, 256},
                             {"P", kFirstPredicate, 8}};
  for (const Bank& bank : kBanks) {
    if (word.substr(0, bank.letters.size()) != bank.letters) continue;
    const std::string_view digits = word.substr(bank.letters.size());
    if (digits == "Z" || digits == "T") {
      id = kNoRegister;
      return true;
    }
    unsigned number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc{} || stop != end || number >= bank.count) return false;
    id = number + 1 == bank.count ? kNoRegister : static_cast<RegisterId>(bank.first + number);
    return true;
  }
  return false;
}

Decoded decodeInstruction(std::string_view opcode, const Opcode& entry,
                          const NamedRegisters& destinations, const NamedRegisters& sources,
                          bool addressed, std::int64_t immediate, unsigned architecture) {
  Decoded decoded;
  decoded.role = entry.role;
  StaticInstruction& one = decoded.instruction;
  one.instructionClass = entry.instructionClass;
  one.space = entry.space;
  if (entry.instructionClass == InstructionClass::Memory) {
    setAccess(one, entry.role, opcode);
    const unsigned data = one.matrices != 0 ? one.matrices : registersFor(one.bytesPerLane);
    setAccessRegisters(one, opcode, data, destinations, sources);
    one.passesL1 = one.operation == MemoryOperation::Load && passesL1(opcode);
    one.unread = one.operation == MemoryOperation::Atomic && one.writeCount == 0;
    if (!addressed) setUnaddressed(decoded);
    return decoded;
  }
  for (unsigned k = 0; k < sources.count; ++k)
    addReads(one, sources.ids[k], k < entry.reads.size() ? entry.reads[k] : 1);
  for (unsigned k = 0; k < destinations.count; ++k)
    addWrites(one, destinations.ids[k], entry.writes);
  if (entry.instructionClass == InstructionClass::Tensor) {
    one.tensorWork = tensorWorkOf(opcode);
    one.floatSums = hasModifier(opcode, "F32");
  }
  decoded.unaddressed = entry.role == Role::NoAddresses || entry.role == Role::SharedFactors;
  one.fence = entry.role == Role::Fence;
  if (entry.role == Role::Commit) one.copyStep = CopyStep::Commit;
  // Before sm_80 there are no copies: DEPBAR waits for a scoreboard, which no trace names.
  if (entry.role == Role::WaitGroups && (architecture == 0 || architecture >= 80)) {
    constexpr std::int64_t kMost = StaticInstruction::kAnyGroups - 1;
    one.groupsLeft = static_cast<std::uint8_t>(std::clamp<std::int64_t>(immediate, 0, kMost));
  }
  return decoded;
}

}  // namespace fermata::sass
