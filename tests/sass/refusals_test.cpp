// Malformed traces: file, line, what is wrong and what was expected.
#include "tests/sass/sass_texts.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(refusals)

namespace {

std::string withHead(const std::string& key, const std::string& value) {
  Head head;
  head.more = "-" + key + " = " + value + "\n";
  return traceOf("0000 ffffffff 0 EXIT 0 0 \n", head);
}

const std::string kRow = "0000 ffffffff 1 R1 LDS 1 R2 4 ";
std::string withRow(const std::string& row) {
  return traceOf(row + "\n");
}

/// The first row of traceOf() stands here.
const std::string kAt = "k.traceg:22:";

const std::vector<Refusal> kRefusals{
    {"", "k.traceg: no trace of a kernel; expected lines such as '-kernel name = NAME'"},
    {"hello\n", "k.traceg:1:1: no trace of a kernel"},
    {"-kernel name = k\n", "no '-grid dim' above; expected the grid"},
    {"-grid dim = (1,1,1)\n#\n", "no '-block dim' above"},
    {withHead("grid dim", "(0,1,1)"),
     "k.traceg:13:13: grid dim = (0,1,1); expected (x,y,z), from (1,1,1)"},
    {withHead("grid dim", "(4294967296,1,1)"), "expected (x,y,z)"},
    {withHead("block dim", "(1024,2,1)"), "has 2048 threads; expected at most 1024"},
    {withHead("nregs", "21955"),
     "nregs = 21955 for each thread; expected at most 255, or --trace-registers NUMBER"},
    {withHead("shmem", "99999999"),
     "shmem = 99999999 bytes for each CTA; expected at most 232448, or --trace-shared"},
    {withHead("shmem", "-1"), "shmem = '-1'; expected a whole number"},
    {Head{}.text(), "the trace has no rows; expected the instructions of a kernel"},
    {Head{}.text() + blockText("0,0,0", ""), "the trace has no rows"},
    {withRow("0000 fffffff 0 EXIT 0 0 "),
     "no row of a trace; expected PC, mask of 8 hexadecimal digits"},
    {withRow("0000 ffffffff 0 EXIT 0 0 \n0000 fffffff 0 EXIT 0 0 "),
     "k.traceg:23:6: lane mask 'fffffff'; expected 8"},
    {withRow("0000 ffffffff 0 EXIT 0 0 \n0000 fffffffff 0 EXIT 0 0 "), "lane mask 'fffffffff'"},
    {withRow("0000 ffffffff 0 EXIT 0 0 \n00g0 ffffffff 0 EXIT 0 0 "), "k.traceg:23:1: PC '00g0'"},
    {withRow("0000 ffffffff 0 EXIT 0 0 \n0010 ffffffff 2 R1 EXIT 0 0 "),
     "k.traceg:23:20: 'EXIT'; expected the number"},
    {withRow("0000 ffffffff 0 FOO.BAR 0 0 "),
     kAt + "17: opcode 'FOO.BAR' of sm_80 is not known; expected one of "
           "sass_opcodes.toml, or --unknown-opcodes integer"},
    {withRow("0000 ffffffff 1 R1 MOV 1 R2 x "), kAt + "29: 'x'; expected the width of the access"},
    {withRow("0000 ffffffff 1 R1 MOV 1 R2"), "expected the width of the access"},
    {withRow(kRow), "form of addresses ''; expected 0 (a list)"},
    {withRow(kRow + "7 0x0 4 "), kAt + "31: form of addresses '7'"},
    {withRow(kRow + "1 0x0 "), "stride ''; expected a whole number of 32 bits"},
    {withRow(kRow + "1 12 4 "), "address '12'; expected 0x and hexadecimal digits"},
    {withRow(kRow + "1 0x0 99999999999 "), "stride '99999999999'"},
    {withRow(kRow + "0 0x0 0x4 "),
     "address ''; expected 32 addresses, one for each lane of the mask"},
    {withRow(kRow + "0 0x11112222333344445 "), "address '0x11112222333344445'"},
    {withRow(kRow + "2 0x0 4 "), "difference ''; expected 31 differences"},
    {withRow(kRow + "1 0x0 4 1 2 3 "), "'3' at the end of the row; expected at most 2 immediates"},
    {withRow(kRow + "1 0x2400 0 "),
     "expected it within the 9216 bytes of a CTA (shmem of the header, or --trace-shared"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n0000 ffffffff 0 EXIT 0 "
                     "0 \n#END_TB\n",
     "warp 0 has 1 rows; expected 2, which its 'insts' says"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 "
                     "0 \n0000 ffffffff 0 EXIT 0 0 \n",
     "a row more than 'insts' says"},
    {Head{}.text() +
         "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0 \n",
     "the trace ends within a block, it is cut off; expected '#END_TB'"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n",
     "warp = '2'; expected a whole number up to 1"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 1,0,0\n",
     "block 1,0,0 is outside of the grid; expected one of (1,1,1)"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0\n", "thread block = '0,0'; expected x,y,z"},
    {Head{}.text() + "#BEGIN_TB\nwarp = 0\n", "a warp before its block"},
    {Head{}.text() + "warp = 0\n", "'warp' outside of a block; expected '#BEGIN_TB' before"},
    {Head{}.text() + "#BEGIN_TB\n#BEGIN_TB\n", "a block begins within another"},
    {Head{}.text() + "#END_TB\n", "'#END_TB' without a block"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0,0\n0000 ffffffff 0 EXIT 0 0 \n",
     "a row before its warp"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0,0\ninsts = 1\n", "'insts' without a warp"},
    {Head{}.text() + "#BEGIN_TB\nthread block = 0,0,0\nfoo = 1\n",
     "'foo'; expected 'thread block', 'warp' or 'insts'"},
    {Head{}.text() +
         blockText("0,0,0", warpText(0, "0000 ffffffff 0 EXIT 0 0 \n") + warpText(0, "")),
     "warp 0 stands twice"},
    {Head{}.text() + blockText("0,0,0", warpText(0, "0000 ffffffff 0 EXIT 0 0 \n")) +
         blockText("0,0,0", ""),
     "thread block 0,0,0 stands twice"},
    {Head{}.text() + "0000 ffffffff 0 EXIT 0 0 \n", "a row outside of a block"},
    {Head{}.text() + "0 0 0 7 0000 ffffffff 0 EXIT 0 0 \n",
     "warp 7; expected one of the 2 warps of a block"},
    {Head{}.text() + "0 0 0 0 0000 ffffffff 0 EXIT 0 0 \nx 0 0 0 0000 ffffffff 0 EXIT 0 0 \n",
     "'x' is no number; expected 4 numbers before the PC"},
    {Head{}.text() + std::string(70000, '0'), "the line is too long; expected at most 65536 bytes"},
    {std::string(1 << 20, '\0'), "k.traceg:1: the line is too long"}};

}  // namespace

BOOST_DATA_TEST_CASE(says_where_and_what_was_expected, bdata::xrange(kRefusals.size()), number) {
  const Refusal& one = kRefusals[number];
  const std::string message = refusalOf(one.input);
  BOOST_TEST(has(message, one.says), message << "\nlacks\n" << one.says);
  BOOST_TEST(begins(message, "k.traceg"), message);
}

BOOST_AUTO_TEST_CASE(every_cut_is_refused_or_a_shorter_trace) {
  const std::string whole = traceOf(
      "0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 \n0010 00000003 1 R1 LDG.E 1 R2 4 0 0x1000 0x2000 \n"
      "0020 ffffffff 0 EXIT 0 0 \n");
  unsigned refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size)
    refused += refusalOf(whole.substr(0, size)) != "none" ? 1 : 0;
  // Only what stands behind "#END_TB" may be missing.
  BOOST_TEST(refused == whole.size() - 2);
}

BOOST_AUTO_TEST_CASE(settings_replace_values_of_the_header) {
  sass::TraceSettings settings;
  settings.registers = 40;
  settings.shared = 48 * 1024;
  const auto workload = openText(withHead("nregs", "21955"), settings);
  workload->setWarpSlots(8);
  const Grid* const grid = workload->nextGrid();
  BOOST_TEST(grid->registersPerThread == 40U);
  BOOST_TEST(grid->sharedBytesPerCta == 48U * 1024);
}

BOOST_AUTO_TEST_CASE(an_unknown_opcode_may_be_an_integer) {
  sass::TraceSettings settings;
  settings.unknownAsInteger = true;
  const auto workload = openText(withRow("0000 ffffffff 1 R1 FOO.BAR 1 R2 0 "), settings);
  const auto rows = runAll(*workload);
  BOOST_TEST((rows[0].instruction.instructionClass == InstructionClass::Integer));
  BOOST_TEST(has(workload->warning(), "unknown opcodes count as class integer: FOO"));
}

BOOST_AUTO_TEST_SUITE_END()
