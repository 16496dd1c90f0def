// Asynchronous stores and copies between the CTAs of a cluster, and mbarriers of other CTAs.

#include <numeric>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

const std::string kShared =
    ".shared .align 128 .b8 tile[1024]; .shared .align 128 .b8 own[1024]; .shared .align 8 .b64 "
    "bar;";
const std::string kSync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
/// Each CTA has own[k] = 1000 * rank + k, words, and an mbarrier of one arrival. %r24: the rank of
/// the next CTA; %r26, %r27: its tile and mbarrier; %p9: thread 0.
const std::string kBegin =
    "mov.u32 %r20, %cluster_ctarank; mov.u32 %r21, %cluster_nctarank; add.u32 %r24, %r20, 1;"
    "rem.u32 %r24, %r24, %r21; mov.u32 %r2, tile; mov.u32 %r3, bar; mov.u32 %r4, own;"
    "mad.lo.u32 %r5, %r90, 4, %r4; mad.lo.u32 %r6, %r20, 1000, %r90; st.shared.u32 [%r5], %r6;"
    "st.shared.u32 [%r5+128], %r6; setp.eq.u32 %p9, %r90, 0; @%p9 mbarrier.init.shared.b64 [bar], "
    "1;"
    "fence.mbarrier_init.release.cluster; mapa.shared::cluster.u32 %r26, %r2, %r24;"
    "mapa.shared::cluster.u32 %r27, %r3, %r24;" +
    kSync;
const std::string kAwait =
    "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;";
std::string expecting(const std::string& bytes) {
  return "@%p9 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " + bytes + ";" + kSync;
}
/// Leaves word k of the tile, of thread k, in out.
const std::string kLook =
    "mad.lo.u32 %r7, %r90, 4, %r2; ld.shared.u32 %r1, [%r7]; mad.wide.u32 %rd99, %r92, 4, %rd91; "
    "st.global.u32 [%rd99], %r1;" +
    kSync;

std::vector<Word> tiles(const std::string& body, unsigned ctas, unsigned size) {
  RunOptions options;
  options.grid.x = ctas;
  options.cluster = Dim3{size, 1, 1};
  std::vector<Word> in(256);
  std::iota(in.begin(), in.end(), 5000U);
  return runBody<Word>(kBegin + body + kLook, in, std::size_t{ctas} * 32, options, kShared);
}

void check(const std::string& body, unsigned size, const std::function<Word(Word, Word)>& wanted) {
  const auto out = tiles(body, 2 * size, size);
  for (Word k = 0; k < out.size(); ++k) {
    const Word value = wanted(k / 32 % size, k % 32);
    BOOST_TEST(out[k] == value, body << ": thread " << k << " has " << out[k]);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ptx)

BOOST_AUTO_TEST_CASE(asynchronous_stores_complete_their_bytes) {
  const auto before = [](Word rank, Word lane) { return 1000 * ((rank + 3) % 4) + lane; };
  check(expecting("128") +
            "mad.lo.u32 %r8, %r90, 4, %r26; "
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 "
            "[%r8], %r6, [%r27];" +
            kAwait,
        4, before);
  check(expecting("128") +
            "mad.lo.u32 %r8, %r90, 16, %r26; setp.lt.u32 %p2, %r90, 8; shl.b32 %r10, %r90, 2;"
            "mad.lo.u32 %r10, %r20, 1000, %r10; add.u32 %r11, %r10, 1; add.u32 %r12, %r10, 2; "
            "add.u32 "
            "%r13, %r10, 3; @%p2 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 "
            "[%r8], "
            "{%r10, %r11, %r12, %r13}, [%r27];" +
            kAwait,
        4, before);
  check(expecting("128") +
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
            "[%r26], 2, "
            "[%r27];" +
            kAwait,
        4, [](Word, Word lane) { return lane == 0 ? 64U : 0U; });
}

BOOST_AUTO_TEST_CASE(ctas_arrive_at_mbarriers_of_others) {
  check(
      "add.u32 %r6, %r6, 1; mad.lo.u32 %r8, %r90, 4, %r26; st.shared::cluster.u32 [%r8], %r6; "
      "bar.sync 0;"
      "@%p9 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r27];" +
          kAwait,
      2, [](Word rank, Word lane) { return 1000 * (rank ^ 1) + lane + 1; });
  expectError([] { tiles("mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r27], 0;", 2, 2); },
              {"a wait at an mbarrier of CTA ", " of the cluster; expected one of its own"});
}

BOOST_AUTO_TEST_CASE(blocks_go_to_another_cta) {
  check(expecting("128") +
            "@%p9 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r26], "
            "[%r4], "
            "128, [%r27];" +
            kAwait,
        4, [](Word rank, Word lane) { return 1000 * ((rank + 3) % 4) + lane; });
  check(
      expecting("128") +
          "@%p9 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r26], [%rd90], "
          "128, [%r27];" +
          kAwait,
      2, [](Word, Word lane) { return 5000 + lane; });
  expectError(
      [] {
        tiles(
            "@%p9 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
            "[%r26+2000], "
            "[%r4], 128, [%r27];",
            2, 2);
      },
      {"out of bounds"});
}

/// Combines the words of the CTA before with those that the tile holds, 7 * thread.
void checkReduction(const std::string& form, const std::function<Word(Word, Word)>& combined) {
  check("mul.lo.u32 %r8, %r90, 7; mad.lo.u32 %r9, %r90, 4, %r2; st.shared.u32 [%r9], %r8;" + kSync +
            expecting("128") +
            "@%p9 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." +
            form + " [%r26], [%r4], 128, [%r27];" + kAwait,
        4,
        [&](Word rank, Word lane) { return combined(7 * lane, 1000 * ((rank + 3) % 4) + lane); });
}

BOOST_AUTO_TEST_CASE(blocks_are_combined_in_another_cta) {
  for (const std::string type : {"u32", "s32"}) {
    checkReduction("add." + type, [](Word old, Word word) { return old + word; });
    checkReduction("min." + type, [](Word old, Word word) { return std::min(old, word); });
    checkReduction("max." + type, [](Word old, Word word) { return std::max(old, word); });
  }
  checkReduction("add.u64", [](Word old, Word word) { return old + word; });  // no word carries
  checkReduction("and.b32", [](Word old, Word word) { return old & word; });
  checkReduction("or.b32", [](Word old, Word word) { return old | word; });
  checkReduction("xor.b32", [](Word old, Word word) { return old ^ word; });
  checkReduction("inc.u32", [](Word old, Word word) { return old >= word ? 0 : old + 1; });
  checkReduction("dec.u32",
                 [](Word old, Word word) { return old == 0 || old > word ? word : old - 1; });
}

// Both CTAs of a pair add to the same tile, and its mbarrier counts the bytes of both.
BOOST_AUTO_TEST_CASE(reductions_of_several_ctas_add_up) {
  check(
      "mad.lo.u32 %r9, %r90, 4, %r2; st.shared.u32 [%r9], 5; mov.u32 %r28, 0;"
      "mapa.shared::cluster.u32 %r26, %r2, %r28; mapa.shared::cluster.u32 %r27, %r3, %r28;" +
          kSync +
          "setp.eq.u32 %p8, %r20, 0; and.pred %p7, %p8, %p9;"
          "@%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;" +
          kSync +
          "@%p9 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add"
          ".u32 [%r26], [%r4], 128, [%r27]; @!%p8 bra S;" +
          kAwait + "S: " + kSync,
      2, [](Word rank, Word lane) { return rank == 0 ? 1005 + 2 * lane : 5; });
}

BOOST_AUTO_TEST_CASE(other_reductions_across_are_refused) {
  const auto refused = [](const std::string& form, const std::string& operands,
                          const std::string& part) {
    expectError(
        [&] {
          tiles("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" +
                    form + " " + operands + ";",
                2, 2);
        },
        {part});
  };
  const std::string block = "[%r26], [%r4], 128, [%r27]";
  for (const std::string form : {".add.s64", ".min.u64", ".add.f32", ".xor.b64", ".inc.s32"})
    refused(form, block, "unsupported form");
  refused(".add.u32", "[%r26], [%r4], 128", "has 3 operands; expected 4");
  refused(".add.u32", "[%r26+2000], [%r4], 128, [%r27]", "out of bounds");
  refused(".add.u32", "[%r26], [%r4], 100, [%r27]", "a block of 100 bytes; expected a multiple");
  refused(".add.u32.multicast::cluster", block, "multicast::cluster");
  expectError(
      [] {
        tiles("cp.reduce.async.bulk.shared::cluster.shared::cta.add.u32 [%r26], [%r4], 8;", 2, 2);
      },
      {"expected .global.shared::cta.bulk_group or .shared::cluster"});
}

// CTA 0 copies for CTAs 0, 1 and 3; each waits for its own bytes.
BOOST_AUTO_TEST_CASE(a_multicast_goes_to_the_ctas_of_its_mask) {
  const std::string copy =
      "setp.eq.u32 %p3, %r20, 0; and.pred %p4, %p3, %p9; mov.u16 %rs1, MASK;"
      "@%p4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r2], "
      "[%rd90], 128, [bar], %rs1; setp.eq.u32 %p5, %r20, 2; @%p5 bra S;" +
      kAwait + "S: bar.sync 0;";
  const auto with = [&](const std::string& mask) {
    std::string body = copy;
    return expecting("128") + body.replace(body.find("MASK"), 4, mask);
  };
  check(with("11"), 4, [](Word rank, Word lane) { return rank == 2 ? 0 : 5000 + lane; });
  const auto refused = [&](const std::string& mask) {
    expectError([&] { tiles(with(mask), 4, 4); }, {"a multicast to the CTAs of mask"});
  };
  refused("0");
  refused("19");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
