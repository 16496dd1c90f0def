// A setting that RTL blocks cannot serve is refused by its name, with exit code 2. A build without
// Verilator refuses every block so.
#include "tests/support/program.h"

namespace fermata::test {
namespace {

/// Refusals in any build: the start of the message, the place and the reason.
const Refusal kAlways[] = {
    {"gtx480 stride --set rtl.indexer=verilog",
     "--set rtl.indexer = \"verilog\"; expected one of model|rtl|lockstep"},
    {"gtx480 stride --set rtl.banks=rtl",
     "--set rtl.banks: unknown parameter 'rtl.banks'; expected one of rtl.indexer, rtl.crossbar, "
     "rtl.scratchpad, "
     "rtl.lock"},
    {"gtx480 stride --set rtl.indexer=rtl --set scratchpad.indexer='ami 33 corner=all-ones'",
     "--set rtl.indexer: rtl.indexer = rtl: no RTL block for 'ami 33 corner=all-ones'; expected "
     "corner=exact"},
    {"gtx480 stride --set rtl.indexer=lockstep --set scratchpad.indexer='regions | mod 32 | add'",
     "--set rtl.indexer: rtl.indexer = lockstep: no RTL block for 'regions at=13 | mod 32 | add'; "
     "expected a mapping of ami, mod, perm, xor, bits, pairs, fixed-xor, add"},
    {"gtx480 stride --set rtl.crossbar=rtl --set scratchpad.indexer='mod 256'",
     "--set rtl.crossbar: rtl.crossbar = rtl: no RTL block has 256 banks; expected 1 to 128"},
    {"gtx480 stride --set rtl.crossbar=lockstep --set scratchpad.ports=2",
     "--set rtl.crossbar: rtl.crossbar = lockstep with scratchpad.ports = 2; expected 1: "},
    {"gtx480 stride --set rtl.scratchpad=rtl --set scratchpad.indexer='mod 4'",
     "--set rtl.scratchpad: rtl.scratchpad = rtl: no RTL block has 3072 rows; expected 1 to 2048"},
    {"gtx480 stride --set rtl.scratchpad=rtl --set scratchpad.bank_bytes=8",
     "--set rtl.scratchpad: rtl.scratchpad = rtl with scratchpad.bank_bytes = 8; expected 4: "},
    {"gtx480 stride --set rtl.scratchpad=lockstep --set verify=false",
     "--set rtl.scratchpad: rtl.scratchpad = lockstep with verify = false; expected true: "},
    {"gtx480 stride --set rtl.lock=rtl",
     "--set rtl.lock: rtl.lock has no effect, for scratchpad.atomics is not locked; expected "
     "scratchpad.atomics = \"locked\""},
    {"gtx580-atomics stride --set rtl.lock=rtl --set lock.winner=highest",
     "--set rtl.lock: rtl.lock = rtl with lock.winner = highest; expected lowest: "},
    {"verilog.toml stride", "verilog.toml:2:11: rtl.indexer = \"verilog\"; expected one of model|"},
    {"ports.toml stride",
     "ports.toml:2:12: rtl.crossbar = rtl with scratchpad.ports = 2; expected 1: "},
    {"verify.toml stride", "verify.toml:3:14: rtl.scratchpad = lockstep with verify = false; "},
    {"lock.toml stride",
     "lock.toml:2:8: rtl.lock has no effect, for scratchpad.atomics is not locked; "},
    {"winner.toml stride",
     "winner.toml:4:8: rtl.lock = rtl with lock.winner = highest; expected lowest: "},
};

#if FERMATA_HAS_VERILATOR
/// Refusals in a build with Verilator only: they depend on moduli and on the run.
const Refusal kOfBlocks[] = {
    {"gtx480 stride --set rtl.indexer=rtl --set scratchpad.indexer='ami 97'",
     "--set rtl.indexer: rtl.indexer = rtl: no RTL block for 'ami 97'; expected a modulus of 31, "
     "33 to 63"},
    {"gtx480 stride --set rtl.indexer=rtl --set scratchpad.indexer='mod 256'",
     "--set rtl.indexer: rtl.indexer = rtl: no RTL block for 'mod 256'; expected 128 banks or "
     "fewer"},
    {"ami97.toml stride", "ami97.toml:4:11: rtl.indexer = rtl: no RTL block for 'ami 97'; "},
    {"gtx480 '" FERMATA_SOURCE_DIR
     "/tests/parity/wide.toml' --set rtl.crossbar=rtl --set crossbar.groups_64=0-31",
     "a group of lanes asks for more words at once than the RTL crossbar has ports; expected 32 or "
     "fewer: narrower groups of lanes (crossbar.groups_64, crossbar.groups_128)"},
};
#endif

const char* const kBlocks[] = {"rtl.indexer=rtl",    "rtl.indexer=lockstep",
                               "rtl.crossbar=rtl",   "rtl.crossbar=lockstep",
                               "rtl.scratchpad=rtl", "rtl.scratchpad=lockstep"};

struct Platforms : Folder {
  Platforms() {
    write("verilog.toml", "[rtl]\nindexer = \"verilog\"\n");
    write("ami97.toml", "[scratchpad]\nindexer = \"ami 97\"\n[rtl]\nindexer = \"rtl\"\n");
    write("ports.toml", "[rtl]\ncrossbar = \"rtl\"\n[scratchpad]\nports = 2\n");
    write("verify.toml", "verify = false\n[rtl]\nscratchpad = \"lockstep\"\n");
    write("lock.toml", "[rtl]\nlock = \"rtl\"\n");
    write("winner.toml",
          "[scratchpad]\natomics = \"locked\"\n[rtl]\nlock = \"rtl\"\n[lock]\nwinner = "
          "\"highest\"\n");
  }

  void refuses(const std::string& arguments, const std::string& said) const {
    const Outcome outcome = runProgram("run " + arguments + " --out rows", path).refused();
    BOOST_TEST(begins(outcome.text, "fermata: error: " + said), outcome.text);
    BOOST_TEST(!std::filesystem::exists(path / "rows" / "runs.csv"));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(refusals, Platforms)

BOOST_DATA_TEST_CASE(of_what_a_block_cannot_do, bdata::make(kAlways), one) {
  refuses(one.input, one.says);
}

#if FERMATA_HAS_VERILATOR

BOOST_DATA_TEST_CASE(of_what_a_block_is_not, bdata::make(kOfBlocks), one) {
  refuses(one.input, one.says);
}

// The settings above that fit are accepted and stand in the rows.
BOOST_DATA_TEST_CASE(what_fits_is_taken, bdata::make(kBlocks), set) {
  const std::string run = "run gtx480 transpose --param n=32 --quiet --out rows --set ";
  BOOST_TEST(runProgram(run + set, path).ok().text == "");
  BOOST_TEST(has(readFile(path / "rows" / "runs.csv"), set));
}

#else

const std::string kNone = "this build has no RTL blocks: Verilator 5 ";

BOOST_DATA_TEST_CASE(of_every_block_without_verilator, bdata::make(kBlocks), set) {
  const std::string text = set;
  const std::size_t equals = text.find('=');
  const std::string parameter = text.substr(0, equals);
  refuses("gtx480 stride --set " + text,
          "--set " + parameter + ": " + parameter + " = " + text.substr(equals + 1) + ": " + kNone);
}

BOOST_AUTO_TEST_CASE(of_locks_and_waves_without_verilator) {
  refuses("gtx580-atomics stride --set rtl.lock=rtl", "--set rtl.lock: rtl.lock = rtl: " + kNone);
  refuses("gtx480 stride --wave w.fst", kNone);
  BOOST_TEST(!std::filesystem::exists(path / "w.fst"));
}

#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
