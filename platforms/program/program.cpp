#include <fermata/platforms/program/program.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <systemc>

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fermata/platforms/program/called_as.h>
#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/diagnostics.h>
#include <fermata/platforms/program/did_you_mean.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/large_pages.h>
#include <fermata/platforms/program/shell/command_words.h>
#include <fermata/platforms/program/shell/completion.h>
#include <fermata/results/files/temporary.h>

namespace fermata::platforms {

AddCommand addRunCommand, addSearchCommand, addSoftwareHashCommand, addPlatformsCommand,
    addWorkloadsCommand, addShowCommand, addParamsCommand, addPricesCommand, addCostCommand,
    addMapCommand, addDemoCommand, addCheckCommand, addSweepCommand, addExecCommand,
    addExplainCommand, addReportCommand, addDiffCommand, addStudyCommands, addValidateCommand,
    addCcCommand, addHipccCommand, addCompletionCommand, addManualCommand;

namespace {

/// In the order of the help.
constexpr AddCommand* kCommands[] = {
    addRunCommand,       addSearchCommand,     addSoftwareHashCommand, addPlatformsCommand,
    addWorkloadsCommand, addShowCommand,       addParamsCommand,       addPricesCommand,
    addCostCommand,      addMapCommand,        addDemoCommand,         addCheckCommand,
    addSweepCommand,     addExecCommand,       addExplainCommand,      addReportCommand,
    addDiffCommand,      addStudyCommands,     addValidateCommand,     addCcCommand,
    addHipccCommand,     addCompletionCommand, addManualCommand};

}  // namespace
}  // namespace fermata::platforms

namespace {

constexpr int kBadInput = 2;
constexpr int kFailure = 1;

int report(const std::string& what, int code, const std::string& kind) {
  using namespace fermata::platforms;
  printError(asCalled(readable(withNearestWord(what))), kind);
  return code;
}

int report(const fermata::platforms::Caught& wrong) {
  using namespace fermata::platforms;
  if (!diagnosticsAreJson())
    return report(wrong.what, wrong.badInput ? kBadInput : kFailure, "failure");
  for (Diagnostic one : wrong.diagnostics) {
    one.message = asCalled(withNearestWord(one.message));
    printDiagnostic(one);
  }
  return wrong.badInput ? kBadInput : kFailure;
}

/// Returns the parser's message; for an unexpected option with the one that was probably meant.
std::string parseError(const CLI::App& app, const CLI::ParseError& error) {
  const std::string what = error.what();
  const auto chosen = app.get_subcommands();
  const std::size_t dash = what.find(" -");
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || dash == std::string::npos ||
      chosen.empty())
    return what;
  std::vector<std::string> known;
  for (const CLI::Option* option : chosen.front()->get_options())
    known.push_back("--" + option->get_single_name());
  const std::string word = what.substr(dash + 1, what.find(' ', dash + 1) - dash - 1);
  const std::string nearest = fermata::platforms::nearestWord(word, known);
  return nearest.empty() ? what : what + "; did you mean '" + nearest + "'?";
}

/// Returns an error for a first word that is no command; empty: it is one, or an option.
std::string unknownCommand(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0][0] == '-') return {};
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == words[0]) return {};
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  return "no command '" + words[0] + "'; expected one of " + known;
}

/// Ends this process with the one that started it, if that asks for it: FERMATA_PARENT is its
/// number. A caller that is killed then leaves no run behind.
void endWithParent() {
  const char* const parent = std::getenv("FERMATA_PARENT");
  if (parent == nullptr) return;
  const long number = std::strtol(parent, nullptr, 10);
  ::unsetenv("FERMATA_PARENT");
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != number) std::_Exit(kFailure);  // it ended before the call
}

fermata::platforms::Connector* ownParts = nullptr;  ///< global: sc_main has no argument for it

constexpr const char* kMessages = "\nMessages as JSON on standard error: --diagnostics json\n";

/// Help that calls values by what they are (FILE, not TEXT:FILE), without the "..." after an
/// option, which would suggest several values per use: most options with several values take one
/// per use.
class Help : public CLI::Formatter {
 public:
  std::string make_footer(const CLI::App* app) const override {
    const std::string footer = CLI::Formatter::make_footer(app);
    // The program's own help lists the option.
    const bool all = app->get_parent() == nullptr;
    return fermata::platforms::asCalled(all ? footer : footer + kMessages);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::string type = option->get_type_name();
    if (const std::size_t at = text.find(type); !type.empty() && at != std::string::npos)
      text.replace(at, type.size(), fermata::platforms::placeholderOf(*option));
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
  app.set_version_flag("-V,--version", FERMATA_VERSION);
  fermata::platforms::Invocation invocation{ownParts};
  for (const auto add : fermata::platforms::kCommands) add(app, invocation);
  app.add_option("--diagnostics",
                 "Writes messages on standard error as text, or as json: one object per line with "
                 "kind, file, line, column, message and expected. Every command takes it.")
      ->check(CLI::IsMember({"json", "text"}));
  std::vector<std::string> words(argv + 1, argv + argc);
  fermata::platforms::takeDiagnostics(words);
  const fermata::platforms::JsonStandardError lines;
  if (!words.empty() && words[0] == "complete") {  // asked by a shell's script
    using fermata::platforms::completionOf, fermata::platforms::completionText;
    std::cout << completionText(completionOf(app, {words.begin() + 1, words.end()}));
    return 0;
  }
  if (words.size() == 2 && words[0] == "help") words = {words[1], "--help"};
  if (words.size() == 1 && words[0] == "help") words = {"--help"};
  if (const std::string wrong = unknownCommand(app, words); !wrong.empty()) {
    report(wrong, kBadInput, "usage");
    std::cerr << "Run with --help for more information.\n";
    return kBadInput;
  }
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    // --help and --version.
    if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr);
    report(parseError(app, error), kBadInput, "usage");
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
    return std::cout ? code : report("cannot write to standard output", kFailure, "failure");
  } catch (...) {
    return report(fermata::platforms::diagnose());
  }
}

int fermata::platforms::runProgram(int argc, char** argv, Connector& connector) {
  growHeapByLargePages();
  ownParts = &connector;
  if (argc > 0) setCalledAs(argv[0]);
  endWithParent();
  // Standard error is for errors and progress only.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
