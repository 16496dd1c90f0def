// Instructions issue into one in-order pipeline (staged_pipeline.h). An access is sent when its
// instruction reaches memory, a result counts when it is written back, and a warp waits for its
// instructions in the pipeline.
#pragma once

#include <fermata/models/core/execution.h>
#include <fermata/models/core/memory_spacing.h>
#include <fermata/models/core/staged_pipeline.h>

#include <array>
#include <optional>
#include <vector>

namespace fermata {

class InOrderExecution final : public Execution {
 public:
  /// `probe` may be null.
  InOrderExecution(const WarpSchedulerParameters& parameters, LoadStoreUnit& loadStore,
                   Pipelines& pipelines, Client& client, Probe* probe);

  Cycle issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind, bool arrives,
              Cycle now) override;
  Cycle issueIdle(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                  Cycle now) override {
    return issue(slot, instruction, kind, false, now);
  }
  Cycle issueAccess(WarpAccess& access, IssueKind kind, Cycle now) override;
  bool arrived(const WarpAccess& access, Cycle at) override;
  void accepting(MemoryPath path, Cycle at) override;
  /// Forgets the conflict history.
  void beginGrid() override;
  bool takesCopies() const override { return false; }

  bool ticks() const override { return true; }
  void advance(Cycle now) override {
    pipeline_.advance(now);
    takeSlots();
  }
  /// Sends the access that has reached memory, and tells the client of the instructions that ended.
  void deliver(Cycle now) override;
  Cycle next(Cycle from, bool whenFree) const override;
  IssueWait front(Cycle at) const override {
    const StagedPipeline::Front front = pipeline_.front(at);
    return {front.cause, front.until};
  }

 private:
  using Id = StagedPipeline::Id;
  struct InFlight {
    unsigned slot = 0;
    const StaticInstruction* instruction = nullptr;
    WarpAccess* access = nullptr;  ///< its access, until that has ended
    MemorySpacing::Foretold foretold;
    bool shared = false;
    bool holds = false;
    Cycle committed = kNever;  ///< cycle of the commit; kNever: not yet
    Cycle answered = 0;        ///< cycle in which its access is answered; kNever: not yet
    bool arrives = false;      ///< its warp arrives at a barrier
  };

  bool spacesAt(Cycle now) const override { return pipeline_.frontTime(now) < spacing_->until(); }
  InFlight& enter(unsigned slot, const StaticInstruction& instruction, StagedPipeline::Kind kind,
                  Cycle now, unsigned passes = 1);
  bool holdsBehind(const StaticInstruction& instruction) const;
  void space(InFlight& one, Cycle now);
  void send(Id id, Cycle now);
  unsigned passesOf(const StagedPipeline::Service& service) const;
  StagedPipeline::Service serviceOf(const WarpAccess& access, const MemoryPort::Sent& sent) const;
  void settle(Id id);
  void takeSlots();
  Id idOf(const WarpAccess& access) const;

  InOrderParameters parameters_;
  LoadStoreUnit& loadStore_;
  Pipelines& pipelines_;
  Client& client_;
  StagedPipeline pipeline_;
  std::optional<MemorySpacing> spacing_;
  std::vector<InFlight> inFlight_;  ///< by Id
  std::vector<Id> waiting_;         ///< instructions whose access was sent and has not ended
  std::array<unsigned, kMaxWarpSlots> holders_{};  ///< instructions that hold up their warp
  std::array<Id, kMemoryPaths> unaccepted_{};
};

}  // namespace fermata
