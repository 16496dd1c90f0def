// A matrix product by wgmma, written like kernels for Hopper: tiles with a swizzle of 128 bytes,
// matrix descriptors that step through them, sums in registers.
#include <cuda_fp16.h>

#include <cstdint>

#include "check.h"

constexpr int kM = 64, kN = 64, kStep = 64;  // tile sizes; a row of k is 128 bytes

/// Returns the byte of 16-byte chunk `chunk` of a row under the swizzle.
__device__ unsigned placeOf(unsigned row, unsigned chunk) {
  return row * 128 + ((chunk ^ row % 8) * 16);
}

__device__ uint64_t descriptorOf(const void* tile) {
  const uint64_t start = static_cast<uint64_t>(__cvta_generic_to_shared(tile));
  return (start & 0x3ffff) >> 4 | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b, int adds) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b), "r"(adds));
}

/// c = a * transposed(b): the rows of a and b both lie along k.
__global__ void product(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ alignas(1024) unsigned char tileA[kM * 128];
  __shared__ alignas(1024) unsigned char tileB[kN * 128];
  float sums[32];
  for (float& sum : sums) sum = 0;
  for (int step = 0; step < k; step += kStep) {
    for (unsigned i = threadIdx.x; i < kM * 8; i += blockDim.x) {
      const unsigned row = i / 8, chunk = i % 8;
      const size_t from = step + chunk * 8;
      *reinterpret_cast<uint4*>(tileA + placeOf(row, chunk)) =
          *reinterpret_cast<const uint4*>(a + (blockIdx.y * kM + row) * k + from);
      *reinterpret_cast<uint4*>(tileB + placeOf(row, chunk)) =
          *reinterpret_cast<const uint4*>(b + (blockIdx.x * kN + row) * k + from);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const uint64_t ofA = descriptorOf(tileA), ofB = descriptorOf(tileB);
    for (int inner = 0; inner < kStep / 16; ++inner)
      multiply(sums, ofA + inner * 2, ofB + inner * 2, step + inner != 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned row = blockIdx.y * kM + warp * 16 + lane / 4 + i / 2 % 2 * 8;
    c[row * n + blockIdx.x * kN + i / 4 * 8 + lane % 4 * 2 + i % 2] = sums[i];
  }
}

int main() {
  constexpr int m = 128, n = 192, k = 256;
  std::vector<__half> a(m * k), b(n * k);
  for (int i = 0; i < m * k; ++i) a[i] = __float2half(static_cast<float>(i * 7 % 13 - 6));
  for (int i = 0; i < n * k; ++i) b[i] = __float2half(static_cast<float>(i * 5 % 11 - 5));
  float* const out = newOnDevice<float>(m * n);
  product<<<dim3(n / kN, m / kM), 128>>>(toDevice(a), toDevice(b), out, n, k);
  std::vector<float> expected(m * n);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      for (int i = 0; i < k; ++i)
        expected[row * n + column] +=
            __half2float(a[row * k + i]) * __half2float(b[column * k + i]);
  expectSame("the product", toHost(out, m * n), expected);
  puts("PASS");
}
