#include <fermata/platforms/program/search/hit_collection.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>

#include <fermata/platforms/compose/simulation.h>

namespace fermata::platforms {

namespace {

/// Writes a line per instruction, "i kernel pc opcode file line nearLine" with tabs between, and
/// one per distinct access, "a count instruction bytes active words", with a word per active lane.
class HitCollector final : public Probe {
 public:
  explicit HitCollector(Workload& workload) : workload_(workload) {}

  unsigned events() const override { return Grids | Caches; }
  void gridStarted(const Grid& grid, Cycle) override {
    if (programs_.size() <= grid.program) programs_.resize(grid.program + 1);
    programs_[grid.program].resize(grid.instructionCount, kUnknown);
  }
  void l1Try(const WarpAccess& access) override {
    std::string hit = fmt::format("{} {} {}", numberOf(access.program, access.instruction.pc),
                                  access.instruction.bytesPerLane, access.asked);
    for (LaneMask m = access.asked; m != 0; m &= m - 1)
      fmt::format_to(std::back_inserter(hit), " {}",
                     access.word[0][static_cast<unsigned>(__builtin_ctz(m))]);
    ++hits_[std::move(hit)];
  }

  std::string text() const {
    std::vector<std::string> lines;
    for (const auto& [hit, count] : hits_) lines.push_back(fmt::format("a {} {}\n", count, hit));
    std::sort(lines.begin(), lines.end());
    std::string text = instructions_;
    for (const std::string& line : lines) text += line;
    return text;
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  std::uint32_t numberOf(std::uint32_t program, std::uint32_t pc) {
    std::uint32_t& number = programs_[program][pc];
    if (number != kUnknown) return number;
    const InstructionText text = workload_.instructionText(program, pc);
    instructions_ += fmt::format("i\t{}\t{}\t{}\t{}\t{}\t{}\n", workload_.kernelName(program), pc,
                                 text.opcode, text.file, text.line, text.nearLine);
    return number = count_++;
  }

  Workload& workload_;
  std::vector<std::vector<std::uint32_t>> programs_;  ///< instruction number by program and PC
  std::uint32_t count_ = 0;                           ///< instructions
  std::string instructions_;
  std::unordered_map<std::string, std::uint64_t> hits_;
};

search::Instruction instructionFrom(const std::string& line, const std::string& name,
                                    std::uint64_t weight) {
  std::istringstream fields(line);
  std::array<std::string, 7> field;
  for (std::string& one : field) std::getline(fields, one, '\t');
  const auto number = [&](unsigned i) { return static_cast<std::uint32_t>(std::stoul(field[i])); };
  return {name, field[1], number(2), field[3], field[4], number(5), weight, number(6)};
}

/// Adds the access of a line "a ...". `first`: number of the workload's first instruction.
void addAccess(const std::string& line, std::uint32_t first, const LaneGrouping& groups,
               Collected& into) {
  std::istringstream fields(line.substr(1));
  std::uint64_t count = 0;
  std::uint32_t number = 0;
  unsigned bytes = 0;
  LaneMask active = 0;
  fields >> count >> number >> bytes >> active;
  number += first;
  const unsigned wordsPerLane = std::max(1U, bytes / 4);
  std::array<std::uint32_t, kWarpLanes> word{};
  for (LaneMask m = active; m != 0; m &= m - 1)
    fields >> word[static_cast<unsigned>(__builtin_ctz(m))];
  InstructionProfile& profile = into.profile[number];
  for (const LaneMask group : groups.of(MemoryOperation::Load, bytes)) {
    std::array<std::uint32_t, search::AccessSets::kMaxWords> words;
    std::uint32_t size = 0;
    for (LaneMask m = active & group; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      for (unsigned k = 0; k < wordsPerLane; ++k) words[size++] = word[lane] + k;
    }
    if (size == 0) continue;
    profile.groups += count;
    into.sets.add(number, words.data(), size, count);
  }
  profile.accesses += count;
  for (std::uint32_t& one : word) one /= wordsPerLane;
  profile.add(search::classify(word, active), count);
}

}  // namespace

std::string hitsOf(Workload& workload, const Configuration& configuration, Connector& connector) {
  HitCollector hits(workload);
  Simulation simulation(configuration, connector);
  simulation.allowLead();
  simulation.addProbe(hits);
  simulation.run(workload);
  return hits.text();
}

void addHits(const std::string& hits, const std::string& name, std::uint64_t weight,
             const LaneGrouping& groups, Collected& into) {
  const auto source = static_cast<std::uint32_t>(into.sources.size());
  const auto first = static_cast<std::uint32_t>(into.profile.size());
  into.sources.push_back(name);
  std::istringstream lines(hits);
  for (std::string line; std::getline(lines, line);) {
    if (line[0] == 'a') {
      addAccess(line, first, groups, into);
      continue;
    }
    const std::uint32_t number = into.sets.addInstruction(instructionFrom(line, name, weight));
    into.profile.resize(number + 1);
    into.profile[number].source = source;
  }
  for (InstructionProfile& profile : into.profile) {
    std::stable_sort(profile.classes.begin(), profile.classes.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  }
}

}  // namespace fermata::platforms
