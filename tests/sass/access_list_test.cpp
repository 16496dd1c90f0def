// Lists of accesses: NVBit's mem_trace and HyFiSS' .mem.
#include "tests/sass/sass_texts.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(access_lists)

namespace {

std::string listed(const std::string& start, const std::string& opcode, std::uint64_t base,
                   unsigned stride, unsigned lanes = 32) {
  std::ostringstream text;
  text << start << opcode << " - " << std::hex << std::setfill('0');
  for (unsigned lane = 0; lane < lanes; ++lane)
    text << "0x" << std::setw(16) << base + lane * stride << ' ';
  return text.str() + '\n';
}
const std::string kOld = "CTA 1,2,0 - warp 40 - ";
const std::string kNew =
    "MEMTRACE: CTX 0x000055d000000000 - grid_launch_id 0 - CTA 1,2,0 - warp 3 - ";
const std::string kLaunch =
    "MEMTRACE: CTX 0x000055d000000000 - LAUNCH - Kernel pc 0x0000000000000100 - Kernel name k(int) "
    "- "
    "grid launch id 0 - grid size 2,3,1 - block size 64,1,1 - nregs 8 - shmem 0 - cuda stream id "
    "0\n";

std::vector<Executed> rowsOfFile(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  folder.put(name, text);
  sass::SassOptions options;
  options.opcodeFile = opcodeFile();
  sass::SassWorkload workload((folder / name).string(), options);
  return runAll(workload);
}
std::string refusalOfFile(const std::string& name, const std::string& text) {
  return errorOf<InputError>([&] { rowsOfFile(name, text); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(mem_trace_of_each_release) {
  const auto rows = rowsOfFile("a.memtrace", "hello\n" + listed(kOld, "LDS.64", 8, 8) + kLaunch +
                                                 listed(kNew, "LDGSTS.E.128", 64, 16) +
                                                 listed(kNew, "LDGSTS.E.128", 0x7f0000000000, 16));
  BOOST_TEST_REQUIRE(rows.size() == 2U);
  const bool first = rows[0].instruction.space == MemorySpace::Shared;
  const Executed& load = rows[first ? 0 : 1];
  const Executed& copy = rows[first ? 1 : 0];
  BOOST_TEST(load.instruction.bytesPerLane == 8U);
  BOOST_TEST(load.row.active == kAllLanes);
  BOOST_TEST(load.at(31) == 8U + 31 * 8);
  BOOST_TEST(copy.target.address[31] == 64U + 31 * 16);
  BOOST_TEST(copy.at(31) == 0x7f0000000000U + 31 * 16);
}

BOOST_AUTO_TEST_CASE(mem_of_hyfiss) {
  const auto rows = rowsOfFile("k.mem",
                               "0 0010 LDS 0000ffff 1a2 1 0x100 2 4:15 0:16\n"
                               "1 0020 LDGSTS.E.128 ffffffff 5 2 0x7f0000000 1 16:31 0x40 1 -0:31\n"
                               "2 0030 STS ffffffff 5 1 0x80 1 -4:31\n");
  BOOST_TEST_REQUIRE(rows.size() == 3U);
  BOOST_TEST(rows[0].row.active == 0xffffU);
  BOOST_TEST(rows[0].at(15) == 0x100U + 60);
  BOOST_TEST(rows[1].target.active == kAllLanes);
  BOOST_TEST(rows[1].target.address[31] == 0x40U);
  BOOST_TEST(rows[2].at(31) == 0x80U - 31 * 4);
}

// The tool's source: a mask of one digit, a clock below that of the first row as 32 bits, lanes
// that are off with any address, and one list of addresses unless there are two references.
BOOST_AUTO_TEST_CASE(mem_of_hyfiss_as_its_tool_prints_it) {
  const auto rows = rowsOfFile(
      "k.mem",
      "1f a0 LDGSTS.E.128 2 fffffff0 2 0xdead0000 2 -3735875584:1 0:30 0x7f00000000 1 16:31 \n"
      "1f b0 LDG.E 0 5 1 0x0 1 0:31 \n"
      "1f c0 RED.E.ADD f 5 0 0x7f00001000 2 4:3 -4:28 \n");
  BOOST_TEST_REQUIRE(rows.size() == 3U);
  BOOST_TEST(rows[0].target.active == 2U);
  BOOST_TEST(rows[0].target.address[1] == 0x1000U);
  BOOST_TEST(rows[1].row.active == 0U);
  BOOST_TEST(rows[2].at(3) == 0x7f00001000U + 12);
}

BOOST_AUTO_TEST_CASE(bad_lists) {
  const std::string good = listed(kOld, "LDS", 0, 4);
  const char* const form = "expected CTA x,y,z - warp NUMBER - OPCODE - 32 addresses 0x...";
  BOOST_TEST(has(refusalOfFile("a.memtrace", "hello\n"), "the trace has no rows"));
  for (const std::string& bad :
       {listed(kOld, "LDS", 0, 4, 31), listed(kOld, "LDS", 0, 4, 33), std::string("CTA 1,2\n"),
        listed("CTA 1,2,x - warp 1 - ", "LDS", 0, 4), listed("CTA 1,2,0 - warp - ", "LDS", 0, 4),
        good.substr(0, good.size() / 2) + "\n"}) {
    const std::string message = refusalOfFile("a.memtrace", good + "\n" + bad);
    BOOST_TEST(has(message, "a.memtrace:3"), message);
    BOOST_TEST(has(message, form), message << " for " << bad);
  }
  BOOST_TEST(has(refusalOfFile("a.memtrace", good + listed(kOld, "FOO", 0, 4)), "a.memtrace:2:"));
  for (const char* const bad :
       {"0 0010 LDS ffffffff 1 1 0x0 1 4:30", "0 0010 LDS ffffffff 1 1 0x0 1 4:32",
        "0 0010 LDS fffffffff 1 1 0x0 1 4:31", "0 0010 LDS ffffffff 1 2 0x0 1 4:31",
        "0 0010 LDS ffffffff 1 1 0x0 1 4", "0 0010 LDS ffffffff 1 1 0x0 1 4:31 7", "x",
        "0 0010 LDS ffffffff 1 1 0x0 ffffffff 0:0", "ffffffffff 0 LDS ffffffff 1 1 0x0 1 4:31"}) {
    const std::string message = refusalOfFile("k.mem", std::string(bad) + "\n");
    BOOST_TEST(has(message, "k.mem:1"), message << " for " << bad);
    BOOST_TEST(has(message, "expected BLOCK PC OPCODE MASK"), message << " for " << bad);
  }
}

BOOST_AUTO_TEST_SUITE_END()
