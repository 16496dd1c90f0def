// fermata platforms, fermata workloads, fermata show
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/called_as.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/progress.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

void listWorkloads(const RowOutput& rows) {
  results::Table table({{"workload", results::Align::Left}, {"description", results::Align::Left}});
  for (const WorkloadChoice& choice : listChoices()) table.row({choice.name, choice.description});
  rows.print(table, std::cout);
  if (!rows.isAsked() &&
      results::standardErrorIsTerminal()) {  // a hint for people; scripts read the list too
    std::cerr << '\n' << calledAs() << " workloads NAME prints the parameters of one.\n";
  }
}

void describeWorkload(const std::string& name, const RowOutput& rows) {
  const WorkloadChoice choice = findChoice(name);
  if (!rows.isAsked()) std::cout << choice.name << ": " << choice.description << '\n';
  if (!rows.isAsked() && choice.parameters.empty()) {
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
  rows.print(table, std::cout);
}

}  // namespace

void addPlatformsCommand(CLI::App& app, Invocation&) {
  CLI::App* command = app.add_subcommand("platforms", "Lists the platforms");
  const auto rows = std::make_shared<RowOutput>();
  addRowOutput(*command, *rows);
  command->footer("Examples:\n  fermata platforms\n  fermata platforms --json");
  command->callback([rows] {
    results::Table table(
        {{"platform", results::Align::Left}, {"description", results::Align::Left}});
    for (const PlatformEntry& entry : listPlatforms()) table.row({entry.name, entry.description});
    rows->print(table, std::cout);
  });
}

void addWorkloadsCommand(CLI::App& app, Invocation&) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "workloads", "Lists the built-in workloads, or the parameters of one workload");
  command
      ->add_option("workload", *name,
                   "Prints the parameters of this workload: a name or a launch file")
      ->type_name("WORKLOAD");
  const auto rows = std::make_shared<RowOutput>();
  addRowOutput(*command, *rows);
  command->footer(
      "A path to a launch file (.toml) or a trace (.csv, .csv.zst, .traceg, kernelslist.g) is a "
      "workload too.\n"
      "Examples:\n  fermata workloads\n  fermata workloads transpose");
  command->callback([name, rows] {
    if (name->empty()) {
      listWorkloads(*rows);
    } else {
      describeWorkload(*name, *rows);
    }
  });
}

void addShowCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<Measurement>();
  CLI::App* command = app.add_subcommand(
      "show",
      "Prints the effective parameters of a platform with units and sources, as a platform file");
  addPlatformEitherWay(*command, *options);
  command->get_option("--platform")->default_str("");
  addOptions(*command, *options, {"--set"});
  command->footer(
      "Examples:\n  fermata show gtx480\n  fermata show sm_80 --set scratchpad.indexer='ami 33'");
  command->callback([command, options] {
    if (!namesPlatform(*command))
      refuse("no platform is named; expected one, as in 'fermata show gtx480'");
    std::cout << openPlatform(options->platform, options->sets).text();
  });
}

}  // namespace fermata::platforms
