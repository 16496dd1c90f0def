// Each rule finds the file that breaks it.
#include "tests/structure/rules.h"
#include "tests/support/test.h"

using namespace fermata::test;

namespace {

SourceTree including(const std::string& path, std::vector<std::string> includes) {
  return {{path, {1, std::move(includes), {}}}};
}

struct Step {
  const char* from;
  const char* to;
};
std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << step.from << " -> " << step.to;
}

const Step kForbidden[] = {
    {"models/vocabulary/error.h", "models/timing/clock.h"},
    {"models/timing/clock.h", "models/transaction/warp_access.h"},
    {"models/indexing/gf2.h", "models/timing/clock.h"},
    {"models/indexing/gf2.h", "models/transaction/warp_access.h"},
    {"models/indexing/gf2.h", "models/search/search.h"},
    {"models/search/search.h", "models/core/sm_core.h"},
    {"models/vocabulary/grid.h", "models/probe/probe.h"},
    {"models/probe/probe.h", "models/core/sm_core.h"},
    {"models/core/sm_core.h", "models/memory/crossbar.h"},
    {"models/memory/crossbar.h", "models/core/sm_core.h"},
    {"models/rtl/crossbar.h", "models/core/sm_core.h"},
    {"models/power/energy.h", "models/memory/crossbar.h"},
    {"models/core/sm_core.h", "stimuli/input_error.h"},
    {"models/core/sm_core.cpp", "results/csv.h"},
    {"models/unknown/new.h", "models/vocabulary/cycle.h"},
    {"stimuli/ptx/warp.h", "models/core/sm_core.h"},
    {"stimuli/ptx/warp.h", "results/csv.h"},
    {"stimuli/ptx/warp.h", "platforms/compose/field.h"},
    {"results/csv.h", "stimuli/input_error.h"},
    {"results/csv.h", "models/vocabulary/error.h"},
    {"results/files/output_file.h", "results/csv.h"},
    {"results/files/output_file.h", "stimuli/input_error.h"},
    {"models/core/sm_core.cpp", "results/files/output_file.h"},
    {"platforms/compose/field.h", "platforms/program/cli.h"},
    {"platforms/program/cli.h", "tests/support/program.h"},
    {"models/core/sm_core.cpp", "sm_core.h"},
    {"unknown/new.h", "models/vocabulary/error.h"},
};

const Step kAllowed[] = {
    {"models/core/sm_core.h", "models/vocabulary/workload.h"},
    {"models/memory/crossbar.h", "models/indexing/indexer.h"},
    {"models/rtl/crossbar.h", "models/memory/crossbar.h"},
    {"models/power/energy.h", "models/probe/probe.h"},
    {"models/search/search.h", "models/indexing/indexer.h"},
    {"stimuli/launch/plan.h", "stimuli/ptx/executor.h"},
    {"stimuli/launch/plan.h", "models/vocabulary/workload.h"},
    {"platforms/program/study/study.h", "platforms/program/search/search_job.h"},
    {"platforms/program/cli.cpp", "platforms/compose/simulation.h"},
    {"tests/core/a_test.cpp", "tests/support/program.h"},
    {"results/csv.cpp", "<csv.h>"},
    {"results/files/output_file.h", "models/vocabulary/error.h"},
    {"results/writers.h", "results/files/output_set.h"},
    {"stimuli/traces/trace_output.h", "results/files/output_file.h"},
};

const Step kForeignLibraries[] = {
    {"models/indexing/gf2.h", "<systemc>"},       {"models/search/search.h", "<tlm>"},
    {"stimuli/ptx/warp.h", "<tlm_utils/x>"},      {"results/csv.h", "<systemc.h>"},
    {"models/core/sm_core.cpp", "<csv.h>"},       {"results/files/output_file.h", "<systemc>"},
    {"models/indexing/gf2.h", "<toml++/toml.h>"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_DATA_TEST_CASE(find_a_step_against_the_arrows, bdata::make(kForbidden), step) {
  BOOST_TEST(againstTheArrows(including(step.from, {step.to})).size() == 1U);
}

BOOST_DATA_TEST_CASE(let_a_step_along_them_pass, bdata::make(kAllowed), step) {
  BOOST_TEST(againstTheArrows(including(step.from, {step.to})).empty());
}

BOOST_DATA_TEST_CASE(find_a_foreign_library, bdata::make(kForeignLibraries), step) {
  BOOST_TEST(foreignLibraries(including(step.from, {step.to})).size() == 1U);
}

BOOST_AUTO_TEST_CASE(find_a_library_behind_another_file_and_blame_who_leaves_the_room) {
  const SourceTree tree{{"stimuli/a.h", {1, {"stimuli/b.h"}, {}}},
                        {"stimuli/b.h", {1, {"<set>", "models/core/c.h"}, {}}},
                        {"models/core/c.h", {1, {"models/core/d.h"}, {}}},
                        {"models/core/d.h", {1, {"models/core/c.h", "<systemc>"}, {}}}};
  const Findings expected{
      "stimuli/b.h must not know SystemC but includes models/core/c.h and with it <systemc>"};
  BOOST_TEST(foreignLibraries(tree) == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(find_circles) {
  const SourceTree tree{{"a", {1, {"<x>", "b"}, {}}},
                        {"b", {1, {"c", "d"}, {}}},
                        {"c", {1, {"<y>"}, {}}},
                        {"d", {1, {"c", "b"}, {}}},
                        {"e", {1, {"e"}, {}}}};
  const Findings expected{"a circle: b -> d -> b", "a circle: e -> e"};
  BOOST_TEST(circles(tree) == expected, tt::per_element());
  BOOST_TEST(
      circles({{"a", {1, {"b", "c"}, {}}}, {"b", {1, {"c"}, {}}}, {"c", {1, {}, {}}}}).empty());
}

BOOST_AUTO_TEST_CASE(find_names_of_no_file) {
  const SourceTree tree{
      {"models/a/b.h", {1, {}, {"b.h", "a/b.h", "models/a/b.h", "c.h", "d/b.h"}}}};
  const Findings expected{"models/a/b.h speaks of c.h, no file",
                          "models/a/b.h speaks of d/b.h, no file"};
  BOOST_TEST(falseNames(tree) == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(find_long_files) {
  const Findings expected{"b has 401 lines; expected 400 or fewer"};
  BOOST_TEST(tooLong({{"a", {400, {}, {}}}, {"b", {401, {}, {}}}}) == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(find_a_header_that_is_not_installed) {
  const SourceTree tree{{"a.h", {1, {"b.h", "<set>"}, {}}}, {"b.h", {1, {"c.h"}, {}}}};
  const Findings expected{"a.h is installed but b.h, which it includes, is not"};
  BOOST_TEST(notInstalled(tree, {"a.h"}) == expected, tt::per_element());
  BOOST_TEST(notInstalled(tree, {"a.h", "b.h", "c.h"}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
