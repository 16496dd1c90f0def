// The functions of fermata_cuda.h, compiled like a user's kernel and compared with the host's.

#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include "tests/support/test.h"

namespace {

using fermata::launch::LaunchWorkload;
using fermata::launch::parseLaunchFile;

constexpr int kThreads = 128;

/// Runs a kernel `k(T* out)` of one block; returns `rows` rows out[row * kThreads + thread].
template <class T>
std::vector<T> run(const std::string& body, int rows, const std::string& type,
                   const std::string& arch = "sm_20") {
  std::string folder = (std::filesystem::temp_directory_path() / "fermata-header-XXXXXX").string();
  BOOST_REQUIRE(::mkdtemp(folder.data()) != nullptr);
  std::ofstream(folder + "/k.cu") << body;
  const std::string text = "kernel = 'k.cu'\narch = '" + arch + "'\n[buffers.out]\ntype = '" +
                           type + "'\ncount = " + std::to_string(rows * kThreads) +
                           "\nfill = 'zero'\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = 128\n"
                           "arguments = [{ buffer = 'out' }]\n";
  LaunchWorkload workload(parseLaunchFile(text, folder + "/k.toml"), {});
  std::filesystem::remove_all(folder);
  workload.runFunctionally();
  const auto bytes = workload.contents("out");
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

BOOST_AUTO_TEST_SUITE(header)

BOOST_AUTO_TEST_CASE(floats_are_as_on_the_host) {
  const auto got = run<float>(R"(
extern "C" __global__ void k(float* out) {
  const int t = threadIdx.x;
  const float x = (t - 40) * 0.37f;
  const float p = fabsf(x) + 0.01f;
  const float values[] = {sinf(x),  cosf(x),   expf(x * 0.1f), logf(p),      powf(p, 1.5f), sqrtf(p),
                          rsqrtf(p), floorf(x), ceilf(x),       truncf(x),    rintf(x),      exp2f(x * 0.1f),
                          log2f(p), fmaf(x, x, 1.0f), fminf(x, 1.0f), fmaxf(x, 1.0f), __fdividef(x, 3.0f)};
  for (int i = 0; i < 17; ++i) out[i * 128 + t] = values[i];
}
)",
                              17, "f32");
  const auto positive = [](double x) { return std::abs(x) + 0.01f; };
  struct Row {
    const char* name;
    std::function<double(double)> expected;
    double tolerance;
  };
  const Row rows[] = {{"sin", [](double x) { return std::sin(x); }, 2e-6},
                      {"cos", [](double x) { return std::cos(x); }, 2e-6},
                      {"exp", [](double x) { return std::exp(x * 0.1); }, 1e-5},
                      {"log", [=](double x) { return std::log(positive(x)); }, 1e-5},
                      {"pow", [=](double x) { return std::pow(positive(x), 1.5); }, 1e-5},
                      {"sqrt", [=](double x) { return std::sqrt(positive(x)); }, 1e-6},
                      {"rsqrt", [=](double x) { return 1 / std::sqrt(positive(x)); }, 1e-5},
                      {"floor", [](double x) { return std::floor(x); }, 0},
                      {"ceil", [](double x) { return std::ceil(x); }, 0},
                      {"trunc", [](double x) { return std::trunc(x); }, 0},
                      {"rint", [](double x) { return std::nearbyint(x); }, 0},
                      {"exp2", [](double x) { return std::exp2(x * 0.1); }, 1e-5},
                      {"log2", [=](double x) { return std::log2(positive(x)); }, 1e-5},
                      {"fma", [](double x) { return x * x + 1; }, 1e-6},
                      {"min", [](double x) { return std::min(x, 1.0); }, 0},
                      {"max", [](double x) { return std::max(x, 1.0); }, 0},
                      {"divide", [](double x) { return x / 3; }, 1e-6}};
  BOOST_TEST(got.size() == std::size(rows) * kThreads);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Row& row = rows[i / kThreads];
    const double x = (static_cast<int>(i % kThreads) - 40) * 0.37f, want = row.expected(x);
    BOOST_TEST(std::abs(got[i] - want) <= row.tolerance * std::max(1.0, std::abs(want)),
               row.name << "(" << x << ") is " << got[i] << ", not " << want);
  }
}

BOOST_AUTO_TEST_CASE(integers_are_as_on_the_host) {
  const auto got = run<std::int32_t>(R"(
extern "C" __global__ void k(int* out) {
  const int t = threadIdx.x;
  const int x = (t - 40) * 0x1234567;
  const unsigned u = x;
  const int values[] = {__popc(u), __clz(x), (int)__brev(u), (int)__umulhi(u, 0x12345678u), min(x, 5), max(x, 5),
                        abs(x), (int)min(u, 5), (int)max(5, u), (int)__ballot(t % 3 == 0), __mul24(t, 3),
                        __float_as_int(__int_as_float(x)), warpSize};
  for (int i = 0; i < 13; ++i) out[i * 128 + t] = values[i];
}
)",
                                     13, "s32");
  for (int t = 0; t < kThreads; ++t) {
    const auto u = static_cast<std::uint32_t>(t - 40) * 0x1234567U;
    const auto x = static_cast<std::int32_t>(u);
    std::uint32_t ones = 0, reversed = 0, zeros = 32, ballot = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      const std::uint32_t set = u >> bit & 1U;
      ones += set;
      reversed |= set << (31 - bit);
      if (set != 0) zeros = 31 - bit;
      if ((static_cast<unsigned>(t) / 32 * 32 + bit) % 3 == 0) ballot |= 1U << bit;
    }
    const auto product = static_cast<std::uint32_t>((std::uint64_t{u} * 0x12345678U) >> 32);
    const auto word = [](int value) { return static_cast<std::uint32_t>(value); };
    const std::vector<std::uint32_t> expected = {ones,
                                                 zeros,
                                                 reversed,
                                                 product,
                                                 word(std::min(x, 5)),
                                                 word(std::max(x, 5)),
                                                 word(std::abs(x)),
                                                 std::min(u, 5U),
                                                 std::max(u, 5U),
                                                 ballot,
                                                 word(t) * 3,
                                                 u,
                                                 32};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto have = static_cast<std::uint32_t>(got[i * kThreads + static_cast<std::size_t>(t)]);
      BOOST_TEST(have == expected[i], "row " << i << ", thread " << t << ": " << have);
    }
  }
}

BOOST_AUTO_TEST_CASE(atomics_act_once_a_thread) {
  const auto got = run<std::uint32_t>(R"(
extern "C" __global__ void k(unsigned* out) {
  __shared__ unsigned s[10];
  __shared__ int least, greatest;
  __shared__ float sum;
  const unsigned t = threadIdx.x;
  if (t < 10) s[t] = t == 3 ? ~0u : 0;
  if (t == 0) { least = 1000; greatest = -1000; sum = 0; }
  __syncthreads();
  out[128 + t] = atomicAdd(&s[0], 1u);
  atomicSub(&s[1], 2u);
  atomicInc(&s[2], 99u);
  atomicAnd(&s[3], ~(1u << (t & 31)));
  atomicOr(&s[4], 1u << (t & 31));
  atomicXor(&s[5], t);
  atomicMax(&s[6], t);
  atomicDec(&s[7], 200u);
  for (unsigned old = 0, seen = ~0u; seen != old; ) { old = s[8]; seen = atomicCAS(&s[8], old, old + 1); fermataForgetMemory(); }
  atomicExch(&s[9], 77u);
  atomicMin(&least, 5 - (int)t);
  atomicMax(&greatest, (int)t - 5);
  atomicAdd(&sum, 0.5f);
  atomicAdd(out + 20, 1u);
  __syncthreads();
  if (t < 10) out[t] = s[t];
  if (t == 0) { out[10] = least; out[11] = greatest; out[12] = (unsigned)sum; }
}
)",
                                      2, "u32");
  std::uint32_t mixed = 0;
  for (std::uint32_t t = 0; t < kThreads; ++t) mixed ^= t;
  const std::vector<std::uint32_t> expected = {128,       0U - 256, 28, 0,        ~0U, mixed, 127,
                                               200 - 127, 128,      77, 5U - 127, 122, 64};
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_TEST(got[i] == expected[i], "result " << i << ": " << got[i]);
  BOOST_TEST(got[20] == 128U);
  std::vector<std::uint32_t> tickets(got.begin() + kThreads, got.end());
  std::sort(tickets.begin(), tickets.end());
  for (std::uint32_t t = 0; t < kThreads; ++t) BOOST_TEST(tickets[t] == t);
}

BOOST_AUTO_TEST_CASE(shuffles_read_other_lanes) {
  const auto got = run<std::int32_t>(R"(
extern "C" __global__ void k(int* out) {
  const int t = threadIdx.x;
  out[t] = __shfl_sync(~0u, t, 5 - t & 31);
  out[128 + t] = __shfl_up_sync(~0u, -t, 3);
  out[256 + t] = (int)(4 * __shfl_down_sync(~0u, t * 0.25f, 2));
  out[384 + t] = __shfl_xor_sync(~0u, (unsigned)t, 9);
  __syncwarp();
}
)",
                                     4, "s32", "sm_70");
  for (int t = 0; t < kThreads; ++t) {
    const int lane = t % 32;
    const int warp = t - lane;
    const auto at = [&](int row) { return got[static_cast<std::size_t>(row * kThreads + t)]; };
    BOOST_TEST(at(0) == warp + ((5 - t) & 31));
    BOOST_TEST(at(1) == (lane < 3 ? -t : 3 - t));
    BOOST_TEST(at(2) == (lane > 29 ? t : t + 2));
    BOOST_TEST(at(3) == warp + (lane ^ 9));
  }
}

BOOST_AUTO_TEST_CASE(matrices_come_and_go_by_rows) {
  // Each warp has 32 rows of 8 halves, copied first. Half c of row r is 8 r + c.
  const auto got = run<std::uint32_t>(R"(
extern "C" __global__ void k(unsigned* out) {
  __shared__ __align__(16) unsigned short from[4][256], to[4][256];
  const unsigned lane = threadIdx.x % 32;
  unsigned short* mine = from[threadIdx.x / 32];
  unsigned* words = out + 10 * 128 + 4 * threadIdx.x;
  for (unsigned c = 0; c < 4; ++c) words[c] = 8 * lane + 2 * c | 8 * lane + 2 * c + 1 << 16;
  fermataCopyAsync(fermataShared(mine + 8 * lane), words);
  fermataCommitCopies();
  fermataWaitForCopies<0>();
  __syncwarp();
  const unsigned row = fermataShared(mine + 8 * lane);
  unsigned one[1], two[2], four[4];
  fermataLdmatrix(one, row);
  out[threadIdx.x] = one[0];
  fermataLdmatrix(two, row);
  out[128 + threadIdx.x] = two[1];
  fermataLdmatrix(four, row);
  out[256 + threadIdx.x] = four[3];
  fermataLdmatrixTrans(one, row);
  out[384 + threadIdx.x] = one[0];
  fermataLdmatrixTrans(two, row);
  out[512 + threadIdx.x] = two[1];
  fermataStmatrix(fermataShared(to[threadIdx.x / 32] + 8 * (31 - lane)), four);
  __syncwarp();
  out[640 + threadIdx.x] = to[threadIdx.x / 32][8 * (31 - lane) + 1];
  fermataLdmatrixTrans(four, row);
  out[768 + threadIdx.x] = four[2];
  out[896 + threadIdx.x] = fermataHalves(1.5f, -2);
}
)",
                                      14, "u32", "sm_90");
  for (std::size_t t = 0; t < kThreads; ++t) {
    const std::size_t lane = t % 32;
    // Matrix m: two neighbours in row lane / 4, or in column lane / 4 when transposed.
    const auto plain = [&](std::size_t m) {
      const std::size_t left = 64 * m + 8 * (lane / 4) + 2 * (lane % 4);
      return left | (left + 1) << 16;
    };
    const auto transposed = [&](std::size_t m) {
      const std::size_t upper = 64 * m + 16 * (lane % 4) + lane / 4;
      return upper | (upper + 8) << 16;
    };
    const std::size_t expected[] = {plain(0),      plain(1),     plain(3),      transposed(0),
                                    transposed(1), 8 * lane + 1, transposed(2), 0xc0003e00};
    for (std::size_t row = 0; row < std::size(expected); ++row)
      BOOST_TEST(got[row * kThreads + t] == expected[row], "row " << row << ", thread " << t);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
