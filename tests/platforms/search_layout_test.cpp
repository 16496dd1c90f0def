// fermata search of layouts and vectors: index functions of current kernels.
#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(search_layouts)

// Eight rows of 128 bytes below each other, four columns of 16 bytes: 32 wavefronts, not 4. Sixteen
// addresses of two lanes each lie in the same banks: 4 addresses in a quarter of the warp, 8 in a
// half.
BOOST_AUTO_TEST_CASE(pairs_of_lanes_pack_from_volta_on) {
  const auto conflicts = [](const std::string& platform) {
    const std::string rows =
        runProgram(
            "search --layout '(2,16):(0,64)' --atom ld.128 --element 2 --class perm --csv "
            "--platform " +
            platform)
            .text;
    return column(rows, "conflicts_before").at(0);
  };
  BOOST_TEST(conflicts("sm_70") == "14");
  BOOST_TEST(conflicts("sm_75") == "14");
  BOOST_TEST(conflicts("sm_80") == "14");
  BOOST_TEST(conflicts("rdna4") == "12");
}

BOOST_AUTO_TEST_CASE(a_value_follows_an_option_each_time) {
  runProgram("search --help").says("--layout TEXT  ", "workloads WORKLOAD ...");
}

BOOST_AUTO_TEST_CASE(a_layout_is_answered_in_the_kernels_words) {
  const std::string layout =
      "search --platform sm_80 --layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 --vector 16";
  const Outcome outcome = runProgram(layout);
  BOOST_TEST_CONTEXT(outcome.text) {
    outcome.ok();
    for (const char* line :
         {"28 conflicts with mod 32", "recommended in the kernel: swizzle b=3 m=4 s=3: 0 conflicts left",
          "cute::Swizzle<3,3,3>", "CU_TENSOR_MAP_SWIZZLE_128B",
          "SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8) for rows of 64 elements",
          "C       i ^ ((i >> 3) & 0x38)", "leading dimension 72, not 64",
          "C       i + i / 64 * 8"})
      outcome.says(line);
  }
  runProgram(layout + " --csv").says("tma,exhaustive,tma 128,28,0,5,conflict-free");
  // The writer stores rows side by side, which the swizzle keeps conflict-free.
  runProgram(layout + " --layout 32:8 --atom st.128 --weights 1,3")
      .says("32:8                 1       3          0              0");
}

// Bits 11, 12, 14, 15 and 16 tell the lanes apart, and the bank has five bits. But a swizzle takes
// adjacent bits, at most four of these: two lanes meet in each bank.
BOOST_AUTO_TEST_CASE(what_no_swizzle_does_is_proved) {
  runProgram(
      "search --platform sm_80 --layout '(8,4):(16384,2048)' --atom ld.32 --element 1 "
      "--words 65536 --class tma,swizzle")
      .says("31 conflicts with mod 32", "no swizzle leaves fewer than 1 conflict: all ",
            " were counted");
}

BOOST_DATA_TEST_CASE(
    a_wrong_layout_is_refused,
    bdata::make(std::vector<std::string>{
        "--layout 8:8 --atom ldmatrix.x3", "--layout 8:8",
        "--atom ld.32 transpose --platform gtx480", "--layout '(8,4):(8)' --atom ld.32",
        "--layout 8:1 --atom ld.128 --element 2", "--layout 8:8 --atom ld.32 --vector 12",
        "--layout 8:8 --atom ld.32 --element 3",
        "transpose --vector 16 --class ami --platform gtx480"}) ^
        bdata::make(std::vector<std::string>{
            "unknown atom 'ldmatrix.x3'", "0 of --atom for 1 of --layout",
            "1 of --atom for 0 of --layout", "layout '(8,4):(8)':7: a stride of another form",
            "element 1 lies at byte 2; ld.128 takes multiples of 16", "--vector", "--element",
            "ami does not keep vectors of 16 bytes whole"}),
    arguments, message) {
  runProgram("search " + arguments).refused(message);
}

// Two CTAs of 4 KB in 8 KB: padding each by 31 words leaves room for one.
BOOST_AUTO_TEST_CASE(what_padding_costs_in_ctas_is_said) {
  const std::string search =
      "search --platform gtx480 transpose --param tile=32 --param n=64 --set scratchpad.bytes=8192 "
      "--class padding";
  const std::string text = runProgram(search).says("31 words, 2 -> 1 CTAs").text;
  runProgram(search + " --keep-occupancy")
      .says(", 0 words more at most", "recommended in the kernel: keep mod 32");
  runProgram("search --layout 8:8 --atom ld.32 --keep-occupancy")
      .refused("--keep-occupancy: expected a workload");
}

// The 4 bytes of neighbouring lanes go 32 bytes apart, so eight lanes meet in a bank: once for a
// wait, once for a polled mbarrier. Nothing waits for the third copy. A run counts all as stores.
BOOST_AUTO_TEST_CASE(copies_count_where_they_are_stored) {
  const Folder folder;
  folder.write("k.ptx", R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .pred %p<9>;
	.shared .align 16 .b8 tile[1024];
	.shared .align 8 .b64 bar;
	ld.param.u64 %rd1, [in];
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 0;
	@%p1 mbarrier.init.shared.b64 [bar], 32;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	mov.u32 %r2, tile;
	mad.lo.u32 %r3, %r1, 32, %r2;
	bar.sync 0;
	cp.async.ca.shared.global [%r3], [%rd2], 4;
	cp.async.wait_all;
	cp.async.ca.shared.global [%r3+4], [%rd2], 4;
	cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
WAIT:
	mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
	@!%p2 bra WAIT;
	cp.async.ca.shared.global [%r3+8], [%rd2], 4;
	ret;
}
)");
  folder.write("k.toml",
               "description = 'k'\nkernel = 'k.ptx'\n[buffers.in]\ntype = 'u32'\ncount = 32\n"
               "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'in' }]\n");
  runProgram("run sm_80 k.toml --out r", folder.path).ok();
  const std::string table = readFile(folder.path / "r" / "instructions.csv");
  const auto opcodes = column(table, "opcode"), excess = column(table, "wavefronts_excessive");
  unsigned copies = 0;
  for (std::size_t i = 0; i < opcodes.size(); ++i) {
    if (opcodes[i] != "cp.async.ca.shared.global") continue;
    BOOST_TEST(excess[i] == "7");
    ++copies;
  }
  BOOST_TEST(copies == 3U);
  runProgram("search k.toml --platform sm_80 --class swizzle --budget 10000 --csv", folder.path)
      .says(",21,0,5,conflict-free,");
}

BOOST_AUTO_TEST_SUITE_END()
