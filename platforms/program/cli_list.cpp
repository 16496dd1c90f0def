// fermata platforms, fermata workloads, fermata show
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/progress.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

/// Longest description in the list: a line fits 80 columns. `workloads NAME` prints it unshortened.
constexpr std::size_t kMostDescription = 60;

std::string shortened(const std::string& text) {
  if (text.size() <= kMostDescription) return text;
  const std::string end = " ..";
  return text.substr(0, text.rfind(' ', kMostDescription - end.size())) + end;
}

void listWorkloads() {
  results::Table table({{"workload", results::Align::Left}, {"description", results::Align::Left}});
  for (const WorkloadChoice& choice : listChoices())
    table.row({choice.name, shortened(choice.description)});
  table.print(std::cout);
  if (results::standardErrorIsTerminal()) {  // a hint for people; scripts read the list too
    std::cerr << "\nfermata workloads NAME prints the parameters of one.\n";
  }
}

void describeWorkload(const std::string& name) {
  const WorkloadChoice choice = findChoice(name);
  std::cout << choice.name << ": " << choice.description << '\n';
  if (choice.parameters.empty()) {
    std::cout << "It has no parameters.\n";
    return;
  }
  results::Table table({{"parameter", results::Align::Left},
                        {"default", results::Align::Right},
                        {"allowed", results::Align::Left},
                        {"description", results::Align::Left}});
  for (const ParameterChoice& parameter : choice.parameters) {
    table.row({parameter.name, parameter.standard, parameter.allowed, parameter.description});
  }
  table.print(std::cout);
}

}  // namespace

void addPlatformsCommand(CLI::App& app, Invocation&) {
  CLI::App* command = app.add_subcommand("platforms", "Lists the platforms");
  command->callback([] {
    results::Table table(
        {{"platform", results::Align::Left}, {"description", results::Align::Left}});
    for (const PlatformEntry& entry : listPlatforms()) table.row({entry.name, entry.description});
    table.print(std::cout);
  });
}

void addWorkloadsCommand(CLI::App& app, Invocation&) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "workloads", "Lists the built-in workloads, or the parameters of one workload");
  command->add_option("workload", *name,
                      "Prints the parameters of this workload: a name or a launch file");
  command->footer("A path to a launch file (.toml) or a trace (.csv, .csv.zst) is a workload too.");
  command->callback([name] {
    if (name->empty()) {
      listWorkloads();
    } else {
      describeWorkload(*name);
    }
  });
}

void addShowCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<Measurement>();
  CLI::App* command = app.add_subcommand(
      "show",
      "Prints the effective parameters of a platform with units and sources, as a platform file");
  addOptions(*command, *options, {"platform", "--set"});
  command->callback(
      [options] { std::cout << openPlatform(options->platform, options->sets).text(); });
}

}  // namespace fermata::platforms
