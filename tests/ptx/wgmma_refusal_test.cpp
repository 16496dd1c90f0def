// Uses of wgmma that are refused, when the kernel is read or when it executes one.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

std::string errorIn(const std::string& body) {
  RunOptions options;
  options.block = {128, 1, 1};
  return errorOf([&] {
    runBody<std::uint32_t>(body, std::vector<std::uint32_t>(1), 1, options,
                           ".shared .align 1024 .b8 tile[4096];");
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(products_of_warp_groups)

BOOST_AUTO_TEST_CASE(bad_uses_of_warp_groups_are_refused) {
  const std::string four = "{%f1, %f2, %f3, %f4}", wgmma = "wgmma.mma_async.sync.aligned.";
  const std::string rest = ", %rd1, %rd2, %p1, 1, 1, 0, 0;";
  BOOST_TEST(parseError(kernelText(wgmma + "m64n8k16.f32.f16.f16 " + four + rest)) == "");
  refuses(wgmma + "m64n8k8.f32.f16.f16 " + four + rest, "unsupported form");
  refuses(wgmma + "m64n264k16.f32.f16.f16 " + four + rest, "unsupported form");
  refuses(wgmma + "m64n40k32.s32.s8.s8 " + four + ", %rd1, %rd2, %p1;", "unsupported form");
  refuses(wgmma + "m64n8k16.f16.bf16.bf16 {%r1, %r2}" + rest, "unsupported form");
  refuses(wgmma + "m64n16k16.f32.f16.f16 " + four + rest, "expected 8 registers");
  refuses(wgmma + "m64n8k16.f32.f16.f16 " + four + ", %rd1, %rd2, %p1, 2, 1, 0, 0;",
          "scale of 1 or -1");
  refuses(wgmma + "m64n8k16.f32.f16.f16 " + four + ", %rd1, %rd2, %p1, 1, 1, 0;", "operands");
  refuses(wgmma + "m64n8k8.f32.tf32.tf32 " + four + rest, "operands");
  refuses(wgmma + "m64n8k256.s32.b1.b1.xor.popc {%r1, %r2, %r3, %r4}, %rd1, %rd2, %p1;",
          "expected .and.popc");

  const std::string sparse = "wgmma.mma_async.sp.sync.aligned.";
  const std::string half = sparse + "m64n8k32.f32.f16.f16 " + four + ", %rd1, %rd2, %r1, ";
  BOOST_TEST(parseError(kernelText(half + "1, %p1, 1, 1, 0, 0;")) == "");
  refuses(half + "2, %p1, 1, 1, 0, 0;", "the sparsity selector is 2");
  refuses(half + "%r1, %p1, 1, 1, 0, 0;", "the sparsity selector");
  refuses(half + "0, %p1, 1, 1, 0;", "operands");
  refuses(sparse + "m64n8k16.f32.f16.f16 " + four + ", %rd1, %rd2, %r1, 0, %p1, 1, 1, 0, 0;",
          "unsupported form");
  refuses(sparse + "m64n8k64.s32.s8.s8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, %r1, 1, %p1;",
          "the sparsity selector is 1");

  const std::string product =
      wgmma + "m64n8k16.f32.f16.f16 " + four + ", %rd1, %rd1, %p1, 1, 1, 0, 0;";
  const std::string tile = "mov.u32 %r1, tile; setp.eq.u32 %p1, %r90, 999; mov.b64 %rd1, ";
  BOOST_TEST(errorIn(tile + "0;" + product) == "");
  expect(errorIn(tile + "562949953421312;" + product),  // bit 49
         {"with a base offset; expected 0 in its bits 49 to 51"});
  expect(
      errorIn("mov.u32 %r1, tile; setp.eq.u32 %p1, %r90, 999; mov.b64 %rd2, 13835058055282163712;"
              "mov.b64 %rd1, 0;" +
              half + "0, %p1, 1, 1, 0, 0;"),  // mode 3
      {"expected rows of 64 bytes or more"});
  expect(errorIn(tile + "256;" + product),  // byte 4096
         {"a row of a factor is at 0x1000 of shared memory"});
  expect(errorIn(tile + "0; cvt.u64.u32 %rd1, %r90;" + product),
         {"another matrix descriptor than lane 0 has"});
  expect(errorIn(tile + "0; setp.lt.u32 %p2, %r90, 9; @%p2 " + product), {"expected all 32 lanes"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
