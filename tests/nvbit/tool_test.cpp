// The tool for NVBit writes traces that the program reads.
#include <fermata/stimuli/traces/trace_workload.h>
#include "tests/nvbit/fake_nvbit.h"
#include "tests/support/csv_columns.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(tool)

namespace {

constexpr std::uint64_t kShared = 0x7f0000000000, kLocal = 0x7e0000000000;

/// stall 4, no yield, write barrier 2, waits for barrier 0
const std::vector<uint8_t> kCode = [] {
  const std::uint64_t control = 4U | 1U << 4 | 2U << 5 | 7U << 8 | 1U << 11;
  const std::uint64_t high = control << 41;
  std::vector<uint8_t> code(16, 0);
  for (unsigned k = 0; k < 8; ++k) code[8 + k] = static_cast<uint8_t>(high >> (8 * k));
  return code;
}();

enum Number : unsigned {
  Setp,
  Load,
  Copy,
  Commit,
  Wait,
  Bar,
  Shared,
  Matrix,
  Generic,
  Local,
  Exit
};

std::vector<Made> kernel() {
  return {
      {"ISETP.GE.AND",
       "ISETP.GE.AND P0, PT, R0, UR4, PT",
       {predicate(0), predicate(7), reg(0), uniform(4), predicate(7)},
       -1,
       kCode,
       "",
       {}},
      {"LDG.E.64", "LDG.E.64 R2, [R4.64]", {reg(2), address(4, true)}, 0, {}, "", {}},
      {"LDGSTS.E.128",
       "LDGSTS.E.128 [R6], [R8.64]",
       {address(6, false), address(8, true)},
       0,
       {},
       "",
       {}},
      {"LDGDEPBAR", "LDGDEPBAR", {}, -1, {}, "", {}},
      {"DEPBAR.LE", "DEPBAR.LE SB0, 0x1", {number(1)}, -1, {}, "", {}},
      {"BAR.SYNC", "BAR.SYNC 0x3, 0x40", {number(3), number(64)}, -1, {}, "", {}},
      {"LDS", "LDS R10, [R6]", {reg(10), address(6, false)}, -1, {}, "", {}},
      {"LDSM.16.M88.2", "LDSM.16.M88.2 R12, [R6]", {reg(12), address(6, false)}, -1, {}, "", {}},
      {"LD.E", "LD.E R14, [R16.64]", {reg(14), address(16, true)}, -1, {}, "", {}},
      {"STL", "STL [R1], R3", {address(1, false), reg(3)}, -1, {}, "", {}},
      {"EXIT", "EXIT", {}, -1, {}, "", {}}};
}

FermataRow rowOf(std::uint64_t block, std::uint16_t warp, unsigned number,
                 std::uint32_t lanes = ~0U) {
  FermataRow row{};
  row.block = block;
  row.warp = warp;
  row.number = number;
  row.lanes = lanes;
  return row;
}
FermataRow accessOf(std::uint64_t block, std::uint16_t warp, unsigned number, std::uint64_t base,
                    std::uint64_t stride, std::uint32_t lanes = ~0U) {
  FermataRow row = rowOf(block, warp, number, lanes);
  row.lists = 1;
  for (unsigned lane = 0; lane < 32; ++lane) row.addresses[0][lane] = base + lane * stride;
  return row;
}

/// Traces one launch of two blocks of 48 threads. Block 1 has rows first.
std::string traced(const TemporaryFolder& folder) {
  const std::string file = (folder / "trace.csv").string();
  ::setenv("FERMATA_TRACE", file.c_str(), 1);
  setFunctions({kernel(), {{"RET.REL.NODEC", "RET.REL.NODEC R20", {reg(20)}, -1, {}, "", {}}}});
  auto* const function = reinterpret_cast<CUfunction>(std::size_t{1});
  nvbit_at_init();
  nvbit_tool_init(nullptr);
  cuMemcpyHtoD_v2_params copied{4096, nullptr, 512};
  nvbit_at_cuda_event(nullptr, 0, API_CUDA_cuMemcpyHtoD_v2, "", &copied, nullptr);
  cuLaunchKernel_params launch{{2, 1, 1, 48, 1, 1, 3072}, function};
  nvbit_at_cuda_event(nullptr, 0, API_CUDA_cuLaunchKernel, "", &launch, nullptr);
  for (const std::uint64_t block : {1, 0}) {
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) {
      const std::uint32_t lanes = warp == 0 ? ~0U : 0xffff;
      send(rowOf(block, warp, Setp, lanes));
      send(accessOf(block, warp, Load, 8192, 8, lanes & 0xf0f));
      FermataRow copy = accessOf(block, warp, Copy, kShared + 64, 16, lanes & 3);
      copy.lists = 2;
      for (unsigned lane = 0; lane < 32; ++lane) copy.addresses[1][lane] = 65536 + 256 * lane;
      send(copy);
      send(rowOf(block, warp, Commit, lanes));
      send(rowOf(block, warp, Wait, lanes));
      FermataRow barrier = rowOf(block, warp, Bar, lanes);
      barrier.values[0] = 3;
      barrier.values[1] = 64;
      send(barrier);
      send(accessOf(block, warp, Shared, 0, 128, lanes & 0xffff));
      send(accessOf(block, warp, Matrix, 0, 16, lanes));
      FermataRow generic = accessOf(block, warp, Generic, 8192, 4, lanes & 0xf);
      generic.addresses[0][1] = kShared + 8;
      generic.addresses[0][2] = kLocal + 0xfffbd0;
      send(generic);
      send(accessOf(block, warp, Local, 0xfffbd0, 0, lanes));
      send(rowOf(block, warp, 11, lanes));  // of the function that the kernel calls
      send(rowOf(block, warp, Exit, lanes & 0xff));
      if (block == 1) send(rowOf(block, warp, Exit, lanes & ~0xffU));  // others exit without a row
    }
  }
  nvbit_at_cuda_event(nullptr, 1, API_CUDA_cuLaunchKernel, "", &launch, nullptr);
  nvbit_at_term();
  return file;
}

std::vector<RegisterId> readsOf(const StaticInstruction& one) {
  return {one.reads.begin(), one.reads.begin() + one.readCount};
}
std::vector<RegisterId> writesOf(const StaticInstruction& one) {
  return {one.writes.begin(), one.writes.begin() + one.writeCount};
}
using Registers = std::vector<RegisterId>;

}  // namespace

BOOST_AUTO_TEST_CASE(the_trace_has_what_others_lose) {
  const TemporaryFolder folder;
  const auto trace = traces::openTrace(traced(folder));
  trace->setWarpSlots(8);
  const Grid* const grid = trace->nextGrid();
  BOOST_TEST_REQUIRE(grid != nullptr);
  BOOST_TEST(grid->kernel == "kernel(int, float*)");
  BOOST_TEST(grid->ctas == 2U);
  BOOST_TEST(grid->threadsPerCta == 48U);
  BOOST_TEST(grid->registersPerThread == 40U);
  BOOST_TEST(grid->sharedBytesPerCta == 4096U);
  BOOST_TEST(trace->deviceMemory().size() == 1U);
  const InstructionText text = trace->instructionText(0, Setp);
  BOOST_TEST(text.opcode == "ISETP.GE.AND P0, PT, R0, UR4, PT [B0-----:R-:W2:-:S4]");
  BOOST_TEST(text.file == "kernel.cu");
  BOOST_TEST(text.line == 10U);
  trace->startCta(0, 0);
  WarpInstruction row, target;
  const auto next = [&] {
    const StaticInstruction one = *trace->peek(1);
    trace->execute(1, row);
    return one;
  };
  const StaticInstruction setp = next();
  BOOST_TEST(readsOf(setp) == (Registers{0, 256 + 4}), boost::test_tools::per_element());
  BOOST_TEST(writesOf(setp) == (Registers{320}), boost::test_tools::per_element());
  const StaticInstruction load = next();
  BOOST_TEST(readsOf(load) == (Registers{320, 4, 5}), boost::test_tools::per_element());
  BOOST_TEST(writesOf(load) == (Registers{2, 3}), boost::test_tools::per_element());
  BOOST_TEST(row.active == 0xf0fU);
  BOOST_TEST(row.address[11] == 8192U + 88);
  BOOST_TEST((next().copyStep == CopyStep::Begin));
  BOOST_TEST(row.active == 3U);
  BOOST_TEST(row.address[1] == 65536U + 256);
  trace->storeCopy(1, row.copy, target);
  BOOST_TEST((target.space == MemorySpace::Shared));
  BOOST_TEST(target.address[1] == 64U + 16);
  BOOST_TEST((next().copyStep == CopyStep::Commit));
  BOOST_TEST(next().groupsLeft == 1U);
  BOOST_TEST((next().instructionClass == InstructionClass::Barrier));
  BOOST_TEST(row.barrier == 3U);
  BOOST_TEST(row.barrierThreads == 64U);
  BOOST_TEST((next().space == MemorySpace::Shared));
  BOOST_TEST(next().matrices == 2U);
  BOOST_TEST(row.active == 0xffffU);
  BOOST_TEST((next().space == MemorySpace::Generic));
  BOOST_TEST((row.space == MemorySpace::Shared));
  BOOST_TEST(row.address[1] == 8U);
  next();
  BOOST_TEST((row.space == MemorySpace::Local));
  BOOST_TEST(row.active == 4U);
  next();
  BOOST_TEST((row.space == MemorySpace::Global));
  BOOST_TEST(row.active == 9U);
  BOOST_TEST(readsOf(next()) == (Registers{1, 3}), boost::test_tools::per_element());
  BOOST_TEST(row.address[1] == row.address[0] + 4);  // words of the lanes lie side by side
  BOOST_TEST((next().instructionClass == InstructionClass::Branch));
  BOOST_TEST((next().instructionClass == InstructionClass::Exit));
}

BOOST_AUTO_TEST_CASE(instructions_call_the_function_of_their_addresses) {
  const TemporaryFolder folder;
  traced(folder);
  BOOST_TEST(instructionOf(0, Setp).call == "fermata_row");
  BOOST_TEST(instructionOf(0, Load).call == "fermata_access");
  BOOST_TEST(instructionOf(0, Copy).call == "fermata_copy");
  BOOST_TEST(instructionOf(0, Copy).arguments.size() == 5U);
  BOOST_TEST(instructionOf(0, Copy).arguments[1] == 2U);     // its number
  BOOST_TEST(instructionOf(0, Copy).arguments[3] == 2000U);  // the shared side first
  BOOST_TEST(instructionOf(0, Bar).arguments[3] == 3U);
  BOOST_TEST(instructionOf(0, Bar).arguments[4] == 64U);
  BOOST_TEST(instructionOf(1, 0).arguments[1] == 11U);
}

BOOST_AUTO_TEST_CASE(the_program_runs_it) {
  const TemporaryFolder folder;
  traced(folder);
  const Outcome run = runProgram(
      "run trace.csv --platform sm_80 --set core.code=ptx --csv 2>/dev/null", folder.path());
  run.ok();
  const auto number = [&](const char* name) { return std::stoull(column(run.text, name).at(0)); };
  // 4 warps. Each: 12 instructions, one of them in three rows, and for block 1 an exit more.
  BOOST_TEST(number("warp_instructions") == 4U * 14 + 2);
  // LDS: 16 lanes that ask one bank. LDSM of 2 matrices: 1 pass each. Copy, LD: 1 pass.
  BOOST_TEST(number("shared_accesses") == 4U * 4);
  BOOST_TEST(number("wavefronts") == 4U * (16 + 2 + 1 + 1));
  runProgram("explain trace.csv --platform sm_80", folder.path())
      .ok("LDS R10, [R6]", "kernel.cu:16");
}

BOOST_AUTO_TEST_SUITE_END()
