// Copies by tensor maps: random maps, in both directions, against a host implementation written
// apart.

#include "tests/ptx/tensor_machine.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>

namespace fermata::ptx::test {
namespace {

// The host's side, by elements: no chunk, no arithmetic on bits.

/// Calls each(place in the box, offset in the tensor or -1) for the elements of a box, in order.
template <class Each>
void elements(const TensorMap& map, const Coordinates& at, Each each) {
  const int size = static_cast<int>(map.elementBytes());
  int counts[5] = {1, 1, 1, 1, 1};
  for (unsigned d = 0; d < map.rank; ++d) {
    counts[d] = static_cast<int>(map.box[d]);
    if (d != 0) counts[d] = static_cast<int>(std::ceil(1.0 * map.box[d] / map.steps[d]));
  }
  int place = 0;
  for (int e = 0; e < counts[4]; ++e)
    for (int d = 0; d < counts[3]; ++d)
      for (int c = 0; c < counts[2]; ++c)
        for (int b = 0; b < counts[1]; ++b)
          for (int a = 0; a < counts[0]; ++a, place += size) {
            const int index[5] = {a, b, c, d, e};
            std::int64_t offset = 0;
            bool inside = true;
            for (unsigned k = 0; k < map.rank; ++k) {
              const std::int64_t x = at[k] + std::int64_t{index[k]} * (k == 0 ? 1 : map.steps[k]);
              inside = inside && x >= 0 && x < static_cast<std::int64_t>(map.dims[k]);
              offset +=
                  x * static_cast<std::int64_t>(k == 0 ? map.elementBytes() : map.strides[k - 1]);
            }
            each(place, inside ? offset : -1);
          }
}

/// The elements of a box of mode im2col: pixel by pixel.
template <class Each>
void pixels(const TensorMap& map, const Coordinates& at,
            const std::array<std::uint16_t, 3>& offsets, Each each) {
  const TensorPixels& p = *map.im2col;
  std::array<std::int64_t, 5> x{};
  for (unsigned k = 0; k < map.rank; ++k) x[k] = at[k];
  int place = 0;
  for (unsigned pixel = 0; pixel < p.pixels; ++pixel) {
    for (unsigned c = 0; c < p.channels; ++c, place += static_cast<int>(map.elementBytes())) {
      std::int64_t offset = (at[0] + static_cast<std::int64_t>(c)) * map.elementBytes();
      bool inside = at[0] + static_cast<std::int64_t>(c) >= 0 &&
                    at[0] + static_cast<std::int64_t>(c) < static_cast<std::int64_t>(map.dims[0]);
      for (unsigned k = 1; k < map.rank; ++k) {
        const std::int64_t y = x[k] + (k + 1 < map.rank ? offsets[k - 1] : 0);
        inside = inside && y >= 0 && y < static_cast<std::int64_t>(map.dims[k]);
        offset += y * static_cast<std::int64_t>(map.strides[k - 1]);
      }
      each(place, inside ? offset : -1);
    }
    for (unsigned k = 1; k < map.rank; ++k) {
      x[k] += map.steps[k];
      if (k + 1 == map.rank || x[k] < static_cast<std::int64_t>(map.dims[k]) + p.upper[k - 1])
        break;
      x[k] = p.lower[k - 1];
    }
  }
}

/// A random map, the coordinates of a box and its size.
struct Case {
  TensorMap map;
  Coordinates at{};
  std::array<std::uint16_t, 3> offsets{};
  unsigned bytes = 0;
};

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}

  int number(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
  }

  /// Returns a map of a tensor within the memory.
  Case next(std::uint64_t address, bool im2col) {
    for (;;) {
      Case one;
      TensorMap& map = one.map;
      map.rank = static_cast<unsigned>(number(im2col ? 3 : 1, 5));
      map.type = static_cast<TensorType>(number(0, 12));
      map.address = address + 16 * static_cast<unsigned>(number(0, 31));
      map.swizzle = static_cast<TensorSwizzle>(number(0, 6));
      map.fillsNan = map.type >= TensorType::F16 && number(0, 1) == 1;
      std::uint64_t stride = 0;
      for (unsigned k = 0; k < map.rank; ++k) {
        map.dims[k] = static_cast<unsigned>(number(1, k == 0 ? 70 : 12));
        if (k > 0) {
          stride = (stride == 0 ? map.dims[0] * map.elementBytes() : stride * map.dims[k - 1]);
          stride = (stride + 15) / 16 * 16 + 16 * static_cast<unsigned>(number(0, 2));
          map.strides[k - 1] = stride;
        }
        map.box[k] = static_cast<unsigned>(number(1, k == 0 ? 64 : 9));
        map.steps[k] = static_cast<unsigned>(number(0, 2) == 0 ? number(1, 4) : 1);
        one.at[k] = number(-9, static_cast<int>(map.dims[k]) + 3);
        // A box begins at a multiple of 16 bytes.
        const int size = static_cast<int>(map.elementBytes());
        if (k == 0) one.at[0] = static_cast<int>(std::floor(one.at[0] * size / 16.0)) * 16 / size;
      }
      if (im2col) takePixels(one);
      one.bytes = sizeOf(map);
      if (map.refusal().empty() && one.bytes <= kMostBox &&
          stride * map.dims[map.rank - 1] < kMemory - 2048)
        return one;
    }
  }

 private:
  void takePixels(Case& one) {
    TensorMap& map = one.map;
    TensorPixels p;
    for (unsigned k = 1; k + 1 < map.rank; ++k) {
      p.lower[k - 1] = static_cast<std::int16_t>(number(-3, 1));
      p.upper[k - 1] = static_cast<std::int16_t>(number(-3, 2));
      one.offsets[k - 1] = static_cast<std::uint16_t>(number(0, 4));
      // Begins at a place that a walk from the corner reaches.
      const int span = std::max(1, static_cast<int>(map.dims[k]) + p.upper[k - 1] - p.lower[k - 1]);
      const int step = static_cast<int>(map.steps[k]);
      one.at[k] = p.lower[k - 1] + number(0, (span - 1) / step) * step;
    }
    p.channels = map.box[0];
    p.pixels = static_cast<unsigned>(number(1, 40));
    map.im2col = p;
  }
  static unsigned sizeOf(const TensorMap& map) {
    unsigned bytes = map.box[0] * map.elementBytes();
    if (map.im2col) return bytes * map.im2col->pixels;
    for (unsigned k = 1; k < map.rank; ++k) bytes *= (map.box[k] + map.steps[k] - 1) / map.steps[k];
    return bytes;
  }

  std::mt19937 random_;
};

/// Returns a float rounded to 11 bits, as the host rounds doubles: ties to even. Denormals are
/// multiples of a 10th bit of the least exponent.
float rounded(float value) {
  constexpr int kBits = 11, kLeast = -126;
  if (!std::isfinite(value) || value == 0) return value;
  const int unit = std::max(std::ilogb(value), kLeast) - (kBits - 1);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(double{value}, -unit)), unit));
}
/// Rounds a float, if the type of the map says so.
void round(const TensorMap& map, Byte* at) {
  if (map.type != TensorType::Tf32 && map.type != TensorType::Tf32Ftz) return;
  float value;
  std::memcpy(&value, at, 4);
  const Word nan = 0x7fffe000;
  value = rounded(value);
  std::memcpy(at, &value, 4);
  if (std::isnan(value)) std::memcpy(at, &nan, 4);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_copies)

BOOST_AUTO_TEST_CASE(random_boxes_arrive) {
  Machine machine;
  Random random(11);
  unsigned outside = 0, partly = 0;
  for (unsigned k = 0; k < 10000; ++k) {
    const bool im2col = k % 8 == 0;
    const Case one = random.next(machine.tensor, im2col);
    const TensorMap& map = one.map;
    std::vector<Byte> expected(kTile);
    const std::size_t start = map.address - machine.tensor;
    unsigned filled = 0, all = 0;
    const auto put = [&](int place, std::int64_t offset) {
      Byte element[8];
      const unsigned bytes = map.elementBytes();
      ++all;
      if (offset < 0) {
        fill(map, element);
        ++filled;
      } else {
        std::memcpy(element, &machine.bytes[start + static_cast<std::size_t>(offset)], bytes);
        round(map, element);
      }
      for (unsigned byte = 0; byte < bytes; ++byte)
        expected[placeOf(map.swizzle, static_cast<unsigned>(place) + byte)] = element[byte];
    };
    im2col ? pixels(map, one.at, one.offsets, put) : elements(map, one.at, put);
    outside += filled == all ? 1 : 0;
    partly += filled != 0 && filled != all ? 1 : 0;
    // Swizzled, a box covers whole rows of 128 bytes.
    const unsigned covered = (one.bytes + 127) / 128 * 128;
    const std::string name = (im2col ? "pixels" : "load") + std::to_string(map.rank) + "d";
    machine.run(name, map, one.at, one.offsets, covered, one.bytes);
    const std::vector<Byte> got = machine.read(machine.data, covered);
    BOOST_TEST_REQUIRE((std::equal(got.begin(), got.end(), expected.begin())), "map " << k);
  }
  BOOST_TEST(outside > 100U);
  BOOST_TEST(partly > 1000U);
}

// Bits before and after, of which a half are ties (NVIDIA sm_120, by others).
BOOST_AUTO_TEST_CASE(floats_are_rounded) {
  const Word all[][2] = {
      {0x00000000, 0x00000000}, {0x80000000, 0x80000000}, {0x00000001, 0x00000000},
      {0x80002000, 0x80002000}, {0x007fffff, 0x00800000}, {0x3f801000, 0x3f800000},
      {0x3f801001, 0x3f802000}, {0x3f803000, 0x3f804000}, {0xbf803000, 0xbf804000},
      {0x7f7fffff, 0x7f800000}, {0xff800000, 0xff800000}, {0xff800001, 0x7fffe000},
  };
  for (const auto& [before, after] : all) BOOST_TEST(tf32Rounded(before) == after);
  std::mt19937 random(9);
  for (unsigned k = 0; k < 100000; ++k) {
    const auto bits = static_cast<Word>(k % 2 == 0 ? random() : (random() & ~0xfffU) | 0x1000U);
    TensorMap map;
    map.type = TensorType::Tf32;
    Byte bytes[4];
    std::memcpy(bytes, &bits, 4);
    round(map, bytes);
    Word expected;
    std::memcpy(&expected, bytes, 4);
    BOOST_TEST_REQUIRE(tf32Rounded(bits) == expected);
  }
}

BOOST_AUTO_TEST_CASE(boxes_begin_at_16_bytes) {
  Machine machine;
  TensorMap map;
  map.rank = 1;
  map.address = machine.tensor;
  map.dims[0] = 64;
  map.box[0] = 32;
  for (const auto& [type, step] : {std::pair(TensorType::U8, 16),
                                   {TensorType::Bf16, 8},
                                   {TensorType::F32, 4},
                                   {TensorType::F64, 2}}) {
    map.type = type;
    for (const int at : {-step, 0, step})
      machine.run("load1d", map, {at}, {}, 256, 32 * map.elementBytes());
    for (const std::string entry : {"load1d", "store1d"})
      BOOST_CHECK_EXCEPTION(machine.run(entry, map, {step - 1}, {}, 256, 32 * map.elementBytes()),
                            InputError, ([step = step](const InputError& error) {
                              return fermata::test::has(
                                  error.what(), "expected a multiple of " + std::to_string(step));
                            }));
  }
}

BOOST_AUTO_TEST_CASE(random_boxes_leave) {
  Machine machine;
  Random random(12);
  std::mt19937 values(3);
  for (unsigned k = 0; k < 2000; ++k) {
    const Case one = random.next(machine.tensor, false);
    std::vector<Byte> tile(kTile);
    for (Byte& byte : tile) byte = static_cast<Byte>(values());
    machine.memory.write(machine.data, tile.data(), tile.size());
    const std::size_t start = one.map.address - machine.tensor;
    elements(one.map, one.at, [&](int place, std::int64_t offset) {
      for (unsigned byte = 0; byte < one.map.elementBytes() && offset >= 0; ++byte)
        machine.bytes[start + static_cast<std::size_t>(offset) + byte] =
            tile[placeOf(one.map.swizzle, static_cast<unsigned>(place) + byte)];
    });
    machine.run("store" + std::to_string(one.map.rank) + "d", one.map, one.at, {}, kTile);
    if (k % 50 == 49)
      BOOST_TEST_REQUIRE((machine.read(machine.tensor, kMemory) == machine.bytes), "map " << k);
  }
}

// Elements are combined one after another with what memory holds.
BOOST_AUTO_TEST_CASE(random_reductions) {
  Machine machine;
  Random random(13);
  std::mt19937 values(3);
  const char* const kOps[] = {"add", "min", "max", "and", "or", "xor"};
  const auto combined = [](unsigned op, Word a, Word b, bool isSigned) -> Word {
    const bool less =
        isSigned ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
    const Word results[] = {a + b, less ? a : b, less ? b : a, a & b, a | b, a ^ b};
    return results[op];
  };
  for (unsigned k = 0; k < 600; ++k) {
    Case one = random.next(machine.tensor, false);
    const bool isSigned = k % 2 == 0;
    one.map.type = isSigned ? TensorType::S32 : TensorType::U32;
    one.map.fillsNan = false;
    one.at[0] = one.at[0] / 4 * 4;
    if (!one.map.refusal().empty()) continue;
    std::vector<Byte> tile(kTile);
    for (Byte& byte : tile) byte = static_cast<Byte>(values());
    machine.memory.write(machine.data, tile.data(), tile.size());
    const std::size_t start = one.map.address - machine.tensor;
    const unsigned op = k % 6;
    bool fits = true;
    elements(one.map, one.at, [&](int place, std::int64_t offset) {
      fits = fits && place + 4 <= static_cast<int>(kTile) &&
             start + static_cast<std::size_t>(std::max<std::int64_t>(offset, 0)) + 4 <= kMemory;
    });
    if (!fits) continue;
    elements(one.map, one.at, [&](int place, std::int64_t offset) {
      if (offset < 0) return;
      Word old, operand;
      Byte* const at = &machine.bytes[start + static_cast<std::size_t>(offset)];
      std::memcpy(&old, at, 4);
      std::memcpy(&operand, &tile[placeOf(one.map.swizzle, static_cast<unsigned>(place))], 4);
      const Word result = combined(op, old, operand, isSigned);
      std::memcpy(at, &result, 4);
    });
    machine.run(kOps[op] + std::to_string(one.map.rank) + "d", one.map, one.at, {}, kTile);
  }
  BOOST_TEST((machine.read(machine.tensor, kMemory) == machine.bytes));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
