// Runs a whole grid without time, warps in turn until each waits or exits: one CTA after another,
// several at once if they may wait for each other, or all at once. Threads share a long grid.
#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
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
/// Instructions of a launch that one thread executes before others are started.
constexpr std::uint64_t kAlone = std::uint64_t{1} << 15;

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

  std::uint64_t cta() const { return cta_; }
  void start(std::uint64_t cta) {
    cta_ = cta;
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
    waiting_ &= ~barriers_.exit(0, warp);
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
  std::uint64_t cta_ = 0;
  unsigned first_;
  unsigned warps_;
  BarrierUnit barriers_;
  std::vector<unsigned> barrierOf_;  ///< by warp that waits
  SlotMask live_ = 0;                ///< warps that have not exited
  SlotMask waiting_ = 0;
  std::vector<Arrival> arrivals_;  ///< in this round
  WarpInstruction instruction_;
};

/// Gives the executor room for more warps, and takes it when the launch has ended or failed.
class RoomFor {
 public:
  RoomFor(Executor& executor, std::uint64_t warps) : executor_(executor) {
    executor.makeRoom(static_cast<unsigned>(warps));
  }
  ~RoomFor() { executor_.makeRoom(0); }
  RoomFor(const RoomFor&) = delete;
  RoomFor& operator=(const RoomFor&) = delete;

 private:
  Executor& executor_;
};

/// The CTAs of a launch that have not begun, and the failure of the first CTA that failed. Several
/// threads may call.
class CtaQueue {
 public:
  CtaQueue(std::uint64_t first, std::uint64_t end) : next_(first), end_(end) {}

  /// Returns the number of the next CTA; kNone: all have begun, or one has failed.
  std::uint64_t take() {
    if (empty()) return kNone;
    const std::uint64_t cta = next_++;
    return cta < end_ ? cta : kNone;
  }
  bool empty() const { return next_ >= end_ || failed_ != kNone; }
  void fail(std::uint64_t cta, std::exception_ptr error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (cta >= failed_) return;
    failed_ = cta;
    error_ = std::move(error);
  }
  /// Returns the lowest CTA that has failed, or kNone.
  std::uint64_t failed() const { return failed_; }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

 private:
  std::atomic<std::uint64_t> next_;
  std::uint64_t end_;
  std::atomic<std::uint64_t> failed_{kNone};
  std::mutex mutex_;
  std::exception_ptr error_;
};

/// Runs CTAs of a queue on one thread.
class Worker {
 public:
  Worker(Executor& executor, CtaQueue& queue, unsigned firstSlot, unsigned places,
         ExecutionCounts* counts)
      : executor_(executor), queue_(queue), counts_(counts), first_(firstSlot), places_(places) {}

  /// Begins CTAs, then gives each that runs a round. Returns false once none is left.
  bool round() {
    begin();
    for (auto& run : running_) {
      if (!goesOn(*run)) idle_.push_back(std::move(run));
    }
    running_.erase(std::remove(running_.begin(), running_.end(), nullptr), running_.end());
    if (executed() - since_ > kPatience) {
      if (queue_.failed() != CtaQueue::kNone) running_.clear();
      width_ = std::min(2 * width_, places_);
    }
    return !running_.empty() || !queue_.empty();
  }
  void run() {
    while (round()) {
    }
  }
  /// True if its CTAs lie in the first `places` places.
  bool fits(unsigned places) const { return made_ <= places; }
  /// Takes no more than the first `places` places, which it fits, from now on.
  void retreat(unsigned places) { places_ = places; }
  /// Returns the instructions that the thread has executed in this launch.
  std::uint64_t executed() const { return executor_.instructionsExecuted(first_); }

 private:
  void begin() {
    while (running_.size() < width_) {
      const std::uint64_t cta = queue_.take();
      if (cta == CtaQueue::kNone) return;
      if (idle_.empty()) {
        const unsigned slot = first_ + made_++ * executor_.warpsPerCta();
        idle_.push_back(std::make_unique<CtaRun>(executor_, slot, counts_));
      }
      running_.push_back(std::move(idle_.back()));
      idle_.pop_back();
      since_ = executed();
      guard(cta, [&] { return running_.back()->start(cta), true; });
    }
  }
  // A CTA behind one that failed is given up; one before it may fail, too, and is then the one to
  // be told of.
  bool goesOn(CtaRun& run) {
    return run.cta() < queue_.failed() && guard(run.cta(), [&] { return run.round(); });
  }
  /// Returns what act() does for the CTA; false if it fails, which the queue then knows.
  template <class Act>
  bool guard(std::uint64_t cta, Act act) {
    try {
      return act();
    } catch (...) {
      queue_.fail(cta, std::current_exception());
      return false;
    }
  }

  Executor& executor_;
  CtaQueue& queue_;
  ExecutionCounts* counts_;
  unsigned first_, places_;
  unsigned width_ = 1;  ///< CTAs at once
  unsigned made_ = 0;
  std::uint64_t since_ = 0;  ///< instructions when the last CTA began
  std::vector<std::unique_ptr<CtaRun>> running_, idle_;
};

/// Runs the rest of a launch on `threads` threads, `own` on the caller's.
void runShared(Executor& executor, CtaQueue& queue, Worker& own, unsigned threads, unsigned places,
               ExecutionCounts* counts) {
  own.retreat(places);
  std::vector<ExecutionCounts> theirs(threads - 1);
  std::vector<std::thread> started;
  try {
    for (unsigned i = 1; i < threads; ++i) {
      started.emplace_back([&, i] {
        const unsigned first = i * places * executor.warpsPerCta();
        Worker(executor, queue, first, places, counts == nullptr ? nullptr : &theirs[i - 1]).run();
      });
    }
  } catch (const std::system_error&) {  // the host has no more threads: those that run do it all
  }
  own.run();
  for (std::thread& one : started) one.join();
  if (counts == nullptr) return;
  for (const ExecutionCounts& one : theirs) counts->add(one);
}

void runFrom(Executor& executor, std::uint64_t firstCta, ExecutionCounts* counts) {
  CtaQueue queue(firstCta, executor.launch().grid.count());
  const unsigned warps = executor.warpsPerCta();
  const unsigned places = executor.roomForWarps() / warps;
  const unsigned threads = std::min(executor.jobs(), places);
  Worker own(executor, queue, 0, places, counts);
  bool alone = threads < 2;
  while (own.round()) {
    if (alone || queue.empty() || own.executed() < kAlone) continue;
    const unsigned share = places / threads;
    alone = !own.fits(share) || !executor.share(threads, share * warps);
    if (!alone) runShared(executor, queue, own, threads, share, counts);
  }
  queue.rethrow();
}

/// Begins a launch in an executor that has room for a CTA on each thread.
void runWhole(Executor& executor, const Launch& launch, ExecutionCounts* counts) {
  const std::uint64_t warps = (launch.block.count() + kWarpLanes - 1) / kWarpLanes;
  const std::uint64_t most = std::min<std::uint64_t>(warps, kMaxWarpSlots);
  const RoomFor room(executor,
                     most * std::min<std::uint64_t>(executor.jobs(), launch.grid.count()));
  executor.begin(launch);
  runFrom(executor, 0, counts);
}

}  // namespace

void runFunctionally(Executor& executor, const Launch& launch) {
  runWhole(executor, launch, nullptr);
}

void runCounted(Executor& executor, const Launch& launch, ExecutionCounts& counts) {
  runWhole(executor, launch, &counts);
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
  const RoomFor room(executor, ctas * warps);
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
