// Plays a stream of instructions on a staged pipeline, the model or its reference, and records the
// course.
#pragma once

#include <fermata/models/core/staged_pipeline.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

namespace fermata::test {

struct StagedStream {
  struct Instruction {
    StagedPipeline::Kind kind = StagedPipeline::Kind::Other;
    Cycle gap = 0;  ///< least cycles since the previous issue; the first: since cycle 0
    StagedPipeline::Service service{};
    // Cycles from reached() to the call, and from the call to its argument `at`.
    Cycle acceptAfter = 0, acceptIn = 1;
    Cycle returnAfter = 0, returnIn = 0;
  };
  PipelineOrganisation organisation = PipelineOrganisation::Elastic;
  StageParameters parameters;
  std::vector<Instruction> instructions;
};

struct StagedLog {
  std::vector<Cycle> issued, reached, committed;   ///< by instruction
  std::vector<StallCause> front;                   ///< by cycle, without those of an issue
  std::vector<std::pair<Cycle, Cycle>> frontTime;  ///< in each cycle played
  std::size_t cycles() const { return frontTime.size(); }
};

/// Every: plays every cycle. Lazy: plays the cycles that the pipeline or the stream names.
enum class Playing { Every, Lazy };

template <class Pipeline>
class StagedPlayer {
 public:
  StagedPlayer(const StagedStream& stream, Playing playing)
      : pipeline(stream.organisation, stream.parameters), stream_(stream), playing_(playing) {
    const std::size_t count = stream.instructions.size();
    for (auto* log : {&log_.issued, &log_.reached, &log_.committed}) log->assign(count, kNever);
    ids_.resize(count);
  }
  StagedLog play() {
    for (Cycle now = 0; left() != 0; now = after(now)) {
      if (now > kLongest) throw std::logic_error("not over, ever");
      cycle(now);
    }
    lookAtFront(now_);
    return log_;
  }

  Pipeline pipeline;

 private:
  using Id = StagedPipeline::Id;
  static constexpr Cycle kLongest = 200'000;

  std::size_t left() const { return stream_.instructions.size() - committed_; }

  void cycle(Cycle now) {
    now_ = now;
    pipeline.advance(now);
    takeCommits();
    release();
    log_.frontTime.emplace_back(now, pipeline.frontTime(now));
    if (const std::optional<Id> id = pipeline.reached()) reach(*id);
    for (std::size_t i = 0; i < issued_; ++i) answer(i);
    takeCommits();
    if (playing_ == Playing::Every) lookAtFront(now + 1);
    if (issued_ < ids_.size() && wanted() <= now && pipeline.free() <= now) issue();
  }
  void release() {
    for (const Id id : through_) pipeline.release(id);
    through_.clear();
  }
  std::size_t number(Id id) const {
    for (std::size_t i = issued_; i-- > 0;) {
      if (ids_[i] == id) return i;
    }
    throw std::logic_error("an instruction that was not issued");
  }
  void reach(Id id) {
    const std::size_t i = number(id);
    if (log_.reached[i] != kNever) throw std::logic_error("reached twice");
    log_.reached[i] = now_;
    pipeline.serve(stream_.instructions[i].service);
  }
  /// Return the cycle in which the call for instruction i is made; kNever: no call, or not known
  /// yet.
  Cycle acceptAt(std::size_t i) const {
    const auto& plan = stream_.instructions[i];
    const bool waits = log_.reached[i] != kNever && !plan.service.accepted;
    return waits ? log_.reached[i] + plan.acceptAfter : kNever;
  }
  Cycle returnAt(std::size_t i) const {
    const auto& plan = stream_.instructions[i];
    const bool returns =
        log_.reached[i] != kNever && plan.service.exit == StagedPipeline::Exit::Return;
    return returns ? log_.reached[i] + plan.returnAfter : kNever;
  }
  void answer(std::size_t i) {
    const auto& plan = stream_.instructions[i];
    if (acceptAt(i) == now_) pipeline.accepted(ids_[i], now_ + plan.acceptIn);
    if (returnAt(i) == now_) pipeline.returned(ids_[i], now_ + plan.returnIn);
  }
  Cycle wanted() const {
    if (issued_ == ids_.size()) return kNever;
    return (issued_ == 0 ? 0 : log_.issued[issued_ - 1]) + stream_.instructions[issued_].gap;
  }
  void issue() {
    lookAtFront(now_);
    log_.front.resize(now_ + 1, StallCause::Idle);
    log_.issued[issued_] = now_;
    ids_[issued_] = pipeline.issue(stream_.instructions[issued_].kind, now_);
    ++issued_;
  }
  /// Asks for the state of the front end in cycles before `end` not asked for yet. One answer may
  /// hold for several cycles.
  void lookAtFront(Cycle end) {
    while (log_.front.size() < end) {
      const Cycle at = log_.front.size();
      const StagedPipeline::Front front = pipeline.front(at);
      if (front.until <= at) throw std::logic_error("an answer for no cycle");
      const Cycle until = playing_ == Playing::Every ? at + 1 : std::min(front.until, end);
      log_.front.resize(until, front.cause);
    }
  }
  Cycle after(Cycle now) const {
    if (playing_ == Playing::Every) return now + 1;
    Cycle next = pipeline.next();
    if (issued_ < ids_.size()) next = std::min(next, std::max(wanted(), pipeline.free()));
    for (std::size_t i = 0; i < issued_; ++i) {
      for (const Cycle at : {acceptAt(i), returnAt(i)}) {
        if (at > now) next = std::min(next, at);
      }
    }
    if (next == kNever && left() != 0) throw std::logic_error("nothing to come, but not over");
    return std::max(next, now + 1);
  }
  void takeCommits() {
    for (const StagedPipeline::Commit& commit : pipeline.commits()) committed(commit.id, commit.at);
    pipeline.commits().clear();
  }
  void committed(Id id, Cycle at) {
    const std::size_t i = number(id);
    if (log_.committed[i] != kNever) throw std::logic_error("committed twice");
    if (at < now_) throw std::logic_error("committed late");
    log_.committed[i] = at;
    ids_[i] = ~Id{0};
    through_.push_back(id);
    if (i % 2 == 0) release();  // released at once for every second instruction
    ++committed_;
  }

  const StagedStream& stream_;
  Playing playing_;
  StagedLog log_;
  std::vector<Id> ids_;      ///< by instruction; ~0: finished
  std::vector<Id> through_;  ///< finished, not yet released
  std::size_t issued_ = 0;
  std::size_t committed_ = 0;
  Cycle now_ = 0;
};

}  // namespace fermata::test
