// The issue side of a streaming multiprocessor: CTAs are placed, warps are scheduled, instructions
// issue and retire. Memory instructions leave through the memory port.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fermata/models/core/barrier_unit.h>
#include <fermata/models/core/cta_table.h>
#include <fermata/models/core/memory_port.h>
#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/pipelines.h>
#include <fermata/models/core/scoreboard.h>
#include <fermata/models/core/stall_account.h>
#include <fermata/models/core/warp_policy.h>
#include <fermata/models/core/warp_table.h>
#include <fermata/models/core/workload.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class SmCore : public sc_core::sc_module, public Ticked, private MemoryPort::Client {
 public:
  struct Parameters {
    PolicyKind policy = PolicyKind::LooseRoundRobin;
    unsigned schedulers = 2;   ///< warp slot s belongs to scheduler s mod schedulers
    unsigned issueWidth = 1;   ///< instructions a scheduler issues a cycle, from different warps
    unsigned activeWarps = 8;  ///< two-level policy: active set of a scheduler
    OccupancyLimits limits;
    PipelineParameters pipelines;
    unsigned constantLatency = 9;  ///< cycles of a constant or parameter load that hits
    bool verify = false;           ///< accesses carry data
  };

  MemoryPort port;

  /// `probe` may be null.
  SmCore(const sc_core::sc_module_name& name, ClockDomain& domain, const Parameters& parameters,
         Probe* probe);

  /// Begins a workload in the current cycle. The previous one must have finished; `workload` and
  /// what it refers to must stay until this one has. Run the simulation afterwards.
  void start(Workload& workload);

  bool finished() const { return workload_ == nullptr; }
  /// Cycles from start to the retirement of the last CTA.
  Cycle cycles() const { return ended_ - started_; }
  /// Cycle of the running workload.
  Cycle elapsed(Cycle now) const { return now - started_; }
  std::uint64_t issued() const { return issued_; }
  /// Why nothing moves, for a simulation that stops short: what each resident warp waits for.
  std::string describeWait() const;
  /// Of the grid with the most resident warps so far.
  const Occupancy& bestOccupancy() const { return best_; }
  /// Warps of that grid that are resident at most.
  unsigned residentWarps() const { return bestWarps_; }

  Cycle tick(Cycle now) override;

 private:
  bool beginGrid(Cycle now);
  void placeCtas(Cycle now);
  void retireCtas(Cycle now);
  void endGrid(Cycle now);
  void schedule(unsigned scheduler, Cycle now);
  void issue(unsigned scheduler, unsigned slot, Cycle now);
  void issueMemory(unsigned slot, const StaticInstruction& instruction, Cycle now);
  void issueBarrier(unsigned slot, Cycle now);
  void advance(unsigned slot, Cycle notBefore, Cycle now);
  void exitWarp(unsigned slot, Cycle now);
  void release(SlotMask warps, Cycle now);
  void complete(unsigned slot, const StaticInstruction& instruction, Cycle at);
  void completed(const WarpAccess& access, Cycle at) override;
  Cycle nextUseful(Cycle now) const;
  void portFree(Cycle at) override;
  bool fixedLatency(const StaticInstruction& instruction) const;

  ClockDomain& domain_;
  Parameters parameters_;
  Probe* probe_;
  Workload* workload_ = nullptr;
  const Grid* grid_ = nullptr;
  std::uint64_t nextCta_ = 0;
  Occupancy best_;
  unsigned bestWarps_ = 0;
  CtaTable ctas_;
  WarpTable warps_;
  Scoreboard scoreboard_;
  BarrierUnit barriers_;
  Pipelines pipelines_;
  std::vector<SlotMask> schedulerSlots_;
  std::vector<std::unique_ptr<WarpPolicy>> policies_;
  StallAccount stalls_;
  std::array<Cycle, kMaxWarpSlots>
      notBefore_{};  ///< of the warp's next instruction, operands aside
  WarpInstruction scratch_;
  LaneMask lastActive_ = 0;
  Cycle started_ = 0;
  Cycle ended_ = 0;
  std::uint64_t issued_ = 0;
};

}  // namespace fermata
