// Speed of launches without time: warp instructions per second (items), by the executor and as code
// of the host, on one thread.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include <fermata/stimuli/native/kernel_compiler.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/module.h>

namespace {

using namespace fermata;
using namespace fermata::ptx;

/// Returns a kernel that repeats `body` 1000 times; %r1 is the thread, %r2 the counter, %r4 the
/// thread's place in shared memory.
std::string loopKernel(const std::string& body) {
  return R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry loop(.param .u64 out) {
.reg .b32 %r<20>; .reg .b64 %w<4>; .reg .f32 %f<9>; .reg .pred %p<3>;
.shared .align 4 .b8 tile[4096];
mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, tile; shl.b32 %r4, %r1, 2; add.u32 %r4, %r4, %r3;
and.b32 %r5, %r1, 31; mul.lo.u32 %r5, %r5, 132; and.b32 %r5, %r5, 4092; add.u32 %r5, %r5, %r3;
ld.param.u64 %w1, [out]; mul.wide.u32 %w2, %r1, 4; add.u64 %w1, %w1, %w2;
LOOP:
)" + body +
         R"(
add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 1000;
@%p1 bra LOOP;
ret;
})";
}

void launches(benchmark::State& state, native::When when, const std::string& body) {
  const auto module = parse(loopKernel(body), "bench.ptx");
  const auto compiler = native::makeKernelCompiler(when);
  DeviceMemory memory;
  ExecutorOptions options;
  options.compiler = compiler.get();
  Executor executor(48, memory, options);
  const std::uint64_t out = memory.allocate(4096, "out");
  Launch launch;
  launch.kernel = &module->kernel("loop");
  launch.grid.x = 32;
  launch.block.x = 256;
  launch.parameters.resize(sizeof out);
  std::memcpy(launch.parameters.data(), &out, sizeof out);
  std::uint64_t executed = 0;
  for (auto _ : state) {
    runFunctionally(executor, launch);
    executed += executor.instructionsExecuted();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(executed));
}

constexpr const char* kArithmetic =
    "mad.lo.s32 %r6, %r6, %r1, %r2; xor.b32 %r7, %r7, %r6; fma.rn.f32 %f1, %f1, %f2, %f3; "
    "shr.u32 %r8, %r7, 5; add.s32 %r9, %r9, %r8;";
constexpr const char* kShared =
    "ld.shared.u32 %r6, [%r4]; add.u32 %r7, %r7, %r6; st.shared.u32 [%r4], %r7; "
    "ld.shared.u32 %r8, [%r5];";
constexpr const char* kGlobal =
    "ld.global.u32 %r6, [%w1]; add.u32 %r7, %r7, %r6; st.global.u32 [%w1], %r7;";
constexpr const char* kParting =
    "and.b32 %r6, %r1, 1; setp.eq.u32 %p2, %r6, 0; @%p2 bra EVEN; add.u32 %r7, %r7, 3; bra JOIN; "
    "EVEN: sub.u32 %r7, %r7, %r2; JOIN: xor.b32 %r8, %r8, %r7;";
constexpr const char* kAtomics = "red.shared.add.u32 [%r5], %r1; red.shared.max.u32 [%r4], %r2;";

#define FERMATA_BOTH(name, body)                                          \
  BENCHMARK_CAPTURE(launches, name##Executor, native::When::Never, body); \
  BENCHMARK_CAPTURE(launches, name##Compiled, native::When::Now, body)
FERMATA_BOTH(arithmetic, kArithmetic);
FERMATA_BOTH(shared, kShared);
FERMATA_BOTH(global, kGlobal);
FERMATA_BOTH(parting, kParting);
FERMATA_BOTH(atomics, kAtomics);

}  // namespace

BENCHMARK_MAIN();
