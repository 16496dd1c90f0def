#include <fermata/platforms/program/search/functional_driver.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/barrier_unit.h>
#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

namespace {

/// Instructions of a warp per turn: enough to stay in the caches, few enough that a warp which
/// polls for another does not wait long.
constexpr unsigned kTurn = 32;
constexpr std::uint64_t kProgress = std::uint64_t{1} << 22;  ///< instructions between two reports
constexpr unsigned kWarpsNamed = 8;                          ///< in a deadlock's message

class Driver {
 public:
  Driver(Workload& workload, const OccupancyLimits& limits, ExecutionObserver& observer,
         const std::function<void(std::uint64_t)>& progress, unsigned multiprocessors)
      : workload_(workload),
        limits_(limits),
        observer_(observer),
        progress_(progress),
        multiprocessors_(multiprocessors),
        barriers_(limits.warps) {}

  std::uint64_t run() {
    workload_.setWarpSlots(limits_.warps);
    workload_.setCarriesData(false);
    while (const Grid* grid = workload_.nextGrid()) runGrid(*grid);
    return executed_;
  }

 private:
  struct Place {
    unsigned first = 0;        ///< first warp slot
    unsigned live = 0;         ///< warps that have not exited; 0: no CTA
    std::uint64_t serial = 0;  ///< running number of its CTA
  };

  /// An asynchronous copy that is not stored in shared memory yet.
  struct Copy {
    StaticInstruction instruction;
    std::uint64_t number = 0;  ///< running number of the copy within the warp; so is `group`
    std::uint64_t group = 0;
  };

  void runGrid(const Grid& grid) {
    observer_.gridStarted(grid);
    warps_ = grid.warpsPerCta();
    cluster_ = grid.clusterCtas;
    live_ = waiting_ = arriving_ = 0;
    copies_.assign(limits_.warps, {});
    places_.assign(resident(grid), {});
    for (unsigned i = 0; i < places_.size(); ++i) places_[i].first = i * warps_;
    clusters_.assign(places_.size() / cluster_, {});
    std::uint64_t next = 0;
    do {
      for (std::size_t first = 0; first < places_.size() && next < grid.ctas; first += cluster_) {
        if (isEmpty(first)) startCluster(first, std::exchange(next, next + cluster_));
      }
      sweep(grid);
    } while (live_ != 0 || next < grid.ctas);
  }

  /// Returns how many CTAs are resident. Those of a cluster have SMs of their own on a GPU: here
  /// only their warps must find slots.
  unsigned resident(const Grid& grid) const {
    if (grid.clusterCtas == 1) return requireOccupancy(grid, limits_).ctas;
    Grid alone = grid;
    alone.clusterCtas = 1;
    requireOccupancy(alone, limits_);
    const unsigned clusters = limits_.warps / (grid.clusterCtas * grid.warpsPerCta());
    if (clusters == 0)
      throw InputError(
          fmt::format("kernel '{}': clusters of {} CTAs of {} warps, more than the {} warps that "
                      "run at once here; expected `fermata run` or `fermata exec`",
                      grid.kernel, grid.clusterCtas, grid.warpsPerCta(), limits_.warps));
    return clusters * grid.clusterCtas;
  }

  bool isEmpty(std::size_t first) const {
    const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(first);
    return std::all_of(begin, begin + cluster_, [](const Place& one) { return one.live == 0; });
  }

  void startCluster(std::size_t first, std::uint64_t cta) {
    clusters_[first / cluster_].start(cluster_ * warps_);
    for (unsigned rank = 0; rank < cluster_; ++rank) start(places_[first + rank], cta + rank);
  }

  /// Returns what lets a warp of the slot's cluster go on, by its number there.
  auto freeIn(unsigned slot) {
    return [this, first = slot - slot % (cluster_ * warps_)](unsigned warp) {
      waiting_ &= ~(SlotMask{1} << (first + warp));
    };
  }

  void start(Place& place, std::uint64_t cta) {
    place.live = warps_;
    place.serial = ++started_;
    barriers_.startCta(place.first, warps_);
    workload_.startCta(cta, place.first);
    for (unsigned slot = place.first; slot < place.first + warps_; ++slot) {
      live_ |= SlotMask{1} << slot;
    }
  }

  /// Gives a turn to every warp that does not wait.
  void sweep(const Grid& grid) {
    const SlotMask moving = live_ & ~waiting_;
    if (moving == 0) deadlock(grid);
    for (SlotMask m = moving; m != 0; m &= m - 1) turn(static_cast<unsigned>(__builtin_ctzll(m)));
    // Stores copies that are followed by an arrive: another warp may wait for them by polling,
    // without a wait instruction.
    for (; arriving_ != 0; arriving_ &= arriving_ - 1)
      storeAll(static_cast<unsigned>(__builtin_ctzll(arriving_)));
    if (progress_ && executed_ >= nextReport_) {
      progress_(executed_);
      nextReport_ = executed_ + kProgress;
    }
  }

  void turn(unsigned slot) {
    for (unsigned k = 0; k < kTurn; ++k) {
      const StaticInstruction* next = workload_.peek(slot);
      if (next == nullptr) return exit(slot);
      const StaticInstruction instruction = *next;
      if (instruction.groupsLeft != StaticInstruction::kAnyGroups) awaitCopies(slot, instruction);
      execution_.copy = WarpInstruction::kNoCopy;
      workload_.execute(slot, execution_);
      ++executed_;
      if (execution_.copy != WarpInstruction::kNoCopy) {
        copies_[slot].push_back({instruction, execution_.copy, workload_.copyGroups(slot)});
        if (instruction.copyStep == CopyStep::Arrive || instruction.copyStep == CopyStep::Complete)
          arriving_ |= SlotMask{1} << slot;
      }
      if (instruction.instructionClass == InstructionClass::Memory) {
        tell(slot, instruction);
      } else if (instruction.instructionClass == InstructionClass::Barrier &&
                 execution_.active != 0) {
        arrive(slot);
        if ((waiting_ >> slot & 1) != 0) return;
      }
    }
  }

  void arrive(unsigned slot) {
    if (execution_.barrier >= kClusterArrive) return reachClusterBarrier(slot);
    if (execution_.barrierWaits) waiting_ |= SlotMask{1} << slot;
    waiting_ &= ~barriers_.arrive(placeOf(slot).first, slot, execution_.barrier,
                                  execution_.barrierThreads, execution_.barrierWaits);
  }

  void reachClusterBarrier(unsigned slot) {
    const unsigned warps = cluster_ * warps_;
    ClusterBarrier& barrier = clusters_[slot / warps];
    if (execution_.barrier != kClusterWait) {
      barrier.arrive(slot % warps, freeIn(slot));
    } else if (!barrier.wait(slot % warps)) {
      waiting_ |= SlotMask{1} << slot;
    }
  }

  /// Tells the observer of an access. Its banks are those of the place in the owner's shared
  /// memory.
  void tell(unsigned slot, const StaticInstruction& instruction) {
    const bool shared = cluster_ > 1 && execution_.space == MemorySpace::Shared;
    if (shared && execution_.active != 0) return tellOwners(slot, instruction);
    observer_.accessed(warpIn(slot), instruction, execution_);
  }

  /// Tells of one access for each CTA that lanes go to, as each has banks of its own: of a
  /// multicast; of others, where the CTAs of a cluster lie on several multiprocessors.
  void tellOwners(unsigned slot, const StaticInstruction& instruction) {
    const unsigned own = slot / warps_ % cluster_;
    std::array<LaneMask, kMostClusterCtas> lanesOf{};
    for (LaneMask m = execution_.active; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      std::uint64_t& address = execution_.address[lane];
      const bool parts = cluster_ <= multiprocessors_ && namesRank(address);
      unsigned ranks = ranksOfMulticast(address);
      if (ranks == 0) ranks = 1U << (parts ? rankNamed(address) : own);
      for (; ranks != 0; ranks &= ranks - 1)
        lanesOf[static_cast<unsigned>(__builtin_ctz(ranks))] |= LaneMask{1} << lane;
      address = offsetIn(address);
    }
    for (const LaneMask lanes : lanesOf) {
      if (lanes == 0) continue;
      execution_.active = lanes;
      observer_.accessed(warpIn(slot), instruction, execution_);
    }
  }

  /// Stores the copies that the wait needs; the last `groupsLeft` groups stay under way.
  void awaitCopies(unsigned slot, const StaticInstruction& wait) {
    const std::uint64_t groups = workload_.copyGroups(slot);
    std::size_t done = 0;
    while (done < copies_[slot].size() && copies_[slot][done].group + wait.groupsLeft < groups)
      ++done;
    store(slot, done);
  }

  void storeAll(unsigned slot) { store(slot, copies_[slot].size()); }

  /// Stores the oldest `count` copies of a warp, each as its own access to shared memory.
  void store(unsigned slot, std::size_t count) {
    std::vector<Copy>& copies = copies_[slot];
    for (std::size_t i = 0; i < count; ++i) {
      workload_.storeCopy(slot, copies[i].number, execution_);
      tell(slot, copies[i].instruction);
    }
    copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void exit(unsigned slot) {
    storeAll(slot);
    Place& place = placeOf(slot);
    live_ &= ~(SlotMask{1} << slot);
    waiting_ &= ~barriers_.exit(place.first, slot);
    clusters_[slot / (cluster_ * warps_)].exit(slot % (cluster_ * warps_), freeIn(slot));
    if (--place.live == 0) workload_.endCta(place.first);
  }

  Place& placeOf(unsigned slot) { return places_[slot / warps_]; }
  WavefrontHalf warpIn(unsigned slot) {
    const Place& place = placeOf(slot);
    return {place.serial, slot, slot - place.first};
  }

  [[noreturn]] void deadlock(const Grid& grid) {
    std::string text = fmt::format(
        "kernel '{}': deadlock: every warp that has not exited waits at a barrier that cannot "
        "complete; expected as many threads at each barrier as take part",
        grid.kernel);
    unsigned named = 0;
    for (SlotMask m = waiting_; m != 0 && named < kWarpsNamed; m &= m - 1, ++named) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(m));
      text += fmt::format("; warp {} of a CTA waits", slot % warps_);
      const StaticInstruction* next = workload_.peek(slot);
      if (next == nullptr) continue;
      const InstructionText at = workload_.instructionText(grid.program, next->pc);
      text += fmt::format(" before pc {}", next->pc);
      if (const std::string place = at.place(); !place.empty()) text += " (" + place + ")";
    }
    throw InputError(text);
  }

  Workload& workload_;
  const OccupancyLimits& limits_;
  ExecutionObserver& observer_;
  const std::function<void(std::uint64_t)>& progress_;
  unsigned multiprocessors_;
  BarrierUnit barriers_;
  std::vector<Place> places_;
  std::vector<std::vector<Copy>> copies_;  ///< by warp slot, oldest first
  SlotMask arriving_ = 0;                  ///< warps that arrived at an mbarrier behind copies
  std::vector<ClusterBarrier> clusters_;
  unsigned warps_ = 1;    ///< warps per CTA
  unsigned cluster_ = 1;  ///< CTAs per cluster
  SlotMask live_ = 0;
  SlotMask waiting_ = 0;
  std::uint64_t started_ = 0;  ///< CTAs
  std::uint64_t executed_ = 0;
  std::uint64_t nextReport_ = kProgress;
  WarpInstruction execution_;
};

}  // namespace

std::uint64_t drive(Workload& workload, const OccupancyLimits& limits, ExecutionObserver& observer,
                    const std::function<void(std::uint64_t)>& progress, unsigned multiprocessors) {
  return Driver(workload, limits, observer, progress, multiprocessors).run();
}

}  // namespace fermata::platforms
