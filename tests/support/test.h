// Headers of every test: Boost.Test with its data, the standard library, and names for them.
#pragma once

#include <algorithm>
#include <array>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
namespace fs = std::filesystem;

namespace fermata::test {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
inline bool begins(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

/// Base of a sample of a data test: a check that fails prints the name.
struct Named {
  const char* name;
  friend std::ostream& operator<<(std::ostream& out, const Named& one) { return out << one.name; }
};

/// Input that is refused, and a part of the message: a sample of a data test.
struct Refusal {
  std::string input;
  std::string says;
  friend std::ostream& operator<<(std::ostream& out, const Refusal& one) {
    return out << one.input;
  }
};

}  // namespace fermata::test
