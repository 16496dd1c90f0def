// Counts how well the conflict history foretold bank conflicts.
#pragma once

#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class ForecastCounters : public Probe {
 public:
  struct Counts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t wrong = 0;
  };

  static const Figures<Counts>& figures();

  const Counts& counts() const { return counts_; }
  void reset() { counts_ = {}; }
  /// Adds the figures of another multiprocessor.
  void add(const ForecastCounters& other) {
    counts_.hits += other.counts_.hits;
    counts_.misses += other.counts_.misses;
    counts_.wrong += other.counts_.wrong;
  }

  unsigned events() const override { return Forecasts; }
  void foretold(const ForetoldEvent& event) override {
    ++(event.found ? counts_.hits : counts_.misses);
    if (event.foretold != event.measured) ++counts_.wrong;
  }

 private:
  Counts counts_;
};

}  // namespace fermata
