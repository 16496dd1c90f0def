#include <fermata/platforms/program/measurement_options.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <type_traits>

#include <fermata/platforms/program/option_checks.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

const MeasurementOption& find(const std::string& name) {
  const std::size_t dashes = name.rfind("--");
  const std::string bare = dashes == name.npos ? name : name.substr(dashes + 2);
  for (const MeasurementOption& option : measurementOptions()) {
    if (option.name == bare) return option;
  }
  throw std::logic_error("no option " + name);
}

/// Adds the default at the end of the first sentence.
template <class Value>
std::string withDefault(std::string help, const Value& value) {
  return help.insert(std::min(help.find(". "), help.size()), fmt::format(" (default: {})", value));
}

template <class Value>
CLI::Option* addValue(CLI::App& command, const TakenOption& taken, const std::string& help,
                      Value& value, Unset unset) {
  if constexpr (std::is_same_v<Value, bool>) {
    return command.add_flag(taken.name, value, help);
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    CLI::Option* const option = command.add_option(taken.name, value, help);
    return option->get_positional() ? option : option->allow_extra_args(false);
  } else if (value == Value() || taken.name[0] != '-') {
    return command.add_option(taken.name, value, help);
  } else if (unset == Unset::Environment) {
    return command.add_option(taken.name, value, withDefault(help, value))->type_name("TEXT");
  } else {
    return command.add_option(taken.name, value, help)->capture_default_str();
  }
}

void add(CLI::App& command, Measurement& measurement, const TakenOption& taken, Unset unset) {
  const MeasurementOption& option = find(taken.name);
  CLI::Option* const added = std::visit(
      [&](const auto member) {
        const std::string& help = taken.help.empty() ? option.help : taken.help;
        return addValue(command, taken, help, measurement.*member, unset);
      },
      option.member);
  if (*option.expected != '\0') added->check(notEmpty(option.expected));
  if (added->get_positional()) {
    added->required();
    return;
  }
  if (std::holds_alternative<std::uint64_t Measurement::*>(option.member))
    added->transform(wholeNumber(1));
  if (*option.needs != '\0') added->needs(fmt::format("--{}", option.needs));
}

/// Returns the variable's value for the texts that the user gave.
std::string valueOf(const MeasurementOption& option, const std::vector<std::string>& texts) {
  if (std::holds_alternative<bool Measurement::*>(option.member)) return "1";
  const std::string text = fmt::format("{}", fmt::join(texts, "\n"));
  std::error_code error;
  const bool isPath =
      option.text == MeasurementOption::Text::Path ||
      (option.text == MeasurementOption::Text::NameOrPath && fs::is_regular_file(text, error));
  return isPath ? fs::absolute(text).string() : text;
}

}  // namespace

void addOptions(CLI::App& command, Measurement& measurement,
                std::initializer_list<TakenOption> options, Unset unset) {
  for (const TakenOption& taken : options) add(command, measurement, taken, unset);
}

void addLaunchOptions(CLI::App& command, Measurement& measurement, bool dumps) {
  const std::initializer_list<TakenOption> launch{"--entry",   "--grid",   "--block",
                                                  "--shared",  "--arg",    "--arch",
                                                  "--include", "--define", "--buffer"};
  addOptions(command, measurement, launch);
  if (dumps) addOptions(command, measurement, {"--dump"});
  for (const TakenOption& taken : launch)
    command.get_option(taken.name)->group("A launch without a launch file");
  for (const char* name : {"--buffer", "--dump"}) {
    if (CLI::Option* const option = command.get_option_no_throw(name))
      option->group("Buffers of a launch");
  }
}

void addPlatformOfWorkloads(CLI::App& command, Measurement& measurement,
                            const std::string& otherwise) {
  addOptions(command, measurement,
             {{"--platform",
               "Runs on this platform: name or path. Default: the one named as the architecture "
               "(arch) of the launch files, for instance sm_80" +
                   otherwise}});
  command.get_option("--platform")->default_str("");
}

void addPlatformEitherWay(CLI::App& command, Measurement& measurement) {
  addOptions(command, measurement, {"platform"});
  // Not configurable: newer versions of the parser refuse a positional that is named as an option.
  CLI::Option* const positional =
      command.get_option("platform")->required(false)->configurable(false);
  addOptions(command, measurement,
             {{"--platform", "Selects the platform, in the place of the positional"}});
  command.get_option("--platform")->excludes(positional);
}

bool namesPlatform(const CLI::App& command) {
  return command.count("platform") != 0 || command.count("--platform") != 0;
}

void setEnvironment(const CLI::App& command) {
  for (const MeasurementOption& option : measurementOptions()) {
    if (*option.variable == '\0') continue;
    const CLI::Option* const given = command.get_option_no_throw(fmt::format("--{}", option.name));
    if (given == nullptr || given->count() == 0) continue;
    ::setenv(option.variable, valueOf(option, given->results()).c_str(), 1);
  }
}

}  // namespace fermata::platforms
