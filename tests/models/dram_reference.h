// Reference of a DRAM channel: every cycle played, every rule checked against the history of
// commands. Slow, and written apart from the model.
#pragma once

#include <fermata/models/memory/dram_channel.h>

#include <algorithm>
#include <map>
#include <optional>

namespace fermata::test {

class ReferenceChannel {
 public:
  explicit ReferenceChannel(const DramChannel::Parameters& p) : p_(p) {}

  bool full() const { return queue_.size() >= p_.queue; }
  void add(const DramAccess& access, Cycle at) { queue_.push_back({access, at, false}); }
  /// Plays one cycle.
  void tick(Cycle now, std::vector<DramChannel::Served>& served) {
    refresh(now);
    now_ = now;
    if (queue_.empty()) return;
    const bool urgent = now >= queue_.front().arrived + p_.patience;
    if (urgent && serveFirst(now, served)) return;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (firstHit(i) && !(urgent && disturbs(i)) && mayColumn(i, now))
        return column(i, now, served);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const bool own = i == firstOf(queue_[i].access.bank) && !bankWanted(queue_[i].access.bank);
      if (own && !(urgent && sameBank(i, 0)) && mayRow(i, now)) return row(i, now);
    }
  }

 private:
  struct Waiting {
    DramAccess access;
    Cycle arrived;
    bool activated;
  };
  struct Column {
    Cycle at;
    unsigned bank;
    bool write;
  };
  struct Row {
    std::optional<std::uint64_t> open;
    std::optional<Cycle> activated, precharged, refreshed;
  };

  /// Refreshes the sets of banks that are due, and closes their rows before.
  void refresh(Cycle now) {
    for (unsigned set = 0; set < due_.size(); ++set) {
      if (p_.timing.refi == 0 || now < due_[set] || !refreshed(set, now)) continue;
      due_[set] += interval() * due_.size();
    }
  }
  /// True if the set is refreshed in this cycle.
  bool refreshed(unsigned set, Cycle now) {
    bool close = true;
    bool ready = true;
    eachOf(set, [&](unsigned bank, Row& row) {
      if (row.open && !mayPrecharge(bank, now)) close = false;
    });
    eachOf(set, [&](unsigned, Row& row) {
      if (close && row.open) row.precharged = now;
      if (close) row.open.reset();
      ready = ready && !row.open && passed(row.activated, p_.timing.rc, now) &&
              passed(row.precharged, p_.timing.rp, now) &&
              passed(row.refreshed, p_.timing.rfc, now);
    });
    if (ready) eachOf(set, [&](unsigned, Row& row) { row.refreshed = now; });
    return ready;
  }
  unsigned banksPerRefresh() const { return p_.refreshBanks == 0 ? p_.banks : p_.refreshBanks; }
  Cycle interval() const { return p_.timing.refi * banksPerRefresh() / p_.banks; }
  /// Returns the first refresh of each set: the last set goes first.
  std::vector<Cycle> firstDue() const {
    std::vector<Cycle> due(p_.banks / banksPerRefresh());
    for (std::size_t set = 0; set < due.size(); ++set) due[set] = interval() * (due.size() - set);
    return due;
  }
  template <class Visit>
  void eachOf(unsigned set, Visit visit) {
    for (unsigned i = 0; i < banksPerRefresh(); ++i) {
      const unsigned bank = set * banksPerRefresh() + i;
      visit(bank, rows_[bank]);
    }
  }
  /// True if the bank waits for its refresh and takes no command.
  bool blocked(unsigned bank) const {
    return p_.timing.refi != 0 && now_ >= due_[bank / banksPerRefresh()];
  }
  bool serveFirst(Cycle now, std::vector<DramChannel::Served>& served) {
    if (wantsOpenRow(0)) {
      if (!mayColumn(0, now)) return false;
      column(0, now, served);
      return true;
    }
    if (!mayRow(0, now)) return false;
    row(0, now);
    return true;
  }
  bool sameBank(std::size_t a, std::size_t b) const {
    return queue_[a].access.bank == queue_[b].access.bank;
  }
  /// True if a column must wait while the first access is urgent.
  bool disturbs(std::size_t i) const {
    if (sameBank(i, 0)) return true;
    return wantsOpenRow(0) && queue_[i].access.write != queue_[0].access.write;
  }
  bool wantsOpenRow(std::size_t i) const {
    const unsigned bank = queue_[i].access.bank;
    const auto found = rows_.find(bank);
    return !blocked(bank) && found != rows_.end() && found->second.open == queue_[i].access.row;
  }
  /// True for the oldest access to an open row. Accesses to a row stay in order, reads and writes
  /// alike.
  bool firstHit(std::size_t i) const {
    for (std::size_t older = 0; older < i; ++older) {
      if (sameBank(older, i) && wantsOpenRow(older)) return false;
    }
    return wantsOpenRow(i);
  }
  bool bankWanted(unsigned bank) const {
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (queue_[i].access.bank == bank && wantsOpenRow(i)) return true;
    }
    return false;
  }
  std::size_t firstOf(unsigned bank) const {
    std::size_t i = 0;
    while (queue_[i].access.bank != bank) ++i;
    return i;
  }
  static bool passed(const std::optional<Cycle>& since, Cycle least, Cycle now) {
    return !since || now >= *since + least;
  }
  bool mayColumn(std::size_t i, Cycle now) const {
    const DramTiming& t = p_.timing;
    const DramAccess& a = queue_[i].access;
    if (blocked(a.bank)) return false;
    if (!passed(rows_.at(a.bank).activated, t.rcd, now)) return false;
    for (const Column& c : columns_) {
      Cycle least = t.ccd;
      const bool sameStack = c.bank / ofStack() == a.bank / ofStack();
      if (sameStack && c.bank % p_.bankGroups == a.bank % p_.bankGroups)
        least = std::max<Cycle>(least, t.ccdl);
      if (!sameStack && !c.write && !a.write) least = std::max<Cycle>(least, t.ccdr);
      if (c.write && !a.write) least = std::max<Cycle>(least, t.wl + t.ccd + t.cdlr);
      // Read data take until CL + CCD, followed by a gap; data of the write start at WL.
      if (!c.write && a.write && now + t.wl < c.at + t.cl + t.ccd + t.turnaround) return false;
      if (now < c.at + least) return false;
    }
    return true;
  }
  unsigned ofStack() const { return p_.banks / p_.stackIds; }
  bool mayRow(std::size_t i, Cycle now) const {
    const unsigned bank = queue_[i].access.bank;
    if (blocked(bank)) return false;
    const auto found = rows_.find(bank);
    if (found == rows_.end() || !found->second.open) return mayActivate(bank, now);
    return mayPrecharge(bank, now);
  }
  bool mayPrecharge(unsigned bank, Cycle now) const {
    const DramTiming& t = p_.timing;
    if (!passed(rows_.at(bank).activated, t.ras, now)) return false;
    return std::all_of(columns_.begin(), columns_.end(), [&](const Column& c) {
      return c.bank != bank || now >= c.at + (c.write ? t.wl + t.ccd + t.wr : t.rtp);
    });
  }
  bool mayActivate(unsigned bank, Cycle now) const {
    const std::size_t count = activates_.size();
    if (count >= 4 && now < activates_[count - 4] + p_.timing.faw) return false;
    for (const auto& [other, row] : rows_) {
      if (!passed(row.activated, p_.timing.rrd, now)) return false;
      if (other == bank && !passed(row.activated, p_.timing.rc, now)) return false;
      if (other == bank && !passed(row.refreshed, p_.timing.rfc, now)) return false;
      if (other == bank && !passed(row.precharged, p_.timing.rp, now)) return false;
    }
    return true;
  }
  void row(std::size_t i, Cycle now) {
    Row& row = rows_[queue_[i].access.bank];
    if (row.open) {
      row.open.reset();
      row.precharged = now;
    } else {
      row.open = queue_[i].access.row;
      row.activated = now;
      activates_.push_back(now);
      queue_[i].activated = true;
    }
  }
  void column(std::size_t i, Cycle now, std::vector<DramChannel::Served>& served) {
    Waiting& w = queue_[i];
    columns_.push_back({now, w.access.bank, w.access.write});
    if (columns_.size() > 64) columns_.erase(columns_.begin());
    if (--w.access.bursts != 0) return;
    const DramTiming& t = p_.timing;
    served.push_back({w.access, now + (w.access.write ? t.wl : t.cl) + t.ccd, !w.activated});
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  DramChannel::Parameters p_;
  std::vector<Waiting> queue_;  ///< oldest first
  std::map<unsigned, Row> rows_;
  std::vector<Cycle> activates_;
  Cycle now_ = 0;
  std::vector<Cycle> due_ = firstDue();  ///< next refresh of each set of banks
  std::vector<Column> columns_;          ///< the last ones
};

}  // namespace fermata::test
