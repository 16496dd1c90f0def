// Bounds of runs, in bound.csv and in the line that `run` prints.
#include <fermata/platforms/program/bound/operand_sources.h>

#include "tests/energy/result_files.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

std::uint64_t count(const ResultTable& table, const char* column) {
  const std::string cell = table.cell(0, column);
  return cell.empty() ? 0 : std::stoull(cell);
}

struct Runs : Folder {
  std::string run(const std::string& what) const {
    return runProgram("run " + what + " --out out", path).ok().text;
  }
  ResultTable table(const char* file) const { return ResultTable(path / "out" / file); }
};

// Flat memory and caches, one SM and a chip, passes in a row and at a distance, replays, half warps
// and wavefronts, in-order pipelines; loads, stores, atomics, copies and wide accesses.
/// A run with conflicts, and the issue slots of its platform per cycle.
struct Conflicting {
  const char* run;
  unsigned slots;
};
constexpr Conflicting kConflicting[] = {
    {"gtx480 transpose --param tile=32", 2},
    {"gtx480 conv2 --param width=64 --param height=64", 2},
    {"gtx480 cpasync", 2},
    {"gtx480 matrixscan", 2},
    {"gtx480 reduction", 2},
    {"gtx480-caches nw --param n=64", 2},
    {"gtx280 transpose --param n=64", 1},
    {"k20 fft1", 4},
    {"k20 dct1", 4},
    {"fermi-ami nw --param n=64", 2},
    {"fermi-ami genindex", 2},
    {"fermi-chip transpose --param n=64", 32},
    {"gtx580-replays conv1", 2},
    {"elastic-gt200 dct1", 1},
    {"elastic-gt200 genindex", 1},
    {"hawaii transpose --param n=64", 4},
    {"mi300 matrixscan", 4},
    {"sm_70 matrixscan", 4},
    {"sm_90 attention", 4},
    {"sm_90 hgemm", 4},
    {"sm_90 mri1", 4},
    {"sm_90 histogram --param bins=64 --param width=64 --param height=64", 4},
};

struct Instruction {
  InstructionClass kind;
  MemorySpace space;
  RegisterId write;
  RegisterId read;
};

StaticInstruction made(std::uint32_t pc, const Instruction& one) {
  StaticInstruction instruction;
  instruction.pc = pc;
  instruction.instructionClass = one.kind;
  instruction.space = one.space;
  instruction.writeCount = 1;
  instruction.writes[0] = one.write;
  instruction.readCount = 1;
  instruction.reads[0] = one.read;
  return instruction;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bound, Runs)

// Curing all conflicts cannot give more than the line says: the ideal machine is the proof.
BOOST_AUTO_TEST_CASE(no_run_without_conflicts_is_faster_than_said) {
  for (const Conflicting& one : kConflicting) {
    BOOST_TEST_CONTEXT(one.run) {
      run(one.run);
      const ResultTable bound = table("bound.csv");
      const std::uint64_t least = count(bound, "cycles_least");
      const std::uint64_t cycles = count(table("runs.csv"), "cycles");
      BOOST_TEST(count(table("runs.csv"), "wavefronts_excessive") > 0U);
      BOOST_TEST(least <= cycles);
      BOOST_TEST(std::stod(bound.cell(0, "speedup_most")) ==
                     static_cast<double>(cycles) / static_cast<double>(least),
                 tt::tolerance(1e-9));
      run(std::string(one.run) + " --set scratchpad.conflict_policy=ideal");
      BOOST_TEST(count(table("runs.csv"), "cycles") >= least);
    }
  }
}

// Instructions and passes alone would allow 5.2, 3.1, 4.4, 7.4, 7.5, 10, 60 and 746 times as fast.
BOOST_AUTO_TEST_CASE(the_bound_is_near_what_a_cure_gives) {
  const std::pair<const char*, double> most[] = {
      {"transpose --platform gtx480 --param tile=32", 3.73},
      {"cpasync --platform gtx480", 1.98},
      {"matrixscan --platform gtx480", 2.22},
      {"lud2 --platform sm_80", 3.85},
      {"matrixscan --platform sm_70", 2.9},
      {"nw --platform gtx480-caches --param n=64", 1.2},
      {"lud2 --platform fermi-chip", 4.40},
      {"cpasync --platform a100", 3.88},
  };
  for (const auto& [what, speedup] : most) {
    BOOST_TEST_CONTEXT(what) {
      run(what);
      BOOST_TEST(std::stod(table("bound.csv").cell(0, "speedup_most")) < speedup);
    }
  }
}

// Conflicts cost a loop of atomics instructions: nothing but the instructions bounds it.
BOOST_AUTO_TEST_CASE(loops_of_atomics_have_the_bound_of_their_instructions) {
  run("atomicbench --platform gtx580-replays");
  const std::uint64_t least = count(table("bound.csv"), "cycles_least");
  run("atomicbench --platform gtx580-replays --set scratchpad.conflict_policy=ideal");
  BOOST_TEST(count(table("runs.csv"), "cycles") >= least);
}

// Each slot of each cycle is taken or lost once, by the model's own count.
BOOST_AUTO_TEST_CASE(slots_are_those_of_all_cycles) {
  for (const Conflicting& one : kConflicting) {
    BOOST_TEST_CONTEXT(one.run) {
      run(one.run);
      const ResultTable runs = table("runs.csv");
      const ResultTable bound = table("bound.csv");
      std::uint64_t slots = 0;
      for (const std::string& column : bound.names()) {
        if (column.rfind("slots_", 0) == 0) slots += count(bound, column.c_str());
      }
      BOOST_TEST(slots == one.slots * count(runs, "cycles"));
      BOOST_TEST(count(bound, "slots_barriers") == count(runs, "stall_barrier"));
      BOOST_TEST(count(bound, "slots_no_warp") == count(runs, "stall_idle"));
      BOOST_TEST(count(bound, "slots_issue") >= count(runs, "warp_instructions"));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_line_names_what_takes_most_slots) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"gtx480 pattern-conflict --param degree=16", "bound by the scratchpad ("},
      {"gtx480 scan", "bound by issue ("},
      {"gtx480 sgemm", "bound by global memory ("},
      {"gtx480 genindex", " warps resident; limited by CTAs)"},
      {"gtx480 sgemm", "limited by registers, an estimate); no conflicts\n"},
      {"gtx480 transpose --param tile=32",
       "; without conflicts (64% of cycles) at most 3.72 times as fast\n"},
  };
  for (const auto& [what, line] : lines) BOOST_TEST(has(run(what), line), what << ": " << line);
  BOOST_TEST(run("gtx480 stride --quiet") == "");
}

// The operand of an instruction comes from the nearest writer before it, in a loop from behind it.
BOOST_AUTO_TEST_CASE(operands_come_from_their_nearest_writer) {
  constexpr auto kMemory = InstructionClass::Memory;
  constexpr auto kInteger = InstructionClass::Integer;
  constexpr auto kNone = MemorySpace::None;
  const std::vector<std::pair<Instruction, OperandSource>> program{
      {{kMemory, MemorySpace::Global, 1, 9}, OperandSource::Scratchpad},  // from behind
      {{kInteger, kNone, 2, 1}, OperandSource::Global},
      {{kMemory, MemorySpace::Shared, 1, 2}, OperandSource::Arithmetic},
      {{kInteger, kNone, 3, 1}, OperandSource::Scratchpad},
      {{kMemory, MemorySpace::Parameter, 1, 0}, OperandSource::Arithmetic},
      {{kInteger, kNone, 4, 1}, OperandSource::Arithmetic},
      {{kMemory, MemorySpace::Texture, 9, 4}, OperandSource::Arithmetic},
      {{kMemory, MemorySpace::Shared, 9, 9}, OperandSource::Global},
  };
  Grid grid;
  grid.instructionCount = static_cast<std::uint32_t>(program.size()) + 1;  // one never issues
  OperandSources sources;
  sources.gridStarted(grid, 0);
  for (std::uint32_t pc = 0; pc < program.size(); ++pc) {
    const StaticInstruction one = made(pc, program[pc].first);
    IssueEvent event{0, 0, grid, one};
    sources.issued(event);
  }
  std::uint32_t visited = 0;
  sources.forEach(0, [&](std::uint32_t pc, const StaticInstruction&, OperandSource source) {
    BOOST_TEST(static_cast<int>(source) == static_cast<int>(program.at(pc).second), "pc " << pc);
    ++visited;
  });
  BOOST_TEST(visited == program.size());
  sources.forEach(1, [](auto...) { BOOST_TEST(false, "a program that never ran"); });
}

BOOST_AUTO_TEST_SUITE_END()
