#include <fermata/models/indexing/vector_clones.h>
#include <fermata/models/memory/dram_channel.h>

#include <algorithm>
#include <limits>

namespace fermata {

namespace {

constexpr unsigned lowest(std::uint64_t set) {
  return static_cast<unsigned>(__builtin_ctzll(set));
}

// Each bank's next command has a key, and the command of the least key is issued. From the top:
//
//   22 bits  cycles from now on      more than the commands of a channel can be apart
//    1 bit   set for row commands    columns go before rows
//   34 bits  age of the access       more accesses than come before the queue is empty once
//    6 bits  bank
//
// Keys have 63 bits because vectors compare signed numbers.
constexpr unsigned kTimeShift = 41;
constexpr std::uint64_t kRow = std::uint64_t{1} << 40;
constexpr unsigned kAgeShift = 6;
constexpr std::uint64_t kBank = DramChannel::kMostBanks - 1;

/// Banks per vector: the loops below run over whole vectors.
constexpr unsigned kVector = 4;

/// Returns the least key of all banks, for commands from cycle `now` on.
FERMATA_VECTOR_CLONES
std::uint64_t leastKey(const DramChannel::Wants& wants, unsigned vectors, Cycle now) {
  const auto from = static_cast<std::int64_t>(now);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (unsigned b = 0; b < vectors * kVector; ++b) {
    const std::int64_t apart = std::max(static_cast<std::int64_t>(wants.at[b]), from) - from;
    least = std::min(least, apart << kTimeShift | static_cast<std::int64_t>(wants.order[b]));
  }
  return static_cast<std::uint64_t>(least);
}

/// Returns the least cycle in which a command may serve an access, over all banks.
FERMATA_VECTOR_CLONES
Cycle leastServed(const DramChannel::Wants& wants, unsigned vectors, Cycle now) {
  const auto from = static_cast<std::int64_t>(now);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (unsigned b = 0; b < vectors * kVector; ++b) {
    const std::int64_t at = std::max(static_cast<std::int64_t>(wants.at[b]), from);
    least = std::min(least, at + static_cast<std::int64_t>(wants.toServed[b]));
  }
  return static_cast<Cycle>(least);
}

}  // namespace

DramChannel::DramChannel(const Parameters& parameters)
    : parameters_(parameters),
      entries_(parameters.queue),
      banks_(parameters.banks),
      vectors_((parameters.banks + kVector - 1) / kVector),
      gates_(2 * parameters.bankGroups + 2, 0) {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    entries_[i].next = idle_;
    idle_ = static_cast<Index>(i);
  }
  for (unsigned b = 0; b < kMostBanks; ++b) clear(b);
}

void DramChannel::add(const Access& access, Cycle at) {
  if (busy_ == 0) age_ = 0;
  const Index added = idle_;
  Entry& entry = entries_[added];
  idle_ = entry.next;
  entry = {access, at, age_++, false, kNone};
  Bank& bank = banks_[access.bank];
  const bool first = bank.first == kNone;
  const bool hits = bank.hit == kNone && bank.open && bank.row == access.row;
  if (hits) {
    bank.hit = added;
    bank.beforeHit = bank.last;
  }
  (bank.last == kNone ? bank.first : entries_[bank.last].next) = added;
  bank.last = added;
  busy_ |= std::uint64_t{1} << access.bank;
  if (access.write) ++writes_;
  if (!first && !hits) return;  // the next command of the bank stays as it is
  refresh(access.bank);
  if (urgentFrom_ == kNever) findOldest();
  chosen_ = false;
}

bool DramChannel::run(Cycle to, std::vector<Served>& served) {
  bool any = false;
  for (;;) {
    if (!chosen_) next_ = choose();
    chosen_ = true;
    if (next_.at >= to) break;
    issue(next_, served);
    chosen_ = false;
    any = true;
  }
  now_ = std::max(now_, to);
  return any;
}

Cycle DramChannel::nextServed() const {
  if (next_.at >= urgentFrom_) return next_.at;
  if (busy_ == 0) return kNever;
  return leastServed(wants_, vectors_, now_);
}

DramChannel::Command DramChannel::choose() const {
  if (busy_ == 0) return {};
  const Command best = commandOf(leastKey(wants_, vectors_, now_), now_);
  return best.at < urgentFrom_ ? best : chooseUrgent(std::max(now_, urgentFrom_));
}

DramChannel::Command DramChannel::chooseOf(std::uint64_t banks, Cycle from) const {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t b = banks; b != 0; b &= b - 1) {
    const Cycle apart = std::max(wants_.at[lowest(b)], from) - from;
    least = std::min(least, apart << kTimeShift | wants_.order[lowest(b)]);
  }
  return commandOf(least, from);
}

DramChannel::Command DramChannel::commandOf(std::uint64_t key, Cycle from) {
  return {from + (key >> kTimeShift), static_cast<unsigned>(key & kBank), false};
}

/// Chooses the next command when the oldest access has waited for `patience` cycles.
DramChannel::Command DramChannel::chooseUrgent(Cycle from) const {
  const Bank& bank = banks_[oldest_];
  const bool opened = bank.hit == bank.first;
  const bool write = entries_[bank.first].access.write;
  const Want want = wantOf(oldest_, opened ? bank.hit : kNone);
  const Command own{std::max({want.from, gates_[want.gate], from}), oldest_, true};
  std::uint64_t others = busy_ & ~(std::uint64_t{1} << oldest_);
  for (std::uint64_t b = opened ? others : 0; b != 0; b &= b - 1) {
    const Index hit = banks_[lowest(b)].hit;
    const bool turnsBus = hit != kNone && entries_[hit].access.write != write;
    if (turnsBus) others &= ~(b & (~b + 1));
  }
  if (others == 0) return own;
  const Command other = chooseOf(others, from);
  return own.at <= other.at ? own : other;
}

void DramChannel::findOldest() {
  urgentFrom_ = kNever;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t b = busy_; b != 0; b &= b - 1) {
    const Entry& entry = entries_[banks_[lowest(b)].first];
    if (entry.age >= least) continue;
    least = entry.age;
    oldest_ = lowest(b);
    urgentFrom_ = entry.arrived + parameters_.patience;
  }
}

DramChannel::Want DramChannel::wantOf(unsigned index, Index hit) const {
  const DramTiming& t = parameters_.timing;
  const Bank& bank = banks_[index];
  if (hit != kNone) {
    const Entry& entry = entries_[hit];
    return {bank.columnFrom, entry.age << kAgeShift | index, (entry.access.bursts - 1) * t.ccd,
            gateOf(index, entry.access.write)};
  }
  const std::uint64_t order = kRow | entries_[bank.first].age << kAgeShift | index;
  if (!bank.open) return {bank.activateFrom, order, t.rcd, activateGate()};
  return {bank.prechargeFrom, order, t.rp + t.rcd, activateGate() + 1};
}

void DramChannel::refresh(unsigned bank) {
  const Want want = wantOf(bank, banks_[bank].hit);
  const std::uint64_t bit = std::uint64_t{1} << bank;
  columns_ &= ~bit;
  activates_ &= ~bit;
  if (want.gate < activateGate()) {
    columns_ |= bit;
  } else if (want.gate == activateGate()) {
    activates_ |= bit;
  }
  gate_[bank] = want.gate;
  wants_.at[bank] = std::max(want.from, gates_[want.gate]);
  wants_.order[bank] = want.order;
  wants_.toServed[bank] = want.toServed;
}

/// Marks a bank without accesses: its key and toServed are larger than those of all others.
void DramChannel::clear(unsigned bank) {
  const std::uint64_t bit = std::uint64_t{1} << bank;
  busy_ &= ~bit;
  columns_ &= ~bit;
  activates_ &= ~bit;
  wants_.at[bank] = 0;
  wants_.order[bank] = ~std::uint64_t{0} >> 1;
  wants_.toServed[bank] = ~std::uint64_t{0} >> 2;
}

/// Delays the next commands of the banks to the new times of their gates.
void DramChannel::putOff(std::uint64_t banks) {
  for (std::uint64_t b = banks; b != 0; b &= b - 1) {
    const unsigned bank = lowest(b);
    wants_.at[bank] = std::max(wants_.at[bank], gates_[gate_[bank]]);
  }
}

void DramChannel::issue(const Command& command, std::vector<Served>& served) {
  const Bank& bank = banks_[command.bank];
  now_ = command.at + 1;  // the command bus takes one command per cycle
  if (command.urgent ? bank.hit == bank.first : bank.hit != kNone) {
    column(command.bank, command.at, served);
  } else if (bank.open) {
    precharge(command.bank, command.at);
  } else {
    activate(command.bank, command.at);
  }
  if (bank.first != kNone) refresh(command.bank);
}

void DramChannel::column(unsigned index, Cycle at, std::vector<Served>& served) {
  const DramTiming& t = parameters_.timing;
  Bank& bank = banks_[index];
  Entry& entry = entries_[bank.hit];
  const bool write = entry.access.write;
  closeGates(index, at, write);
  bank.prechargeFrom = std::max(bank.prechargeFrom, at + (write ? t.writeToPrecharge() : t.rtp));
  if (--entry.access.bursts != 0) return;
  served.push_back({entry.access, at + leastToEnd(t, write), !entry.activated});
  if (write) --writes_;
  const bool oldest = index == oldest_ && bank.hit == bank.first;
  removeHit(bank);
  if (bank.first == kNone) clear(index);
  if (oldest) findOldest();
}

/// Moves the gates of later columns after a column in cycle `at`.
void DramChannel::closeGates(unsigned bank, Cycle at, bool write) {
  const DramTiming& t = parameters_.timing;
  const Cycle reads = at + (write ? t.writeToRead() : t.ccd);
  const Cycle writes = at + (write ? t.ccd : t.readToWrite());
  for (unsigned gate = 0; gate < 2 * parameters_.bankGroups; gate += 2) {
    gates_[gate] = std::max(gates_[gate], reads);
    gates_[gate + 1] = std::max(gates_[gate + 1], writes);
  }
  for (const bool kind : {false, true}) {
    Cycle& own = gates_[gateOf(bank, kind)];
    own = std::max(own, at + t.ccdl);
  }
  putOff(columns_);
}

void DramChannel::activate(unsigned index, Cycle at) {
  const DramTiming& t = parameters_.timing;
  Bank& bank = banks_[index];
  Entry& entry = entries_[bank.first];
  entry.activated = true;
  bank.open = true;
  bank.row = entry.access.row;
  bank.hit = bank.first;
  bank.beforeHit = kNone;
  bank.activateFrom = at + t.rc;
  bank.columnFrom = at + t.rcd;
  bank.prechargeFrom = at + t.ras;
  gates_[activateGate()] = at + t.rrd;
  putOff(activates_);
}

void DramChannel::precharge(unsigned index, Cycle at) {
  Bank& bank = banks_[index];
  bank.open = false;
  bank.hit = kNone;
  bank.activateFrom = std::max(bank.activateFrom, at + parameters_.timing.rp);
}

void DramChannel::removeHit(Bank& bank) {
  const Index gone = bank.hit;
  Entry& entry = entries_[gone];
  (bank.beforeHit == kNone ? bank.first : entries_[bank.beforeHit].next) = entry.next;
  if (bank.last == gone) bank.last = bank.beforeHit;
  const Index next = entry.next;
  entry.next = idle_;
  idle_ = gone;
  // The search starts behind the hit: it was the oldest access that wanted the row.
  for (bank.hit = next; bank.hit != kNone; bank.hit = entries_[bank.hit].next) {
    if (entries_[bank.hit].access.row == bank.row) return;
    bank.beforeHit = bank.hit;
  }
}

}  // namespace fermata
