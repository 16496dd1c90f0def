// Timing that the banks of a DRAM channel share: the data bus, its turnarounds, the bank groups,
// the dies of a stack of HBM and the rate of activates.
#pragma once

#include <fermata/models/memory/dram_timing.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class DramBus {
 public:
  /// Bank b of a set of dies is in group b mod bankGroups. The `banks` belong to `stackIds` sets,
  /// the first ones to the first, and so on, each with groups of its own. All are powers of two.
  DramBus(unsigned bankGroups, unsigned banks, unsigned stackIds)
      : inStack_(bankGroups),
        stackShift_(static_cast<unsigned>(__builtin_ctz(banks / stackIds))),
        groups_(std::size_t{bankGroups} * stackIds) {}

  /// Returns the cycle from which commands of all banks allow this command of `bank`.
  Cycle earliest(DramCommand command, unsigned bank) const {
    switch (command) {
      case DramCommand::Read:
        return groups_[groupOf(bank)].readFrom;
      case DramCommand::Write:
        return groups_[groupOf(bank)].writeFrom;
      case DramCommand::Activate:
        return activateFrom_;
      case DramCommand::Precharge:
        break;
    }
    return 0;
  }
  void column(unsigned bank, bool write, Cycle at, const DramTiming& t) {
    const Cycle read = at + (write ? t.writeToRead() : t.ccd);
    const Cycle written = at + (write ? t.ccd : t.readToWrite());
    for (Group& group : groups_) group.wait(read, written);
    if (!write && t.ccdr > t.ccd) leaveStack(bank, at + t.ccdr);
    groups_[groupOf(bank)].wait(at + t.ccdl, at + t.ccdl);
  }
  void activate(Cycle at, const DramTiming& t) {
    windows_[oldest_] = at + t.faw;
    oldest_ = (oldest_ + 1) % windows_.size();
    activateFrom_ = std::max(at + t.rrd, windows_[oldest_]);
  }

 private:
  struct Group {
    Cycle readFrom = 0;
    Cycle writeFrom = 0;

    void wait(Cycle read, Cycle write) {
      readFrom = std::max(readFrom, read);
      writeFrom = std::max(writeFrom, write);
    }
  };

  std::size_t stackOf(unsigned bank) const { return bank >> stackShift_; }
  std::size_t groupOf(unsigned bank) const {
    return stackOf(bank) * inStack_ + (bank & (inStack_ - 1));
  }
  /// Reads of other stack IDs than the bank's wait until cycle `at`.
  void leaveStack(unsigned bank, Cycle at) {
    const std::size_t own = stackOf(bank) * inStack_;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (g < own || g >= own + inStack_) groups_[g].wait(at, 0);
    }
  }

  std::size_t inStack_;  ///< bank groups of a stack ID
  unsigned stackShift_;  ///< bits of a bank's number below its stack ID
  std::vector<Group> groups_;
  Cycle activateFrom_ = 0;
  std::array<Cycle, 4> windows_{};  ///< ends of the windows that the last four activates opened
  std::size_t oldest_ = 0;          ///< of windows_
};

}  // namespace fermata
