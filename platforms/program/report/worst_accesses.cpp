#include <fermata/platforms/program/report/worst_accesses.h>

#include <fermata/platforms/compose/figure_table.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

namespace fermata::platforms {

namespace {

struct Place {
  std::string kernel;
  std::uint32_t pc = 0;
  std::string file;
  std::optional<std::uint32_t> line;
  std::string opcode;
};

/// A word that a lane asked for.
struct Asked {
  const Place& place;
  const WarpAccess& access;
  std::uint32_t group = 0;
  std::uint32_t lane = 0;
  std::uint32_t part = 0;

  std::uint32_t word() const { return access.word[part][lane]; }
  std::uint32_t bank() const { return access.bank[part][lane]; }
};

const FigureTable<Asked>& askedTable() {
  static const FigureTable<Asked> all = [] {
    FigureTable<Asked> made;
    made.add(Figures<Asked>{
        {"kernel", "", "entry of the program", [](const Asked& a) { return a.place.kernel; }},
        {"pc", "", "index of the instruction in the kernel",
         [](const Asked& a) { return a.place.pc; }},
        {"source_file", "", "source file without its folder; empty when unknown",
         [](const Asked& a) { return a.place.file; }},
        {"line", "", "line in the source file; empty when unknown",
         [](const Asked& a) { return a.place.line; }},
        {"opcode", "", "instruction with its modifiers",
         [](const Asked& a) { return a.place.opcode; }},
        {"degree", "words/bank", "distinct words asked of the fullest bank by one lane group",
         [](const Asked& a) { return a.access.degree; }},
        {"passes", "passes", "passes of the access: cycles that it holds the banks",
         [](const Asked& a) { return a.access.passes; }},
        {"passes_ideal", "passes",
         "ideal passes of the access: cycles that it would hold the banks without a conflict",
         [](const Asked& a) { return a.access.freePasses; }},
        {"banks", "banks", "banks of the scratchpad",
         [](const Asked& a) { return a.access.banks; }},
        {"lane_group", "", "number of the lane's group: lanes that the banks are offered together",
         &Asked::group},
        {"lane", "", "number of the lane in the warp", &Asked::lane},
        {"part", "", "number of the word in the lane's data, for an access wider than a bank",
         &Asked::part},
        {"word", "", "word address, in words of a bank's width", &Asked::word},
        {"bank", "", "bank to which the mapping puts the word", &Asked::bank}});
    return made;
  }();
  return all;
}

}  // namespace

results::Columns WorstAccesses::columns() {
  return askedTable().columns();
}

void WorstAccesses::gridStarted(const Grid& grid, Cycle) {
  worst_.prepare(grid.program, grid.instructionCount);
  programs_ = std::max(programs_, grid.program + 1);
}

void WorstAccesses::join(Probe& one) {
  auto& other = static_cast<WorstAccesses&>(one);
  worst_.add(other.worst_);
  other.reset();
}

void WorstAccesses::sharedTry(const WarpAccess& access) {
  if (access.degree < 2) return;
  worst_.add(access.program, access.instruction.pc, [&](Worst& worst) {
    if (access.degree <= worst.degree) return;
    worst.degree = access.degree;
    worst.access = std::make_shared<const WarpAccess>(access);
    worst.groups = groups_.of(access.instruction, access.issuedInstruction);
  });
}

std::vector<results::Row> WorstAccesses::rows(const Workload& workload) const {
  std::vector<results::Row> rows;
  for (std::uint32_t program = 0; program < programs_; ++program) {
    for (std::uint32_t pc = 0; pc < workload.instructionCount(program); ++pc) {
      const Worst* const worst = worst_.of(program, pc);
      if (worst == nullptr || worst->access == nullptr) continue;
      const WarpAccess& access = *worst->access;
      const InstructionText text = workload.instructionText(program, pc);
      const Place place{workload.kernelName(program), pc,
                        std::filesystem::path(text.file).filename().string(),
                        text.line == 0 ? std::nullopt : std::optional(text.line), text.opcode};
      std::uint32_t group = 0;
      for (const LaneMask lanes : worst->groups) {
        for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
          if (((access.asked & lanes) >> lane & 1U) == 0) continue;
          for (std::uint32_t part = 0; part < access.wordsPerLane; ++part)
            rows.push_back(askedTable().row({place, access, group, lane, part}));
        }
        ++group;
      }
    }
  }
  return rows;
}

}  // namespace fermata::platforms
