// Copies by tensor maps whose channels lie in slices of 16 or 32 bytes: random maps, in both
// directions, against a host implementation by elements.

#include "tests/ptx/tensor_machine.h"
#include "tests/support/test.h"

#include <algorithm>

namespace fermata::ptx::test {
namespace {

/// A random map, where its box begins, and the size of the box.
struct SlicedBox {
  TensorMap map;
  Coordinates at{};
  std::array<std::uint16_t, 3> offsets{};
  unsigned bytes = 0;
};

/// The array [n][slice][spatial ...][channel of the slice] in which the tensor lies.
struct SlicedArray {
  std::int64_t channels;  ///< of a slice
  std::int64_t slicePitch;
};
SlicedArray arrayOf(const TensorMap& map) {
  const std::int64_t bytes = map.interleave == TensorInterleave::Slices16 ? 16 : 32;
  std::int64_t pitch = bytes;  // a slice holds all spatial places, with the gaps between rows
  for (unsigned k = 1; k + 1 < map.rank; ++k)
    pitch = static_cast<std::int64_t>(map.strides[k - 1] * map.dims[k]);
  return {bytes / map.elementBytes(), pitch};
}

/// Returns the offset of an element in the tensor's memory, or -1 outside of the tensor.
std::int64_t offsetOf(const TensorMap& map, const std::array<std::int64_t, 5>& x) {
  const SlicedArray array = arrayOf(map);
  std::int64_t offset = x[0] / array.channels * array.slicePitch +
                        x[0] % array.channels * static_cast<std::int64_t>(map.elementBytes());
  for (unsigned k = 0; k < map.rank; ++k) {
    if (x[k] < 0 || x[k] >= static_cast<std::int64_t>(map.dims[k])) return -1;
    if (k > 0) offset += x[k] * static_cast<std::int64_t>(map.strides[k - 1]);
  }
  return offset;
}

/// Returns the channels with which the slices of a box begin.
std::vector<std::int64_t> slicesOf(const SlicedBox& box) {
  const TensorMap& map = box.map;
  const auto per = static_cast<unsigned>(arrayOf(map).channels);
  const unsigned channels = map.im2col ? map.im2col->channels : map.box[0];
  std::vector<std::int64_t> firsts;
  for (unsigned c = 0; c < channels; c += per * map.steps[0])
    firsts.push_back(box.at[0] + std::int64_t{c});
  return firsts;
}

/// Returns the spatial places of one slice of the box, in order, as coordinates; x[0] is free.
std::vector<std::array<std::int64_t, 5>> placesOf(const TensorMap& map, const Coordinates& at) {
  std::vector<std::array<std::int64_t, 5>> places(1);
  for (unsigned k = 0; k < map.rank; ++k) places[0][k] = at[k];
  for (unsigned k = map.rank - 2; k >= 1; --k) {
    std::vector<std::array<std::int64_t, 5>> more;
    for (const auto& place : places) {
      for (unsigned x = 0; x < map.box[k]; x += map.steps[k]) {
        more.push_back(place);
        more.back()[k] += x;
      }
    }
    places = more;
  }
  return places;
}

/// Returns the pixels of mode im2col, in order.
std::vector<std::array<std::int64_t, 5>> pixelsOf(const SlicedBox& box) {
  const TensorMap& map = box.map;
  const TensorPixels& p = *map.im2col;
  std::array<std::int64_t, 5> x{};
  for (unsigned k = 0; k < map.rank; ++k) x[k] = box.at[k];
  std::vector<std::array<std::int64_t, 5>> all;
  while (all.size() < p.pixels) {
    all.push_back(x);
    for (unsigned k = 1; k + 1 < map.rank; ++k) all.back()[k] += box.offsets[k - 1];
    for (unsigned k = 1; k < map.rank; ++k) {
      x[k] += map.steps[k];
      if (k + 1 == map.rank || x[k] < static_cast<std::int64_t>(map.dims[k]) + p.upper[k - 1])
        break;
      x[k] = p.lower[k - 1];
    }
  }
  return all;
}

/// Calls each(place in the box, offset in the tensor or -1) for the elements of a box, in order.
template <class Each>
void eachElement(const SlicedBox& box, Each each) {
  const TensorMap& map = box.map;
  const std::int64_t per = arrayOf(map).channels;
  const unsigned last = map.rank - 1;
  unsigned place = 0;
  const unsigned count = map.im2col ? 1 : (map.box[last] + map.steps[last] - 1) / map.steps[last];
  const auto places = map.im2col ? pixelsOf(box) : placesOf(map, box.at);
  for (unsigned n = 0; n < count; ++n) {
    for (const std::int64_t first : slicesOf(box)) {
      for (std::array<std::int64_t, 5> x : places) {
        x[last] += std::int64_t{n} * map.steps[last];
        for (std::int64_t c = 0; c < per; ++c, place += map.elementBytes()) {
          x[0] = first + c;
          each(place, offsetOf(map, x));
        }
      }
    }
  }
}

class RandomSlices {
 public:
  explicit RandomSlices(unsigned seed) : random_(seed) {}

  /// Returns a map of a tensor within the memory at `address`.
  SlicedBox next(std::uint64_t address, bool im2col) {
    for (;;) {
      SlicedBox one;
      TensorMap& map = one.map;
      map.rank = static_cast<unsigned>(number(3, 5));
      map.type = static_cast<TensorType>(number(0, 9));
      map.interleave = static_cast<TensorInterleave>(number(1, 2));
      const bool wide = map.interleave == TensorInterleave::Slices32;
      map.swizzle = wide ? TensorSwizzle::Span32 : static_cast<TensorSwizzle>(number(0, 6));
      map.address = address + 32 * static_cast<unsigned>(number(0, 15));
      map.fillsNan = map.type >= TensorType::F16 && number(0, 1) == 1;
      takeShape(one, wide ? 32 : 16);
      if (im2col) takePixels(one);
      eachElement(one, [&](unsigned place, std::int64_t) { one.bytes = place; });
      one.bytes += map.elementBytes();
      if (map.refusal().empty() && one.bytes <= kMostBox &&
          map.strides[map.rank - 2] * map.dims[map.rank - 1] < kMemory - 2048)
        return one;
    }
  }

 private:
  int number(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
  }

  void takeShape(SlicedBox& one, unsigned slice) {
    TensorMap& map = one.map;
    const unsigned per = slice / map.elementBytes();
    std::uint64_t stride = slice;
    for (unsigned k = 0; k < map.rank; ++k) {
      map.dims[k] = static_cast<unsigned>(number(1, k == 0 ? 70 : 9));
      if (k > 0) {
        if (k + 1 == map.rank) stride *= (map.dims[0] + per - 1) / per;
        map.strides[k - 1] = stride + slice * static_cast<unsigned>(number(0, 2));
        stride = map.strides[k - 1] * map.dims[k];
      }
      map.box[k] = static_cast<unsigned>(number(1, k == 0 ? 64 : 6));
      map.steps[k] = static_cast<unsigned>(number(0, 2) == 0 ? number(1, 4) : 1);
      one.at[k] = number(-1, static_cast<int>(map.dims[k]));
    }
    one.at[0] = number(-1, static_cast<int>(map.dims[0] / per)) * static_cast<int>(per);
  }

  void takePixels(SlicedBox& one) {
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

  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(interleaved_tensors)

BOOST_AUTO_TEST_CASE(random_boxes_arrive) {
  Machine machine;
  RandomSlices random(21);
  unsigned outside = 0, partly = 0;
  for (unsigned k = 0; k < 4000; ++k) {
    const bool im2col = k % 4 == 0;
    const SlicedBox one = random.next(machine.tensor, im2col);
    const TensorMap& map = one.map;
    std::vector<Byte> expected(kTile);
    const std::size_t start = map.address - machine.tensor;
    unsigned filled = 0, all = 0;
    eachElement(one, [&](unsigned place, std::int64_t offset) {
      Byte element[8];
      ++all;
      filled += offset < 0 ? 1 : 0;
      if (offset < 0) fill(map, element);
      for (unsigned byte = 0; byte < map.elementBytes(); ++byte)
        expected[placeOf(map.swizzle, place + byte)] =
            offset < 0 ? element[byte]
                       : machine.bytes[start + static_cast<std::size_t>(offset) + byte];
    });
    outside += filled == all ? 1 : 0;
    partly += filled != 0 && filled != all ? 1 : 0;
    const unsigned covered = (one.bytes + 127) / 128 * 128;
    const std::string name = (im2col ? "pixels" : "load") + std::to_string(map.rank) + "d";
    machine.run(name, map, one.at, one.offsets, covered, one.bytes);
    const std::vector<Byte> got = machine.read(machine.data, covered);
    BOOST_TEST_REQUIRE((std::equal(got.begin(), got.end(), expected.begin())), "map " << k);
  }
  BOOST_TEST(outside > 100U);
  BOOST_TEST(partly > 1000U);
}

BOOST_AUTO_TEST_CASE(random_boxes_leave) {
  Machine machine;
  RandomSlices random(22);
  std::mt19937 values(3);
  for (unsigned k = 0; k < 1000; ++k) {
    const SlicedBox one = random.next(machine.tensor, false);
    std::vector<Byte> tile(kTile);
    for (Byte& byte : tile) byte = static_cast<Byte>(values());
    machine.memory.write(machine.data, tile.data(), tile.size());
    const std::size_t start = one.map.address - machine.tensor;
    eachElement(one, [&](unsigned place, std::int64_t offset) {
      for (unsigned byte = 0; byte < one.map.elementBytes() && offset >= 0; ++byte)
        machine.bytes[start + static_cast<std::size_t>(offset) + byte] =
            tile[placeOf(one.map.swizzle, place + byte)];
    });
    machine.run("store" + std::to_string(one.map.rank) + "d", one.map, one.at, {}, kTile);
    if (k % 50 == 49)
      BOOST_TEST_REQUIRE((machine.read(machine.tensor, kMemory) == machine.bytes), "map " << k);
  }
}

// A tensor of 20 channels of f16, 3 x 2 x 1, as three slices; the box takes the last two of 2 x 2.
BOOST_AUTO_TEST_CASE(order_of_a_box) {
  TensorMap map;
  map.type = TensorType::F16;
  map.rank = 4;
  map.dims = {20, 3, 2, 1, 1};
  map.strides = {16, 48, 288, 0};
  map.box = {12, 2, 2, 1, 1};
  map.interleave = TensorInterleave::Slices16;
  BOOST_TEST(map.refusal() == "");
  const TensorBox box(map, {8, 1, 0, 0, 0});
  BOOST_TEST(box.bytes() == 128U);
  const std::uint64_t addresses[] = {112, 128, 160, 176, 208, 224, 256, 272};
  for (unsigned k = 0; k < 8; ++k) {
    BOOST_TEST(box.chunk(k).address == addresses[k]);
    BOOST_TEST(box.chunk(k).end == (k < 4 ? 16U : 8U));  // channels 16 to 19 are half of a slice
  }
}

// A box that begins within a slice cannot be copied whole.
BOOST_AUTO_TEST_CASE(boxes_begin_with_slices) {
  Machine machine;
  TensorMap map;
  map.address = machine.tensor;
  map.type = TensorType::F16;
  map.rank = 3;
  map.dims = {32, 8, 2, 1, 1};
  map.strides = {16, 512, 0, 0};
  map.box = {8, 8, 1, 1, 1};
  map.interleave = TensorInterleave::Slices16;
  for (const std::string entry : {"load3d", "store3d"}) {
    expectError(
        [&] { machine.run(entry, map, {12}, {}, 0, 128); },
        {"coordinate 12 of an interleaved tensor along dimension 0; expected a multiple of 8"});
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
