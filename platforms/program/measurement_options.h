// The options of a Measurement on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>

#include <fermata/platforms/program/measurement.h>

namespace fermata::platforms {

/// An option that a command takes. Without dashes, it is a required positional.
struct TakenOption {
  TakenOption(const char* optionName, std::string ownHelp = {})  // NOLINT: a name is one, too
      : name(optionName), help(std::move(ownHelp)) {}

  std::string name;
  std::string help;  ///< replaces that of the list; empty: does not
};

/// Help of --set with an example.
inline constexpr const char* kSetWithExample =
    "Sets a platform parameter: path=value, for instance scratchpad.indexer='ami 33'. Repeatable.";

/// Says who sets what no option does: the command, or the environment of the program it starts.
enum class Unset { Default, Environment };

/// Adds options of the list, in this order. `measurement` must outlive the command.
void addOptions(CLI::App& command, Measurement& measurement,
                std::initializer_list<TakenOption> options, Unset unset = Unset::Default);

/// Adds the options of a launch without a launch file, and of a launch file's buffers.
/// `dumps`: the command writes buffers.
void addLaunchOptions(CLI::App& command, Measurement& measurement, bool dumps);

/// Adds the option --platform with no default: choose_platform.h finds one. `otherwise`: end of the
/// help, the platform of a command without launch files; empty: there is none.
void addPlatformOfWorkloads(CLI::App& command, Measurement& measurement,
                            const std::string& otherwise = {});

/// Adds the platform as a positional and as the option --platform; one of them can be given.
void addPlatformEitherWay(CLI::App& command, Measurement& measurement);
/// Returns whether the user gave either of them.
bool namesPlatform(const CLI::App& command);

/// Sets the variable of each option that the user gave.
void setEnvironment(const CLI::App& command);

}  // namespace fermata::platforms
