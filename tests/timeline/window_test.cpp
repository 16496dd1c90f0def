// A window of a timeline equals the timeline of the whole run, cut at two cycles.
#include "tests/energy/result_files.h"
#include "tests/timeline/trace.h"

namespace fermata::test {
namespace {

struct Case {
  std::string arguments;
  std::uint64_t from;
  std::uint64_t to;
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.arguments << " " << one.from << ":" << one.to;
}

const std::string kTransposed = "gtx480 transpose --param tile=32 --param n=64 ";
const std::string kReplayed = kTransposed + "--set scratchpad.conflict_policy=replay ";
const std::string kChip = "fermi-chip scan --param n=600 --set chip.sms=3 ";
const std::string kPower = "fermi-ami nw --param n=32 --power fermi-40nm --window 300 ";

const Case kCases[] = {
    {kTransposed, 0, 1},      {kTransposed, 1000, 1001}, {kTransposed, 700, 2500},
    {kTransposed, 0, 100000}, {kReplayed, 900, 1700},    {kReplayed, 901, 903},
    {kChip, 500, 2000},       {kPower, 1000, 4000},
};

Trace traceOf(const Folder& folder, const std::string& arguments, std::uint64_t from,
              std::uint64_t to) {
  const Outcome outcome =
      runProgram("run " + arguments + " --quiet --timeline t.pftrace --timeline-window " +
                     std::to_string(from) + ":" + std::to_string(to),
                 folder.path)
          .ok();
  BOOST_TEST(outcome.text == "");
  return readTrace(folder.path / "t.pftrace");
}

std::map<std::string, std::vector<Slice>> cutSlices(const Trace& whole, const Case& one) {
  std::map<std::string, std::vector<Slice>> cut;
  for (const auto& [track, slices] : whole.slices) {
    for (Slice slice : slices) {
      if (slice.to <= one.from || slice.from >= one.to) continue;
      if (slice.from < one.from) slice.since = std::to_string(slice.from);
      slice.goesOn = slice.to > one.to;
      slice.from = std::max(slice.from, one.from);
      slice.to = std::min(slice.to, one.to);
      cut[track].push_back(slice);
    }
  }
  return cut;
}

/// Returns the value of a counter in a cycle: 0 before its first value.
double at(const std::vector<Value>& values, std::uint64_t cycle) {
  double value = 0;
  for (const Value& one : values) {
    if (one.at <= cycle) value = one.value;
  }
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(windows)

BOOST_DATA_TEST_CASE(show_the_same_as_the_whole_run, bdata::make(kCases), one) {
  const Folder folder;
  const Trace whole = traceOf(folder, one.arguments, 0, 1000000000);
  const Trace window = traceOf(folder, one.arguments, one.from, one.to);
  const auto expected = cutSlices(whole, one);
  BOOST_TEST_REQUIRE(!expected.empty());
  BOOST_TEST(window.slices.size() == expected.size());
  for (const auto& [track, slices] : expected) {
    const auto found = window.slices.find(track);
    BOOST_TEST_REQUIRE((found != window.slices.end()), track);
    BOOST_TEST(found->second == slices, tt::per_element());
  }
  for (const auto& [track, values] : window.values) {
    const std::vector<Value>& all = whole.values.at(track);
    for (const Value& value : values) BOOST_TEST(at(values, value.at) == at(all, value.at), track);
    for (const Value& value : all) {
      if (value.at >= one.from && value.at < one.to)
        BOOST_TEST(at(all, value.at) == at(values, value.at), track);
    }
  }
  std::size_t instants = 0;
  for (const auto& [track, all] : whole.instants) {
    instants +=
        static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Instant& instant) {
          return instant.at >= one.from && instant.at < one.to;
        }));
  }
  for (const auto& [track, all] : window.instants) instants -= all.size();
  BOOST_TEST(instants == 0U);
}

BOOST_AUTO_TEST_CASE(have_the_power_of_the_tables) {
  const Folder folder;
  const Trace trace = traceOf(folder, kPower + "--out o", 0, 1000000000);
  const ResultTable power(folder.path / "o" / "power.csv");
  std::map<std::uint64_t, double> all;
  for (std::size_t row = 0; row < power.size(); ++row) {
    const std::uint64_t from = power.integer(row, "window_start");
    const double watts = power.real(row, "watts");
    all[from] += watts;
    const auto found = trace.values.find("chip/power/" + power.cell(row, "component"));
    const double shown = found == trace.values.end() ? 0 : at(found->second, from);
    BOOST_TEST(shown == watts, tt::tolerance(1e-9));
  }
  BOOST_TEST(all.size() > 10U);
  for (const auto& [from, watts] : all)
    BOOST_TEST(at(trace.values.at("chip/power/all"), from) == watts, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
