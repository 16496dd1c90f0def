// Products of warp groups, over and over (sm_90): each group of four warps adds eight products of
// 64 x 16 and 16 x N halves to its sums, and waits for them. All groups read the same factors in
// shared memory, in core matrices of 8 rows of 16 bytes without a swizzle. A thread returns the sum
// of its sums. As results/silicon/probes/wgmma.cu.

#define D8(i)                                                                                 \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define D16(i) D8(i), D8(i + 8)
#define D32(i) D16(i), D16(i + 16)
#define D64(i) D32(i), D32(i + 32)
#define P4 "%0,%1,%2,%3"
#define P8 P4 ",%4,%5,%6,%7"
#define P16 P8 ",%8,%9,%10,%11,%12,%13,%14,%15"
#define P32 P16 ",%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define P64                                                                                       \
  P32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53," \
      "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define P128                                                                                       \
  P64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,"  \
      "%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106" \
      ",%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124" \
      ",%125,%126,%127"

/// Adds a product to d.
template <unsigned N>
static __device__ void add(float (&d)[N / 2], uint64_t rows, uint64_t columns);
#define ADD(n, text, a, b, ...)                                                                 \
  template <>                                                                                   \
  __device__ __forceinline__ void add<n>(float(&d)[n / 2], uint64_t rows, uint64_t columns) {   \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #n "k16.f32.f16.f16 {" text "}, " a ", " b \
                 ", 1, 1, 1, 0, 0;"                                                             \
                 : __VA_ARGS__                                                                  \
                 : "l"(rows), "l"(columns));                                                    \
  }
ADD(8, P4, "%4", "%5", "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]))
ADD(16, P8, "%8", "%9", D8(0))
ADD(32, P16, "%16", "%17", D16(0))
ADD(64, P32, "%32", "%33", D32(0))
ADD(128, P64, "%64", "%65", D64(0))
ADD(256, P128, "%128", "%129", D64(0), D64(64))

template <unsigned N>
static __device__ __forceinline__ void products(float* out, unsigned rounds) {
  constexpr unsigned kRowHalves = 64 * 16, kColumnHalves = N * 16;
  __shared__ __align__(1024) uint16_t halves[kRowHalves + kColumnHalves];
  for (unsigned i = threadIdx.x; i < kRowHalves + kColumnHalves; i += blockDim.x)
    halves[i] = (0x4200400000003c00ULL >> (i * 7 + i / 13) % 4 * 16) & 0xffff;  // 1, 0, 2 or 3
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // Core matrices of a row of eight lie 128 bytes apart, rows of them 256.
  const uint64_t rows = (fermataShared(halves) & 0x3ffffU) >> 4 | 8ULL << 16 | 16ULL << 32;
  const uint64_t columns =
      (fermataShared(halves + kRowHalves) & 0x3ffffU) >> 4 | 8ULL << 16 | 16ULL << 32;
  float d[N / 2] = {};
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) add<N>(d, rows, columns);
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float sum = 0;
#pragma unroll
  for (const float one : d) sum += one;
  out[threadIdx.x] = sum;
}

#define PRODUCTS(n) \
  extern "C" __global__ void groupmma_##n(float* out, unsigned rounds) { products<n>(out, rounds); }
PRODUCTS(8)
PRODUCTS(16)
PRODUCTS(32)
PRODUCTS(64)
PRODUCTS(128)
PRODUCTS(256)
