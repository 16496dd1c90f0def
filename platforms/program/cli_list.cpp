// fermata platforms, fermata workloads, fermata show
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

void addPlatformsCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("platforms", "List the platforms");
  command->callback([] {
    results::Table table(
        {{"platform", results::Align::Left}, {"description", results::Align::Left}});
    for (const PlatformEntry& entry : listPlatforms()) table.row({entry.name, entry.description});
    table.print(std::cout);
  });
}

void addWorkloadsCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("workloads", "List the built-in workloads and their parameters");
  command->footer("A path to a launch file (.toml) or a trace (.csv, .csv.zst) is a workload too.");
  command->callback([] {
    results::Table table({{"workload", results::Align::Left},
                          {"parameters", results::Align::Left},
                          {"description", results::Align::Left}});
    for (const WorkloadChoice& choice : listChoices()) {
      std::string parameters;
      for (const auto& [name, value] : choice.parameters) {
        parameters += (parameters.empty() ? "" : " ") + name + "=" + value;
      }
      table.row({choice.name, parameters, choice.description});
    }
    table.print(std::cout);
  });
}

void addShowCommand(CLI::App& app) {
  struct Options {
    std::string platform;
    std::vector<std::string> sets;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "show",
      "Print the effective parameters of a platform with units and sources, as a platform file");
  command->add_option("platform", options->platform, "Name or path of a platform")->required();
  command->add_option("--set", options->sets, "Change a parameter: path=value")
      ->allow_extra_args(false);
  command->callback([options] {
    Configuration configuration = openPlatform(options->platform);
    configuration.applyAll(options->sets);
    configuration.check();
    std::cout << configuration.text();
  });
}

}  // namespace fermata::platforms
