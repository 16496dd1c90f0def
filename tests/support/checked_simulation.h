// A simulation with a protocol checker on every socket, and figures that a test can read.
#pragma once

#include <fermata/models/transaction/protocol_checker.h>
#include <fermata/platforms/compose/simulation.h>

#include <list>
#include <string>

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

/// Reads a platform and applies changes "path=value".
inline platforms::Configuration platform(const std::string& name,
                                         const std::vector<std::string>& sets = {}) {
  platforms::Configuration configuration =
      platforms::Configuration::read(FERMATA_SOURCE_DIR "/platforms/" + name + ".toml");
  for (const std::string& set : sets) configuration.apply(set);
  configuration.check();
  return configuration;
}
inline platforms::Configuration gtx480(const std::vector<std::string>& sets = {}) {
  return platform("gtx480", sets);
}

}  // namespace fermata::test
