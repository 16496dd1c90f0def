#include <fermata/stimuli/patterns/pattern_program.h>

namespace fermata::patterns {

namespace {

// Registers of the scoreboard.
constexpr RegisterId kIndex = 0;
constexpr RegisterId kFillIndex = 1;
constexpr RegisterId kInput = 2;  ///< input of the arithmetic; never written
constexpr RegisterId kData = 4;   ///< 4 registers: data of a store or atomic
// Enough results that a warp that issues every cycle never waits for its own arithmetic.
constexpr RegisterId kResults = 8;
constexpr std::uint32_t kResultCount = 32;
constexpr RegisterId kLoaded = kResults + kResultCount;  ///< 4 for each of the unrolled loads
static_assert(kLoaded + 4 * PatternProgram::kUnroll == PatternProgram::kRegisters);

void read(StaticInstruction& instruction, RegisterId first, std::uint32_t count = 1) {
  for (std::uint32_t i = 0; i < count; ++i) {
    instruction.reads[instruction.readCount++] = static_cast<RegisterId>(first + i);
  }
}

void write(StaticInstruction& instruction, RegisterId first, std::uint32_t count = 1) {
  for (std::uint32_t i = 0; i < count; ++i) {
    instruction.writes[instruction.writeCount++] = static_cast<RegisterId>(first + i);
  }
}

std::string suffix(std::uint32_t bytes) {
  const std::uint32_t words = bytes / 4;
  return words == 1 ? ".u32" : ".v" + std::to_string(words) + ".u32";
}

/// Returns what an atomic's opcode has behind its space.
const char* kindOf(AtomicForm form) {
  switch (form) {
    case AtomicForm::Swap:
      return ".cas.b32";
    case AtomicForm::Float:
      return ".add.f32";
    case AtomicForm::Double:
      return ".add.f64";
    case AtomicForm::Half:
      return ".add.noftz.f16x2";
    case AtomicForm::Wide:
      return ".add.u64";
    default:
      return ".add.u32";
  }
}

void makeAccess(StaticInstruction& instruction, MemoryOperation operation,
                const PatternShape& shape) {
  instruction.space = shape.space;
  instruction.operation = operation;
  instruction.bytesPerLane = static_cast<std::uint8_t>(shape.bytes);
}

/// Returns the opcode of an access, such as "ld.shared.u32".
std::string opcodeOf(const char* operation, const std::string& kind, const PatternShape& shape) {
  const char* const space = shape.space == MemorySpace::Shared ? ".shared" : ".global";
  return operation + (space + kind);
}

}  // namespace

PatternProgram::PatternProgram(const PatternShape& shape) {
  write(add(InstructionClass::Integer, "mov.u32"), kIndex);
  if (shape.fill) addFill(shape);
  loopBegin_ = size();
  std::uint32_t computed = 0;
  for (std::uint32_t access = 0; access < kUnroll; ++access) {
    for (std::uint32_t i = 0; i < shape.compute; ++i) addCompute(computed++);
    for (std::uint32_t i = 0; i < shape.chain; ++i) addChain();
    addAccess(shape, access);
    if (shape.sum) addSums(shape, (access + kUnroll - kSumsBehind) % kUnroll);
  }
  add(InstructionClass::Exit, "exit");
}

StaticInstruction& PatternProgram::add(InstructionClass kind, std::string opcode) {
  StaticInstruction instruction;
  instruction.pc = size();
  instruction.instructionClass = kind;
  instructions_.push_back(instruction);
  opcodes_.push_back(std::move(opcode));
  return instructions_.back();
}

void PatternProgram::addFill(const PatternShape& shape) {
  StaticInstruction& address = add(InstructionClass::Integer, "add.u32");
  read(address, kFillIndex);
  write(address, kFillIndex);
  StaticInstruction& store =
      add(InstructionClass::Memory, opcodeOf("st", suffix(shape.bytes), shape));
  makeAccess(store, MemoryOperation::Store, shape);
  read(store, kFillIndex);
  read(store, kData, shape.bytes / 4);
  add(InstructionClass::Barrier, "bar.sync");
}

void PatternProgram::addCompute(std::uint32_t number) {
  StaticInstruction& instruction = add(InstructionClass::Float, "fma.rn.f32");
  read(instruction, kInput);
  write(instruction, static_cast<RegisterId>(kResults + number % kResultCount));
}

/// Adds an instruction of the address: it waits for the one before it, and for a dependent load.
void PatternProgram::addChain() {
  StaticInstruction& instruction = add(InstructionClass::Integer, "add.u32");
  read(instruction, kIndex);
  write(instruction, kIndex);
}

void PatternProgram::addSums(const PatternShape& shape, std::uint32_t number) {
  for (std::uint32_t word = 0; word < shape.bytes / 4; ++word) {
    const auto sum = static_cast<RegisterId>(kRegisters + word);
    StaticInstruction& addition = add(InstructionClass::Float, "add.rn.f32");
    read(addition, sum);
    read(addition, static_cast<RegisterId>(kLoaded + 4 * number + word));
    write(addition, sum);
  }
}

void PatternProgram::addAccess(const PatternShape& shape, std::uint32_t number) {
  const std::uint32_t words = shape.bytes / 4;
  const auto loaded = static_cast<RegisterId>(kLoaded + 4 * number);
  const bool atomic = shape.operation == MemoryOperation::Atomic;
  const bool counts = atomic && shape.form == AtomicForm::Count;
  const char* const operation = counts                                     ? "red"
                                : atomic                                   ? "atom"
                                : shape.operation == MemoryOperation::Load ? "ld"
                                                                           : "st";
  StaticInstruction& access =
      add(InstructionClass::Memory,
          opcodeOf(operation, atomic ? kindOf(shape.form) : suffix(shape.bytes), shape));
  makeAccess(access, shape.operation, shape);
  access.form = shape.form;
  read(access, kIndex);
  if (shape.operation != MemoryOperation::Load) read(access, kData, words);
  if (shape.operation == MemoryOperation::Store || shape.form == AtomicForm::Count) return;
  if (shape.dependent) {
    write(access, kIndex);  // the first word is the next index
    write(access, static_cast<RegisterId>(loaded + 1), words - 1);
  } else {
    write(access, loaded, words);
  }
}

}  // namespace fermata::patterns
