#include <fermata/platforms/program/run_progress.h>

#include <fmt/format.h>

#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

constexpr Cycle kMillion = 1000000;

std::string cyclesText(Cycle cycles) {
  if (cycles < kMillion) return results::grouped(cycles) + " cycles";
  const Cycle tenths = cycles / (kMillion / 10);
  return fmt::format("{}.{} M cycles", results::grouped(tenths / 10), tenths % 10);
}

}  // namespace

RunWatcher watchRun(results::Progress& progress, const std::string& name, std::uint64_t ctas) {
  progress.expect(0);
  return [&progress, name, ctas](const RunSoFar& now) {
    progress.update(now.endedCtas, ctas, fmt::format("{}: {}, CTAs", name, cyclesText(now.cycles)));
  };
}

}  // namespace fermata::platforms
