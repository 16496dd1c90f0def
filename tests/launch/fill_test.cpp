#include <fermata/stimuli/launch/fill.h>

#include <fermata/stimuli/images/random.h>
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

/// Returns the contents of a buffer that TOML lines describe.
std::vector<std::uint8_t> contents(const std::string& lines, const std::string& folder = "") {
  const auto description =
      parseLaunchFile("kernel = 'k.cu'\n[parameters]\nn = 5\n[buffers.b]\n" + lines +
                          "\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n",
                      "f.toml");
  const Plan plan = planLaunches(description, {});
  return fillBuffer(plan.buffers[0], plan.scope, folder);
}

template <class T>
std::vector<T> elements(const std::string& lines) {
  return elementsOf<T>(contents(lines));
}

template <class T>
void checkEqual(const std::vector<T>& got, const std::vector<T>& expected) {
  BOOST_CHECK_EQUAL_COLLECTIONS(got.begin(), got.end(), expected.begin(), expected.end());
}

BOOST_AUTO_TEST_SUITE(fill)

BOOST_AUTO_TEST_CASE(writes_what_the_table_says) {
  checkEqual(elements<std::uint16_t>("type = 'u16'\ncount = 3"), {0, 0, 0});
  checkEqual(elements<double>("type = 'f64'\ncount = 2\nfill = 'zero'"), {0.0, 0.0});
  checkEqual(elements<std::int16_t>("type = 's16'\ncount = 3\nfill = { constant = -2 }"),
             std::vector<std::int16_t>{-2, -2, -2});
  checkEqual(elements<float>("type = 'f32'\ncount = 2\nfill = { constant = 0.5 }"), {0.5F, 0.5F});
  checkEqual(elements<float>("type = 'f32'\ncount = 2\nfill = { constant = 'n * 2' }"),
             {10.0F, 10.0F});
  checkEqual(
      elements<std::int8_t>("type = 's8'\ncount = 'n'\nfill = { iota = { from = 4, step = -3 } }"),
      std::vector<std::int8_t>{4, 1, -2, -5, -8});
  checkEqual(
      elements<double>("type = 'f64'\ncount = 3\nfill = { iota = { from = 1, step = 0.25 } }"),
      {1.0, 1.25, 1.5});
  checkEqual(elements<std::uint64_t>("type = 'u64'\ncount = 3\nfill = { formula = 'i * i + n' }"),
             std::vector<std::uint64_t>{5, 6, 9});
}

BOOST_AUTO_TEST_CASE(halves_are_rounded_once) {
  // 1 + 2^-11 lies between two halves and rounds to the even one; slightly more rounds up.
  checkEqual(elements<std::uint16_t>(
                 "type = 'f16'\ncount = 3\nfill = { iota = { from = 1.0, step = 0.00048828125 } }"),
             std::vector<std::uint16_t>{0x3c00, 0x3c00, 0x3c01});
  checkEqual(elements<std::uint16_t>("type = 'f16'\ncount = 2\nfill = { constant = -0.1 }"),
             std::vector<std::uint16_t>{0xae66, 0xae66});
  checkEqual(elements<std::uint16_t>("type = 'f16'\ncount = 3\nfill = { formula = 'i - 1' }"),
             std::vector<std::uint16_t>{0xbc00, 0, 0x3c00});
  for (const std::uint16_t half : elements<std::uint16_t>(
           "type = 'f16'\ncount = 99\nfill = { random = { seed = 1, from = 1.0, to = 2.0 } }"))
    BOOST_TEST((half >= 0x3c00 && half <= 0x4000));
  checkEqual(elements<std::uint16_t>("type = 'f16'\ncount = 1\nfill = { constant = 65519 }"),
             std::vector<std::uint16_t>{0x7bff});
  for (const char* fill : {"{ constant = 65520 }", "{ formula = '-65520' }"}) {
    refuses([&] { contents(std::string("type = 'f16'\ncount = 1\nfill = ") + fill); },
            "does not fit f16; expected -65504 to 65504");
  }
}

BOOST_AUTO_TEST_CASE(random_numbers_are_the_same_everywhere) {
  // SplitMix64 from seed 0 gives the published first outputs.
  images::Random random(0);
  BOOST_TEST(random.next() == 0xe220a8397b1dcdafULL);
  BOOST_TEST(random.next() == 0x6e789e6aa1b965f4ULL);
  BOOST_TEST(random.next() == 0x06c45d188009454fULL);
  const std::string lines =
      "type = 's32'\ncount = 1000\nfill = { random = { seed = 9, from = -3, to = 3 } }";
  const auto values = elements<std::int32_t>(lines);
  checkEqual(values, elements<std::int32_t>(lines));
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  BOOST_TEST(*least == -3);
  BOOST_TEST(*greatest == 3);
  for (std::int32_t value = -3; value <= 3; ++value) {
    const auto drawn = std::count(values.begin(), values.end(), value);
    BOOST_TEST((drawn > 100 && drawn < 190), value << " was drawn " << drawn << " times");
  }
  BOOST_TEST(
      (elements<std::int32_t>("type = 's32'\ncount = 1000\n"
                              "fill = { random = { seed = 10, from = -3, to = 3 } }") != values));
}

BOOST_AUTO_TEST_CASE(random_floats_stay_in_their_range) {
  const auto values = elements<float>(
      "type = 'f32'\ncount = 4096\nfill = { random = { seed = 1, from = -1.0, to = 3.0 } }");
  for (const float value : values) BOOST_REQUIRE((value >= -1.0F && value <= 3.0F));
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 4096;
  BOOST_TEST(std::abs(mean - 1.0) < 0.1);
}

BOOST_AUTO_TEST_CASE(products_are_exact_to_64_bits) {
  // Random::below gives the upper half of a 64 x 64-bit product: compared with a product in long
  // double.
  for (const std::uint64_t bound : {1ULL, 2ULL, 1000ULL, 1ULL << 40, ~0ULL}) {
    images::Random random(5);
    images::Random same(5);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t got = random.below(bound);
      const long double exact = static_cast<long double>(same.next()) / 0x1p64L * bound;
      BOOST_REQUIRE(got < bound);
      BOOST_REQUIRE(std::abs(static_cast<long double>(got) - std::floor(exact)) <= 1.0L);
    }
  }
}

BOOST_AUTO_TEST_CASE(reads_raw_files) {
  const Scratch scratch;
  scratch.write("raw.bin", std::string("\x01\x02\x03\x04", 4));
  const std::string folder = fs::path(scratch.path("x")).parent_path().string();
  checkEqual(elementsOf<std::uint16_t>(
                 contents("type = 'u16'\ncount = 2\nfill = { file = 'raw.bin' }", folder)),
             std::vector<std::uint16_t>{0x0201, 0x0403});
  refuses([&] { contents("type = 'u16'\ncount = 3\nfill = { file = 'raw.bin' }", folder); },
          "has 4 bytes; expected 6");
  refuses([&] { contents("type = 'u16'\ncount = 2\nfill = { file = 'none.bin' }", folder); },
          "cannot be read");
  refuses([&] { contents("type = 'u16'\ncount = 2\nfill = { file = '.' }", folder); },
          "is a folder; expected a file of raw elements");
}

BOOST_AUTO_TEST_CASE(refuses_values_that_do_not_fit) {
  const std::vector<Refusal> cases = {
      {"type = 'u8'\ncount = 1\nfill = { constant = 256 }",
       "f.toml:7:21: 256 does not fit u8; expected 0 to 255"},
      {"type = 's8'\ncount = 1\nfill = { constant = -129 }", "expected -128 to 127"},
      {"type = 'u32'\ncount = 1\nfill = { constant = -1 }", "expected 0 to 4294967295"},
      {"type = 'u32'\ncount = 1\nfill = { constant = 0.5 }",
       "a number with a fraction; expected an integer"},
      {"type = 'u8'\ncount = 300\nfill = { iota = {} }",
       "the fill gives 256, which does not fit u8"},
      {"type = 's64'\ncount = 3\nfill = { iota = { from = 9223372036854775806 } }",
       "iota leaves 64 bits"},
      {"type = 'u8'\ncount = 2\nfill = { random = { seed = 1, from = 0, to = 256 } }",
       "256 does not fit u8"},
      {"type = 'u8'\ncount = 2\nfill = { random = { seed = 1, from = 9, to = 3 } }",
       "expected from <= to"},
      {"type = 'f32'\ncount = 2\nfill = { random = { seed = 1, from = 0, to = inf } }",
       "expected from <= to"},
      {"type = 'u8'\ncount = 9\nfill = { formula = 'i - 1' }", "the fill gives -1"},
      {"type = 'u8'\ncount = 9\nfill = { formula = '1 / (i - 5) + 1' }", "division by zero"},
  };
  refusesAll(cases, [&](const std::string& lines) { contents(lines); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
