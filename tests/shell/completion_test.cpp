// fermata completion: what a shell offers behind the words typed so far.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

bool isInstalled(const char* program) {
  return runShell(std::string("command -v ") + program).code == 0;
}

/// A command line up to the cursor, and what must and must not be offered.
struct Typed {
  std::string line;
  std::vector<std::string> offers;
  std::string no = "nothing of this name";
};
std::ostream& operator<<(std::ostream& out, const Typed& one) {
  return out << one.line;
}

const Typed kTyped[] = {
    {"r", {"run", "report"}, "search"},
    {"", {"run", "completion", "study"}, "complete"},
    {"help st", {"study", "studies"}},
    {"sweep st", {"status"}, "studies"},
    {"run tr", {"transpose"}, "--param"},
    {"run transpose --pla", {"--platform"}, "--param"},
    {"run transpose --platform gtx4", {"gtx480", "gtx480-caches"}, "gtx580"},
    {"run transpose --platform=gtx4", {"gtx480"}, "gtx580"},
    {"run transpose --param ti", {"tile="}, "pad="},
    {"run nw --set scheduler.pol", {"scheduler.policy="}, "scratchpad.banks="},
    {"run nw --set scheduler.policy=l", {"lrr"}, "gto"},
    {"study xor-tab", {"xor-table6"}, "ami-figure10"},
    {"prices fermi", {"fermi-40nm"}},
    {"search nw --vector 1", {"16", "128"}, "32"},
    {"show gtx4", {"gtx480", "gtx480-caches"}, "gtx580"},
    {"show --platform gtx4", {"gtx480"}, "gtx580"},
    {"prices fermi-40nm gtx4", {"gtx480"}, "gtx580"},
    {"completion z", {"zsh"}, "bash"},
    {"explain --c", {"--csv"}, "--json"},
};

/// Offers of bash, which calls its function as it does for a line of a terminal, words split at =.
std::vector<std::string> bashOffers(const std::string& line, const fs::path& folder) {
  std::string words;
  std::string word;
  for (const char letter : line + ' ') {
    if (letter != ' ' && letter != '=') {
      word += letter;
      continue;
    }
    if (!word.empty() || letter == ' ') words += " '" + word + "'";
    if (letter == '=') words += " '='";
    word.clear();
  }
  const std::string script = "eval \"$('" FERMATA_PROGRAM
                             "' completion bash)\"\ncompopt() { :; }\n"
                             "COMP_WORDS=('" FERMATA_PROGRAM "'" +
                             words +
                             ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_fermata\n"
                             "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
  std::ofstream(folder / "try.bash") << script;
  return linesOf(runShell("cd '" + folder.string() + "' && bash --norc try.bash").ok().text);
}

bool offers(const std::vector<std::string>& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(completion, Folder)

BOOST_DATA_TEST_CASE(bash_offers_what_fits, bdata::make(kTyped), one) {
  const auto all = bashOffers(one.line, path);
  for (const std::string& word : one.offers) BOOST_TEST(offers(all, word), word);
  BOOST_TEST(!offers(all, one.no), one.no);
}

BOOST_AUTO_TEST_CASE(bash_adds_files_and_folders_where_they_fit) {
  write("own.toml", "");
  fs::create_directories(path / "own_folder");
  BOOST_TEST(offers(bashOffers("run ow", path), "own.toml"));
  BOOST_TEST(offers(bashOffers("run nw --platform ow", path), "own.toml"));
  BOOST_TEST(offers(bashOffers("run nw --out ow", path), "own_folder"));
  BOOST_TEST(!offers(bashOffers("run nw --out ow", path), "own.toml"));
  BOOST_TEST(offers(bashOffers("run nw --out=ow", path), "own_folder"));
  BOOST_TEST(offers(bashOffers("exec -- ./ow", path), "./own.toml"));
  BOOST_TEST(offers(bashOffers("cc ow", path), "own.toml"));
  BOOST_TEST(!offers(bashOffers("run nw --budget ow", path), "own.toml"));
}

// A terminal of its own: bash reads the keys, and what stands there then is run.
BOOST_AUTO_TEST_CASE(bash_completes_at_a_terminal) {
  if (!isInstalled("script")) {
    BOOST_TEST_MESSAGE("skipped: script (Debian: bsdutils) is not installed");
    return;
  }
  write("start.bash", "fermata() { if [[ $1 == complete ]]; then '" FERMATA_PROGRAM
                      "' \"$@\"; else printf '<%s>\\n' \"$*\"; fi; }\n"
                      "eval \"$('" FERMATA_PROGRAM "' completion bash)\"\n");
  runShell("cd '" + path.string() +
           "' && (sleep 1; printf 'fermata platf\\t\\n'; sleep 1; printf 'exit\\n') | "
           "TERM=dumb timeout 20 script -qec 'bash --noprofile --rcfile start.bash -i' /dev/null")
      .says("<platforms>");
}

BOOST_DATA_TEST_CASE(fish_offers_what_fits, bdata::make(kTyped), one) {
  if (!isInstalled("fish")) {
    BOOST_TEST_MESSAGE("skipped: fish is not installed");
    return;
  }
  write("fermata.fish", runProgram("completion fish").ok().text);
  const Outcome outcome = runShell("cd '" + path.string() +
                                   "' && PATH=\"$(dirname '" FERMATA_PROGRAM
                                   "'):$PATH\" fish --no-config -c \"source fermata.fish; complete "
                                   "-C'fermata " +
                                   one.line + "'\"");
  std::vector<std::string> all;
  for (const std::string& line : linesOf(outcome.ok().text))
    all.push_back(line.substr(line.rfind('=', line.find('\t')) + 1, line.find('\t')));
  for (const std::string& word : one.offers) outcome.says(word);
}

BOOST_AUTO_TEST_CASE(zsh_reads_its_script) {
  if (!isInstalled("zsh")) {
    BOOST_TEST_MESSAGE("skipped: zsh is not installed");
    return;
  }
  write("_fermata", runProgram("completion zsh").ok().text);
  runShell("cd '" + path.string() + "' && zsh -fn _fermata").ok();
}

BOOST_AUTO_TEST_CASE(another_shell_is_refused) {
  runProgram("completion tcsh")
      .refused("no completion for 'tcsh'; expected one of bash, zsh, fish");
}

BOOST_AUTO_TEST_SUITE_END()
