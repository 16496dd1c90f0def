// Blocks out of shared memory, reductions of blocks, tensor maps that kernels change, refusals.

#include "tests/ptx/tensor_machine.h"
#include "tests/support/test.h"

#include <functional>
#include <numeric>

namespace fermata::ptx::test {

BOOST_AUTO_TEST_SUITE(tensor_forms)

// A kernel copies its map to shared memory, changes every field of it and loads by it.
BOOST_AUTO_TEST_CASE(maps_change) {
  const std::string replace = "tensormap.replace.tile.";
  const auto set = [&](const std::string& field, const std::string& operands) {
    return replace + field + ".shared::cta.b1024." + operands + ";\n";
  };
  const std::string body =
      kBegin +
      "mov.b64 %rd5, map; mad.wide.u32 %rd6, %r0, 4, %rd5; cvta.param.u64 %rd6, %rd6;\n"
      "mad.lo.u32 %r30, %r0, 4, %r1; ld.u32 %r31, [%rd6]; st.shared.u32 [%r30+4096], %r31;\n"
      "bar.sync 0; @!%p9 bra D;\n" +
      set("global_address", "b64 [tile+4096], %rd2") + set("rank", "b32 [tile+4096], 1") +
      set("box_dim", "b32 [tile+4096], 0, 8") + set("box_dim", "b32 [tile+4096], 1, 2") +
      set("global_dim", "b32 [tile+4096], 0, 8") + set("global_dim", "b32 [tile+4096], 1, %r20") +
      "mov.u64 %rd7, 64;\n" + set("global_stride", "b64 [tile+4096], 0, %rd7") +
      set("element_stride", "b32 [tile+4096], 1, 2") + set("elemtype", "b32 [tile+4096], 2") +
      set("interleave_layout", "b32 [tile+4096], 0") + set("swizzle_mode", "b32 [tile+4096], 0") +
      set("fill_mode", "b32 [tile+4096], 0") + set("swizzle_atomicity", "b32 [tile+4096], 0") +
      "fence.proxy.tensormap::generic.release.gpu;\n"
      "mov.u64 %rd8, tile; cvta.shared.u64 %rd8, %rd8; add.u64 %rd8, %rd8, 4096;\n"
      "fence.proxy.tensormap::generic.acquire.gpu [%rd8], 128; prefetch.tensormap [%rd8];\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;\n"
      "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], "
      "[%rd8, {0, 0}], [bar];\nD:\n" +
      kWait +
      "ld.shared.u32 %r32, [%r30]; mad.wide.u32 %rd4, %r0, 4, %rd2;\n"
      "st.global.u32 [%rd4+1024], %r32;\n";
  Machine machine;
  machine.module = parse(moduleText(entry("k", body)), "t.ptx");
  std::vector<Word> in(kTile / 4);
  std::iota(in.begin(), in.end(), 1U);
  machine.memory.write(machine.data, in.data(), kTile);
  TensorMap map;
  map.address = machine.tensor;
  map.type = TensorType::F64;
  map.box[0] = 2;
  machine.run("k", map, {}, {}, 16);  // 4 rows
  std::vector<Word> got(32);
  machine.memory.read(machine.data + 1024, got.data(), 128);
  // One row of two, since every second of them is taken: words 1 to 8 of row 0.
  for (Word k = 0; k < 8; ++k) BOOST_TEST(got[k] == k + 1);
  for (Word k = 8; k < 32; ++k) BOOST_TEST(got[k] == 0U);
}

// Blocks leave shared memory as they are, or are combined.
BOOST_AUTO_TEST_CASE(blocks_leave) {
  const auto run = [](const std::string& copy) {
    Machine machine;
    const std::string body = words(false) + "add.u64 %rd5, %rd2, 2048; @%p9 " + copy +
                             " [%rd5], [%r1+16], 1040;\n" + kOutWait;
    machine.module = parse(moduleText(entry("k", body)), "t.ptx");
    std::vector<Word> in(kTile / 4);
    std::iota(in.begin(), in.end(), 1U);
    machine.memory.write(machine.data, in.data(), kTile);
    machine.run("k", TensorMap(), {}, {}, 2048);
    std::vector<Word> got(300);
    machine.memory.read(machine.data + 2048, got.data(), 1200);
    return got;
  };
  const auto copied = run("cp.async.bulk.global.shared::cta.bulk_group");
  const auto added = run("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32");
  const auto most = run("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32");
  for (Word k = 0; k < 300; ++k) {
    const Word old = 513 + k, value = k + 5;
    BOOST_TEST(copied[k] == (k < 260 ? value : old));
    BOOST_TEST(added[k] == (k < 260 ? old + value : old));
    BOOST_TEST(most[k] == old);
  }
}

// Wrong operands of copies, and forms that PTX does not have.
BOOST_AUTO_TEST_CASE(misuse_is_found) {
  const auto fails = [](
                         const std::string& part, const std::string& copy,
                         const std::function<void(TensorMap&)>& change = [](TensorMap&) {}) {
    Machine machine;
    machine.module = parse(moduleText(entry("k", kBegin + "@%p9 " + copy + ";")), "t.ptx");
    TensorMap map;
    map.address = machine.tensor;
    map.type = TensorType::U32;
    map.rank = 2;
    map.dims = {64, 64, 1, 1, 1};
    map.strides = {256};
    map.box = {32, 8, 1, 1, 1};
    change(map);
    expectError([&] { machine.run("k", map, {}, {}, 0); }, {part});
  };
  const std::string in = "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes ";
  const std::string load = in + "[%r1], [%rd1, {%r11, %r12}], [bar]";
  fails("a tensor map of rank 3; expected 2", load, [](TensorMap& m) { m.rank = 3; });
  fails("no tensor map at address", in + "[%r1], [%rd2, {%r11, %r12}], [bar]");
  fails("expected 128 bytes at a multiple of 64", in + "[%r1], [%rd2+8, {%r11, %r12}], [bar]");
  fails("expected a multiple of 128", in + "[%r1+16], [%rd1, {%r11, %r12}], [bar]");
  fails("out of bounds", in + "[%r1+7936], [%rd1, {%r11, %r12}], [bar]");
  fails("of global memory is out of bounds", load, [](TensorMap& m) { m.address += 1 << 20; });
  fails("expected at most the swizzle's 32", load,
        [](TensorMap& m) { m.swizzle = TensorSwizzle::Span32; });
  fails("for mode im2col; expected mode tile",
        "cp.async.bulk.tensor.3d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, "
        "{%r11, %r12, %r13}], [bar]",
        [](TensorMap& m) {
          m.rank = 3;
          m.strides[1] = 256;
          m.im2col = TensorPixels{{}, {}, 32, 8};
        });
  fails("with an interleave",
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%rd1, {%r11, %r12, %r13}], [%r1]",
        [](TensorMap& m) {
          m.rank = 3;
          m.interleave = TensorInterleave::Slices16;
        });
  fails("a reduction of elements of type",
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {%r11, %r12}], "
        "[%r1]",
        [](TensorMap& m) {
          m.type = TensorType::U16;
          m.box[0] = 64;
        });
  refuses(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes."
      "multicast::cluster [%r1], [%rd1, {%r2, %r3}], [%r4];",
      "has 3 operands; expected 4");
  refuses("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r2}], [%r4];",
          "1 elements; expected 2");
  refuses("cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u64 [%rd1], [%r1], 16;",
          "unsupported form");
  refuses("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 5, %r1;", "the dimension");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
