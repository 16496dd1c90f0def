// fermata completion SHELL, manual FOLDER: what an installation adds to shells and to man.
#include <iostream>
#include <memory>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/shell/command_words.h>
#include <fermata/platforms/program/shell/completion.h>
#include <fermata/platforms/program/shell/manual.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

namespace {

void writeManual(const CLI::App& app, const std::string& folder) {
  const std::string version = FERMATA_VERSION;
  files::OutputSet files;
  files.makeFolder(folder);
  const std::filesystem::path out = folder;
  files.add(out / "fermata.1").write(manualPage(app, version));
  for (const CLI::App* command : commandsOf(app))
    files.add(out / ("fermata-" + command->get_name() + ".1"))
        .write(commandPage(*command, version));
  files.commit();
}

}  // namespace

void addCompletionCommand(CLI::App& app, Invocation&) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Prints the script that completes command lines in bash, zsh or fish");
  command->add_option("shell", *shell, "Selects the shell: bash, zsh or fish")
      ->required()
      ->type_name("{bash,zsh,fish}");
  command->footer(
      "An installation has the scripts in place. For this shell alone:\n"
      "  eval \"$(fermata completion bash)\"\n"
      "Examples:\n  fermata completion fish");
  command->callback([shell] { std::cout << completionScript(*shell); });
}

void addManualCommand(CLI::App& app, Invocation&) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("manual", "Writes the manual pages of the program and of each command");
  command
      ->add_option("folder", *folder,
                   "Takes the folder for fermata.1, fermata-run.1 and the others; made if missing")
      ->required()
      ->check(notEmpty("a folder"));
  command->footer("Examples:\n  fermata manual results/out/man1");
  command->callback([&app, folder] { writeManual(app, *folder); });
}

}  // namespace fermata::platforms
