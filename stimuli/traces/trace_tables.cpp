#include <fermata/stimuli/ptx/arithmetic_names.h>
#include <fermata/stimuli/ptx/cache_words.h>
#include <fermata/stimuli/traces/trace_tables.h>

#include <algorithm>
#include <limits>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/traces/tensor_words.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::traces {

namespace {

/// The fields "key=value" of a row, behind its keyword.
class NamedFields {
 public:
  static constexpr std::size_t kNone = 0;

  NamedFields(const CsvRows& rows, std::initializer_list<std::string_view> keys)
      : rows_(rows), keys_(keys), field_(keys.size(), kNone) {
    for (std::size_t field = 1; field < rows.size(); ++field) {
      const std::string_view text = rows[field];
      const std::string_view key = text.substr(0, text.find('='));
      const auto found = std::find(keys_.begin(), keys_.end(), key);
      if (found == keys_.end() || key.size() == text.size())
        rows.fail(field, 0, "unknown column '{}'; expected {}", text, allowed());
      std::size_t& slot = field_[static_cast<std::size_t>(found - keys_.begin())];
      if (slot != kNone) rows.fail(field, 0, "column '{}' twice; expected it once", key);
      slot = field;
    }
  }

  /// Returns the number of the field with this key, or kNone.
  std::size_t find(std::string_view key) const {
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    return field_[static_cast<std::size_t>(found - keys_.begin())];
  }
  bool has(std::string_view key) const { return find(key) != kNone; }
  std::string_view text(std::string_view key) const {
    const std::size_t field = find(key);
    if (field == kNone) rows_.failLine("column '{}' is missing; expected {}", key, allowed());
    return rows_[field].substr(key.size() + 1);
  }
  std::string_view textOr(std::string_view key, std::string_view otherwise) const {
    return has(key) ? text(key) : otherwise;
  }
  /// Runs `parse` and turns its FormatError into an error with a place. `part` lies in the text of
  /// `key`.
  template <typename Parse>
  auto at(std::string_view key, std::string_view part, Parse parse) const {
    try {
      return parse();
    } catch (const FormatError& error) {
      const auto start = static_cast<std::size_t>(part.data() - rows_[find(key)].data());
      rows_.fail(find(key), start + error.offset, "{}", error.what);
    }
  }
  /// Returns parse(text of the key).
  template <typename Parse>
  auto parsed(std::string_view key, Parse parse) const {
    const std::string_view whole = text(key);
    return at(key, whole, [&] { return parse(whole); });
  }
  template <typename Number = std::uint32_t>
  Number number(std::string_view key,
                std::uint64_t limit = std::numeric_limits<Number>::max()) const {
    return part<Number>(key, text(key), limit);
  }
  /// Returns the number in a part of the key's text.
  template <typename Number = std::uint32_t>
  Number part(std::string_view key, std::string_view part, std::uint64_t limit) const {
    return static_cast<Number>(at(key, part, [&] { return parseNumber(part, limit, key); }));
  }
  template <typename Number = std::uint32_t>
  Number positive(std::string_view key,
                  std::uint64_t limit = std::numeric_limits<Number>::max()) const {
    const auto value = number<Number>(key, limit);
    if (value == 0) fail(key, "'{}' is 0; expected at least 1", key);
    return value;
  }
  /// Returns whether a flag, which can only be 1, is given.
  bool flag(std::string_view key) const { return has(key) && positive(key, 1) != 0; }
  /// Throws InputError at the value of the key.
  template <class... Values>
  [[noreturn]] void fail(std::string_view key, fmt::format_string<Values...> text,
                         Values... values) const {
    rows_.fail(find(key), key.size() + 1, text, values...);
  }

 private:
  std::string allowed() const {
    std::string list;
    for (const std::string_view key : keys_) {
      list += (list.empty() ? "columns " : ", ") + std::string(key) + "=";
    }
    return list;
  }

  const CsvRows& rows_;
  std::vector<std::string_view> keys_;
  std::vector<std::size_t> field_;
};

/// Parses register numbers separated by ';'. Returns their count; raises `used` above the highest.
template <std::size_t N>
std::uint8_t readRegisters(const NamedFields& fields, std::string_view key,
                           std::array<RegisterId, N>& registers, std::uint32_t& used) {
  std::string_view left = fields.textOr(key, "");
  std::uint8_t count = 0;
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find(';'));
    if (count == N) fields.fail(key, "too many registers in '{}'; expected at most {}", key, N);
    const auto id = fields.part<RegisterId>(key, part, kMaxRegisters - 1);
    registers[count++] = id;
    used = std::max(used, id + 1U);
    left.remove_prefix(std::min(left.size(), part.size() + 1));
  }
  return count;
}

/// Reads how many matrices a load or store of shared memory moves.
std::uint8_t readMatrices(const NamedFields& fields, const StaticInstruction& access) {
  const auto matrices = fields.number<std::uint8_t>("matrices", 4);
  if (matrices == 0 || matrices == 3)
    fields.fail("matrices", "{} matrices; expected 1, 2 or 4", matrices);
  if (access.space != MemorySpace::Shared || access.bytesPerLane != 16 ||
      access.operation == MemoryOperation::Atomic)
    fields.fail("matrices",
                "'matrices' of another access; expected a load or store of space=shared, bytes=16");
  return matrices;
}

void readAccess(const NamedFields& fields, StaticInstruction& instruction) {
  instruction.space = fields.parsed("space", spaceNamed);
  instruction.operation = fields.parsed("operation", operationNamed);
  instruction.bytesPerLane =
      fields.parsed("bytes", [](std::string_view text) { return parseBytes(text, true); });
  instruction.polls = fields.flag("polls");
  instruction.arrives = fields.flag("arrives");
  instruction.streams = fields.flag("streams");
  if (fields.has("matrices")) instruction.matrices = readMatrices(fields, instruction);
  if (fields.has("form")) instruction.form = fields.parsed("form", formNamed);
  instruction.unread = fields.flag("unread");
  instruction.addressRead = !fields.flag("fixed_address");
  if (instruction.operation == MemoryOperation::Atomic) return;
  for (const std::string key : {"form", "unread", "fixed_address"}) {
    if (fields.has(key)) fields.fail(key, "'{}' of an access that is not operation=atomic", key);
  }
  const bool asks = asksForClusters(instruction) && instruction.space == MemorySpace::Shared &&
                    instruction.bytesPerLane == 16;
  if (instruction.arrives && !asks)
    fields.fail("arrives",
                "'arrives' of an access that is not operation=atomic; expected also a store of "
                "space=shared, bytes=16, which asks for a cluster");
}

/// Reads what an access to shared memory is to the tensor unit.
void readUnitWork(const NamedFields& fields, StaticInstruction& instruction) {
  if (!fields.has("work")) return;
  instruction.tensorWork = fields.positive<std::uint16_t>("work", kMostUnitWork);
  const bool shared = instruction.space == MemorySpace::Shared;
  const bool reads = instruction.copyStep == CopyStep::Bulk && instruction.bytesPerLane == 16 &&
                     instruction.operation == MemoryOperation::Load;
  const bool arrives = instruction.copyStep == CopyStep::Complete &&
                       instruction.bytesPerLane == kBarrierBytes &&
                       instruction.tensorWork == kUnitCopy;
  if (shared && (reads || arrives)) return;
  fields.fail("work",
              "'work' of another access; expected one of space=shared: operation=load, bytes=16, "
              "copies=bulk, or bytes=8, copies=complete with work={}",
              kUnitCopy);
}

/// Returns the arithmetic of an opcode of PTX; of machine code, whose names are upper case, a sum.
Arithmetic arithmeticOf(const std::string& opcode) {
  const bool isPtx = !opcode.empty() && opcode[0] >= 'a' && opcode[0] <= 'z';
  return isPtx ? ptx::arithmeticOf(opcode) : Arithmetic::Sum;
}

/// Reads of an access to tensor memory whether it stores, or takes columns or gives them back.
void readTensorAccess(const NamedFields& fields, StaticInstruction& instruction) {
  instruction.streams = fields.flag("streams");
  instruction.arrives = fields.flag("arrives");
  if (fields.has("operation")) instruction.operation = fields.parsed("operation", operationNamed);
  if (instruction.operation == MemoryOperation::Atomic)
    fields.fail("operation", "'atomic' of class=tensor; expected load or store");
  if (instruction.streams) return;
  for (const std::string key : {"operation", "arrives"}) {
    if (fields.has(key))
      fields.fail(key, "'{}' of class=tensor without streams=1; expected both", key);
  }
}

void readTensor(const NamedFields& fields, StaticInstruction& instruction) {
  instruction.tensorWork = fields.positive<std::uint16_t>("work", kMaxTensorWork);
  instruction.floatSums = fields.flag("float_sums");
  readTensorAccess(fields, instruction);
  if (!fields.has("space")) return;
  const std::string_view space = fields.text("space");
  if (space != name(MemorySpace::Shared))
    fields.fail("space", "'{}' of class=tensor; expected shared, or none", space);
  instruction.space = MemorySpace::Shared;
}

/// Reads what a warp waits for besides registers, and what it begins without waiting.
void readCopies(const NamedFields& fields, StaticInstruction& instruction) {
  const bool plain = instruction.instructionClass == InstructionClass::Integer;
  instruction.fence = fields.flag("fence");
  if (fields.has("groups_left"))
    instruction.groupsLeft = fields.number<std::uint8_t>("groups_left", kMaxGroupsLeft);
  for (const std::string key : {"fence", "groups_left"}) {
    if (!plain && fields.has(key))
      fields.fail(key, "'{}' of an instruction that is not class=integer", key);
  }
  if (!fields.has("copies")) return;
  const std::string_view step = fields.text("copies");
  instruction.copyStep = fields.parsed("copies", copyStepNamed);
  const bool copy = instruction.instructionClass == InstructionClass::Memory &&
                    instruction.space != MemorySpace::Generic && instruction.bytesPerLane != 0;
  if (instruction.beginsCopy() ? copy : plain) return;
  fields.fail("copies", "'{}' of another kind of instruction; expected {}", step,
              instruction.beginsCopy()
                  ? "class=memory of a space that is not generic, bytes=1 to 16"
                  : "class=integer");
}

std::uint32_t readProgramNumber(const NamedFields& fields, std::size_t programs) {
  const auto number = fields.number("program");
  if (number >= programs)
    fields.fail("program", "program {} is not known; expected one of {} programs, counted from 0",
                number, programs);
  return number;
}

std::uint32_t readPc(const NamedFields& fields, const Program& program) {
  const auto pc = fields.number("pc");
  if (pc >= program.instructionCount)
    fields.fail("pc", "pc {} is out of range; expected less than the {} instructions of {}", pc,
                program.instructionCount, program.name);
  return pc;
}

std::uint32_t readCluster(const NamedFields& fields, std::uint64_t ctas) {
  const auto cluster = fields.positive("cluster", kMostClusterCtas);
  if (ctas % cluster != 0)
    fields.fail("cluster", "clusters of {} CTAs in a grid of {}; expected whole clusters", cluster,
                ctas);
  return cluster;
}

}  // namespace

bool TraceTables::read(const CsvRows& rows, const Grid& running) {
  const std::string_view keyword = rows[0];
  if (keyword == "program") {
    readProgram(rows);
  } else if (keyword == "text") {
    readText(rows);
  } else if (keyword == "instruction") {
    readInstruction(rows, running);
  } else if (keyword == "memory") {
    readMemory(rows);
  } else {
    return false;
  }
  return true;
}

void TraceTables::readProgram(const CsvRows& rows) {
  const NamedFields fields(rows, {"index", "name", "instructions"});
  const auto index = fields.number("index");
  if (index != programs_.size())
    fields.fail("index", "program {} out of order; expected {}", index, programs_.size());
  auto program = std::make_unique<Program>();
  program->name = fields.text("name");
  program->instructionCount = fields.positive("instructions", kMaxInstructions);
  if (instructions_ + program->instructionCount > kMaxInstructions)
    fields.fail("instructions", "too many instructions; expected at most {} in all programs",
                kMaxInstructions);
  instructions_ += program->instructionCount;
  programs_.push_back(std::move(program));
}

void TraceTables::readText(const CsvRows& rows) {
  const NamedFields fields(rows, {"program", "pc", "opcode", "file", "line", "near_line"});
  Program& program = *programs_[readProgramNumber(fields, programs_.size())];
  const std::uint32_t pc = readPc(fields, program);
  InstructionText text;
  text.opcode = fields.text("opcode");
  text.file = fields.textOr("file", "");
  if (fields.has("line")) text.line = fields.number("line");
  if (fields.has("near_line")) text.nearLine = fields.number("near_line");
  if (program.texts.empty()) program.texts.resize(program.instructionCount);
  program.texts[pc] = std::move(text);
}

void TraceTables::readInstruction(const CsvRows& rows, const Grid& running) {
  const NamedFields fields(
      rows, {"program",       "pc",         "class",   "space",       "operation", "bytes",
             "work",          "float_sums", "copies",  "groups_left", "fence",     "polls",
             "suspends",      "arrives",    "streams", "matrices",    "form",      "unread",
             "fixed_address", "reads",      "writes",  "guard"});
  const std::uint32_t number = readProgramNumber(fields, programs_.size());
  Program& program = *programs_[number];
  StaticInstruction instruction;
  instruction.pc = readPc(fields, program);
  if (program.knows(instruction.pc))
    fields.fail("pc", "instruction {} of {} twice; expected one row a PC", instruction.pc,
                program.name);
  instruction.instructionClass = fields.parsed("class", classNamed);
  const bool memory = instruction.instructionClass == InstructionClass::Memory;
  const bool tensor = instruction.instructionClass == InstructionClass::Tensor;
  const auto refuse = [&](std::initializer_list<std::string_view> keys, const char* kind) {
    for (const std::string_view key : keys) {
      if (!fields.has(key)) continue;
      rows.fail(fields.find(key), 0, "'{}' of an instruction that is not class={}", key, kind);
    }
  };
  if (memory) readAccess(fields, instruction);
  if (!memory && !tensor)
    refuse({"space", "operation", "streams", "arrives", "work"}, "memory or class=tensor");
  if (!memory) refuse({"bytes", "polls", "matrices", "form", "unread", "fixed_address"}, "memory");
  tensor ? readTensor(fields, instruction) : refuse({"float_sums"}, "tensor");
  readCopies(fields, instruction);
  if (memory) readUnitWork(fields, instruction);
  instruction.suspends = fields.flag("suspends");
  const bool test = memory && instruction.operation == MemoryOperation::Load;
  const bool waits = test || takesColumns(instruction) ||
                     instruction.instructionClass == InstructionClass::Integer;
  if (instruction.suspends && !waits)
    fields.fail("suspends",
                "'suspends' of an instruction that is neither a load nor class=integer, nor "
                "class=tensor with arrives=1");
  std::uint32_t used = program.registers;
  instruction.readCount = readRegisters(fields, "reads", instruction.reads, used);
  instruction.writeCount = readRegisters(fields, "writes", instruction.writes, used);
  std::array<RegisterId, 1> guard{StaticInstruction::kNoGuard};
  readRegisters(fields, "guard", guard, used);
  instruction.guard = guard[0];
  if (running.ctas != 0 && running.program == number && used > running.registerCount)
    rows.failLine("register {} is out of range; expected less than the grid's scoreboard={}",
                  used - 1, running.registerCount);
  program.registers = used;
  if (program.known.empty()) {
    program.instructions.resize(program.instructionCount);
    program.known.resize(program.instructionCount);
  }
  if (!program.texts.empty()) {
    const std::string& opcode = program.texts[instruction.pc].opcode;
    instruction.arithmetic = arithmeticOf(opcode);
    instruction.passesL1 = ptx::passesL1(opcode);
    instruction.multicasts = ptx::multicasts(opcode);
  }
  program.instructions[instruction.pc] = instruction;
  program.known[instruction.pc] = true;
}

Grid TraceTables::readGrid(const CsvRows& rows) const {
  const NamedFields fields(rows, {"program", "kernel", "ctas", "cluster", "threads", "registers",
                                  "shared", "carveout", "before", "scoreboard"});
  Grid grid;
  grid.program = readProgramNumber(fields, programs_.size());
  const Program& program = *programs_[grid.program];
  grid.kernel = fields.textOr("kernel", program.name);
  grid.ctas = fields.positive<std::uint64_t>("ctas");
  if (fields.has("cluster")) grid.clusterCtas = readCluster(fields, grid.ctas);
  grid.threadsPerCta = fields.positive("threads", kMaxThreads);
  grid.registersPerThread = fields.number("registers", kMaxRegisters);
  grid.sharedBytesPerCta = fields.number("shared");
  if (fields.has("carveout")) grid.carveout = fields.number<std::int32_t>("carveout", 100);
  if (fields.has("before")) grid.instructionsBefore = fields.number("before");
  grid.registerCount = fields.number("scoreboard", kMaxRegisters);
  grid.instructionCount = program.instructionCount;
  if (program.registers > grid.registerCount)
    fields.fail("scoreboard", "too few scoreboard registers; expected at least the {} that {} uses",
                program.registers, program.name);
  return grid;
}

void TraceTables::readMemory(const CsvRows& rows) {
  const NamedFields fields(rows, {"address", "bytes"});
  DeviceBytes range;
  range.address = fields.number<std::uint64_t>("address");
  range.bytes = fields.positive<std::uint64_t>("bytes");
  range.copied = true;
  if (range.bytes - 1 > std::numeric_limits<std::uint64_t>::max() - range.address)
    fields.fail("bytes", "{} bytes from address {}; expected bytes within 64-bit addresses",
                range.bytes, range.address);
  memory_.push_back(range);
}

}  // namespace fermata::traces
