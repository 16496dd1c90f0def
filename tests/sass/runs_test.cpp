// Traces of machine code on a platform: counts beside those of a script that was written apart, and
// a kernel of PTX beside a trace of its accesses.
#include <fermata/platforms/program/workloads.h>
#include "tests/sass/sass_texts.h"
#include "tests/support/csv_columns.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(runs)

namespace {

/// The platform offers lanes to the banks as the script does: no two loads pack.
const std::string kPlatform =
    " --platform sm_80 --set crossbar.packing_64= --set crossbar.packing_128= --set core.code=ptx "
    "--csv";

struct Counts {
  std::uint64_t instructions = 0, shared = 0, passes = 0;
  friend std::ostream& operator<<(std::ostream& out, const Counts& one) {
    return out << one.instructions << " instructions, " << one.shared << " accesses, " << one.passes
               << " passes";
  }
  bool operator==(const Counts& other) const {
    return instructions == other.instructions && shared == other.shared && passes == other.passes;
  }
};

Counts countsOfRun(const std::string& workload) {
  const Outcome run =
      runShell("'" FERMATA_PROGRAM "' run " + workload + kPlatform + " 2>/dev/null");
  run.ok();
  const auto number = [&](const char* name) { return std::stoull(column(run.text, name).at(0)); };
  return {number("warp_instructions"), number("shared_accesses"), number("wavefronts")};
}

Counts countsOfScript(const std::string& file) {
  const Outcome script =
      runShell(FERMATA_PYTHON " '" FERMATA_SOURCE_DIR "/tests/sass/count_trace.py' '" + file + "'");
  script.ok();
  Counts counts;
  std::istringstream(script.text) >> counts.instructions >> counts.shared >> counts.passes;
  return counts;
}

/// Returns the opcode of an access to shared memory.
std::string opcodeOf(const StaticInstruction& one, unsigned bytes) {
  const bool loads = one.operation == MemoryOperation::Load;
  if (one.matrices != 0)
    return std::string(loads ? "LDSM.16.M88" : "STSM.16.M88") +
           (one.matrices == 1 ? "" : '.' + std::to_string(unsigned{one.matrices}));
  const std::string width = bytes == 1    ? ".U8"
                            : bytes == 2  ? ".U16"
                            : bytes == 8  ? ".64"
                            : bytes == 16 ? ".128"
                                          : "";
  return (loads ? "LDS" : "STS") + width;
}

std::string hex(std::uint64_t number, int digits = 1) {
  std::ostringstream text;
  text << std::hex << std::setw(digits) << std::setfill('0') << number;
  return text.str();
}

std::string listOf(const WarpInstruction& row) {
  std::string text = "0 ";
  for (LaneMask left = row.active; left != 0; left &= left - 1)
    text += "0x" + hex(row.address[static_cast<unsigned>(__builtin_ctz(left))]) + ' ';
  return text;
}

/// Runs a workload and writes it as the raw trace of a GPU would be.
class TraceWriter {
 public:
  explicit TraceWriter(Workload& workload) : workload_(workload) {}

  std::string write() {
    workload_.setWarpSlots(64);
    const Grid* const grid = workload_.nextGrid();
    Head head;
    head.grid = "(" + std::to_string(grid->ctas) + ",1,1)";
    head.block = "(" + std::to_string(grid->threadsPerCta) + ",1,1)";
    head.shared = std::to_string(grid->sharedBytesPerCta);
    text_ = head.text();
    for (std::uint64_t cta = 0; cta < grid->ctas; ++cta) runCta(*grid, cta);
    return text_;
  }

 private:
  /// Runs each warp to its next barrier in turn.
  void runCta(const Grid& grid, std::uint64_t cta) {
    workload_.startCta(cta, 0);
    for (bool any = true; any;) {
      any = false;
      for (unsigned warp = 0; warp < grid.warpsPerCta(); ++warp) {
        const StaticInstruction* next = workload_.peek(warp);
        any = any || next != nullptr;
        for (bool barrier = false; next != nullptr && !barrier; next = workload_.peek(warp)) {
          barrier = next->instructionClass == InstructionClass::Barrier;
          row(*next, cta, warp);
        }
      }
    }
    workload_.endCta(0);
  }

  void row(const StaticInstruction& next, std::uint64_t cta, unsigned warp) {
    const StaticInstruction one = next;
    workload_.execute(warp, row_);
    const std::string start = std::to_string(cta) + " 0 0 " + std::to_string(warp) + ' ' +
                              hex(one.pc * 16, 4) + ' ' + hex(row_.active, 8) + ' ';
    if (one.instructionClass == InstructionClass::Barrier) {
      text_ += start + "0 BAR.SYNC 0 0 0 \n";
    } else if (one.copyStep == CopyStep::Begin) {
      const unsigned bytes = row_.bytesPerLane;
      const std::string opcode = bytes == 16  ? "LDGSTS.E.128"
                                 : bytes == 8 ? "LDGSTS.E.64"
                                              : "LDGSTS.E";
      const std::string global = listOf(row_);
      const std::uint64_t copy = row_.copy;
      workload_.storeCopy(warp, copy, row_);
      for (const std::string& side : {listOf(row_), global})
        text_ += start + "0 " + opcode + " 2 R2 R4 " + std::to_string(bytes) + ' ' + side + "0 \n";
    } else if (one.copyStep == CopyStep::Commit) {
      text_ += start + "0 LDGDEPBAR 0 0 0 \n";
    } else if (one.groupsLeft != StaticInstruction::kAnyGroups) {
      text_ += start + "0 DEPBAR.LE 0 0 " + std::to_string(unsigned{one.groupsLeft}) + " \n";
    } else if (one.instructionClass == InstructionClass::Memory &&
               row_.space == MemorySpace::Shared && row_.active != 0) {
      text_ +=
          start + "0 " + opcodeOf(one, row_.bytesPerLane) + " 2 R2 R4 4 " + listOf(row_) + "0 \n";
    } else {
      text_ += start + "0 MOV 0 0 0 \n";
    }
  }

  Workload& workload_;
  WarpInstruction row_;
  std::string text_;
};

const std::vector<std::string> kKernels{"transpose tile=32 n=64",
                                        "stride stride=3 blocks=1",
                                        "stride stride=8 blocks=1",
                                        "ldtranspose",
                                        "cpasync",
                                        "matmul n=32"};

}  // namespace

BOOST_DATA_TEST_CASE(a_kernel_of_ptx_and_the_trace_of_its_accesses_take_the_same_passes,
                     bdata::make(kKernels), kernel) {
  const Folder folder;
  std::istringstream words(kernel);
  std::string name, parameters;
  words >> name;
  platforms::WorkloadParameters values;
  for (std::string word; words >> word;) {
    parameters += " --param " + word;
    values.emplace(word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
  }
  const platforms::OpenWorkload open = platforms::openWorkload(name, values);
  folder.write("k.trace", TraceWriter(*open.workload).write());
  const std::string file = (folder.path / "k.trace").string();
  const Counts ofKernel = countsOfRun(name + parameters);
  BOOST_TEST(ofKernel.passes != 0U);
  BOOST_TEST(countsOfRun(file) == ofKernel);
  BOOST_TEST(countsOfScript(file) == ofKernel);
}

BOOST_AUTO_TEST_CASE(random_accesses_are_counted_as_by_the_script) {
  const Folder folder;
  std::mt19937 random(11);
  std::string warps;
  const std::vector<std::pair<std::string, unsigned>> opcodes{
      {"LDS", 4},      {"LDS.U8", 1},         {"STS.U16", 2},       {"LDS.64", 8},
      {"STS.128", 16}, {"LDSM.16.M88.4", 16}, {"LDSM.16.MT88", 16}, {"LDSM.16.M88.2", 16}};
  for (unsigned warp = 0; warp < 2; ++warp) {
    std::string rows;
    for (unsigned k = 0; k < 400; ++k) {
      const auto& [opcode, bytes] = opcodes[random() % opcodes.size()];
      const LaneMask mask = k % 3 == 0 ? kAllLanes : random();
      WarpInstruction row;
      row.active = mask;
      for (std::uint64_t& address : row.address) address = random() % (8192 / bytes) * bytes;
      rows += hex(16 * (k % 100), 4) + ' ' + hex(mask, 8) + " 1 R1 " + opcode + " 1 R2 " +
              std::to_string(bytes) + ' ' + (mask == 0 ? "1 0x0 0 " : listOf(row)) + "\n";
    }
    warps += warpText(warp, rows);
  }
  folder.write("k.traceg", Head{}.text() + blockText("0,0,0", warps));
  const std::string file = (folder.path / "k.traceg").string();
  const Counts counts = countsOfRun(file);
  BOOST_TEST(counts.instructions == 800U);
  BOOST_TEST(counts == countsOfScript(file));
}

// Public samples are not part of the tree: FERMATA_ACCELSIM_SAMPLES names a folder of them.
BOOST_AUTO_TEST_CASE(samples_are_counted_as_by_the_script) {
  const char* const folder = std::getenv("FERMATA_ACCELSIM_SAMPLES");
  std::size_t samples = 0;
  if (folder != nullptr) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string file = entry.path().string();
      if (!entry.is_regular_file() || !sass::isSassName(file) || sass::isListName(file)) continue;
      BOOST_TEST(countsOfRun("'" + file + "'") == countsOfScript(file), file);
      ++samples;
    }
  }
  BOOST_TEST((folder == nullptr || samples != 0));
}

BOOST_AUTO_TEST_CASE(commands_take_traces) {
  const Folder folder;
  std::string rows;
  for (unsigned k = 0; k < 20; ++k) rows += "0010 ffffffff 1 R1 LDS 1 R2 4 1 0x0 128 \n";
  folder.write("kernel-1.traceg", traceOf(rows + "0020 ffffffff 0 EXIT 0 0 \n"));
  folder.write("kernelslist.g", "MemcpyHtoD,0x00007f6233c00000,512\nkernel-1.traceg\n");
  // The header names the machine: sm_80.
  runProgram("run kernelslist.g", folder.path).ok("kernelslist.g");
  runProgram("explain kernel-1.traceg", folder.path).ok("/*0010*/ LDS", "620");
  for (const char* const chip : {"v100", "a100"}) {
    const Outcome run = runProgram(
        std::string("run kernelslist.g --csv --out runs --platform ") + chip + " 2>/dev/null",
        folder.path);
    run.ok();
    BOOST_TEST(column(run.text, "wavefronts").at(0) == "640");
    runProgram("report runs", folder.path).ok("report.html");
    fs::remove_all(folder.path / "runs");
  }
  runProgram("search kernelslist.g --platform sm_80", folder.path).ok("20 shared accesses");
  runProgram("check kernel-1.traceg", folder.path).ends(1, "LDS");
  runProgram("run kernel-1.traceg --param n=3", folder.path)
      .refused("the trace 'kernel-1.traceg' has no such parameter; expected trace_shared");
  runProgram("run kernel-1.traceg --param trace_shared=x", folder.path)
      .refused("--param trace_shared=x; expected a whole number");
  runProgram("run kernel-2.traceg --platform sm_80", folder.path)
      .refused("kernel-2.traceg: cannot be opened");
  runProgram("run kernel-1.traceg --unknown-opcodes=float", folder.path)
      .refused("expected integer");
  runProgram("run kernel-1.traceg --trace-shared 64", folder.path)
      .refused("kernel-1.traceg:22: shared address", "--trace-shared BYTES");
  std::string list = "the program itself prints\nCTA 0,0,0 - warp 7 - LDS - ";
  for (unsigned lane = 0; lane < 32; ++lane) list += "0x" + hex(128 * lane, 16) + ' ';
  folder.write("app.memtrace", list + "\n");
  runProgram("search app.memtrace --platform sm_80", folder.path)
      .ok("1 shared access,", "31 conflicts");
  for (const char* const command : {"run", "explain"})
    runProgram(std::string(command) + " app.memtrace --platform sm_80", folder.path)
        .refused("'app.memtrace' lists accesses alone", "no cycles follow");
  folder.write("sweep.toml",
               "[base]\nworkload = \"kernel-1.traceg\"\nplatform = "
               "\"sm_80\"\n\n[axes]\nscratchpad.latency = [20, 24]\n");
  runProgram("sweep run sweep.toml points", folder.path).ok();
  // Launches recorded once and replayed: the same figures as runs.
  const Outcome apart = runProgram("sweep run sweep.toml apart --execute-all", folder.path);
  apart.ok();
  BOOST_TEST(readFile(folder.path / "points/merged/runs.csv") ==
             readFile(folder.path / "apart/merged/runs.csv"));
  Head bad;
  bad.shared = "99999999";
  folder.write("bad.traceg", traceOf("0000 ffffffff 1 R1 FOO 1 R2 0 \n" + rows, bad));
  const std::string base = "[base]\nworkload = \"bad.traceg\"\nplatform = \"sm_80\"\n";
  folder.write("mended.toml", base +
                                  "param.trace_shared = 4096\nparam.unknown_opcodes = "
                                  "\"integer\"\n\n[axes]\nscratchpad.latency = [20, 24]\n");
  runProgram("sweep run mended.toml mended", folder.path).ok("2 of 2 points done");
  folder.write("list.toml",
               "[base]\nworkload = \"app.memtrace\"\nplatform = \"sm_80\"\n\n[axes]\n"
               "scratchpad.latency = [20, 24]\n");
  runProgram("sweep run list.toml list", folder.path)
      .refused("list.toml:2:12: axis 'workload': 'app.memtrace' lists accesses alone");
  folder.write("wrong.toml", base + "param.n = 4096\n\n[axes]\nscratchpad.latency = [20, 24]\n");
  runProgram("sweep run wrong.toml wrong", folder.path)
      .refused("no workload of the sweep has the parameter 'n'");
}

BOOST_AUTO_TEST_SUITE_END()
