#include <fermata/platforms/program/check/conflict_lines.h>

#include <fermata/models/transaction/warp_access.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace fermata::platforms {

namespace {

/// Names the files of a workload, and reads their lines.
class SourceLines {
 public:
  SourceLines(const OpenWorkload& open, const SourcePaths& paths)
      : folders_(sourceFolders(open)), paths_(paths) {}

  const std::string& path(const std::string& file) { return of(file).path; }
  /// Returns the line, counted from 1, without the blanks around it; empty if it is not there.
  std::string line(const std::string& file, std::uint32_t number) {
    const std::vector<std::string>& lines = of(file).lines;
    if (number == 0 || number > lines.size()) return {};
    const std::string& line = lines[number - 1];
    const std::size_t begin = line.find_first_not_of(" \t\r");
    return begin == std::string::npos
               ? std::string()
               : line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }

 private:
  struct File {
    std::string path;
    std::vector<std::string> lines;
  };

  const File& of(const std::string& file) {
    const auto [at, isNew] = files_.try_emplace(file);
    if (!isNew) return at->second;
    at->second.path = file;
    if (const auto path = paths_.find(file, folders_)) {
      at->second.path = paths_.fromRoot(*path);
      std::ifstream in(*path);
      for (std::string line; std::getline(in, line);) at->second.lines.push_back(line);
    }
    return at->second;
  }

  std::vector<std::filesystem::path> folders_;
  const SourcePaths& paths_;
  std::map<std::string, File> files_;  ///< by the name that the kernel has for it
};

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
                                        const WorstDegree& degrees, const SourcePaths& paths) {
  const Workload& workload = *open.workload;
  SourceLines sources(open, paths);
  std::vector<ConflictLine> lines;
  const auto& programs = outcome.profile.entries();
  for (std::uint32_t program = 0; program < programs.size(); ++program) {
    const std::size_t first = lines.size();
    for (std::uint32_t pc = 0; pc < programs[program].size(); ++pc) {
      const PassHistogram& passes = programs[program][pc].passes;
      if (passes.accesses() == 0) continue;
      const InstructionText text = workload.instructionText(program, pc);
      const std::string& file = sources.path(text.file);
      const bool about = text.line == 0 && text.nearLine != 0;
      const std::uint32_t number = about ? text.nearLine : text.line;
      auto line = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(),
                               [&](const ConflictLine& one) {
                                 return number != 0 && one.line == number && one.about == about &&
                                        one.file == file && one.opcode == text.opcode;
                               });
      if (line == lines.end()) {
        ConflictLine added;
        added.workload = open.name;
        added.kernel = workload.kernelName(program);
        added.file = file;
        added.source = sources.line(text.file, number);
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
