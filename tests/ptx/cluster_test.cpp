// Clusters: numbers of CTAs, the barrier, addresses of other CTAs' shared memory, refusals.

#include <fermata/models/vocabulary/cluster.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

const std::string kShared = ".shared .align 16 .b32 tile[64];";
const std::string kSync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
/// Leaves %r1 of each thread in out.
const std::string kStore = "mad.wide.u32 %rd99, %r92, 4, %rd91; st.global.u32 [%rd99], %r1;";

RunOptions clusters(Dim3 grid, Dim3 cluster, unsigned threads = 32) {
  RunOptions options;
  options.grid = grid;
  options.cluster = cluster;
  options.block.x = threads;
  return options;
}

/// Runs `body` in a grid of `ctas` CTAs in clusters of `size`; returns the %r1 of each thread.
std::vector<Word> results(const std::string& body, unsigned ctas, unsigned size,
                          unsigned threads = 32) {
  return runBody<Word>(body + kStore, std::size_t{ctas} * threads,
                       clusters({ctas, 1, 1}, {size, 1, 1}, threads), kShared);
}

void fails(const std::string& body, const std::string& part, unsigned size = 2) {
  expectError([&] { results(body, size, size); }, {part});
}

/// Lane k of each CTA has tile[k] = 100 * rank + k, and all CTAs of the cluster know.
const std::string kFill =
    "mov.u32 %r20, %cluster_ctarank; mov.u32 %r21, tile; mad.lo.u32 %r22, %r90, 4, %r21;"
    "mad.lo.u32 %r23, %r20, 100, %r90; st.shared.u32 [%r22], %r23;" +
    kSync;
/// The rank of the next CTA of a cluster of two.
const std::string kOther = "xor.b32 %r24, %r20, 1; mapa.shared::cluster.u32 %r25, %r22, %r24;";

}  // namespace

BOOST_AUTO_TEST_SUITE(ptx)

// Bit 24 of an address is the lowest of its CTA's rank on a GPU: ranks 0 to 3 store to 0, 0, 2, 2,
// by their own addresses and by that of the next CTA. Other numbers lose the bit.
BOOST_AUTO_TEST_CASE(a_mask_names_the_first_cta_of_a_pair) {
  const std::string mask = "and.b32 %r26, %r22, -16777220; st.shared::cluster.u32 [%r26], %r20;" +
                           kSync + "ld.shared.u32 %r1, [%r22];";
  const std::vector<Word> own = results(kFill + kSync + mask, 4, 4);
  const std::string next = "xor.b32 %r24, %r20, 1; mapa.shared::cluster.u32 %r22, %r22, %r24;";
  const std::vector<Word> other = results(
      kFill + next + "and.b32 %r26, %r22, 0xfeffffff; getctarank.shared::cluster.u32 %r1, %r26;", 4,
      4);
  const std::vector<Word> number =
      results("mov.u32 %r2, 0x31000004; and.b32 %r1, %r2, 0xfeffffff;", 4, 4);
  for (Word k = 0; k < 128; ++k) {
    const Word rank = k / 32;
    BOOST_TEST((rank % 2 == 0 ? own[k] <= rank + 1 : own[k] == 100 * rank + k % 32));
    BOOST_TEST(other[k] == rank / 2 * 2);
    BOOST_TEST(number[k] == 0x30000004U);
  }
}

// A cluster of 2 x 2 CTAs in a grid of 4 x 4 x 2.
BOOST_AUTO_TEST_CASE(registers_name_the_place_in_the_cluster) {
  const auto words = [](const std::string& name) {
    return runBody<Word>("mov.u32 %r1, %" + name + ";" +
                             "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r4, %ctaid.z;"
                             "mad.lo.u32 %r5, %r4, 4, %r3; mad.lo.u32 %r5, %r5, 4, %r2;"
                             "mad.wide.u32 %rd1, %r5, 4, %rd91; st.global.u32 [%rd1], %r1;",
                         32, clusters({4, 4, 2}, {2, 2, 1}), kShared);
  };
  const auto check = [&](const std::string& name, auto wanted) {
    const std::vector<Word> out = words(name);
    for (Word k = 0; k < 32; ++k)
      BOOST_TEST(out[k] == static_cast<Word>(wanted(k % 4, k / 4 % 4, k / 16)),
                 name << " of CTA " << k << " is " << out[k]);
  };
  check("cluster_ctaid.x", [](Word x, Word, Word) { return x % 2; });
  check("cluster_ctaid.y", [](Word, Word y, Word) { return y % 2; });
  check("cluster_ctaid.z", [](Word, Word, Word) { return 0; });
  check("cluster_ctarank", [](Word x, Word y, Word) { return x % 2 + 2 * (y % 2); });
  check("cluster_nctaid.x", [](Word, Word, Word) { return 2; });
  check("cluster_nctaid.z", [](Word, Word, Word) { return 1; });
  check("cluster_nctarank", [](Word, Word, Word) { return 4; });
  check("clusterid.x", [](Word x, Word, Word) { return x / 2; });
  check("clusterid.y", [](Word, Word y, Word) { return y / 2; });
  check("clusterid.z", [](Word, Word, Word z) { return z; });
  check("nclusterid.x", [](Word, Word, Word) { return 2; });
  check("nclusterid.z", [](Word, Word, Word) { return 2; });
}

BOOST_AUTO_TEST_CASE(launches_may_say_their_clusters) {
  const std::string body = "mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 0, %p1;" + kStore;
  RunOptions plain;
  for (const Word is : runBody<Word>(body, 32, plain)) BOOST_TEST(is == 0U);
  plain.cluster = Dim3{};
  for (const Word is : runBody<Word>(body, 32, plain)) BOOST_TEST(is == 1U);
}

BOOST_AUTO_TEST_CASE(loads_stores_and_atomics_reach_other_ctas) {
  const auto check = [](const std::string& body, auto wanted) {
    const auto out = results(kFill + kOther + body + kSync, 4, 2);
    for (Word k = 0; k < out.size(); ++k) {
      const Word rank = k / 32 % 2, lane = k % 32;
      BOOST_TEST(out[k] == static_cast<Word>(wanted(rank, lane)),
                 body << ": thread " << k << " has " << out[k]);
    }
  };
  const auto other = [](Word rank, Word lane) { return 100 * (rank ^ 1) + lane; };
  const std::string generic = "cvt.u64.u32 %rd2, %r25; cvta.shared::cluster.u64 %rd2, %rd2;";
  check("ld.shared::cluster.u32 %r1, [%r25];", other);
  check(generic + "ld.u32 %r1, [%rd2];", other);
  check(
      "cvt.u64.u32 %rd2, %r22; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, %r24; "
      "ld.u32 %r1, [%rd3];",
      other);
  // The own CTA by its rank.
  check("mapa.shared::cluster.u32 %r26, %r22, %r20; ld.shared::cluster.u32 %r1, [%r26];",
        [](Word rank, Word lane) { return 100 * rank + lane; });
  const std::string look = kSync + "ld.shared.u32 %r1, [%r22];";
  check("add.u32 %r26, %r23, 7; st.shared::cluster.u32 [%r25], %r26;" + look,
        [&](Word rank, Word lane) { return other(rank, lane) + 7; });
  check(generic + "add.u32 %r26, %r23, 7; st.u32 [%rd2], %r26;" + look,
        [&](Word rank, Word lane) { return other(rank, lane) + 7; });
  check("atom.shared::cluster.add.u32 %r1, [%r25], 5;", other);
  check("red.shared::cluster.add.u32 [%r25], 5;" + look,
        [](Word rank, Word lane) { return 100 * rank + lane + 5; });
  check(generic + "atom.add.u32 %r1, [%rd2], 5;" + look,
        [](Word rank, Word lane) { return 100 * rank + lane + 5; });
  check("getctarank.shared::cluster.u32 %r1, %r25;", [](Word rank, Word) { return rank ^ 1; });
  check("getctarank.shared::cluster.u32 %r1, %r22;", [](Word rank, Word) { return rank; });
  check(generic + "getctarank.u64 %r1, %rd2;", [](Word rank, Word) { return rank ^ 1; });
}

// Lanes of one load go to four CTAs.
BOOST_AUTO_TEST_CASE(lanes_may_go_to_several_ctas) {
  const auto out = results(kFill +
                               "and.b32 %r24, %r90, 3; mapa.shared::cluster.u32 %r25, %r22, %r24; "
                               "ld.shared::cluster.u32 %r1, [%r25];" +
                               kSync,
                           4, 4);
  for (Word k = 0; k < out.size(); ++k) BOOST_TEST(out[k] == 100 * (k % 4) + k % 32);
}

BOOST_AUTO_TEST_CASE(spaces_of_addresses) {
  const auto bits = [](const std::string& address) {
    return results(
        kFill + kOther + "cvt.u64.u32 %rd2, " + address +
            "; cvta.shared::cluster.u64 %rd2, %rd2; isspacep.shared::cta %p1, %rd2; "
            "isspacep.shared::cluster %p2, %rd2; isspacep.global %p3, %rd2; "
            "selp.u32 %r1, 1, 0, %p1; @%p2 add.u32 %r1, %r1, 2; @%p3 add.u32 %r1, %r1, 4;",
        2, 2);
  };
  for (const Word found : bits("%r22")) BOOST_TEST(found == 3U);
  for (const Word found : bits("%r25")) BOOST_TEST(found == 2U);
}

// Warp 0 of CTA 0 stores before it arrives, the last warp of CTA 3 loads behind its wait; rounds
// follow one another without a barrier between.
BOOST_AUTO_TEST_CASE(the_barrier_orders_warps_of_all_ctas) {
  const auto out = results(R"(
mov.u32 %r20, %cluster_ctarank; mov.u32 %r21, tile; mov.u32 %r22, 0; mapa.shared::cluster.u32 %r22, %r21, 0;
mov.u32 %r2, 0; mov.u32 %r1, 0; setp.eq.u32 %p1, %r92, 0;
L: @%p1 st.shared.u32 [tile], %r2; barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
ld.shared::cluster.u32 %r3, [%r22]; setp.eq.u32 %p2, %r3, %r2; @%p2 add.u32 %r1, %r1, 1;
barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;
add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 5; @%p3 bra L;)",
                           4, 4, 96);
  for (const Word rounds : out) BOOST_TEST(rounds == 5U);
}

// Warps that have exited are not waited for.
BOOST_AUTO_TEST_CASE(the_barrier_forgets_warps_that_exit) {
  const auto out = results(
      "mov.u32 %r1, 7; mov.u32 %r20, %cluster_ctarank; shr.u32 %r2, %r90, 5; add.u32 %r2, %r2, "
      "%r20; "
      "setp.eq.u32 %p1, %r2, 0; @%p1 bra E;" +
          kSync + "E:",
      2, 2, 64);
  for (const Word value : out) BOOST_TEST(value == 7U);
}

BOOST_AUTO_TEST_CASE(faults_of_clusters) {
  fails(kFill + "mapa.shared::cluster.u32 %r25, %r22, 2;",
        "CTA 2 of a cluster of 2; expected a rank below 2");
  fails(kFill + "mapa.u64 %rd3, %rd91, 1;", "is not in shared memory; expected one of the cluster");
  fails(kFill + kOther + "ld.shared::cluster.u32 %r1, [%r25+4096];",
        "is out of bounds; the CTA has 256 bytes of shared memory");
  fails(kFill + kOther + "ld.shared::cluster.u32 %r1, [%r25+2];", "is misaligned");
  fails("ld.shared::cluster.u32 %r1, [0x4000000];", "names CTA 2 of a cluster of 2");
  fails("barrier.cluster.wait;", "a wait at the cluster's barrier without an arrival before it");
  fails("barrier.cluster.arrive; barrier.cluster.arrive;",
        "a second arrival at the cluster's barrier; expected a wait before");
  fails("setp.lt.u32 %p1, %r90, 5; @%p1 barrier.cluster.arrive;", "barrier divergence");
  fails(
      "mov.u32 %r20, %cluster_ctarank; setp.eq.u32 %p1, %r20, 0; barrier.cluster.arrive; "
      "@%p1 barrier.cluster.wait; @!%p1 bar.sync 1, 64;",
      "waits at barrier 1");
}

// CTA 1 says so in global memory and exits.
BOOST_AUTO_TEST_CASE(a_cta_that_has_exited_has_no_memory) {
  fails(kFill + kOther +
            "setp.eq.u32 %p1, %r20, 1; @%p1 st.volatile.global.u32 [%rd91], 1; @%p1 exit;"
            "W: ld.volatile.global.u32 %r2, [%rd91]; setp.eq.u32 %p2, %r2, 0; @%p2 bra W;"
            "bar.sync 0; ld.shared::cluster.u32 %r1, [%r25];",
        "names CTA 1 of the cluster, which has exited");
}

BOOST_AUTO_TEST_CASE(memory_of_another_cta_that_was_never_written) {
  RunOptions options = clusters({2, 1, 1}, {2, 1, 1});
  options.executor.checkUninitialised = true;
  expectError(
      [&] {
        runBody<Word>("mov.u32 %r22, tile;" + std::string("mov.u32 %r20, %cluster_ctarank;") +
                          kOther + "ld.shared::cluster.u32 %r1, [%r25];",
                      32, options, kShared);
      },
      {"reads memory that was never written"});
}

BOOST_AUTO_TEST_CASE(launches_that_have_no_clusters_so) {
  const auto refused = [](Dim3 grid, Dim3 cluster, const std::string& part) {
    expectError([&] { runBody<Word>("", 32, clusters(grid, cluster)); }, {part});
  };
  refused({3, 1, 1}, {2, 1, 1}, "a grid of 3x1x1 CTAs in clusters of 2x1x1; expected a multiple");
  refused({4, 3, 1}, {2, 2, 1}, "in clusters of 2x2x1");
  refused({32, 1, 1}, {17, 1, 1}, "clusters of 17x1x1 CTAs; expected 1 to 16 in all");
  refused({8, 8, 1}, {8, 4, 1}, "clusters of 8x4x1 CTAs; expected 1 to 16 in all");
  refused({8, 8, 1}, {0, 4, 1}, "clusters of 0x4x1 CTAs");
}

BOOST_AUTO_TEST_CASE(kernels_may_say_their_clusters) {
  const auto run = [](const std::string& directives, std::optional<Dim3> cluster) {
    Bench bench(moduleText(".visible .entry k(.param .u64 in, .param .u64 out) " + directives +
                           " { .reg .b32 %r<4>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [out]; "
                           "mov.u32 %r1, %cluster_nctarank; st.global.u32 [%rd1], %r1; ret; }"));
    const std::uint64_t out = bench.buffer(std::vector<Word>(1));
    bench.parameter(out).parameter(out);
    bench.launch.grid = {4, 4, 1};
    bench.launch.cluster = cluster;
    bench.run();
    return bench.values<Word>(out, 1)[0];
  };
  BOOST_TEST(run(".explicitcluster .reqnctapercluster 2, 2, 1", std::nullopt) == 4U);
  BOOST_TEST(run(".reqnctapercluster 2", Dim3{2, 1, 1}) == 2U);
  BOOST_TEST(run(".maxclusterrank 8", Dim3{4, 2, 1}) == 8U);
  BOOST_TEST(run(".explicitcluster", Dim3{}) == 1U);
  const auto refused = [&](const std::string& directives, std::optional<Dim3> cluster,
                           const std::string& part) {
    expectError([&] { run(directives, cluster); }, {part});
  };
  refused(".explicitcluster", std::nullopt, "a launch without clusters; .explicitcluster expects");
  refused(".reqnctapercluster 2", Dim3{4, 1, 1},
          "clusters of 4x1x1 CTAs; .reqnctapercluster expects 2x1x1");
  refused(".maxclusterrank 2", Dim3{4, 1, 1}, "clusters of 4 CTAs; .maxclusterrank allows 2");
  refused(".reqnctapercluster 4, 8", std::nullopt, "a cluster of 32 CTAs; expected 1 to 16");
}

// Threads share the clusters of a long grid; each stays on one thread.
BOOST_AUTO_TEST_CASE(threads_share_clusters) {
  RunOptions options = clusters({512, 1, 1}, {4, 1, 1}, 64);
  options.executor.jobs = 4;
  const auto out = runBody<Word>(
      kFill +
          "add.u32 %r24, %r20, 1; and.b32 %r24, %r24, 3; mapa.shared::cluster.u32 %r25, %r22, %r24;"
          "mov.u32 %r4, 0; mov.u32 %r1, 0; L: ld.shared::cluster.u32 %r5, [%r25]; add.u32 %r1, "
          "%r1, %r5;"
          "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 20; @%p1 bra L;" +
          kSync + kStore,
      512 * 64, options, ".shared .align 16 .b32 tile[64];");
  for (Word k = 0; k < out.size(); ++k) {
    const Word next = (k / 64 + 1) % 4;
    BOOST_TEST_REQUIRE(out[k] == 20 * (100 * next + k % 64));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
