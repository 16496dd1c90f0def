// Every policy of every table, on a platform: the work is done, the data are right, and a second
// run equals the first. A new policy is tested here without a line of its own.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/workloads.h>
#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

struct Case {
  std::string path;  ///< parameter that names the policy
  std::string name;
  std::string platform;
  Sets sets;  ///< what the policy needs around it
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.path << '=' << c.name;
}

template <class Policy, class CaseOf>
void append(std::vector<Case>& all, const char* path, CaseOf caseOf) {
  for (const Descriptor<Policy>* policy : Descriptor<Policy>::table()) {
    Case c = caseOf(*policy);
    c.path = path;
    c.name = policy->name;
    all.push_back(std::move(c));
  }
}

std::vector<Case> everyPolicy() {
  std::vector<Case> all;
  append<WarpPolicy>(all, "scheduler.policy", [](const auto& one) {
    return Case{{},
                {},
                one.needs.spacesMemory ? "elastic-gt200" : "gtx480",
                {"limits.registers=32768", "scratchpad.bytes=49152"}};
  });
  append<ConflictPolicy>(all, "scratchpad.conflict_policy", [](const auto&) {
    return Case{{}, {}, "gtx480", {}};
  });
  append<ConflictPolicy>(all, "l1.conflict_policy", [](const auto& one) {
    return Case{{},
                {},
                "gtx480-caches",
                {one.needs.leavesLanes ? "l1.divergence=replay" : "l1.divergence=wait"}};
  });
  append<AtomicPolicy>(all, "scratchpad.atomics", [](const auto&) {
    return Case{{}, {}, "gtx480", {}};
  });
  for (const char* path : {"l1.replacement", "l2.replacement"}) {
    append<ReplacementPolicy>(all, path, [](const auto&) {
      return Case{{},
                  {},
                  "gtx480-caches",
                  {"l1.split=free", "l1.sets=", "l1.bytes=2048", "l2.bytes=12288"}};
    });
  }
  return all;
}

const Kernel kSmall{"hist256 n=8192 blocks=2"};

}  // namespace

BOOST_AUTO_TEST_SUITE(policies)

BOOST_DATA_TEST_CASE(every_policy_does_all_the_work, bdata::make(everyPolicy()), c) {
  CheckedSimulation simulation(
      platform(c.platform, c.sets + Sets{c.path + '=' + c.name, "verify=true"}));
  const RunOutcome first = runVerified(simulation, kSmall);
  const RunOutcome again = runVerified(simulation, kSmall);
  BOOST_TEST(first.totals.ctas == 2U);
  BOOST_TEST(again.totals.warpInstructions == first.totals.warpInstructions);
}

BOOST_AUTO_TEST_SUITE_END()
