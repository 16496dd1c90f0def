// Whole platforms on RTL blocks: all rows of all tables, including cycles and conflicts, equal
// those of the model's run, and the data of every shared access are verified.
#include "tests/parity/whole_runs.h"

namespace fermata::test {
namespace {

/// The demo's workloads, shorter.
const Jobs kDemo{{"stride", {"stride=32", "iterations=4", "blocks=4"}},
                 {"transpose", {"tile=32", "n=64"}},
                 {"reduction", {"variant=1", "n=4096"}},
                 {"fwt", {"log2n=8", "vectors=8"}},
                 {"hist64", {"variant=1", "n=16384"}},
                 {"hist256", {"variant=1", "n=8192", "blocks=2"}},
                 {"scan", {"variant=1", "n=2048"}},
                 {"matmul", {"n=32"}},
                 {"scalarprod", {"vectors=2", "n=1024"}},
                 {"lud", {"n=32"}},
                 {"nw", {"n=48"}}};
/// A few workloads with conflicts.
const Jobs kFew{
    {"transpose", {"tile=32", "n=64"}}, {"hist64", {"variant=1", "n=16384"}}, {"nw", {"n=48"}}};
/// Workloads with shared atomics, by all lanes or lane by lane.
const Jobs kAtomics{{"histogram", {"width=64", "height=32", "blocks=2"}},
                    {"hist64", {"n=4096", "blocks=2"}},
                    {"hist256", {"n=4096", "blocks=2", "threads=256"}},
                    {"atomicbench", {"conflicts=32", "stride=32", "iterations=4", "warps=4"}}};
const Jobs kWide{{FERMATA_SOURCE_DIR "/tests/parity/wide.toml", {}}};

Sets all(const std::string& how) {
  return {"rtl.indexer=" + how, "rtl.crossbar=" + how, "rtl.scratchpad=" + how};
}
Sets allAndLocks(const std::string& how) {
  return all(how) + Sets{"rtl.lock=" + how};
}

struct Parity {
  WholeRun run;
  std::vector<Sets> blocks;  ///< settings; each gives a run to compare with the model's
};
std::ostream& operator<<(std::ostream& out, const Parity& parity) {
  out << parity.run.platform;
  for (const std::string& set : parity.run.sets) out << ' ' << set;
  return out;
}

const std::vector<Sets> kBoth{all("rtl"), all("lockstep")};
const std::vector<Sets> kRtl{all("rtl")};
const std::vector<Sets> kLocks{allAndLocks("rtl"), allAndLocks("lockstep")};
const std::string kMapping = "scratchpad.indexer=";

const Parity kParities[] = {
    {{"gtx480", {}, kDemo},
     {{"rtl.indexer=rtl"},
      {"rtl.indexer=lockstep"},
      {"rtl.crossbar=rtl"},
      {"rtl.crossbar=lockstep"},
      {"rtl.scratchpad=rtl"},
      {"rtl.scratchpad=lockstep"},
      {"rtl.indexer=rtl", "rtl.scratchpad=rtl"}}},
    {{"gtx480", {kMapping + "ami 33"}, kDemo},
     {{"rtl.indexer=rtl", "rtl.scratchpad=rtl"}, all("lockstep")}},
    // The paper's scratchpad: replays and 62 banks.
    {{"fermi-ami", {kMapping + "ami 62"}, kDemo}, kBoth},
    {{"gtx480", {kMapping + "ami 31 form=array"}, kFew}, kRtl},
    {{"gtx480", {kMapping + "mod 64"}, kFew}, kRtl},
    {{"gtx480", {kMapping + "xor k1=0 k2=5 mask=31"}, kDemo}, kBoth},
    {{"gtx480", {kMapping + "perm k=2"}, kFew}, kRtl},
    {{"gtx480", {kMapping + "bits 9,8,2,1,0"}, kFew}, kRtl},
    {{"gtx480", {kMapping + "pairs 0^5,1^6,2^7,3,4^8"}, kFew}, kRtl},
    {{"gtx480", {kMapping + "fixed-xor"}, kFew}, kRtl},
    {{"gtx480", {kMapping + "add"}, kFew}, kRtl},
    // Rows of two words.
    {{"k20", {"scratchpad.bank_bytes=4", "scratchpad.row_words=2"}, kFew}, kBoth},
    {{"k20", {}, kFew}, {{"rtl.indexer=rtl", "rtl.crossbar=rtl"}}},
    {{"hawaii", {"scratchpad.conflict_policy=replay"}, kFew}, kBoth},
    // Lane groups of several words per lane.
    {{"gtx480", {}, kWide}, kBoth},
    {{"hawaii", {"scratchpad.conflict_policy=replay"}, kWide}, kBoth},
    {{"fermi-ami", {kMapping + "ami 62"}, kWide}, kBoth},
    {{"gtx280", {}, kFew}, kBoth},
    {{"gtx480", {"scratchpad.atomics=native"}, kAtomics}, kBoth},
    {{"gtx480", {"scratchpad.atomics=native", "scratchpad.conflict_policy=replay"}, kAtomics},
     kBoth},
    {{"gtx580-atomics", {}, kAtomics},
     {{"rtl.lock=rtl"}, {"rtl.lock=lockstep"}, allAndLocks("rtl"), allAndLocks("lockstep")}},
    {{"gtx580-atomics", {"atomics.hash=xor"}, kAtomics}, kLocks},
    {{"gtx580-atomics", {"lock.indexer=ami 1000", "lock.locks=1000"}, kAtomics}, kLocks},
    {{"gtx580-atomics", {"scratchpad.conflict_policy=replay", "atomics.hash=add"}, kAtomics},
     kLocks},
    {{"elastic-gt200", {}, kFew}, kBoth},
    {{"fermi-chip", {"chip.sms=2"}, kFew}, kBoth},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(parity)

BOOST_DATA_TEST_CASE(rows_are_those_of_the_model, bdata::make(kParities), parity) {
  std::vector<platforms::ChildTask> tasks{[&] { return rowsOf(parity.run); }};
  for (const Sets& blocks : parity.blocks) {
    WholeRun run = parity.run;
    run.sets = run.sets + blocks;
    tasks.push_back([run] { return rowsOf(run); });
  }
  const std::vector<std::string> rows = platforms::runInChildren(tasks);
  BOOST_TEST(rows.front().size() > 1000U);
  for (std::size_t i = 0; i < parity.blocks.size(); ++i) {
    const std::string difference = firstDifference(rows[i + 1], rows.front());
    BOOST_TEST_CONTEXT(parity.blocks[i].front()) BOOST_TEST(difference == "");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
