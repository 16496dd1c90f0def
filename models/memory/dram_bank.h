// One bank of a DRAM: its row buffer, and the cycles from which its own timing allows commands.
#pragma once

#include <fermata/models/memory/dram_timing.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <cstdint>

namespace fermata {

/// A bank is idle, or active with one open row. Preconditions of commands: the bank is in the state
/// that the command needs, and `at` is not before earliest().
class DramBank {
 public:
  /// True if the bank is active with this row.
  bool holds(std::uint64_t row) const { return active_ && row_ == row; }
  /// Returns the command that brings an access to `row` forward.
  DramCommand next(std::uint64_t row, bool write) const {
    if (!active_) return DramCommand::Activate;
    if (row_ != row) return DramCommand::Precharge;
    return write ? DramCommand::Write : DramCommand::Read;
  }
  /// Returns the cycle from which earlier commands of this bank allow the command.
  Cycle earliest(DramCommand command) const {
    if (command == DramCommand::Activate) return activateFrom_;
    return command == DramCommand::Precharge ? prechargeFrom_ : columnFrom_;
  }

  void activate(std::uint64_t row, Cycle at, const DramTiming& t) {
    active_ = true;
    row_ = row;
    activateFrom_ = at + t.rc;
    columnFrom_ = at + t.rcd;
    prechargeFrom_ = at + t.ras;
  }
  void column(bool write, Cycle at, const DramTiming& t) {
    prechargeFrom_ = std::max(prechargeFrom_, at + (write ? t.writeToPrecharge() : t.rtp));
  }
  void precharge(Cycle at, const DramTiming& t) {
    active_ = false;
    activateFrom_ = std::max(activateFrom_, at + t.rp);
  }

  bool active() const { return active_; }
  /// Makes the bank idle: refreshed by a command in cycle `at`.
  void refresh(Cycle at, const DramTiming& t) {
    active_ = false;
    activateFrom_ = at + t.rfc;
  }

 private:
  bool active_ = false;
  std::uint64_t row_ = 0;
  Cycle activateFrom_ = 0;
  Cycle columnFrom_ = 0;
  Cycle prechargeFrom_ = 0;
};

}  // namespace fermata
