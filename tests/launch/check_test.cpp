#include <fermata/stimuli/launch/check.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

template <class T>
std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
void compare(ElementType type, const std::vector<T>& got, const std::vector<T>& expected,
             double absolute = 0, double relative = 0) {
  Check check;
  check.absolute = absolute;
  check.relative = relative;
  check.where = {"f.toml", 7, 1};
  PlannedBuffer buffer;
  buffer.name = "b";
  buffer.type = type;
  buffer.count = got.size();
  compareBuffer(check, buffer, bytesOf(got).data(), bytesOf(expected));
}

BOOST_AUTO_TEST_SUITE(check)

BOOST_AUTO_TEST_CASE(names_the_first_wrong_element) {
  try {
    compare<std::int32_t>(ElementType::S32, {1, 2, -3, 4}, {1, 2, 3, 5});
    BOOST_ERROR("a wrong buffer passed");
  } catch (const CheckError& error) {
    BOOST_TEST(error.buffer() == "b");
    BOOST_TEST(error.index() == 2U);
    BOOST_TEST(error.got() == "-3");
    BOOST_TEST(error.expected() == "3");
    BOOST_TEST(
        std::string(error.what()) ==
        "f.toml:7: buffer 'b' is wrong at index 2: got -3, expected 3 (2 of 4 elements differ)");
  }
}

BOOST_AUTO_TEST_CASE(integers_are_exact) {
  const std::uint64_t large = (1ULL << 60) + 1;  // a double cannot tell it from its neighbour
  compare<std::uint64_t>(ElementType::U64, {large}, {large});
  BOOST_CHECK_THROW(compare<std::uint64_t>(ElementType::U64, {large}, {large - 1}), CheckError);
  BOOST_CHECK_THROW(compare<std::uint8_t>(ElementType::U8, {1}, {2}), CheckError);
  BOOST_CHECK_THROW(compare<std::int8_t>(ElementType::S8, {1}, {-1}), CheckError);
  BOOST_CHECK_THROW(compare<std::uint16_t>(ElementType::U16, {1}, {2}), CheckError);
  BOOST_CHECK_THROW(compare<std::int16_t>(ElementType::S16, {1}, {2}), CheckError);
  BOOST_CHECK_THROW(compare<std::uint32_t>(ElementType::U32, {1}, {2}), CheckError);
  BOOST_CHECK_THROW(compare<std::int64_t>(ElementType::S64, {1}, {2}), CheckError);
}

BOOST_AUTO_TEST_CASE(floats_have_a_tolerance) {
  compare<float>(ElementType::F32, {1.0F}, {1.0F});
  BOOST_CHECK_THROW(compare<float>(ElementType::F32, {1.0F}, {1.001F}), CheckError);
  compare<float>(ElementType::F32, {1.0F}, {1.001F}, 0.002);
  compare<double>(ElementType::F64, {1000.0}, {1001.0}, 0, 0.001);
  BOOST_CHECK_THROW(compare<double>(ElementType::F64, {1000.0}, {1001.01}, 0, 0.0009), CheckError);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  compare<float>(ElementType::F32, {nan, infinity}, {nan, infinity}, 1, 1);
  BOOST_CHECK_THROW(compare<float>(ElementType::F32, {nan}, {1.0F}, 1e9, 1), CheckError);
  BOOST_CHECK_THROW(compare<float>(ElementType::F32, {1.0F}, {nan}, 1e9, 1), CheckError);
  BOOST_CHECK_THROW(compare<float>(ElementType::F32, {infinity}, {1.0F}, 1e9, 1), CheckError);
}

BOOST_AUTO_TEST_CASE(halves_are_the_numbers_they_stand_for) {
  compare<std::uint16_t>(ElementType::F16, {0x0000, 0x7e00},
                         {0x8000, 0x7fff});  // zeros of both signs; NaNs of different bits
  compare<std::uint16_t>(ElementType::F16, {0x3c00}, {0x3c01}, 0x1p-10);
  BOOST_CHECK_THROW(compare<std::uint16_t>(ElementType::F16, {0x3c00}, {0x3c02}, 0x1p-10),
                    CheckError);
  try {
    compare<std::uint16_t>(ElementType::F16, {0x3e00}, {0xc000});
    BOOST_ERROR("a wrong buffer passed");
  } catch (const CheckError& error) {
    BOOST_TEST(error.got() == "1.5");
    BOOST_TEST(error.expected() == "-2");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
