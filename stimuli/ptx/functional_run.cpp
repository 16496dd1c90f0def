// Runs a whole grid without time: one cluster after another, several at once if they may wait for
// each other, or all at once. Threads share a long grid. Without clusters, a cluster is one CTA.
#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/cta_runs.h>
#include <fermata/stimuli/ptx/execution_counts.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/message.h>

namespace fermata::ptx {
namespace {

/// Instructions without the end of a cluster, after which it may be waiting for another one.
constexpr std::uint64_t kPatience = std::uint64_t{1} << 22;
/// Instructions of a launch that one thread executes before others are started.
constexpr std::uint64_t kAlone = std::uint64_t{1} << 15;

unsigned warpsPerCluster(const Executor& executor) {
  return executor.warpsPerCta() * executor.ctasPerCluster();
}

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

/// The clusters of a launch that have not begun, and the failure of the first one that failed.
/// Several threads may call.
class ClusterQueue {
 public:
  ClusterQueue(std::uint64_t first, std::uint64_t end) : next_(first), end_(end) {}

  /// Returns the number of the next cluster; kNone: all have begun, or one has failed.
  std::uint64_t take() {
    if (empty()) return kNone;
    const std::uint64_t cluster = next_++;
    return cluster < end_ ? cluster : kNone;
  }
  bool empty() const { return next_ >= end_ || failed_ != kNone; }
  void fail(std::uint64_t cluster, std::exception_ptr error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (cluster >= failed_) return;
    failed_ = cluster;
    error_ = std::move(error);
  }
  /// Returns the lowest cluster that has failed, or kNone.
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

/// Runs clusters of a queue on one thread.
class Worker {
 public:
  Worker(Executor& executor, ClusterQueue& queue, unsigned firstSlot, unsigned places,
         ExecutionCounts* counts)
      : executor_(executor), queue_(queue), counts_(counts), first_(firstSlot), places_(places) {}

  /// Begins clusters, then gives each that runs a round. Returns false once none is left.
  bool round() {
    begin();
    for (auto& run : running_) {
      if (!goesOn(*run)) idle_.push_back(std::move(run));
    }
    running_.erase(std::remove(running_.begin(), running_.end(), nullptr), running_.end());
    if (executed() - since_ > kPatience) {
      if (queue_.failed() != ClusterQueue::kNone) running_.clear();
      width_ = std::min(2 * width_, places_);
    }
    return !running_.empty() || !queue_.empty();
  }
  void run() {
    while (round()) {
    }
  }
  /// True if its clusters lie in the first `places` places.
  bool fits(unsigned places) const { return made_ <= places; }
  /// Takes no more than the first `places` places, which it fits, from now on.
  void retreat(unsigned places) { places_ = places; }
  /// Returns the instructions that the thread has executed in this launch.
  std::uint64_t executed() const { return executor_.instructionsExecuted(first_); }

 private:
  void begin() {
    while (running_.size() < width_) {
      const std::uint64_t cluster = queue_.take();
      if (cluster == ClusterQueue::kNone) return;
      if (idle_.empty()) {
        const unsigned slot = first_ + made_++ * warpsPerCluster(executor_);
        idle_.push_back(std::make_unique<ClusterRun>(executor_, slot, counts_));
      }
      running_.push_back(std::move(idle_.back()));
      idle_.pop_back();
      since_ = executed();
      guard(cluster, [&] { return running_.back()->start(cluster), true; });
    }
  }
  // A cluster behind one that failed is given up; one before it may fail, too, and is then the one
  // to be told of.
  bool goesOn(ClusterRun& run) {
    return run.cluster() < queue_.failed() && guard(run.cluster(), [&] { return run.round(); });
  }
  /// Returns what act() does for the cluster; false if it fails, which the queue then knows.
  template <class Act>
  bool guard(std::uint64_t cluster, Act act) {
    try {
      return act();
    } catch (...) {
      queue_.fail(cluster, std::current_exception());
      return false;
    }
  }

  Executor& executor_;
  ClusterQueue& queue_;
  ExecutionCounts* counts_;
  unsigned first_, places_;
  unsigned width_ = 1;  ///< clusters at once
  unsigned made_ = 0;
  std::uint64_t since_ = 0;  ///< instructions when the last cluster began
  std::vector<std::unique_ptr<ClusterRun>> running_, idle_;
};

/// Runs the rest of a launch on `threads` threads, `own` on the caller's.
void runShared(Executor& executor, ClusterQueue& queue, Worker& own, unsigned threads,
               unsigned places, ExecutionCounts* counts) {
  own.retreat(places);
  std::vector<ExecutionCounts> theirs(threads - 1);
  std::vector<std::thread> started;
  try {
    for (unsigned i = 1; i < threads; ++i) {
      started.emplace_back([&, i] {
        const unsigned first = i * places * warpsPerCluster(executor);
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
  const unsigned ctas = executor.ctasPerCluster(), warps = warpsPerCluster(executor);
  ClusterQueue queue(firstCta / ctas, executor.launch().grid.count() / ctas);
  const unsigned places = executor.roomForWarps() / warps;
  const unsigned threads = std::min(executor.jobs(), places);
  executor.giveClusters([&queue] { return queue.take(); });
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

/// Returns how many CTAs a cluster of the launch has; 1 if begin() will refuse the launch.
std::uint64_t saneClusterCtas(const Launch& launch) {
  if (launch.kernel == nullptr) return 1;
  const unsigned ctas = clusterCtas(launch);
  return ctas == 0 || ctas > kMostClusterCtas ? 1 : ctas;
}

/// Begins a launch in an executor that has room for a cluster on each thread.
void runWhole(Executor& executor, const Launch& launch, ExecutionCounts* counts) {
  const std::uint64_t warps = (launch.block.count() + kWarpLanes - 1) / kWarpLanes;
  const std::uint64_t most = std::min<std::uint64_t>(warps, kMaxWarpSlots),
                      ctas = saneClusterCtas(launch);
  const std::uint64_t clusters = (launch.grid.count() + ctas - 1) / ctas;
  const RoomFor room(executor, most * ctas * std::min<std::uint64_t>(executor.jobs(), clusters));
  executor.begin(launch, counts == nullptr);
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
  executor.begin(launch, true);
  std::vector<std::unique_ptr<ClusterRun>> running;
  const unsigned slots = warpsPerCluster(executor);
  for (std::uint64_t cluster = 0; cluster < ctas / executor.ctasPerCluster(); ++cluster) {
    running.push_back(
        std::make_unique<ClusterRun>(executor, static_cast<unsigned>(cluster) * slots));
    running.back()->start(cluster);
  }
  while (!running.empty()) {
    const auto ended = [](const std::unique_ptr<ClusterRun>& run) { return !run->round(); };
    running.erase(std::remove_if(running.begin(), running.end(), ended), running.end());
  }
}

}  // namespace fermata::ptx
