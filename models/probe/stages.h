// Where an in-order pipeline lost issue slots, and how well its bank conflicts were foretold.
#pragma once

#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>

#include <array>
#include <optional>

namespace fermata {

class StageCounters : public Probe {
 public:
  /// `history`: conflicts are foretold from one.
  explicit StageCounters(bool history) : history_(history) {}

  static const Figures<StageCounters>& figures();

  void reset() { *this = StageCounters(history_); }

  std::uint64_t of(StallCause cause) const { return slots_[static_cast<unsigned>(cause)]; }
  /// The front end takes an instruction and no warp may issue one.
  std::uint64_t scheduleFails() const {
    return of(StallCause::Scoreboard) + of(StallCause::Barrier) + of(StallCause::SafeDistance);
  }

  unsigned events() const override { return Stalls | Forecasts; }
  void stalled(StallCause cause, Cycle, Cycle, std::uint64_t slots) override {
    slots_[static_cast<unsigned>(cause)] += slots;
  }
  void foretold(const ForetoldEvent& event) override {
    ++(event.found ? hits_ : misses_);
    if (event.foretold != event.measured) ++wrong_;
  }

 private:
  std::optional<std::uint64_t> ofHistory(std::uint64_t count) const {
    return history_ ? std::optional(count) : std::nullopt;
  }

  bool history_;
  std::array<std::uint64_t, kStallCauses> slots_{};
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace fermata
