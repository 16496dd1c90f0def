// A kernel of the catalogue with its parameters, as a sample of a data test.
#pragma once

#include <fermata/platforms/program/workloads.h>

#include <ostream>

namespace fermata::test {

struct Kernel {
  const char* name;
  platforms::WorkloadParameters parameters;
};
inline std::ostream& operator<<(std::ostream& out, const Kernel& kernel) {
  return out << kernel.name;
}

}  // namespace fermata::test
