// Puts modules through the conformance suite.
#pragma once

#include <fermata/models/conformance/suite.h>

#include "tests/support/test.h"

namespace fermata::test {

inline conformance::Options seeded(unsigned seed, std::uint32_t accesses = 96) {
  conformance::Options options;
  options.seed = seed;
  options.accesses = accesses;
  return options;
}

/// Prints every finding and fails if there is one.
inline void checkConforms(const conformance::Findings& findings) {
  for (const std::string& finding : findings) BOOST_TEST_MESSAGE(finding);
  BOOST_TEST(findings.size() == 0U);
}

/// Checks modules of a class that are made with `arguments` behind their name.
template <class Module, class Above, class Below, class... Arguments>
void conforms(
    conformance::Findings (*check)(const conformance::Make<conformance::Stage<Above, Below>>&,
                                   const conformance::Options&),
    const conformance::Options& options, const Arguments&... arguments) {
  checkConforms(check(
      [&](const char* name) {
        return conformance::stageOf<Above, Below>(std::make_shared<Module>(name, arguments...));
      },
      options));
}
template <class Module, class Above, class... Arguments>
void conforms(conformance::Findings (*check)(const conformance::Make<conformance::Target<Above>>&,
                                             const conformance::Options&),
              const conformance::Options& options, const Arguments&... arguments) {
  checkConforms(check(
      [&](const char* name) {
        return conformance::targetOf<Above>(std::make_shared<Module>(name, arguments...));
      },
      options));
}

/// Fails unless a finding contains the text.
inline void checkFound(const conformance::Findings& findings, const std::string& text) {
  for (const std::string& finding : findings) BOOST_TEST_MESSAGE(finding);
  BOOST_TEST(std::any_of(findings.begin(), findings.end(),
                         [&](const std::string& finding) { return has(finding, text); }),
             "nothing found says: " << text);
}

}  // namespace fermata::test
