// Progress line of one run: cycles, CTAs that have ended, time left.
#pragma once

#include <cstdint>
#include <string>

#include <fermata/platforms/compose/simulation.h>
#include <fermata/results/progress.h>

namespace fermata::platforms {

/// Returns a watcher that updates `progress`, which must outlive it:
///   nw: 2.6 M cycles, CTAs: 12 of 128 (9 %), 14 s, about 136 s left
/// `ctas`: CTAs of the whole run; 0: unknown. The time left is then unknown, too.
RunWatcher watchRun(results::Progress& progress, const std::string& name, std::uint64_t ctas);

}  // namespace fermata::platforms
