// Sources that nvcc accepts: a special register with one %, no space behind a literal, a header
// with either, and alignas behind __shared__ there; an object as dynamic shared memory; bits read
// as another type's; pragmas in macros, operands without commas, a constexpr that never is one;
// arguments of a nested class template that are deduced; calls of member templates without the
// keyword, and an overload that is more special than one with a pack.
#include <cuda_bf16.hpp>

#include <cinttypes>
#include <thread>

#include "check.h"
#include "source_spelling.h"

#define SPECIAL(name, place) asm volatile("mov.u32 %0, %" #name ";" : "=r"(place))

#define UNROLL #pragma unroll
#if defined(__CUDA__) || !defined(__NVCC__)
#error "not nvcc's path"
#endif

__host__ __device__ constexpr float oneOf(const __nv_bfloat16& value) {
  return __bfloat162float(value);
}

static __device__ __inline__ uint64_t __globaltimer() {
  uint64_t time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));  // "not a literal: %0"
  return time;
}

// clang-format off
extern "C"__global__ void registers(unsigned* out) {
  const uint64_t before = __globaltimer();
  unsigned both, local, threads, named;
  asm("add.u32 %0, %laneid, %1;" : "=r"(both) : "r"(100));
  asm(R"({ .reg .u32 %%inner;
           mov.u32 %%inner, %ctaid.x;
           add.u32 %0, %%inner, 7; })" : "=r"(local));
  SPECIAL(ntid.x, threads);
  asm("mov.u32 %[to], %" "tid.x;" : [to] "=r"(named));
  UNROLL
  for (int k = 0; k < 4; ++k) {
    unsigned sum;
    asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(named) "r"(both));
    named = sum - both;
  }
  const bool late = __globaltimer() >= before;
  out[threadIdx.x] = both == 100 + laneOf() && local == 7 && threads == 32 &&
                     named == threadIdx.x && late && reversed(laneOf()) == 31 - threadIdx.x;
}

template <int Words>
struct Tiles {
  unsigned low[Words], high[Words];
};

template <class Scale>
struct Outer {
  template <class A, class B>
  struct Pair {
    A a;
    B b;
    __device__ Pair(A a, B b) : a(a), b(b) {}
  };
  template <class A>
  static __device__ auto of(A a) {
    return Pair{a, Scale(2)};
  }
};

template <class A, class... More>
struct Traits {};
template <class A, class... More>
__device__ int kindOf(Traits<A, More...> const&) {
  return 1 + sizeof...(More);
}
template <class A>
__device__ int kindOf(Traits<A> const&) {
  return 10;
}

struct Shifts {
  template <int N>
  static __device__ int up(int a) {
    return a << N;
  }
  template <int N>
  __device__ int down(int a) const {
    return a >> N;
  }
};
template <class S>
struct Same {
  template <int N>
  static __device__ int up(int a) {
    return S::template up<N>(a);
  }
};
template <class S>
__device__ int moved(S s, int a) {
  return Same<S>::up<3>(a) + s.down<1>(a);
}

template <int Words>
__global__ void objects(unsigned* out) {
  extern __shared__ Tiles<Words> s;
  s.low[threadIdx.x] = threadIdx.x;
  const auto pair = Outer<float>::of(3);
  s.high[Words - 1 - threadIdx.x] = unsigned(pair.a * pair.b) + 1;
  short halves[2];
  int* const both = (int*)halves;
  for (int k = 0; k < 2; ++k) halves[k] = short(threadIdx.x + k);
  unsigned read;
  asm volatile("mov.b32 %0, %1;" : "=r"(read) : "r"(both[0]));
  if (kindOf(Traits<int>()) != 10 || kindOf(Traits<int, char>()) != 2 || moved(Shifts(), 4) != 34)
    s.low[threadIdx.x] = 1000;
  __syncthreads();
  out[threadIdx.x] = s.low[31 - threadIdx.x] + s.high[threadIdx.x] +
                     (read == threadIdx.x + ((threadIdx.x + 1) << 16));
}

int main() {
  unsigned* const out = newOnDevice<unsigned>(32);
  registers<<<1, 32>>>(out);
  expectSame("registers", toHost(out, 32), std::vector<unsigned>(32, 1));
  objects<32><<<1, 32, sizeof(Tiles<32>)>>>(out);
  std::vector<unsigned> expected(32);
  for (unsigned lane = 0; lane < 32; ++lane) expected[lane] = 31 - lane + 7 + 1;
  expectSame("objects", toHost(out, 32), expected);
  EXPECT(oneOf(__float2bfloat16(1)) == 1);
  std::thread([] {}).join();
  printf("PASS: %"PRIu64" lanes\n", uint64_t(32));
}
// clang-format on
