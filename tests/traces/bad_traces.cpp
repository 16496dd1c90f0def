// Bad traces: each is refused where it is wrong, with the expected form in the message.
#include <fermata/stimuli/traces/csv_rows.h>
#include "tests/traces/bad_rows.h"

using namespace fermata;
using namespace fermata::test;
using namespace fermata::test::bad;

BOOST_AUTO_TEST_SUITE(bad_traces)

BOOST_AUTO_TEST_CASE(the_base_of_the_tables_is_good) {
  BOOST_TEST(messageOf(withRows("")) == "none");
  BOOST_TEST(messageOf(withRows("0,0,0\n0,0,1,,0+4\n0,1,1,81,0;1020\n0,0,2\n0,0,2,,15/64/arrive\n"
                                "0,0,2,0,1/32\n0,1,3,3,0+16,local\n0,1,3,0\n0,0,4,ff\n"
                                "0,0,5,,18446744073709551000+8\n0,0,6,0\n"
                                "0,0,6,,4096+8,,8\n0,0,6,,4096+16,texture,16\n")) == "none");
}

BOOST_AUTO_TEST_CASE(header) {
  BOOST_TEST(has(messageOf(""), "expected the line 'fermata-trace,1'"));
  check({
      {"cta,warp\n", "1:1", "not a trace", "expected the line 'fermata-trace,1'"},
      {"fermata-trace,2\n", "1:15", "unknown version", "expected the line 'fermata-trace,1'"},
      {"fermata-trace\n", "1:1", "unknown version", "'fermata-trace,1'"},
      {"fermata-trace,1\n", "1", "ends early", "column names"},
      {"fermata-trace,1\ncta,warp,pc,mask,operand,space,bytes\n", "2:13", "unknown column 'mask'",
       "cta,warp,pc,lanes,operand,space"},
      {"fermata-trace,1\ncta,warp,pc,lanes,operand\n", "2:19", "missing", "operand,space"},
      {"fermata-trace,1\ncta,warp,pc,lanes,operand,space,bytes,time\n", "2:39",
       "unknown column 'time'", "operand,space,bytes"},
  });
}

BOOST_AUTO_TEST_CASE(memory) {
  const std::string head = "fermata-trace,1\ncta,warp,pc,lanes,operand,space,bytes\n";
  check({
      {head + "memory,address=0\n", "3", "'bytes' is missing", "bytes="},
      {head + "memory,address=0,bytes=0\n", "3:24", "is 0", "at least 1"},
      {head + "memory,address=18446744073709551615,bytes=2\n", "3:43", "2 bytes from address",
       "64-bit addresses"},
      {withTable("memory,address=0,bytes=1"), "6", "of the grid has not ended", "'exit' row"},
  });
}

BOOST_AUTO_TEST_CASE(tables) {
  check({
      {withTable("program,index=2,name=x,instructions=1"), "6:15", "out of order", "1"},
      {withTable("program,index=1,name=x,instructions=0"), "6:37", "is 0", "at least 1"},
      {withTable("program,index=1,name=x,instructions=1048570"), "6:37", "too many", "1048576"},
      {withTable("program,index=1,name=x"), "6", "'instructions' is missing", "instructions="},
      {withTable("program,index=1,colour=red"), "6:17", "unknown column 'colour=red'", "name="},
      {withTable("program,index=1,name"), "6:17", "unknown column 'name'", "name="},
      {withTable("program,index=1,index=1,name=x"), "6:17", "twice", "once"},
      {withTable("text,program=1,pc=0,opcode=x"), "6:14", "program 1 is not known", "1 programs"},
      {withTable("text,program=0,pc=8,opcode=x"), "6:19", "pc 8 is out of range", "8 instr"},
      {withTable("text,program=0,pc=0,opcode=x,line=-1"), "6:35", "'-1'", "whole number"},
      {withTable("instruction,program=0,pc=7,class=vector"), "6:34", "class 'vector'", "integer"},
      {withTable("instruction,program=0,pc=7"), "6", "'class' is missing", "class="},
      {withTable("instruction,program=0,pc=7,class=memory"), "6", "'space' is miss", "space="},
      {withTable("instruction,program=0,pc=7,class=memory,space=stack,operation=load,bytes=4"),
       "6:47", "space 'stack'", "shared, global"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=swap,bytes=4"),
       "6:64", "operation 'swap'", "load, store or atomic"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=load,bytes=12"),
       "6:75", "access size", "1, 2, 4, 8 or 16"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=load,bytes=32"),
       "6:75", "access size '32'", "0, 1, 2, 4, 8 or 16"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=atomic,bytes=4,"
                 "form=spin"),
       "6:84", "form of an atomic 'spin'", "plain|count|swap"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=load,bytes=4,"
                 "form=count"),
       "6:82", "'form'", "operation=atomic"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=load,bytes=4,"
                 "unread=1"),
       "6:84", "'unread'", "operation=atomic"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=load,bytes=4,"
                 "fixed_address=1"),
       "6:91", "'fixed_address'", "operation=atomic"},
      {withTable("instruction,program=0,pc=7,class=float,form=count"), "6:40", "'form'",
       "class=memory"},
      {withTable("instruction,program=0,pc=7,class=integer,bytes=4"), "6:42", "'bytes'", "memory"},
      {withTable("instruction,program=0,pc=7,class=integer,reads=1;x"), "6:50", "'x' is not",
       "65535"},
      {withTable("instruction,program=0,pc=7,class=integer,reads=70000"), "6:48", "too large",
       "65535"},
      {withTable("instruction,program=0,pc=7,class=integer,reads=16"), "6", "register 16", "16"},
      {withTable("instruction,program=0,pc=7,class=integer,writes=1;2;3;4;5"), "6:49", "too many",
       "at most 4"},
      {withTable("instruction,program=0,pc=7,class=integer,reads=1;2;3;4;5;6;7;8;9;10;11;12;13"),
       "6:48", "too many", "at most 12"},
      {withTable("instruction,program=0,pc=7,class=tensor,work=8,float_sums=2"), "6:59",
       "too large", "float_sums"},
      {withTable("instruction,program=0,pc=7,class=float,float_sums=1"), "6:40", "'float_sums'",
       "class=tensor"},
      {withTable("instruction,program=0,pc=7,class=tensor"), "6", "'work' is missing", "work="},
      {withTable("instruction,program=0,pc=7,class=tensor,work=65536"), "6:46", "too large",
       "65535"},
      {withTable("instruction,program=0,pc=7,class=tensor,space=global,work=8"), "6:47", "'global'",
       "expected shared"},
      {withTable("instruction,program=0,pc=7,class=float,work=8"), "6:40", "'work'", "tensor"},
      {withTable("instruction,program=0,pc=7,class=float,polls=1"), "6:40", "'polls'",
       "class=memory"},
      {withTable("instruction,program=0,pc=7,class=float,matrices=1"), "6:40", "'matrices'",
       "class=memory"},
      {withTable("instruction,program=0,pc=7,class=memory,space=shared,operation=load,bytes=16,"
                 "matrices=3"),
       "6:87", "3 matrices", "expected 1, 2 or 4"},
      {withTable("instruction,program=0,pc=7,class=memory,space=global,operation=load,bytes=16,"
                 "matrices=4"),
       "6:87", "'matrices'", "space=shared, bytes=16"},
      {withTable("instruction,program=0,pc=0,class=integer"), "7:26", "twice", "one row a PC"},
  });
}

BOOST_AUTO_TEST_CASE(grids) {
  const std::string rest = ",threads=40,registers=8,shared=1024,scoreboard=16";
  check({
      {withGrid("grid,program=1,ctas=2" + rest), "4:14", "program 1", "expected one of 1"},
      {withGrid("grid,program=0,ctas=0" + rest), "4:21", "is 0", "at least 1"},
      {withGrid("grid,program=0,ctas=99999999999999999999" + rest), "4:21", "too large",
       "18446744073709551615"},
      {withGrid("grid,program=0,ctas=2,threads=0,registers=8,shared=0,scoreboard=16"), "4:31",
       "is 0", "at least 1"},
      {withGrid("grid,program=0,ctas=2,threads=1025,registers=8,shared=0,scoreboard=16"), "4:31",
       "too large", "1024"},
      {withGrid("grid,program=0,ctas=2,threads=4,registers=8,shared=4294967296,scoreboard=16"),
       "4:52", "too large", "4294967295"},
      {withGrid("grid,program=0,ctas=2,threads=4,registers=8,shared=0,scoreboard=65537"), "4:65",
       "too large", "65536"},
      {kHeader + kInstructions + "grid,program=0,ctas=1" + rest + "\n", "14", "CTA 0 of 2",
       "'exit' row"},
      {kHeader + kInstructions + kRest + "grid,program=0,ctas=1,threads=4,registers=8,shared=0," +
           "scoreboard=4\n",
       "19:65", "too few", "at least the 5 that k uses"},
      {kHeader.substr(0, kHeader.find("grid")) + "start,0\n", "4", "before the first grid", "grid"},
      {kHeader.substr(0, kHeader.find("grid")) + "0,0,0\n", "4:1", "CTA 0 has not", "'start'"},
  });
}

BOOST_AUTO_TEST_CASE(warp_instructions) {
  check({
      {withRows("0,0\n"), "14", "2 fields", "3 to 7"},
      {withRows("0,0,0,,,,,\n"), "14", "8 fields", "3 to 7"},
      {withRows("1,0,0\n"), "14:1", "CTA 1 has not started", "'start'"},
      {withRows("0x,0,0\n"), "14:1", "'0x' is not a number", "whole number"},
      {withRows("99999999999999999999,0,0\n"), "14:1", "too large", "18446744073709551615"},
      {withRows("0,2,0\n"), "14:3", "warp '2' is too large", "up to 1"},
      {withRows("0,-1,0\n"), "14:3", "'-1' is not a number", "up to 1"},
      {withRows("0,0,8\n"), "14:5", "pc '8' is too large", "up to 7"},
      {withRows("0,0,7\n"), "14:5", "pc 7 of k is not known", "'instruction' row"},
      {withRows("0,0,\n"), "14:5", "pc '' is not a number", "whole number"},
      {withRows("0,0,0,fg\n"), "14:7", "lane mask 'fg'", "hexadecimal"},
      {withRows("0,0,0,1ffffffff\n"), "14:7", "lane mask", "1 to 8 hexadecimal"},
      {withRows("0,1,0,1ff\n"), "14:7", "lanes without a thread", "8 threads"},
      {withRows("0,0,0,,0+4\n"), "14:8", "an operand on an instruction", "class=memory"},
      {withRows("0,0,0,,,shared\n"), "14:9", "a memory space or size on", "class=memory"},
      {withRows("0,0,0,,,,4\n"), "14:10", "a memory space or size on", "class=memory"},
      {withRows("0,0,1,,0+4,,3\n"), "14:13", "bad access size '3'", "1, 2, 4, 8 or 16"},
      {withRows("0,0,1,,0+4,,0\n"), "14:13", "bad access size '0'", "expected 1, 2, 4, 8 or 16"},
      {withRows("0,0,1,1,1012,,16\n"), "14:9", "shared address 1012", "16 bytes within"},
      {withRows("0,0,6,,0+4\n"), "14", "without its size", "column 'bytes'"},
      {withRows("0,0,1\n"), "14", "bad lane addresses ''", "32 more lanes"},
      {withRows("0,0,1,,x\n"), "14:8", "bad lane addresses 'x'", "a byte address"},
      {withRows("0,0,1,,0+x\n"), "14:10", "bad lane addresses", "a stride"},
      {withRows("0,0,1,,0+-4\n"), "14:12", "bad lane addresses", "one sign"},
      {withRows("0,0,1,,0+4294967296\n"), "14:10", "bad lane addresses", "below 2^31"},
      {withRows("0,0,1,,0+4*\n"), "14:12", "bad lane addresses", "a number of lanes"},
      {withRows("0,0,1,,0+4*33\n"), "14:12", "bad lane addresses", "1 to 32 lanes"},
      {withRows("0,0,1,,0+4*0\n"), "14:12", "bad lane addresses", "1 to 32 lanes"},
      {withRows("0,0,1,3,0\n"), "14:10", "bad lane addresses", "1 more lanes"},
      {withRows("0,0,1,3,0;4;8\n"), "14:13", "bad lane addresses", "one address for each"},
      {withRows("0,0,1,3,0;4;\n"), "14:12", "bad lane addresses", "one address for each"},
      {withRows("0,0,1,0,0\n"), "14:9", "bad lane addresses", "one address for each"},
      {withRows("0,0,1,3,0 4\n"), "14:10", "bad lane addresses", "';' between terms"},
      {withRows("0,0,1,,4-4\n"), "14:11", "bad lane addresses", "from 0 to 2^64 - 1"},
      {withRows("0,0,1,1,2\n"), "14:9", "misaligned address", "4 bytes"},
      {withRows("0,0,1,3,4+6\n"), "14:9", "misaligned address", "4 bytes"},
      {withRows("0,0,1,,900+4\n"), "14:8", "shared address 1024", "within the CTA's 1024"},
      {withRows("0,0,1,1,18446744073709551615\n"), "14:9", "shared address", "1024"},
      {withRows("0,0,1,1,18446744073709551616\n"), "14:9", "bad lane addresses", "byte address"},
      {withRows("0,0,5,1,18446744073709551615\n"), "14:9", "out of range", "64-bit addresses"},
      {withRows("0,0,1,,0+4,global\n"), "14:12", "does not fit", "the space that was accessed"},
      {withRows("0,0,3,,0+16\n"), "14", "without its space", "column 'space'"},
      {withRows("0,0,3,,0+16,generic\n"), "14:13", "does not fit", "the space that was accessed"},
      {withRows("0,0,3,,0+16,heap\n"), "14:13", "unknown memory space 'heap'", "shared, global"},
      {withRows("0,0,2,,16\n"), "14:8", "bad barrier '16'", "number below 16"},
      {withRows("0,0,2,,0/65\n"), "14:8", "bad barrier", "no more than the CTA's warps hold"},
      {withRows("0,0,2,,0/33\n"), "14:10", "bad barrier '0/33'", "threads a multiple of 32"},
      {withRows("0,0,2,,1/1/arrive\n"), "14:10", "bad barrier", "threads a multiple of 32"},
      {withRows("0,0,2,,0/64/wait\n"), "14:12", "bad barrier", "number/threads/arrive"},
      {withRows("0,0,2,,/\n"), "14:8", "bad barrier", "number/threads"},
      {withRows("\"0,0,0\n"), "14", "does not end on its line", "closing quote"},
      {withRows("0,\"0\"x,0\n"), "14:6", "a quote is out of place", "whole field"},
      {withRows("0,0,0\r0,0,0\n"), "14", "carriage return", "LF or CR LF"},
      {withRows("warp,0,0\n"), "14:1", "unknown row 'warp'", "instruction"},
      {withRows(" ,0,0\n"), "14:2", "unknown row ''", "instruction"},
  });
}

BOOST_AUTO_TEST_CASE(copies) {
  const std::string begin = "instruction,program=0,pc=7,class=";
  const auto table = [&](const std::string& row) { return withTable(begin + row); };
  const auto row = [&](const std::string& rest) {
    return withRows(begin + "memory,space=global,operation=load,bytes=16,copies=begin\n0,0,7" +
                    rest + "\n");
  };
  const std::string good = row(",,0+16>0+16\n0,0,7,0\n0,1,7,ffff0000,64+0>64+0\n0,1,7,0,>3:0+0");
  check({{good, "24:5", "counts 5 warp instructions", "expected the 4"}});
  const std::string memory = "memory,space=global,operation=load,bytes=16";
  check({
      {table(memory + ",copies=x"), "6:85", "step of a copy 'x'",
       "begin, arrive, commit, bulk, bulk-out, complete or await-read"},
      {table(memory + ",copies=commit"), "6:85", "'commit' of another kind", "class=integer"},
      {table("integer,copies=begin"), "6:49", "'begin' of another kind", "class=memory"},
      {table("memory,space=generic,operation=load,bytes=4,copies=begin"), "6:85", "'begin' of",
       "not generic"},
      {table("memory,space=shared,operation=store,bytes=0,copies=arrive"), "6:85", "'arrive' of",
       "bytes=1 to 16"},
      {table(memory + ",groups_left=1"), "6:90", "'groups_left'", "class=integer"},
      {table("integer,groups_left=255"), "6:54", "too large", "254"},
      {table("barrier,fence=1"), "6:48", "'fence'", "class=integer"},
      {table("integer,fence=2"), "6:48", "too large", "1"},
      {table("integer,fence=0"), "6:48", "is 0", "at least 1"},
      {row(",,0+16>"), "15:13", "bad lane addresses ''", "32 more lanes"},
      {row(",,0+16>g:0+16"), "15:13", "lane mask 'g'", "hexadecimal"},
      {row(",,0+16>0:0+16"), "15:13", "stores in no lane", "'>mask:addresses'"},
      {row(",0,>0+16"), "15:10", "stores in no lane", "'>mask:addresses'"},
      {row(",,>0+16"), "15:8", "bad lane addresses ''", "32 more lanes"},
      {row(",,0+16>3:0;x"), "15:17", "bad lane addresses '0;x'", "a byte address"},
      {row(",,0+16>0+16;"), "15:17", "bad lane addresses", "one address for each"},
      {row(",,0+16>0+16>0+16"), "15:17", "bad lane addresses", "';' between terms"},
      {row(",,0+16>0+8"), "15:13", "misaligned address", "16 bytes"},
      {row(",,0+16>528+16"), "15:13", "shared address 1024", "within the CTA's 1024"},
      {row(",,8+16>0+16"), "15:8", "misaligned address", "16 bytes"},
      {withRows("0,0,1,,0+4>0+4\n"), "14:11", "bad lane addresses", "';' between terms"},
  });
}

BOOST_AUTO_TEST_CASE(waits) {
  const std::string begin = "instruction,program=0,pc=7,class=";
  const auto table = [&](const std::string& row) { return withTable(begin + row); };
  const auto pause = [&](const std::string& operand) {
    return withRows(begin + "integer,suspends=1\n0,0,7,," + operand + "\n");
  };
  const std::string memory = "memory,space=shared,bytes=8,operation=";
  check({
      {pause("16777215\n0,0,7"), "22:5", "counts 3 warp instructions", "expected the 2"},
      {pause("16777216"), "15:8", "the nanoseconds of a pause", "16777215"},
      {pause("x"), "15:8", "the nanoseconds of a pause", "expected"},
      {table("barrier,suspends=1"), "6:51", "'suspends'", "neither a load nor class=integer"},
      {table(memory + "store,suspends=1"), "6:87", "'suspends'", "neither a load"},
      {table(memory + "load,arrives=1"), "6:85", "'arrives'", "not operation=atomic"},
      {table("integer,arrives=1"), "6:42", "'arrives'", "not class=memory"},
  });
}

// Byte 16 of rank 1 is 50331648 + 8388608 + 16; of a multicast to ranks 0 and 1, 3 * 2^40 + 16.
BOOST_AUTO_TEST_CASE(clusters) {
  const auto inClusters = [](const std::string& rows) {
    std::string text = withRows(rows);
    text.insert(text.find(",threads="), ",cluster=2");
    text.insert(text.find("exit,0,0"), "start,1\n");
    return text.erase(text.rfind("start,1\n"), 8);
  };
  const auto withCluster = [](const std::string& cluster) {
    return withGrid("grid,program=0,ctas=2,cluster=" + cluster +
                    ",threads=40,registers=8,shared=1024,scoreboard=16");
  };
  BOOST_TEST(messageOf(inClusters("0,0,1,1,58720272\n0,0,1,3,50331648+4\n0,0,2,,cluster-arrive\n"
                                  "0,0,2,,cluster-arrive-relaxed\n0,0,2,,cluster-wait\n")) ==
             "none");
  check({
      {withCluster("0"), "4:31", "is 0", "at least 1"},
      {withCluster("17"), "4:31", "too large", "16"},
      {withCluster("3"), "4:31", "clusters of 3 CTAs in a grid of 2", "whole clusters"},
      {withRows("0,0,1,1,58720272\n"), "14:9", "shared address 58720272", "within the CTA's 1024"},
      {withRows("0,0,2,,cluster-wait\n"), "14:8", "a grid without clusters", "cluster=2"},
      {inClusters("0,0,2,,cluster-leave\n"), "14:8", "bad barrier 'cluster-leave'", "number"},
      {inClusters("0,0,1,1,67108864\n"), "14:9", "shared address 67108864", "a rank below 2"},
      {inClusters("0,0,1,3,0;58721280\n"), "14:9", "shared address 58721280", "a rank below 2"},
      {inClusters("0,0,1,1,3298534883344\n"), "14:9", "shared address 3298534883344", "the CTA's"},
  });
}

BOOST_AUTO_TEST_CASE(order_and_trailer) {
  const std::string begun = kHeader + kInstructions;
  check({
      {begun + "start,0\n", "14:7", "CTA 0 out of order", "expected 1"},
      {begun + "start,2\n", "14:7", "too large", "up to 1"},
      {begun + "start,1\nstart,1\n", "15:7", "CTA 1 out of order", "no more"},
      {begun + "start\n", "14", "1 fields", "expected 2"},
      {begun + "exit,0,0\n0,0,0\n", "15:3", "warp 0 of CTA 0 has exited", "behind its 'exit'"},
      {begun + "exit,0,0\nexit,0,0\n", "15:8", "has exited", "behind its 'exit'"},
      {begun + "exit,0,0\nexit,0,1\n0,0,0\n", "16:1", "CTA 0 has ended", "between 'start'"},
      {begun + "exit,0\n", "14", "2 fields", "expected 3"},
      {begun, "13", "cut off", "'end,0'"},
      {begun + "0,0,0\n", "14", "cut off", "'end,1'"},
      {begun + kRest, "18", "cut off", "'end,0'"},
      {begun + "end,0\n", "14", "CTA 0 of 2", "'exit' row"},
      {begun + "exit,0,0\nexit,0,1\nend,0\n", "16", "CTA 1 of 2", "'exit' row"},
      {begun + kRest + "end,1\n", "19:5", "counts 1", "the 0 that the trace has"},
      {begun + "0,0,0\n" + kRest + "end,0\n", "20:5", "counts 0", "the 1 that the trace has"},
      {begun + kRest + "end\n", "19", "1 fields", "expected 2"},
      {begun + kRest + "end,x\n", "19:5", "'x' is not a number", "whole number"},
      {begun + kRest + "end,0\nend,0\n", "20", "behind the trailer", "end of the file"},
      {begun + kRest + "end,0\n0,0,0\n", "20", "behind the trailer", "end of the file"},
  });
}

BOOST_AUTO_TEST_CASE(lines_and_fields_without_end) {
  const std::string begun = kHeader + kInstructions;
  check({
      {begun + "0,0,0" + std::string(70000, '0') + "\n", "14", "too long", "65536"},
      {begun + std::string(300000, '7'), "14", "too long", "65536"},
      {begun + std::string(300, ',') + "\n", "14", "too many fields", "256"},
      {begun + std::string(1, '\0') + "\n", "14:1", "unknown row '?'", "instruction"},
      {begun + "0,0,1,," + std::string(60000, 'x') + "\n", "14:8", "bad lane addresses",
       "expected a byte address"},
  });
}

BOOST_AUTO_TEST_SUITE_END()
