// Gravity between all pairs, by shared tiles of bodies: momentum is kept, and paths follow the
// host's in double precision.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_ERROR(call)                                                         \
  do {                                                                            \
    cudaError_t err = (call);                                                     \
    if (err != cudaSuccess) {                                                     \
      printf("FAIL: %s in %s at %d\n", cudaGetErrorString(err), #call, __LINE__); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

__constant__ float softeningSquared;

__device__ float3 interact(float3 a, float4 bi, float4 bj) {
  float3 r = {bj.x - bi.x, bj.y - bi.y, bj.z - bi.z};
  float distance = r.x * r.x + r.y * r.y + r.z * r.z + softeningSquared;
  float inverse = rsqrtf(distance);
  float s = bj.w * inverse * inverse * inverse;
  a.x += r.x * s;
  a.y += r.y * s;
  a.z += r.z * s;
  return a;
}

template <int Threads>
__global__ void __launch_bounds__(Threads)
    step(const float4* __restrict__ in, float4* __restrict__ out, float4* velocity, int n,
         float dt) {
  __shared__ float4 tile[Threads];
  const int i = blockIdx.x * Threads + threadIdx.x;
  const float4 mine = i < n ? in[i] : make_float4(0, 0, 0, 0);
  float3 a = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += Threads) {
    const int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? in[j] : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < Threads; ++k) a = interact(a, mine, tile[k]);
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = velocity[i];
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
  velocity[i] = v;
  out[i] = make_float4(mine.x + v.x * dt, mine.y + v.y * dt, mine.z + v.z * dt, mine.w);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 300, steps = argc > 2 ? atoi(argv[2]) : 3;
  const float dt = 0.01f, softening = 0.05f;
  std::vector<float4> bodies(n), velocities(n), got(n);
  std::vector<double> x(3 * n), v(3 * n), a(3 * n);
  for (int i = 0; i < n; ++i) {
    const float angle = 0.7f * i, radius = 1 + 0.01f * i;
    bodies[i] = make_float4(radius * cosf(angle), radius * sinf(angle), 0.3f * sinf(3.1f * i),
                            (1 + i % 3) / float(n));
    velocities[i] = make_float4(-sinf(angle), cosf(angle), 0, 0);
    const float4 b = bodies[i], w = velocities[i];
    const double p[] = {b.x, b.y, b.z}, q[] = {w.x, w.y, w.z};
    for (int d = 0; d < 3; ++d) x[3 * i + d] = p[d], v[3 * i + d] = q[d];
  }
  float4 *now, *next, *velocity;
  CHECK_ERROR(cudaMalloc((void**)&now, n * sizeof(float4)));
  CHECK_ERROR(cudaMalloc((void**)&next, n * sizeof(float4)));
  CHECK_ERROR(cudaMalloc((void**)&velocity, n * sizeof(float4)));
  CHECK_ERROR(cudaMemcpy(now, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemcpy(velocity, velocities.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  const float squared = softening * softening;
  CHECK_ERROR(
      cudaMemcpyToSymbol(softeningSquared, &squared, sizeof(float), 0, cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; ++s) {
    step<64><<<(n + 63) / 64, 64>>>(now, next, velocity, n, dt);
    CHECK_ERROR(cudaGetLastError());
    std::swap(now, next);
  }
  CHECK_ERROR(cudaMemcpy(got.data(), now, n * sizeof(float4), cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaFree(now));
  CHECK_ERROR(cudaFree(next));
  CHECK_ERROR(cudaFree(velocity));
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i) {
      a[3 * i] = a[3 * i + 1] = a[3 * i + 2] = 0;
      for (int j = 0; j < n; ++j) {
        double r[3], square = squared;
        for (int d = 0; d < 3; ++d) r[d] = x[3 * j + d] - x[3 * i + d], square += r[d] * r[d];
        for (int d = 0; d < 3; ++d) a[3 * i + d] += r[d] * bodies[j].w / (square * sqrt(square));
      }
    }
    for (int i = 0; i < 3 * n; ++i) v[i] += a[i] * dt, x[i] += v[i] * dt;
  }
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    worst = fmax(worst, fabs(got[i].x - x[3 * i]));
    worst = fmax(worst, fabs(got[i].y - x[3 * i + 1]));
    worst = fmax(worst, fabs(got[i].z - x[3 * i + 2]));
    if (got[i].w != bodies[i].w) worst = INFINITY;
  }
  printf(worst < 1e-5 ? "PASS: off by %.2g\n" : "FAIL: off by %g\n", worst);
  return worst < 1e-5 ? 0 : 1;
}
