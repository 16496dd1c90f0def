// A platform file's platform, with chosen signals in a waveform: transpose.vcd.
#include <iostream>

#include <fermata/models/probe/traced_signals.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/stimuli/launch/catalog.h>

using namespace fermata;

int sc_main(int, char**) {
  platforms::Configuration configuration = platforms::openPlatform("gtx480");
  configuration.check();
  platforms::Simulation simulation(configuration);
  TracedSignals signals(Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz));
  simulation.addProbe(signals);

  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file("transpose");
  sc_core::sc_trace(file, signals.issues, "issues");
  sc_core::sc_trace(file, signals.holding, "holding");
  sc_core::sc_trace(file, signals.conflicting, "conflicting");

  const auto kernel = launch::openLaunch("transpose", {{"tile", "32"}});
  const platforms::RunOutcome outcome = simulation.run(*kernel);
  sc_core::sc_close_vcd_trace_file(file);
  kernel->checkResults();
  std::cout << outcome.cycles << " cycles, " << outcome.totals.bankConflictCycles()
            << " of them in bank conflicts\n";
  return 0;
}
