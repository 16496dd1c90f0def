#include <fermata/platforms/program/check/conflict_lines.h>

#include <fermata/models/transaction/warp_access.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fermata::platforms {

namespace {

std::string fromHere(const OpenWorkload& open, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path beside = (fs::path(open.path).parent_path() / file).lexically_normal();
  std::error_code unknown;
  return !file.empty() && fs::exists(beside, unknown) ? beside.string() : file;
}

}  // namespace

unsigned WorstDegree::of(std::uint32_t program, std::uint32_t pc) const {
  const unsigned* const degree = degrees_.of(program, pc);
  return degree == nullptr ? 0 : *degree;
}

void WorstDegree::gridStarted(const Grid& grid, Cycle) {
  degrees_.prepare(grid.program, grid.instructionCount);
}

void WorstDegree::sharedTry(const WarpAccess& access) {
  degrees_.add(access.program, access.instruction.pc,
               [&](unsigned& worst) { worst = std::max<unsigned>(worst, access.degree); });
}

std::string ConflictLine::place() const {
  if (file.empty() || line == 0) return fmt::format("{}:pc {}", kernel, pcs.front());
  return fmt::format("{}{}:{}", about ? "about " : "", file, line);
}

std::vector<ConflictLine> conflictLines(const OpenWorkload& open, const RunOutcome& outcome,
                                        const WorstDegree& degrees) {
  const Workload& workload = *open.workload;
  std::vector<ConflictLine> lines;
  const auto& programs = outcome.profile.entries();
  for (std::uint32_t program = 0; program < programs.size(); ++program) {
    const std::size_t first = lines.size();
    for (std::uint32_t pc = 0; pc < programs[program].size(); ++pc) {
      const PassHistogram& passes = programs[program][pc].passes;
      if (passes.accesses() == 0) continue;
      InstructionText text = workload.instructionText(program, pc);
      text.file = fromHere(open, text.file);
      const bool about = text.line == 0 && text.nearLine != 0;
      const std::uint32_t number = about ? text.nearLine : text.line;
      auto line = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(),
                               [&](const ConflictLine& one) {
                                 return number != 0 && one.line == number && one.about == about &&
                                        one.file == text.file && one.opcode == text.opcode;
                               });
      if (line == lines.end()) {
        ConflictLine added;
        added.workload = open.name;
        added.kernel = workload.kernelName(program);
        added.file = text.file;
        added.line = number;
        added.about = about;
        added.opcode = text.opcode;
        line = lines.insert(lines.end(), std::move(added));
      }
      line->pcs.push_back(pc);
      line->accesses += passes.accesses();
      line->wavefronts += passes.passes();
      line->ideal += passes.passes() - passes.conflictCycles();
      // An ideal machine, or banks of two ports, serve several words of a bank in one pass.
      const unsigned degree = degrees.of(program, pc);
      const bool conflicts = passes.conflictCycles() != 0;
      line->degree = std::max(line->degree, conflicts ? degree : std::min(degree, 1U));
    }
  }
  return lines;
}

}  // namespace fermata::platforms
