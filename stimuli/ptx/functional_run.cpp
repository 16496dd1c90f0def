// A whole grid without time: CTA after CTA, warps in turn until each waits or exits.
#include <vector>

#include <fermata/models/core/barrier_unit.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/executor.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kTurn = 64;  ///< instructions of a warp before the next one's turn

/// Runs one CTA after the other, in the slots from 0 up.
class CtaRun {
 public:
  explicit CtaRun(Executor& executor)
      : executor_(executor),
        warps_(executor.warpsPerCta()),
        barriers_(warps_),
        barrierOf_(warps_) {}

  void run(std::uint64_t cta) {
    executor_.startCta(cta, 0);
    barriers_.startCta(0, warps_);
    live_ = ~SlotMask{0} >> (kMaxWarpSlots - warps_);
    while (live_ != 0) {
      if ((live_ & ~waiting_) == 0) deadlock();
      for (unsigned warp = 0; warp < warps_; ++warp) {
        if ((live_ & ~waiting_ & bit(warp)) != 0) turn(warp);
      }
    }
    executor_.endCta(0);
  }

 private:
  static SlotMask bit(unsigned warp) { return SlotMask{1} << warp; }

  void turn(unsigned warp) {
    for (unsigned k = 0; k < kTurn && (waiting_ & bit(warp)) == 0; ++k) {
      const StaticInstruction* next = executor_.peek(warp);
      if (next == nullptr) return exit(warp);
      const bool barrier = next->instructionClass == InstructionClass::Barrier;
      executor_.execute(warp, instruction_);
      if (barrier && instruction_.active != 0) arrive(warp);
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
      text +=
          "; " + executor_.describe(warp) + " waits at barrier " + std::to_string(barrierOf_[warp]);
      if (text.size() > 1000) break;
    }
    throw InputError(text);
  }

  Executor& executor_;
  unsigned warps_;
  BarrierUnit barriers_;
  std::vector<unsigned> barrierOf_;  ///< of a warp that waits
  SlotMask live_ = 0;                ///< warps that have not exited
  SlotMask waiting_ = 0;
  WarpInstruction instruction_;
};

}  // namespace

void runFunctionally(Executor& executor, const Launch& launch) {
  executor.begin(launch);
  CtaRun run(executor);
  const std::uint64_t ctas = launch.grid.count();
  for (std::uint64_t cta = 0; cta < ctas; ++cta) run.run(cta);
}

}  // namespace fermata::ptx
