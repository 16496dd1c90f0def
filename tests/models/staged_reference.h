// Reference of a staged pipeline: an explicit place for every stage, every cycle played. Slow, and
// written apart from the model.
#pragma once

#include <fermata/models/core/staged_pipeline.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

namespace fermata::test {

class StagedReference {
 public:
  using Id = StagedPipeline::Id;
  using Kind = StagedPipeline::Kind;
  using Exit = StagedPipeline::Exit;

  StagedReference(PipelineOrganisation organisation, const StageParameters& p)
      : organisation_(organisation),
        p_(p),
        front_(p.stages - p.memoryStages - 2),
        memory_(p.memoryStages),
        others_(p.memoryStages) {}

  /// Plays the ends of all cycles before `now`.
  void advance(Cycle now) {
    for (; cycle_ < now; ++cycle_) endOfCycle();
  }
  std::optional<Id> reached() const { return reached_; }
  std::vector<StagedPipeline::Commit>& commits() { return commits_; }
  void serve(const StagedPipeline::Service& service) {
    Instruction& i = instructions_[*reached_];
    i.service = service;
    if (service.accepted) i.acceptedAt = 0;
    passEnd_ = cycle_ + service.passes[0] - 1;
    reached_.reset();
  }
  void accepted(Id id, Cycle at) { instructions_[id].acceptedAt = at; }
  void returned(Id id, Cycle at) {
    instructions_[id].returnAt = at;
    if (instructions_[id].left) comeBack(id, at);
  }
  Id issue(Kind kind, Cycle) {
    const Id id = static_cast<Id>(instructions_.size());
    instructions_.push_back({kind});
    Instruction& i = instructions_.back();
    i.service.passes.fill(1);
    if (kind != Kind::Access) i.acceptedAt = 0;
    for (unsigned s = 0; s < p_.subwarps(); ++s) waiting_.push_back({id, s});
    front_[0] = waiting_.front();
    waiting_.pop_front();
    return id;
  }
  void release(Id) {}
  /// Returns the first free cycle: this one, or the next if this one is not free.
  Cycle free() const { return stall_ || front_[0] || !waiting_.empty() ? cycle_ + 1 : cycle_; }
  /// Returns the state of the front end in this cycle.
  StagedPipeline::Front front(Cycle) const {
    if (stall_) return {*stall_, cycle_ + 1};
    return {free() == cycle_ ? StallCause::Idle : StallCause::Pipeline, cycle_ + 1};
  }
  Cycle frontTime(Cycle) const { return shifts_; }
  Cycle next() const { return cycle_ + 1; }

 private:
  struct Subwarp {
    Id id;
    unsigned number;
  };
  using Stage = std::optional<Subwarp>;
  struct Instruction {
    Kind kind;
    StagedPipeline::Service service{};
    Cycle acceptedAt = kNever;
    Cycle returnAt = kNever;
    bool left = false;
  };
  struct Data {
    Id id;
    Cycle at;
    unsigned subwarps;
  };

  bool elastic() const { return organisation_ == PipelineOrganisation::Elastic; }
  bool isMemory(const Subwarp& s) const {
    return organisation_ == PipelineOrganisation::Unified ||
           instructions_[s.id].kind != Kind::Other;
  }
  bool isLast(const Subwarp& s) const { return s.number + 1 == p_.subwarps(); }
  static std::optional<Subwarp> take(Stage& stage) {
    const Stage what = stage;
    stage.reset();
    return what;
  }

  void endOfCycle() {
    ports_ = p_.writebackPorts;
    data();
    endOfMemory();
    const bool memoryMoves = !memory_.back();
    endOfOthers();
    const bool othersMove = !others_.back();
    executeToWriteBack();
    if (memoryMoves) moveMemory();
    if (othersMove) shift(others_);
    if (!memory_[0] && !premem_.empty()) {
      enterMemory(premem_.front());
      premem_.pop_front();
    }
    if (execute_) executeTo(othersMove);
    moveFront(memoryMoves);
  }

  /// Puts a subwarp into WB in the next cycle.
  void writeBack(const Subwarp& s) {
    --ports_;
    if (isLast(s)) commits_.push_back({s.id, cycle_ + 2});
  }
  void data() {
    while (ports_ != 0) {
      const auto oldest = std::min_element(
          data_.begin(), data_.end(), [](const Data& a, const Data& b) { return a.at < b.at; });
      if (oldest == data_.end() || oldest->at > cycle_) return;
      writeBack({oldest->id, p_.subwarps() - oldest->subwarps});
      if (--oldest->subwarps == 0) data_.erase(oldest);
    }
  }
  void comeBack(Id id, Cycle at) { data_.push_back({id, at, p_.subwarps()}); }
  void endOfMemory() {
    if (!memory_.back()) return;
    Instruction& i = instructions_[memory_.back()->id];
    if (i.service.exit == Exit::WriteBack) {
      if (ports_ != 0) writeBack(*take(memory_.back()));
      return;
    }
    const Subwarp s = *take(memory_.back());
    if (!isLast(s)) return;
    if (i.service.exit == Exit::Leave) return commits_.push_back({s.id, cycle_ + 2});
    i.left = true;
    if (i.returnAt != kNever) comeBack(s.id, std::max(i.returnAt, cycle_ + 1));
  }
  void endOfOthers() {
    if (others_.back() && ports_ != 0) writeBack(*take(others_.back()));
    for (; ports_ != 0 && !nonmem_.empty(); nonmem_.pop_front()) writeBack(nonmem_.front());
  }
  void executeToWriteBack() {
    if (elastic() && execute_ && !isMemory(*execute_) && ports_ != 0) writeBack(*take(execute_));
  }

  static void shift(std::vector<Stage>& stages) {
    for (std::size_t i = stages.size(); --i > 0;) stages[i] = take(stages[i - 1]);
  }
  bool passesOver() const {
    if (!memory_[0] || passEnd_ > cycle_) return false;
    const Instruction& i = instructions_[memory_[0]->id];
    if (!isLast(*memory_[0])) return true;
    return i.acceptedAt != kNever && cycle_ + 1 >= i.acceptedAt;
  }
  void moveMemory() {
    Stage stays;
    if (!passesOver()) stays = take(memory_[0]);
    shift(memory_);
    if (stays) memory_[0] = stays;
  }
  void enterMemory(const Subwarp& s) {
    memory_[0] = s;
    passEnd_ = cycle_ + instructions_[s.id].service.passes[s.number];
    if (instructions_[s.id].kind == Kind::Access && s.number == 0) reached_ = s.id;
  }

  void executeTo(bool othersMove) {
    const Subwarp s = *execute_;
    if (isMemory(s)) {
      if (!memory_[0] && premem_.empty()) {
        enterMemory(s);
      } else if (elastic() && premem_.size() < p_.prememEntries()) {
        premem_.push_back(s);
      } else {
        return;
      }
    } else if (elastic()) {
      if (nonmem_.size() >= p_.nonmemEntries()) return;
      nonmem_.push_back(s);
    } else {
      if (!othersMove) return;
      others_[0] = s;
    }
    execute_.reset();
  }
  void moveFront(bool memoryMoves) {
    stall_.reset();
    if (execute_) {
      const bool byPasses = isMemory(*execute_) && memoryMoves;
      stall_ = byPasses ? instructions_[memory_[0]->id].service.cause : StallCause::Writeback;
      return;
    }
    execute_ = take(front_.back());
    shift(front_);
    if (!waiting_.empty()) {
      front_[0] = waiting_.front();
      waiting_.pop_front();
    }
    ++shifts_;
  }

  PipelineOrganisation organisation_;
  StageParameters p_;
  std::vector<StagedPipeline::Commit> commits_;
  std::vector<Instruction> instructions_;

  std::deque<Subwarp> waiting_;  ///< subwarps of an issued warp that no stage has taken yet
  std::vector<Stage> front_;
  Stage execute_;
  std::deque<Subwarp> premem_, nonmem_;
  std::vector<Stage> memory_, others_;
  std::vector<Data> data_;  ///< data in the order of their arrival

  Cycle cycle_ = 0;
  /// End of the passes of the access in MEM0.
  Cycle passEnd_ = 0;
  Cycle shifts_ = 0;  ///< number of shifts of the front end
  unsigned ports_ = 0;
  std::optional<Id> reached_;
  std::optional<StallCause> stall_;  ///< cause for which the front end stands still in this cycle
};

}  // namespace fermata::test
