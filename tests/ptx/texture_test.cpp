// Textures by name and by handle, point sampled and clamped.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/support.h"

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

}  // namespace

BOOST_AUTO_TEST_SUITE(textures)

BOOST_AUTO_TEST_CASE(the_timing_model_gets_addresses) {
  Bench bench(kernelText(fetch("", "tex.1d.v4.u32.s32", "image", "%r90"), kName), "k");
  const Texture image =
      texture(bench, std::vector<std::uint16_t>(64), 32, 1, Texture::Element::U16, 2);
  bench.executor.bindTexture(*bench.module, "image", image);
  const std::uint64_t out = bench.buffer(std::vector<std::uint32_t>(128));
  bench.parameter(out).parameter(out).parameter(0U);
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
    Bench bench(kernelText("mad.wide.u32 %rd2, %r92, 16, %rd91; and.b32 %r5, %r90, 3; shr.u32 %r6, "
                           "%r90, 2; cvt.rn.f32.u32 %f5, %r5; cvt.rn.f32.u32 %f6, %r6; mov.f32 "
                           "%f9, 0f7FC00000; " +
                               statement + " st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};",
                           kName),
                "k");
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
  Bench bench(kernelText("mad.wide.u32 %rd2, %r92, 16, %rd91; and.b32 %r5, %r90, 1; shr.u32 %r6, "
                         "%r90, 1; and.b32 %r6, %r6, 3; shr.u32 %r7, %r90, 3; tex.3d.v4.u32.s32 "
                         "{%r1, %r2, %r3, %r4}, [image, {%r5, %r6, %r7, %r7}]; st.global.v4.u32 "
                         "[%rd2], {%r1, %r2, %r3, %r4};",
                         kName),
              "k");
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

BOOST_AUTO_TEST_CASE(forms_that_are_refused) {
  const auto error = [](const std::string& statement) {
    return parseError(kernelText(statement, kName));
  };
  const std::string to = " {%r1, %r2, %r3, %r4}, [image, ";
  expect(error("tex.2d.v4.u32.s32" + to + "{%r5, %r5, %r5}];"), {"3 coordinates; expected 2 or 4"});
  expect(error("tex.3d.v4.u32.s32" + to + "{%r5, %r5, %r5}];"), {"3 coordinates; expected 4"});
  expect(error("tex.1d.v4.u32.s32" + to + "{%r5, %r5}];"), {"2 coordinates; expected 1 or 4"});
  expect(error("tex.a2d.v4.u32.s32" + to + "{%r5, %r5, %r5}];"), {"3 coordinates; expected 4"});
  expect(error("tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5, %f5, %f5}];"),
         {"unsupported form 'tex.cube"});
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
  Bench bench(kernelText(fetch("", "tex.1d.v4.u32.s32", "image", "%r90"), kName), "k");
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

}  // namespace fermata::ptx::test
