// Filters, addresses beyond the edges, layers and elements, against sums over single texels.

#include <fermata/stimuli/ptx/half.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Beyond = Texture::Beyond;
using Element = Texture::Element;
constexpr std::uint32_t kFetches = 1024;

/// Runs one fetch per thread, at {x, y, z, layer} of `coordinates`; returns 4 words per fetch.
std::vector<float> fetched(const Texture& like, const std::vector<std::uint8_t>& texels,
                           const std::string& statement, const std::vector<float>& coordinates) {
  Bench bench(
      kernelText("mad.wide.u32 %rd1, %r92, 16, %rd90; mad.wide.u32 %rd2, %r92, 16, %rd91; "
                 "cvt.u64.u32 %rd5, %r91; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; "
                 "cvt.rzi.s32.f32 %r1, %f1; cvt.rzi.s32.f32 %r2, %f2; cvt.rzi.s32.f32 %r3, "
                 "%f3; cvt.rzi.s32.f32 %r4, %f4; mov.f32 %f9, 0f40000000;" +
                 statement + " st.global.v4.f32 [%rd2], {%f5, %f6, %f7, %f8};"));
  Texture texture = like;
  texture.address = bench.buffer(texels, "texels");
  const std::uint64_t in = bench.buffer(coordinates);
  const std::uint64_t out = bench.buffer(coordinates);
  const std::uint64_t handle = bench.executor.createTexture(texture);
  bench.parameter(in).parameter(out).parameter(static_cast<std::uint32_t>(handle));
  const auto count = static_cast<std::uint32_t>(coordinates.size() / 4);
  bench.launch.block.x = std::min(count, 256U);
  bench.launch.grid.x = (count + 255) / 256;
  bench.run();
  return bench.values<float>(out, coordinates.size());
}

std::int64_t folded(std::int64_t at, std::int64_t size, Beyond beyond) {
  if (beyond == Beyond::Wrap) {
    while (at < 0) at += size;
    while (at >= size) at -= size;
  } else if (beyond == Beyond::Mirror) {
    while (at < 0 || at >= size) at = at < 0 ? -1 - at : 2 * size - 1 - at;
  } else if (beyond == Beyond::Clamp) {
    at = std::min(std::max<std::int64_t>(at, 0), size - 1);
  }
  return at;
}

/// Returns channel 0 at up to three coordinates, computed as in the programming guide's appendix.
float sampled(const Texture& t, const std::vector<float>& values, const float* at,
              unsigned dimensions) {
  const std::int64_t sizes[3] = {t.width, t.height, t.depth};
  std::int64_t first[3] = {0, 0, 0};
  double weight[3] = {0, 0, 0};
  for (unsigned axis = 0; axis < dimensions; ++axis) {
    const double x = static_cast<double>(at[axis]) *
                         (t.normalisedCoordinates ? static_cast<double>(sizes[axis]) : 1.0) -
                     (t.linear ? 0.5 : 0.0);
    first[axis] = static_cast<std::int64_t>(std::floor(x));
    if (t.linear) weight[axis] = std::floor((x - std::floor(x)) * 256 + 0.5) / 256;
  }
  double sum = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double share = 1;
    std::int64_t index = 0;
    bool inside = true;
    for (unsigned axis = 3; axis-- > 0;) {
      const unsigned step = corner >> axis & 1U;
      share *= step != 0 ? weight[axis] : 1 - weight[axis];
      Beyond beyond = t.beyond[axis];
      if (!t.normalisedCoordinates && beyond != Beyond::Border) beyond = Beyond::Clamp;
      const std::int64_t texel = folded(first[axis] + step, sizes[axis], beyond);
      inside = inside && texel >= 0 && texel < sizes[axis];
      index = index * sizes[axis] + texel;
    }
    if (share != 0)
      sum += share *
             static_cast<double>(inside ? values[static_cast<std::size_t>(index)] : t.border[0]);
  }
  return static_cast<float>(sum);
}

std::vector<float> randomCoordinates(float scale, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(-1.5F, 2.5F);
  std::vector<float> coordinates(4 * kFetches);
  for (float& each : coordinates) each = any(random) * scale;
  for (std::size_t k = 0; k < coordinates.size(); k += 5)
    coordinates[k] = std::round(coordinates[k] * 2) / 2;
  return coordinates;
}

std::vector<std::uint8_t> asBytes(const void* from, std::size_t bytes) {
  const auto* data = static_cast<const std::uint8_t*>(from);
  return {data, data + bytes};
}

Texture shape(std::uint32_t width, std::uint32_t height, std::uint32_t depth) {
  Texture texture;
  texture.width = width;
  texture.height = height;
  texture.depth = depth;
  return texture;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sampling)

BOOST_AUTO_TEST_CASE(filters_and_edges) {
  std::mt19937 random(3);
  std::vector<float> values(7 * 5 * 3);
  for (float& value : values) value = static_cast<float>(random() % 2000) / 7.0F - 100.0F;
  const auto texels = asBytes(values.data(), values.size() * sizeof(float));
  const std::string results = "{%f5, %f6, %f7, %f8}, [%rd5, ";
  const std::string statements[] = {"tex.1d.v4.f32.f32 " + results + "{%f1}];",
                                    "tex.2d.v4.f32.f32 " + results + "{%f1, %f2}];",
                                    "tex.3d.v4.f32.f32 " + results + "{%f1, %f2, %f3, %f3}];"};
  for (unsigned dimensions = 1; dimensions <= 3; ++dimensions) {
    for (unsigned kind = 0; kind < 16; ++kind) {
      Texture texture = shape(7, dimensions > 1 ? 5 : 1, dimensions > 2 ? 3 : 1);
      texture.linear = (kind & 1U) != 0;
      texture.normalisedCoordinates = (kind & 2U) != 0;
      texture.border = {-3.25F, 0, 0, 0};
      for (unsigned axis = 0; axis < 3; ++axis)
        texture.beyond[axis] = static_cast<Beyond>((kind / 4 + axis) % 4);
      const auto coordinates = randomCoordinates(texture.normalisedCoordinates ? 1.0F : 6.0F, kind);
      const auto out = fetched(texture, texels, statements[dimensions - 1], coordinates);
      for (std::size_t k = 0; k < kFetches; ++k) {
        const float wanted = sampled(texture, values, &coordinates[4 * k], dimensions);
        if (out[4 * k] == wanted) continue;
        BOOST_ERROR(dimensions << "d, kind " << kind << ", x " << coordinates[4 * k] << " y "
                               << coordinates[4 * k + 1] << ": " << out[4 * k] << ", expected "
                               << wanted);
        break;
      }
    }
  }
}

// Rows and layers are padded. The layer is clamped; the level and the gradient are ignored.
BOOST_AUTO_TEST_CASE(layers_and_levels) {
  std::vector<float> values(4 * 12);  // 4 layers of 3 rows: 3 texels and one of padding
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
  Texture texture = shape(3, 3, 1);
  texture.layers = 4;
  texture.rowBytes = 16;
  texture.sliceBytes = 48;
  const auto texels = asBytes(values.data(), values.size() * sizeof(float));
  std::vector<float> coordinates;
  for (int layer = -1; layer < 7; ++layer) {
    for (int k = 0; k < 9; ++k)
      coordinates.insert(coordinates.end(),
                         {static_cast<float>(k % 3) + 0.5F, static_cast<float>(k / 3) + 0.5F, 0.0F,
                          static_cast<float>(layer)});
  }
  const std::string results = "{%f5, %f6, %f7, %f8}, [%rd5, ";
  const std::vector<std::string> statements = {
      "tex.a2d.v4.f32.f32 " + results + "{%r4, %f1, %f2, %f2}];",
      "tex.level.a2d.v4.f32.f32 " + results + "{%r4, %f1, %f2, %f2}], %f9;",
      "tex.grad.a2d.v4.f32.f32 " + results + "{%r4, %f1, %f2, %f2}], {%f9, %f9}, {%f9, %f9};",
      "tex.a2d.v4.f32.s32 " + results + "{%r4, %r1, %r2, %r2}];",
      "tex.a2d.v4.f32.f32 {%f5, %f6, %f7, %f8}|%p1, [%rd5, {%r4, %f1, %f2, %f2}]; @!%p1 trap;"};
  for (const std::string& statement : statements) {
    const auto out = fetched(texture, texels, statement, coordinates);
    for (std::size_t k = 0; k < coordinates.size() / 4; ++k) {
      const int layer = std::min(std::max(static_cast<int>(k / 9) - 1, 0), 3);
      const int texel = static_cast<int>(k % 9);
      BOOST_TEST(out[4 * k] == static_cast<float>(12 * layer + texel / 3 * 4 + texel % 3),
                 statement);
      BOOST_TEST(out[4 * k + 3] == 1.0F);
    }
  }
}

// Elements of every type with 1, 2 and 4 channels: as stored, as numbers in [-1, 1], as halves.
BOOST_AUTO_TEST_CASE(elements) {
  const std::vector<std::uint8_t> bytes = {0,  127, 128, 255, 1,   60, 0,  252,
                                           85, 42,  200, 64,  254, 3,  77, 190};
  const std::vector<float> coordinates = {0.5F, 0, 0, 0};
  const auto read = [&](Element element, unsigned channels, bool normalised,
                        const std::string& type) {
    Texture texture = shape(16 / channels /
                                (element < Element::U16    ? 1
                                 : element == Element::F32 ? 4
                                                           : 2),
                            1, 1);
    texture.element = element;
    texture.channels = channels;
    texture.normalisedReads = normalised;
    const std::string results = type == "f32" ? "{%f5, %f6, %f7, %f8}" : "{%r5, %r6, %r7, %r8}";
    const std::string moves =
        "mov.b32 %f5, %r5; mov.b32 %f6, %r6; mov.b32 %f7, %r7; mov.b32 %f8, %r8;";
    return fetched(
        texture, bytes,
        "tex.1d.v4." + type + ".f32 " + results + ", [%rd5, {%f1}];" + (type == "f32" ? "" : moves),
        coordinates);
  };
  const auto asInteger = [](float value) {
    std::int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  const auto plain = read(Element::S8, 4, false, "s32");
  for (std::size_t k = 0; k < 4; ++k)
    BOOST_TEST(asInteger(plain[k]) == static_cast<std::int8_t>(bytes[k]));
  const auto two = read(Element::U16, 2, false, "u32");
  BOOST_TEST(asInteger(two[0]) == 0x7f00);
  BOOST_TEST(asInteger(two[1]) == 0xff80);
  BOOST_TEST(asInteger(two[2]) == 0);
  BOOST_TEST(asInteger(two[3]) == 1);
  // Normalised elements give numbers, whichever type the instruction names.
  for (const std::string type : {"f32", "s32", "u32"}) {
    const auto unit = read(Element::U8, 4, true, type);
    for (std::size_t k = 0; k < 4; ++k) BOOST_TEST(unit[k] == static_cast<float>(bytes[k] / 255.0));
    const auto half = read(Element::S16, 1, true, type);
    BOOST_TEST(half[0] == static_cast<float>(0x7f00 / 32767.0));
    BOOST_TEST(half[3] == 1.0F);
  }
  const auto fractions = read(Element::U8, 4, false, "f32");  // numbers for the type alone
  for (std::size_t k = 0; k < 4; ++k)
    BOOST_TEST(fractions[k] == static_cast<float>(bytes[k] / 255.0));
  const auto f16 = read(Element::F16, 4, false, "f32");
  for (std::size_t k = 0; k < 4; ++k) {
    const auto bits = static_cast<std::uint16_t>(bytes[2 * k] | bytes[2 * k + 1] << 8);
    const auto wanted = static_cast<float>(fromHalf<F16Format>(bits));
    BOOST_TEST((f16[k] == wanted || (std::isnan(wanted) && std::isnan(f16[k]))));
  }
  BOOST_TEST(std::isinf(f16[3]));
}

// The four texels around a point, counter-clockwise from the lower left.
BOOST_AUTO_TEST_CASE(gathers) {
  std::vector<std::uint8_t> texels(4 * 4 * 4);
  for (std::size_t k = 0; k < texels.size(); ++k) texels[k] = static_cast<std::uint8_t>(k);
  Texture texture = shape(4, 4, 1);
  texture.element = Element::U8;
  texture.channels = 4;
  const auto out =
      fetched(texture, texels,
              "tld4.b.2d.v4.u32.f32 {%r5, %r6, %r7, %r8}, [%rd5, {%f1, %f2}]; cvt.rn.f32.u32 %f5, "
              "%r5; cvt.rn.f32.u32 %f6, %r6; cvt.rn.f32.u32 %f7, %r7; cvt.rn.f32.u32 %f8, %r8;",
              {2.0F, 1.2F, 0, 0, 0.1F, 3.9F, 0, 0});
  const auto texel = [](int x, int y) { return static_cast<float>(4 * (4 * y + x) + 2); };
  BOOST_TEST((out == std::vector<float>{texel(1, 1), texel(2, 1), texel(2, 0), texel(1, 0),
                                        texel(0, 3), texel(0, 3), texel(0, 3), texel(0, 3)}));
}

BOOST_AUTO_TEST_CASE(handles) {
  Bench bench(
      kernelText("txq.width.b32 %r1, [%rd90]; txq.height.b32 %r2, [%rd90]; txq.array_size.b32 %r3, "
                 "[%rd90]; txq.normalized_coords.b32 %r4, [%rd90]; st.global.v4.u32 [%rd91], {%r1, "
                 "%r2, %r3, %r4}; tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd90, {%r3, %f1}];"));
  Texture texture = shape(5, 1, 1);
  texture.layers = 2;
  texture.address = bench.buffer(std::vector<float>(10), "image");
  const std::uint64_t handle = bench.executor.createTexture(texture);
  const std::uint64_t out = bench.buffer(std::vector<std::uint32_t>(4));
  bench.parameter(handle).parameter(out).parameter(0U);
  bench.run();
  BOOST_TEST((bench.values<std::uint32_t>(out, 4) == std::vector<std::uint32_t>{5, 1, 2, 0}));
  bench.executor.destroyTexture(handle);
  expectError([&] { bench.run(); }, {"there is no texture of handle"});
  BOOST_TEST(errorOf([&] {
               bench.executor.destroyTexture(handle);
             }).find("there is no texture of handle") == 0U);
  BOOST_TEST(bench.executor.createTexture(texture) == handle);  // the handle's place is used again
  const auto refused = [&](const std::function<void(Texture&)>& change) {
    Texture changed = texture;
    change(changed);
    return errorOf([&] { bench.executor.createTexture(changed); });
  };
  expect(refused([](Texture& t) { t.layers = 3; }), {"not within one allocation"});
  BOOST_TEST(refused([](Texture& t) { t.depth = 2; }).find("a layered texture of depth 2") == 0U);
  BOOST_TEST(refused([](Texture& t) {
               t.element = Element::U32;
               t.linear = true;
             }).find("a linear filter of integers") == 0U);
  BOOST_TEST(refused([](Texture& t) {
               t.normalisedReads = true;
             }).find("normalised reads of a texture") == 0U);
  expect(refused([](Texture& t) {
           t.height = 0xffffffff;
           t.layers = 0xffffffff;
         }),
         {"not within one allocation"});
  expect(refused([](Texture& t) { t.sliceBytes = 8; }), {"slices are shorter"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
