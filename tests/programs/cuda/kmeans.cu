// k-means until no point moves: points by features in columns, sums in shared memory in fixed
// point.
#include <cuda_runtime.h>

#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SAFE(call)                                                         \
  {                                                                        \
    cudaError_t status = call;                                             \
    if (status != cudaSuccess) {                                           \
      printf("FAIL: line %d, %s\n", __LINE__, cudaGetErrorString(status)); \
      return EXIT_FAILURE;                                                 \
    }                                                                      \
  }

constexpr int kFeatures = 3, kClusters = 5;
constexpr float kFixed = 65536;

__constant__ float centres[kClusters * kFeatures];

__host__ __device__ int nearest(const float* p, const float* c) {
  int best = 0;
  float least = FLT_MAX;
  for (int k = 0; k < kClusters; k++) {
    float distance = 0;
    for (int f = 0; f < kFeatures; f++) {
      const float d = p[f] - c[k * kFeatures + f];
      distance = fmaf(d, d, distance);
    }
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

__global__ void assign(const float* points, int n, int* members, long long* sums, int* sizes,
                       int* moved) {
  __shared__ unsigned long long local[kClusters][kFeatures];
  __shared__ int size[kClusters];
  for (int i = threadIdx.x; i < kClusters * kFeatures; i += blockDim.x)
    local[i / kFeatures][i % kFeatures] = 0;
  for (int i = threadIdx.x; i < kClusters; i += blockDim.x) size[i] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool changed = false;
  if (i < n) {
    float p[kFeatures];
    for (int f = 0; f < kFeatures; f++) p[f] = points[f * n + i];
    const int k = nearest(p, centres);
    changed = members[i] != k;
    members[i] = k;
    for (int f = 0; f < kFeatures; f++)
      atomicAdd(&local[k][f], (unsigned long long)__float2ll_rn(p[f] * kFixed));
    atomicAdd(&size[k], 1);
  }
  const int count = __syncthreads_count(changed);
  if (threadIdx.x == 0 && count) atomicAdd(moved, count);
  for (int j = threadIdx.x; j < kClusters * kFeatures; j += blockDim.x)
    atomicAdd((unsigned long long*)&sums[j], local[j / kFeatures][j % kFeatures]);
  for (int j = threadIdx.x; j < kClusters; j += blockDim.x) atomicAdd(&sizes[j], size[j]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3000;
  std::vector<float> points(n * kFeatures), first(kClusters * kFeatures);
  srand(2023);
  for (int i = 0; i < n; i++)
    for (int f = 0; f < kFeatures; f++)
      points[f * n + i] = (rand() % 1000) / 250.f + ((i % kClusters) * (f + 3)) % 7;
  for (int k = 0; k < kClusters; k++)
    for (int f = 0; f < kFeatures; f++) first[k * kFeatures + f] = points[f * n + k * 17];

  // Host and device update the centres alike, from integers.
  const auto update = [](std::vector<float>& c, const long long* sums, const int* sizes) {
    for (int k = 0; k < kClusters; k++)
      for (int f = 0; f < kFeatures; f++)
        if (sizes[k])
          c[k * kFeatures + f] = float(double(sums[k * kFeatures + f]) / kFixed / sizes[k]);
  };
  std::vector<int> expected(n, -1), got(n, -1);
  std::vector<float> c = first;
  int rounds = 0;
  for (int moved = 1; moved && rounds < 100; rounds++) {
    moved = 0;
    long long sums[kClusters * kFeatures] = {};
    int sizes[kClusters] = {};
    for (int i = 0; i < n; i++) {
      float p[kFeatures];
      for (int f = 0; f < kFeatures; f++) p[f] = points[f * n + i];
      const int k = nearest(p, c.data());
      moved += expected[i] != k;
      expected[i] = k;
      sizes[k]++;
      for (int f = 0; f < kFeatures; f++)
        sums[k * kFeatures + f] += __builtin_llrintf(p[f] * kFixed);
    }
    update(c, sums, sizes);
  }

  float* dPoints;
  int *dMembers, *counts;
  long long* dSums;
  SAFE(cudaMalloc(&dPoints, points.size() * sizeof(float)));
  SAFE(cudaMalloc(&dMembers, n * sizeof(int)));
  SAFE(cudaMalloc(&counts, (kClusters + 1) * sizeof(int)));
  SAFE(cudaMalloc(&dSums, kClusters * kFeatures * sizeof(long long)));
  SAFE(cudaMemcpy(dPoints, points.data(), points.size() * sizeof(float), cudaMemcpyHostToDevice));
  SAFE(cudaMemcpy(dMembers, got.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<float> centre = first;
  int done = 0;
  for (int moved = 1; moved && done < 100; done++) {
    long long sums[kClusters * kFeatures];
    int sizes[kClusters + 1];
    SAFE(cudaMemcpyToSymbol(centres, centre.data(), centre.size() * sizeof(float)));
    SAFE(cudaMemset(counts, 0, sizeof sizes));
    SAFE(cudaMemset(dSums, 0, sizeof sums));
    assign<<<(n + 127) / 128, 128>>>(dPoints, n, dMembers, dSums, counts, counts + kClusters);
    SAFE(cudaGetLastError());
    SAFE(cudaMemcpy(sums, dSums, sizeof sums, cudaMemcpyDeviceToHost));
    SAFE(cudaMemcpy(sizes, counts, sizeof sizes, cudaMemcpyDeviceToHost));
    moved = sizes[kClusters];
    update(centre, sums, sizes);
  }
  SAFE(cudaMemcpy(got.data(), dMembers, n * sizeof(int), cudaMemcpyDeviceToHost));
  SAFE(cudaFree(dPoints));
  SAFE(cudaFree(dMembers));
  SAFE(cudaFree(counts));
  SAFE(cudaFree(dSums));
  if (done != rounds || got != expected || centre != c) {
    printf("FAIL: clusters differ after %d rounds, expected %d\n", done, rounds);
    return EXIT_FAILURE;
  }
  printf("PASS after %d rounds\n", rounds);
  return EXIT_SUCCESS;
}
