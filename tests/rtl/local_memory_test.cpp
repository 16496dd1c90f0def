// A user's RTL memory (platforms/own_rtl/local_memory.sv) in place of crossbar and scratchpad: it
// keeps the cycles that its text promises, loses no byte, and kernels run on it.
#include <fermata/models/conformance/suite.h>
#include <fermata/platforms/own_rtl/local_memory.h>

#include "tests/conformance/support.h"
#include "tests/rtl/warp_master.h"
#include "tests/rtl/whole_platform.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::rtl::test;
using own_rtl::kBanks;
using own_rtl::kWords;
using own_rtl::makeLocalMemory;
using rtl::BlockMemory;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

/// Returns the cycles for word k, by the text of local_memory.sv: a bank serves one lane per cycle,
/// and no lanes merge.
unsigned mostLanesOnABank(const WarpAccess& access, unsigned k) {
  std::map<std::uint32_t, unsigned> lanes;
  unsigned most = 0;
  for (LaneMask m = access.instruction.active; m != 0; m &= m - 1)
    most =
        std::max(most, ++lanes[access.word[k][static_cast<unsigned>(__builtin_ctz(m))] % kBanks]);
  return most;
}

struct Expected {
  unsigned taken = 0;   ///< cycles until the last lane is taken
  unsigned passes = 0;  ///< number of those cycles in which lanes are taken
};

/// Returns the cycles of an access to a free memory. The words of a lane come one after another;
/// each lane of an atomic reads, waits and writes.
Expected expectedOf(const WarpAccess& access, unsigned latency) {
  Expected expected;
  if (access.instruction.operation == MemoryOperation::Atomic) {
    const unsigned lanes = laneCount(access.instruction.active);
    expected.passes = 2 * lanes * access.wordsPerLane;
    expected.taken = expected.passes + lanes * (latency - 1);
    return expected;
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) expected.passes += mostLanesOnABank(access, k);
  expected.taken = expected.passes;
  return expected;
}

/// Checks that every try of a kernel takes the passes that the text promises.
class PassesAsExpected final : public Probe {
 public:
  unsigned events() const override { return SharedTries; }
  void sharedTry(const WarpAccess& access) override {
    const Expected expected = expectedOf(access, 1);
    BOOST_REQUIRE(access.passes == expected.passes);
    tries += 1;
  }
  std::uint64_t tries = 0;
};

void fillRandomly(WarpAccess& access, std::mt19937& random) {
  WarpInstruction& instruction = access.instruction;
  constexpr std::uint8_t widths[] = {4, 4, 4, 4, 1, 2, 8, 16};
  instruction.bytesPerLane = widths[random() % 8];
  const unsigned kind = random() % 16;
  instruction.operation = kind == 0  ? MemoryOperation::Atomic
                          : kind < 8 ? MemoryOperation::Load
                                     : MemoryOperation::Store;
  instruction.active = random() % 2 != 0 ? kAllLanes : static_cast<LaneMask>(random()) | 1;
  const std::uint32_t places = 4 * kWords / instruction.bytesPerLane;
  const std::uint32_t span = std::min<std::uint32_t>(places, 1U << random() % 15);
  const std::uint32_t stride = random() % 3 == 0 ? 1U << random() % 6 : 0;
  const auto first = static_cast<std::uint32_t>(random());
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t place = stride != 0 ? (first + lane * stride) % places
                                            : static_cast<std::uint32_t>(random()) % span;
    instruction.address[lane] = std::uint64_t{place} * instruction.bytesPerLane;
  }
}

class Checked : public fermata::test::CheckedConnector {
 public:
  std::unique_ptr<BlockMemory> blockMemory(const BlockMemory::Parameters& parameters) override {
    return makeLocalMemory(parameters, latency);
  }
  unsigned latency = 1;
};

const Kernel kKernels[] = {
    {"transpose", {{"tile", "32"}}},
    {"transpose", {{"tile", "32"}, {"pad", "1"}}},
    {"matmul", {{"n", "32"}}},
    {"reduction", {{"variant", "2"}, {"n", "8192"}}},
    {"reduction", {{"variant", "6"}, {"n", "8192"}}},
    {"scan", {{"variant", "1"}, {"n", "3000"}}},
    {"hist64", {{"n", "8192"}, {"blocks", "2"}}},
    {"histogram", {{"width", "128"}, {"height", "64"}, {"bins", "64"}}},
    {"fft1", {{"rows", "64"}}},
    {"lud", {{"n", "64"}}},
    {"nw", {{"n", "64"}}},
    {"aes", {{"ctas", "2"}}},
    {"dct1", {{"width", "64"}, {"height", "32"}}},
    {"sgemm", {{"m", "128"}, {"n", "32"}, {"k", "16"}}},
};

/// Kernels in which no two lanes of an access want one word.
const Kernel kNothingMerges[] = {
    {"transpose", {{"tile", "32"}}},
    {"transpose", {{"tile", "32"}, {"pad", "1"}}},
    {"transpose", {{"n", "64"}, {"tile", "16"}}},
    {"stride", {{"stride", "1"}}},
    {"stride", {{"stride", "4"}}},
    {"stride", {{"stride", "32"}}},
    {"reduction", {{"variant", "2"}, {"n", "8192"}}},
    {"fft1", {{"rows", "64"}}},
};

enum class How { TakesNone, AnswersNone, AnswersAll, TakesAll };

/// A memory that never takes a lane, never answers, answers lanes that did not ask, or takes such
/// lanes.
class Broken final : public BlockMemory {
 public:
  Broken(const Parameters& parameters, How how)
      : BlockMemory("broken", parameters, {}), how_(how) {}

 private:
  LaneMask edge(const rtl::MemoryRequest& offered, rtl::MemoryResponse& answered) override {
    if (how_ == How::AnswersAll) answered.valid = kAllLanes;
    if (how_ == How::TakesAll) return kAllLanes;
    return how_ == How::TakesNone ? 0 : offered.valid;
  }
  How how_;
};

class BrokenConnector : public platforms::Connector {
 public:
  explicit BrokenConnector(How how) : how_(how) {}
  std::unique_ptr<BlockMemory> blockMemory(const BlockMemory::Parameters& parameters) override {
    return std::make_unique<Broken>(parameters, how_);
  }

 private:
  How how_;
};

const std::pair<How, const char*> kBroken[] = {
    {How::TakesNone, "in 4096 edges it takes none of lanes 0 1 2"},
    {How::AnswersNone, "in 4096 edges it answers none of lanes 0 1 2"},
    {How::AnswersAll, "a block answers lane "},
    {How::TakesAll, "a block "},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(local_memory)

// Random accesses, back to back and with gaps: each is taken and answered in the cycle that the
// text promises, and every byte equals the executor's.
BOOST_DATA_TEST_CASE(keeps_the_cycles_of_its_text,
                     bdata::make({1U, 2U}) * bdata::make({0U, 24U}) * bdata::make({1U, 2U, 3U}),
                     latency, behind, seed) {
  BlockMemory::Parameters parameters;
  parameters.clock = kClock;
  parameters.latency = behind;
  const auto memory = makeLocalMemory(parameters, latency);
  WarpMaster master("master", kClock);
  master.out.bind(memory->in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::mt19937 random(seed);
  Truth truth(kWords);
  struct Sent {
    WarpAccess* access;
    Cycle over;
  };
  std::deque<Sent> sent;
  Cycle at = 0;
  std::uint64_t loads = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    WarpAccess& access = master.open();
    fillRandomly(access, random);
    locate(access, kBanks);
    truth.act(access.instruction, random);
    const Cycle lead = random() % 4;  // sent ahead of time, with an annotated delay
    const sc_core::sc_time due = kClock.time(at > lead ? at - lead : 0);
    if (due > sc_core::sc_time_stamp()) sc_core::sc_start(due - sc_core::sc_time_stamp());
    master.send(access, at);
    const Expected expected = expectedOf(access, latency);
    const bool store = access.instruction.operation != MemoryOperation::Load;
    BOOST_REQUIRE(access.occupancy == expected.taken);
    BOOST_REQUIRE(access.passes == expected.passes);
    sent.push_back({&access, at + expected.taken + (store ? 0 : latency - 1) + behind});
    if (!store) loads += laneCount(access.instruction.active);
    if (access.instruction.operation == MemoryOperation::Atomic)
      loads += laneCount(access.instruction.active);
    at += expected.taken + (random() % 4 == 0 ? random() % 6 : 0);
    while (!sent.empty() && kClock.time(sent.front().over) < sc_core::sc_time_stamp()) {
      BOOST_REQUIRE(master.over(*sent.front().access) == sent.front().over);
      master.forget(*sent.front().access);
      sent.pop_front();
    }
  }
  sc_core::sc_start(kClock.time(100));
  for (const Sent& one : sent) BOOST_REQUIRE(master.over(*one.access) == one.over);
  BOOST_TEST(memory->compared() == loads);
}

BOOST_DATA_TEST_CASE(conforms, bdata::make({1U, 2U}), latency) {
  conformance::Options options;
  options.prepare = [](WarpAccess& access) { locate(access, kBanks); };
  conformance::Findings findings = conformance::checkWarpTarget(
      [&](const char* name) {
        const sc_core::sc_module_name scope(name);
        return conformance::targetOf<WarpProtocol>(
            std::shared_ptr<BlockMemory>(makeLocalMemory({}, latency)));
      },
      options);
  fermata::test::checkConforms(findings);
}

BOOST_DATA_TEST_CASE(runs_kernels, bdata::make(kKernels) * bdata::make({1U, 2U}), kernel, latency) {
  Checked connector;
  connector.latency = latency;
  PassesAsExpected probe;
  Platform platform("platform", {"verify=true"}, connector);
  platform.simulation.addProbe(probe);
  const platforms::RunOutcome outcome = platform.run(kernel);
  BOOST_TEST(connector.nothingLeft());
  BOOST_TEST(probe.tries == outcome.totals.sharedAccesses());
  BOOST_TEST(outcome.compared > 0U);
  BOOST_TEST(outcome.totals.sharedAccesses() > 0U);
}

// One cycle in the block and scratchpad.latency behind it equal the model's crossbar and
// scratchpad: where nothing merges it is the same machine.
BOOST_DATA_TEST_CASE(is_the_model_where_nothing_merges, bdata::make(kNothingMerges), kernel) {
  Checked connector;
  platforms::Connector none;
  Platform block("block", {"verify=true"}, connector);
  Platform model("model", {"verify=true"}, none);
  const platforms::RunOutcome ofBlock = block.run(kernel);
  const platforms::RunOutcome ofModel = model.run(kernel);
  BOOST_TEST(ofBlock.cycles == ofModel.cycles);
  BOOST_TEST(ofBlock.compared == ofModel.compared);
  BOOST_TEST(ofBlock.totals.conflictPasses == ofModel.totals.conflictPasses);
  BOOST_TEST(ofBlock.totals.bankConflictCycles() == ofModel.totals.bankConflictCycles());
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    BOOST_TEST(ofBlock.banks.banks()[bank].reads == ofModel.banks.banks()[bank].reads);
    BOOST_TEST(ofBlock.banks.banks()[bank].writes == ofModel.banks.banks()[bank].writes);
  }
}

BOOST_AUTO_TEST_CASE(gives_its_signals) {
  const fermata::test::TemporaryFolder folder;
  const std::string path = (folder.path() / "memory.fst").string();
  const auto waves = rtl::openWaves(path, {0, 2000});
  own_rtl::LocalMemoryConnector connector;
  platforms::Simulation simulation(fermata::test::gtx480({"verify=true"}), connector,
                                   platforms::BuildOrder::Rising, waves.get());
  platforms::OpenWorkload open = platforms::openWorkload("stride", {});
  simulation.run(*open.workload);
  waves->close();
  BOOST_TEST(waves->blocks() == 1U);
  BOOST_TEST(waves->samples() > 0U);
  BOOST_TEST(std::filesystem::file_size(path) > 0U);
}

BOOST_DATA_TEST_CASE(a_platform_for_which_it_was_not_built_is_refused,
                     bdata::make({"scratchpad.indexer=ami 33",
                                  "scratchpad.indexer=xor k1=0 k2=5 mask=31",
                                  "scratchpad.bank_bytes=8", "scratchpad.conflict_policy=replay",
                                  "scratchpad.conflict_free=transpose.cu@20", "rtl.crossbar=rtl",
                                  "rtl.scratchpad=lockstep"}),
                     set) {
  Checked connector;
  BOOST_CHECK_THROW(Platform("platform", {set}, connector), InputError);
}

BOOST_DATA_TEST_CASE(a_broken_block_ends_the_run_with_a_reason,
                     bdata::xrange(std::size(kBroken)) * bdata::make({false, true}), number,
                     whole) {
  const auto& [how, text] = kBroken[number];
  std::string said = "nothing";
  try {
    if (whole) {
      BrokenConnector connector(how);
      Platform platform("platform", {}, connector);
      platform.run({"transpose", {}});
    } else {
      Broken memory({}, how);
      WarpMaster master("master", kClock);
      master.out.bind(memory.in);
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      WarpAccess& access = master.open();
      access.instruction.operation = MemoryOperation::Load;
      access.instruction.bytesPerLane = 4;
      access.instruction.active = 7;
      access.instruction.address.fill(0);
      locate(access, kBanks);
      master.send(access, 0);
      sc_core::sc_start(kClock.time(10000));
    }
  } catch (const sc_core::sc_report& report) {
    said = report.get_msg();
  } catch (const std::exception& error) {
    said = error.what();
  }
  BOOST_TEST(said.find(text) != std::string::npos, said);
}

BOOST_AUTO_TEST_SUITE_END()
