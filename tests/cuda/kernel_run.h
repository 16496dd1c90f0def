// One run of a workload, as a test case names it.
#pragma once

#include <map>
#include <ostream>
#include <string>

namespace fermata::test {

using Parameters = std::map<std::string, std::string>;

struct Run {
  std::string workload;
  Parameters parameters;
};

inline std::ostream& operator<<(std::ostream& out, const Run& run) {
  out << run.workload;
  for (const auto& [name, value] : run.parameters) out << ' ' << name << '=' << value;
  return out;
}

}  // namespace fermata::test
