// fermata cost from the command line.
#include "tests/support/program.h"

using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(cost_command)

BOOST_AUTO_TEST_CASE(without_a_text_it_lists_what_there_is) {
  runProgram("cost").ok("multiplier", "pass-arbiter", "crossbar", "lock-unit", "row-select");
}

BOOST_AUTO_TEST_CASE(csv_has_a_row_a_block) {
  const auto lines = linesOf(
      runProgram("cost 'ami 33' 'xor k1=0 k2=5 mask=31' 'lock-unit lanes=2' --csv").ok().text);
  BOOST_TEST_REQUIRE(lines.size() == 1U + 4 + 4 + 2);
  BOOST_TEST(lines[0] ==
             "text,block,setting,gives,address_bits,lanes,cells,gate_equivalents,"
             "register_equivalents,area_um2,delay_ns,energy_random_fj,energy_stream_fj,"
             "energy_glitches_fj,energy_clock_fj");
  BOOST_TEST(lines[1].rfind("ami 33,ami,modulus=33 form=fast corner=exact,bank and row,14,1,", 0) ==
             0U);
  BOOST_TEST(lines[5].rfind("xor k1=0 k2=5 mask=31,xor,banks=32,bank,14,1,", 0) == 0U);
  BOOST_TEST(runProgram("cost 'mod 32' --csv").text ==
             lines[0] + "\nmod 32,wires,banks=32,bank and row,,1,0,0,0,0,0,0,0,0,0\n");
}

// The price is that of bank and row, in the narrowest block for the memory, in every command.
BOOST_AUTO_TEST_CASE(every_command_has_one_price) {
  runProgram("cost 'ami 33' 'xor k1=0 k2=5 mask=7' 'fixed-xor' crossbar")
      .says("ami 33: 352 gates\n", "xor k1=0 k2=5 mask=7: 622 gates\n")
      .lacks("crossbar: ");
  runProgram("cost --words 65536 'ami 33'").says("ami 33: 867 gates\n");
  runProgram("map 'ami 33'").says(", 352 gate equivalents");
  BOOST_TEST(has(runProgram("map 'ami 35' --words 65536").text, ", no price in gates") ==
             !has(runProgram("cost 'ami 35' --words 65536").text, " gates\n"));
  runProgram("search --platform gtx480 nw --class xor --no-apply")
      .says("xor k1=0 k2=5 mask=7: 768 conflicts left; cost: 622 gates, +1 cycle");
  runProgram("search --platform gtx480 nw --class ami --set scratchpad.banks=64 --no-apply")
      .lacks("+0");
}

BOOST_AUTO_TEST_CASE(the_papers_stand_beside_it) {
  runProgram("cost 'ami 62' 'ami 33'")
      .ok("area of ami 62, percent of a 32-bit multiplier", "area of ami 33, of that of ami 62");
  runProgram("cost 'perm k=2' 'pairs 3,4,0^5,1^6,2^7'")
      .says("1 : 1.5 : 2.5 : 5.5", "1 : 2 : 3 : 5");
  runProgram("cost pass-arbiter").says("crossbar of 64 banks, of one of 32");
}

BOOST_AUTO_TEST_CASE(what_has_no_price_is_refused) {
  for (const char* text : {"'ami 65'", "'pad row=32 words=1'", "'crossbar banks=31'", "nothing",
                           "'ami 33' --banks 0", "'ami 33' --csv --json"})
    runProgram(std::string("cost ") + text).refused("fermata: error: ");
}

BOOST_AUTO_TEST_SUITE_END()
