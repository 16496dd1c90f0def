#include <fermata/platforms/program/search/access_collection.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fermata/models/core/spin_loop.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/wavefront_halves.h>
#include <fermata/models/vocabulary/vector_clones.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>
#include <fermata/platforms/program/search/access_passes.h>
#include <fermata/platforms/program/search/functional_driver.h>

namespace fermata::platforms {

namespace {

using Lanes = std::array<std::uint32_t, kWarpLanes>;

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
            const PlatformParameters& platform, Collected& into,
            std::shared_ptr<const indexing::Indexer> mapping)
      : workload_(workload),
        name_(name),
        weight_(weight),
        shift_(platform.scratchpad.bankBytes == 8 ? 3 : 2),
        limits_(occupancyLimits(platform)),
        passes_(platform, std::move(mapping)),
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
    const StaticInstruction& issued = known(number, instruction);
    if (execution.operation == MemoryOperation::Atomic) into_.atomics = true;
    widen(number, execution);
    if (instruction.form == AtomicForm::Spin) into_.loops = true;
    if (passes_.joins(execution, issued)) {
      join(warp, number, execution, issued);
    } else {
      count(number, execution, issued);
    }
  }

  const OccupancyLimits& limits() const { return limits_; }

  void finish() {
    for (CountedAccess& pending : pending_) handOn(pending);
    halves_.clear([this](const CountedAccess& alone) { addSets(alone); });
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

  /// An mbarrier is no array of the kernel's.
  void widen(std::uint32_t number, const WarpInstruction& execution) {
    if (execution.bytesPerLane <= into_.widestBytes) return;
    if (into_.sets.instructions()[number].opcode.find("mbarrier") != std::string::npos) return;
    into_.widestBytes = execution.bytesPerLane;
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

  /// Returns a copy of the instruction that lives as long as this. One PC may have several, the
  /// steps of an atomic's loop.
  const StaticInstruction& known(std::uint32_t number, const StaticInstruction& instruction) {
    if (steps_.size() <= number) steps_.resize(number + 1);
    for (const auto& one : steps_[number])
      if (one->operation == instruction.operation && one->form == instruction.form) return *one;
    steps_[number].push_back(std::make_unique<StaticInstruction>(instruction));
    return *steps_[number].back();
  }

  std::uint32_t wordsPerLane(const WarpInstruction& execution) const {
    return std::max(1U, static_cast<unsigned>(execution.bytesPerLane) >> shift_);
  }

  void count(std::uint32_t number, const WarpInstruction& execution,
             const StaticInstruction& issued) {
    const std::uint32_t words = wordsPerLane(execution);
    std::uint32_t hash = lanesOf(execution, shift_, word_) + number * 0x85ebca6bU;
    hash ^= execution.active * 0xc2b2ae35U;
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6dU;
    CountedAccess& pending = pending_[(hash >> 16) % kEntries];
    if (pending.count != 0 && pending.instruction == number && pending.active == execution.active &&
        pending.wordsPerLane == words && pending.issued == &issued &&
        pending.bytesPerLane == execution.bytesPerLane &&
        pending.operation == execution.operation &&
        std::memcmp(pending.word.data(), word_.data(), sizeof word_) == 0) {
      ++pending.count;
      return;
    }
    handOn(pending);
    pending = {
        1,       number, execution.active, words, execution.bytesPerLane, execution.operation,
        &issued, word_};
  }

  // Combines the lanes of both halves of a wave64 when the second half has arrived.
  void join(const WavefrontHalf& warp, std::uint32_t number, const WarpInstruction& execution,
            const StaticInstruction& issued) {
    CountedAccess own{1,
                      number,
                      execution.active,
                      wordsPerLane(execution),
                      execution.bytesPerLane,
                      execution.operation,
                      &issued,
                      {}};
    lanesOf(execution, shift_, own.word);
    take(passes_.joined(warp, execution.pc, own), own);
    CountedAccess other;
    if (!halves_.meet(warp, execution.pc, own, other,
                      [this](const CountedAccess& alone) { addSets(alone); }))
      return;
    for (const LaneMask group : passes_.groups(own)) addGroup(own, &other, group);
    InstructionProfile& profile = into_.profile[number];
    profileOf(own, profile);
    profileOf(other, profile);
  }

  void handOn(CountedAccess& pending) {
    if (pending.count == 0) return;
    take(passes_.of(pending), pending);
    addSets(pending);
    pending.count = 0;
  }

  void take(const PassCount& count, const CountedAccess& pending) {
    InstructionProfile& profile = into_.profile[pending.instruction];
    profile.passes += pending.count * count.all;
    profile.idealPasses += pending.count * count.ideal;
  }

  void addSets(const CountedAccess& pending) {
    for (const LaneMask group : passes_.groups(pending)) addGroup(pending, nullptr, group);
    profileOf(pending, into_.profile[pending.instruction]);
  }

  static void profileOf(const CountedAccess& pending, InstructionProfile& profile) {
    profile.accesses += pending.count;
    Lanes element = pending.word;  // element index: exact, as PTX aligns an access to its width
    if (pending.wordsPerLane > 1) {
      for (std::uint32_t& word : element) word /= pending.wordsPerLane;
    }
    profile.add(search::classify(element, pending.active), pending.count);
  }

  /// `other`: the other half of the wave64; null: none.
  void addGroup(const CountedAccess& pending, const CountedAccess* other, LaneMask mask) {
    std::array<std::uint32_t, 2 * search::AccessSets::kMaxWords> words;
    std::uint32_t size = 0;
    for (const CountedAccess* half : {&pending, other}) {
      if (half == nullptr) continue;
      for (LaneMask m = half->active & mask; m != 0; m &= m - 1) {
        const std::uint32_t first = half->word[static_cast<unsigned>(__builtin_ctz(m))];
        for (std::uint32_t k = 0; k < half->wordsPerLane; ++k) words[size++] = first + k;
      }
    }
    if (size == 0) return;
    const SetPrice price = passes_.priceOf(pending);
    InstructionProfile& profile = into_.profile[pending.instruction];
    profile.groups += pending.count;
    profile.setPasses += pending.count * price.each;
    into_.sets.add(pending.instruction, words.data(), size, pending.count * price.each,
                   !price.merges);
  }

  Workload& workload_;
  std::string name_;
  std::uint64_t weight_;
  unsigned shift_;
  OccupancyLimits limits_;
  AccessPasses passes_;
  Collected& into_;
  std::uint32_t source_;
  unsigned program_ = 0;
  std::vector<std::vector<std::uint32_t>> programs_;  ///< instruction number by program and PC
  std::vector<std::vector<std::unique_ptr<StaticInstruction>>> steps_;  ///< by instruction number
  std::vector<CountedAccess> pending_;
  WavefrontHalves<CountedAccess> halves_;
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

std::uint64_t Collected::passes() const {
  std::uint64_t sum = 0;
  for (const InstructionProfile& one : profile) sum += one.passes;
  return sum;
}

std::uint64_t Collected::idealPasses() const {
  std::uint64_t sum = 0;
  for (const InstructionProfile& one : profile) sum += one.idealPasses;
  return sum;
}

void collectAccesses(Workload& workload, const std::string& name, std::uint64_t weight,
                     const PlatformParameters& platform, Collected& into,
                     const std::function<void(std::uint64_t)>& progress,
                     std::shared_ptr<const indexing::Indexer> mapping) {
  const ScratchpadParameters& s = platform.scratchpad;
  if (mapping == nullptr)
    mapping = indexing::build(s.indexer, {s.banks, s.bytes / s.bankBytes, s.bankBytes});
  into.countsPasses = true;
  const auto run = [&](Workload& steps) {
    Collector collector(steps, name, weight, platform, into, mapping);
    drive(steps, collector.limits(), collector, progress, platform.sms);
    collector.finish();
  };
  if (!platform.crossbar.atomics->needs.forms) return run(workload);
  SpinLoop loops(workload, platform.crossbar.atomicTable.loops,
                 {mapping, s.bankBytes, platform.crossbar.groups});
  run(loops);
}

}  // namespace fermata::platforms
