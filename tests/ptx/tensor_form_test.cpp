// Blocks out of shared memory, reductions of blocks, tensor maps that kernels change, refusals.

#include "tests/ptx/tensor_machine.h"
#include "tests/support/test.h"

#include <functional>
#include <numeric>

namespace fermata::ptx::test {

BOOST_AUTO_TEST_SUITE(tensor_forms)

// A kernel copies its map to shared memory, changes every field of it, publishes it in global
// memory and loads by it.
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
      "mov.u32 %r33, tile; add.u32 %r33, %r33, 4096; add.u64 %rd7, %rd2, 3072;\n"
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%rd7], [%r33], 128;\n"
      "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; prefetch.tensormap [%rd8];\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;\n"
      "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], "
      "[%rd7, {0, 0}], [bar];\nD:\n" +
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

// Both CTAs of a pair load a row; the bytes count at the mbarrier of the first one, which waits.
// The mask of the address names it. With a multicast each loads half a row to both.
BOOST_DATA_TEST_CASE(pairs_count_at_their_first_cta, bdata::make({false, true}), multicasts) {
  const std::string sync = "barrier.cluster.arrive; barrier.cluster.wait; ";
  const std::string body =
      kBegin +
      "mov.u32 %r30, %cluster_ctarank; setp.eq.u32 %p5, %r30, 0; setp.eq.and.u32 %p6, %r30, 0, "
      "%p9; mov.b16 %rs4, 3; mov.u32 %r33, bar; and.b32 %r33, %r33, -16777217;\n@%p6 "
      "mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r24;\n" +
      sync +
      (multicasts ? "mad.lo.u32 %r11, %r30, 128, %r11; mad.lo.u32 %r31, %r30, 128, %r1;\n"
                  : "add.u32 %r12, %r12, %r30; mov.u32 %r31, %r1;\n") +
      "@%p9 cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx"
      "::bytes" +
      (multicasts ? ".multicast::cluster" : "") + " [%r31], [%rd1, {%r11, %r12}], [%r33]" +
      (multicasts ? ", %rs4" : "") + ";\n@!%p5 bra S;\n" + kWait + "S: " + sync +
      "mul.wide.u32 %rd5, %r30, 1024; add.u64 %rd2, %rd2, %rd5;\n" + words(true);
  Machine machine;
  machine.module = parse(moduleText(entry("k", body)), "t.ptx");
  TensorMap map;
  map.address = machine.tensor;
  map.rank = 2;
  map.dims = {256, 8, 1, 1, 1};
  map.strides = {256};
  map.box = {128, 1, 1, 1, 1};
  const unsigned bytes = multicasts ? 256 : 128;
  machine.run("k", map, {0, 3}, {}, bytes, 2 * bytes, 2);
  for (unsigned cta = 0; cta < 2; ++cta) {
    const std::vector<Byte> got = machine.read(machine.data + 1024 * cta, bytes);
    for (unsigned k = 0; k < bytes; ++k)
      BOOST_TEST(got[k] == machine.bytes[(3 + (multicasts ? 0 : cta)) * 256 + k]);
  }
}

// Elements of 4 and 6 bits: packed as in the tensor, or 16 of them in 16 bytes. The mbarrier counts
// bytes without gaps.
BOOST_AUTO_TEST_CASE(packed_elements_come) {
  const auto load = [](TensorType type, unsigned elements, unsigned bytesOfRow, unsigned bytes) {
    Machine machine;
    TensorMap map;
    map.address = machine.tensor;
    map.type = type;
    map.rank = 2;
    map.dims = {256, 8, 1, 1, 1};
    map.strides = {256};
    map.box = {elements, 2, 1, 1, 1};
    machine.run("load2d", map, {128, 7}, {}, 512, bytes);
    const std::vector<Byte> got = machine.read(machine.data, 2 * bytesOfRow);
    // The second row lies beyond the tensor.
    for (unsigned k = bytesOfRow; k < 2 * bytesOfRow; ++k) BOOST_TEST(got[k] == 0);
    return std::vector<Byte>(got.begin(), got.begin() + bytesOfRow);
  };
  Machine host;
  const auto inTensor = [&](unsigned bitsOfRow, unsigned byte) {
    return host.bytes[7 * 256 + 128 * bitsOfRow / 8 + byte];
  };
  const auto packed = load(TensorType::PackedU4, 64, 32, 64);
  for (unsigned k = 0; k < 32; ++k) BOOST_TEST(packed[k] == inTensor(4, k));
  const auto fours = load(TensorType::PaddedU4, 128, 128, 128);
  const auto sixes = load(TensorType::PaddedU6, 128, 128, 192);
  for (unsigned k = 0; k < 128; ++k) {
    const unsigned chunk = k / 16, byte = k % 16;
    if (byte < 8) BOOST_TEST(fours[k] == inTensor(4, 8 * chunk + byte));
    if (byte < 12) BOOST_TEST(sixes[k] == inTensor(6, 12 * chunk + byte));
  }
  TensorMap odd;
  odd.address = host.tensor;
  odd.type = TensorType::PackedU4;
  odd.dims[0] = 256;
  odd.box[0] = 32;
  expectError([&] { host.run("load1d", odd, {3}, {}, 0, 16); },
              {"coordinate 3 of a packed type along dimension 0; expected a multiple of 2"});
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
  const std::string out3d =
      "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%rd1, {%r11, %r12, %r13}], [%r1]";
  fails("expected that of 32 bytes", out3d, [](TensorMap& m) {
    m.rank = 3;
    m.strides[1] = 1024;
    m.interleave = TensorInterleave::Slices32;
  });
  fails("steps[0] = 9; expected 1 to 8", out3d, [](TensorMap& m) {
    m.rank = 3;
    m.strides[1] = 1024;
    m.steps[0] = 9;
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
  const std::string publish = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.";
  refuses(publish + "release.gpu.sync.aligned [%rd1], [%r1], 64;", "expected a size of 128");
  refuses(publish + "acquire.gpu.sync.aligned [%rd1], [%r1], 128;", "expected .global.shared::cta");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
