// cp.async: the copied bytes, the time at which a program may see them, and refusals.
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

/// Runs `copy` in each lane and returns the four words that the lane then finds in its 16 bytes of
/// the tile. %r3 is the address of those bytes, %rd3 that of the source, in[4 * lane ..].
std::vector<Word> found(const std::string& copy, const RunOptions& options = {},
                        std::size_t sourceWords = 128) {
  std::vector<Word> in(sourceWords);
  std::iota(in.begin(), in.end(), 1U);
  return runBody<Word>(
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r90, 16, %r2; mad.wide.u32 %rd3, %r90, 16, %rd90;"
      "mov.u32 %r9, 77; st.shared.v4.u32 [%r3], {%r9, %r9, %r9, %r9};" +
          copy +
          "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3]; mad.wide.u32 %rd4, %r90, 16, %rd91;"
          "st.global.v4.u32 [%rd4], {%r4, %r5, %r6, %r7};",
      in, 128, options, ".shared .align 16 .b8 tile[512];");
}

/// Checks that of each lane's four words the first `words` are copied, the next `zeros` are 0 and
/// the rest are unchanged.
void check(const std::vector<Word>& out, unsigned words, unsigned zeros) {
  for (Word k = 0; k < out.size(); ++k) {
    const Word wanted = k % 4 < words ? k + 1 : k % 4 < words + zeros ? 0 : 77;
    BOOST_TEST_REQUIRE(out[k] == wanted, "word " << k << " is " << out[k]);
  }
}

const std::string kWait = "cp.async.wait_all;";

}  // namespace

BOOST_AUTO_TEST_SUITE(copies)

BOOST_AUTO_TEST_CASE(sizes_and_zero_fill) {
  check(found("cp.async.ca.shared.global [%r3], [%rd3], 4;" + kWait), 1, 0);
  check(found("cp.async.ca.shared::cta.global.L2::64B [%r3], [%rd3], 8;" + kWait), 2, 0);
  check(found("cp.async.cg.shared.global.L2::128B [%r3], [%rd3], 16;" + kWait), 4, 0);
  check(found("cp.async.cg.shared.global [%r3], [%rd3], 16, 16;" + kWait), 4, 0);
  check(found("mov.u32 %r8, 4; cp.async.ca.shared.global [%r3], [%rd3], 8, %r8;" + kWait), 1, 1);
  check(found("cp.async.cg.shared.global [%r3], [%rd3], 16, 0;" + kWait), 0, 4);
  check(found("createpolicy.fractional.L2::evict_first.b64 %rd5;"
              "cp.async.cg.shared.global.L2::cache_hint [%r3], [%rd3], 16, 8, %rd5;" +
              kWait),
        2, 2);
  check(
      found("setp.ne.u32 %p1, %r90, 99; cp.async.ca.shared.global [%r3], [%rd3], 4, %p1;" + kWait),
      0, 1);
}

// A source may end within a copy, if the bytes that are read exist.
BOOST_AUTO_TEST_CASE(reads_no_more_than_it_says) {
  const std::string bytes = "setp.eq.u32 %p1, %r90, 31; selp.u32 %r8, 4, 16, %p1;";
  const auto out =
      found(bytes + "cp.async.cg.shared.global [%r3], [%rd3], 16, %r8;" + kWait, {}, 125);
  BOOST_TEST(out[123] == 124U);
  BOOST_TEST(out[124] == 125U);
  BOOST_TEST(out[125] == 0U);
  expectError([] { found("cp.async.cg.shared.global [%r3], [%rd3], 16;" + kWait, {}, 125); },
              {"lane 31"});
  expectError([] { found("mov.u32 %r8, 9; cp.async.ca.shared.global [%r3], [%rd3], 8, %r8;"); },
              {"a copy that reads 9 bytes; expected at most its size, 8"});
  expectError([] { found("add.u32 %r8, %r3, 4; cp.async.ca.shared.global [%r8], [%rd3], 8;"); },
              {"misaligned"});
  expectError([] { found("cp.async.ca.shared.global [%r3+512], [%rd3], 4;"); }, {"out of bounds"});
}

// Before the wait for its group a read finds the earlier contents. The source is read when the copy
// executes.
BOOST_AUTO_TEST_CASE(nothing_is_seen_before_its_wait) {
  const std::string first = "cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.commit_group;";
  const std::string second =
      "cp.async.ca.shared.global [%r3+4], [%rd3+4], 4; cp.async.commit_group;";
  check(found(first + second), 0, 0);
  check(found(first + second + "cp.async.wait_group 2;"), 0, 0);
  check(found(first + second + "cp.async.wait_group 1;"), 1, 0);
  check(found(first + second + "cp.async.wait_group 0;"), 2, 0);
  check(found(first + "cp.async.commit_group; cp.async.wait_group 1;" + second), 1, 0);
  check(found("cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.wait_group 0;"), 0, 0);
  check(found(first + "mov.u32 %r8, 5; st.global.u32 [%rd3], %r8;" + kWait), 1, 0);
  check(found("setp.lt.u32 %p1, %r90, 16; @%p1 " + first + "@!%p1 " + first +
              "cp.async.wait_group 0;"),
        1, 0);
}

BOOST_AUTO_TEST_CASE(early_reads_are_found) {
  RunOptions options;
  options.executor.checkUninitialised = true;
  const std::string body =
      "mov.u32 %r2, tile; cp.async.ca.shared.global [%r2], [%rd90], 4; ld.shared.u32 %r3, [%r2];";
  expectError(
      [&] {
        runBody<Word>(body, std::vector<Word>(4), 1, options, ".shared .align 16 .b8 tile[512];");
      },
      {"never written"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
