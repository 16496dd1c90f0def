// malloc and free in kernels.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Address = std::uint64_t;

const std::string kItems = R"(
.extern .func (.param .b64 func_retval0) malloc(.param .b64 malloc_param_0);
.extern .func free(.param .b64 free_param_0);
)";
/// Allocates %rd5 bytes, address in %rd6; kFree frees %rd6.
const std::string kMalloc =
    "{ .param .b64 p; .param .b64 r; st.param.b64 [p+0], %rd5; call.uni (r), malloc, (p); "
    "ld.param.b64 "
    "%rd6, [r+0]; }";
const std::string kFree = "{ .param .b64 p; st.param.b64 [p+0], %rd6; call.uni free, (p); }";
const std::string kTo = "mad.wide.u32 %rd1, %r92, 8, %rd91;";

std::vector<Address> launched(Bench& bench, const std::vector<Address>& out) {
  const Address at = bench.buffer(out, "out");
  bench.launch.parameters.clear();
  bench.parameter(at).parameter(at).parameter(0U);
  bench.run();
  return bench.values<Address>(at, out.size());
}

std::string failure(const std::string& body) {
  return errorOf([&] { runBody<Address>(kTo + body, std::vector<Address>{}, 32, {}, kItems); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(heap)

// A launch may read and free memory of an earlier launch; every thread has its own bytes.
BOOST_AUTO_TEST_CASE(lasts_from_launch_to_launch) {
  Bench make(kernelText(kTo + "cvt.u64.u32 %rd5, %r90; add.u64 %rd5, %rd5, 4;" + kMalloc +
                            "st.u32 [%rd6], %r90; st.global.u64 [%rd1], %rd6;",
                        kItems),
             "k");
  const std::vector<Address> made = launched(make, std::vector<Address>(32));
  for (std::uint32_t k = 0; k < 32; ++k) {
    BOOST_TEST(made[k] % 16 == 0U);
    std::uint32_t value = 99;
    make.memory.read(made[k], &value, 4);
    BOOST_TEST(value == k);
    BOOST_TEST(make.memory.find(made[k], k + 4) != nullptr);
    BOOST_TEST(make.memory.find(made[k], k + 5) == nullptr);
  }
  const auto second =
      parse(kernelText(kTo + "ld.global.u64 %rd6, [%rd1]; ld.u32 %r1, [%rd6];" + kFree +
                           "cvt.u64.u32 %rd7, %r1; st.global.u64 [%rd1], %rd7;",
                       kItems),
            "free.ptx");
  make.launch.kernel = &second->kernel("k");
  const std::vector<Address> values = launched(make, made);
  for (std::uint32_t k = 0; k < 32; ++k) {
    BOOST_TEST(values[k] == k);
    BOOST_TEST(make.memory.find(made[k]) == nullptr);
  }
}

// A heap of 8 MiB in pieces of 1 MiB: eight threads get one, whatever was freed before.
BOOST_AUTO_TEST_CASE(has_a_limit) {
  const std::string megabyte = "mov.u64 %rd5, 1048576;" + kMalloc;
  const auto got =
      runBody<Address>(kTo + megabyte + kFree + megabyte + "st.global.u64 [%rd1], %rd6;",
                       std::vector<Address>{}, 32, {}, kItems);
  BOOST_TEST(std::count(got.begin(), got.end(), Address{0}) == 24);
  RunOptions small;
  small.executor.heapBytes = 100;
  const auto none = runBody<Address>(kTo + "cvt.u64.u32 %rd5, %r90; mul.lo.u64 %rd5, %rd5, %rd5;" +
                                         kMalloc + kFree + "st.global.u64 [%rd1], %rd6;",
                                     std::vector<Address>{}, 32, small, kItems);
  // Blocks of 1, 4, 9, 16 and 25 bytes take 96 of the 100 bytes.
  for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST((none[k] != 0) == (k >= 1 && k <= 5), k);
  const auto huge =
      runBody<Address>(kTo + "mov.u64 %rd5, -1;" + kMalloc + kFree + "st.global.u64 [%rd1], %rd6;",
                       std::vector<Address>(), 32, {}, kItems);
  BOOST_TEST(std::count(huge.begin(), huge.end(), Address{0}) == 32);
}

BOOST_AUTO_TEST_CASE(mistakes_name_the_lane) {
  const std::string one = "mov.u64 %rd5, 8;" + kMalloc;
  expect(failure(one + "setp.ne.u32 %p1, %r90, 5; @%p1 exit;" + kFree + kFree),
         {"which malloc has not given or which was freed before", "0 bytes into 'malloc' (8 bytes",
          "which was freed", "lane 5"});
  expect(failure("mov.u64 %rd6, %rd91;" + kFree), {"0 bytes into 'out'"});
  expect(failure(one + "add.u64 %rd6, %rd6, 4;" + kFree), {"4 bytes into 'malloc'"});
  expect(failure(one + kFree + "ld.u32 %r1, [%rd6+4];"),
         {"4 bytes into 'malloc' (8 bytes", "which was freed"});
  expect(failure(one + "st.u32 [%rd6+8], 1;"), {"0 bytes past the end of 'malloc'"});
  expect(failure("mov.u64 %rd5, 0;" + kMalloc + kFree + "st.u32 [%rd6], 1;"),
         {"address 0x0 is out of bounds"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
