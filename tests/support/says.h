// Messages of exceptions, and predicates for BOOST_CHECK_EXCEPTION that look at them.
#pragma once

#include "tests/support/test.h"

namespace fermata::test {

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
    for (const std::string& part : parts)
      BOOST_TEST(has(text, part), part << "\nis not in\n" << text);
    return true;
  };
}
template <class... More>
auto says(const std::string& part, const More&... more) {
  return says(std::vector<std::string>{part, more...});
}

/// Holds for an exception whose message is the text.
inline auto saysOnly(std::string text) {
  return [text = std::move(text)](const std::exception& error) {
    return says(text)(error) && error.what() == text;
  };
}

/// Holds for an exception whose message begins with `start` and has the part.
inline auto beginsWith(std::string start, std::string part = "") {
  return [start = std::move(start), part = std::move(part)](const std::exception& error) {
    return says(part)(error) && std::string(error.what()).rfind(start, 0) == 0;
  };
}

}  // namespace fermata::test
