// The program on the command line: output, files and refusals.

#include "tests/support/program.h"

using namespace fermata::test;

namespace {

const Refusal kRefusals[] = {
    {"", "expected a command"},
    {"fly", "fly"},
    {"show", "no platform is named; expected one, as in '"},
    {"show gtx480 --platform sm_80", "platform excludes --platform"},
    {"show --platform gtx481", "unknown platform 'gtx481'; did you mean 'gtx480'?"},
    {"prices --platform gtx480", "no table of prices is named; expected one, as in '"},
    {"search transpose", "no launch file states the machine (arch); expected --platform"},
    {"search stride", "no launch file states the machine (arch); expected --platform"},
    {"explain transpose", "no launch file states the machine (arch); expected --platform"},
    {"search gtx480", "'gtx480' is a platform; expected a workload, and --platform gtx480"},
    {"run", "workloads is required"},
    {"run gtx480", "'gtx480' is a platform; expected a workload, and --platform gtx480"},
    {"run transpose gtx480", "'gtx480' is a platform; expected a workload, and --platform gtx480"},
    {"run transpose", "no launch file states the machine (arch); expected --platform"},
    {"run stride --platform gtx481", "unknown platform 'gtx481'; did you mean 'gtx480'?"},
    {"run gtx480 stride --platform gtx480", "gtx480"},
    {"run gtx481 stride", "unknown platform 'gtx481'; did you mean 'gtx480'? expected one of"},
    {"run gtx480 strid", "strid"},
    {"run gtx480 stride --param strid=3", "strid"},
    {"run gtx480 stride --param stride", "expected name=value"},
    {"run gtx480 stride --param stride=x", "stride"},
    {"run gtx480 stride --param stride=1000", "stride"},
    {"run gtx480 stride --param stride=1 --param stride=2", "given twice"},
    {"run gtx480 transpose --param tile=17", "tile"},
    {"run gtx480 transpose --param n=100", "multiple"},
    {"run gtx480 genindex --param wy=3", "wy"},
    {"run gtx480 stride --set scratchpad.indexer='ami 0'", "ami 0"},
    {"run gtx480 stride --set scratchpad.indexer='ami 5000'", "ami 5000"},
    {"run gtx480 stride --set scratchpad.indexer='xor k1=0 k2=0 mask=31'", "xor"},
    {"run gtx480 stride --set scratchpad.indexer='bits 0,1,2,3,3'", "bits"},
    {"run gtx480 stride --set scratchpad.indexer='matrix 1,2,4,8,15'", "matrix"},
    {"run gtx480 stride --set scratchpad.indexer='regions | mod 32 | perm'",
     "(column 24): region 1: k= is missing"},
    {"run gtx480 stride --set scratchpad.instruction_hashes='k=1'", "could reach one word"},
    {"run gtx480 transpose --param tile=32 --set scratchpad.indexer='regions at=9 | mod 32 | add' "
     "--set scratchpad.instruction_hashes='transpose_32_0=0'",
     "kernel 'transpose_32_0', pc "},
    {"run gtx480 transpose --set scratchpad.indexer='regions | mod 32 | add' --set "
     "scratchpad.instruction_hashes='transpos=0'",
     "'transpos=0' names no instruction"},
    {"run gtx480 stride --set crossbar.groups_32='0-15|17-31'",
     "--set crossbar.groups_32 = \"0-15|17-31\": lane 16 is missing; expected every lane from 0 to "
     "31 "
     "in one group, as"},
    {"run gtx480 stride --set crossbar.groups_128_stores=0-64",
     "'64' is no lane of a warp or wavefront; expected every lane from 0 to 31 in one group, as "
     "\"0-15|16-31\" or \"0-3,20-23|4-19|24-31\", or every lane from 0 to 63, those above 31 as "
     "those "
     "below, as"},
    {"run gtx480 stride --set crossbar.groups_32='0-31|32-47|48-63'",
     "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
    {"run gtx480 stride --set crossbar.groups_32=0-63",
     "crossbar.groups_32 = \"0-63\" with scheduler.wavefront_warps = 1: the lanes of two warps are "
     "offered to the banks together; expected 2"},
    {"run sm_80 stride --set limits.shared_reserved=49152 --set scratchpad.bytes=49152",
     "limits.shared_reserved = 49152 with scratchpad.bytes = 49152; expected less than there is"},
    {"run sm_80 matmul --set limits.shared_reserved=48128 --set scratchpad.bytes=49152",
     "needs 50176 bytes of shared memory with what limits.shared_reserved takes, scratchpad.bytes "
     "is 49152; expected less shared memory"},
    {"run elastic-gt200 stride --set crossbar.packing_64=1",
     "crossbar.packing_64 = \"1\" and packing_128 = \"\" with pipeline.organisation = elastic; "
     "expected "
     "empty texts"},
    {"run gtx480 stride --set scheduler.wavefront_warps=3",
     "scheduler.wavefront_warps = 3; expected an integer from 1 to 2 (warps)"},
    {"run mi350 stride --set scratchpad.conflict_policy=replay",
     "with scratchpad.conflict_policy = replay"},
    {"run mi350 stride --set scratchpad.atomics=native", "with scratchpad.atomics = native"},
    {"run mi350 stride --set rtl.crossbar=rtl", "with rtl.crossbar = rtl"},
    {"run mi350 stride --set rtl.scratchpad=lockstep", "with rtl.scratchpad = lockstep"},
    {"run mi350 stride --set pipeline.organisation=unified",
     "with pipeline.organisation = unified"},
    {"run mi350 stride --set crossbar.groups_128=0-63",
     "crossbar.groups_128 = \"0-63\": more than 128 words at once; expected at most 32 lanes in a "
     "group of both halves"},
    {"run gtx480 stride --set crossbar.lanes=16",
     "expected one of crossbar.latency, crossbar.groups_32"},
    {"run gtx480 stride --set scratchpad.row_words=3",
     "expected an integer that is a power of two"},
    {"search --platform gtx480 stride --set scratchpad.row_words=2",
     "scratchpad.row_words = 2: a search counts the words that each bank is asked for, not its "
     "rows"},
    {"run gtx480 stride --set scratchpad.colour=blue", "unknown parameter"},
    {"run gtx480 stride --set scratchpad.bytes=0", "expected an integer"},
    {"run gtx480 stride --set scratchpad.bytes=4096",
     "stride.toml:14: kernel 'stride': one CTA does not fit on the SM: it needs 8192 bytes of "
     "shared memory, scratchpad.bytes is 4096; expected less shared memory, or --set "
     "scratchpad.bytes=8192"},
    {"run gtx480 stride --set limits.warps=4",
     "it needs 8 warps, limits.warps is 4; expected a smaller block, or --set limits.warps=8"},
    {"run gtx480 stride --set limits.threads=128",
     "it needs 256 threads in warps, limits.threads is 128"},
    {"run gtx480 stride --set limits.registers=1024",
     "registers, limits.registers is 1024; expected a smaller block, or fewer registers a thread, "
     "or --set limits.registers="},
    {"run gtx480 stride --set clock.frequency_mhz=5700",
     "clock.frequency_mhz: a clock of 5700 MHz has a period of 175.439 ps, and a time resolution "
     "of 1 ps makes it 175 ps, 0.25 % off; expected 0.1 % or less"},
    {"run gtx480 stride --set clock.frequency_mhz=5700 --power fermi-40nm",
     "clock.frequency_mhz: a clock of 5700 MHz"},
    {"run gtx480-caches stride --set dram.frequency_mhz=5700",
     "dram.frequency_mhz: a clock of 5700 MHz"},
    {"run gtx480 missing.toml", "missing.toml"},
    {"run gtx480 missing.csv", "missing.csv"},
    {"run gtx480 missing.csv.zst", "missing.csv.zst"},
    {"run missing.toml stride", "missing.toml: cannot read"},
    {"run gtx480 bad_key.toml", "bad_key.toml:2"},
    {"run gtx480 bad_ptx.toml", "bad.ptx:4"},
    {"run gtx480 loop.toml --budget 1000", "loop.ptx:5"},
    {"run gtx480 outside.toml", "outside.ptx:9"},
    {"run gtx480 trace.csv", "trace.csv:1"},
    {"run bad_platform.toml stride", "bad_platform.toml:2:9"},
    {"run gtx480 kernel.ptx", "kernel.ptx"},
    {"run gtx480 stride scan --record t.csv", "--record takes one workload"},
    {"show gtx48", "unknown platform"},
    {"show gtx480 --set x", "expected path=value"},
    {"params nothing_of_this_name", "no parameter has 'nothing_of_this_name' in its name"},
    {"run gtx480 stride --set scratchpad.banks=64",
     "expected an indexer for 64 banks, for instance scratchpad.indexer='mod 64'"},
    {"run gtx480 stride --set scratchpad.banks=33",
     "expected an indexer for 33 banks, for instance scratchpad.indexer='ami 33'"},
    {"map 'ami'", "ami"},
    {"map 'mod 33'", "mod 33"},
    {"map 'perm k=99'", "perm"},
    {"map 'xor k1=0 k2=5'", "mask"},
    {"map 'spiral 3'", "spiral"},
    {"map 'mod 32' --words 0", "words"},
    {"map 'mod 32' --warp 'zigzag'", "zigzag"},
    {"demo", "--out is required"},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(refusals, Folder)

BOOST_DATA_TEST_CASE(bad_input_has_exit_code_2_and_a_reason, bdata::make(kRefusals), one) {
  const std::string launch = "[[launch]]\nentry = \"k\"\ngrid = 1\nblock = 32\n";
  write("bad_key.toml", "kernel = \"k.ptx\"\ncolour = 3\n" + launch);
  write("bad.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k() { frobnicate.u32 %r1; "
        "}\n");
  write("bad_ptx.toml", "kernel = \"bad.ptx\"\n" + launch);
  write("loop.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k() {\nL: bra L;\n}\n");
  write("loop.toml", "kernel = \"loop.ptx\"\n" + launch);
  write("outside.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n"
        "mov.u32 %r1, 64;\n\nst.global.u32 [%r1], %r1;\nret;\n}\n");
  write("outside.toml", "kernel = \"outside.ptx\"\n" + launch);
  write("trace.csv", "this is no trace\n");
  write("kernel.ptx", ".version 4.2\n");
  write("bad_platform.toml", "[scratchpad]\nbanks = \"many\"\n");
  runProgram(one.input, path).refused(one.says);
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_writes_nothing) {
  // The kernel stride has no parameter n.
  runProgram("run gtx480 transpose stride --param n=128 --out results", path).refused();
  BOOST_TEST(!fs::exists(path / "results" / "runs.csv"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(commands, Folder)

BOOST_AUTO_TEST_CASE(help_and_version_have_the_usual_names) {
  BOOST_TEST(runProgram("help run").ok().text == runProgram("run --help").ok().text);
  BOOST_TEST(runProgram("help").ok().text == runProgram("--help").ok().text);
  BOOST_TEST(runProgram("-V").ok().text == runProgram("--version").ok().text);
  runProgram("help none").refused("none");
}

struct Mistyped {
  const char* arguments;
  const char* meant;
};
std::ostream& operator<<(std::ostream& out, const Mistyped& one) {
  return out << one.arguments;
}
const Mistyped kMistyped[] = {
    {"runn gtx480 transpose", "run"},
    {"run gtx48 transpose", "gtx480"},
    {"run gtx480 trasnpose", "transpose"},
    {"run gtx480 transpose --set scratchpad.latencey=1", "scratchpad.latency"},
    {"run gtx480 transpose --prama n=1", "--param"},
    {"study xor-tabel6", "xor-table6"},
    {"run gtx480 transpose --param tlie=32", "tile"}};

BOOST_DATA_TEST_CASE(a_mistyped_word_is_recognised, bdata::make(kMistyped), one) {
  runProgram(one.arguments).refused("did you mean '" + std::string(one.meant) + "'?");
}

BOOST_DATA_TEST_CASE(other_words_are_not_guessed_at,
                     bdata::make({"run xyzzyplugh transpose", "x", "run gtx480 q"}), arguments) {
  runProgram(arguments).refused("fermata: error: ").lacks("did you mean");
}

BOOST_AUTO_TEST_CASE(lists_name_what_there_is) {
  runProgram("platforms").says("gtx480");
  runProgram("map").says("regions [at=B] | MAPPING | MAPPING | ...");
  const std::string workloads = runProgram("workloads").text;
  for (const char* name : {"stride", "transpose", "reduction", "fwt", "hist64", "hist256", "scan",
                           "matmul", "scalarprod", "lud", "nw"}) {
    BOOST_TEST(has(workloads, name));
  }
  runProgram("params lock").says("lock.indexer").lacks("scratchpad.banks");
  BOOST_TEST(linesOf(runProgram("params").text).size() > 100U);
}

BOOST_AUTO_TEST_CASE(shown_configuration_is_a_platform_file) {
  const Outcome shown = runProgram("show gtx480 --set scratchpad.indexer='ami 33'").ok();
  write("mine.toml", shown.text);
  const Outcome again = runProgram("show mine.toml", path);
  BOOST_TEST(again.text == shown.text);
}

BOOST_AUTO_TEST_CASE(same_inputs_give_the_same_bytes) {
  for (const char* out : {"a", "b"}) {
    runProgram(
        "run gtx480 transpose stride --set scratchpad.indexer='ami 33' --out " + std::string(out),
        path)
        .ok();
  }
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv", "schema.csv"}) {
    const std::string first = readFile(path / "a" / name);
    BOOST_TEST(!first.empty());
    BOOST_TEST(first == readFile(path / "b" / name));
  }
  BOOST_TEST(!has(readFile(path / "a" / "runs.csv"), "wall_seconds"));
}

BOOST_AUTO_TEST_CASE(timing_is_a_column_only_when_asked_for) {
  runProgram("run gtx480 transpose --timing --out t", path).ok();
  BOOST_TEST(has(readFile(path / "t" / "runs.csv"), "wall_seconds"));
}

// Three indexers with 11 kernels each.
BOOST_AUTO_TEST_CASE(the_demo_joins_its_runs_under_one_schema) {
  runProgram("demo --out d", path).ok("conflicts fixed-xor");
  const std::string runs = readFile(path / "d" / "runs.csv");
  BOOST_TEST(std::count(runs.begin(), runs.end(), '\n') == 1 + 3 * 11);
  BOOST_TEST(has(readFile(path / "d" / "demo.svg"), "Speed-up against mod 32"));
  runProgram("run gtx480 stride --out a", path).ok();
  // The demo's folder has neither sources.csv nor bound.csv, whose columns come last in the schema.
  const std::string all = readFile(path / "a" / "schema.csv");
  BOOST_TEST(readFile(path / "d" / "schema.csv") ==
             all.substr(0, all.find("sources.csv,")) + all.substr(all.find("schema.csv,version,")));
}

BOOST_AUTO_TEST_CASE(a_recorded_trace_is_a_workload) {
  runProgram("run gtx480 transpose --param tile=32 --out a --record t.csv.zst", path).ok();
  runProgram("run gtx480 t.csv.zst --out b", path).ok();
  BOOST_TEST(readFile(path / "a" / "banks.csv").size() > 100);
  std::string runs = readFile(path / "b" / "runs.csv");
  BOOST_TEST(has(runs, ",15872,"));
}

BOOST_AUTO_TEST_CASE(a_trace_is_compiled_once_and_says_the_same) {
  const std::string record = "run gtx480 pattern-random --param ctas=1 --param repeat=1500 ";
  runProgram(record + "--quiet --record t.csv", path).ok();
  ::setenv("FERMATA_NO_COMPILED_TRACES", "1", 1);
  runProgram("run gtx480 t.csv --out text", path).ok();
  BOOST_TEST(!fs::exists(path / "t.csv.compiled"));
  ::unsetenv("FERMATA_NO_COMPILED_TRACES");
  runProgram("run gtx480 t.csv --out first", path).ok();
  BOOST_TEST(fs::exists(path / "t.csv.compiled"));
  runProgram("run gtx480 t.csv --out second", path).ok();
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv"}) {
    const std::string text = readFile(path / "text" / name);
    BOOST_TEST(!text.empty());
    BOOST_TEST(readFile(path / "first" / name) == text);
    BOOST_TEST(readFile(path / "second" / name) == text);
  }
}

// NVIDIA developer forum 359822: a 128-bit load takes 32 wavefronts if the eight lanes of a quarter
// meet in the same banks, and 4 if they do not. Fermi takes one more for each quarter.
BOOST_AUTO_TEST_CASE(wavefronts_are_counted_as_nsight_compute_counts_them) {
  const auto loads = [&](const std::string& stride, const std::string& extra) {
    runProgram(
        "run gtx480 pattern-stride --param bytes=16 --param ctas=1 --param repeat=10 --param "
        "stride=" +
            stride + " --set crossbar.extra_passes_128=" + extra + " --out w",
        path)
        .ok();
    const std::string rows = readFile(path / "w" / "instructions.csv");
    const auto cells = [](const std::string& line) {
      std::vector<std::string> all;
      std::istringstream in(line);
      for (std::string cell; std::getline(in, cell, ',');) all.push_back(cell);
      return all;
    };
    const std::size_t load = rows.rfind('\n', rows.find("ld.shared.v4")) + 1;
    const auto names = cells(rows.substr(0, rows.find('\n')));
    const auto values = cells(rows.substr(load, rows.find('\n', load) - load));
    std::string found;
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (names[c].rfind("wavefronts", 0) == 0) found += "," + values.at(c);
    }
    return found;
  };
  BOOST_TEST(loads("8", "0") == ",32,4,28");
  BOOST_TEST(loads("1", "0") == ",4,4,0");
  BOOST_TEST(loads("8", "1") == ",36,8,28");
  BOOST_TEST(loads("1", "1") == ",8,8,0");
  BOOST_TEST(
      has(readFile(path / "w" / "runs.csv"), "wavefronts,wavefronts_ideal,wavefronts_excessive"));
}

BOOST_AUTO_TEST_CASE(map_draws_and_exports) {
  runProgram("map 'ami 6' --words 24").ok();
  const Outcome csv = runProgram("map 'ami 6' --words 24 --csv");
  BOOST_TEST(begins(csv.text, "word,bank,row\n0,0,0\n1,1,0\n"));
  csv.says("\n23,5,3\n");
  runProgram("map 'xor k1=0 k2=5 mask=7' --warp 'stride 32'").says("4");
}

BOOST_AUTO_TEST_SUITE_END()
