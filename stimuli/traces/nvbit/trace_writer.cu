#include "trace_writer.cuh"

#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace fermata::nvbit {

namespace {

constexpr std::uint64_t kWindow = 1 << 24;  // bytes of a window of generic addresses
constexpr unsigned kMostReads = 12, kMostWrites = 4;

bool has(const std::string& opcode, const std::string& modifier) {
  return (opcode + '.').find('.' + modifier + '.') != std::string::npos;
}
bool begins(const std::string& text, const char* start) {
  return text.rfind(start, 0) == 0;
}

/// Bytes of a lane's access: LDS.U8 1, LDG.E.64 8, RED.E.ADD.F16x2 4, without a number 4.
unsigned widthOf(const std::string& opcode) {
  for (const unsigned bits : {8U, 16U, 64U, 128U}) {
    for (const char* type : {"", "U", "S", "F", "B"}) {
      if (has(opcode, type + std::to_string(bits))) return bits / 8;
    }
  }
  return 4;
}

const char* formOf(const std::string& opcode, unsigned bytes) {
  if (has(opcode, "CAS") || has(opcode, "CAST")) return "swap";
  if (has(opcode, "POPC") || has(opcode, "ARRIVE")) return "count";
  if (has(opcode, "EXCH")) return "plain";
  if (has(opcode, "F16x2") || has(opcode, "BF16_V2")) return "half";
  if (has(opcode, "F32")) return "float";
  return has(opcode, "F64") ? "double" : bytes == 8 ? "wide" : "plain";
}

/// Work of a tensor instruction; 8: a product of 16x16 by 16x8 halves.
unsigned workOf(const std::string& opcode) {
  unsigned m = 16, n = 8, k = 16;
  const std::size_t dot = opcode.find_first_of("0123456789");
  if (dot == std::string::npos || std::sscanf(opcode.c_str() + dot, "%ux%ux%u", &m, &n, &k) != 3) {
    m = begins(opcode, "HMMA.8") || has(opcode, "8816") || has(opcode, "8832") ? 8 : 16;
    for (const unsigned depth : {256U, 128U, 64U, 32U, 16U, 8U, 4U}) {
      if (has(opcode, (m == 8 ? "88" : "168") + std::to_string(depth))) k = depth;
    }
  }
  const unsigned bits = opcode[0] == 'D'      ? 64
                        : has(opcode, "TF32") ? 32
                        : opcode[0] == 'H'    ? 16
                                              : 8;
  return std::max(1U, std::min(65535U, m * n * k * bits / 4096));
}

/// Number of operands that are results: predicates, a register, predicates.
std::size_t resultsOf(const Instruction& one, const std::string& kind, const std::string& role) {
  static const std::set<std::string> kNone{"branch", "barrier", "exit"};
  if (kNone.count(kind) != 0 || begins(role, "store") || role == "commit" ||
      begins(one.opcode, "WARPSYNC") || begins(one.opcode, "NANOSLEEP"))
    return 0;
  const bool setsPredicates = one.opcode.find("SETP") != std::string::npos ||
                              one.opcode.find("PLOP3") != std::string::npos ||
                              begins(one.opcode, "FCHK") || begins(one.opcode, "R2P");
  const unsigned most = begins(one.opcode, "P2R") ? 0 : begins(one.opcode, "VOTE") ? 1 : 2;
  std::size_t at = 0;
  const auto skip = [&](Operand::Kind of, unsigned count) {
    for (; count != 0 && at < one.operands.size() && one.operands[at].kind == of; --count) ++at;
  };
  skip(Operand::Kind::Predicate, most);
  if (setsPredicates) return at;
  skip(Operand::Kind::Register, 1);
  skip(Operand::Kind::Predicate, most);
  return at;
}

/// Appends `count` registers from the first that the operand names.
void expand(std::vector<unsigned>& to, const Operand& operand, unsigned count) {
  if (operand.kind != Operand::Kind::Register) count = 1;
  for (const unsigned first : operand.registers) {
    for (unsigned k = 0; k < count && (first >= kUniform || first + k < 255); ++k)
      to.push_back(first + k);
  }
}

std::string listOf(const char* name, const std::vector<unsigned>& registers, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, registers.size()); ++k)
    text += (k == 0 ? std::string(",") + name + '=' : ";") + std::to_string(registers[k]);
  return text;
}

/// Writes "base+stride" if the lanes' addresses lie on a line, otherwise each address.
void putLanes(std::FILE* to, const std::uint64_t (&all)[32], std::uint32_t lanes) {
  const int first = __builtin_ctz(lanes);
  const std::uint32_t rest = lanes & (lanes - 1);
  const int gap = rest == 0 ? 1 : __builtin_ctz(rest) - first;
  const std::int64_t stride =
      rest == 0 ? 0 : static_cast<std::int64_t>(all[first + gap] - all[first]) / gap;
  bool line = rest != 0 && stride > -(1LL << 31) && stride < 1LL << 31;
  for (int lane = first; lane < 32; ++lane) {
    const std::uint64_t expected = all[first] + static_cast<std::uint64_t>(stride * (lane - first));
    if ((lanes >> lane & 1) != 0) line = line && all[lane] == expected;
  }
  std::fprintf(to, "%" PRIu64, all[first]);
  if (line) std::fprintf(to, "%+" PRId64, stride);
  for (int lane = first + 1; lane < 32 && !line; ++lane) {
    if ((lanes >> lane & 1) != 0) std::fprintf(to, ";%" PRIu64, all[lane]);
  }
}

std::string quoted(const std::string& name, const std::string& value) {
  std::string text = ",\"" + name + '=';
  for (const char c : value) {
    if (c == '"') text += '"';
    text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return text + '"';
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path, const std::string& opcodes)
    : file_(std::fopen(path.c_str(), "w")) {
  std::ifstream table(opcodes);
  // A row: ["IMAD.WIDE", "multiply", "", "", 2, "1 1 2", ...
  for (std::string line; std::getline(table, line);) {
    if (line.find("  [\"") != 0) continue;
    std::vector<std::string> parts;
    std::istringstream in(line);
    for (std::string part; std::getline(in, part, '"');) parts.push_back(part);
    if (parts.size() < 10) continue;
    Opcode entry{parts[3], parts[5], parts[7], 1, {}};
    std::sscanf(parts[8].c_str(), ", %u", &entry.writes);
    std::istringstream reads(parts[9]);
    for (unsigned count = 0; reads >> count;) entry.reads.push_back(count);
    opcodes_[parts[1]] = entry;
  }
  if (file_ == nullptr || opcodes_.empty())
    std::fprintf(stderr, "fermata: cannot open %s; expected a file to write and a table\n",
                 (file_ == nullptr ? path : opcodes).c_str());
  if (file_ == nullptr) file_ = std::fopen("/dev/null", "w");
  std::fputs("fermata-trace,1\ncta,warp,pc,lanes,operand,space,bytes\n", file_);
}

TraceWriter::~TraceWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

const TraceWriter::Opcode& TraceWriter::find(const std::string& opcode) {
  for (std::string name = opcode;; name.resize(name.rfind('.'))) {
    const auto found = opcodes_.find(name);
    if (found != opcodes_.end()) return found->second;
    if (name.find('.') == std::string::npos) break;
  }
  std::fprintf(stderr, "fermata: unknown opcode %s counts as integer\n", opcode.c_str());
  return opcodes_[opcode] = {"integer", "", "", 1, {}};
}

TraceWriter::Known TraceWriter::describe(const Instruction& one, unsigned architecture) {
  const Opcode& entry = find(one.opcode);
  Known known{entry.kind, entry.role, entry.space, 0, 0, has(one.opcode, "ARV"), ""};
  std::vector<std::int64_t> numbers;
  bool addressed = false;
  for (const Operand& operand : one.operands) {
    if (operand.kind == Operand::Kind::Number) numbers.push_back(operand.value);
    addressed = addressed || operand.kind == Operand::Kind::Address;
  }
  if (known.kind == "memory" && !addressed) known.kind = "integer", known.role = "";
  const bool memory = known.kind == "memory";
  unsigned data = 1;
  std::string more;
  if (memory) {
    const bool arrival = known.role == "copy_arrival";
    const bool mbarrier = known.role == "mbarrier";
    if (known.role.find("matrices") != std::string::npos)
      known.matrices = has(one.opcode, "4") ? 4 : has(one.opcode, "2") ? 2 : 1;
    known.bytes = known.matrices != 0 ? 16 : arrival || mbarrier ? 8 : widthOf(one.opcode);
    data = known.matrices != 0 ? known.matrices : (known.bytes + 3) / 4;
    const bool counts = mbarrier && has(one.opcode, "ARRIVE");
    const bool atomic = known.role == "atomic" || counts;
    const bool polls = mbarrier && has(one.opcode, "PHASECHK");
    const bool stores = begins(known.role, "store") || (mbarrier && !counts && !polls);
    if (arrival) known.space = "global";
    more = ",space=" + known.space + ",operation=" +
           (atomic   ? "atomic"
            : stores ? "store"
                     : "load") +
           ",bytes=" + std::to_string(known.bytes);
    if (polls) more += ",polls=1";
    if (known.matrices != 0) more += ",matrices=" + std::to_string(known.matrices);
    if (atomic) more += std::string(",form=") + formOf(one.opcode, known.bytes);
    if (known.role == "copy") more += ",copies=begin";
    if (arrival) more += ",copies=arrive";
  } else if (known.kind == "tensor") {
    more = ",work=" + std::to_string(workOf(one.opcode));
    if (has(one.opcode, "F32")) more += ",float_sums=1";
  } else if (known.kind == "integer") {
    if (known.role == "commit") more = ",copies=commit";
    if (known.role == "fence") more = ",fence=1";
    if (known.role == "wait_groups" && architecture >= 80)
      more = ",groups_left=" +
             std::to_string(numbers.empty() ? 0
                                            : std::min<std::int64_t>(
                                                  254, std::max<std::int64_t>(0, numbers.back())));
  }
  std::vector<unsigned> reads = one.guard, writes;
  const std::size_t results = resultsOf(one, known.kind, known.role);
  std::size_t source = 0;
  for (std::size_t k = 0; k < one.operands.size(); ++k) {
    const Operand& operand = one.operands[k];
    if (k < results) {
      expand(writes, operand, memory ? data : entry.writes);
    } else {
      const bool listed = operand.kind == Operand::Kind::Register && source < entry.reads.size();
      expand(reads, operand, memory ? data : listed ? entry.reads[source] : 1);
      if (operand.kind == Operand::Kind::Register) ++source;
    }
  }
  known.columns = "class=" + known.kind + more + listOf("reads", reads, kMostReads) +
                  listOf("writes", writes, kMostWrites);
  return known;
}

unsigned TraceWriter::addFunction(std::vector<Instruction> instructions) {
  const unsigned first = instructions_;
  instructions_ += static_cast<unsigned>(instructions.size());
  functions_[first] = std::move(instructions);
  return first;
}

void TraceWriter::copied(std::uint64_t address, std::uint64_t bytes) {
  if (bytes != 0)
    std::fprintf(file_, "memory,address=%" PRIu64 ",bytes=%" PRIu64 "\n", address, bytes);
}

// Finds the place of each function in the program, and writes a program that is new.
void TraceWriter::useProgram() {
  unsigned count = 0;
  places_.clear();
  for (const unsigned first : launch_.functions) {
    places_[first] = count;
    count += static_cast<unsigned>(functions_[first].size());
  }
  const auto number = static_cast<unsigned>(programs_.size());
  if (!programs_.emplace(launch_.functions, number).second) return;
  std::fprintf(file_, "program,index=%u%s,instructions=%u\n", number,
               quoted("name", launch_.kernel).c_str(), count);
  for (const auto& [first, place] : places_) {
    for (unsigned k = 0; k < functions_[first].size(); ++k) {
      const Instruction& one = functions_[first][k];
      std::fprintf(file_, "text,program=%u,pc=%u%s", number, place + k,
                   quoted("opcode", one.text).c_str());
      if (!one.file.empty())
        std::fprintf(file_, "%s,line=%u", quoted("file", one.file).c_str(), one.line);
      const Known& known = known_[first + k] = describe(one, launch_.architecture);
      std::fprintf(file_, "\ninstruction,program=%u,pc=%u,%s\n", number, place + k,
                   known.columns.c_str());
    }
  }
}

void TraceWriter::begin(const Launch& launch) {
  launch_ = launch;
  useProgram();
  // From sm_90 on a CTA's own data begin behind 1024 bytes of the system.
  const unsigned shared = launch.shared + (launch.architecture >= 90 ? 1024 : 0);
  std::fprintf(
      file_, "grid,program=%u%s,ctas=%" PRIu64 ",threads=%u,registers=%u,shared=%u,scoreboard=%u\n",
      programs_[launch.functions], quoted("kernel", launch.kernel).c_str(), launch.blocks,
      launch.threads, launch.registers, shared, kScoreboard);
  started_ = 0;
}

// CTAs are numbered by their first rows.
TraceWriter::Block& TraceWriter::start(std::uint64_t block) {
  const auto [at, isNew] = blocks_.try_emplace(block);
  if (!isNew) return at->second;
  at->second.number = started_++;
  std::fprintf(file_, "start,%" PRIu64 "\n", at->second.number);
  for (unsigned first = 0; first < launch_.threads; first += 32)
    at->second.running.push_back(
        launch_.threads - first >= 32 ? ~0U : (1U << (launch_.threads - first)) - 1);
  return at->second;
}

void TraceWriter::add(const FermataRow& row) {
  Block& block = start(row.block);
  if (row.warp >= block.running.size() || known_.count(row.number) == 0) return;
  const Known& known = known_[row.number];
  std::uint32_t lanes = row.lanes;
  if (known.matrices == 1 || known.matrices == 2) lanes &= (1U << 8 * known.matrices) - 1;
  if (known.space != "generic" || known.kind != "memory") {
    writeRow(block, row, known, lanes, "");
  } else {
    std::uint32_t shared = 0, local = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint64_t address = row.addresses[0][lane];
      if (address - launch_.sharedBase < kWindow) shared |= 1U << lane;
      if (address - launch_.localBase < kWindow) local |= 1U << lane;
    }
    const std::uint32_t global = lanes & ~shared & ~local;
    if ((lanes & shared) != 0) writeRow(block, row, known, lanes & shared, "shared");
    if ((lanes & local) != 0) writeRow(block, row, known, lanes & local, "local");
    if (global != 0 || lanes == 0) writeRow(block, row, known, global, "global");
  }
  if (known.kind != "exit" || block.running[row.warp] == 0) return;
  block.running[row.warp] &= ~row.lanes;
  if (block.running[row.warp] == 0)
    std::fprintf(file_, "exit,%" PRIu64 ",%u\n", block.number, unsigned{row.warp});
}

void TraceWriter::writeRow(const Block& block, const FermataRow& row, const Known& known,
                           std::uint32_t lanes, const char* space) {
  const auto function = std::prev(places_.upper_bound(row.number));
  const bool arrival = known.role == "copy_arrival";  // reads nothing, stores when copies have come
  std::fprintf(file_, "%" PRIu64 ",%u,%u,%x,", block.number, unsigned{row.warp},
               function->second + row.number - function->first, arrival ? 0 : lanes);
  if (known.kind == "barrier") {
    const unsigned threads = row.values[1] % 32 == 0 ? row.values[1] : 0;
    std::fprintf(file_, "%u/%u%s", row.values[0] % 16, threads,
                 known.arrives && threads != 0 ? "/arrive" : "");
  } else if (known.kind == "memory" && lanes != 0) {
    if (known.role == "copy" && row.lists == 2) {
      putAddresses(row, 1, lanes, "global", known.bytes, block);
      std::fputc('>', file_);
      putAddresses(row, 0, lanes, "shared", known.bytes, block);
    } else if (arrival) {
      std::fprintf(file_, ">%x:", lanes);
      putAddresses(row, 0, lanes, "shared", known.bytes, block);
    } else {
      putAddresses(row, 0, lanes, *space != '\0' ? space : known.space, known.bytes, block);
    }
  }
  std::fprintf(file_, ",%s\n", space);
  ++rows_;
}

void TraceWriter::putAddresses(const FermataRow& row, unsigned list, std::uint32_t lanes,
                               const std::string& space, unsigned bytes, const Block& block) {
  const std::uint64_t warp = block.number * block.running.size() + row.warp;
  std::uint64_t all[32] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    std::uint64_t address = row.addresses[list][lane] & ~(std::uint64_t{bytes} - 1);
    if (space == "shared") {
      const std::uint64_t offset = address - launch_.sharedBase;
      address = (offset < kWindow ? offset : address) % kWindow;
    }
    // The words of the lanes lie side by side, each warp's apart, above all device memory.
    if (space == "local")
      address = (std::uint64_t{1} << 56) + (warp << 29) + address % kWindow / 4 * 128 + lane * 4 +
                address % 4;
    all[lane] = address;
  }
  putLanes(file_, all, lanes);
}

void TraceWriter::end() {
  while (started_ < launch_.blocks) {  // CTAs that executed nothing
    std::uint64_t block = started_;
    while (blocks_.count(block) != 0) block = (block + 1) % launch_.blocks;
    start(block);
  }
  for (const auto& [number, block] : blocks_) {
    for (unsigned warp = 0; warp < block.running.size(); ++warp) {
      if (block.running[warp] != 0)
        std::fprintf(file_, "exit,%" PRIu64 ",%u\n", block.number, warp);
    }
  }
  blocks_.clear();
}

bool TraceWriter::finish() {
  std::fprintf(file_, "end,%" PRIu64 "\n", rows_);
  const bool failed = std::ferror(file_) != 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  return closed && !failed;
}

}  // namespace fermata::nvbit
