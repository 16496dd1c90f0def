// Signals for sc_trace: what a waveform shows, added up, is what the counters say.
#include <fermata/models/probe/traced_signals.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/stimuli/launch/catalog.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// A signal of a waveform: the sum of its value times the cycles that it has the value, its
/// greatest value and its last.
struct Seen {
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  std::uint64_t last = 0;
};

/// Reads a VCD file whose time unit is a picosecond.
std::map<std::string, Seen> read(const std::string& path, std::uint64_t period) {
  std::ifstream file(path);
  std::map<std::string, std::string> nameOf;
  std::map<std::string, Seen> seen;
  std::uint64_t now = 0;
  for (std::string word; file >> word;) {
    if (word == "$var") {
      std::string type, bits, code, name;
      file >> type >> bits >> code >> name;
      nameOf[code] = name;
    } else if (word[0] == '$' && word != "$dumpvars" && word != "$end") {
      while (file >> word && word != "$end") {
      }
    } else if (word[0] == '#') {
      const std::uint64_t next = std::stoull(word.substr(1));
      for (auto& [name, signal] : seen) signal.sum += signal.last * (next - now);
      now = next;
    } else if (word[0] == 'b') {
      std::string code;
      file >> code;
      Seen& signal = seen[nameOf.at(code)];
      signal.last = std::stoull(word.substr(1), nullptr, 2);
      signal.most = std::max(signal.most, signal.last);
    }
  }
  for (auto& [name, signal] : seen) signal.sum /= period;
  return seen;
}

struct Run : Named {
  const char* platform;
  const char* workload;
  std::map<std::string, std::string> parameters;
};
const Run kRuns[] = {{"conflicts", "gtx480", "transpose", {{"tile", "32"}}},
                     {"none", "gtx480", "transpose", {{"tile", "32"}, {"pad", "1"}}},
                     {"caches", "gtx480-caches", "nw", {{"n", "64"}}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(traced_signals)

BOOST_DATA_TEST_CASE(a_waveform_adds_up_to_the_counters, bdata::make(kRuns), run) {
  const TemporaryFolder folder;
  platforms::Configuration configuration = platforms::openPlatform(run.platform);
  configuration.check();
  platforms::Simulation simulation(configuration);
  const Clock clock = Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz);
  TracedSignals signals(clock);
  simulation.allowLead();  // which the signals forbid
  simulation.addProbe(signals);
  const std::string path = (folder / "waves").string();
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(path.c_str());
  sc_core::sc_trace(file, signals.issues, "issues");
  sc_core::sc_trace(file, signals.holding, "holding");
  sc_core::sc_trace(file, signals.conflicting, "conflicting");
  sc_core::sc_trace(file, signals.ctas, "ctas");
  const auto kernel = launch::openLaunch(run.workload, run.parameters);
  const platforms::RunOutcome outcome = simulation.run(*kernel);
  sc_core::sc_start(clock.time(1000));  // the last passes
  sc_core::sc_close_vcd_trace_file(file);

  auto seen = read(path + ".vcd", clock.period().value());
  BOOST_TEST(seen["issues"].sum == outcome.totals.warpInstructions);
  BOOST_TEST(seen["conflicting"].sum == outcome.totals.bankConflictCycles());
  BOOST_TEST(seen["holding"].sum ==
             outcome.totals.sharedAccesses() + outcome.totals.bankConflictCycles());
  BOOST_TEST(seen["holding"].most == 1U);
  BOOST_TEST(seen["ctas"].most > 0U);
  for (const auto& [name, signal] : seen) BOOST_TEST(signal.last == 0U, name);
}

BOOST_AUTO_TEST_SUITE_END()
