// Messages of exceptions, and predicates for BOOST_CHECK_EXCEPTION that look at them.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

namespace fermata::test {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Returns the message of the Error that `act` throws; "none" if it throws nothing.
template <class Error, class Act>
std::string errorOf(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

/// Holds for an exception whose message has all the parts.
inline auto says(std::vector<std::string> parts) {
  return [parts = std::move(parts)](const std::exception& error) {
    const std::string text = error.what();
    BOOST_TEST_MESSAGE(text);
    bool all = true;
    for (const std::string& part : parts) all = all && has(text, part);
    return all;
  };
}
template <class... More>
auto says(const std::string& part, const More&... more) {
  return says(std::vector<std::string>{part, more...});
}

/// Holds for an exception whose message begins with `start` and has the part.
inline auto beginsWith(std::string start, std::string part = "") {
  return [start = std::move(start), part = std::move(part)](const std::exception& error) {
    return says(part)(error) && std::string(error.what()).rfind(start, 0) == 0;
  };
}

}  // namespace fermata::test
