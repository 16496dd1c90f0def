// Impossible parameters of an in-order pipeline and its scheduler are refused, at the place that
// gave them.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"

namespace bdata = boost::unit_test::data;
using namespace fermata;
using Sets = std::vector<std::string>;

namespace {

struct Refusal {
  const char* platform;
  Sets sets;
  const char* said;  ///< beginning of the message, place first
};
std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  out << refusal.platform;
  for (const std::string& set : refusal.sets) out << ' ' << set;
  return out;
}

const Refusal kRefused[] = {
    {"elastic-gt200",
     {"pipeline.simd_width=12"},
     "--set pipeline.simd_width = 12; expected an integer that is a power of two from 1 to 32"},
    {"elastic-gt200", {"pipeline.simd_width=64"}, "--set pipeline.simd_width = 64; expected"},
    {"elastic-gt200", {"pipeline.simd_width=0"}, "--set pipeline.simd_width = 0; expected"},
    {"elastic-gt200",
     {"crossbar.groups_32=0-31"},
     "--set crossbar.groups_32: crossbar.groups_32 = \"0-31\" with pipeline.organisation = elastic "
     "and pipeline.simd_width = 8: the lanes of a subwarp are offered to the banks alone; expected "
     "groups of 8 lanes or fewer"},
    {"elastic-gt200",
     {"crossbar.groups_32=8-15|0-7|16-23|24-31"},
     "--set crossbar.groups_32: crossbar.groups_32"},
    {"elastic-gt200",
     {"pipeline.stages=6"},
     "--set pipeline.stages: pipeline.stages = 6 with pipeline.memory_stages = 4; expected 7 or "
     "more"},
    {"elastic-gt200", {"pipeline.memory_stages=1"}, "--set pipeline.memory_stages = 1; expected"},
    {"elastic-gt200",
     {"pipeline.writeback_ports=0"},
     "--set pipeline.writeback_ports = 0; expected an integer from 1"},
    {"elastic-gt200",
     {"pipeline.nonmem_queue=-1"},
     "--set pipeline.nonmem_queue = -1; expected an integer from 0 to 256 (subwarps), or auto"},
    {"elastic-gt200",
     {"pipeline.premem_queue=none"},
     "--set pipeline.premem_queue = 'none'; expected an integer from 0 to 256 (subwarps), or auto"},
    {"elastic-gt200",
     {"pipeline.organisation=unified", "pipeline.premem_queue=3"},
     "--set pipeline.premem_queue: pipeline.premem_queue has no effect, for pipeline.organisation "
     "is unified; expected pipeline.organisation = \"elastic\""},
    {"elastic-gt200",
     {"integer.latency=9"},
     "--set integer.latency: integer.latency has no effect, for pipeline.organisation is elastic; "
     "expected pipeline.organisation = \"decoupled\""},
    {"elastic-gt200",
     {"scheduler.schedulers=2"},
     "--set scheduler.schedulers: scheduler.schedulers = 2 with pipeline.organisation = elastic; "
     "expected 1: single issue"},
    {"elastic-gt200", {"scheduler.issue_width=2"}, "--set scheduler.issue_width: "},
    {"elastic-gt200",
     {"core.memory_queue=2"},
     "--set core.memory_queue: core.memory_queue = 2 with"},
    {"elastic-gt200", {"core.reorder_buffer=8"}, "--set core.reorder_buffer: "},
    {"elastic-gt200", {"replay.capacity=8"}, "--set replay.capacity: "},
    {"elastic-gt200",
     {"scratchpad.conflict_policy=replay"},
     "--set scratchpad.conflict_policy: scratchpad.conflict_policy = replay with "
     "pipeline.organisation = elastic; expected serialize or ideal"},
    {"elastic-gt200",
     {"history.sets=3"},
     "--set history.sets: history.sets = 3; expected 0 or a power of two"},
    {"elastic-gt200", {"history.ways=0"}, "--set history.ways = 0; expected an integer from 1"},
    {"elastic-gt200",
     {"scheduler.prediction=perfect", "history.sets=8"},
     "--set history.sets: history.sets has no effect, for scheduler.prediction is not history"},
    {"elastic-gt200",
     {"scheduler.policy=lrr", "scheduler.prediction=none"},
     "--set scheduler.prediction: scheduler.prediction has no effect, for scheduler.policy is not "
     "conflict-aware; expected scheduler.policy = \"conflict-aware\""},
    {"elastic-gt200",
     {"scheduler.base_policy=conflict-aware"},
     "--set scheduler.base_policy: scheduler.base_policy = conflict-aware; expected lrr, gto"},
    {"elastic-gt200",
     {"pipeline.organisation=decoupled"},
     "--set pipeline.organisation: scheduler.policy = conflict-aware with pipeline.organisation = "
     "decoupled, where a bank conflict holds up nothing but memory instructions"},
    {"elastic-gt200",
     {"pipeline.organisation=elastc"},
     "--set pipeline.organisation = \"elastc\"; expected one of "
     "decoupled|unified|split|elastic"},
    {"gtx480",
     {"scheduler.policy=conflict-aware"},
     "--set scheduler.policy: scheduler.policy = conflict-aware with pipeline.organisation = "
     "decoupled"},
    {"gtx480",
     {"pipeline.stages=24"},
     "--set pipeline.stages: pipeline.stages has no effect, for pipeline.organisation is "
     "decoupled; "
     "expected pipeline.organisation = \"elastic\", \"split\" or \"unified\""},
    {"gtx480",
     {"pipeline.organisation=elastic"},
     "--set pipeline.organisation: scheduler.schedulers = 2 with pipeline.organisation = elastic"},
    {"fermi-ami",
     {"pipeline.organisation=unified", "scheduler.schedulers=1",
      "scratchpad.conflict_policy=serialize", "l1.conflict_policy=serialize"},
     "--set pipeline.organisation: l1.divergence = replay with pipeline.organisation = unified; "
     "expected wait"},
};

const Refusal kTaken[] = {
    {"elastic-gt200", {"pipeline.organisation=decoupled", "scheduler.policy=lrr"}, ""},
    {"elastic-gt200", {"pipeline.nonmem_queue=auto", "pipeline.premem_queue=0"}, ""},
    {"elastic-gt200", {"history.sets=0"}, ""},
    {"elastic-gt200", {"pipeline.simd_width=16"}, ""},  // two lane groups per subwarp
    {"gtx280",
     {"pipeline.organisation=elastic", "pipeline.simd_width=16", "scheduler.policy=conflict-aware"},
     ""},
    {"gtx480",
     {"pipeline.organisation=unified", "pipeline.simd_width=32", "scheduler.schedulers=1"},
     ""},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(elastic_refusals)

BOOST_DATA_TEST_CASE(of_what_is_set, bdata::make(kRefused), refused) {
  BOOST_CHECK_EXCEPTION(test::platform(refused.platform, refused.sets), InputError,
                        test::beginsWith(refused.said));
}

// Valid parameters are taken, and the printed text reads back.
BOOST_DATA_TEST_CASE(what_fits_is_taken, bdata::make(kTaken), taken) {
  const auto configuration = test::platform(taken.platform, taken.sets);
  auto again = platforms::Configuration::parse(configuration.text(), "again.toml");
  again.check();
  BOOST_TEST(again.text() == configuration.text());
}

BOOST_AUTO_TEST_CASE(of_files) {
  const std::string text = "[pipeline]\norganisation = \"elastic\"\nnonmem_queue = \"many\"\n";
  BOOST_CHECK_EXCEPTION(
      platforms::Configuration::parse(text, "p.toml"), InputError,
      test::beginsWith("p.toml:3:16: pipeline.nonmem_queue = \"many\"; expected an "
                       "integer from 0 to 256 (subwarps), or auto"));
}

BOOST_AUTO_TEST_SUITE_END()
