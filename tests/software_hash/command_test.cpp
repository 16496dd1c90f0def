// fermata softhash and fermata run --software-hash from the command line.
#include "tests/support/csv_columns.h"

namespace {

using namespace fermata::test;

const fs::path kKernels = fs::path(FERMATA_SOURCE_DIR) / "stimuli" / "cuda";

/// Returns the figures of the only run of a folder, from its runs.csv.
std::string figures(const fs::path& folder) {
  const std::vector<std::string> lines = linesOf(readFile(folder / "runs.csv"));
  BOOST_REQUIRE(lines.size() == 2U);
  return lines[1].substr(lines[1].find(",gtx480,"));
}

BOOST_FIXTURE_TEST_SUITE(software_hash_command, Folder)

/// softhash writes the kernel that --software-hash runs. The PTX lies beside the launch file, which
/// names a .cu that does not exist.
BOOST_DATA_TEST_CASE(writes_the_kernel_that_the_option_runs,
                     bdata::make({"transpose", "reduction", "hist64"}), name) {
  const std::string hash = "'xor k1=1 k2=6 mask=3'";
  runProgram("softhash " + std::string(name) + " " + hash + " -o " + name + ".ptx", path)
      .ok("7 instructions an address, and at most one more with an offset");
  fs::copy_file(kKernels / (std::string(name) + ".toml"), path / (std::string(name) + ".toml"));
  const std::string run = "run gtx480 " + std::string(name);
  runProgram(run + ".toml --quiet --out a", path).ok();
  runProgram(run + " --quiet --out b --software-hash " + hash, path).ok();
  BOOST_TEST(figures(path / "a") == figures(path / "b"));
  BOOST_TEST(has(readFile(path / "b" / "runs.csv"), "software_hash=xor k1=1 k2=6 mask=3"));
  const std::string profile = readFile(path / "b" / "instructions.csv");
  BOOST_TEST(has(profile, "," + std::string(name) + ".cu,"));
}

/// Returns the conflict cycles of the only run of a folder.
std::string conflictsOf(const fs::path& folder) {
  const auto values = column(readFile(folder / "runs.csv"), "wavefronts_excessive");
  BOOST_REQUIRE(values.size() == 1U);
  return values[0];
}

/// Banks of 4 and of 8 bytes, whole and half warps: software and hardware read the text alike.
BOOST_DATA_TEST_CASE(meets_the_conflicts_of_the_mapping_in_hardware,
                     bdata::make({"gtx580", "k20", "gtx280", "hawaii"}), platform) {
  const std::string hash = "'xor k1=0 k2=5 mask=3'";
  const std::string run = "run " + std::string(platform) + " matrixscan --quiet --out ";
  runProgram(run + "plain", path).ok();
  runProgram(run + "hard --set scratchpad.indexer=" + hash, path).ok();
  runProgram(run + "soft --software-hash " + hash, path).ok();
  BOOST_TEST(conflictsOf(path / "soft") == conflictsOf(path / "hard"));
  BOOST_TEST(conflictsOf(path / "soft") != conflictsOf(path / "plain"));
}

BOOST_AUTO_TEST_CASE(prints_ptx_without_a_file) {
  const Outcome outcome = runProgram("softhash transpose 'xor k1=0 k2=4 mask=14'");
  outcome.ok(".visible .entry transpose_16_0", "st.shared.f32 \t[%swh2]");
  BOOST_TEST(begins(outcome.text, "// fermata softhash: xor k1=0 k2=4 mask=14; 32 banks"));
}

BOOST_AUTO_TEST_CASE(says_what_a_launch_has_to_give) {
  write("k.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.extern .shared .u32 words[];\n"
        ".visible .entry k()\n{\nst.shared.u32 [words+128], 1;\nret;\n}\n");
  write("k.toml",
        "kernel = \"k.ptx\"\n[[launch]]\nentry = \"k\"\ngrid = 1\nblock = 32\nshared = 132\n");
  const std::string command = " 'xor k1=0 k2=5 mask=31' -o out.ptx";
  // Word 32 goes to bank 1 of row 1, bytes 132 to 135.
  runProgram("softhash k.toml" + command, path)
      .says("k has 132 bytes of dynamic shared memory; give it 136");
  runProgram("softhash k.ptx" + command, path).says("its launch file");
  runProgram("run gtx480 k.toml --software-hash 'xor k1=0 k2=5 mask=31'", path).ok();
}

const Refusal kBad[] = {
    {"softhash", "kernel is required"},
    {"softhash transpose", "hash is required"},
    {"softhash transpose 'ami 33'", "software hash 'ami 33'"},
    {"softhash transpose 'xor k1=0 k2=0 mask=31'", "collide"},
    {"softhash transpose 'perm k=1' --banks 33", "33 banks"},
    {"softhash transpos 'perm k=1'",
     "no workload 'transpos'; did you mean 'transpose'? expected one of"},
    {"softhash missing.ptx 'perm k=1'", "missing.ptx"},
    {"softhash bad.ptx 'perm k=1'", "bad.ptx:4:"},
    {"softhash wide.ptx 'perm k=1'", "wide.ptx:8:1: 'atom.shared.add.u64' updates 8 bytes"},
    {"softhash wide.ptx 'perm k=1' --param n=1", "has no parameters"},
    {"run gtx480 wide.toml --software-hash 'perm k=1'", "wide.ptx:8:1: 'atom.shared.add.u64'"},
    {"run gtx480 genindex --software-hash 'perm k=1'", "'genindex' is a pattern"},
    {"run gtx480 t.csv --software-hash 'perm k=1'", "'t.csv' is a trace"},
    {"run gtx480 transpose --software-hash ''", "--software-hash: it is empty; expected a mapping"},
    {"run gtx480 transpose --software-hash 'seznec 6'", "software hash 'seznec 6'"},
    {"run gtx480 transpose --software-hash 'perm k=1' --set scratchpad.indexer='ami 33'",
     "33 banks"},
};

BOOST_DATA_TEST_CASE(bad_input_has_exit_code_2_and_a_reason, bdata::make(kBad), bad) {
  write("bad.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k() { frobnicate.u32 %r1; "
        "}\n");
  write("wide.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.shared .align 8 .b8 words[64];\n"
        ".visible .entry k()\n{\n.reg .b64 %rd<2>;\natom.shared.add.u64 %rd1, [words], 1;\nret;\n"
        "}\n");
  write("wide.toml", "kernel = \"wide.ptx\"\n[[launch]]\nentry = \"k\"\ngrid = 1\nblock = 32\n");
  runProgram(bad.input, path).refused(bad.says);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
