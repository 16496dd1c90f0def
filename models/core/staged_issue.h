// What a core does with instructions that go through one in-order pipeline (staged_pipeline.h):
// their accesses are sent when they reach memory, their results count when they write back, and a
// warp waits for its instructions on the way.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/memory_spacing.h>
#include <fermata/models/core/staged_pipeline.h>

#include <array>
#include <optional>
#include <vector>

namespace fermata {

/// Strict: one instruction of a warp is on its way. Relaxed: a warp goes on while its registers
/// allow it, but not behind a branch (Gou and Gaydadjiev, CF 2011, section 6).
enum class BarrelProcessing : std::uint8_t { Strict, Relaxed };
/// Any: an instruction may write back before an older one of its warp. InOrder: a warp waits behind
/// its memory instructions until they have (section 6, its second choice).
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
    /// Nothing of the instruction is on its way any more: its results can be used in cycle `at`.
    virtual void ended(unsigned slot, const StaticInstruction& instruction, Cycle at) = 0;
    /// What its warp waits for may be less; for an instruction that it held it waits up to cycle
    /// `at`. After ended().
    virtual void released(unsigned slot, Cycle at) = 0;
    /// Its warp arrives at the barrier, in cycle `at`.
    virtual void arrivedAtBarrier(unsigned slot, const Barrier& barrier, Cycle at) = 0;
  };

  /// `spaced`: memory instructions keep their distance. `probe` may be null.
  StagedIssue(PipelineOrganisation organisation, const Parameters& parameters, bool spaced,
              LoadStoreUnit& loadStore, Pipelines& pipelines, Client& client, Probe* probe);

  /// A kernel begins.
  void clear();
  /// Does what is over before cycle `now`; the client is told in deliver(). To be called before
  /// anything else in a cycle.
  void advance(Cycle now) {
    pipeline_.advance(now);
    takeSlots();
  }
  /// Tells the client, and sends the access that has reached memory.
  void deliver(Cycle now);
  /// The first cycle, `from` or later, in which deliver() has something to do. `whenFree`: what is
  /// committed counts for nothing but the next issue.
  Cycle next(Cycle from, bool whenFree) const;

  /// Issues in cycle `now`. `access`: filled, of an instruction with an active lane that goes to
  /// memory; null: any other.
  void issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
             WarpAccess* access, Cycle now);
  void issueBarrier(unsigned slot, const StaticInstruction& instruction, const Barrier& barrier,
                    Cycle now);

  /// Whether the next instruction of a warp waits for those on their way, its registers aside.
  bool holds(unsigned slot) const { return holding_[slot] != 0; }
  StagedPipeline::Front front(Cycle at) const { return pipeline_.front(at); }
  /// Memory instructions are not to issue in cycle `now` unless nothing else can.
  bool spaces(Cycle now) const {
    return spacing_ && spacing_->letsThrough() && pipeline_.frontTime(now) < spacing_->until();
  }

  /// What LoadStoreUnit tells of an access that issue() was given.
  void arrived(const WarpAccess& access, Cycle at);
  void accepting(MemoryPath path, Cycle at);

 private:
  using Id = StagedPipeline::Id;
  struct InFlight {
    unsigned slot = 0;
    const StaticInstruction* instruction = nullptr;
    WarpAccess* access = nullptr;  ///< until it has ended
    MemorySpacing::Foretold foretold;
    bool shared = false;
    bool holds = false;
    Cycle committed = kNever;  ///< not yet
    Cycle arrives = 0;         ///< kNever: what it has sent is not answered
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
  std::vector<InFlight> inFlight_;  ///< by id
  std::vector<Commit> commits_;
  std::vector<Id> waiting_;  ///< sent, and not ended
  std::array<unsigned, kMaxWarpSlots> holding_{};
  std::array<Id, kMemoryPaths> unaccepted_{};
};

}  // namespace fermata
