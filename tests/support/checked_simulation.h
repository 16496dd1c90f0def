// A simulation with a protocol checker on every socket, and figures that a test can read.
#pragma once

#include <fermata/models/transaction/protocol_checker.h>
#include <fermata/platforms/compose/simulation.h>

#include "tests/support/test.h"

namespace fermata::test {

/// Puts a protocol checker on every edge.
class CheckedConnector : public platforms::Connector {
 public:
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    checked(warp.emplace_back(name().c_str()), from, to);
  }
  void joinLine(LineInitiatorSocket& from, LineTargetSocket& to) override {
    checked(line.emplace_back(name().c_str()), from, to);
  }
  /// True if every transaction on every edge has been completed.
  bool nothingLeft() const { return complete(warp) && complete(line); }

  std::list<ProtocolChecker> warp;
  std::list<LineProtocolChecker> line;

 protected:
  /// Joins both ends to a stage between them.
  template <class Stage>
  void through(Stage& stage, WarpInitiatorSocket& from, WarpTargetSocket& to) {
    CheckedConnector::joinWarp(from, stage.in);
    CheckedConnector::joinWarp(stage.out, to);
  }
  std::string name() const { return "checker" + std::to_string(warp.size() + line.size()); }

 private:
  template <class Checker, class From, class To>
  static void checked(Checker& checker, From& from, To& to) {
    from.bind(checker.in);
    checker.out.bind(to);
  }
  template <class Checkers>
  static bool complete(const Checkers& checkers) {
    for (const auto& checker : checkers) {
      if (checker.inFlight() != 0 || checker.started() != checker.completed()) return false;
    }
    return true;
  }
};

class CheckedSimulation {
 public:
  explicit CheckedSimulation(const platforms::Configuration& configuration)
      : simulation(configuration, connector) {}

  /// Runs the workload; an unfinished transaction on any edge is an error.
  platforms::RunOutcome run(Workload& workload) {
    const platforms::RunOutcome outcome = simulation.run(workload);
    if (!connector.nothingLeft())
      SC_REPORT_ERROR("fermata/test", "transactions are left in flight");
    return outcome;
  }

  CheckedConnector connector;
  platforms::Simulation simulation;
};

/// Returns the issue slots that are accounted for: used by instructions and replays, or lost.
inline std::uint64_t slotsOf(const platforms::RunOutcome& outcome) {
  const auto& stalls = outcome.totals.stalls;
  return std::accumulate(stalls.begin(), stalls.end(),
                         outcome.replays != nullptr ? outcome.replays->counts().totals().issued()
                                                    : outcome.totals.warpInstructions);
}
inline const ReplayCounters::Counts& replaysOf(const platforms::RunOutcome& outcome) {
  BOOST_REQUIRE(outcome.replays != nullptr);
  return outcome.replays->counts().totals();
}
inline const CacheCounters::Counts& cachesOf(const platforms::RunOutcome& outcome) {
  BOOST_REQUIRE(outcome.dram != nullptr);
  return outcome.dram->counts().totals();
}

/// Changes "path=value" of a platform.
using Sets = std::vector<std::string>;
inline Sets operator+(Sets sets, const Sets& more) {
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

/// Reads a platform and applies changes.
inline platforms::Configuration platform(const std::string& name, const Sets& sets = {}) {
  platforms::Configuration configuration =
      platforms::Configuration::read(FERMATA_SOURCE_DIR "/platforms/" + name + ".toml");
  for (const std::string& set : sets) configuration.apply(set);
  configuration.check();
  return configuration;
}
inline platforms::Configuration gtx480(const Sets& sets = {}) {
  return platform("gtx480", sets);
}

}  // namespace fermata::test
