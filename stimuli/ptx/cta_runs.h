// Clusters that run without time: warps in turn until each waits or exits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/barrier_unit.h>
#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/ptx/execution_counts.h>
#include <fermata/stimuli/ptx/executor.h>

namespace fermata::ptx {

class ClusterRun;

/// Runs one CTA after the other, in the slots from `first` on.
class CtaRun {
 public:
  /// `rank`: of its CTAs in `cluster`. `counts`: takes what executes; null: not asked for.
  CtaRun(Executor& executor, ClusterRun& cluster, unsigned rank, unsigned first,
         ExecutionCounts* counts);

  void start(std::uint64_t cta);
  bool live() const { return live_ != 0; }
  /// True if a warp does not wait.
  bool goesOn() const { return (live_ & ~waiting_) != 0; }
  /// Gives a turn to each warp that can go on, and ends the CTA once all have exited.
  void round();
  /// Lets a warp go on that waits at the cluster's barrier.
  void free(unsigned warp) { waiting_ &= ~bit(warp); }
  /// Adds which warps wait at which barriers.
  void addWaits(std::string& text) const;

 private:
  /// An arrival behind the copies of a warp. No instruction has to wait for it: threads may poll
  /// the mbarrier.
  struct Arrival {
    unsigned warp;
    std::uint64_t copy;
  };

  static SlotMask bit(unsigned warp) { return SlotMask{1} << warp; }
  void turn(unsigned warp);
  /// Executes one instruction. Returns false if the warp waits or has exited.
  bool step(unsigned warp);
  void arrive(unsigned warp);
  void exit(unsigned warp);

  Executor& executor_;
  ClusterRun& cluster_;
  ExecutionCounts* counts_;
  unsigned rank_;
  unsigned first_;
  unsigned warps_;
  BarrierUnit barriers_;
  std::vector<unsigned> barrierOf_;  ///< by warp that waits
  SlotMask live_ = 0;                ///< warps that have not exited
  SlotMask waiting_ = 0;
  std::vector<Arrival> arrivals_;  ///< in this round
  WarpInstruction instruction_;
};

/// Runs one cluster after the other: all its CTAs at once, each in slots of its own. Without
/// clusters, a cluster is one CTA.
class ClusterRun {
 public:
  ClusterRun(Executor& executor, unsigned firstSlot, ExecutionCounts* counts = nullptr);
  ClusterRun(const ClusterRun&) = delete;
  ClusterRun& operator=(const ClusterRun&) = delete;

  std::uint64_t cluster() const { return number_; }
  void start(std::uint64_t cluster);
  /// Gives a turn to each warp that can go on. Returns false once all CTAs have ended.
  bool round();

  // For its CTAs: a warp executes an instruction of the cluster's barrier, or exits.

  /// Returns true if the warp must wait.
  bool reaches(unsigned rank, unsigned warp, std::uint16_t barrier);
  void exits(unsigned rank, unsigned warp);

 private:
  void freeWarp(unsigned warp) { ctas_[warp / warps_].free(warp % warps_); }
  [[noreturn]] void deadlock() const;

  std::uint64_t number_ = 0;
  unsigned warps_;  ///< of a CTA
  ClusterBarrier barrier_;
  std::vector<CtaRun> ctas_;
};

}  // namespace fermata::ptx
