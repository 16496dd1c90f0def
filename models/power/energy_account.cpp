#include <fermata/models/power/energy_account.h>

#include <fermata/models/probe/caches.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/error.h>

#include <cmath>

namespace fermata {

namespace {

/// Returns the words that the banks deliver or take: lanes on one word share it.
std::uint64_t wordsOf(const WarpAccess& access) {
  std::uint64_t words = 0;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) words += laneCount(access.leaders[k]);
  return words;
}

}  // namespace

inline EnergyAccount::Counts& EnergyAccount::instruction(std::uint32_t program, std::uint32_t pc) {
  if (program != program_) openProgram(program);
  return pc < programSize_ ? programCounts_[pc] : none_;
}

inline EnergyAccount::Counts& EnergyAccount::windowOf(Cycle cycle) {
  if (cycle - windowFrom_ >= windowLength_) openWindow(cycle);
  return *windowCounts_;
}

class EnergyAccount::Booking {
 public:
  Booking(EnergyAccount& account, Counts& counts, Cycle cycle)
      : account_(account),
        counts_(counts),
        window_(account.windowOf(cycle)),
        cycle_(cycle),
        told_(account.listener_ != nullptr) {}
  void add(EnergyAction action, std::uint64_t count) {
    counts_[indexOf(action)] += count;
    window_[indexOf(action)] += count;
    if (told_) account_.tell(action, count, cycle_);
  }

 private:
  EnergyAccount& account_;
  Counts& counts_;
  Counts& window_;
  Cycle cycle_;
  bool told_;
};

EnergyAccount::EnergyAccount(const Clock& clock, EnergyPrices prices, Cycle window)
    : clock_(clock),
      femtosecondsPerTick_(static_cast<std::uint64_t>(
          std::llround(sc_core::sc_get_time_resolution().to_seconds() * 1e15))),
      prices_(std::move(prices)),
      window_(window) {
  begin(0);
}

void EnergyAccount::begin(Cycle start) {
  start_ = start;
  cycles_ = 0;
  instructions_.clear();
  none_ = {};
  retries_ = {};
  windows_.clear();
  openProgram(0);
  windowFrom_ = 0;
  windowLength_ = kNever;
  windowCounts_ = &unread_;
  if (window_ != 0) {
    windowLength_ = window_;
    openWindow(0);
  }
  for (Own& own : own_) {
    own.count = 0;
    own.windows.clear();
  }
}

void EnergyAccount::reach(Cycle cycle) const {
  if (window_ == 0 || since(cycle) / window_ < kMostWindows) return;
  throw BadInput("a run has more than " + std::to_string(kMostWindows) + " windows of " +
                 std::to_string(window_) + " cycles; expected a longer window");
}

// Booking

void EnergyAccount::gridStarted(const Grid& grid, Cycle) {
  if (instructions_.size() <= grid.program) instructions_.resize(grid.program + 1);
  std::vector<Counts>& program = instructions_[grid.program];
  if (program.size() < grid.instructionCount) program.resize(grid.instructionCount);
  openProgram(grid.program);
}

void EnergyAccount::openProgram(std::uint32_t program) {
  program_ = program;
  programSize_ = 0;
  if (program >= instructions_.size()) return;
  programSize_ = static_cast<std::uint32_t>(instructions_[program].size());
  programCounts_ = instructions_[program].data();
}

void EnergyAccount::openWindow(Cycle cycle) {
  const std::size_t number = cycle / window_;
  if (windows_.size() <= number) windows_.resize(number + 1);
  windowFrom_ = number * window_;
  windowCounts_ = &windows_[number];
}

void EnergyAccount::tell(EnergyAction action, std::uint64_t count, Cycle cycle) const {
  if (count == 0) return;
  listener_(clock_.time(start_ + cycle), std::string(describe(action).component),
            priced(action, count));
}

void EnergyAccount::issued(const IssueEvent& event) {
  const StaticInstruction& instruction = event.instruction;
  Booking booking(*this, this->instruction(event.grid.program, instruction.pc), event.cycle);
  booking.add(EnergyAction::Issue, 1);
  booking.add(EnergyAction::RegisterRead, instruction.readCount);
  booking.add(EnergyAction::RegisterWrite, instruction.writeCount);
}

// Books a retry. The instruction reads its operands again; it has not written its results yet, so
// writes are not booked again. A shared access books addresses with each try (sharedTry), a global
// access those of its first try (globalAccess): here follow the addresses of its later tries. A
// global access that was squashed before its first try has `tries` 0.
void EnergyAccount::retried(const WarpAccess& access, Cycle cycle) {
  Booking booking(*this, instruction(access.program, access.instruction.pc), since(cycle));
  const auto add = [&](EnergyAction action, std::uint64_t count) {
    booking.add(action, count);
    retries_[indexOf(action)] += count;
  };
  add(EnergyAction::Retry, 1);
  if (access.issuedInstruction != nullptr)
    add(EnergyAction::RegisterRead, access.issuedInstruction->readCount);
  if (access.instruction.space != MemorySpace::Shared && access.tries != 0)
    add(EnergyAction::Address, laneCount(access.unserved));
}

void EnergyAccount::sharedTry(const WarpAccess& access) {
  Booking booking(*this, instruction(access.program, access.instruction.pc), since(access.sent));
  const std::uint64_t lanes = laneCount(access.asked);
  const std::uint64_t laneWords = lanes * access.wordsPerLane;
  booking.add(EnergyAction::Address, lanes);
  booking.add(EnergyAction::Index, laneWords);
  booking.add(EnergyAction::Wire, WireCounter::pitches(access));
  const std::uint64_t words = wordsOf(access);
  const MemoryOperation operation = access.instruction.operation;
  if (operation != MemoryOperation::Store) booking.add(EnergyAction::ScratchpadRead, words);
  if (operation != MemoryOperation::Load) booking.add(EnergyAction::ScratchpadWrite, words);
  if (access.instruction.lock == LockStep::Write) booking.add(EnergyAction::LockWrite, laneWords);
  if (access.tries <= 1) return;
  retries_[indexOf(EnergyAction::Address)] += lanes;
  retries_[indexOf(EnergyAction::Index)] += laneWords;
}

void EnergyAccount::globalAccess(const WarpAccess& access) {
  Booking booking(*this, instruction(access.program, access.instruction.pc), since(access.sent));
  booking.add(EnergyAction::Address, laneCount(access.instruction.active));
}

void EnergyAccount::l1Try(const WarpAccess& access) {
  Booking booking(*this, instruction(access.program, access.instruction.pc), since(access.sent));
  booking.add(EnergyAction::L1Index, std::uint64_t{laneCount(access.asked)} * access.wordsPerLane);
  booking.add(EnergyAction::Wire, WireCounter::pitches(access));
  booking.add(EnergyAction::L1Read, wordsOf(access));
  const LaneMask again = access.outcome.lanesLeft() & access.asked;  // lanes that lose their bank
  retries_[indexOf(EnergyAction::L1Index)] += std::uint64_t{laneCount(again)} * access.wordsPerLane;
}

// Books a read of the lock for each lane that tries, and a write for each lane that gets it.
void EnergyAccount::locked(const LockEvent& event) {
  Booking booking(*this, instruction(event.program, event.pc), since(event.at));
  booking.add(EnergyAction::LockRead, event.tries);
  booking.add(EnergyAction::LockWrite,
              event.tries - event.position - event.alias - event.otherWarp);
}

void EnergyAccount::effort(const EffortEvent& event) {
  const Cycle cycle = clock_.cycles(sc_core::sc_time::from_value(event.time));
  Booking booking(*this, instruction(event.program, event.pc), since(cycle));
  booking.add(energyActionOf(event.what), event.count);
}

unsigned EnergyAccount::addOwn(const std::string& component, const std::string& priceKey) {
  const std::size_t dot = priceKey.find('.');
  const std::string action = dot == std::string::npos ? priceKey : priceKey.substr(dot + 1);
  std::optional<Energy> price;
  if (const auto found = prices_.others.find(priceKey); found != prices_.others.end()) {
    price = found->second;
  } else if (dot != std::string::npos) {
    const auto known = findEnergyAction(priceKey.substr(0, dot), action);
    if (known) price = prices_.actions[indexOf(*known)];
  }
  if (!price) {
    throw BadInput("no price '" + priceKey + "' for component '" + component +
                   "'; expected a component and an action of the table of prices");
  }
  own_.push_back({component, action, *price, 0, {}});
  return static_cast<unsigned>(own_.size() - 1);
}

void EnergyAccount::bookOwn(unsigned number, const sc_core::sc_time& time, std::uint64_t count) {
  Own& own = own_[number];
  own.count += count;
  if (listener_) listener_(time, own.component, own.price * count);
  if (window_ == 0) return;
  const std::size_t window = since(clock_.cycles(time)) / window_;
  if (own.windows.size() <= window) own.windows.resize(window + 1);
  own.windows[window] += count;
}

EnergyHook::EnergyHook(EnergyAccount* account, const std::string& component,
                       const std::string& priceKey)
    : account_(account) {
  if (account != nullptr) own_ = account->addOwn(component, priceKey);
}

}  // namespace fermata
