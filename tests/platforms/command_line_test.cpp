// The command line as a person meets it: help and its examples, hints, colour, the platform's
// place.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

/// Checks the examples of a help: commands of this program, each with options that its help lists.
void requireExamples(const std::string& command, const std::string& help) {
  std::size_t examples = 0;
  std::istringstream lines(help.substr(help.find("Examples:")));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("/fermata ");
    if (at == std::string::npos) continue;
    ++examples;
    const std::string words = line.substr(at + 9);
    BOOST_TEST(words.rfind(command, 0) == 0U, line);
    std::string of = help;
    std::istringstream own(words.substr(0, words.find(" -- ")));
    for (std::string word; own >> word;) {
      if (word.rfind('-', 0) == 0 && command != "cc")
        BOOST_TEST(has(of, word.substr(0, word.find('='))), line + ": " + word);
      if (command == "sweep" && word == "run") of = runProgram("sweep run --help").text;
    }
  }
  BOOST_TEST(examples != 0U, command);
}

/// Examples that take no file and little time.
const char* const kExamples[] = {"platforms",
                                 "workloads",
                                 "workloads transpose",
                                 "studies",
                                 "prices",
                                 "prices fermi-40nm gtx480 --csv",
                                 "prices fermi-40nm --platform sm_80",
                                 "params lock",
                                 "params latency --platform sm_80",
                                 "show gtx480",
                                 "show sm_80 --set scratchpad.indexer='ami 33'",
                                 "map",
                                 "map 'ami 6' --words 24",
                                 "map 'xor k1=0 k2=5 mask=7' --warp 'stride 32' --html access.html",
                                 "cost",
                                 "cost crossbar 'lock-unit lanes=8'",
                                 "run transpose --platform gtx480 --param tile=32",
                                 "explain nw --platform sm_80 --param n=128 --json",
                                 "check transpose --platform gtx480 --param tile=32",
                                 "search transpose --platform gtx480 --param tile=16",
                                 "completion fish",
                                 "study xor-examples"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(command_line, Folder)

// The platform is a word or --platform.
BOOST_AUTO_TEST_CASE(a_platform_comes_either_way) {
  const std::string shown = runProgram("show k20 --set scratchpad.indexer='ami 33'").ok().text;
  BOOST_TEST(runProgram("show --set scratchpad.indexer='ami 33' --platform k20").text == shown);
  const std::string prices = runProgram("prices fermi-40nm k20").ok("for k20\n").text;
  BOOST_TEST(runProgram("prices --platform k20 fermi-40nm").text == prices);
  runProgram("prices fermi-40nm").ok("for gtx480\n");
}

// A terminal shows how far a run is; a pipe does not.
BOOST_AUTO_TEST_CASE(a_terminal_shows_the_progress_of_a_run) {
  const std::string run = "run nw --platform gtx480 --param n=1024";
  write("run.sh", "'" FERMATA_PROGRAM "' " + run + "\n");
  const std::string shown =
      runShell("cd '" + path.string() + "' && script -qec 'sh run.sh' /dev/null < /dev/null").text;
  BOOST_TEST(has(shown, "\rnw: "), shown);
  BOOST_TEST(has(shown, " cycles, CTAs: "), shown);
  BOOST_TEST(has(shown, " of 4,096 ("), shown);
  BOOST_TEST(has(shown, "nw: bound by "), shown);
  runProgram(run).ok("nw: bound by ").lacks("CTAs:", "\r");
}

BOOST_DATA_TEST_CASE(an_example_of_a_help_runs, bdata::make(kExamples), example) {
  const std::string words = example;
  runProgram(words.substr(0, words.find(' ')) + " --help").ok("/fermata " + words + "\n");
  const Outcome outcome = runProgram(words, path);
  BOOST_TEST((outcome.code == 0 || (outcome.code == 1 && words.rfind("check", 0) == 0)),
             outcome.text);
}

BOOST_AUTO_TEST_CASE(every_command_explains_itself) {
  const std::string help = runProgram("--help").ok("Usage:").text;
  std::istringstream lines(help.substr(help.find("Subcommands:\n")));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && !line.empty();) {
    std::istringstream words(line);
    std::string command, meaning;
    words >> command;
    std::getline(words >> std::ws, meaning);
    BOOST_TEST(meaning.size() >= 10U, line);
    const std::string own = runProgram(command + " --help").ok("Usage:", meaning, "Examples:").text;
    requireExamples(command, own);
    runProgram(command + " --nonsense").refused("fermata: error: ");
  }
}

// A terminal of 80 columns gets short lines; a pipe loses nothing.
BOOST_AUTO_TEST_CASE(a_list_is_cut_on_a_terminal_only) {
  const auto lines = [](const std::string& text) { return linesOf(text); };
  std::size_t cut = 0;
  const Outcome terminal =
      runShell("TERM=dumb script -qec \"'" FERMATA_PROGRAM "' workloads 2>/dev/null\" /dev/null");
  for (const std::string& line : lines(terminal.ok().text)) {
    BOOST_TEST(line.size() <= 81U, line);  // and the terminal's carriage return
    if (has(line, " ..")) ++cut;
  }
  BOOST_TEST(cut != 0U);
  runProgram("workloads").ok().lacks(" ..\n");
}

// Words in colour on a terminal that has them, unless NO_COLOR is set.
BOOST_AUTO_TEST_CASE(colour_is_for_terminals) {
  const auto said = [&](const std::string& before) {
    return runShell(before + " script -qec \"'" FERMATA_PROGRAM "' run nothing\" /dev/null").text;
  };
  BOOST_TEST(has(said("TERM=xterm NO_COLOR="), "fermata: \x1b[1;31merror:\x1b[0m no workload"));
  BOOST_TEST(has(said("TERM=xterm NO_COLOR=1"), "fermata: error: no workload"));
  BOOST_TEST(has(said("TERM=dumb NO_COLOR="), "fermata: error: no workload"));
  runShell("TERM=xterm '" FERMATA_PROGRAM "' run nothing").refused("fermata: error: no workload");
}

BOOST_AUTO_TEST_CASE(a_platform_comes_by_name_first_or_from_the_launch_file) {
  const std::string table = runProgram("run stride --platform gtx480").ok().text;
  BOOST_TEST(runProgram("run gtx480 stride").ok().text == table);
  BOOST_TEST(runProgram("run --platform gtx480 stride").ok().text == table);
  write("mine.toml", "base = \"gtx480\"\n");
  BOOST_TEST(runProgram("run mine.toml stride", path).ok().text == table);
  BOOST_TEST(runProgram("run stride --platform mine.toml", path).ok().text == table);
  write("own.ptx",
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
  write("own.toml", "kernel = \"own.ptx\"\n[[launch]]\nentry = \"k\"\ngrid = 1\nblock = 32\n");
  runProgram("run own.toml --csv", path).ok(",sm_80,");
  runProgram("run mine.toml own.toml --csv", path).ok(",mine,").lacks(",sm_80,");
}

// Hints name the program as it was called.
BOOST_AUTO_TEST_CASE(a_hint_can_be_typed_again) {
  const std::string folder = fs::path(FERMATA_PROGRAM).parent_path().string();
  const auto hint = [&](const std::string& call) {
    return runShell("cd '" + folder + "' && PATH=\"$PWD:$PATH\" && " + call +
                    " search transpose --platform gtx480 --param tile=32 --class xor --no-apply")
        .ok()
        .text;
  };
  BOOST_TEST(has(hint("./fermata"), "\n  ./fermata run transpose --platform gtx480 --param"));
  BOOST_TEST(has(hint("fermata"), "\n  fermata run transpose --platform gtx480 --param"));
  runShell("cd '" + folder + "' && ./fermata map --help").ok("\n  ./fermata map 'ami 6'");
  runShell("cd '" + folder + "' && ./fermata params zzz").refused("as in './fermata params lock'");
}

BOOST_AUTO_TEST_SUITE_END()
