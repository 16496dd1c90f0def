// Instructions that some GPUs lack: the table of capabilities, and kernels that are refused where
// they come to one.
#include <fermata/stimuli/ptx/needed_capability.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

unsigned least(const std::string& opcode) {
  const CapabilityNeed* const need = capabilityNeed(opcode);
  return need == nullptr ? 0 : need->least;
}

std::string errorOn(unsigned capability, const std::string& body) {
  RunOptions options;
  options.executor.capability = capability;
  return errorOf(
      [&] { runBody<std::uint32_t>(body, 1, options, ".shared .align 16 .b8 tile[64];"); });
}

const std::string kFloat8 =
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, "
    "%r4}, {%r5, %r6}, {%f5, %f6, %f7, %f8}; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(capabilities)

BOOST_AUTO_TEST_CASE(the_table_knows_kinds_of_products) {
  BOOST_TEST(least("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32") == 70U);
  BOOST_TEST(least("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32") == 75U);
  BOOST_TEST(least("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32") == 80U);
  BOOST_TEST(least("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") == 80U);
  BOOST_TEST(least("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64") == 80U);
  BOOST_TEST(least("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64") == 90U);
  BOOST_TEST(least("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32") == 89U);
  BOOST_TEST(least("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2.e2m1.f32") == 120U);
  BOOST_TEST(least("cp.async.ca.shared.global") == 0U);
  BOOST_TEST(least("cp.async.bulk.commit_group") == 90U);
  BOOST_TEST(least("tcgen05.alloc.cta_group::1.sync.aligned.b32") == 100U);
  BOOST_TEST(capabilityNeed("wgmma.fence.sync.aligned")->most == 90U);
  BOOST_TEST(capabilityNeed("tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32")->least == 103U);
  BOOST_TEST(capabilityNeed("tcgen05.ld.sync.aligned.32x32b.x2.b32")->least == 100U);
  BOOST_TEST(capabilityNeed("mad.lo.u32") == nullptr);
  BOOST_TEST(capabilityNeed("mapadd") == nullptr);
}

// The kernel runs up to the instruction, which names what it needs and who has it.
BOOST_AUTO_TEST_CASE(a_kernel_is_refused_where_it_comes_to_it) {
  for (const unsigned capability : {0U, 20U, 89U, 90U, 120U})
    BOOST_TEST(errorOn(capability, kFloat8) == "");
  expect(errorOn(80, kFloat8), {"mma.sync.aligned.m16n8k32",
                                "needs compute capability 8.9; the "
                                "platform has 8.0; expected one that has it, such as sm_89"});
  BOOST_TEST(
      errorOn(80, "mov.u32 %r1, 1; setp.eq.u32 %p1, %r1, 1; @%p1 bra E; " + kFloat8 + "E:") == "");
  expect(errorOn(100, "wgmma.fence.sync.aligned; "),
         {"needs compute capability 9.0 and no later one; the platform has 10.0"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
