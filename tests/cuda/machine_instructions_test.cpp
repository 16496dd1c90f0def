// Machine instructions that kernels cost, against those that an H200 executes:
// results/silicon/instructions.csv.
#include <fermata/stimuli/traces/csv_rows.h>

#include <cmath>

#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

using namespace fermata;

namespace {

using Counts = std::vector<std::pair<std::string, double>>;  ///< kernel, instructions

double& countOf(Counts& counts, const std::string& kernel) {
  for (auto& [name, count] : counts) {
    if (name == kernel) return count;
  }
  return counts.emplace_back(kernel, 0).second;
}

/// Returns what an H200 executed, by workload.
std::map<std::string, Counts> measured() {
  const std::string path = FERMATA_SOURCE_DIR "/results/silicon/instructions.csv";
  traces::CsvRows rows(traces::openInput(path), path);
  BOOST_REQUIRE(rows.next());  // the header
  std::map<std::string, Counts> all;
  while (rows.next())
    countOf(all[std::string(rows[1])], std::string(rows[2])) = std::stod(std::string(rows[7]));
  return all;
}

/// Returns the instructions of each kernel of a workload, in the order of their first launches.
Counts executed(const std::string& name, MachineLevel code) {
  launch::WorkloadOptions options;
  options.code = code;
  const auto workload = launch::openLaunch(name, {}, options);
  Counts counts;
  WarpInstruction out;
  workload->setWarpSlots(32);
  while (const Grid* const grid = workload->nextGrid()) {
    double& count = countOf(counts, grid->kernel);
    const unsigned warps = grid->warpsPerCta();
    for (std::uint64_t cta = 0; cta < grid->ctas; ++cta) {
      workload->startCta(cta, 0);
      for (bool running = true; running;) {
        running = false;
        for (unsigned warp = 0; warp < warps; ++warp) {
          while (const StaticInstruction* next = workload->peek(warp)) {
            running = true;
            workload->execute(warp, out);
            ++count;
            if (next->instructionClass == InstructionClass::Barrier) break;
          }
        }
      }
      workload->endCta(0);
    }
  }
  return counts;
}

struct Distance {
  double mean = 0;  ///< of |ours / measured - 1|
  unsigned kernels = 0, near = 0;
};

Distance distanceOf(MachineLevel code) {
  Distance all;
  for (const auto& [workload, kernels] : measured()) {
    const Counts ours = executed(workload, code);
    BOOST_REQUIRE_EQUAL(ours.size(), kernels.size());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const double off = std::abs(ours[k].second / kernels[k].second - 1);
      all.mean += off;
      all.near += off <= 0.15 ? 1 : 0;
      ++all.kernels;
    }
  }
  all.mean /= all.kernels;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(machine_instructions)

// platforms/README.md states both distances.
BOOST_AUTO_TEST_CASE(are_nearer_to_an_h200_than_ptx) {
  const Distance sass = distanceOf(MachineLevel::Sass), ptx = distanceOf(MachineLevel::Ptx);
  BOOST_TEST(sass.kernels == 51U);
  BOOST_TEST(sass.mean < 0.147);
  BOOST_TEST(sass.near >= 34U);
  BOOST_TEST(ptx.mean > 0.17);
  BOOST_TEST(ptx.near <= 28U);
}

BOOST_AUTO_TEST_SUITE_END()
