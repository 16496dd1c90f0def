#include <fermata/models/memory/dram_scheduler.h>
#include <fermata/models/vocabulary/vector_clones.h>

#include <limits>

namespace fermata {

namespace {

// Each candidate has a key, and the command of the least key is issued. From the top:
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
constexpr std::uint64_t kBank = DramQueue::kMostBanks - 1;

/// Banks per vector.
constexpr unsigned kVector = 4;

/// Returns the least key, for commands from cycle `from` on.
FERMATA_VECTOR_CLONES
std::uint64_t leastKey(const std::uint64_t* at, const std::uint64_t* order, unsigned banks,
                       Cycle from) {
  const auto now = static_cast<std::int64_t>(from);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (unsigned b = 0; b < banks / kVector * kVector; ++b) {
    const std::int64_t apart = std::max(static_cast<std::int64_t>(at[b]), now) - now;
    least = std::min(least, apart << kTimeShift | static_cast<std::int64_t>(order[b]));
  }
  return static_cast<std::uint64_t>(least);
}

/// Returns the least cycle in which a command may serve an access.
FERMATA_VECTOR_CLONES
Cycle leastServed(const std::uint64_t* at, const std::uint64_t* toServed, unsigned banks,
                  Cycle from) {
  const auto now = static_cast<std::int64_t>(from);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (unsigned b = 0; b < banks / kVector * kVector; ++b) {
    const std::int64_t earliest = std::max(static_cast<std::int64_t>(at[b]), now);
    least = std::min(least, earliest + static_cast<std::int64_t>(toServed[b]));
  }
  return static_cast<Cycle>(least);
}

}  // namespace

DramScheduler::DramScheduler(unsigned banks) : scanned_((banks + kVector - 1) / kVector * kVector) {
  for (unsigned b = 0; b < DramQueue::kMostBanks; ++b) remove(b);
}

void DramScheduler::set(unsigned bank, const Candidate& candidate) {
  const bool column =
      candidate.command == DramCommand::Read || candidate.command == DramCommand::Write;
  at_[bank] = candidate.at;
  order_[bank] = (column ? 0 : kRow) | candidate.age << kAgeShift | bank;
  toServed_[bank] = candidate.toServed;
  with_[index(command_[bank])] &= ~(std::uint64_t{1} << bank);
  with_[index(candidate.command)] |= std::uint64_t{1} << bank;
  command_[bank] = candidate.command;
}

/// Leaves a key and toServed that are larger than those of all candidates.
void DramScheduler::remove(unsigned bank) {
  at_[bank] = 0;
  order_[bank] = ~std::uint64_t{0} >> 1;
  toServed_[bank] = ~std::uint64_t{0} >> 2;
  with_[index(command_[bank])] &= ~(std::uint64_t{1} << bank);
}

DramIssue DramScheduler::first(Cycle from) const {
  return issueOf(leastKey(at_.data(), order_.data(), scanned_, from), from);
}

DramIssue DramScheduler::first(Cycle from, std::uint64_t banks) const {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t b = banks; b != 0; b &= b - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctzll(b));
    const Cycle apart = std::max(at_[bank], from) - from;
    least = std::min(least, apart << kTimeShift | order_[bank]);
  }
  return issueOf(least, from);
}

DramIssue DramScheduler::issueOf(std::uint64_t key, Cycle from) const {
  const auto bank = static_cast<unsigned>(key & kBank);
  return {from + (key >> kTimeShift), bank, command_[bank]};
}

Cycle DramScheduler::earliestServed(Cycle from) const {
  return leastServed(at_.data(), toServed_.data(), scanned_, from);
}

}  // namespace fermata
