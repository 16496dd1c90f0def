// The program on the command line: output, files and refusals.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

namespace bdata = boost::unit_test::data;
namespace fs = std::filesystem;

namespace {

struct Outcome {
  int code = -1;
  std::string text;  ///< standard output and standard error
};

/// Runs the program in the folder; a shell reads the arguments.
Outcome fermata(const std::string& arguments, const fs::path& folder = fs::temp_directory_path()) {
  const std::string command =
      "cd '" + folder.string() + "' && '" FERMATA_PROGRAM "' " + arguments + " 2>&1";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    outcome.text.append(buffer, n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Temporary folder of one test case.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("fermata_cli_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Bad {
  const char* arguments;
  const char* expected;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.arguments;
}

const Bad kBad[] = {
    {"", "expected a command"},
    {"fly", "fly"},
    {"run", "platform is required"},
    {"run gtx480", "workloads is required"},
    {"run gtx481 stride", "unknown platform 'gtx481'; expected one of"},
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
    {"run elastic-gt200 stride --set crossbar.pairs_pack=true",
     "crossbar.pairs_pack = true with pipeline.organisation = elastic; expected false"},
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
    {"run gtx480 stride --set crossbar.lanes=16", "expected crossbar.latency, crossbar.groups_32"},
    {"run gtx480 stride --set scratchpad.row_words=3",
     "expected an integer that is a power of two"},
    {"search stride --set scratchpad.row_words=2",
     "scratchpad.row_words = 2: a search counts the words that each bank is asked for, not its "
     "rows"},
    {"run gtx480 stride --set scratchpad.colour=blue", "unknown parameter"},
    {"run gtx480 stride --set scratchpad.bytes=0", "expected an integer"},
    {"run gtx480 stride --set scratchpad.bytes=4096",
     "stride.toml:19: kernel 'stride': one CTA does not fit on the SM: it needs 8192 bytes of "
     "shared "
     "memory, scratchpad.bytes is 4096; expected less shared memory, or --set "
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
    {"map --csv", "requires text"},
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

BOOST_DATA_TEST_CASE(bad_input_has_exit_code_2_and_a_reason, bdata::make(kBad), bad) {
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
  const Outcome outcome = fermata(bad.arguments, path);
  BOOST_TEST_CONTEXT(outcome.text) {
    BOOST_TEST(outcome.code == 2);
    BOOST_TEST(has(outcome.text, bad.expected));
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_writes_nothing) {
  const Outcome outcome = fermata("run gtx480 transpose stride --param n=128 --out results", path);
  BOOST_TEST(outcome.code == 2);  // stride has no parameter n
  BOOST_TEST(!fs::exists(path / "results" / "runs.csv"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(commands, Folder)

BOOST_AUTO_TEST_CASE(every_command_explains_itself) {
  for (const char* command : {"", "run", "show", "map", "platforms", "workloads", "demo"}) {
    const Outcome outcome = fermata(std::string(command) + " --help");
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(has(outcome.text, "Usage:"));
  }
}

BOOST_AUTO_TEST_CASE(lists_name_what_there_is) {
  BOOST_TEST(has(fermata("platforms").text, "gtx480"));
  BOOST_TEST(has(fermata("map").text, "regions [at=B] | MAPPING | MAPPING | ..."));
  const std::string workloads = fermata("workloads").text;
  for (const char* name : {"stride", "transpose", "reduction", "fwt", "hist64", "hist256", "scan",
                           "matmul", "scalarprod", "lud", "nw"}) {
    BOOST_TEST(has(workloads, name));
  }
  std::istringstream lines(workloads);
  for (std::string line; std::getline(lines, line);) BOOST_TEST(line.size() <= 80U, line);
}

BOOST_AUTO_TEST_CASE(shown_configuration_is_a_platform_file) {
  const Outcome shown = fermata("show gtx480 --set scratchpad.indexer='ami 33'");
  BOOST_TEST(shown.code == 0);
  write("mine.toml", shown.text);
  const Outcome again = fermata("show mine.toml", path);
  BOOST_TEST(again.text == shown.text);
}

BOOST_AUTO_TEST_CASE(same_inputs_give_the_same_bytes) {
  for (const char* out : {"a", "b"}) {
    const Outcome outcome = fermata(
        "run gtx480 transpose stride --set scratchpad.indexer='ami 33' --out " + std::string(out),
        path);
    BOOST_TEST(outcome.code == 0);
  }
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv", "schema.csv"}) {
    const std::string first = read(path / "a" / name);
    BOOST_TEST(!first.empty());
    BOOST_TEST(first == read(path / "b" / name));
  }
  BOOST_TEST(!has(read(path / "a" / "runs.csv"), "wall_seconds"));
}

BOOST_AUTO_TEST_CASE(timing_is_a_column_only_when_asked_for) {
  BOOST_TEST(fermata("run gtx480 transpose --timing --out t", path).code == 0);
  BOOST_TEST(has(read(path / "t" / "runs.csv"), "wall_seconds"));
}

// Three indexers with 11 kernels each.
BOOST_AUTO_TEST_CASE(the_demo_joins_its_runs_under_one_schema) {
  const Outcome outcome = fermata("demo --out d", path);
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(has(outcome.text, "conflicts fixed-xor"));
  const std::string runs = read(path / "d" / "runs.csv");
  BOOST_TEST(std::count(runs.begin(), runs.end(), '\n') == 1 + 3 * 11);
  BOOST_TEST(fermata("run gtx480 stride --out a", path).code == 0);
  // The demo's folder has no sources.csv, whose columns come last in the schema.
  const std::string all = read(path / "a" / "schema.csv");
  BOOST_TEST(read(path / "d" / "schema.csv") ==
             all.substr(0, all.find("sources.csv,")) + all.substr(all.find("schema.csv,version,")));
}

BOOST_AUTO_TEST_CASE(a_recorded_trace_is_a_workload) {
  BOOST_TEST(
      fermata("run gtx480 transpose --param tile=32 --out a --record t.csv.zst", path).code == 0);
  BOOST_TEST(fermata("run gtx480 t.csv.zst --out b", path).code == 0);
  BOOST_TEST(read(path / "a" / "banks.csv").size() > 100);
  std::string runs = read(path / "b" / "runs.csv");
  BOOST_TEST(has(runs, ",15872,"));
}

BOOST_AUTO_TEST_CASE(a_trace_is_compiled_once_and_says_the_same) {
  const std::string record = "run gtx480 pattern-random --param ctas=1 --param repeat=1500 ";
  BOOST_REQUIRE(fermata(record + "--quiet --record t.csv", path).code == 0);
  ::setenv("FERMATA_NO_COMPILED_TRACES", "1", 1);
  BOOST_TEST(fermata("run gtx480 t.csv --out text", path).code == 0);
  BOOST_TEST(!std::filesystem::exists(path / "t.csv.compiled"));
  ::unsetenv("FERMATA_NO_COMPILED_TRACES");
  BOOST_TEST(fermata("run gtx480 t.csv --out first", path).code == 0);
  BOOST_TEST(std::filesystem::exists(path / "t.csv.compiled"));
  BOOST_TEST(fermata("run gtx480 t.csv --out second", path).code == 0);
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv"}) {
    const std::string text = read(path / "text" / name);
    BOOST_TEST(!text.empty());
    BOOST_TEST(read(path / "first" / name) == text);
    BOOST_TEST(read(path / "second" / name) == text);
  }
}

// NVIDIA developer forum 359822: a 128-bit load takes 32 wavefronts if the eight lanes of a quarter
// meet in the same banks, and 4 if they do not. Fermi takes one more for each quarter.
BOOST_AUTO_TEST_CASE(wavefronts_are_counted_as_nsight_compute_counts_them) {
  const auto loads = [&](const std::string& stride, const std::string& extra) {
    const Outcome outcome = fermata(
        "run gtx480 pattern-stride --param bytes=16 --param ctas=1 --param repeat=10 --param "
        "stride=" +
            stride + " --set crossbar.extra_passes_128=" + extra + " --out w",
        path);
    BOOST_TEST(outcome.code == 0);
    const std::string rows = read(path / "w" / "instructions.csv");
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
      has(read(path / "w" / "runs.csv"), "wavefronts,wavefronts_ideal,wavefronts_excessive"));
}

BOOST_AUTO_TEST_CASE(map_draws_and_exports) {
  const Outcome table = fermata("map 'ami 6' --words 24");
  BOOST_TEST(table.code == 0);
  const Outcome csv = fermata("map 'ami 6' --words 24 --csv");
  BOOST_TEST(csv.text.rfind("word,bank,row\n0,0,0\n1,1,0\n", 0) == 0U);
  BOOST_TEST(has(csv.text, "\n23,5,3\n"));
  BOOST_TEST(has(fermata("map 'xor k1=0 k2=5 mask=7' --warp 'stride 32'").text, "4"));
}

BOOST_AUTO_TEST_SUITE_END()
