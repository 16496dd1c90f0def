// Small helpers of the launch tests.
#pragma once

#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

namespace fermata::launch {

using test::has;
using test::Refusal;
using test::refuses;
using test::refusesAll;

struct Scratch : test::TemporaryFolder {
  std::string path(const std::string& name) const { return (*this / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    put(name, text);
    return path(name);
  }
};

/// Returns the message of the InputError that `action` throws; fails the check if it throws none.
template <class Action>
std::string refusal(const Action& action) {
  const std::string message = fermata::test::errorOf<InputError>(action);
  BOOST_TEST(message != "none");
  return message;
}

template <class T>
std::vector<T> elementsOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Returns the table of a launch of one CTA.
inline std::string launchOf(const std::string& entry, const std::string& arguments,
                            int block = 32) {
  return "[[launch]]\nentry = '" + entry + "'\ngrid = 1\nblock = " + std::to_string(block) +
         "\narguments = [" + arguments + "]\n";
}

/// Opens the launch file `text` as if it lay in the scratch folder, beside its kernel file.
inline std::unique_ptr<LaunchWorkload> open(
    const Scratch& scratch, const std::string& text,
    const std::map<std::string, std::string>& parameters = {},
    const WorkloadOptions& options = {}) {
  return std::make_unique<LaunchWorkload>(parseLaunchFile(text, scratch.path("test.toml")),
                                          parameters, options);
}

}  // namespace fermata::launch
