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

BOOST_AUTO_TEST_CASE(one_dimension_by_integer) {
  Bench bench(
      kernelText(fetch("sub.s32 %r5, %r90, 4;", "tex.1d.v4.u32.s32", "image", "%r5"), kName), "k");
  bench.executor.bindTexture(
      *bench.module, "image",
      texture(bench, std::vector<std::uint32_t>{10, 11, 12, 13, 14, 15, 16, 17}, 8, 1,
              Texture::Element::U32, 1));
  const auto out = run(bench, 0);
  for (int k = 0; k < 32; ++k) {
    BOOST_TEST(out[static_cast<std::size_t>(4 * k)] ==
               static_cast<unsigned>(10 + std::min(std::max(k - 4, 0), 7)));
    BOOST_TEST(out[static_cast<std::size_t>(4 * k + 1)] == 0U);
    BOOST_TEST(out[static_cast<std::size_t>(4 * k + 3)] == 1U);
  }
}

BOOST_AUTO_TEST_CASE(two_dimensions_by_float) {
  Bench bench(
      kernelText(
          fetch("cvt.rn.f32.u32 %f1, %r90; mul.f32 %f1, %f1, 0f3F000000; mov.f32 %f2, 0f3FC00000;",
                "tex.2d.v4.f32.f32", "image", "%f1, %f2"),
          kName),
      "k");
  std::vector<float> values(12);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
  bench.executor.bindTexture(*bench.module, "image",
                             texture(bench, values, 4, 3, Texture::Element::F32, 1));
  const auto out = run(bench, 0);
  for (std::size_t k = 0; k < 32; ++k) {
    float x = 0;
    std::memcpy(&x, &out[4 * k], sizeof x);
    BOOST_TEST(x == static_cast<float>(4 + std::min<std::size_t>(k / 2, 3)));
    BOOST_TEST(out[4 * k + 3] == 0x3f800000U);
  }
}

BOOST_AUTO_TEST_CASE(channels_by_handle_and_normalised) {
  Bench bench(
      kernelText(
          fetch("mov.u64 %rd5, %rd90; cvt.rn.f32.u32 %f1, %r90; mul.f32 %f1, %f1, 0f3D000000;",
                "tex.1d.v4.f32.f32", "%rd5", "%f1"),
          kName),
      "k");
  Texture image = texture(bench, std::vector<std::uint8_t>{0, 51, 102, 255, 255, 0, 1, 2}, 2, 1,
                          Texture::Element::U8, 4);
  image.normalisedCoordinates = true;
  const auto out = run(bench, bench.executor.createTexture(image));
  const auto value = [&](std::size_t lane, std::size_t channel) {
    float x = 0;
    std::memcpy(&x, &out[4 * lane + channel], sizeof x);
    return x;
  };
  BOOST_TEST(value(0, 1) == 0.2F);
  BOOST_TEST(value(15, 3) == 1.0F);
  BOOST_TEST(value(16, 0) == 1.0F);
  BOOST_TEST(value(31, 2) == static_cast<float>(1.0 / 255));
}

BOOST_AUTO_TEST_CASE(the_timing_model_gets_addresses) {
  Bench bench(kernelText(fetch("", "tex.1d.v4.u32.s32", "image", "%r90"), kName), "k");
  const Texture image =
      texture(bench, std::vector<std::uint16_t>(64), 32, 1, Texture::Element::U16, 2);
  bench.executor.bindTexture(*bench.module, "image", image);
  const std::uint64_t out = bench.buffer(std::vector<std::uint32_t>(128));
  bench.parameter(out).parameter(out).parameter(0U);
  bench.executor.begin(bench.launch);
  bench.executor.startCta(0, 0);
  WarpInstruction instruction;
  bool seen = false;
  while (bench.executor.peek(0) != nullptr) {
    bench.executor.execute(0, instruction);
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
    for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST(out[4 * k] == 500 + k, statement);
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
  BOOST_TEST(errorOf([&] {
               bench.executor.bindTexture(*bench.module, "image", image);
             }).find("not within one allocation") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(forms_that_are_refused) {
  const auto error = [](const std::string& statement) {
    return parseError(kernelText(statement, kName));
  };
  const std::string to = " {%r1, %r2, %r3, %r4}, [image, ";
  BOOST_TEST(error("tex.2d.v4.u32.s32" + to + "{%r5, %r5, %r5}];")
                 .find("3 coordinates; expected 2 or 4") != std::string::npos);
  BOOST_TEST(
      error("tex.3d.v4.u32.s32" + to + "{%r5, %r5, %r5}];").find("3 coordinates; expected 4") !=
      std::string::npos);
  BOOST_TEST(
      error("tex.1d.v4.u32.s32" + to + "{%r5, %r5}];").find("2 coordinates; expected 1 or 4") !=
      std::string::npos);
  BOOST_TEST(
      error("tex.a2d.v4.u32.s32" + to + "{%r5, %r5, %r5}];").find("3 coordinates; expected 4") !=
      std::string::npos);
  BOOST_TEST(error("tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5, %f5, %f5}];")
                 .find("unsupported form 'tex.cube") != std::string::npos);
  BOOST_TEST(error("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5}];")
                 .find("has 2 operands; expected 3") != std::string::npos);
  BOOST_TEST(error("tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f5}], %f6, %f6;")
                 .find("1 gradients; expected 2") != std::string::npos);
  BOOST_TEST(error("tex.1d.v4.f16.f32 {%f1, %f2, %f3, %f4}, [image, {%f5}];")
                 .find("unsupported form 'tex.1d.v4.f16.f32'") != std::string::npos);
  BOOST_TEST(error("suld.p.1d.b32.trap %r1, [%rd1, {%r2}];").find("expected .b") !=
             std::string::npos);
  BOOST_TEST(error("txq.channel_order.b32 %r1, [image];").find("unsupported form 'txq.channel") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes) {
  Bench bench(kernelText(fetch("", "tex.1d.v4.u32.s32", "image", "%r90"), kName), "k");
  const std::string unbound = errorOf([&] { run(bench, 0); });
  BOOST_TEST(unbound.find("no array is bound") != std::string::npos, unbound);
  Texture image;
  image.address = 4;
  BOOST_TEST(errorOf([&] {
               bench.executor.bindTexture(*bench.module, "image", image);
             }).find("not within one allocation") != std::string::npos);
  BOOST_TEST(errorOf([&] {
               bench.executor.bindTexture(
                   *bench.module, "other",
                   texture(bench, std::vector<float>(1), 1, 1, Texture::Element::F32, 1));
             }).find("expected one of: image") != std::string::npos);
  BOOST_TEST(errorOf([&] {
               bench.executor.createTexture(
                   texture(bench, std::vector<float>(9), 3, 1, Texture::Element::F32, 3));
             }).find("3 channels") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
