// What the suite has to say about a module: sentences, none when it conforms.
#pragma once

#include <string>
#include <vector>

namespace fermata::conformance {

using Findings = std::vector<std::string>;

/// Collects findings, each behind the scenario in which it was made.
class Log {
 public:
  /// Of one scenario that many findings are kept: what is broken once is mostly broken often.
  static constexpr unsigned kMostOfAScenario = 8;

  void scenario(std::string name) {
    scenario_ = std::move(name);
    ofScenario_ = 0;
  }
  void add(const std::string& text) {
    if (++ofScenario_ <= kMostOfAScenario) findings_.push_back(scenario_ + ": " + text);
  }
  /// No finding in this scenario so far.
  bool clean() const { return ofScenario_ == 0; }
  const Findings& findings() const { return findings_; }

 private:
  std::string scenario_;
  unsigned ofScenario_ = 0;
  Findings findings_;
};

}  // namespace fermata::conformance
