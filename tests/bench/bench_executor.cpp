// Speed of the functional executor alone: warp instructions per second (items), 48 warps in turn.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>

#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/module.h>

namespace {

using namespace fermata;
using namespace fermata::ptx;

constexpr unsigned kWarps = 48;
constexpr unsigned kThreads = 256;

/// Returns a kernel around a loop that repeats `body` 16 times; %r1 is the thread, %r2 the counter.
std::string loopKernel(const std::string& body) {
  std::string text = R"(.version 4.2
.target sm_20
.address_size 32
.visible .entry loop(.param .u32 out, .param .u32 n) {
.reg .b32 %r<40>; .reg .f32 %f<40>; .reg .pred %p<2>;
.shared .align 4 .b8 tile[16384];
mov.u32 %r1, %tid.x; mov.u32 %r2, 0; ld.param.u32 %r3, [n];
shl.b32 %r4, %r1, 2; mov.u32 %r5, tile; add.s32 %r6, %r5, %r4; and.b32 %r7, %r1, 31; mul.lo.s32 %r8, %r7, 132; add.s32 %r8, %r8, %r5;
LOOP:
)";
  for (unsigned k = 0; k < 16; ++k) {
    std::string line = body;
    for (std::size_t at; (at = line.find('#')) != std::string::npos;)
      line.replace(at, 1, std::to_string(10 + k));
    text += line + "\n";
  }
  return text + R"(
add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;
@%p1 bra LOOP;
ret;
})";
}

void stepInTurn(benchmark::State& state, const std::string& body) {
  const auto module = parse(loopKernel(body), "bench.ptx");
  DeviceMemory memory;
  Executor executor(kWarps, memory);
  Launch launch;
  launch.kernel = &module->kernel("loop");
  launch.grid.x = kWarps * kWarpLanes / kThreads;
  launch.block.x = kThreads;
  launch.parameters.resize(launch.kernel->parameterBytes());
  const std::uint32_t endless = 0x7fffffff;
  std::memcpy(&launch.parameters[4], &endless, sizeof endless);
  executor.begin(launch);
  for (unsigned cta = 0; cta < launch.grid.x; ++cta)
    executor.startCta(cta, cta * kThreads / kWarpLanes);
  auto out = std::make_unique<WarpInstruction>();
  for (auto _ : state) {
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      benchmark::DoNotOptimize(executor.peek(warp));
      executor.execute(warp, *out);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kWarps);
}

BENCHMARK_CAPTURE(stepInTurn, integerLoop, "add.s32 %r#, %r#, %r1;");
BENCHMARK_CAPTURE(
    stepInTurn, mixedLoop,
    "mad.lo.s32 %r#, %r#, %r1, %r2; xor.b32 %r#, %r#, %r4; fma.rn.f32 %f#, %f#, %f1, %f2; "
    "setp.lt.s32 %p1, %r#, %r1;");
BENCHMARK_CAPTURE(stepInTurn, sharedUnitStride, "ld.shared.u32 %r#, [%r6];");
BENCHMARK_CAPTURE(stepInTurn, sharedScattered, "ld.shared.u32 %r#, [%r8];");
BENCHMARK_CAPTURE(stepInTurn, sharedStore, "st.shared.u32 [%r6], %r#;");
BENCHMARK_CAPTURE(stepInTurn, sharedAtomic, "atom.shared.add.u32 %r#, [%r6], 1;");

}  // namespace

BENCHMARK_MAIN();
