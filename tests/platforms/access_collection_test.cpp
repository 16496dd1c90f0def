// Accesses collected without timing: sets of words, by instruction, with their counts.
#include <fermata/platforms/program/search/access_collection.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/search/access_descriptions.h>
#include <fermata/platforms/program/search/functional_driver.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/input_error.h>
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fermata;
using namespace fermata::test;
using namespace fermata::platforms;
using Set = std::vector<std::uint32_t>;
/// Count of each (instruction, set).
using Counts = std::map<std::pair<std::uint32_t, Set>, std::uint64_t>;

Counts countsOf(const Collected& collected) {
  Counts counts;
  for (const search::Use& use : collected.sets.uses()) {
    const search::Words words = collected.sets.words(use.set);
    counts[{use.instruction, Set(words.begin(), words.end())}] += use.count;
  }
  return counts;
}

std::uint64_t stride(std::uint64_t, unsigned, unsigned lane, unsigned) {
  return 16 * lane;
}

Collected collect(Workload& workload, const PlatformParameters& platform = {}) {
  Collected collected;
  collectAccesses(workload, "w", 1, platform, collected);
  return collected;
}

Set range(std::uint32_t first, std::uint32_t step, std::uint32_t count) {
  Set set;
  for (std::uint32_t i = 0; i < count; ++i) set.push_back(first + i * step);
  return set;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(collection)

BOOST_AUTO_TEST_CASE(equal_accesses_are_one_set_with_a_count) {
  ScriptedWorkload workload(4, 64);
  workload.grid.sharedBytesPerCta = 1024;
  workload.repeat = 5;
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, stride);
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, stride);
  const Collected collected = collect(workload);
  BOOST_TEST(workload.ended.size() == 4U);
  const Counts expected{{{0, range(0, 4, 32)}, 4U * 2 * 5}};
  BOOST_TEST((countsOf(collected) == expected));
  BOOST_REQUIRE(collected.profile.size() == 1U);
  const InstructionProfile& profile = collected.profile[0];
  BOOST_TEST(profile.executions == 40U);
  BOOST_TEST(profile.accesses == 40U);
  BOOST_TEST(profile.groups == 40U);
  BOOST_TEST(profile.classText() == "stride 4");
  BOOST_TEST(collected.accesses() == 40U);
}

BOOST_AUTO_TEST_CASE(lanes_that_do_not_execute_ask_for_nothing) {
  ScriptedWorkload workload(1, 96);
  workload.grid.sharedBytesPerCta = 1024;
  auto& load = workload.addMemory(MemorySpace::Shared, MemoryOperation::Store, 4,
                                  [](std::uint64_t, unsigned, unsigned lane, unsigned) {
                                    return lane < 8 ? 4 * lane : std::uint64_t{1} << 40;
                                  });
  load.activeIn = [](unsigned warp) { return warp == 0 ? 0xffU : warp == 1 ? 0x3U : 0U; };
  const Collected collected = collect(workload);
  const Counts expected{{{0, range(0, 1, 8)}, 1}, {{0, range(0, 1, 2)}, 1}};
  BOOST_TEST((countsOf(collected) == expected));
  BOOST_TEST(collected.profile[0].executions == 3U);
  BOOST_TEST(collected.profile[0].accesses == 2U);
}

BOOST_AUTO_TEST_CASE(wide_accesses_are_split_as_the_platform_splits_them) {
  const auto run = [](unsigned bytes, const PlatformParameters& platform) {
    ScriptedWorkload workload(1, 32);
    workload.grid.sharedBytesPerCta = 1024;
    workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, bytes, workload.apart(bytes));
    const Collected collected = collect(workload, platform);
    const bool shared = bytes < platform.scratchpad.bankBytes;  // two lanes on each word
    BOOST_TEST(collected.profile[0].classText() == (shared ? "block 2 x 0, 16 x 1" : "linear"));
    BOOST_TEST(collected.profile[0].accesses == 1U);
    BOOST_TEST(collected.profile[0].groups == collected.sets.accesses());
    return countsOf(collected);
  };
  PlatformParameters split;
  BOOST_TEST((run(8, split) == Counts{{{0, range(0, 1, 32)}, 1}, {{0, range(32, 1, 32)}, 1}}));
  BOOST_TEST(run(16, split).size() == 4U);
  PlatformParameters merged;
  merged.crossbar.groups.bits128 = fermata::LaneGroups(32);
  BOOST_TEST((run(16, merged) == Counts{{{0, range(0, 1, 128)}, 1}}));
  PlatformParameters halves;
  halves.crossbar.groups.bits32 = fermata::LaneGroups(16);
  BOOST_TEST((run(4, halves) == Counts{{{0, range(0, 1, 16)}, 1}, {{0, range(16, 1, 16)}, 1}}));
  PlatformParameters wideBanks;
  wideBanks.scratchpad.bankBytes = 8;
  wideBanks.crossbar.groups.bits64 = fermata::LaneGroups(32);
  BOOST_TEST((run(8, wideBanks) == Counts{{{0, range(0, 1, 32)}, 1}}));
  BOOST_TEST((run(4, wideBanks) == Counts{{{0, range(0, 1, 16)}, 1}}));
}

// The collector counts in a small cache before it passes counts on: nothing may be lost there.
BOOST_AUTO_TEST_CASE(random_accesses_are_counted_as_a_plain_map_counts_them) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> bases(20000);
  for (auto& base : bases) base = random() % 4096;
  const auto address = [&](std::uint64_t cta, unsigned warp, unsigned lane, unsigned repetition) {
    const std::uint32_t base = bases[(cta * 977 + warp * 131 + repetition) % bases.size()];
    return std::uint64_t{4} * ((base + lane * (base % 7)) % 8192);
  };
  ScriptedWorkload workload(24, 256);
  workload.grid.sharedBytesPerCta = 4 * 8192;
  workload.repeat = 40;
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, address);
  const Collected collected = collect(workload);
  Counts expected;
  for (unsigned cta = 0; cta < 24; ++cta) {
    for (unsigned warp = 0; warp < 8; ++warp) {
      for (unsigned repetition = 0; repetition < 40; ++repetition) {
        Set set;
        for (unsigned lane = 0; lane < 32; ++lane) {
          set.push_back(static_cast<std::uint32_t>(address(cta, warp, lane, repetition) / 4));
        }
        std::sort(set.begin(), set.end());
        set.erase(std::unique(set.begin(), set.end()), set.end());
        ++expected[{0, set}];
      }
    }
  }
  BOOST_TEST((countsOf(collected) == expected));
}

BOOST_AUTO_TEST_CASE(several_workloads_are_collected_into_one) {
  Collected collected;
  for (const std::uint64_t weight : {3, 1}) {
    ScriptedWorkload workload(1, 32);
    workload.grid.sharedBytesPerCta = 1024;
    workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, stride);
    collectAccesses(workload, "w" + std::to_string(weight), weight, {}, collected);
  }
  BOOST_TEST(collected.sets.size() == 1U);
  BOOST_TEST(collected.sets.weight(0) == 4U);
  BOOST_TEST(collected.sets.instructions()[0].workload == "w3");
  BOOST_TEST(collected.profile[1].source == 1U);
  BOOST_TEST(collected.sources.size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_instruction_keeps_no_more_than_eight_classes) {
  InstructionProfile profile;
  for (int stride = 2; stride < 14; ++stride) {
    search::AccessClass found;
    found.kind = search::AccessKind::Stride;
    found.stride = stride;
    profile.add(found, 10);
  }
  BOOST_TEST(profile.classes.size() == InstructionProfile::kMaxClasses);
  BOOST_TEST(profile.otherClasses == 40U);
  BOOST_TEST(profile.classText() == "stride 2 and 7+ more");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(driving)

// Warp 0 announces (bar.arrive) at barrier 3, the others wait there; then all meet at barrier 0.
BOOST_AUTO_TEST_CASE(barriers_let_through_whom_they_should) {
  ScriptedWorkload workload(10, 128);
  auto& arrive = workload.add(InstructionClass::Barrier);
  arrive.barrier = 3;
  arrive.barrierThreads = 128;
  arrive.barrierWaits = false;
  arrive.activeIn = [](unsigned warp) { return warp == 0 ? kAllLanes : 0; };
  auto& wait = workload.add(InstructionClass::Barrier);
  wait.barrier = 3;
  wait.barrierThreads = 128;
  wait.activeIn = [](unsigned warp) { return warp == 0 ? 0 : kAllLanes; };
  workload.add(InstructionClass::Barrier);
  workload.repeat = 3;
  collect(workload);
  BOOST_TEST(workload.ended.size() == 10U);
  BOOST_TEST(workload.executed == 10U * 4 * 3 * 3);
}

BOOST_AUTO_TEST_CASE(a_warp_that_exits_counts_as_arrived) {
  ScriptedWorkload workload(3, 128);
  workload.skips = [](unsigned warp) { return warp == 2; };
  workload.add(InstructionClass::Barrier);
  workload.repeat = 2;
  collect(workload);
  BOOST_TEST(workload.ended.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_deadlock_names_the_kernel) {
  ScriptedWorkload workload(1, 64);
  auto& wait = workload.add(InstructionClass::Barrier);
  wait.barrierThreads = 96;
  BOOST_CHECK_EXCEPTION(collect(workload), InputError,
                        says("kernel 'scripted': deadlock", "warp 1"));
}

BOOST_AUTO_TEST_CASE(a_cta_that_does_not_fit_is_refused) {
  ScriptedWorkload workload(1, 64);
  workload.grid.sharedBytesPerCta = 65536;
  BOOST_CHECK_THROW(collect(workload), OccupancyError);
}

BOOST_AUTO_TEST_CASE(packed_windows_are_noted) {
  const auto packed = [](std::uint32_t bytes) {
    ScriptedWorkload workload(8, 32);
    workload.grid.sharedBytesPerCta = bytes;
    return collect(workload).packedKernels.size();
  };
  BOOST_TEST(packed(4096) == 0U);
  BOOST_TEST(packed(3072) == 0U);  // eight windows of 4096 words fit
  BOOST_TEST(packed(9216) == 1U);  // five windows of 9216 fit, none of 16384
}

BOOST_AUTO_TEST_CASE(a_kernel_executes_as_often_as_in_a_run) {
  const OpenWorkload open = openWorkload("transpose", {{"tile", "16"}});
  const Collected collected = collect(*open.workload);
  open.kernel->checkResults();  // the results are right
  BOOST_TEST(collected.accesses() == 1024U);
  const auto& instructions = collected.sets.instructions();
  BOOST_REQUIRE(instructions.size() == 2U);
  const std::size_t load = instructions[0].opcode.rfind("ld", 0) == 0 ? 0 : 1;
  BOOST_TEST(instructions[load].line == 20U);
  BOOST_TEST(has(instructions[load].file, "transpose.cu"));
  BOOST_TEST(instructions[load].kernel == "transpose_16_0");
  BOOST_TEST(begins(collected.profile[load].classText(), "block"));
  BOOST_TEST(collected.profile[1 - load].classText() == "linear");
}

namespace {

/// A kernel in clusters: after a barrier, each warp stores to the next CTA of its cluster, lane l
/// to word 2 l. `spreads`: lane l stores to CTA l % 2 instead.
OpenWorkload clusters(const TemporaryFolder& folder, unsigned ctas, unsigned threads,
                      bool spreads = false) {
  folder.put("k.ptx",
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n"
             "{\n.reg .b32 %r<9>; .shared .align 16 .b8 tile[1024];\n"
             "mov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %cluster_nctarank;\n"
             "add.u32 %r1, %r1, 1;\nrem.u32 %r1, %r1, %r2;\nmov.u32 %r3, tile;\n" +
                 std::string(spreads ? "mov.u32 %r1, %laneid;\nand.b32 %r1, %r1, 1;\n" : "") +
                 "mapa.shared::cluster.u32 %r3, %r3, %r1;\nmov.u32 %r4, %laneid;\n"
                 "mad.lo.u32 %r3, %r4, 8, %r3;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                 "st.shared::cluster.u32 [%r3], %r4;\nbarrier.cluster.arrive;\n"
                 "barrier.cluster.wait;\nret;\n}\n");
  folder.put("k.toml", "description = 'k'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = " +
                           std::to_string(3 * ctas) + "\nblock = " + std::to_string(threads) +
                           "\ncluster = " + std::to_string(ctas) + "\narguments = []\n");
  return openWorkload((folder / "k.toml").string(), {});
}

}  // namespace

// A cluster need not fit one SM: only its warps must find slots.
BOOST_AUTO_TEST_CASE(accesses_to_other_ctas_are_words_of_their_windows) {
  const TemporaryFolder folder;
  const OpenWorkload opened = clusters(folder, 8, 64);
  PlatformParameters platform;
  platform.core.limits.ctas = 2;
  platform.core.limits.warps = 48;
  const Collected collected = collect(*opened.workload, platform);
  const Counts expected{{{0, range(0, 2, 32)}, 3U * 8 * 2}};
  BOOST_TEST((countsOf(collected) == expected));
}

// CTAs on multiprocessors of their own have banks of their own.
BOOST_AUTO_TEST_CASE(lanes_for_several_ctas_are_an_access_to_each) {
  const TemporaryFolder folder;
  PlatformParameters platform;
  platform.core.limits.warps = 48;
  for (const unsigned sms : {1U, 2U}) {
    platform.sms = sms;
    const OpenWorkload opened = clusters(folder, 2, 32, true);
    const Collected collected = collect(*opened.workload, platform);
    const Counts together{{{0, range(0, 2, 32)}, 6}};
    const Counts apart{{{0, range(0, 4, 16)}, 6}, {{0, range(2, 4, 16)}, 6}};
    BOOST_TEST((countsOf(collected) == (sms == 1 ? together : apart)), sms << " multiprocessors");
    BOOST_TEST(collected.passes() - collected.idealPasses() == (sms == 1 ? 6U : 12U));
  }
}

BOOST_AUTO_TEST_CASE(clusters_of_too_many_warps_are_refused) {
  const TemporaryFolder folder;
  const OpenWorkload opened = clusters(folder, 8, 256);
  BOOST_CHECK_EXCEPTION(collect(*opened.workload), BadInput,
                        says({"clusters of 8 CTAs of 8 warps, more than the 48 warps that run at "
                              "once here; expected `fermata run` or `fermata exec`"}));
}

BOOST_AUTO_TEST_SUITE_END()
