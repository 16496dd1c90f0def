// The picture of power over time shows the energy of the account.
#include <fermata/platforms/energy/power_picture.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// A clock of 2 ns and three components: two act, one takes power all the time.
struct Machine {
  explicit Machine(Cycle window)
      : clock(sc_core::sc_time(2, sc_core::SC_NS)), account(clock, prices(), window) {}

  static EnergyPrices prices() {
    EnergyPrices prices;
    for (auto& price : prices.actions) price = Energy{100, 200, 300};
    prices.standing.push_back({"lamp", {1000000, 3000000, 5000000}, {}});
    return prices;
  }
  void effort(EffortEvent::What what, std::uint64_t count, Cycle at) {
    account.effort({what, EffortEvent::kNoProgram, 0, count, clock.ticks(at)});
  }

  Clock clock;
  EnergyAccount account;
};

struct Step {
  double from = 0;
  double to = 0;
  std::vector<double> sums;  ///< W: the first component, the first two, ...
};

/// Returns the data of panel `number`: two lines per step, its start and its end.
std::vector<Step> stepsOf(const std::string& script, unsigned number) {
  const std::string head = "$run" + std::to_string(number) + " << END\n";
  const std::size_t begin = script.find(head);
  BOOST_TEST_REQUIRE(begin != std::string::npos);
  std::istringstream in(script.substr(begin + head.size()));
  const auto numbers = [](const std::string& line) {
    std::vector<double> all;
    std::istringstream words(line);
    for (double one = 0; words >> one;) all.push_back(one);
    return all;
  };
  std::vector<Step> steps;
  std::string first;
  std::string second;
  while (std::getline(in, first) && first != "END") {
    BOOST_TEST_REQUIRE(static_cast<bool>(std::getline(in, second)));
    const std::vector<double> from = numbers(first);
    const std::vector<double> to = numbers(second);
    BOOST_TEST_REQUIRE(from.size() == to.size());
    BOOST_TEST((std::equal(from.begin() + 1, from.end(), to.begin() + 1)));
    steps.push_back({from.at(0), to.at(0), {from.begin() + 1, from.end()}});
  }
  return steps;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(power_picture)

BOOST_AUTO_TEST_CASE(a_small_run_is_these_numbers) {
  Machine machine(10);
  machine.account.begin(0);
  machine.effort(EffortEvent::DramRead, 30, 3);
  machine.effort(EffortEvent::L2Read, 10, 14);
  machine.effort(EffortEvent::DramRead, 20, 40);  // after the end: belongs to the last step
  machine.account.end(15);
  PowerPicture picture;
  picture.add("a \"run\"", machine.account);
  const std::string script = picture.script("t");
  // 20 ns and 10 ns, in us; 2000 fJ and 10000 fJ; for the lamp 60 pJ and 30 pJ
  BOOST_TEST(has(script,
                 "$run0 << END\n0 0 0.0003 0.0033\n0.02 0 0.0003 0.0033\n"
                 "0.02 0.0002 0.0006 0.0036\n0.03 0.0002 0.0006 0.0036\nEND\n"
                 "set title \"a \\\"run\\\"\"\n"),
             script);
  for (const char* title : {"lc 1 title \"l2\"", "lc 2 title \"dram\"", "lc 3 title \"lamp\""})
    BOOST_TEST(has(script, title), title);
}

BOOST_DATA_TEST_CASE(drawn_energies_are_those_of_the_run,
                     bdata::make({Cycle{1}, Cycle{7}, Cycle{1000}, Cycle{1} << 40,
                                  std::numeric_limits<Cycle>::max()}),
                     window) {
  std::mt19937 random(5);
  PowerPicture picture;
  std::vector<Energy> taken;
  for (const Cycle cycles : {Cycle{1}, Cycle{499}, Cycle{500}, Cycle{501}, Cycle{12345}}) {
    Machine machine(window);
    machine.account.begin(0);
    for (unsigned i = 0; i < 200; ++i) {
      const auto what = static_cast<EffortEvent::What>(random() % EffortEvent::kWhats);
      machine.effort(what, random() % 50, random() % (cycles + 30));
    }
    machine.account.end(cycles);
    picture.add("run", machine.account);
    taken.push_back(machine.account.total());
  }
  const std::string script = picture.script("t");
  for (unsigned run = 0; run < taken.size(); ++run) {
    const std::vector<Step> steps = stepsOf(script, run);
    BOOST_TEST(!steps.empty());
    BOOST_TEST(steps.size() <= 500U);
    double joules = 0;
    double end = 0;
    for (const Step& step : steps) {
      BOOST_TEST(step.from == end);
      BOOST_TEST(std::is_sorted(step.sums.begin(), step.sums.end()));
      joules += step.sums.back() * (step.to - step.from) * 1e-6;
      end = step.to;
    }
    BOOST_TEST(joules == static_cast<double>(taken[run].nominal) * 1e-15, tt::tolerance(1e-3));
  }
}

BOOST_AUTO_TEST_CASE(a_component_has_one_colour_in_all_panels) {
  PowerPicture picture;
  const auto add = [&](std::initializer_list<EffortEvent::What> actions) {
    Machine machine(10);
    machine.account.begin(0);
    for (const auto action : actions) machine.effort(action, 10, 3);
    machine.account.end(10);
    picture.add("run", machine.account);
  };
  add({EffortEvent::DramRead});
  add({EffortEvent::L2Read, EffortEvent::DramRead});
  const std::string script = picture.script("t");
  const std::string second = script.substr(script.find("$run1 << END"));
  for (const char* drawn : {"lc 1 title \"dram\"", "lc 2 title \"lamp\"", "lc 3 title \"l2\""})
    BOOST_TEST(has(second, drawn), second);
}

BOOST_AUTO_TEST_CASE(runs_without_windows_are_left_out) {
  PowerPicture picture;
  const auto add = [&](Cycle window, Cycle cycles) {
    Machine machine(window);
    machine.account.end(cycles);
    picture.add("run", machine.account);
  };
  add(0, 100);
  add(10, 0);  // took no time
  BOOST_TEST(picture.empty());
  add(10, 100);
  BOOST_TEST(!picture.empty());
  add(0, 100);
  const std::string script = picture.script("the \\ title");
  BOOST_TEST(has(script, "$run0 "));
  BOOST_TEST(!has(script, "$run1 "));
  BOOST_TEST(has(script, "multiplot layout 1,1 title \"the \\\\ title\"\n"));
}

BOOST_AUTO_TEST_SUITE_END()
