#include <fermata/platforms/program/program.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <systemc>

#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/results/files/temporary.h>

namespace fermata::platforms {

AddCommand addRunCommand, addSearchCommand, addSoftwareHashCommand, addPlatformsCommand,
    addWorkloadsCommand, addShowCommand, addPricesCommand, addCostCommand, addMapCommand,
    addDemoCommand, addCheckCommand, addSweepCommand, addExecCommand, addExplainCommand,
    addReportCommand, addDiffCommand, addStudyCommands, addValidateCommand, addCcCommand;

namespace {

/// In the order of the help.
constexpr AddCommand* kCommands[] = {
    addRunCommand,       addSearchCommand,    addSoftwareHashCommand,
    addPlatformsCommand, addWorkloadsCommand, addShowCommand,
    addPricesCommand,    addCostCommand,      addMapCommand,
    addDemoCommand,      addCheckCommand,     addSweepCommand,
    addExecCommand,      addExplainCommand,   addReportCommand,
    addDiffCommand,      addStudyCommands,    addValidateCommand,
    addCcCommand};

}  // namespace
}  // namespace fermata::platforms

namespace {

constexpr int kBadInput = 2;
constexpr int kFailure = 1;

int report(const std::string& what, int code) {
  std::cerr << "fermata: error: " << fermata::platforms::readable(what) << '\n';
  return code;
}

fermata::platforms::Connector* ownParts = nullptr;  ///< global: sc_main has no argument for it

/// Help without the "..." after an option, which would suggest several values per use: most options
/// with several values take one per use.
class Help : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const bool one = !option->get_positional() && !option->get_allow_extra_args();
    const std::size_t several = one ? text.find(" ...") : std::string::npos;
    return several == std::string::npos ? text : text.erase(several, 4);
  }
};

int runCommand(int argc, char** argv) {
  CLI::App app{
      "Fermata: a model of the on-chip memory path of a GPU streaming multiprocessor.\n"
      "Runs CUDA kernels (PTX), traces and patterns on a platform and says where warps wait."};
  app.name("fermata");
  app.formatter(std::make_shared<Help>());
  app.require_subcommand(0, 1);  // lets the parser name an unknown command
  app.set_version_flag("--version", FERMATA_VERSION);
  fermata::platforms::Invocation invocation{ownParts};
  for (const auto add : fermata::platforms::kCommands) add(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version.
    if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr);
    report(error.what(), kBadInput);
    std::cerr << "Run with --help for more information.\n";
    return kBadInput;
  }
  if (app.get_subcommands().empty()) {
    std::cerr << app.help() << "\nfermata: error: nothing to do; expected a command\n";
    return kBadInput;
  }
  return invocation.exitCode;
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  fermata::files::removeTemporariesOnSignals();
  try {
    const int code = runCommand(argc, argv);
    std::cout.flush();
    return std::cout ? code : report("cannot write to standard output", kFailure);
  } catch (...) {
    const fermata::platforms::Caught wrong = fermata::platforms::caught();
    return report(wrong.what, wrong.badInput ? kBadInput : kFailure);
  }
}

int fermata::platforms::runProgram(int argc, char** argv, Connector& connector) {
  ownParts = &connector;
  // Standard error is for errors and progress only.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
