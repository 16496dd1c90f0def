// A simulation whose every socket has a protocol checker on it, and whose figures a test can read.
#pragma once

#include <list>

#include <fermata/models/transaction/protocol_checker.h>
#include <fermata/platforms/compose/simulation.h>

namespace fermata::test {

class CheckedSimulation {
 public:
  explicit CheckedSimulation(const platforms::Configuration& configuration)
      : simulation(configuration, [this](WarpInitiatorSocket& from, WarpTargetSocket& to) {
          ProtocolChecker& checker =
              checkers.emplace_back(("checker" + std::to_string(checkers.size())).c_str());
          from.bind(checker.in);
          checker.out.bind(to);
        }) {}

  /// Runs it; what was started on any edge must have been completed.
  platforms::RunOutcome run(Workload& workload) {
    const platforms::RunOutcome outcome = simulation.run(workload);
    for (const ProtocolChecker& checker : checkers) {
      if (checker.inFlight() != 0 || checker.started() != checker.completed()) {
        SC_REPORT_ERROR("fermata/test", "transactions are left in flight");
      }
    }
    return outcome;
  }

  std::list<ProtocolChecker> checkers;
  platforms::Simulation simulation;
};

/// The gtx480 platform with changes "path=value".
inline platforms::Configuration gtx480(const std::vector<std::string>& sets = {}) {
  platforms::Configuration configuration =
      platforms::Configuration::read(FERMATA_SOURCE_DIR "/platforms/gtx480.toml");
  for (const std::string& set : sets) configuration.apply(set);
  configuration.check();
  return configuration;
}

}  // namespace fermata::test
