// Runs a whole grid without time, warps in turn until each waits or exits: one CTA after another,
// several at once if they may wait for each other, or all at once.
#include <algorithm>
#include <memory>
#include <vector>

#include <fermata/models/vocabulary/barrier_unit.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/execution_counts.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/message.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kTurn = 64;  ///< instructions per turn of a warp
/// Instructions without the end of a CTA, after which it may be waiting for another CTA.
constexpr std::uint64_t kPatience = std::uint64_t{1} << 22;

/// Runs one CTA after the other, in the slots from `first` on.
class CtaRun {
 public:
  /// `counts`: takes what executes; null: not asked for.
  CtaRun(Executor& executor, unsigned first, ExecutionCounts* counts = nullptr)
      : executor_(executor),
        counts_(counts),
        first_(first),
        warps_(executor.warpsPerCta()),
        barriers_(warps_),
        barrierOf_(warps_) {}

  void start(std::uint64_t cta) {
    executor_.startCta(cta, first_);
    barriers_.startCta(0, warps_);
    live_ = ~SlotMask{0} >> (kMaxWarpSlots - warps_);
  }
  /// Gives a turn to each warp that can go on. Returns false once all have exited and the CTA has
  /// ended.
  bool round() {
    if ((live_ & ~waiting_) == 0) deadlock();
    for (unsigned warp = 0; warp < warps_; ++warp) {
      if ((live_ & ~waiting_ & bit(warp)) != 0) turn(warp);
    }
    for (const Arrival& one : arrivals_)
      executor_.storeCopy(first_ + one.warp, one.copy, instruction_);
    arrivals_.clear();
    if (live_ != 0) return true;
    executor_.endCta(first_);
    return false;
  }

 private:
  /// An arrival behind the copies of a warp. No instruction has to wait for it: threads may poll
  /// the mbarrier.
  struct Arrival {
    unsigned warp;
    std::uint64_t copy;
  };

  static SlotMask bit(unsigned warp) { return SlotMask{1} << warp; }

  void turn(unsigned warp) {
    for (unsigned k = 0; k < kTurn && (waiting_ & bit(warp)) == 0; ++k) {
      const StaticInstruction* next = executor_.peek(first_ + warp);
      if (next == nullptr) return exit(warp);
      const InstructionClass its = next->instructionClass;
      const bool arrival =
          next->copyStep == CopyStep::Arrive || next->copyStep == CopyStep::Complete;
      if (arrival) instruction_.copy = WarpInstruction::kNoCopy;
      executor_.execute(first_ + warp, instruction_);
      if (counts_ != nullptr) counts_->add(its, instruction_);
      if (arrival && instruction_.copy != WarpInstruction::kNoCopy)
        arrivals_.push_back({warp, instruction_.copy});
      if (its == InstructionClass::Barrier && instruction_.active != 0) arrive(warp);
    }
  }

  void arrive(unsigned warp) {
    if (instruction_.barrierWaits) waiting_ |= bit(warp);
    barrierOf_[warp] = instruction_.barrier;
    waiting_ &= ~barriers_.arrive(0, warp, instruction_.barrier, instruction_.barrierThreads,
                                  instruction_.barrierWaits);
  }

  void exit(unsigned warp) {
    live_ &= ~bit(warp);
    waiting_ &= ~barriers_.exit(0);
  }

  [[noreturn]] void deadlock() const {
    std::string text =
        "deadlock: every warp that has not exited waits at a barrier that cannot complete";
    for (unsigned warp = 0; warp < warps_; ++warp) {
      if ((waiting_ & bit(warp)) == 0) continue;
      text += fmt::format("; {} waits at barrier {}", executor_.describe(first_ + warp),
                          barrierOf_[warp]);
      if (text.size() > 1000) break;
    }
    throw InputError(text);
  }

  Executor& executor_;
  ExecutionCounts* counts_;
  unsigned first_;
  unsigned warps_;
  BarrierUnit barriers_;
  std::vector<unsigned> barrierOf_;  ///< by warp that waits
  SlotMask live_ = 0;                ///< warps that have not exited
  SlotMask waiting_ = 0;
  std::vector<Arrival> arrivals_;  ///< in this round
  WarpInstruction instruction_;
};

/// Gives the executor enough slots for a launch, and restores the number when the launch has ended
/// or failed.
class SlotsOf {
 public:
  SlotsOf(Executor& executor, std::uint64_t warps)
      : executor_(executor), before_(executor.warpSlots()) {
    if (warps > before_) executor.setWarpSlots(static_cast<unsigned>(warps));
  }
  ~SlotsOf() { executor_.setWarpSlots(before_); }
  SlotsOf(const SlotsOf&) = delete;
  SlotsOf& operator=(const SlotsOf&) = delete;

 private:
  Executor& executor_;
  unsigned before_;
};

void runFrom(Executor& executor, std::uint64_t firstCta, ExecutionCounts* counts) {
  const std::uint64_t ctas = executor.launch().grid.count();
  const unsigned warps = executor.warpsPerCta();
  const std::uint64_t places = executor.warpSlots() / warps;
  std::vector<std::unique_ptr<CtaRun>> running, idle;
  std::uint64_t width = 1, started = firstCta, made = 0, since = 0;
  while (started < ctas || !running.empty()) {
    while (started < ctas && running.size() < width) {
      if (idle.empty())
        idle.push_back(
            std::make_unique<CtaRun>(executor, static_cast<unsigned>(made++ * warps), counts));
      idle.back()->start(started++);
      running.push_back(std::move(idle.back()));
      idle.pop_back();
      since = executor.instructionsExecuted();
    }
    for (auto& run : running) {
      if (!run->round()) idle.push_back(std::move(run));
    }
    running.erase(std::remove(running.begin(), running.end(), nullptr), running.end());
    if (executor.instructionsExecuted() - since > kPatience) width = std::min(2 * width, places);
  }
}

}  // namespace

void runFunctionally(Executor& executor, const Launch& launch) {
  executor.begin(launch);
  runFrom(executor, 0, nullptr);
}

void runCounted(Executor& executor, const Launch& launch, ExecutionCounts& counts) {
  executor.begin(launch);
  runFrom(executor, 0, &counts);
}

void runRest(Executor& executor, std::uint64_t firstCta, ExecutionCounts& counts) {
  runFrom(executor, firstCta, &counts);
}

void runInterleaved(Executor& executor, const Launch& launch, std::uint64_t mostCtas) {
  const std::uint64_t ctas = launch.grid.count();
  const std::uint64_t warps = (launch.block.count() + kWarpLanes - 1) / kWarpLanes;
  if (ctas > mostCtas) {
    refuse("kernel '{}': {} CTAs of a cooperative launch; at most {} can be resident",
           launch.kernel != nullptr ? launch.kernel->name() : "", ctas, mostCtas);
  }
  const SlotsOf slots(executor, ctas * warps);
  executor.begin(launch);
  std::vector<std::unique_ptr<CtaRun>> running;
  for (std::uint64_t cta = 0; cta < ctas; ++cta) {
    running.push_back(std::make_unique<CtaRun>(executor, static_cast<unsigned>(cta * warps)));
    running.back()->start(cta);
  }
  while (!running.empty()) {
    const auto ended = [](const std::unique_ptr<CtaRun>& run) { return !run->round(); };
    running.erase(std::remove_if(running.begin(), running.end(), ended), running.end());
  }
}

}  // namespace fermata::ptx
