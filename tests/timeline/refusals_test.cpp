// --timeline refuses bad input with a reason, changes no figure, and its file appears whole.
#include <fermata/platforms/program/fst_blocks.h>
#include <fermata/results/files/output_error.h>

#include "tests/support/program.h"

namespace fermata::test {
namespace {

const Refusal kRefusals[] = {
    {"transpose --timeline t.json",
     "--timeline 't.json'; expected a name that ends in .pftrace or .perfetto-trace (Perfetto), "
     ".kanata (Konata), .vcd or .fst (GTKWave)"},
    {"transpose --timeline vcd", "--timeline 'vcd'; expected a name that ends in"},
    {"transpose --timeline ''", "--timeline: it is empty; expected a file"},
    {"transpose scan --timeline t.vcd",
     "--timeline takes one workload; expected one timeline for one run"},
    {"transpos --timeline t.vcd",
     "no workload 'transpos'; did you mean 'transpose'? expected one of "},
    {"transpose --timeline none/t.vcd",
     "cannot write none/t.vcd: No such file or directory; expected a place that can be written to"},
    {"transpose --timeline-window 1:2", "--timeline-window requires --timeline"},
    {"transpose --timeline t.vcd --timeline-window 6", "--timeline-window '6'; expected from:to"},
    {"transpose --timeline t.vcd --timeline-window 6:6", "--timeline-window '6:6'; expected"},
    {"transpose --timeline t.vcd --timeline-window 7:6", "--timeline-window '7:6'; expected"},
    {"transpose --timeline t.vcd --timeline-window=-1:6", "--timeline-window '-1:6'; expected"},
    {"transpose --timeline t.vcd --timeline-window 1:2:3", "--timeline-window '1:2:3'; expected"},
    {"transpose --timeline t.vcd --timeline-window 1:99999999999999999999",
     "--timeline-window '1:99999999999999999999'; expected"},
    {"transpose --set chip.sms=2 --set chip.epoch=8 --timeline t.vcd",
     "--timeline with chip.epoch = 8: SMs in epochs do not go in the order of time; expected --set"},
#if FERMATA_HAS_VERILATOR
    {"transpose --set rtl.indexer=rtl --wave t.fst --timeline ./t.fst",
     "--timeline './t.fst' is the file of --wave; expected another"},
#else
    {"transpose --timeline t.fst", "this build writes no .fst: Verilator 5 or zlib was not found"},
#endif
};

std::set<std::string> namesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(options, Folder)

BOOST_DATA_TEST_CASE(refuse_bad_input, bdata::make(kRefusals), one) {
  runProgram("run gtx480 " + one.input, path).refused(one.says);
  BOOST_TEST(namesIn(path).empty());
}

BOOST_AUTO_TEST_CASE(change_no_figure) {
  const std::string arguments = "run fermi-ami nw --param n=32 --quiet --power fermi-40nm --out ";
  BOOST_TEST(runProgram(arguments + "a", path).text == "");
  BOOST_TEST(runProgram(arguments + "b --timeline t.pftrace --timeline-window 5:50", path).text ==
             "");
  for (const std::string& name : namesIn(path / "a"))
    BOOST_TEST(readFile(path / "a" / name) == readFile(path / "b" / name), name);
}

BOOST_AUTO_TEST_CASE(give_the_same_bytes_again) {
  for (const char* ending : {"pftrace", "perfetto-trace", "kanata", "vcd"}) {
    const std::string run = "run gtx480 transpose --param n=64 --quiet --timeline ";
    for (const char* name : {"a.", "b."})
      BOOST_TEST(runProgram(run + name + ending, path).text == "");
    const std::string a = readFile(path / (std::string("a.") + ending));
    BOOST_TEST(!a.empty());
    BOOST_TEST((a == readFile(path / (std::string("b.") + ending))));
  }
}

BOOST_AUTO_TEST_CASE(say_what_is_not_in_the_file) {
  const std::string run = "run gtx480 transpose --param tile=32 --quiet --timeline t.vcd";
  BOOST_TEST(runProgram(run, path).text ==
             "fermata: warning: t.vcd has the first 10000 of 24763 cycles; --timeline-window "
             "from:to takes others\n");
  BOOST_TEST(runProgram(run + " --timeline-window 24763:30000", path).text ==
             "fermata: warning: t.vcd is empty: the run had 24763 cycles\n");
  BOOST_TEST(runProgram(run + " --timeline-window 24762:30000", path).text == "");
}

// The budget ends the kernel early: the file shows the run up to there.
BOOST_AUTO_TEST_CASE(show_a_run_that_fails) {
  runProgram("run gtx480 transpose --budget 2000 --quiet --timeline t.vcd", path).refused();
  BOOST_TEST((namesIn(path) == std::set<std::string>{"t.vcd"}));
  BOOST_TEST(has(readFile(path / "t.vcd"), "$enddefinitions $end"));
  BOOST_TEST(linesOf(readFile(path / "t.vcd")).size() > 2000U);
}

#if FERMATA_HAS_VERILATOR

// The library that writes the file reports no error.
BOOST_AUTO_TEST_CASE(refuse_a_file_of_which_a_part_is_missing) {
  BOOST_TEST(runProgram("run gtx480 transpose --param n=64 --quiet --timeline t.fst", path).text ==
             "");
  const std::string whole = readFile(path / "t.fst");
  platforms::requireWholeFst(path / "t.fst", "timeline");
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, std::size_t{329},
                                  std::size_t{330}, whole.size() / 2, whole.size() - 1}) {
    write("part.fst", whole.substr(0, bytes));
    BOOST_CHECK_THROW(platforms::requireWholeFst(path / "part.fst", "timeline"),
                      files::OutputError);
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
