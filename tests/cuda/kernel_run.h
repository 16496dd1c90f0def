// Runs of kernels, as kernel_runs.txt lists them for a suite.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace fermata::test {

using Parameters = std::map<std::string, std::string>;

struct Run {
  std::string workload;
  Parameters parameters;
  std::size_t buffers = 1;  ///< that it checks
  bool isSized = false;     ///< the number of its instructions is bounded
};

inline std::ostream& operator<<(std::ostream& out, const Run& run) {
  out << run.workload;
  for (const auto& [name, value] : run.parameters) out << ' ' << name << '=' << value;
  return out;
}

std::vector<Run> runsOf(const std::string& suite);
/// Checks the results against the host's; reads of unset memory are refused.
void checkRun(const Run& run);
/// Checks that each refusal of the suite has its message.
void checkRefusals(const std::string& suite);

}  // namespace fermata::test
