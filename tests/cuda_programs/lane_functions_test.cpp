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

struct Lane {
  std::uint32_t a, b, c;
  float x, y, z;
  std::int64_t l, m;
  double d;
};
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;
using Oracle = std::uint32_t (*)(const Lane&);

std::uint32_t bits(float x) {
  std::uint32_t word;
  std::memcpy(&word, &x, 4);
  return std::isnan(x) ? 0x7fffffffU : word;
}
std::uint32_t folded(std::uint64_t x) {
  return static_cast<std::uint32_t>(x) * 3 ^ static_cast<std::uint32_t>(x >> 32);
}
std::uint32_t folded(std::int64_t x) {
  return folded(static_cast<std::uint64_t>(x));
}
std::uint32_t folded(double x) {
  std::uint64_t word;
  std::memcpy(&word, &x, 8);
  if (std::isnan(x)) word = 0x7ff8000000000000U;
  return folded(word);
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
std::int64_t asInt(std::uint32_t a) {
  return static_cast<std::int32_t>(a);
}
std::int64_t low24(std::uint32_t a) {
  return static_cast<std::int32_t>(a << 8) >> 8;
}
std::uint32_t low32(std::int64_t a) {
  return static_cast<std::uint32_t>(a);
}
std::uint64_t pair(const Lane& v) {
  return static_cast<std::uint64_t>(v.b) << 32 | v.a;
}
std::uint32_t permuted(const Lane& v) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<std::uint32_t>(pair(v) >> (8 * (v.c >> (4 * i) & 7)) & 0xff) << (8 * i);
  return result;
}
std::uint32_t count(std::uint64_t a, unsigned from, unsigned to, bool downwards) {
  for (unsigned i = from; i < to; ++i) {
    if ((a >> (downwards ? to - 1 - i : i) & 1) != 0) return i;
  }
  return to;
}
std::uint32_t ones(std::uint64_t a) {
  std::uint32_t n = 0;
  for (; a != 0; a &= a - 1) ++n;
  return n;
}
std::uint32_t reversed(std::uint32_t a) {
  std::uint32_t r = 0;
  for (unsigned i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
  return r;
}

std::uint64_t bitsOf(std::int64_t a) {
  return static_cast<std::uint64_t>(a);
}
std::uint64_t reversed64(std::uint64_t a) {
  return std::uint64_t{reversed(static_cast<std::uint32_t>(a))} << 32 |
         reversed(static_cast<std::uint32_t>(a >> 32));
}
/// Applies `f` to each part of `width` bits.
template <class Function>
std::uint32_t parts(unsigned width, std::uint32_t a, std::uint32_t b, Function f) {
  const std::uint32_t mask = (1U << width) - 1;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32; i += width)
    result |= (static_cast<std::uint32_t>(f(a >> i & mask, b >> i & mask)) & mask) << i;
  return result;
}
template <class Byte>
std::uint32_t dot(const Lane& v) {
  std::uint32_t sum = v.c;
  for (unsigned i = 0; i < 32; i += 8)
    sum += static_cast<std::uint32_t>(static_cast<Byte>(v.a >> i) * static_cast<Byte>(v.b >> i));
  return sum;
}

/// Returns the minimum; -0 is less than 0, and a NaN loses.
float least(float x, float y) {
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? y : x;
  return x < y ? x : y;
}

const std::map<std::string, Oracle> kExact = {
    {"clz", [](const Lane& v) { return count(v.a, 0, 32, true); }},
    {"clzll", [](const Lane& v) { return count(static_cast<std::uint64_t>(v.l), 0, 64, true); }},
    {"popc", [](const Lane& v) { return ones(v.a); }},
    {"popcll", [](const Lane& v) { return ones(static_cast<std::uint64_t>(v.l)); }},
    {"brev", [](const Lane& v) { return reversed(v.a); }},
    {"first_set", [](const Lane& v) { return v.a == 0 ? 0 : count(v.a, 0, 32, false) + 1; }},
    {"first_set_of_64",
     [](const Lane& v) {
       return v.l == 0 ? 0 : count(static_cast<std::uint64_t>(v.l), 0, 64, false) + 1;
     }},
    {"byte_perm", permuted},
    {"funnelshift_l",
     [](const Lane& v) { return static_cast<std::uint32_t>(pair(v) << (v.c & 31) >> 32); }},
    {"funnelshift_r",
     [](const Lane& v) { return static_cast<std::uint32_t>(pair(v) >> (v.c & 31)); }},
    {"funnelshift_lc",
     [](const Lane& v) {
       return static_cast<std::uint32_t>(v.c >= 32 ? v.a : pair(v) << v.c >> 32);
     }},
    {"funnelshift_rc",
     [](const Lane& v) { return static_cast<std::uint32_t>(v.c >= 32 ? v.b : pair(v) >> v.c); }},
    {"mul24", [](const Lane& v) { return low32(low24(v.a) * low24(v.b)); }},
    {"umul24", [](const Lane& v) { return (v.a & 0xffffff) * (v.b & 0xffffff); }},
    {"mulhi", [](const Lane& v) { return low32(asInt(v.a) * asInt(v.b) >> 32); }},
    {"umulhi",
     [](const Lane& v) { return static_cast<std::uint32_t>(std::uint64_t{v.a} * v.b >> 32); }},
    {"umul64hi",
     [](const Lane& v) {
       const auto a = static_cast<std::uint64_t>(v.l);
       const auto h = static_cast<std::uint64_t>(static_cast<Wide>(a) * (a + v.c) >> 64);
       return static_cast<std::uint32_t>(h * 3 + (h >> 32));
     }},
    {"hadd", [](const Lane& v) { return low32((asInt(v.a) + asInt(v.b)) >> 1); }},
    {"rhadd", [](const Lane& v) { return low32((asInt(v.a) + asInt(v.b) + 1) >> 1); }},
    {"uhadd",
     [](const Lane& v) { return static_cast<std::uint32_t>((std::uint64_t{v.a} + v.b) >> 1); }},
    {"urhadd",
     [](const Lane& v) { return static_cast<std::uint32_t>((std::uint64_t{v.a} + v.b + 1) >> 1); }},
    {"sad", [](const Lane& v) { return low32(std::abs(asInt(v.a) - asInt(v.b)) + asInt(v.c)); }},
    {"usad", [](const Lane& v) { return (v.a > v.b ? v.a - v.b : v.b - v.a) + v.c; }},
    {"brevll", [](const Lane& v) { return folded(reversed64(bitsOf(v.l))); }},
    {"mul64hi",
     [](const Lane& v) {
       return folded(static_cast<std::int64_t>(static_cast<SignedWide>(v.l) * v.m >> 64));
     }},
    {"div_s64", [](const Lane& v) { return folded((v.l >> 1) / (v.m | 1)); }},
    {"rem_s64", [](const Lane& v) { return folded((v.l >> 1) % (v.m | 1)); }},
    {"div_u64", [](const Lane& v) { return folded(bitsOf(v.l) / (bitsOf(v.m) | 1)); }},
    {"rem_u64", [](const Lane& v) { return folded(bitsOf(v.l) % (bitsOf(v.m) | 1)); }},
    {"div_s32", [](const Lane& v) { return low32((asInt(v.a) >> 1) / (asInt(v.b) | 1)); }},
    {"rem_s32", [](const Lane& v) { return low32((asInt(v.a) >> 1) % (asInt(v.b) | 1)); }},
    {"div_u32", [](const Lane& v) { return v.a / (v.b | 1); }},
    {"div_u8", [](const Lane& v) { return (v.a & 0xff) / ((v.b & 0xff) | 1); }},
    {"rem_s16",
     [](const Lane& v) {
       return low32(static_cast<std::int16_t>(v.a) % (static_cast<std::int16_t>(v.b) | 1));
     }},
    {"shr_s64", [](const Lane& v) { return folded(v.l >> (v.c & 63)); }},
    {"shl_u64", [](const Lane& v) { return folded(bitsOf(v.l) << (v.c & 63)); }},
    {"dp4a", dot<std::int8_t>},
    {"dp4a_unsigned", dot<std::uint8_t>},
    {"vadd4", [](const Lane& v) { return parts(8, v.a, v.b, std::plus<>()); }},
    {"vsub2", [](const Lane& v) { return parts(16, v.a, v.b, std::minus<>()); }},
    {"vmaxs4",
     [](const Lane& v) {
       return parts(8, v.a, v.b, [](auto x, auto y) {
         return std::max(static_cast<std::int8_t>(x), static_cast<std::int8_t>(y));
       });
     }},
    {"vabsdiffu4",
     [](const Lane& v) {
       return parts(8, v.a, v.b, [](auto x, auto y) { return x > y ? x - y : y - x; });
     }},
    {"vcmpeq4",
     [](const Lane& v) {
       return parts(8, v.a, (v.b & 0xff00ff00U) | (v.a & 0x00ff00ffU),
                    [](auto x, auto y) { return x == y ? 0xff : 0; });
     }},
    {"min_int", [](const Lane& v) { return low32(std::min(asInt(v.a), asInt(v.b))); }},
    {"max_mixed", [](const Lane& v) { return std::max(v.a, v.b); }},
    {"abs_int", [](const Lane& v) { return low32(std::abs(asInt(v.a))); }},
    {"min_float", [](const Lane& v) { return bits(least(v.x, v.y)); }},
    {"max_float", [](const Lane& v) { return bits(-least(-v.x, -v.y)); }},
    {"saturate", [](const Lane& v) { return bits(v.x > 0 ? std::fmin(v.x, 1.0F) : 0.0F); }},
    {"isnan_float",
     [](const Lane& v) {
       return (std::isnan(v.x) ? 1U : 0U) + (std::isinf(v.x) ? 2U : 0U) +
              (std::isfinite(v.x) ? 4U : 0U) + (std::signbit(v.x) ? 8U : 0U);
     }},
};

/// References that the host computes in its current rounding mode.
const std::map<std::string, Oracle> kRounded = {
    {"fadd", [](const Lane& v) { return bits(v.x + v.y); }},
    {"fsub", [](const Lane& v) { return bits(v.x - v.y); }},
    {"fmul", [](const Lane& v) { return bits(v.x * v.y); }},
    {"fmaf", [](const Lane& v) { return bits(std::fma(v.x, v.y, v.z)); }},
    {"fdiv", [](const Lane& v) { return bits(v.x / v.y); }},
    {"frcp", [](const Lane& v) { return bits(1.0F / v.x); }},
    {"fsqrt", [](const Lane& v) { return bits(std::sqrt(v.x)); }},
    {"float2int", [](const Lane& v) { return low32(whole<std::int32_t>(v.x)); }},
    {"float2uint", [](const Lane& v) { return whole<std::uint32_t>(v.x); }},
    {"double2int", [](const Lane& v) { return low32(whole<std::int32_t>(v.d)); }},
    {"float2ll", [](const Lane& v) { return folded(whole<std::int64_t>(v.x)); }},
    {"double2ll", [](const Lane& v) { return folded(whole<std::int64_t>(v.d)); }},
    {"double2ull", [](const Lane& v) { return folded(whole<std::uint64_t>(v.d)); }},
    {"int2float",
     [](const Lane& v) { return bits(static_cast<float>(static_cast<std::int32_t>(v.a))); }},
    {"uint2float", [](const Lane& v) { return bits(static_cast<float>(std::int64_t{v.a})); }},
    {"ll2float", [](const Lane& v) { return bits(static_cast<float>(v.l)); }},
    {"double2float", [](const Lane& v) { return bits(static_cast<float>(v.d)); }},
    {"dadd", [](const Lane& v) { return folded(v.d + 1.0); }},
    {"dmul", [](const Lane& v) { return folded(v.d * 0x1.123456789abcdp-3); }},
    {"dfma", [](const Lane& v) { return folded(std::fma(v.d, 0x1.123456789abcdp-3, 1.0)); }},
    {"ddiv", [](const Lane& v) { return folded(v.d / 0x1.123456789abcdp-3); }},
    {"dsqrt", [](const Lane& v) { return folded(std::sqrt(v.d)); }},
    {"ll2double", [](const Lane& v) { return folded(static_cast<double>(v.l)); }},
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

Lane laneOf(const std::uint32_t* w) {
  const auto joined = [](std::uint64_t high, std::uint64_t low) {
    return static_cast<std::int64_t>(high << 32 | low);
  };
  Lane v{w[0], w[1], w[2], 0, 0, 0, joined(w[0], w[1]), joined(w[2], w[0]), 0};
  std::memcpy(&v.x, w, 4);
  std::memcpy(&v.y, w + 1, 4);
  std::memcpy(&v.z, w + 2, 4);
  std::memcpy(&v.d, &v.l, 8);
  return v;
}

/// Compares results. Where the host has a NaN, any NaN of a float function will do.
bool same(const std::string& name, std::uint32_t device, std::uint32_t host) {
  if (device == host) return true;
  const bool isFloat = name[0] == 'f' || name.find("2float") != std::string::npos ||
                       name.find("_float") != std::string::npos;
  float x;
  std::memcpy(&x, &device, 4);
  return isFloat && host == 0x7fffffffU && std::isnan(x);
}

void compare(DeviceRun& device, const std::string& kernel, Oracle oracle, int mode) {
  constexpr std::size_t kLanes = 1U << 14;
  const std::vector<std::uint32_t> in = words(kLanes);
  const std::vector<std::uint32_t> out = device.run<std::uint32_t>(kernel, in, kLanes);
  std::fesetround(mode);
  std::size_t wrong = kLanes;
  std::uint32_t expected = 0;
  for (std::size_t i = 0; i < kLanes && wrong == kLanes; ++i) {
    const volatile std::uint32_t right = oracle(laneOf(&in[3 * i]));
    if (same(kernel, out[i], right)) continue;
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
