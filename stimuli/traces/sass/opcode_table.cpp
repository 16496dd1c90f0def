#include <fermata/stimuli/traces/sass/opcode_table.h>

#include <algorithm>
#include <sstream>

#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_table.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::sass {

namespace {

constexpr std::array<std::string_view, 14> kRoles{"",
                                                  "load",
                                                  "store",
                                                  "atomic",
                                                  "load_matrices",
                                                  "store_matrices",
                                                  "copy",
                                                  "copy_arrival",
                                                  "commit",
                                                  "wait_groups",
                                                  "mbarrier",
                                                  "fence",
                                                  "no_addresses",
                                                  "shared_factors"};

/// Returns parse(text) with a FormatError turned into an error at `where`.
template <class Parse>
auto valueAt(const SourceLocation& where, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const traces::FormatError& wrong) {
    throw InputError(where, wrong.what);
  }
}

Role roleNamed(std::string_view text) {
  const auto found = std::find(kRoles.begin(), kRoles.end(), text);
  if (found != kRoles.end()) return static_cast<Role>(found - kRoles.begin());
  throw traces::FormatError{
      0, "unknown role '" + std::string(text) + "'; expected one that the head of the file lists"};
}

std::array<std::uint8_t, 4> readsOf(const SourceLocation& where, const std::string& text) {
  std::array<std::uint8_t, 4> reads{1, 1, 1, 1};
  std::istringstream in(text);
  std::size_t count = 0;
  for (unsigned one = 0; in >> one; ++count) {
    if (count == reads.size() || one == 0 || one > 4)
      refuse(where, "reads = \"{}\"; expected up to 4 numbers from 1 to 4", text);
    reads[count] = static_cast<std::uint8_t>(one);
  }
  if (!in.eof()) refuse(where, "reads = \"{}\"; expected up to 4 numbers from 1 to 4", text);
  return reads;
}

Opcode opcodeOf(TomlTable& row) {
  Opcode opcode;
  opcode.instructionClass = valueAt(row.where(), row.text("class"), traces::classNamed);
  opcode.role = valueAt(row.where(), row.text("role", ""), roleNamed);
  const std::string space = row.text("space", "");
  if (!space.empty()) opcode.space = valueAt(row.where(), space, traces::spaceNamed);
  const std::int64_t writes = row.constant("writes", 1);
  if (writes < 0 || writes > StaticInstruction::kMaxWrites)
    refuse(row.where(), "writes = {}; expected 0 to {}", writes, StaticInstruction::kMaxWrites);
  opcode.writes = static_cast<std::uint8_t>(writes);
  opcode.reads = readsOf(row.where(), row.text("reads", ""));
  const std::string basis = row.text("basis");
  if (basis != "fact" && basis != "inference")
    refuse(row.where(), "basis = \"{}\"; expected \"fact\" or \"inference\"", basis);
  row.text("architectures");
  row.text("note", "");
  row.refuseOtherKeys();
  if ((opcode.instructionClass == InstructionClass::Memory) != (opcode.space != MemorySpace::None))
    refuse(row.where(), "a class without its space; expected a space for class = \"memory\" alone");
  return opcode;
}

}  // namespace

OpcodeTable::OpcodeTable(const std::string& file) {
  const std::string text = readTextFile(file, "cannot read it; expected the table of opcodes");
  traces::ContentHasher hasher;
  hasher.add(text.data(), text.size());
  hash_ = hasher.hash();
  const toml::table parsed = parseToml(text, file, "a table of opcodes in TOML");
  TomlTable table(parsed, file, "a table of opcodes");
  for (TomlTable& row : table.tablesOrRows("opcode", "an opcode")) {
    const std::string name = row.text("opcode");
    if (!opcodes_.emplace(name, opcodeOf(row)).second)
      refuse(row.where(), "'{}' stands twice; expected each opcode once", name);
  }
  table.refuseOtherKeys();
}

const Opcode* OpcodeTable::find(std::string_view opcode) const {
  for (;;) {
    const auto found = opcodes_.find(opcode);
    if (found != opcodes_.end()) return &found->second;
    const std::size_t dot = opcode.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    opcode = opcode.substr(0, dot);
  }
}

std::uint8_t widthOf(std::string_view opcode) {
  std::size_t at = opcode.find('.');
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(opcode.find('.', at + 1), opcode.size());
    std::string_view token = opcode.substr(at + 1, end - at - 1);
    if (token == "F16x2") return 4;
    constexpr std::string_view kLetters = "USFB";
    if (token.size() > 1 && kLetters.find(token[0]) != std::string_view::npos)
      token.remove_prefix(1);
    if (token == "8") return 1;
    if (token == "16") return 2;
    if (token == "32") return 4;
    if (token == "64") return 8;
    if (token == "128") return 16;
    at = end == opcode.size() ? std::string_view::npos : end;
  }
  return 4;
}

}  // namespace fermata::sass
