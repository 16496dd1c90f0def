// Sweep files, and the points that they give.
#include <fermata/platforms/program/sweep/sweep_plan.h>

#include "tests/support/program.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::test;
using namespace fermata::platforms;

namespace {

SweepStudy studyOf(const std::string& text) {
  const Folder folder;
  folder.write("s.toml", text);
  return readSweep((folder.path / "s.toml").string());
}

const Digests kFixed{"model", [](const std::string&) { return "p"; },
                     [](const std::string&) { return "w"; },
                     [](const std::string& value) { return value; }};

SweepPlan planOf(const std::string& text) {
  return planSweep(studyOf(text), kFixed);
}

std::vector<std::string> valuesOf(const SweepPlan& plan) {
  std::vector<std::string> rows;
  for (const SweepPoint& point : plan.points) {
    std::string row;
    for (const std::string& value : point.values) row += (row.empty() ? "" : " ") + value;
    rows.push_back(row);
  }
  return rows;
}

const std::string kBase = "[base]\nplatform = 'gtx480'\nworkload = 'transpose'\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(sweep_study)

BOOST_AUTO_TEST_CASE(axes_come_in_the_order_of_the_file_the_last_one_fastest) {
  const SweepPlan plan = planOf(
      "[base]\nplatform = 'gtx480'\n[axes]\nworkload = ['transpose', 'matmul']\n"
      "scratchpad.latency = { from = 20, to = 25, step = 2 }\nmapping = ['mod 32', 'ami 33']\n");
  const std::vector<std::string> columns{"platform", "workload", "scratchpad.latency", "mapping"};
  BOOST_TEST(plan.columns == columns, tt::per_element());
  const std::vector<std::string> expected{
      "gtx480 transpose 20 mod 32", "gtx480 transpose 20 ami 33", "gtx480 transpose 22 mod 32",
      "gtx480 transpose 22 ami 33", "gtx480 transpose 24 mod 32", "gtx480 transpose 24 ami 33",
      "gtx480 matmul 20 mod 32",    "gtx480 matmul 20 ami 33",    "gtx480 matmul 22 mod 32",
      "gtx480 matmul 22 ami 33",    "gtx480 matmul 24 mod 32",    "gtx480 matmul 24 ami 33"};
  BOOST_TEST(valuesOf(plan) == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(order_factor_zip_and_exclude) {
  const SweepPlan plan = planOf("order = ['param.n', 'mapping']\n" + kBase +
                                "[axes]\nparam.n = { from = 32, to = 200, factor = 2 }\n"
                                "[[zip]]\nmapping = ['mod 32', 'ami 33']\n"
                                "scratchpad.latency = [24, 30]\n"
                                "[[exclude]]\nparam.n = [32, 64]\nmapping = 'ami 33'\n");
  const std::vector<std::string> expected{
      "gtx480 transpose 32 mod 32 24", "gtx480 transpose 64 mod 32 24",
      "gtx480 transpose 128 mod 32 24", "gtx480 transpose 128 ami 33 30"};
  BOOST_TEST(valuesOf(plan) == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(a_point_runs_what_its_columns_say) {
  const SweepPlan plan = planOf(
      "[base]\nplatform = 'k20'\nworkload = 'histogram'\nverify = true\n[axes]\nmapping = ['mod "
      "32']\n"
      "seed = [3]\nparam.bins = [64]\nscratchpad.latency = [7]\n");
  const SweepRun run = runOf(plan, plan.points.at(0));
  BOOST_TEST(run.platform == "k20");
  BOOST_TEST(run.workload == "histogram");
  const std::vector<std::string> sets{"verify=true", "scratchpad.indexer=mod 32",
                                      "scratchpad.latency=7"};
  const std::vector<std::string> parameters{"seed=3", "bins=64"};
  BOOST_TEST(run.sets == sets, tt::per_element());
  BOOST_TEST(run.parameters == parameters, tt::per_element());
}

// A key depends on everything that can change a result, and not on the order of the axes.
BOOST_AUTO_TEST_CASE(keys_are_of_what_runs) {
  const std::string axes = "[axes]\nparam.n = [64, 128]\nscratchpad.latency = [20]\n";
  const SweepPlan a = planOf(kBase + axes);
  const SweepPlan b = planOf(kBase + "[axes]\nscratchpad.latency = [20]\nparam.n = [128, 64]\n");
  BOOST_TEST(a.points[0].key.size() == 64U);
  BOOST_TEST(a.points[0].key == b.points[1].key);
  BOOST_TEST(a.points[1].key == b.points[0].key);
  std::set<std::string> keys{a.points[0].key, a.points[1].key};
  for (unsigned which = 0; which < 4; ++which) {
    Digests other = kFixed;
    if (which == 0) other.model = "another";
    if (which == 1) other.platform = [](const std::string&) { return "another"; };
    if (which == 2) other.workload = [](const std::string&) { return "another"; };
    if (which == 3) other.value = [](const std::string& value) { return value + " another"; };
    for (const SweepPoint& point : planSweep(studyOf(kBase + axes), other).points)
      keys.insert(point.key);
  }
  BOOST_TEST(keys.size() == 10U);
}

BOOST_AUTO_TEST_CASE(digests_are_sha_256) {  // checked with FIPS 180-4 and the empty text
  BOOST_TEST(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_AUTO_TEST_CASE(a_plan_reads_back) {
  const SweepPlan plan = planOf(kBase + "[axes]\nmapping = ['bits 0,1,2,3,4', 'mod 32']\n");
  const std::string text = planText(plan);
  const Folder folder;
  const auto read = [&](const std::string& content) {
    folder.write("plan.csv", content);
    return readPlan((folder.path / "plan.csv").string());
  };
  const SweepPlan back = read(text);
  BOOST_TEST(planText(back) == text);
  BOOST_TEST(back.points[0].values[2] == "bits 0,1,2,3,4");
  BOOST_TEST(back.points[1].key == plan.points[1].key);
  for (const std::string& wrong :
       {std::string(), std::string("point,key,a\n"), text.substr(0, text.size() - 3), text + "x"})
    BOOST_CHECK_THROW(read(wrong), InputError);
}

// A key depends on every file that a run may read.
BOOST_AUTO_TEST_CASE(a_launch_file_stands_for_what_it_names) {
  const Folder folder;
  fs::create_directories(folder.path / "inc");
  folder.write("k.cu", "#include \"own.h\"\n");
  folder.write("own.h", "1");
  folder.write("inc/other.h", "1");
  folder.write("x.bin", "1");
  folder.write("y.bin", "1");
  folder.write("k.toml",
               "kernel = 'k.cu'\ninclude = ['inc']\n[[check]]\nbuffer = 'x'\nfile = 'x.bin'\n");
  const std::string launch = (folder.path / "k.toml").string();
  std::set<std::string> digests{digestsOfHere().workload(launch)};
  for (const char* const file : {"k.cu", "own.h", "inc/other.h", "x.bin"}) {
    folder.write(file, "another");
    BOOST_TEST(digests.insert(digestsOfHere().workload(launch)).second, file);
  }
  folder.write("y.bin", "another");  // no file names it
  BOOST_TEST(!digests.insert(digestsOfHere().workload(launch)).second);
  BOOST_TEST(digestsOfHere().workload("transpose") == digestsOfHere().workload("matmul"));
}

const Refusal kRefusals[] = {
    {"x", "s.toml:1:"},
    {kBase, "no axis"},
    {kBase + "[axes]\nparam.n = []\n", "s.toml:5:11: 'param.n' has no value"},
    {kBase + "[axes]\nparam.n = [64, 64]\n", "twice"},
    {kBase + "[axes]\nmapping = [' mod 32']\n", "blanks at its ends"},
    {kBase + "[axes]\nmapping = [\"a\\nb\"]\n", "a line break"},
    {kBase + "[axes]\nparam.n = [[1]]\n", "s.toml:5:12: a value of 'param.n' is"},
    {kBase + "[axes]\nparam.n = { from = 4, to = 2 }\n", "has no value"},
    {kBase + "[axes]\nparam.n = { from = 0, to = 2, factor = 2 }\n", "has no value"},
    {kBase + "[axes]\nparam.n = { from = 1, to = 2, step = 0 }\n", "has no value"},
    {kBase + "[axes]\nparam.n = { from = 1, to = 2, stop = 0 }\n", "has 'stop'"},
    {kBase + "[axes]\nparam.n = { from = 1 }\n", "no integer 'to'"},
    {kBase + "[axes]\nparam.n = { from = 1, to = 99999999 }\n", "too many values"},
    {kBase + "[axes]\nworkload = ['matmul']\n", "'workload' is given twice"},
    {kBase + "[axes]\nparam.n = [64]\n[[zip]]\nparam.n = [64]\n", "'param.n' is given twice"},
    {kBase + "[[zip]]\nparam.n = [64, 128]\nscratchpad.latency = [1]\n", "in one zip"},
    {kBase + "[axes]\nparam.n = [64]\n[[exclude]]\nplatfrm = 'x'\n", "which is no axis"},
    {kBase + "[axes]\nparam.n = [64]\n[[exclude]]\n", "an exclude is empty"},
    {kBase + "[axes]\nparam.n = [64]\n[exclude]\nparam.n = 64\n", "expected [[exclude]]"},
    {kBase + "[axes]\nparam.n = [64]\n[[exclude]]\nparam.n = 64\n", "every point is excluded"},
    {"order = ['x']\n" + kBase + "[axes]\nparam.n = [64]\n", "'order' has 'x'"},
    {"order = []\n" + kBase + "[axes]\nparam.n = [64]\n", "'order' has no 'param.n'"},
    {"ordr = []\n" + kBase + "[axes]\nparam.n = [64]\n", "s.toml:1:1: unknown key 'ordr'"},
    {kBase + "[axes]\nparam.none = [64]\n", "s.toml:5:14: axis 'param.none': no workload"},
    {kBase + "[axes]\nnone = [64]\n", "axis 'none': --set none: unknown parameter"},
    {"[base]\nplatform = 'gtx480'\n[axes]\nworkload = ['none']\n", "no workload 'none'"},
    {"[base]\nworkload = 'transpose'\n[axes]\nplatform = ['none']\n", "axis 'platform'"},
    {"[base]\nworkload = 'transpose'\n[axes]\nparam.n = [64]\n", "no platform"},
    {"[base]\nplatform = 'gtx480'\n[axes]\nscratchpad.latency = [64]\n", "no workload"},
    {kBase + "[[zip]]\nparam.n = [64, 64]\nscratchpad.latency = [1, 1]\n", "run the same"},
};

BOOST_DATA_TEST_CASE(refuses, bdata::make(kRefusals), one) {
  BOOST_CHECK_EXCEPTION(planOf(one.input), InputError, says(one.says));
}

BOOST_AUTO_TEST_SUITE_END()
