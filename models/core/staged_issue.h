// The issue of instructions into one in-order pipeline (staged_pipeline.h). An access is sent when
// its instruction reaches memory, a result counts when it is written back, and a warp waits for its
// instructions in the pipeline.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/memory_spacing.h>
#include <fermata/models/core/staged_pipeline.h>

#include <array>
#include <optional>
#include <vector>

namespace fermata {

/// Strict: at most one instruction of a warp is in the pipeline. Relaxed: a warp issues as long as
/// its registers allow it, but not behind a branch (Gou and Gaydadjiev, CF 2011, section 6).
enum class BarrelProcessing : std::uint8_t { Strict, Relaxed };
/// Any: an instruction may write back before an older one of its warp. InOrder: a warp waits until
/// its memory instructions have written back (section 6, second choice).
enum class CommitOrder : std::uint8_t { Any, InOrder };

template <>
struct ChoiceTable<BarrelProcessing> {
  static const std::vector<NamedChoice<BarrelProcessing>>& table();
};
template <>
struct ChoiceTable<CommitOrder> {
  static const std::vector<NamedChoice<CommitOrder>>& table();
};

class StagedIssue : private StagedPipeline::Client {
 public:
  struct Parameters {
    StageParameters stages;
    BarrelProcessing barrel = BarrelProcessing::Strict;
    CommitOrder commit = CommitOrder::Any;
    MemorySpacing::Parameters spacing;
  };
  struct Barrier {
    unsigned number = 0;
    unsigned threads = 0;
    bool waits = false;
  };
  class Client {
   public:
    virtual ~Client() = default;
    /// The instruction has ended, with its access: its results can be used in cycle `at`.
    virtual void ended(unsigned slot, const StaticInstruction& instruction, Cycle at) = 0;
    /// The warp may have less to wait for. If the instruction held up the warp, the next one waits
    /// until cycle `at`; otherwise `at` is 0. Called after ended().
    virtual void released(unsigned slot, Cycle at) = 0;
    /// The warp in the slot arrives at the barrier in cycle `at`.
    virtual void arrivedAtBarrier(unsigned slot, const Barrier& barrier, Cycle at) = 0;
  };

  /// `spaced`: memory instructions keep their distance. `probe` may be null.
  StagedIssue(PipelineOrganisation organisation, const Parameters& parameters, bool spaced,
              LoadStoreUnit& loadStore, Pipelines& pipelines, Client& client, Probe* probe);

  /// Forgets the conflict history, when a kernel begins.
  void clear();
  /// Does the pipeline's work of the cycles before `now`. Call it before anything else in a cycle;
  /// the client is told in deliver().
  void advance(Cycle now) {
    pipeline_.advance(now);
    takeSlots();
  }
  /// Sends the access that has reached memory, and tells the client of the instructions that ended.
  void deliver(Cycle now);
  /// Returns the first cycle, `from` or later, in which deliver() has work. `whenFree`: commits
  /// matter for the next issue only, so they may wait until the front end is free.
  Cycle next(Cycle from, bool whenFree) const;

  /// Issues an instruction in cycle `now`. `access`: the filled access of an instruction that goes
  /// to memory with an active lane; null for any other instruction.
  void issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
             WarpAccess* access, Cycle now);
  void issueBarrier(unsigned slot, const StaticInstruction& instruction, const Barrier& barrier,
                    Cycle now);

  /// True if the next instruction of the warp must wait for its earlier ones in the pipeline, even
  /// if its registers are ready.
  bool holds(unsigned slot) const { return holding_[slot] != 0; }
  StagedPipeline::Front front(Cycle at) const { return pipeline_.front(at); }
  /// True if memory instructions must not issue in cycle `now` unless no other one can.
  bool spaces(Cycle now) const {
    return spacing_ && spacing_->letsThrough() && pipeline_.frontTime(now) < spacing_->until();
  }

  /// Take the events of LoadStoreUnit::Client for an access that was given to issue().
  void arrived(const WarpAccess& access, Cycle at);
  void accepting(MemoryPath path, Cycle at);

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
    Cycle arrives = 0;         ///< cycle in which its access is answered; kNever: not yet
    std::optional<Barrier> barrier;
  };
  struct Commit {
    Id id;
    Cycle at;
  };

  void committed(Id id, Cycle at) override { commits_.push_back({id, at}); }
  InFlight& enter(unsigned slot, const StaticInstruction& instruction, StagedPipeline::Kind kind,
                  Cycle now);
  bool holdsBehind(const StaticInstruction& instruction) const;
  void space(InFlight& one, Cycle now);
  void send(Id id, Cycle now);
  unsigned passesOf(const StagedPipeline::Service& service) const;
  StagedPipeline::Service serviceOf(const WarpAccess& access, const MemoryPort::Sent& sent) const;
  void settle(Id id);
  void takeSlots();
  Id idOf(const WarpAccess& access) const;

  Parameters parameters_;
  LoadStoreUnit& loadStore_;
  Pipelines& pipelines_;
  Client& client_;
  StagedPipeline pipeline_;
  std::optional<MemorySpacing> spacing_;
  std::vector<InFlight> inFlight_;  ///< by Id
  std::vector<Commit> commits_;
  std::vector<Id> waiting_;  ///< instructions whose access was sent and has not ended
  std::array<unsigned, kMaxWarpSlots> holding_{};
  std::array<Id, kMemoryPaths> unaccepted_{};
};

}  // namespace fermata
