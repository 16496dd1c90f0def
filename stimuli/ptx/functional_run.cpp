// A whole grid without time: CTA after CTA, warps in turn until each waits or exits.
#include <array>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/executor.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kBarrierCount = 16;
constexpr unsigned kTurn = 64;  ///< instructions of a warp before the next one's turn

class CtaRun {
 public:
  CtaRun(Executor& executor, unsigned warps)
      : executor_(executor), warps_(warps), waiting_(warps, kNotWaiting) {}

  void run() {
    for (unsigned left = warps_; left != 0;) {
      bool moved = false;
      left = 0;
      for (unsigned warp = 0; warp < warps_; ++warp) {
        if (executor_.peek(warp) == nullptr) continue;
        ++left;
        if (waiting_[warp] != kNotWaiting) continue;
        turn(warp);
        moved = true;
      }
      if (left != 0 && !moved && !releaseAll()) deadlock();
    }
  }

 private:
  static constexpr unsigned kNotWaiting = 0xff;

  struct Barrier {
    std::uint32_t threads = 0;   ///< arrived
    std::uint32_t expected = 0;  ///< 0: every warp of the CTA that has not exited
  };

  void turn(unsigned warp) {
    for (unsigned k = 0; k < kTurn; ++k) {
      const StaticInstruction* next = executor_.peek(warp);
      if (next == nullptr) return;
      const bool barrier = next->instructionClass == InstructionClass::Barrier;
      executor_.execute(warp, instruction_);
      if (barrier && instruction_.active != 0 && arrive(warp)) return;
    }
  }

  /// True when the warp has to wait.
  bool arrive(unsigned warp) {
    Barrier& barrier = barriers_[instruction_.barrier];
    barrier.threads += kWarpLanes;
    barrier.expected = instruction_.barrierThreads;
    if (instruction_.barrierWaits) waiting_[warp] = instruction_.barrier;
    if (release(instruction_.barrier)) return false;
    return instruction_.barrierWaits;
  }

  bool release(unsigned number) {
    Barrier& barrier = barriers_[number];
    std::uint32_t expected = barrier.expected;
    if (expected == 0) {
      for (unsigned warp = 0; warp < warps_; ++warp)
        expected += executor_.peek(warp) != nullptr || waiting_[warp] == number ? kWarpLanes : 0;
    }
    if (barrier.threads == 0 || barrier.threads < expected) return false;
    barrier = {};
    for (unsigned& waits : waiting_) {
      if (waits == number) waits = kNotWaiting;
    }
    return true;
  }

  /// Warps may have exited since the last arrival.
  bool releaseAll() {
    bool any = false;
    for (unsigned number = 0; number < kBarrierCount; ++number) any = release(number) || any;
    return any;
  }

  [[noreturn]] void deadlock() const {
    std::string text =
        "deadlock: every warp that has not exited waits at a barrier that cannot complete";
    for (unsigned warp = 0; warp < warps_; ++warp) {
      if (waiting_[warp] == kNotWaiting) continue;
      text +=
          "; " + executor_.describe(warp) + " waits at barrier " + std::to_string(waiting_[warp]);
      if (text.size() > 1000) break;
    }
    throw InputError(text);
  }

  Executor& executor_;
  unsigned warps_;
  std::vector<unsigned> waiting_;
  std::array<Barrier, kBarrierCount> barriers_{};
  WarpInstruction instruction_;
};

}  // namespace

void runFunctionally(Executor& executor, const Launch& launch) {
  executor.begin(launch);
  const std::uint64_t ctas = launch.grid.count();
  for (std::uint64_t cta = 0; cta < ctas; ++cta) {
    executor.startCta(cta, 0);
    CtaRun(executor, executor.warpsPerCta()).run();
    executor.endCta(0);
  }
}

}  // namespace fermata::ptx
