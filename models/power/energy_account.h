// Energy by action, by instruction and over time: listens to the probe, and no module knows of it.
//
// What is kept are counts, in plain integers; prices come in when somebody asks. An action is
// booked in the cycle of its event: issue and registers in that of the issue, a try of an access in
// that in which it was sent, the memory behind the caches when it acts. Over windows of any length,
// over instructions and over components the sums are the same to the last femtojoule.
#pragma once

#include <fermata/models/power/energy_prices.h>
#include <fermata/models/probe/figure.h>
#include <fermata/models/timing/clock.h>

#include <functional>

namespace fermata {

class EnergyHook;

class EnergyAccount final : public Probe {
 public:
  /// An action with what it took.
  struct Line {
    std::string component;
    std::string action;
    std::string each;
    std::uint64_t count = 0;
    std::optional<Energy> energy;  ///< nothing: there is no price
  };
  /// Windows of a run, at most: their table takes some 100 MB.
  static constexpr std::size_t kMostWindows = std::size_t{1} << 18;

  /// `window`: cycles of a window; 0: none are kept.
  EnergyAccount(const Clock& clock, EnergyPrices prices, Cycle window);
  EnergyAccount(const EnergyAccount&) = delete;
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// Of a run; they are not defined where an action has no price.
  static const Figures<EnergyAccount>& figures();

  const EnergyPrices& prices() const { return prices_; }
  Cycle window() const { return window_; }

  /// Told the time, the component and the energy of each action from now on.
  using Listener = std::function<void(const sc_core::sc_time&, const std::string&, const Energy&)>;
  void tell(Listener listener) { listener_ = std::move(listener); }

  /// A run begins in cycle `start` of the clock: nothing is booked. What happens before is booked
  /// in it.
  void begin(Cycle start);
  /// It has come to this cycle of the clock. Throws BadInput beyond kMostWindows.
  void reach(Cycle cycle) const;
  /// It took so many cycles: leakage and clocks count to there.
  void end(Cycle cycles) { cycles_ = cycles; }
  Cycle cycles() const { return cycles_; }
  /// Of so many cycles.
  double seconds(Cycle cycles) const;

  /// All that happened, and what stands of each component: leakage, and clock.
  std::vector<Line> lines() const;
  /// Of these, actions without a price; they count as nothing in the sums.
  std::vector<Line> unpriced() const;
  std::uint64_t count(EnergyAction action) const { return totals()[static_cast<unsigned>(action)]; }
  Energy total() const;
  /// Of that, of a component.
  Energy of(const std::string& component) const;
  /// Of that, what a memory path without replays would not take: issue slots and operands of
  /// retries, and addresses and banks that lanes compute again.
  Energy ofRetries() const { return priced(retries_); }
  /// Leakage and clocks.
  Energy standing() const { return standingUntil(cycles_); }
  Energy of(std::uint32_t program, std::uint32_t pc) const;
  /// Some action of it has no price.
  bool isUnpriced(std::uint32_t program, std::uint32_t pc) const;
  /// Of no instruction: of hooks, and of requests that no core sent.
  Energy ofNone() const;
  /// That the run took; what is booked behind its end may have more.
  Cycle windowCount() const;
  /// Calls visit(component, energy) for each component that has taken some so far, of a window: by
  /// its number from 0 on. The run has come to cycle `cycles` of it.
  void visitWindow(std::size_t window, Cycle cycles,
                   const std::function<void(const std::string&, const Energy&)>& visit) const;
  /// Calls visit(first cycle, component, energy) for each window, from the start on, and each
  /// component that takes some in the run.
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

  /// An action of a hook.
  struct Own {
    std::string component;
    std::string action;
    Energy price;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> windows;
  };
  /// Where what happens in one cycle, for one instruction, is counted.
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
  /// The components that sums are kept of, and where the sums of what has energy stand.
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
  Counts none_{};                                  ///< of no instruction
  Counts retries_{};                               ///< in all
  std::vector<Counts> windows_;
  std::vector<Own> own_;
  // The program and the window booked last, where the next event most likely is.
  std::uint32_t program_ = 0;
  std::uint32_t programSize_ = 0;
  Counts* programCounts_ = nullptr;
  Cycle windowFrom_ = 0;
  Cycle windowLength_ = 0;
  Counts* windowCounts_ = nullptr;
  Counts unread_{};  ///< where there are no windows
};

/// Books the actions of a module that is not the model's: made with the name of its component and
/// the key of a price, "component.action", then told when one happens.
class EnergyHook {
 public:
  /// Throws BadInput where no price has this key. `account` must outlive it; null: nothing is
  /// booked.
  EnergyHook(EnergyAccount* account, const std::string& component, const std::string& priceKey);

  void book(const sc_core::sc_time& at, std::uint64_t count = 1) const {
    if (account_ != nullptr) account_->bookOwn(own_, at, count);
  }

 private:
  EnergyAccount* account_;
  unsigned own_ = 0;
};

}  // namespace fermata
