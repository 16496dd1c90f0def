// Timing tables of the staged pipeline, written by hand from the figures of Gou and Gaydadjiev,
// "Elastic Pipeline" (CF 2011).

#include "tests/models/staged_reference.h"
#include "tests/models/staged_streams.h"
#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;
using Exit = StagedPipeline::Exit;
using Organisation = PipelineOrganisation;

namespace {

struct Row {
  const char* what;
  Organisation organisation;
  StageParameters parameters;
  std::vector<StagedStream::Instruction> instructions;
  std::vector<Cycle> issued, committed;
  Stalls stalls;
};

constexpr StallCause kConflict = StallCause::BankConflict;
constexpr StallCause kWriteback = StallCause::Writeback;

// Wi is instruction 1, i = 1, unless another instruction is in front of it.
const std::vector<Row> kTable{
    {"figure 4a: a stall in i + 4, no writeback in i + 5, W(i) in i + 6, W(i+1) behind it",
     Organisation::Unified,
     figure(),
     stream({other(), access({2})}, 5),
     {0, 1, 2, 3, 4, 6, 7},
     {6, 8, 9, 10, 11, 12, 13},
     stalls(kConflict, {5})},
    {"figure 4b: W(i) and W(i+1) meet at the begin of i + 6, the front end stands still in it",
     Organisation::Split,
     figure(),
     stream({other(), access({2})}, 6),
     {0, 1, 2, 3, 4, 5, 6, 8},
     {6, 8, 9, 10, 11, 12, 13, 14},
     stalls(kWriteback, {7})},
    {"... with two ports they do not meet",
     Organisation::Split,
     twoPorts(),
     stream({other(), access({2})}, 6),
     {0, 1, 2, 3, 4, 5, 6, 7},
     {6, 8, 8, 9, 10, 11, 12, 13},
     {}},
    {"figure 5: W(i+1) goes from EXE to WB in i + 4, W(i+3) waits in the queue in i + 6",
     Organisation::Elastic,
     figure(),
     stream({other(), access({2})}, 6),
     {0, 1, 2, 3, 4, 5, 6, 7},
     {4, 8, 6, 7, 9, 10, 11, 12},
     {}},
    {"figure 5, W(i+1) accesses memory too: it stays in EXE in i + 4",
     Organisation::Elastic,
     figure(),
     stream({other(), access({2}), access({1})}, 3),
     {0, 1, 2, 3, 4, 6},
     {4, 8, 9, 10, 11, 12},
     stalls(kConflict, {5})},
    {"figure 6: W(i+1) is in the PREMEM queue in i + 4, W(i+2) in WB in i + 5",
     Organisation::Elastic,
     queues(figure(), {}, 1),
     stream({other(), access({2}), access({1})}, 4),
     {0, 1, 2, 3, 4, 5, 6},
     {4, 8, 9, 7, 10, 11, 12},
     {}},
    {"M = 0: who finds the port taken waits in EXE",
     Organisation::Elastic,
     queues(figure(), 0, {}),
     stream({access({1})}, 5),
     {0, 1, 2, 3, 4, 6},
     {6, 5, 7, 8, 9, 10},
     stalls(kWriteback, {5})},
    {"M = 1 of the 2 that two subwarps of memory displace: one is lost",
     Organisation::Elastic,
     queues(figure(16), 1, {}),
     stream({access({1, 1})}, 3),
     {0, 2, 4, 7},
     {7, 9, 11, 13},
     stalls(kWriteback, {6})},
    {"... with M of equation 2 none is",
     Organisation::Elastic,
     figure(16),
     stream({access({1, 1})}, 3),
     {0, 2, 4, 6},
     {7, 9, 11, 13},
     {}},
    {"four subwarps, two memory stages: three in conflict displace one more than equation 2 has",
     Organisation::Elastic,
     figure(8),
     stream({access({2, 2, 2, 2})}, 3),
     {0, 4, 8, 13},
     {13, 14, 18, 22},
     stalls(kWriteback, {12})},
    {"N = 0: the second subwarp waits in EXE for the passes of the first",
     Organisation::Elastic,
     queues(figure(16), {}, 0),
     {access({2, 2}), access({2, 2})},
     {0, 2},
     {9, 13},
     stalls(kConflict, {4, 6, 8})},
    {"N of equation 3: one of a warp waits, the next warp comes too early",
     Organisation::Elastic,
     figure(16),
     {access({2, 2}), access({2, 2}), access({2, 2}), access({2, 2})},
     {0, 2, 4, 7},
     {9, 13, 17, 21},
     stalls(kConflict, {6, 8, 10, 12, 14})},
    {"what is stored, or goes outside, takes no port",
     Organisation::Split,
     figure(),
     stream({other(), access({2}, Exit::Leave)}, 6),
     {0, 1, 2, 3, 4, 5, 6, 7},
     {6, 8, 8, 9, 10, 11, 12, 13},
     {}},
    {"data of outside, there in cycle 8, take the port from who is at the end of the path",
     Organisation::Split,
     figure(),
     stream({other(), returning(4)}, 8),
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 10},
     {6, 10, 8, 9, 11, 12, 13, 14, 15, 16},
     stalls(kWriteback, {9})},
    {"data that are there before their access has left, at the end of 5, come a cycle after that",
     Organisation::Split,
     figure(),
     stream({other(), returning(0)}, 6),
     {0, 1, 2, 3, 4, 5, 6, 8},
     {6, 8, 9, 10, 11, 12, 13, 14},
     stalls(kWriteback, {7})},
    {"refused in 4, taken in 7: its cause is what the front end stands still for",
     Organisation::Unified,
     figure(),
     stream({other(), refused(2)}, 5),
     {0, 1, 2, 3, 4, 7, 8},
     {6, 9, 10, 11, 12, 13, 14},
     stalls(StallCause::MemoryPort, {5, 6})},
};

template <class Pipeline>
void checkRow(const Row& row, Playing playing) {
  const StagedStream stream{row.organisation, row.parameters, row.instructions};
  const StagedLog log = StagedPlayer<Pipeline>(stream, playing).play();
  BOOST_TEST(log.issued == row.issued, tt::per_element());
  BOOST_TEST(log.committed == row.committed, tt::per_element());
  BOOST_TEST((stallsOf(log) == row.stalls), "other stalls");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(staged_table)

BOOST_DATA_TEST_CASE(keeps_its_timing_table, bdata::xrange(kTable.size()), index) {
  const Row& row = kTable[index];
  BOOST_TEST_CONTEXT(row.what) {
    checkRow<StagedPipeline>(row, Playing::Every);
    checkRow<StagedPipeline>(row, Playing::Lazy);
    BOOST_TEST_CONTEXT("the reference") {
      checkRow<StagedReference>(row, Playing::Every);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
