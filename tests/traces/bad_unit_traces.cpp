// Bad traces of kernels with tcgen05, and of those that ask for clusters which have not begun.
#include "tests/traces/bad_rows.h"

using namespace fermata;
using namespace fermata::test;
using namespace fermata::test::bad;

BOOST_AUTO_TEST_SUITE(bad_unit_traces)

BOOST_AUTO_TEST_CASE(tensor_memory) {
  const std::string begin = "instruction,program=0,pc=7,class=";
  const auto table = [&](const std::string& row) { return withTable(begin + row); };
  const std::string takes = "tensor,work=1,streams=1,arrives=1,suspends=1";
  const std::string reads = "memory,space=shared,operation=load,bytes=16,copies=bulk,work=";
  const auto columns = [&](const std::string& operand, const std::string& what) {
    return withRows(begin + what + "\n0,0,7,," + operand + "\n");
  };
  const std::string good = withRows(begin + takes + "\n0,0,7,,480/32\n0,0,7,0\n");
  check({
      {good, "22:5", "counts 3 warp instructions", "expected the 2"},
      {columns("0/48", takes), "15:8", "bad columns of tensor memory '0/48'", "power of two"},
      {columns("16/32", takes), "15:8", "bad columns of tensor memory", "a multiple of 32"},
      {columns("256/512", takes), "15:8", "bad columns of tensor memory", "below column 512"},
      {columns("0/32/pair", takes), "15:8", "bad columns of tensor memory", "clusters of pairs"},
      {columns("0/32/both", takes), "15:8", "bad columns of tensor memory", "first/columns"},
      {columns("x", takes), "15:8", "bad columns of tensor memory 'x'", "first/columns"},
      {columns("", takes), "15:8", "bad columns of tensor memory ''", "first/columns"},
      {columns("0/32/pair", "tensor,work=1,streams=1,arrives=1"), "15:8", "bad columns",
       "first/columns: columns 32"},
      {table("tensor,work=1,arrives=1"), "6:56", "'arrives' of class=tensor", "streams=1"},
      {table("tensor,work=1,operation=store"), "6:58", "'operation' of class=tensor", "streams=1"},
      {table("tensor,work=1,streams=1,operation=atomic"), "6:68", "'atomic' of class=tensor",
       "load or store"},
      {table("tensor,work=1,streams=1,suspends=1"), "6:67", "'suspends'", "arrives=1"},
      {table(reads + "6"), "6:95", "too large", "5"},
      {table("memory,space=shared,operation=load,bytes=8,copies=bulk,work=1"), "6:94",
       "'work' of another access", "bytes=16"},
      {table("memory,space=shared,operation=store,bytes=8,copies=complete,work=1"), "6:99",
       "'work' of another access", "work=3"},
      {table("integer,work=1"), "6:42", "'work'", "not class=memory or class=tensor"},
      {withRows(begin + reads + "1\n0,0,7,,0+16>0+16\n"), "15:12", "bad lane addresses",
       "';' between terms"},
  });
}

BOOST_AUTO_TEST_CASE(requests_for_clusters) {
  const std::string ask =
      "instruction,program=0,pc=7,class=memory,space=shared,operation=store,bytes=16,arrives=1\n";
  const auto row = [&](const std::string& operand) {
    return withRows(ask + "0,0,7,1," + operand + "\n");
  };
  std::string one = row("0>16>1");
  one.erase(one.find("start,1\nexit,1,0\nexit,1,1\n"), 26);
  BOOST_TEST(has(messageOf(one), "trace.csv:18:5: the trailer counts 2 warp instructions"));
  check({
      {row("0>16>1"), "18:7", "CTA 1 out of order", "no more"},
      {row("0>16>2"), "15:14", "too large", "1"},
      {row("0"), "15", "without its mbarriers", "'answers>mbarriers'"},
      {row("0>"), "15:11", "bad lane addresses ''", "1 more lanes"},
      {row("0>12"), "15:11", "misaligned address", "8 bytes"},
      {row("0>1024"), "15:11", "shared address 1024", "within the CTA's 1024"},
      {row("0>3:0+8"), "15:11", "mbarriers of other lanes", "one of each lane"},
      {withRows(ask + "0,0,7,1,0>16>1\n0,0,7,1,0>16>1\n"), "16:14", "1 clusters are taken",
       "the 0 that have not begun"},
      {withRows(ask + "0,0,7,1,0\n")
           .replace(kHeader.size() + kInstructions.size(), ask.size(),
                    "instruction,program=0,pc=7,class=memory,space=shared,"
                    "operation=store,bytes=8,arrives=1\n"),
       "14:86", "'arrives' of an access", "bytes=16"},
  });
}

BOOST_AUTO_TEST_SUITE_END()
