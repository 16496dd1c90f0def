// Tensor maps: what is refused, what the bytes keep, where a swizzle puts chunks, and the bank
// conflicts that it cures.

#include <fermata/stimuli/ptx/tensor_map.h>
#include "tests/support/test.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace fermata::ptx::test {
namespace {

namespace bdata = boost::unit_test::data;

/// A matrix of 100 x 64 halves, in boxes of 8 x 64.
TensorMap matrix() {
  TensorMap map;
  map.type = TensorType::F16;
  map.rank = 2;
  map.address = 0x10000;
  map.dims = {64, 100, 1, 1, 1};
  map.strides = {128, 0, 0, 0};
  map.box = {64, 8, 1, 1, 1};
  return map;
}

struct BadMap {
  const char* refusal;
  std::function<void(TensorMap&)> change;
};

const BadMap kBadMaps[] = {
    {"rank 0", [](TensorMap& m) { m.rank = 0; }},
    {"rank 6", [](TensorMap& m) { m.rank = 6; }},
    {"a multiple of 16", [](TensorMap& m) { m.address += 8; }},
    {"dims[1] = 0", [](TensorMap& m) { m.dims[1] = 0; }},
    {"dims[0] = 4294967297", [](TensorMap& m) { m.dims[0] = (1ULL << 32) + 1; }},
    {"strides[0] = 136", [](TensorMap& m) { m.strides[0] = 136; }},
    {"strides[0] = 1099511627776", [](TensorMap& m) { m.strides[0] = 1ULL << 40; }},
    {"box[1] = 0", [](TensorMap& m) { m.box[1] = 0; }},
    {"box[1] = 257", [](TensorMap& m) { m.box[1] = 257; }},
    {"steps[1] = 0", [](TensorMap& m) { m.steps[1] = 0; }},
    {"steps[1] = 9", [](TensorMap& m) { m.steps[1] = 9; }},
    {"120 bytes along dimension 0; expected a multiple of 16", [](TensorMap& m) { m.box[0] = 60; }},
    {"at most the swizzle's 32", [](TensorMap& m) { m.swizzle = TensorSwizzle::Span32; }},
    {"at most the swizzle's 64", [](TensorMap& m) { m.swizzle = TensorSwizzle::Span64; }},
    {"at most the swizzle's 128",
     [](TensorMap& m) {
       m.box[0] = 128;
       m.swizzle = TensorSwizzle::Span128;
     }},
    {"a fill with NaN of integers",
     [](TensorMap& m) {
       m.type = TensorType::U16;
       m.fillsNan = true;
     }},
    {"rank 2 with an interleave", [](TensorMap& m) { m.interleave = TensorInterleave::Slices16; }},
    {"expected that of 32 bytes",
     [](TensorMap& m) {
       m.rank = 3;
       m.interleave = TensorInterleave::Slices32;
     }},
    {"expected a multiple of 32",
     [](TensorMap& m) {
       m.rank = 3;
       m.strides[1] = 16;
       m.interleave = TensorInterleave::Slices32;
       m.swizzle = TensorSwizzle::Span32;
     }},
    {"dims[0] = 63 of a packed type; expected a multiple of 2",
     [](TensorMap& m) {
       m.type = TensorType::PackedU4;
       m.dims[0] = 63;
     }},
    {"dims[0] = 64 of a packed type; expected a multiple of 128",
     [](TensorMap& m) { m.type = TensorType::PaddedU4; }},
    {"box[0] = 64 of a type with gaps; expected 128",
     [](TensorMap& m) {
       m.type = TensorType::PaddedU6;
       m.dims[0] = 128;
     }},
    {"a box of 8 bytes along dimension 0",
     [](TensorMap& m) {
       m.type = TensorType::PackedU4;
       m.box[0] = 16;
     }},
    {"rank 2 of mode im2col",
     [](TensorMap& m) {
       m.im2col = TensorPixels{{}, {}, 8, 8};
     }},
    {"1025 pixels",
     [](TensorMap& m) {
       m.rank = 4;
       m.im2col = TensorPixels{{}, {}, 8, 1025};
     }},
    {"a corner of 128 pixels at rank 4; expected -128 to 127",
     [](TensorMap& m) {
       m.rank = 4;
       m.im2col = TensorPixels{{}, {0, 128, 0}, 8, 8};
     }},
    {"corners that leave no pixel",
     [](TensorMap& m) {
       m.rank = 3;
       m.im2col = TensorPixels{{100}, {0}, 8, 8};
     }},
};

/// Returns the passes of 8 lanes that read 16 bytes each: the most that one group of 4 banks gets.
unsigned passes(const std::array<std::uint32_t, 8>& addresses) {
  unsigned counts[8] = {}, most = 0;
  for (const std::uint32_t address : addresses) most = std::max(most, ++counts[address / 16 % 8]);
  return most;
}

/// Returns the passes in which 8 lanes read one column of chunks, 8 rows of `bytes` each.
unsigned passesOfColumn(TensorSwizzle swizzle, unsigned bytes) {
  std::array<std::uint32_t, 8> addresses{};
  for (unsigned row = 0; row < 8; ++row) addresses[row] = swizzled(swizzle, row * bytes);
  return passes(addresses);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_maps)

BOOST_AUTO_TEST_CASE(wrong_maps_are_refused) {
  BOOST_TEST(matrix().refusal() == "");
  for (const BadMap& bad : kBadMaps) {
    TensorMap map = matrix();
    bad.change(map);
    const std::string text = map.refusal();
    BOOST_TEST(text.find(bad.refusal) != std::string::npos, bad.refusal << ": " << text);
  }
}

BOOST_AUTO_TEST_CASE(bytes_keep_all_fields) {
  TensorMap map = matrix();
  map.rank = 5;
  map.dims = {64, 1ULL << 32, 3, 4, 5};
  map.strides = {128, 256, (1ULL << 40) - 16, 512};
  map.box = {8, 256, 1, 2, 3};
  map.steps = {1, 2, 3, 4, 8};
  map.swizzle = TensorSwizzle::Span64;
  map.promotion = TensorPromotion::Bytes256;
  map.fillsNan = true;
  map.im2col = TensorPixels{{-16, 3, 2}, {1, -2, 15}, 256, 1024};
  const auto read = TensorMap::decode(map.encode());
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST((read->encode() == map.encode()));
  BOOST_TEST((read->dims == map.dims && read->strides == map.strides && read->box == map.box));
  BOOST_TEST((read->steps == map.steps && read->im2col == map.im2col));
  BOOST_TEST(!TensorMap::decode(TensorMap::Bytes{}).has_value());
}

// The chunks of 8 rows of 128 bytes, as tables: which chunk of its row lies at each place.
BOOST_AUTO_TEST_CASE(patterns) {
  const auto rowOf = [](TensorSwizzle swizzle, unsigned row) {
    std::string chunks(8, '.');
    for (unsigned chunk = 0; chunk < 8; ++chunk) {
      const std::uint32_t place = swizzled(swizzle, 128 * row + 16 * chunk);
      BOOST_TEST(place / 128 == row);
      chunks[place % 128 / 16] = static_cast<char>('0' + chunk);
    }
    return chunks;
  };
  const struct {
    TensorSwizzle swizzle;
    std::vector<std::string> rows;
  } all[] = {
      {TensorSwizzle::None, {"01234567", "01234567"}},
      {TensorSwizzle::Span32, {"01234567", "10325476", "01234567", "10325476"}},
      {TensorSwizzle::Span64, {"01234567", "10325476", "23016745", "32107654", "01234567"}},
      {TensorSwizzle::Span128,
       {"01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301",
        "76543210", "01234567"}},
      {TensorSwizzle::Span128Atom32, {"01234567", "23016745", "45670123", "67452301", "01234567"}},
      {TensorSwizzle::Span128Atom64, {"01234567", "45670123", "01234567"}},
  };
  for (const auto& pattern : all) {
    for (unsigned row = 0; row < pattern.rows.size(); ++row)
      BOOST_TEST(rowOf(pattern.swizzle, row) == pattern.rows[row]);
  }
  // Halves of 16 bytes change places in odd rows, besides.
  BOOST_TEST(swizzled(TensorSwizzle::Span128Atom32Flip8, 0) == 0U);
  BOOST_TEST(swizzled(TensorSwizzle::Span128Atom32Flip8, 128) == 128U + 32 + 8);
  BOOST_TEST(swizzled(TensorSwizzle::Span128Atom32Flip8, 128 + 8) == 128U + 32);
}

// Boxes are dense, so an engine that writes them in order has no conflicts in any mode. What reads
// a column of chunks (ldmatrix, wgmma) has, unless the swizzle spans the rows.
BOOST_AUTO_TEST_CASE(columns_without_conflicts) {
  for (unsigned s = 0; s <= static_cast<unsigned>(TensorSwizzle::Span128Atom64); ++s) {
    const auto swizzle = static_cast<TensorSwizzle>(s);
    for (unsigned row = 0; row < 16; ++row) {
      std::array<std::uint32_t, 8> written{};
      for (unsigned k = 0; k < 8; ++k) written[k] = swizzled(swizzle, 128 * row + 16 * k);
      BOOST_TEST(passes(written) == 1U);
    }
  }
  for (const unsigned bytes : {16U, 32U, 64U, 128U})
    BOOST_TEST(passesOfColumn(TensorSwizzle::None, bytes) == bytes / 16);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span32, 32) == 1U);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span64, 64) == 1U);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span128, 128) == 1U);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span64, 128) == 2U);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span32, 128) == 4U);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span128Atom32, 128) == 2U);
  BOOST_TEST(passesOfColumn(TensorSwizzle::Span128Atom64, 128) == 4U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
