// The core brings lanes left again, for any path: each lane is served once, data verify, and slots
// add up, with every scheduler and kind of workload. The core knows nothing of these paths.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/late_stage.h"
#include "tests/support/leaving_path.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

struct Path : Named {
  LeavingPath::Behaviour behaviour;
  bool late = false;  ///< answers come later
};
const Path kPaths[] = {
    {"one lane a try", {1, 0, 0, 0}},
    {"seven lanes a try, known later", {7, 0, 5, 9}},
    {"whole tries refused", {32, 6, 0, 0}},
    {"both, known later", {11, 3, 7, 3}},
    {"seven lanes a try, late answers", {7, 0, 0, 4}, true},
    {"whole tries refused, late answers", {32, 4, 3, 2}, true},
};

/// Puts a leaving path behind each way out of the core, and a checker on every edge.
class LeavingConnector : public CheckedConnector {
 public:
  explicit LeavingConnector(const Path& path) : path_(path) {}
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    const bool behindCore = ++edges_ == 1 || edges_ == 4;
    if (!behindCore) return CheckedConnector::joinWarp(from, to);
    const std::string number = std::to_string(edges_);
    LeavingPath& leaving =
        paths.emplace_back(("leaving" + number).c_str(), clock_, path_.behaviour, edges_);
    CheckedConnector::joinWarp(from, leaving.in);
    if (!path_.late) return CheckedConnector::joinWarp(leaving.out, to);
    LateStage& stage = late_.emplace_back(("late" + number).c_str(), clock_, false);
    through(stage, leaving.out, to);
  }

  std::list<LeavingPath> paths;

 private:
  const Clock clock_ = Clock::fromMegahertz(700);
  Path path_;
  unsigned edges_ = 0;
  std::list<LateStage> late_;
};

struct RetryCounter : Probe {
  std::uint64_t retries = 0;
  std::uint64_t squashes = 0;  ///< retries squashed behind lanes left, by the port or by a path
  unsigned events() const override { return Retries; }
  void retried(const WarpAccess& access, Cycle) override {
    ++retries;
    if (access.outcome.left[static_cast<unsigned>(LeftCause::Order)] != 0) ++squashes;
  }
};

/// Runs the workload and checks what must hold for any path. Returns the retries.
std::uint64_t check(Workload& workload, const Path& path, const Sets& sets) {
  LeavingConnector connector(path);
  const Configuration configuration = gtx480(sets + Sets{"verify=true"});
  Simulation simulation(configuration, connector);
  RetryCounter counter;
  simulation.addProbe(counter);
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(connector.nothingLeft());
  std::uint64_t tries = 0;
  for (const LeavingPath& leaving : connector.paths) {
    BOOST_TEST(leaving.unfinished() == 0U);
    tries += leaving.tries() - leaving.squashed();
  }
  const std::uint64_t accesses = outcome.totals.sharedAccesses() + outcome.totals.globalAccesses;
  BOOST_TEST(tries == accesses + counter.retries - counter.squashes);
  const auto& issue = configuration.parameters().core.issue;
  BOOST_TEST(slotsOf(outcome) + counter.retries ==
             outcome.cycles * issue.schedulers * issue.issueWidth);
  BOOST_TEST(outcome.compared > 0U);
  return counter.retries;
}

const Kernel kKernels[] = {
    "transpose n=64 tile=16",
    "reduction variant=6 n=4096",  // its last warp runs without barriers
    "matmul n=32",
    "hist64 n=4096",
    "fwt vectors=1",
    "nw1",
};
const char* const kPolicies[] = {"lrr", "gto", "gty", "two-level"};

}  // namespace

BOOST_AUTO_TEST_SUITE(tries)

BOOST_DATA_TEST_CASE(kernels_lose_no_lane, bdata::make(kPaths) * bdata::make(kKernels), path, k) {
  const char* policy = kPolicies[(k.name.size() + path.behaviour.lanes) % 3];
  OpenWorkload open = k.open();
  BOOST_TEST(check(*open.workload, path, {std::string("scheduler.policy=") + policy}) > 0U);
  open.kernel->checkResults();  // the results are right
}

BOOST_DATA_TEST_CASE(every_scheduler_and_a_queue_lose_no_lane,
                     bdata::make(kPaths) * bdata::make(kPolicies) *
                         bdata::make({"core.memory_queue=0", "core.memory_queue=1",
                                      "core.memory_queue=3"}),
                     path, policy, queue) {
  OpenWorkload open = Kernel("transpose n=32 tile=16").open();
  BOOST_TEST(check(*open.workload, path,
                   {std::string("scheduler.policy=") + policy, queue, "scheduler.issue_width=2"}) >
             0U);
  open.kernel->checkResults();
}

BOOST_AUTO_TEST_SUITE_END()
