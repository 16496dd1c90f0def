// Functions of one instruction against their definitions on the host: integers, and arithmetic in
// the host's rounding modes.
#include <boost/test/unit_test.hpp>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "tests/cuda_programs/device_run.h"

namespace {

using namespace fermata::test;

using u64 = unsigned long long;
using i64 = long long;
using u8 = std::uint8_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;
using Oracle = std::uint32_t (*)(const std::uint32_t* in);
constexpr double kFactor = 0x1.123456789abcdp-3;

template <class To, class From>
To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Folds results as lane_functions.cu does.
std::uint32_t packed(std::uint32_t value) {
  return value;
}
std::uint32_t packed(int value) {
  return static_cast<std::uint32_t>(value);
}
std::uint32_t packed(u64 value) {
  return static_cast<std::uint32_t>(value) * 3 ^ static_cast<std::uint32_t>(value >> 32);
}
std::uint32_t packed(i64 value) {
  return packed(static_cast<u64>(value));
}
std::uint32_t packed(float value) {
  return std::isnan(value) ? 0x7fffffff : as<std::uint32_t>(value);
}
std::uint32_t packed(double value) {
  return packed(std::isnan(value) ? u64{0x7ff8000000000000} : as<u64>(value));
}

/// Returns x as an integer in the current rounding mode. It saturates. NaN gives 0 where both have
/// 32 bits, else the number whose highest bit alone is set.
template <class Whole, class Real>
Whole whole(Real x) {
  using Limits = std::numeric_limits<Whole>;
  const double r = std::nearbyint(static_cast<double>(x));
  if (std::isnan(r))  // PTX defines these values
    return sizeof(Real) == 4 && sizeof(Whole) == 4
               ? Whole{0}
               : static_cast<Whole>(Whole{1} << (8 * sizeof(Whole) - 1));
  if (r <= static_cast<double>(Limits::min())) return Limits::min();
  if (r >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<Whole>(r);
}
std::uint32_t low32(i64 a) {
  return static_cast<std::uint32_t>(a);
}
i64 low24(std::uint32_t a) {
  return static_cast<std::int32_t>(a << 8) >> 8;
}
u64 pair(std::uint32_t high, std::uint32_t low) {
  return u64{high} << 32 | low;
}
std::uint32_t permuted(u64 bytes, std::uint32_t selectors) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32; i += 8)
    result |= static_cast<std::uint32_t>(bytes >> (8 * (selectors >> (i / 2) & 7)) & 0xff) << i;
  return result;
}
/// Returns the place of the first bit that is set, from the highest or the lowest on.
template <class T>
unsigned firstOne(T a, unsigned width, bool downwards) {
  for (unsigned i = 0; i < width; ++i) {
    if ((a >> (downwards ? width - 1 - i : i) & 1) != 0) return i;
  }
  return width;
}
template <class T>
unsigned ones(T a) {
  unsigned n = 0;
  for (unsigned i = 0; i < 8 * sizeof a; ++i) n += a >> i & 1;
  return n;
}
template <class T>
T reversed(T a, unsigned width) {
  T r = 0;
  for (unsigned i = 0; i < width; ++i) r |= static_cast<T>(T(a >> i & 1) << (width - 1 - i));
  return r;
}
/// Applies `f` to each part of `width` bits.
template <class Function>
std::uint32_t parts(unsigned width, std::uint32_t a, std::uint32_t b, Function f) {
  const std::uint32_t mask = (1U << width) - 1;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32; i += width)
    result |= (static_cast<std::uint32_t>(
                   f(static_cast<int>(a >> i & mask), static_cast<int>(b >> i & mask))) &
               mask)
              << i;
  return result;
}
template <class Byte>
std::uint32_t dot(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  for (unsigned i = 0; i < 32; i += 8)
    sum += static_cast<std::uint32_t>(static_cast<Byte>(a >> i) * static_cast<Byte>(b >> i));
  return sum;
}
/// Returns the minimum; -0 is less than 0, and a NaN loses.
float least(float x, float y) {
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? y : x;
  return x < y ? x : y;
}

#define ORACLE(name, on_host)                                                          \
  {#name, [](const std::uint32_t* in) {                                                \
     [[maybe_unused]] const std::uint32_t a = in[0], b = in[1], c = in[2];             \
     [[maybe_unused]] const auto x = as<float>(a), y = as<float>(b), z = as<float>(c); \
     [[maybe_unused]] const int i = as<int>(a), j = as<int>(b);                        \
     [[maybe_unused]] const i64 l = as<i64>(pair(a, b)), m = as<i64>(pair(c, a));      \
     [[maybe_unused]] const auto d = as<double>(l);                                    \
     return packed(on_host);                                                           \
   }},
const std::map<std::string, Oracle> kExact = {
#define EACH(name, on_device, on_host) ORACLE(name, on_host)
#define ROUNDED(name, arguments, on_host)
#include "tests/cuda_programs/lane_functions.inl"
#undef EACH
#undef ROUNDED
};
/// References that the host computes in its current rounding mode.
const std::map<std::string, Oracle> kRounded = {
#define EACH(name, on_device, on_host)
#define ROUNDED(name, arguments, on_host) ORACLE(name, on_host)
#include "tests/cuda_programs/lane_functions.inl"
#undef EACH
#undef ROUNDED
#undef ORACLE
};

std::vector<std::uint32_t> words(std::size_t lanes) {
  const std::uint32_t special[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff,
                                   0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x00800000,
                                   0x3f000000, 0x4f000000, 0xcf000000, 31,         32,
                                   33,         0x7fc00000, 0x007fffff};
  std::mt19937 random(11);
  std::vector<std::uint32_t> all;
  for (const std::uint32_t a : special) {
    for (const std::uint32_t b : special) all.insert(all.end(), {a, b, special[(a ^ b) % 18]});
  }
  while (all.size() < 3 * lanes) {
    const std::uint32_t a = static_cast<std::uint32_t>(random());
    // Half of the pairs have near exponents, so that sums cancel.
    const std::uint32_t b =
        (random() & 1) != 0 ? static_cast<std::uint32_t>(random()) : a ^ (random() & 0x80ffffff);
    all.insert(all.end(), {a, b, static_cast<std::uint32_t>(random())});
  }
  all.resize(3 * lanes);
  return all;
}

void compare(DeviceRun& device, const std::string& kernel, Oracle oracle, int mode) {
  constexpr std::size_t kLanes = 1U << 14;
  const std::vector<std::uint32_t> in = words(kLanes);
  const std::vector<std::uint32_t> out = device.run<std::uint32_t>(kernel, in, kLanes);
  std::fesetround(mode);
  std::size_t wrong = kLanes;
  std::uint32_t expected = 0;
  for (std::size_t i = 0; i < kLanes && wrong == kLanes; ++i) {
    const volatile std::uint32_t right = oracle(&in[3 * i]);
    if (out[i] == right) continue;
    wrong = i;
    expected = right;
  }
  std::fesetround(FE_TONEAREST);
  BOOST_TEST(wrong == kLanes, kernel << " of " << std::hex << in[3 * wrong % in.size()] << ", "
                                     << in[(3 * wrong + 1) % in.size()] << ", "
                                     << in[(3 * wrong + 2) % in.size()] << " is "
                                     << out[wrong % kLanes] << "; expected " << expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lane_functions)

BOOST_AUTO_TEST_CASE(are_what_the_host_computes) {
  const std::string source = FERMATA_SOURCE_DIR "/tests/cuda_programs/lane_functions.cu";
  for (const char* level : {"-O0", "-O3"}) {
    DeviceRun device(ptxOf(source, {level}));
    for (const auto& [name, oracle] : kExact) compare(device, name, oracle, FE_TONEAREST);
    for (const auto& [name, oracle] : kRounded) {
      compare(device, name + "_rn", oracle, FE_TONEAREST);
      compare(device, name + "_rz", oracle, FE_TOWARDZERO);
      compare(device, name + "_ru", oracle, FE_UPWARD);
      compare(device, name + "_rd", oracle, FE_DOWNWARD);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
