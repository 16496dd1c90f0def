// Tracks of one multiprocessor: its warps, issue slots, units, memory port, the banks of its
// memories, replays, barriers and locks.
#pragma once

#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/probe/probe.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/timeline/bank_uses.h>
#include <fermata/platforms/program/timeline/time_of_run.h>
#include <fermata/platforms/program/timeline/warp_lives.h>

#include <string>
#include <string_view>
#include <vector>

namespace fermata::platforms {

class SmTimeline final : public Probe {
 public:
  using Stream = results::timeline::Stream;
  using TrackId = results::timeline::TrackId;

  /// `l1Banks`: 0 if there is no L1.
  SmTimeline(Stream& stream, InstructionNames& names, TimeOfRun& time, const std::string& name,
             unsigned number, const PlatformParameters& parameters, std::uint32_t l1Banks);

  /// Completes the events of all cycles before `now` on the stream.
  void settle(Cycle now);
  /// Sets the grid whose CTAs the multiprocessor runs from now on.
  void setGrid(const Grid& grid) {
    program_ = grid.program;
    warpsPerCta_ = grid.warpsPerCta();
  }

  unsigned events() const override {
    return Ctas | Issues | Retries | SharedTries | Caches | Locks | Warps | Ports;
  }
  void ctaStarted(std::uint64_t cta, unsigned warps, Cycle at) override;
  void ctaEnded(std::uint64_t cta, unsigned warps, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void retried(const WarpAccess& access, Cycle at) override;
  void sharedTry(const WarpAccess& access) override;
  void l1Try(const WarpAccess& access) override;
  void cached(const CacheEvent& event) override;
  void locked(const LockEvent& event) override;
  void waits(const WaitEvent& event, Cycle at) override;
  void waitsAtBarrier(unsigned slot, unsigned barrier, Cycle at) override;
  void requested(const WarpAccess& access, Cycle at) override;
  void completed(unsigned slot, const StaticInstruction& instruction, Cycle at) override;
  void exited(unsigned slot, Cycle at) override;
  void sent(const SendEvent& event) override;
  void pathFree(bool shared, Cycle at) override;

 private:
  using Event = results::timeline::Event;  // hides Probe's Event

  /// Units of one kind. An instruction takes the first free one.
  struct Units {
    std::vector<TrackId> tracks;
    std::vector<Cycle> free;
  };
  /// The warps that wait at a barrier, for one place of a CTA.
  struct Place {
    TrackId track = 0;
    SlotMask waiting = 0;
    unsigned barrier = 0;
    bool begun = false;
    Cycle since = 0;
  };

  bool enter(Cycle now);
  std::vector<TrackId> addTracks(TrackId group, const std::string& name, unsigned count,
                                 const char* says);
  Units addUnits(TrackId group, const std::string& name, unsigned count);
  void addTracks(const PlatformParameters& parameters, std::uint32_t l1Banks);
  void use(Units& units, const IssueEvent& event, InstructionClass kind);
  void slotTaken(unsigned slot, results::timeline::Text name, results::timeline::Text source,
                 Cycle at);
  void addBanks(const WarpAccess& access, BankUses& uses, const std::vector<TrackId>& tracks);
  void addInstant(TrackId track, std::string_view name, std::uint32_t program, std::uint32_t pc,
                  std::uint64_t number, Cycle at);
  void addCount(TrackId track, std::uint64_t value, Cycle at);
  void addSlice(TrackId track, const WarpAccess& access, std::string_view prefix,
                std::uint64_t number, Cycle from, Cycle to);
  void leavesBarrier(unsigned slot, Cycle at);
  Place& placeOf(unsigned slot) { return places_[slot / warpsPerCta_]; }
  std::uint64_t flowOf(const WarpAccess& access) const {
    return (std::uint64_t{number_} + 1) << 48 | (access.sequence + 1);
  }

  Stream& stream_;
  InstructionNames& names_;
  TimeOfRun& time_;
  unsigned number_;
  PipelineParameters pipelines_;
  SchedulerMap schedulers_;
  unsigned issueWidth_;
  TrackId group_;
  WarpLives warps_;
  BankUses sharedUses_;
  BankUses l1Uses_;
  std::vector<TrackId> issueSlots_;
  std::vector<Cycle> slotFree_;
  Units special_;
  Units doubles_;
  Units tensors_;
  TrackId port_ = 0;
  std::array<TrackId, 2> heldPath_{};  ///< index 0: global, 1: shared
  std::array<bool, 2> held_{};
  TrackId passes_ = 0;
  std::vector<TrackId> banks_;
  TrackId l1_ = 0;
  std::vector<TrackId> l1Banks_;
  TrackId replays_ = 0;
  TrackId lockTries_ = 0;
  std::vector<Place> places_;
  TrackId resident_ = 0;
  TrackId conflicts_ = 0;
  unsigned warpsPerCta_ = 1;
  unsigned residentWarps_ = 0;
  std::uint64_t conflictPasses_ = 0;
  std::uint32_t program_ = 0;
};

}  // namespace fermata::platforms
