// Multiprocessors that execute apart: each sees its own stores at once, and those of others from
// the exchange on.
#include <fermata/stimuli/ptx/store_log.h>
#include "tests/ptx/support.h"
#include "tests/support/test.h"

#include <random>

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

struct Hand : ModelState {
  std::uint64_t cycles() const override { return now; }
  std::uint64_t nanoseconds() const override { return now; }
  std::uint64_t now = 0;
};

/// Two multiprocessors of one warp slot each, and a CTA on each.
struct Pair : Bench {
  explicit Pair(const std::string& body, const ExecutorOptions& options = {})
      : Bench(kernelText(body), "k", options), words(output<Word>(64)) {
    launch.grid = {2, 1, 1};
    executor.setWarpSlots(2);
    executor.begin(launch);
    executor.setModel(&time);
    apart = executor.runApart(2, 1);
    for (const unsigned sm : {0U, 1U}) executor.startCta(sm, sm);
  }
  /// Executes instructions of one multiprocessor up to its end, or a barrier that it passes.
  void run(unsigned sm, Cycle cycle) {
    time.now = cycle;
    WarpInstruction out;
    while (const StaticInstruction* next = executor.peek(sm)) {
      const bool stops = next->instructionClass == InstructionClass::Barrier;
      executor.execute(sm, out);
      if (stops) return;
    }
  }
  Word word(std::size_t k) const { return values<Word>(words, 64)[k]; }

  std::uint64_t words;
  Hand time;
  bool apart = false;
};

/// Lane l of CTA c: stores 100 c + l at word l, waits, and keeps what it then loads there in word
/// 32 + l.
const std::string kStoreLoad = R"(
mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 100, %r90; mul.wide.u32 %rd1, %r90, 4; add.s64 %rd1, %rd91, %rd1;
st.global.u32 [%rd1], %r2; bar.sync 0; ld.global.u32 %r3, [%rd1]; bar.sync 0; st.global.u32 [%rd1+128], %r3;)";

void addWords(std::uint8_t* at, const std::uint8_t* operands) {
  Word a, b;
  std::memcpy(&a, at, sizeof a);
  std::memcpy(&b, operands, sizeof b);
  a += b;
  std::memcpy(at, &a, sizeof a);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(apart)

BOOST_AUTO_TEST_CASE(own_stores_are_seen_at_once_and_others_later) {
  Pair pair(kStoreLoad);
  BOOST_REQUIRE(pair.apart);
  for (const unsigned sm : {0U, 1U}) pair.run(sm, 5);
  BOOST_TEST(pair.word(3) == 0U);
  for (const unsigned sm : {1U, 0U}) pair.run(sm, 6);  // loads
  pair.executor.exchange();
  BOOST_TEST(pair.word(3) == 103U);
  pair.run(0, 50);
  pair.executor.exchange();
  BOOST_TEST(pair.word(32 + 3) == 3U);
  pair.run(1, 60);
  pair.executor.exchange();
  BOOST_TEST(pair.word(32 + 3) == 103U);
}

// The later of two stores to one word stays, whichever multiprocessor the host runs first; in one
// cycle that of the higher multiprocessor.
BOOST_AUTO_TEST_CASE(stores_take_effect_in_the_order_of_cycles) {
  for (const unsigned first : {0U, 1U}) {
    for (const std::uint64_t cycle : {3U, 5U, 7U}) {
      Pair pair(kStoreLoad);
      pair.run(first, first == 0 ? cycle : 5);
      pair.run(1 - first, first == 0 ? 5 : cycle);
      pair.executor.exchange();
      BOOST_TEST(pair.word(9) == (cycle > 5 ? 9U : 109U));
    }
  }
}

// Another width than the store's, another lane, and bytes of memory beside it.
BOOST_AUTO_TEST_CASE(loads_see_parts_of_stores) {
  Pair pair(R"(
mul.wide.u32 %rd1, %r90, 8; add.s64 %rd1, %rd91, %rd1; mov.u32 %r1, 0x1234; st.global.u16 [%rd1+2], %r1;
sub.u32 %r2, 31, %r90; mul.wide.u32 %rd2, %r2, 8; add.s64 %rd2, %rd91, %rd2; ld.global.u64 %rd3, [%rd2];
mov.b64 {%r3, %r4}, %rd3; st.global.v2.u32 [%rd2], {%r4, %r3};)");
  pair.run(0, 1);
  pair.executor.exchange();
  for (std::size_t k = 0; k < 64; ++k) BOOST_TEST(pair.word(k) == (k % 2 == 1 ? 0x12340000U : 0U));
}

BOOST_AUTO_TEST_CASE(copies_read_what_was_stored) {
  Pair pair(R"(
.shared .align 16 .b8 tile[512]; mul.wide.u32 %rd1, %r90, 4; add.s64 %rd1, %rd91, %rd1; st.global.u32 [%rd1], %r90;
shl.b32 %r1, %r90, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; cp.async.ca.shared.global [%r1], [%rd1], 4;
cp.async.wait_all; ld.shared.u32 %r3, [%r1]; st.global.u32 [%rd1+128], %r3;)");
  pair.run(1, 1);
  pair.executor.exchange();
  for (Word k = 0; k < 32; ++k) BOOST_TEST(pair.word(32 + k) == k);
}

// Atomics whose result nobody reads: the own ones are seen at once, all at the exchange, in the
// order of cycles.
BOOST_AUTO_TEST_CASE(atomics_without_a_result_wait_for_the_exchange) {
  const std::string body = R"(
mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 100, 1; red.global.add.u32 [%rd91], %r2;
atom.global.exch.b32 %r3, [%rd91+4], %r2; atom.global.cas.b32 %r4, [%rd91+8], 0, %r2; red.global.add.f32 [%rd91+12], 0f3f800000;
ld.global.u8 %r5, [%rd91+1]; ld.global.u32 %r6, [%rd91]; bar.sync 0;
mul.wide.u32 %rd1, %r1, 8; add.s64 %rd1, %rd91, %rd1; st.global.v2.u32 [%rd1+64], {%r5, %r6};)";
  for (const unsigned first : {0U, 1U}) {
    Pair pair(body);
    BOOST_REQUIRE(pair.apart);
    for (const unsigned sm : {first, 1 - first}) pair.run(sm, sm == 0 ? 7 : 3);
    BOOST_TEST(pair.word(0) == 0U);
    pair.executor.exchange();
    BOOST_TEST(pair.word(0) == 32U * 102);
    BOOST_TEST(pair.word(1) == 1U);
    BOOST_TEST(pair.word(2) == 101U);
    BOOST_TEST(pair.word(3) == 0x42800000U);
    for (const unsigned sm : {0U, 1U}) pair.run(sm, 20);
    pair.executor.exchange();
    BOOST_TEST(pair.word(16) == 0U);
    BOOST_TEST(pair.word(17) == 32U);
    BOOST_TEST(pair.word(18) == (32U * 101) >> 8);
    BOOST_TEST(pair.word(19) == 32U * 101);
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_run_apart) {
  const auto runs = [](const std::string& body, const ExecutorOptions& options = {}) {
    return Pair(body, options).apart;
  };
  BOOST_TEST(runs("st.global.u32 [%rd91], %r90;"));
  BOOST_TEST(runs(".shared .align 4 .b8 s[4]; mov.u32 %r1, s; atom.shared.add.u32 %r2, [%r1], 1;"));
  BOOST_TEST(runs("red.add.u32 [%rd91], 1;"));
  BOOST_TEST(!runs("atom.add.u32 %r1, [%rd91], 1; st.global.u32 [%rd91+4], %r1;"));
  ExecutorOptions data;
  data.carryData = true;
  BOOST_TEST(!runs("red.global.add.u32 [%rd91], 1;", data));
  ExecutorOptions stray;
  stray.allowStrayReads = true;
  BOOST_TEST(!runs("st.global.u32 [%rd91], %r90;", stray));
}

// Each executes less than the budget, both together more.
BOOST_AUTO_TEST_CASE(the_budget_is_that_of_all) {
  const auto both = [](const ExecutorOptions& options) {
    Pair pair(kStoreLoad, options);
    for (const unsigned sm : {0U, 1U}) pair.run(sm, 0);
    pair.executor.exchange();
    const std::uint64_t executed = pair.executor.instructionsExecuted();
    pair.run(0, 9);
    return executed;
  };
  ExecutorOptions options;
  options.instructionBudget = both(options);
  expectError([&] { both(options); }, {"has executed its budget of"});
}

BOOST_AUTO_TEST_CASE(a_log_is_memory_with_its_stores) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr std::size_t kBytes = 512;
  std::vector<std::uint8_t> memory(kBytes), oracle(kBytes);
  const std::uint64_t base = 0x10000000;
  const auto shift = reinterpret_cast<std::uintptr_t>(memory.data()) - base;
  for (unsigned round = 0; round < 200; ++round) {
    std::vector<StoreLog> logs(1);
    for (unsigned n = below(8); n != 0; --n) {
      const unsigned bytes = 1U << below(5);
      const LaneMask lanes = static_cast<LaneMask>(random()) | 1U;
      std::array<std::uint64_t, kWarpLanes> address{};
      for (auto& a : address) a = base + below(kBytes / bytes) * bytes;
      const bool adds = bytes == 4 && below(2) == 0;
      StoreLog::Bytes& data =
          logs[0].add(9 - n, lanes, address, bytes, shift, adds ? &addWords : nullptr);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        std::uint8_t* const at = &oracle[address[lane] - base];
        if (adds) {
          addWords(at, &data[8 * lane]);
        } else {
          std::copy_n(&data[lane * bytes], bytes, at);
        }
      }
    }
    for (unsigned n = 0; n < 20; ++n) {
      const unsigned bytes = 1U << below(5);
      const std::size_t at = below(kBytes / bytes) * bytes;
      std::vector<std::uint8_t> seen(&memory[at], &memory[at] + bytes);
      logs[0].patch(base + at, bytes, seen.data());
      BOOST_REQUIRE(std::equal(seen.begin(), seen.end(), &oracle[at]));
      if (seen != std::vector<std::uint8_t>(&memory[at], &memory[at] + bytes))
        BOOST_REQUIRE(logs[0].mayMeet(base + at, base + at + bytes));
    }
    StoreLog::exchange(logs);
    BOOST_REQUIRE(logs[0].empty());
    BOOST_REQUIRE(memory == oracle);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
