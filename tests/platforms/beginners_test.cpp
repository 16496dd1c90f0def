// Messages for slips of beginners: a folder in the place of a file, a study without a folder, names
// run together, a compiled trace in the place of its text.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

struct Slip {
  const char* command;
  const char* says;
};

const Slip kFolders[] = {
    {"run folder --platform gtx480", "'folder' is a folder; expected a launch file"},
    {"search folder --platform gtx480", "'folder' is a folder; expected a launch file"},
    {"check folder --platform gtx480", "'folder' is a folder; expected a launch file"},
    {"explain folder --platform gtx480", "'folder' is a folder; expected a launch file"},
    {"run folder.toml --platform gtx480", "'folder.toml' is a folder; expected a launch file"},
    {"run folder.csv --platform gtx480", "'folder.csv' is a folder; expected a CSV file"},
    {"run stride --platform folder", "'folder' is a folder; expected a platform: a name or a"},
    {"run stride --platform folder.toml", "'folder.toml' is a folder; expected a readable TOML"},
    {"run stride --platform gtx480 --power folder", "'folder' is a folder; expected a table"},
    {"search --accesses folder", "'folder' is a folder; expected a CSV file"},
    {"study folder", "'folder' is a folder; expected a study: a name or a .toml file"},
    {"sweep run folder out", "'folder' is a folder; expected a study (.toml), then a folder"},
    {"sweep run folder.toml out", "'folder.toml' is a folder; expected a readable TOML file"},
    {"cc folder", "'folder' is a folder; expected a file"},
};

const Slip kSpellings[] = {
    {"map ami33", "no mapping has the name 'ami33'; did you mean 'ami 33'? expected mod"},
    {"map mod32", "did you mean 'mod 32'?"},
    {"map AMI-33", "did you mean 'ami 33'?"},
    {"map 'AMI 33'", "did you mean 'ami 33'?"},
    {"map 'xork1=0 k2=5 mask=7'", "did you mean 'xor k1=0 k2=5 mask=7'?"},
    {"map fixed-xordigit=5", "did you mean 'fixed-xor digit=5'?"},
    {"run stride --platform gtx480 --set scratchpad.indexer=ami33", "did you mean 'ami 33'?"},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(beginners, Folder)

BOOST_AUTO_TEST_CASE(a_folder_is_called_one) {
  for (const char* folder : {"folder", "folder.toml", "folder.csv"})
    fs::create_directories(path / folder);
  for (const Slip& one : kFolders) runProgram(one.command, path).refused(one.says);
}

BOOST_AUTO_TEST_CASE(mapping_names_run_together_are_understood) {
  for (const Slip& one : kSpellings) runProgram(one.command, path).refused(one.says);
  runProgram("map modulo32").refused("no mapping has the name 'modulo32'").lacks("did you mean");
}

BOOST_AUTO_TEST_CASE(a_study_needs_a_folder) {
  write("mine.toml", "title = 'a study'\n");
  runProgram("sweep run mine.toml", path)
      .refused("'mine.toml' is a study; expected a folder for its points, too: '",
               " sweep run mine.toml FOLDER'");
}

// A trace of 1 MiB leaves its compiled form beside it.
BOOST_AUTO_TEST_CASE(a_compiled_trace_is_no_text) {
  write("t.csv.compiled", std::string("fermata-compiled") + std::string(64, '\0'));
  fs::copy_file(path / "t.csv.compiled", path / "renamed.csv");
  for (const char* command :
       {"run t.csv.compiled --platform gtx480", "search --accesses t.csv.compiled"})
    runProgram(command, path)
        .refused(
            "t.csv.compiled: the compiled form of a trace, which is binary; expected the trace "
            "itself, t.csv");
  runProgram("run renamed.csv --platform gtx480", path)
      .refused(
          "renamed.csv: the compiled form of a trace, which is binary; expected the trace "
          "itself, in text");
}

BOOST_AUTO_TEST_CASE(a_binary_is_no_ptx) {
  write("k.ptx", std::string("\x7f"
                             "ELF\0\0",
                             6));
  write("k.toml",
        "kernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = 32\narguments = []\n");
  runProgram("run k.toml --platform sm_80", path).refused("k.ptx: is binary; expected PTX text");
}

BOOST_AUTO_TEST_SUITE_END()
