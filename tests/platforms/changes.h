// Changes of a platform that are refused or taken: a sample of a data test.
#pragma once

#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"

namespace fermata::test {

struct Changes {
  const char* sets;           ///< "path=value; path=value"
  const char* says = "";      ///< beginning of the message that refuses them, place first
  const char* platform = "";  ///< if it is not the usual one of the test

  /// Returns the changed platform.
  platforms::Configuration of(const std::string& usual) const {
    Sets all;
    std::string text = sets;
    for (std::size_t end = 0; (end = text.find("; ")) != std::string::npos; text.erase(0, end + 2))
      all.push_back(text.substr(0, end));
    all.push_back(text);
    return test::platform(*platform == 0 ? usual : platform, all);
  }
  void checkRefused(const std::string& usual) const {
    BOOST_CHECK_EXCEPTION(of(usual), InputError, beginsWith(says));
  }
  friend std::ostream& operator<<(std::ostream& out, const Changes& one) {
    return out << one.platform << ' ' << one.sets;
  }
};

}  // namespace fermata::test
