// Impossible parameters of an in-order pipeline and its scheduler are refused, at the place that
// gave them.
#include "tests/platforms/changes.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

const Changes kRefused[] = {
    {"pipeline.simd_width=12",
     "--set pipeline.simd_width = 12; expected an integer that is a power of two from 1 to 32"},
    {"pipeline.simd_width=64", "--set pipeline.simd_width = 64; expected"},
    {"pipeline.simd_width=0", "--set pipeline.simd_width = 0; expected"},
    {"crossbar.groups_32=0-31",
     "--set crossbar.groups_32: crossbar.groups_32 = \"0-31\" with pipeline.organisation = elastic "
     "and pipeline.simd_width = 8: the lanes of a subwarp are offered to the banks alone; expected "
     "groups of 8 lanes or fewer"},
    {"crossbar.groups_32=8-15|0-7|16-23|24-31", "--set crossbar.groups_32: crossbar.groups_32"},
    {"pipeline.stages=6",
     "--set pipeline.stages: pipeline.stages = 6 with pipeline.memory_stages = 4; expected 7 or "
     "more"},
    {"pipeline.memory_stages=1", "--set pipeline.memory_stages = 1; expected"},
    {"pipeline.writeback_ports=0",
     "--set pipeline.writeback_ports = 0; expected an integer from 1"},
    {"pipeline.nonmem_queue=-1",
     "--set pipeline.nonmem_queue = -1; expected an integer from 0 to 256 (subwarps), or auto"},
    {"pipeline.premem_queue=none",
     "--set pipeline.premem_queue = 'none'; expected an integer from 0 to 256 (subwarps), or auto"},
    {"pipeline.organisation=unified; pipeline.premem_queue=3",
     "--set pipeline.premem_queue: pipeline.premem_queue has no effect, for pipeline.organisation "
     "is unified; expected pipeline.organisation = \"elastic\""},
    {"integer.latency=9",
     "--set integer.latency: integer.latency has no effect, for pipeline.organisation is elastic; "
     "expected pipeline.organisation = \"decoupled\""},
    {"scheduler.schedulers=2",
     "--set scheduler.schedulers: scheduler.schedulers = 2 with pipeline.organisation = elastic; "
     "expected 1: single issue"},
    {"scheduler.issue_width=2", "--set scheduler.issue_width: "},
    {"core.memory_queue=2", "--set core.memory_queue: core.memory_queue = 2 with"},
    {"core.reorder_buffer=8", "--set core.reorder_buffer: "},
    {"replay.capacity=8", "--set replay.capacity: "},
    {"scratchpad.conflict_policy=replay",
     "--set scratchpad.conflict_policy: scratchpad.conflict_policy = replay with "
     "pipeline.organisation = elastic; expected serialize, spaced or ideal"},
    {"history.sets=3", "--set history.sets: history.sets = 3; expected 0 or a power of two"},
    {"history.ways=0", "--set history.ways = 0; expected an integer from 1"},
    {"scheduler.prediction=perfect; history.sets=8",
     "--set history.sets: history.sets has no effect, for scheduler.prediction is not history"},
    {"scheduler.policy=lrr; scheduler.prediction=none",
     "--set scheduler.prediction: scheduler.prediction has no effect, for scheduler.policy is not "
     "conflict-aware; expected scheduler.policy = \"conflict-aware\""},
    {"scheduler.base_policy=conflict-aware",
     "--set scheduler.base_policy: scheduler.base_policy = conflict-aware; expected lrr, gto"},
    {"pipeline.organisation=decoupled",
     "--set pipeline.organisation: scheduler.policy = conflict-aware with pipeline.organisation = "
     "decoupled, where a bank conflict holds up nothing but memory instructions"},
    {"pipeline.organisation=elastc",
     "--set pipeline.organisation = \"elastc\"; expected one of decoupled|unified|split|elastic"},
    {"scheduler.policy=conflict-aware",
     "--set scheduler.policy: scheduler.policy = conflict-aware with pipeline.organisation = "
     "decoupled",
     "gtx480"},
    {"pipeline.stages=24",
     "--set pipeline.stages: pipeline.stages has no effect, for pipeline.organisation is "
     "decoupled; expected pipeline.organisation = \"elastic\", \"split\" or \"unified\"",
     "gtx480"},
    {"pipeline.organisation=elastic",
     "--set pipeline.organisation: scheduler.schedulers = 2 with pipeline.organisation = elastic",
     "gtx480"},
    {"pipeline.organisation=unified; scheduler.schedulers=1; scratchpad.conflict_policy=serialize; "
     "l1.conflict_policy=serialize",
     "--set pipeline.organisation: l1.divergence = replay with pipeline.organisation = unified; "
     "expected wait",
     "fermi-ami"},
};

const Changes kTaken[] = {
    {"pipeline.organisation=decoupled; scheduler.policy=lrr"},
    {"pipeline.nonmem_queue=auto; pipeline.premem_queue=0"},
    {"history.sets=0"},
    {"pipeline.simd_width=16"},  // two lane groups per subwarp
    {"pipeline.organisation=elastic; pipeline.simd_width=16; scheduler.policy=conflict-aware", "",
     "gtx280"},
    {"pipeline.organisation=unified; pipeline.simd_width=32; scheduler.schedulers=1", "", "gtx480"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(elastic_refusals)

BOOST_DATA_TEST_CASE(of_what_is_set, bdata::make(kRefused), refused) {
  refused.checkRefused("elastic-gt200");
}

// Valid parameters are taken, and the printed text reads back.
BOOST_DATA_TEST_CASE(what_fits_is_taken, bdata::make(kTaken), taken) {
  const auto configuration = taken.of("elastic-gt200");
  auto again = Configuration::parse(configuration.text(), "again.toml");
  again.check();
  BOOST_TEST(again.text() == configuration.text());
}

BOOST_AUTO_TEST_CASE(of_files) {
  const std::string text = "[pipeline]\norganisation = \"elastic\"\nnonmem_queue = \"many\"\n";
  BOOST_CHECK_EXCEPTION(Configuration::parse(text, "p.toml"), InputError,
                        beginsWith("p.toml:3:16: pipeline.nonmem_queue = \"many\"; expected an "
                                   "integer from 0 to 256 (subwarps), or auto"));
}

BOOST_AUTO_TEST_SUITE_END()
