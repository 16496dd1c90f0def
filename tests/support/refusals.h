// Checks that bad input is refused with its reason.
#pragma once

#include <fermata/stimuli/input_error.h>

#include "tests/support/says.h"

namespace fermata::test {

/// Returns the message of the InputError that `action` throws, from the name of the file mine.toml
/// on; "none" if it throws none.
template <class Action>
std::string messageOf(const Action& action) {
  const std::string what = errorOf<InputError>(action);
  const std::size_t place = what.find("mine.toml");
  return place == std::string::npos ? what : what.substr(place);
}

/// Checks that `action` throws an InputError whose message has all parts.
template <class Action, class... Parts>
void refuses(const Action& action, const Parts&... parts) {
  BOOST_CHECK_EXCEPTION(action(), InputError, says(std::vector<std::string>{parts...}));
}

/// Checks that `take` refuses every input of the table.
template <class Take>
void refusesAll(const std::vector<Refusal>& table, const Take& take) {
  for (const Refusal& one : table) {
    BOOST_TEST_CONTEXT(one.input) refuses([&] { take(one.input); }, one.says);
  }
}

}  // namespace fermata::test
