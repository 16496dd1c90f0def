// Findings of the suite about a module: sentences, none if it conforms.
#pragma once

#include <string>
#include <vector>

namespace fermata::conformance {

using Findings = std::vector<std::string>;

/// Collects findings, each behind the name of its scenario.
class Log {
 public:
  /// Most findings kept per scenario: a defect usually shows often.
  static constexpr unsigned kMostOfAScenario = 8;

  void scenario(std::string name) {
    scenario_ = std::move(name);
    ofScenario_ = 0;
  }
  void add(const std::string& text) {
    if (++ofScenario_ <= kMostOfAScenario) findings_.push_back(scenario_ + ": " + text);
  }
  /// True if this scenario has no finding so far.
  bool clean() const { return ofScenario_ == 0; }
  const Findings& findings() const { return findings_; }

 private:
  std::string scenario_;
  unsigned ofScenario_ = 0;
  Findings findings_;
};

}  // namespace fermata::conformance
