// Launches that kernels make, in the form of nvcc's PTX.
#include <fermata/stimuli/ptx/device_launches.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

const std::string kItems = R"(
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
  (.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);
.extern .func (.param .b32 r) cudaPeekAtLastError();
.visible .entry child(.param .u32 first, .param .u64 second) { ret; }
.visible .global .align 8 .u64 table[1] = { child };
)";
/// Lane 3 asks for a grid of 5 x 6 CTAs of %r1 threads, of the kernel at %rd3; then for the errors.
const std::string kBody = R"(
setp.ne.u32 %p1, %r90, 3; @%p1 bra DONE;
{ .param .b64 p; .param .align 4 .b8 q[12]; .param .align 4 .b8 s[12]; .param .b32 t; .param .b64 r;
  st.param.b64 [p+0], %rd3; st.param.b32 [q+0], 5; st.param.b32 [q+4], 6; st.param.b32 [q+8], 1;
  st.param.b32 [s+0], %r1; st.param.b32 [s+4], 1; st.param.b32 [s+8], 1; st.param.b32 [t+0], 16;
  call.uni (r), __cudaCDP2GetParameterBufferV2, (p, q, s, t); ld.param.b64 %rd4, [r+0]; }
setp.eq.u64 %p1, %rd4, 0; @%p1 bra SAY;
st.u32 [%rd4], 77; st.u64 [%rd4+8], %rd3;
SAY: { .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p+0], %rd4;
  st.param.b64 [q+0], %rd5; call.uni (r), __cudaCDP2LaunchDeviceV2, (p, q);
  ld.param.b32 %r2, [r+0]; }
{ .param .b32 r; call.uni (r), cudaPeekAtLastError, (); ld.param.b32 %r3, [r+0]; }
mad.lo.u32 %r2, %r3, 1000, %r2; st.u32 [%rd91], %r2;
DONE:)";

struct Launches {
  std::shared_ptr<DeviceLaunches> made = std::make_shared<DeviceLaunches>(
      [](Launch& launch) { return launch.block.x > 1024 ? 9 : 0; });
  ExecutorOptions options() const {
    ExecutorOptions all;
    all.launches = made;
    return all;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(device_launch)

BOOST_AUTO_TEST_CASE(a_child_waits_with_its_parameters) {
  for (const std::string kernel : {"mov.u64 %rd3, child;", "ld.global.u64 %rd3, [table];"}) {
    for (const std::string stream : {"0", "3"}) {
      const Launches launches;
      Bench bench(
          kernelText(kernel + "mov.u32 %r1, 96; mov.u64 %rd5, " + stream + ";" + kBody, kItems),
          "k", launches.options());
      const std::uint64_t at = bench.output<std::uint32_t>(1);
      bench.run();
      BOOST_TEST(bench.values<std::uint32_t>(at, 1)[0] == 0U);
      const DeviceLaunches::Queue queue = launches.made->take(bench.memory);
      BOOST_TEST_REQUIRE(queue.children.size() + queue.tails.size() == 1U);
      BOOST_TEST(queue.tails.size() == (stream == "3" ? 1U : 0U));
      const Launch& child = stream == "3" ? queue.tails[0] : queue.children[0];
      BOOST_TEST(child.kernel->name() == "child");
      BOOST_TEST(child.grid.count() == 30U);
      BOOST_TEST(child.grid.y == 6U);
      BOOST_TEST(child.block.count() == 96U);
      BOOST_TEST(child.dynamicSharedBytes == 16U);
      BOOST_TEST_REQUIRE(child.parameters.size() == 16U);
      BOOST_TEST(child.parameters[0] == 77U);
      BOOST_TEST(launches.made->take(bench.memory).children.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(errors_are_the_threads) {
  const Launches launches;
  Bench bench(
      kernelText("mov.u64 %rd3, child; mov.u32 %r1, 2048; mov.u64 %rd5, 0;" + kBody, kItems), "k",
      launches.options());
  const std::uint64_t at = bench.output<std::uint32_t>(1);
  bench.run();
  BOOST_TEST(bench.values<std::uint32_t>(at, 1)[0] == 9009U);
  const auto failure = [&](const std::string& kernel, const ExecutorOptions& options) {
    Bench other(kernelText(kernel + "mov.u32 %r1, 32; mov.u64 %rd5, 0;" + kBody, kItems), "k",
                options);
    other.output<std::uint32_t>(1);
    return errorOf([&] { other.run(); });
  };
  expect(failure("mov.u64 %rd3, 64;", launches.options()),
         {"a launch of 0x40, where this module has no kernel", "lane 3"});
  expect(failure("mov.u64 %rd3, child;", {}),
         {"a kernel launches kernels, which only programs of 'fermata cc' may do"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
