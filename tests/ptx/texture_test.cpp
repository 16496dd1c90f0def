// Textures by name and by handle. suld.b and sust.b: geometry, vectors, and accesses beyond the
// edges.

#include <array>

#include <fermata/stimuli/ptx/bits.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

std::string fetch(const std::string& setup, const std::string& opcode, const std::string& texture,
                  const std::string& coordinates) {
  return "mad.wide.u32 %rd2, %r92, 16, %rd91;" + setup + opcode + " {%r1, %r2, %r3, %r4}, [" +
         texture + ", {" + coordinates + "}]; st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};";
}

template <class T>
Texture texture(Bench& bench, const std::vector<T>& values, std::uint32_t width,
                std::uint32_t height, Texture::Element element, unsigned channels) {
  Texture result;
  result.address = bench.buffer(values, "image");
  result.width = width;
  result.height = height;
  result.element = element;
  result.channels = channels;
  return result;
}

std::vector<std::uint32_t> run(Bench& bench, std::uint64_t in) {
  const std::uint64_t out = bench.buffer(std::vector<std::uint32_t>(128));
  bench.parameter(in).parameter(out).parameter(0U);
  bench.run();
  return bench.values<std::uint32_t>(out, 128);
}

const std::string kName = ".global .texref image;\n";

using Word = std::uint32_t;

/// Words of a surface (0, 1, 2 ... before the run) after 32 threads ran over it, and `out`.
struct Run {
  std::vector<Word> words, out;
};

Run run(const std::string& body, Surface surface, std::size_t words) {
  Bench bench(kernelText("mad.wide.u32 %rd2, %r92, 8, %rd91; shl.b32 %r9, %r90, 2;" + body));
  std::vector<Word> values(words);
  for (Word k = 0; k < words; ++k) values[k] = k;
  surface.address = bench.buffer(values, "pixels");
  const std::uint64_t handle = bench.executor.createSurface(surface);
  const std::uint64_t out = bench.buffer(std::vector<Word>(64));
  bench.parameter(handle).parameter(out).parameter(0U);
  bench.run();
  return {bench.values<Word>(surface.address, words), bench.values<Word>(out, 64)};
}

Surface shape(std::uint64_t widthBytes, Word height, Word depth, std::uint64_t rowBytes = 0) {
  Surface surface;
  surface.widthBytes = widthBytes;
  surface.height = height;
  surface.depth = depth;
  surface.rowBytes = rowBytes;
  return surface;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(textures)

BOOST_AUTO_TEST_CASE(the_timing_model_gets_addresses) {
  Bench bench(kernelText(fetch("", "tex.1d.v4.u32.s32", "image", "%r90"), kName));
  const Texture image =
      texture(bench, std::vector<std::uint16_t>(64), 32, 1, Texture::Element::U16, 2);
  bench.executor.bindTexture(*bench.module, "image", image);
  bench.output<std::uint32_t>(128);
  bool seen = false;
  for (const auto& [known, instruction] : bench.steps()) {
    if (instruction.space != MemorySpace::Texture) continue;
    seen = true;
    BOOST_TEST(instruction.bytesPerLane == 4U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      BOOST_TEST(instruction.address[lane] == image.address + 4 * lane);
  }
  BOOST_TEST(seen);
}

// Compilers of CUDA 1.x to 4.0 write four coordinates for any geometry, and PTX 1.x needs no
// brackets: coordinates beyond the dimensions are ignored.
BOOST_AUTO_TEST_CASE(four_coordinates) {
  const auto texels = [](const std::string& statement, std::uint32_t width, std::uint32_t height) {
    Bench bench(kernelText(
        "mad.wide.u32 %rd2, %r92, 16, %rd91; and.b32 %r5, %r90, 3; shr.u32 %r6, %r90, 2; "
        "cvt.rn.f32.u32 %f5, %r5; cvt.rn.f32.u32 %f6, %r6; mov.f32 %f9, 0f7FC00000; " +
            statement + " st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};",
        kName));
    std::vector<std::uint32_t> values(32);
    for (std::uint32_t k = 0; k < 32; ++k) values[k] = 500 + k;
    bench.executor.bindTexture(*bench.module, "image",
                               texture(bench, values, width, height, Texture::Element::U32, 1));
    return run(bench, 0);
  };
  const std::string to = " {%r1, %r2, %r3, %r4}, ";
  for (const std::string& statement :
       {"tex.1d.v4.u32.s32" + to + "[image, {%r90, %r90, %r90, %r90}];",
        "tex.1d.v4.u32.s32" + to + "image, {%r90, %r5, %r5, %r5};",
        "cvt.rn.f32.u32 %f5, %r90; tex.1d.v4.s32.f32" + to + "[image, {%f5, %f9, %f9, %f9}];"}) {
    const auto out = texels(statement, 32, 1);
    for (std::uint32_t k = 0; k < 32; ++k) {
      const std::uint32_t wanted[] = {500 + k, 0, 0, 1};  // channels that are absent
      BOOST_TEST(std::equal(wanted, wanted + 4, &out[4 * k]), statement);
    }
  }
  for (const std::string& statement : {"tex.2d.v4.u32.s32" + to + "[image, {%r5, %r6, %r6, %r6}];",
                                       "tex.2d.v4.u32.s32" + to + "image, {%r5, %r6};",
                                       "tex.2d.v4.u32.f32" + to + "[image, {%f5, %f6, %f9, %f9}];",
                                       "tex.2d.v4.u32.f32" + to + "image, {%f5, %f6, %f6, %f6};"}) {
    const auto out = texels(statement, 4, 8);
    for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST(out[4 * k] == 500 + k, statement);
  }
}

BOOST_AUTO_TEST_CASE(three_dimensions) {
  Bench bench(kernelText(
      "mad.wide.u32 %rd2, %r92, 16, %rd91; and.b32 %r5, %r90, 1; shr.u32 %r6, %r90, 1; and.b32 "
      "%r6, %r6, 3; shr.u32 %r7, %r90, 3; tex.3d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [image, "
      "{%r5, %r6, %r7, %r7}]; st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};",
      kName));
  std::vector<std::uint32_t> values(24);
  for (std::uint32_t k = 0; k < 24; ++k) values[k] = 500 + k;
  Texture image = texture(bench, values, 2, 4, Texture::Element::U32, 1);
  image.depth = 3;
  bench.executor.bindTexture(*bench.module, "image", image);
  const auto out = run(bench, 0);
  for (std::uint32_t k = 0; k < 32; ++k)
    BOOST_TEST(out[4 * k] == 500 + k % 8 + 8 * std::min(k / 8, 2U));
  image.depth = 4;
  expectError([&] { bench.executor.bindTexture(*bench.module, "image", image); },
              {"not within one allocation"});
}

// Each face's axes, by the table of the CUDA programming guide, "Cubemap Textures": at s = 1/2 and
// t = -1/4 a face of 8 x 8 texels is read at (6, 3).
BOOST_AUTO_TEST_CASE(cubes) {
  Bench bench(
      kernelText("mad.wide.u32 %rd2, %r92, 16, %rd91; mad.wide.u32 %rd3, %r92, 16, %rd90; "
                 "ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [%rd3]; cvt.rzi.s32.f32 %r5, %f8; "
                 "tex.acube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%r5, %f5, %f6, %f7}]; "
                 "mov.u32 %r6, 1; mov.f32 %f20, %f1; "
                 "tex.acube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%r6, %f5, %f6, %f7}]; "
                 "mov.f32 %f21, %f1; "
                 "tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f6, %f7, %f7}]; "
                 "st.global.v4.f32 [%rd2], {%f20, %f21, %f1, %f2};",
                 kName));
  std::vector<float> values(8 * 8 * 12);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
  Texture image = texture(bench, values, 8, 8, Texture::Element::F32, 1);
  image.layers = 11;
  image.cube = true;
  expectError([&] { bench.executor.bindTexture(*bench.module, "image", image); },
              {"a cube of 11 faces of 8 x 8 texels"});
  image.layers = 12;
  bench.executor.bindTexture(*bench.module, "image", image);
  const std::array<std::array<float, 3>, 6> directions = {
      {{4, 1, -2}, {-4, 1, 2}, {2, 4, -1}, {2, -4, 1}, {2, 1, 4}, {-2, 1, -4}}};
  std::vector<float> in;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (const float part : directions[lane % 6]) in.push_back(part);
    in.push_back(static_cast<float>(lane / 6) - 1);  // layers from -1
  }
  const auto out = run(bench, bench.buffer(in));
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const auto value = [&](std::size_t layer) {
      return static_cast<float>(64 * (6 * layer + lane % 6) + 8 * 3 + 6);
    };
    BOOST_TEST(bitsAs<float>(out[4 * lane]) == value(lane / 6 > 1 ? 1 : 0));
    BOOST_TEST(bitsAs<float>(out[4 * lane + 1]) == value(1));
    BOOST_TEST(bitsAs<float>(out[4 * lane + 2]) == value(0));
  }
}

BOOST_AUTO_TEST_CASE(forms_that_are_refused) {
  const auto error = [](const std::string& statement) {
    return parseError(kernelText(statement, kName));
  };
  const std::string to = " {%r1, %r2, %r3, %r4}, [image, ";
  expect(error("tex.2d.v4.u32.s32" + to + "{%r5, %r5, %r5}];"), {"3 coordinates; expected 2 or 4"});
  expect(error("tex.3d.v4.u32.s32" + to + "{%r5, %r5, %r5}];"), {"3 coordinates; expected 4"});
  expect(error("tex.1d.v4.u32.s32" + to + "{%r5, %r5}];"), {"2 coordinates; expected 1 or 4"});
  expect(error("tex.a2d.v4.u32.s32" + to + "{%r5, %r5, %r5}];"), {"3 coordinates; expected 4"});
  expect(error("tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r5, %r5, %r5, %r5}];"),
         {"unsupported form 'tex.cube"});
  expect(error("tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5, %f5}];"),
         {"3 coordinates; expected 4"});
  expect(error("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5}];"),
         {"has 2 operands; expected 3"});
  expect(error("tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5}], %f6, %f6;"),
         {"1 gradients; expected 2"});
  expect(error("tex.1d.v4.f16.f32 {%f1, %f2, %f3, %f4}, [image, {%f5}];"),
         {"unsupported form 'tex.1d.v4.f16.f32'"});
  expect(error("suld.p.1d.b32.trap %r1, [%rd1, {%r2}];"), {"expected .b"});
  expect(error("txq.channel_order.b32 %r1, [image];"), {"unsupported form 'txq.channel"});
}

BOOST_AUTO_TEST_CASE(mistakes) {
  Bench bench(kernelText(fetch("", "tex.1d.v4.u32.s32", "image", "%r90"), kName));
  expectError([&] { run(bench, 0); }, {"no array is bound"});
  Texture image;
  image.address = 4;
  expectError([&] { bench.executor.bindTexture(*bench.module, "image", image); },
              {"not within one allocation"});
  expectError(
      [&] {
        bench.executor.bindTexture(
            *bench.module, "other",
            texture(bench, std::vector<float>(1), 1, 1, Texture::Element::F32, 1));
      },
      {"expected one of: image"});
  expectError(
      [&] {
        bench.executor.createTexture(
            texture(bench, std::vector<float>(9), 3, 1, Texture::Element::F32, 3));
      },
      {"3 channels"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(surfaces)

BOOST_AUTO_TEST_CASE(rows_slices_and_layers) {
  const std::string coordinates =
      "and.b32 %r1, %r90, 3; shl.b32 %r1, %r1, 2; shr.u32 %r2, %r90, 2; and.b32 %r2, %r2, 3; "
      "shr.u32 %r3, %r90, 4;";
  const auto wanted = [](Word k) { return k % 4 + k / 4 % 4 * 5 + k / 16 * 20; };
  for (const std::string geometry : {"3d.b32.trap %r4, [%rd90, {%r1, %r2, %r3, %r3}]",
                                     "a2d.b32.zero %r4, [%rd90, {%r3, %r1, %r2, %r2}]"}) {
    const Run result = run(coordinates + "suld.b." + geometry + "; st.global.u32 [%rd2], %r4;",
                           shape(16, 4, 2, 20), 40);
    for (Word k = 0; k < 32; ++k) BOOST_TEST(result.out[2 * k] == wanted(k), geometry);
  }
  const Run stored =
      run(coordinates +
              "add.u32 %r4, %r90, 1000; sust.b.3d.b32.trap [%rd90, {%r1, %r2, %r3, %r3}], %r4;",
          shape(16, 4, 2, 20), 40);
  for (Word k = 0; k < 32; ++k) BOOST_TEST(stored.words[wanted(k)] == 1000 + k);
  for (Word pad = 4; pad < 40; pad += 5) BOOST_TEST(stored.words[pad] == pad);
}

BOOST_AUTO_TEST_CASE(vectors_and_bytes) {
  const Run pairs =
      run("shl.b32 %r9, %r90, 3; suld.b.1d.v2.b32.trap {%r1, %r2}, [%rd90, {%r9}]; add.u32 %r1, "
          "%r1, %r2; st.global.u32 [%rd2], %r1;",
          shape(256, 1, 1), 64);
  for (Word k = 0; k < 32; ++k) BOOST_TEST(pairs.out[2 * k] == 4 * k + 1);
  const Run wide =
      run("setp.lt.u32 %p1, %r90, 16; @!%p1 exit; shl.b32 %r9, %r90, 3; mov.u64 %rd5, "
          "0x1122334455667788; sust.b.1d.b64.trap [%rd90, {%r9}], %rd5;",
          shape(128, 1, 1), 32);
  for (Word k = 0; k < 32; ++k)
    BOOST_TEST(wide.words[k] == (k % 2 == 0 ? 0x55667788U : 0x11223344U));
  const Run bytes =
      run("cvt.u16.u32 %rs1, %r90; sust.b.2d.b8.trap [%rd90, {%r90, 0}], %rs1; suld.b.2d.b8.trap "
          "%rs2, [%rd90, {%r90, 0}]; cvt.u32.u16 %r1, %rs2; st.global.u32 [%rd2], %r1;",
          shape(32, 1, 1), 8);
  for (Word k = 0; k < 32; ++k) BOOST_TEST(bytes.out[2 * k] == k);
  BOOST_TEST(bytes.words[7] == 0x1f1e1d1cU);
}

BOOST_AUTO_TEST_CASE(beyond_the_edge) {
  const std::string load = "sub.s32 %r9, %r9, 16; suld.b.1d.b32.";
  const std::string rest = " %r1, [%rd90, {%r9}]; st.global.u32 [%rd2], %r1;";
  const Run clamped = run(load + "clamp" + rest, shape(80, 1, 1), 24);
  const Run zero = run(load + "zero" + rest, shape(80, 1, 1), 24);
  for (int k = 0; k < 32; ++k) {
    const int at = k - 4;
    const auto lane = static_cast<std::size_t>(2 * k);
    BOOST_TEST(clamped.out[lane] == static_cast<Word>(std::min(std::max(at, 0), 19)));
    BOOST_TEST(zero.out[lane] == static_cast<Word>(at >= 0 && at < 20 ? at : 0));
  }
  expectError([&] { run(load + "trap" + rest, shape(80, 1, 1), 24); },
              {"surface access out of bounds: byte -16 of 80", "lane 0"});
  const Run dropped = run("sust.b.1d.b32.zero [%rd90, {%r9}], 7;", shape(80, 1, 1), 24);
  for (Word k = 0; k < 24; ++k) BOOST_TEST(dropped.words[k] == (k < 20 ? 7 : k));
  expectError(
      [&] {
        run("add.u32 %r9, %r9, 2; suld.b.1d.b32.zero %r1, [%rd90, {%r9}];", shape(256, 1, 1), 64);
      },
      {"at byte 2 of a row; expected a multiple of 4"});
  expectError(
      [&] {
        run("mov.u64 %rd90, 77; suld.b.1d.b32.zero %r1, [%rd90, {%r9}];", shape(256, 1, 1), 64);
      },
      {"there is no surface of handle 0x4d"});
  expectError([&] { run("", shape(256, 1, 2), 64); }, {"not within one allocation"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
