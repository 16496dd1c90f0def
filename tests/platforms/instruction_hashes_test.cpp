// Hash numbers in load and store instructions: a kernel with a tile and a table that need different
// hashes, and every way in which two hashes could reach one word.
#include "tests/platforms/timing.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::test;

namespace {

constexpr std::uint64_t kTable = 8192;  ///< first byte of the table; the tile lies before it

/// A kernel of source file tile.cu; PC p is on line 10 + p.
class TileAndTable : public ScriptedWorkload {
 public:
  TileAndTable() : ScriptedWorkload(7, 64) {
    grid.kernel = "tile_and_table";
    grid.sharedBytesPerCta = 2 * kTable;
    loaded = [](std::uint64_t word) { return static_cast<std::uint32_t>(word * 2654435761U + 1); };
    const auto tile = [](auto, auto, unsigned lane, unsigned i) -> std::uint64_t {
      return 4 * (32 * lane + i);  // a column of a tile with 32 words per row
    };
    const auto table = [](auto, auto, unsigned lane, auto) -> std::uint64_t {
      return kTable + 4 * 33 * lane;
    };
    addMemory(MemorySpace::Shared, MemoryOperation::Store, 4, tile);
    addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, tile, {1});
    addMemory(MemorySpace::Shared, MemoryOperation::Store, 4, table);
    addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, table, {2});
    repeat = 10;
  }
  InstructionText instructionText(unsigned, std::uint32_t pc) const override {
    return {"", "some/folder/tile.cu", 10 + pc};
  }
};

// In windows of 4096 words, bit 11 of the word address separates tile and table.
const std::string kXor = "xor k1=0 k2=5 mask=31";
const std::string kBoth = "scratchpad.indexer=regions at=11 | " + kXor + " | mod 32";

std::uint64_t conflicts(const Sets& sets) {
  std::vector<std::string> all = sets;
  all.emplace_back("verify=true");
  CheckedSimulation simulation(gtx480(all));
  TileAndTable workload;
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.compared == 7U * 2 * 10 * 2 * 32);
  simulation.simulation.checkNamedInstructions();
  return outcome.totals.bankConflictCycles();
}

std::string hashes(const std::string& text) {
  return "scratchpad.instruction_hashes=" + text;
}

template <class Error>
void refused(const Sets& sets, const std::vector<std::string>& parts) {
  const auto run = [&] { conflicts(sets); };
  BOOST_CHECK_EXCEPTION(run(), Error, says(parts));
}

const char* const kNamed[] = {
    "tile_and_table:2=1 tile_and_table:3=1",
    "  tile_and_table:2-3=1\ttile_and_table:0-1=0 ",
    "tile.cu@12-13=1",
    "tile.cu@12=1 tile_and_table:2-3=1",
};

struct Bad : Refusal {
  const char* indexer = "regions | mod 32 | add";
};
const Bad kBad[] = {
    {"k", "(column 1): 'k' has no hash; expected KERNEL=N, KERNEL:PC=N"},
    {"k:1=0 k:2", "(column 7): 'k:2' has no hash"},
    {"k:1=", "(column 5): the hash of 'k:1=' is none; expected a number from 0 to 63"},
    {"k:1=x", "expected a number from 0 to 63"},
    {"k:1=64", "expected a number from 0 to 63"},
    {"k:1=-1", "expected a number from 0 to 63"},
    {"=1", "'=1' names nothing"},
    {":3=1", "':3=1' names nothing"},
    {"@3=1", "'@3=1' names nothing"},
    {"k:=1", "(column 3): '' is no PC and no rising range"},
    {"k:3-2=1", "(column 3): '3-2' is no PC and no rising range"},
    {"k:3-=1", "'3-' is no PC"},
    {"k:-3=1", "'-3' is no PC"},
    {"k:1-2-3=1", "'1-2-3' is no PC"},
    {"k.cu@x=1", "'x' is no line"},
    {"k:99999999999=1", "'99999999999' is no PC"},
    {"k:1=2", "hash 2 of 'k:1=2' has no region; expected a hash from 0 to 1"},
    {"k:1=1", "hashes 0 and 1 could reach one word, for the indexer 'mod 32' has no regions",
     "mod 32"},
    {"k=3", "hashes 0 and 3 could reach one word", "xor k1=0 k2=5 mask=31"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tile_and_table)

// A hash that makes one conflict-free makes the other conflict in all lanes.
BOOST_AUTO_TEST_CASE(no_hash_alone_suits_both) {
  BOOST_TEST(conflicts({"scratchpad.indexer=mod 32"}) == 7U * 2 * 10 * 2 * 31);
}
BOOST_AUTO_TEST_CASE(nor_the_other) {
  BOOST_TEST(conflicts({"scratchpad.indexer=" + kXor}) == 7U * 2 * 10 * 2 * 31);
}
BOOST_AUTO_TEST_CASE(a_hash_for_each_region_does) {
  BOOST_TEST(conflicts({kBoth}) == 0U);
}
BOOST_DATA_TEST_CASE(a_hash_in_the_instruction_does, bdata::make(kNamed), named) {
  BOOST_TEST(conflicts({kBoth, hashes(named)}) == 0U);
}
// The number in the instruction changes no address: it only restricts the region.
BOOST_AUTO_TEST_CASE(the_whole_kernel_may_carry_one) {
  BOOST_TEST(conflicts({"scratchpad.indexer=regions at=13 | mod 32 | mod 32", "limits.ctas=1",
                        hashes("tile_and_table=0")}) == 7U * 2 * 10 * 2 * 31);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(an_instruction_that_is_not_named_carries_hash_0) {
  refused<indexing::IndexingError>({kBoth, hashes("tile_and_table:2=1")},
                                   {"kernel 'tile_and_table', pc 3", "hash 0 reaches word 2048",
                                    "byte 8192", "region 1", "hash 1"});
}
BOOST_AUTO_TEST_CASE(a_wrong_hash_is_found) {
  refused<indexing::IndexingError>({kBoth, hashes("tile.cu@10=1")},
                                   {"pc 0", "hash 1 reaches word 0 ", "of region 0"});
}
// Lane 16 is the first beyond the region: 32 * 16 = 512.
BOOST_AUTO_TEST_CASE(an_access_of_two_regions_is_refused) {
  refused<indexing::IndexingError>(
      {"scratchpad.indexer=regions at=9 | mod 32 | add", hashes("tile_and_table=0")},
      {"pc 0", "hash 0 reaches word 512", "region 1"});
}
// Three windows of 4096 words: the second CTA lies in the second region of 4096.
BOOST_AUTO_TEST_CASE(the_window_is_named) {
  refused<indexing::IndexingError>(
      {"scratchpad.indexer=regions at=12 | mod 32 | add", hashes("tile_and_table=0")},
      {"word 4096", "window at byte 16384"});
}
BOOST_AUTO_TEST_CASE(a_wide_access_counts_to_its_last_word) {
  ScriptedWorkload workload(1, 32);
  workload.grid.sharedBytesPerCta = 8192;
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 8,
                     [](auto, auto, unsigned lane, auto) { return std::uint64_t{8} * (lane % 2); },
                     {1});
  CheckedSimulation simulation(
      gtx480({"scratchpad.indexer=regions at=0 | mod 32 | add", hashes("scripted=0")}));
  BOOST_CHECK_EXCEPTION(simulation.run(workload), indexing::IndexingError, says("reaches word 1 "));
}
BOOST_AUTO_TEST_CASE(a_pc_beyond_the_kernel) {
  refused<InputError>({kBoth, hashes("tile_and_table:2-4=1")},
                      {"'tile_and_table:2-4=1': the kernel has 4 instructions; expected PCs from 0 "
                       "to 3"});
}
BOOST_AUTO_TEST_CASE(two_hashes_for_one_instruction) {
  refused<InputError>({kBoth, hashes("tile_and_table:2-3=1 tile.cu@13=0")},
                      {"'tile_and_table:2-3=1' and 'tile.cu@13=0' both name pc 3 of kernel "
                       "'tile_and_table'"});
}
BOOST_AUTO_TEST_CASE(a_name_that_nothing_has) {
  refused<InputError>({kBoth, hashes("tile_and_table:2-3=1 tyle=1")},
                      {"'tyle=1' names no instruction of a kernel that ran"});
}
BOOST_AUTO_TEST_CASE(a_line_that_nothing_has) {
  refused<InputError>({kBoth, hashes("tile_and_table:2-3=1 tile.cu@99=0")}, {"'tile.cu@99=0'"});
}

BOOST_DATA_TEST_CASE(before_anything_runs, bdata::make(kBad), bad) {
  const auto make = [&] {
    gtx480({std::string("scratchpad.indexer=") + bad.indexer, hashes(bad.input)});
  };
  BOOST_CHECK_EXCEPTION(make(), InputError,
                        beginsWith("--set scratchpad.instruction_hashes", bad.says));
}

BOOST_AUTO_TEST_CASE(hashes_without_an_indexer_of_regions_are_a_model_error) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  const Clock clock = Clock::fromMegahertz(700);
  AddressGenerationUnit agu("agu", clock, {}, indexing::build("mod 32", {32, 12288}));
  BOOST_CHECK_THROW(agu.setHashes([](std::uint32_t) {
    return HashedProgram{"k", {0}};
  }),
                    sc_core::sc_report);
}

BOOST_AUTO_TEST_SUITE_END()
