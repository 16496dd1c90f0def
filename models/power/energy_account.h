// Accounts energy by action, by instruction and over time. Listens to the probe; no module knows
// of the account.
//
// The account keeps counts, in plain integers, and applies prices when a sum is asked for. Sums
// over windows of any length, over instructions and over components agree to the last femtojoule.
// An action is booked in the cycle of its event:
//
//   issue, registers          cycle of the issue
//   try of an access          cycle in which the try was sent
//   memory behind the caches  cycle in which it acts
#pragma once

#include <fermata/models/power/energy_prices.h>
#include <fermata/models/probe/figure.h>
#include <fermata/models/timing/clock.h>

#include <functional>

namespace fermata {

class EnergyHook;

class EnergyAccount final : public Probe {
 public:
  /// An action with its count and its energy.
  struct Line {
    std::string component;
    std::string action;
    std::string each;  ///< unit of `count`, as EnergyActionText::each
    std::uint64_t count = 0;
    std::optional<Energy> energy;  ///< nothing: the action has no price
  };
  /// Most windows of a run; their table takes some 100 MB.
  static constexpr std::size_t kMostWindows = std::size_t{1} << 18;

  /// `window`: cycles per window; 0: no windows are kept.
  EnergyAccount(const Clock& clock, EnergyPrices prices, Cycle window);
  EnergyAccount(const EnergyAccount&) = delete;
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// The energy columns of a run; not defined if an action that happened has no price.
  static const Figures<EnergyAccount>& figures();

  const EnergyPrices& prices() const { return prices_; }
  Cycle window() const { return window_; }

  /// Receives the time, the component and the energy of an action.
  using Listener = std::function<void(const sc_core::sc_time&, const std::string&, const Energy&)>;
  /// Sets the listener that is told each action from now on.
  void tell(Listener listener) { listener_ = std::move(listener); }

  /// Begins a run in cycle `start` of the clock, with nothing booked. An event of an earlier cycle
  /// is booked in the run's first cycle.
  void begin(Cycle start);
  /// Throws BadInput if cycle `cycle` of the clock lies beyond window kMostWindows of the run.
  void reach(Cycle cycle) const;
  /// Ends the run after `cycles` cycles: leakage and clocks count up to there.
  void end(Cycle cycles) { cycles_ = cycles; }
  Cycle cycles() const { return cycles_; }
  /// Returns the time of `cycles` cycles.
  double seconds(Cycle cycles) const;

  /// Returns all actions that happened, and leakage and clock of each component.
  std::vector<Line> lines() const;
  /// Returns the actions that happened without a price; they add nothing to the sums.
  std::vector<Line> unpriced() const;
  std::uint64_t count(EnergyAction action) const { return totals()[indexOf(action)]; }
  /// Energy of the run, leakage and clocks included.
  Energy total() const;
  /// Part of total() that a component takes.
  Energy of(const std::string& component) const;
  /// Part of total() that a memory path without replays would not take: issue slots and operands of
  /// retries, and addresses and banks that lanes compute again.
  Energy ofRetries() const { return priced(retries_); }
  /// Part of total() for leakage and clocks.
  Energy standing() const { return standingUntil(cycles_); }
  /// Part of total() for the actions of an instruction.
  Energy of(std::uint32_t program, std::uint32_t pc) const;
  /// True if some action of the instruction has no price.
  bool isUnpriced(std::uint32_t program, std::uint32_t pc) const;
  /// Part of total() that belongs to no instruction: hooks, and requests that no core sent. Without
  /// standing().
  Energy ofNone() const;
  /// Windows that the run took. Actions booked after its end may lie in later ones.
  Cycle windowCount() const;
  /// Calls visit(component, energy) for each component with energy in the run so far, and gives its
  /// energy in one window. `window`: its number, from 0 on. `cycles`: cycles of the run so far,
  /// which limit its leakage and clocks.
  void visitWindow(std::size_t window, Cycle cycles,
                   const std::function<void(const std::string&, const Energy&)>& visit) const;
  /// Calls visit(first cycle, component, energy) for each window, from the start on, and each
  /// component with energy in the run.
  void forEachWindow(
      const std::function<void(Cycle, const std::string&, const Energy&)>& visit) const;

  unsigned events() const override {
    return Grids | Issues | Retries | SharedTries | GlobalAccesses | Caches | Locks | Efforts;
  }
  void gridStarted(const Grid& grid, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void retried(const WarpAccess& access, Cycle at) override;
  void sharedTry(const WarpAccess& access) override;
  void globalAccess(const WarpAccess& access) override;
  void l1Try(const WarpAccess& access) override;
  void locked(const LockEvent& event) override;
  void effort(const EffortEvent& event) override;

 private:
  friend EnergyHook;
  using Counts = std::array<std::uint64_t, kEnergyActions>;

  /// An action that a hook books.
  struct Own {
    std::string component;
    std::string action;
    Energy price;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> windows;
  };
  /// Counts actions of one cycle and one instruction.
  class Booking;

  unsigned addOwn(const std::string& component, const std::string& priceKey);
  void bookOwn(unsigned own, const sc_core::sc_time& at, std::uint64_t count);
  Counts& instruction(std::uint32_t program, std::uint32_t pc);
  Counts& windowOf(Cycle cycle);
  void openProgram(std::uint32_t program);
  void openWindow(Cycle cycle);
  void tell(EnergyAction action, std::uint64_t count, Cycle cycle) const;
  Cycle since(Cycle cycle) const { return cycle > start_ ? cycle - start_ : 0; }
  const Counts* countsOf(std::uint32_t program, std::uint32_t pc) const;
  Counts totals() const;
  Energy priced(const Counts& counts) const;
  Energy priced(EnergyAction action, std::uint64_t count) const;
  Energy standingUntil(Cycle cycle) const;
  Energy standingUntil(const EnergyPrices::Standing& one, Cycle cycle) const;
  std::vector<std::string> components() const;
  /// Names of components, and the index in `names` of each source of energy; names.size(): none.
  struct Layout {
    std::vector<std::string> names;
    std::array<std::size_t, kEnergyActions> ofAction{};
    std::vector<std::size_t> ofOwn;
    std::vector<std::size_t> ofStanding;
  };
  Layout layout(std::vector<std::string> names) const;
  std::vector<Energy> ofWindow(std::size_t window, Cycle cycles, const Layout& layout) const;

  Clock clock_;
  std::uint64_t femtosecondsPerTick_;
  EnergyPrices prices_;
  Cycle window_;
  Listener listener_;
  Cycle start_ = 0;
  Cycle cycles_ = 0;
  std::vector<std::vector<Counts>> instructions_;  ///< by program and PC
  Counts none_{};                                  ///< actions of no instruction
  Counts retries_{};                               ///< actions of retries, of the whole run
  std::vector<Counts> windows_;
  std::vector<Own> own_;
  // The program and the window booked last: the next event most likely belongs to them.
  std::uint32_t program_ = 0;
  std::uint32_t programSize_ = 0;
  Counts* programCounts_ = nullptr;
  Cycle windowFrom_ = 0;
  Cycle windowLength_ = 0;
  Counts* windowCounts_ = nullptr;
  Counts unread_{};  ///< takes the place of a window if none are kept
};

/// Books the actions of a module that is not part of the model.
class EnergyHook {
 public:
  /// `component`: the name under which the actions are booked. `priceKey`: the key of their price,
  /// "component.action". `account` must outlive the hook; null: nothing is booked. Throws BadInput
  /// if no price has the key.
  EnergyHook(EnergyAccount* account, const std::string& component, const std::string& priceKey);

  /// Books `count` actions at time `at`.
  void book(const sc_core::sc_time& at, std::uint64_t count = 1) const {
    if (account_ != nullptr) account_->bookOwn(own_, at, count);
  }

 private:
  EnergyAccount* account_;
  unsigned own_ = 0;
};

}  // namespace fermata
