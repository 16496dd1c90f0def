#include <fermata/platforms/program/search/access_collection.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/wavefront_halves.h>
#include <fermata/models/vocabulary/vector_clones.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>
#include <fermata/platforms/program/search/functional_driver.h>

namespace fermata::platforms {

namespace {

using Lanes = std::array<std::uint32_t, kWarpLanes>;

/// An access that occurred `count` times since it was last passed on.
struct Pending {
  std::uint64_t count = 0;  ///< 0: the entry is free
  std::uint32_t instruction = 0;
  LaneMask active = 0;
  std::uint32_t wordsPerLane = 1;
  const LaneGroups* groups = nullptr;
  alignas(64) Lanes word{};  ///< word of each lane's first byte; 0 for inactive lanes
};

/// Computes the word of each lane (0 if inactive) and returns a hash of them.
FERMATA_VECTOR_CLONES
std::uint32_t lanesOf(const WarpInstruction& execution, unsigned shift, Lanes& word) {
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const auto enabled = static_cast<std::uint32_t>(-(execution.active >> i & 1U));
    word[i] = static_cast<std::uint32_t>(execution.address[i] >> shift) & enabled;
  }
  std::uint32_t hash = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) hash += word[i] * (0x9e3779b1U * (2 * i + 1));
  return hash;
}

/// Counts repeated accesses before passing them on: loops repeat the same few accesses, and each
/// then costs one call with its count.
class Collector final : public ExecutionObserver {
 public:
  Collector(Workload& workload, const std::string& name, std::uint64_t weight,
            const PlatformParameters& platform, Collected& into)
      : workload_(workload),
        name_(name),
        weight_(weight),
        shift_(platform.scratchpad.bankBytes == 8 ? 3 : 2),
        limits_(occupancyLimits(platform)),
        groups_(platform.crossbar.groups),
        into_(into),
        source_(static_cast<std::uint32_t>(into.sources.size())),
        pending_(kEntries) {
    into.sources.push_back(name);
  }

  void gridStarted(const Grid& grid) override {
    keep(grid);
    program_ = grid.program;
    if (programs_.size() <= program_) programs_.resize(program_ + 1);
    programs_[program_].resize(grid.instructionCount, kUnknown);
    if (!windowPlacement(grid, limits_, occupancy(grid, limits_).ctas).aligned) {
      into_.packedKernels.insert(grid.kernel);
    }
  }

  void accessed(const WavefrontHalf& warp, const StaticInstruction& instruction,
                const WarpInstruction& execution) override {
    const bool off = execution.active == 0;
    if ((off ? instruction.space : execution.space) != MemorySpace::Shared) return;
    const std::uint32_t number = numberOf(instruction.pc);
    ++into_.profile[number].executions;
    if (off) return;
    const LaneGroups& groups = groups_.of(execution, &instruction);
    if (groups.joins()) {
      join(warp, number, execution, groups);
    } else {
      count(number, execution, groups);
    }
  }

  const OccupancyLimits& limits() const { return limits_; }

  void finish() {
    for (Pending& pending : pending_) handOn(pending);
    halves_.clear([this](Pending alone) { handOn(alone); });
    for (InstructionProfile& profile : into_.profile) {
      std::stable_sort(profile.classes.begin(), profile.classes.end(),
                       [](const auto& a, const auto& b) { return a.second > b.second; });
    }
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffff;
  static constexpr std::size_t kEntries = 4096;  ///< fits a second-level cache

  void keep(const Grid& grid) {
    const auto known = std::find_if(into_.grids.begin(), into_.grids.end(), [&](const Grid& other) {
      return other.kernel == grid.kernel && other.threadsPerCta == grid.threadsPerCta &&
             other.registersPerThread == grid.registersPerThread &&
             other.sharedBytesPerCta == grid.sharedBytesPerCta;
    });
    if (known == into_.grids.end()) into_.grids.push_back(grid);
  }

  std::uint32_t numberOf(std::uint32_t pc) {
    std::uint32_t& number = programs_[program_][pc];
    if (number == kUnknown) number = addInstruction(pc);
    return number;
  }

  std::uint32_t addInstruction(std::uint32_t pc) {
    const InstructionText text = workload_.instructionText(program_, pc);
    const std::uint32_t number =
        into_.sets.addInstruction({name_, workload_.kernelName(program_), pc, text.opcode,
                                   text.file, text.line, weight_, text.nearLine});
    into_.profile.resize(number + 1);
    into_.profile[number].source = source_;
    return number;
  }

  std::uint32_t wordsPerLane(const WarpInstruction& execution) const {
    return std::max(1U, static_cast<unsigned>(execution.bytesPerLane) >> shift_);
  }

  void count(std::uint32_t number, const WarpInstruction& execution, const LaneGroups& groups) {
    const std::uint32_t words = wordsPerLane(execution);
    std::uint32_t hash = lanesOf(execution, shift_, word_) + number * 0x85ebca6bU;
    hash ^= execution.active * 0xc2b2ae35U;
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6dU;
    Pending& pending = pending_[(hash >> 16) % kEntries];
    if (pending.count != 0 && pending.instruction == number && pending.active == execution.active &&
        pending.wordsPerLane == words &&
        std::memcmp(pending.word.data(), word_.data(), sizeof word_) == 0) {
      ++pending.count;
      return;
    }
    handOn(pending);
    pending = {1, number, execution.active, words, &groups, word_};
  }

  // Combines the lanes of both halves of a wave64 when the second half has arrived.
  void join(const WavefrontHalf& warp, std::uint32_t number, const WarpInstruction& execution,
            const LaneGroups& groups) {
    Pending own{1, number, execution.active, wordsPerLane(execution), &groups, {}};
    lanesOf(execution, shift_, own.word);
    Pending other;
    if (!halves_.meet(warp, execution.pc, own, other, [this](Pending alone) { handOn(alone); }))
      return;
    InstructionProfile& profile = into_.profile[number];
    for (const LaneMask group : groups) addGroup(own, &other, group, profile);
    profileOf(own, profile);
    profileOf(other, profile);
  }

  void handOn(Pending& pending) {
    if (pending.count == 0) return;
    InstructionProfile& profile = into_.profile[pending.instruction];
    for (const LaneMask group : *pending.groups) addGroup(pending, nullptr, group, profile);
    profileOf(pending, profile);
    pending.count = 0;
  }

  static void profileOf(const Pending& pending, InstructionProfile& profile) {
    profile.accesses += pending.count;
    Lanes element = pending.word;  // element index: exact, as PTX aligns an access to its width
    if (pending.wordsPerLane > 1) {
      for (std::uint32_t& word : element) word /= pending.wordsPerLane;
    }
    profile.add(search::classify(element, pending.active), pending.count);
  }

  /// `other`: the other half of the wave64; null: none.
  void addGroup(const Pending& pending, const Pending* other, LaneMask mask,
                InstructionProfile& profile) {
    std::array<std::uint32_t, 2 * search::AccessSets::kMaxWords> words;
    std::uint32_t size = 0;
    for (const Pending* half : {&pending, other}) {
      if (half == nullptr) continue;
      for (LaneMask m = half->active & mask; m != 0; m &= m - 1) {
        const std::uint32_t first = half->word[static_cast<unsigned>(__builtin_ctz(m))];
        for (std::uint32_t k = 0; k < half->wordsPerLane; ++k) words[size++] = first + k;
      }
    }
    if (size == 0) return;
    profile.groups += pending.count;
    into_.sets.add(pending.instruction, words.data(), size, pending.count);
  }

  Workload& workload_;
  std::string name_;
  std::uint64_t weight_;
  unsigned shift_;
  OccupancyLimits limits_;
  LaneGrouping groups_;
  Collected& into_;
  std::uint32_t source_;
  unsigned program_ = 0;
  std::vector<std::vector<std::uint32_t>> programs_;  ///< instruction number by program and PC
  std::vector<Pending> pending_;
  WavefrontHalves<Pending> halves_;
  alignas(64) Lanes word_{};
};

}  // namespace

void InstructionProfile::add(const search::AccessClass& found, std::uint64_t count) {
  const auto known = std::find_if(classes.begin(), classes.end(),
                                  [&](const auto& entry) { return entry.first == found; });
  if (known != classes.end()) {
    known->second += count;
  } else if (classes.size() < kMaxClasses) {
    classes.emplace_back(found, count);
  } else {
    otherClasses += count;
  }
}

std::string InstructionProfile::classText() const {
  if (classes.empty()) return "-";
  std::string text = classes.front().first.text();
  if (otherClasses != 0) return text + " and " + std::to_string(classes.size() - 1) + "+ more";
  if (classes.size() > 1) text += " and " + std::to_string(classes.size() - 1) + " more";
  return text;
}

std::uint64_t Collected::accesses() const {
  std::uint64_t sum = 0;
  for (const InstructionProfile& one : profile) sum += one.accesses;
  return sum;
}

void collectAccesses(Workload& workload, const std::string& name, std::uint64_t weight,
                     const PlatformParameters& platform, Collected& into,
                     const std::function<void(std::uint64_t)>& progress) {
  Collector collector(workload, name, weight, platform, into);
  drive(workload, collector.limits(), collector, progress);
  collector.finish();
}

}  // namespace fermata::platforms
