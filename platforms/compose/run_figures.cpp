#include <fermata/platforms/compose/run_figures.h>

#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/parts.h>

namespace fermata::platforms {

namespace {

template <class Part>
void makeIf(bool exists, std::unique_ptr<Part>& part) {
  if (exists) part = std::make_unique<Part>();
}

}  // namespace

RunFigures::RunFigures(const Configuration& configuration, Chip& chip)
    : banks(chip.sm().indexer().shape().banks) {
  const PlatformParameters& p = configuration.parameters();
  const StreamingMultiprocessor& sm = chip.sm();
  makeIf(sm.leavesLanes(), replays);
  makeIf(p.wire, wire);
  makeIf(chip.memory() != nullptr || sm.l1 != nullptr, caches);
  makeIf(sm.locks != nullptr, locks);
  makeIf(!missingPart(p, "history.sets"), forecasts);
}

/// Calls call(own, its) for each probe and the one of its class in `other`.
template <class Call>
void RunFigures::each(const RunFigures& other, Call call) {
  const auto callIf = [&call](auto& own, const auto& its) {
    if (own != nullptr) call(*own, *its);
  };
  call(counters, other.counters);
  call(profile, other.profile);
  call(banks, other.banks);
  callIf(replays, other.replays);
  callIf(wire, other.wire);
  callIf(caches, other.caches);
  callIf(locks, other.locks);
  callIf(forecasts, other.forecasts);
}

void RunFigures::listen(ProbeList& list, unsigned events) {
  each(*this, [&](auto& own, const auto&) { list.add(own, events); });
}

void RunFigures::reset() {
  each(*this, [](auto& own, const auto&) { own.reset(); });
}

void RunFigures::add(const RunFigures& other) {
  each(other, [](auto& own, const auto& its) { own.add(its); });
}

void RunFigures::take(const RunFigures& whole, const Grid& grid) {
  const auto takeIf = [&](auto& own, const auto& its) {
    if (own != nullptr) own->take(*its, grid.program);
  };
  counters.take(whole.counters, grid.program);
  counters.describe(grid.ctas);
  profile.take(whole.profile, grid.program);
  banks = BankHistogram(0);
  takeIf(replays, whole.replays);
  takeIf(wire, whole.wire);
  takeIf(caches, whole.caches);
  takeIf(locks, whole.locks);
  forecasts.reset();
}

}  // namespace fermata::platforms
