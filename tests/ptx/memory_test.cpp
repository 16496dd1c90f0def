// Loads and stores of every space, width and shape.

#include <fermata/stimuli/ptx/address_space.h>
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

std::vector<Word> iota(std::size_t count) {
  std::vector<Word> list(count);
  std::iota(list.begin(), list.end(), 100U);
  return list;
}

const std::string kPointers =
    "mad.wide.u32 %rd1, %r92, 4, %rd90; mad.wide.u32 %rd2, %r92, 4, %rd91;\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(shared_by_any_stride) {
  for (const unsigned stride : {1U, 2U, 3U, 17U, 32U, 33U}) {
    RunOptions options;
    options.n = stride;
    const auto out =
        runBody<Word>(kPointers +
                          ".shared .align 4 .b8 tile[8192]; mul.lo.u32 %r1, %r90, %r91; shl.b32 "
                          "%r1, %r1, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;ld.global.u32 "
                          "%r3, [%rd1]; st.shared.u32 [%r1+64], %r3; sub.u32 %r4, %r1, -80; "
                          "ld.shared.u32 %r5, [%r4+-16]; st.global.u32 [%rd2], %r5;",
                      iota(32), 32, options);
    BOOST_TEST(out == iota(32), tt::per_element());
  }
}

BOOST_AUTO_TEST_CASE(narrow_types_extend) {
  const std::vector<std::uint8_t> in = {0x80, 0xff, 0x7f, 0x01, 0xfe, 0xff, 0xff, 0x8f};
  const auto out = runBody<std::uint64_t, std::uint8_t>(R"(
ld.global.s8 %r1, [%rd90]; cvt.s64.s32 %rd1, %r1; st.global.u64 [%rd91], %rd1;
ld.global.u8 %r1, [%rd90]; cvt.s64.s32 %rd1, %r1; st.global.u64 [%rd91+8], %rd1;
ld.global.s16 %r1, [%rd90+4]; cvt.s64.s32 %rd1, %r1; st.global.u64 [%rd91+16], %rd1;
ld.global.s8 %rs1, [%rd90+1]; cvt.u64.u16 %rd1, %rs1; st.global.u64 [%rd91+24], %rd1;
ld.global.u32 %rd1, [%rd90+4]; st.global.u64 [%rd91+32], %rd1;
ld.global.s32 %rd1, [%rd90+4]; st.global.u64 [%rd91+40], %rd1;
ld.global.s16 %rd1, [%rd90+4]; st.global.u64 [%rd91+48], %rd1;
mov.u64 %rd1, 0x1122334455667788; st.global.u64 [%rd91+56], 0; st.global.u16 [%rd91+58], %rd1; st.global.u8 [%rd91+63], %rd1;)",
                                                        in, 8, {{1, 1, 1}, {1, 1, 1}, 0, 0, {}});
  const std::vector<std::uint64_t> wanted = {0xffffffffffffff80, 0x80,
                                             0xfffffffffffffffe, 0xffff,
                                             0x8ffffffe,         0xffffffff8ffffffe,
                                             0xfffffffffffffffe, 0x8800000077880000};
  BOOST_TEST(out == wanted, tt::per_element());
}

BOOST_AUTO_TEST_CASE(vectors) {
  const auto out = runBody<Word>(R"(
mad.wide.u32 %rd1, %r92, 16, %rd90; mad.wide.u32 %rd2, %r92, 16, %rd91; .shared .align 16 .b8 tile[512]; shl.b32 %r10, %r90, 4; mov.u32 %r11, tile; add.u32 %r10, %r10, %r11;
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st.shared.v2.f32 [%r10], {%f1, %f2}; mov.b32 %f1, %r1; mov.b32 %f2, %r2;
st.shared.v2.f32 [%r10+8], {%f1, %f2}; st.shared.v4.u8 [%r10], {%r3, %r4, %r3, %r4}; ld.shared.v2.u64 {%rd3, %rd4}, [%r10];
st.global.v2.u64 [%rd2], {%rd3, %rd4}; ld.shared.v2.u16 {%rs1, %rs2}, [%r10]; st.global.v2.u16 [%rd2+4], {%rs2, %rs1};)",
                                 iota(128), 128);
  for (Word k = 0; k < 32; ++k) {
    const Word a = 100 + 4 * k;
    const Word bytes = (a + 2) | (a + 3) << 8 | (a + 2) << 16 | (a + 3) << 24;
    BOOST_TEST(out[4 * k] == bytes);
    BOOST_TEST(out[4 * k + 1] == bytes);
    BOOST_TEST(out[4 * k + 2] == a);
    BOOST_TEST(out[4 * k + 3] == a + 1);
  }
}

BOOST_AUTO_TEST_CASE(local_arrays_are_each_threads_own) {
  const std::string body = kPointers + R"(
.local .align 8 .b8 depot[64]; mov.u64 %rd5, depot; cvta.local.u64 %rd6, %rd5;
mov.u32 %r1, 0; L: mul.wide.u32 %rd7, %r1, 4; add.s64 %rd8, %rd5, %rd7; mad.lo.u32 %r2, %r90, 100, %r1; st.local.u32 [%rd8], %r2;
add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 16; @%p1 bra L;
and.b32 %r3, %r90, 15; mul.wide.u32 %rd7, %r3, 4; add.s64 %rd8, %rd6, %rd7; ld.u32 %r4, [%rd8];
and.b32 %r3, %r90, 14; mul.wide.u32 %rd7, %r3, 4; add.s64 %rd8, %rd5, %rd7; ld.local.u64 %rd9, [%rd8]; shr.u64 %rd9, %rd9, 32; cvt.u32.u64 %r5, %rd9; xor.b32 %r4, %r4, %r5;
ld.local.v4.u32 {%r6, %r7, %r8, %r9}, [%rd5+32]; add.u32 %r4, %r4, %r9; st.global.u32 [%rd2], %r4;)";
  for (const bool carry : {false, true}) {
    RunOptions options;
    options.executor.carryData = carry;
    const auto out = runBody<Word>(body, iota(32), 32, options);
    for (Word k = 0; k < 32; ++k)
      BOOST_TEST(out[k] == ((k * 100 + (k & 15)) ^ (k * 100 + (k & 14) + 1)) + k * 100 + 11);
  }
}

// Lanes at one offset have consecutive words for the timing model, at any width of the access.
BOOST_AUTO_TEST_CASE(local_addresses_of_the_timing_model) {
  Bench bench(
      kernelText(".local .align 16 .b8 depot[32]; mov.u64 %rd1, depot; st.local.u32 "
                 "[%rd1+20], %r90; st.local.u16 [%rd1+6], %rs1; st.local.u64 [%rd1+24], "
                 "%rd1; st.local.v4.u32 [%rd1+16], {%r1, %r2, %r3, %r4};"));
  const std::uint64_t base = kLocalTimingBase + 3 * 32 * 32;
  struct Expected {
    std::uint64_t first;
    unsigned stride;
  };
  std::vector<Expected> left = {{20 * 32, 4}, {4 * 32 + 2, 4}, {24 * 32, 8}, {16 * 32, 16}};
  for (const auto& [known, out] : bench.steps(3)) {
    if (out.space != MemorySpace::Local) continue;
    BOOST_TEST_REQUIRE(!left.empty());
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      BOOST_TEST(out.address[lane] == base + left.front().first + left.front().stride * lane);
    left.erase(left.begin());
  }
  BOOST_TEST(left.empty());
}

// Words of a warp lie as far apart as the model has warps side by side. A warp whose number is too
// high lies behind them.
BOOST_AUTO_TEST_CASE(local_addresses_where_words_of_many_warps_lie_side_by_side) {
  struct Places final : ModelState {
    LocalPlace place;
    std::uint64_t cycles() const override { return 0; }
    std::uint64_t nanoseconds() const override { return 0; }
    LocalPlace localPlace(unsigned) const override { return place; }
  };
  for (const std::uint64_t number : {5U, 25U}) {
    Bench bench(
        kernelText(".local .align 16 .b8 depot[32]; mov.u64 %rd1, depot; st.local.u32 [%rd1+20], "
                   "%r90; st.local.u8 [%rd1+6], %rs1; st.local.u64 [%rd1+24], %rd1;"));
    Places places;
    places.place = {number, 20};
    bench.executor.setModel(&places);
    const std::uint64_t row = 20 * 128;
    const std::uint64_t base = kLocalTimingBase + 5 * 128 + (number == 25 ? 8 * row : 0);
    std::vector<WarpInstruction> out;
    for (const auto& [known, one] : bench.steps(3)) {
      if (one.space == MemorySpace::Local) out.push_back(one);
    }
    BOOST_TEST_REQUIRE(out.size() == 3U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      BOOST_TEST(out[0].address[lane] == base + 5 * row + lane * 4);
      BOOST_TEST(out[1].address[lane] == base + 1 * row + lane * 4 + 2);
      BOOST_TEST(out[2].address[lane] == base + (6 + lane / 16) * row + lane % 16 * 8);
    }
  }
}

BOOST_AUTO_TEST_CASE(generic_addresses) {
  const auto out = runBody<Word>(R"(
.shared .align 4 .b8 tile[128]; mov.u64 %rd3, tile; cvta.shared.u64 %rd4, %rd3; cvta.to.shared.u64 %rd5, %rd4; sub.s64 %rd5, %rd5, %rd3;
mul.wide.u32 %rd6, %r90, 4; add.s64 %rd7, %rd4, %rd6; st.u32 [%rd7], %r90; add.s64 %rd8, %rd3, %rd6; ld.shared.u32 %r1, [%rd8]; cvt.u32.u64 %r2, %rd5; add.u32 %r1, %r1, %r2;
cvta.to.global.u64 %rd9, %rd91; cvta.global.u64 %rd9, %rd9; add.s64 %rd9, %rd9, %rd6;
isspacep.shared %p1, %rd7; isspacep.global %p2, %rd9; isspacep.local %p3, %rd9; isspacep.const %p4, %rd9;
@%p1 add.u32 %r1, %r1, 1000; @%p2 add.u32 %r1, %r1, 2000; @%p3 add.u32 %r1, %r1, 4000; @%p4 add.u32 %r1, %r1, 8000;
st.u32 [%rd9], %r1;)",
                                 32);
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == 3000 + k);
}

// Forms that compilers emit rarely: a whole vector by a generic address, a volatile load without a
// space, a signed parameter, a signed comparison of halves of a word.
BOOST_AUTO_TEST_CASE(rare_forms_of_loads) {
  RunOptions options;
  options.n = 0x80000007U;
  const auto out = runBody<Word>(R"(
mul.wide.u32 %rd3, %r90, 16; add.s64 %rd1, %rd90, %rd3; add.s64 %rd2, %rd91, %rd3;
ld.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; ld.volatile.u32 %r5, [%rd1+4]; ld.param.s32 %r6, [n];
cvt.u16.u32 %rs1, %r1; setp.ne.s16 %p1, %rs1, 104; selp.u32 %r7, 1, 0, %p1;
st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7};)",
                                 iota(128), 128, options);
  for (Word k = 0; k < 32; ++k) {
    BOOST_TEST(out[4 * k] == 103 + 4 * k);
    BOOST_TEST(out[4 * k + 1] == 101 + 4 * k);
    BOOST_TEST(out[4 * k + 2] == options.n);
    BOOST_TEST(out[4 * k + 3] == (k == 1 ? 0U : 1U));
  }
}

BOOST_AUTO_TEST_CASE(variables_and_initialisers) {
  const std::string items = R"(
.const .align 4 .f32 weights[4] = {0f3F800000, 2.5, -3, 0f40800000};
.const .align 4 .b8 bytes[8] = {1, 2, 255, -1};
.global .align 4 .u32 counter = 7;
.global .align 8 .u64 link = generic(counter);
.global .align 4 .s16 grid[2][3] = {{1, 2}, {-4, 5, 6}};
.global .align 8 .u64 second[2] = {counter+0, bytes+2};
.visible .global .align 4 .u32 result[4];
)";
  const auto out = runBody<Word>(R"(
ld.const.f32 %f1, [weights+8]; cvt.rzi.s32.f32 %r1, %f1; st.global.u32 [%rd91], %r1;
ld.const.u32 %r1, [bytes]; st.global.u32 [%rd91+4], %r1;
ld.global.u64 %rd1, [link]; ld.u32 %r1, [%rd1]; st.global.u32 [%rd91+8], %r1;
mov.u64 %rd1, grid; ld.global.s16 %r1, [%rd1+6]; st.global.u32 [%rd91+12], %r1; ld.global.s16 %r1, [grid+4]; st.global.u32 [%rd91+16], %r1;
ld.global.u64 %rd1, [second+8]; ld.const.u8 %r1, [%rd1]; st.global.u32 [%rd91+20], %r1;
mov.u64 %rd1, result+4; st.global.u32 [%rd1+4], 5; ld.global.u32 %r1, [result+8]; st.global.u32 [%rd91+24], %r1;)",
                                 7, {{1, 1, 1}, {1, 1, 1}, 0, 0, {}}, items);
  const std::vector<Word> wanted = {
      static_cast<Word>(-3), 0xffff0201, 7, static_cast<Word>(-4), 0, 255, 5};
  BOOST_TEST(out == wanted, tt::per_element());
}

BOOST_AUTO_TEST_CASE(a_host_writes_constants) {
  Bench bench(kernelText("ld.const.u32 %r1, [table+4]; st.global.u32 [%rd91], %r1;",
                         ".const .align 4 .u32 table[2];"));
  const Word values[2] = {5, 6};
  bench.memory.write(bench.executor.symbolAddress(*bench.module, "table"), values, sizeof values);
  const std::uint64_t out = bench.output<Word>(1);
  bench.run();
  BOOST_TEST(bench.values<Word>(out, 1)[0] == 6U);
  expectError([&] { bench.executor.symbolAddress(*bench.module, "tabel"); },
              {"there is no variable 'tabel'; expected one of: table"});
}

BOOST_AUTO_TEST_CASE(dynamic_arrays_share_one_base) {
  RunOptions options;
  options.block.x = 1;
  options.dynamicSharedBytes = 16;
  const auto out = runBody<Word>(
      ".shared .align 4 .b8 fixed[20]; st.shared.u32 [first+4], 9; ld.shared.u32 %r1, [second+4]; "
      "st.global.u32 [%rd91], %r1; mov.u32 %r2, first; mov.u32 %r3, second; st.global.u32 "
      "[%rd91+4], %r2; st.global.u32 [%rd91+8], %r3;mov.u32 %r4, %dynamic_smem_size; st.global.u32 "
      "[%rd91+12], %r4; mov.u32 %r4, fixed; st.shared.u32 [%r4], 1; mov.u32 %r4, %total_smem_size; "
      "st.global.u32 [%rd91+16], %r4;",
      5, options,
      ".extern .shared .align 16 .b8 first[];\n.extern .shared .align 4 .f32 second[];\n");
  const std::vector<Word> wanted = {9, 32, 32, 16, 48};
  BOOST_TEST(out == wanted, tt::per_element());
}

BOOST_AUTO_TEST_CASE(parameters_by_value) {
  Bench bench(moduleText(
      R"(.entry k(.param .align 8 .b8 s[24], .param .u64 .ptr .global .align 8 out, .param .f64 d) {
.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f64 %fd<3>; .reg .f32 %f<3>;
ld.param.u64 %rd1, [out]; mov.u64 %rd2, s; ld.param.u32 %r1, [%rd2+8]; ld.param.v2.u32 {%r2, %r3}, [s+16]; ld.param.s8 %r4, [s+1]; ld.param.f64 %fd1, [d];
cvta.param.u64 %rd3, %rd2; ld.u32 %r6, [%rd3+8];
cvt.rzi.s32.f64 %r5, %fd1; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4}; st.global.v2.u32 [%rd1+16], {%r5, %r6}; ret; })"));
  const std::uint64_t out = bench.buffer(std::vector<Word>(6));
  for (const Word word : {0x0000f000U, 1U, 2U, 3U, 4U, 5U}) bench.parameter(word);
  bench.parameter(out).parameter(-2.0);
  bench.run();
  const std::vector<Word> wanted = {2, 4, 5, static_cast<Word>(-16), static_cast<Word>(-2), 2};
  BOOST_TEST(bench.values<Word>(out, 6) == wanted, tt::per_element());
  const auto& parameters = bench.launch.kernel->parameters();
  BOOST_TEST(parameters[0].bytes == 24U);
  BOOST_TEST(parameters[1].offset == 24U);
  BOOST_TEST(parameters[2].isFloat);
}

BOOST_AUTO_TEST_CASE(the_last_lane_wins_a_store) {
  const auto out = runBody<Word>("setp.ne.u32 %p1, %r90, 31; @%p1 st.global.u32 [%rd91], %r90;", 1);
  BOOST_TEST(out[0] == 30U);
}

BOOST_AUTO_TEST_CASE(carried_data_is_what_memory_saw) {
  ExecutorOptions options;
  options.carryData = true;
  Bench bench(
      kernelText(kPointers + "ld.global.u32 %r1, [%rd1]; .shared .b32 cell[32]; mov.u32 %r4, cell; "
                             "shl.b32 %r2, %r90, 2; add.u32 %r2, %r2, %r4; st.shared.u32 [%r2], "
                             "%r1; and.b32 %r2, %r2, 4; atom.shared.add.u32 %r3, [%r2], 2;"),
      "k", options);
  const std::uint64_t in = bench.buffer(iota(32)), outAddress = bench.buffer(iota(32));
  bench.parameter(in).parameter(outAddress).parameter(0U);
  const auto word = [](const std::array<std::uint8_t, 16>& bytes) {
    Word value;
    std::memcpy(&value, bytes.data(), 4);
    return value;
  };
  unsigned seen = 0;
  for (const auto& [next, out] : bench.steps()) {
    if (next.instructionClass != InstructionClass::Memory || next.space == MemorySpace::Parameter)
      continue;
    ++seen;
    BOOST_TEST(out.hasData);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (out.operation != MemoryOperation::Atomic) {
        BOOST_TEST(word(out.data[lane]) == 100 + lane);
        continue;
      }
      BOOST_TEST(word(out.before[lane]) == 100 + lane % 2 + lane / 2 * 2);
      BOOST_TEST(word(out.data[lane]) == word(out.before[lane]) + 2);
    }
  }
  BOOST_TEST(seen == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
