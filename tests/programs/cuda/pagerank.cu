// PageRank in double precision: ranks are pulled over incoming edges, and dangling mass is summed
// by atomicAdd of integers.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GPU(x)                                             \
  do {                                                     \
    cudaError_t s = x;                                     \
    if (s != cudaSuccess) {                                \
      printf("FAIL: %s: %s\n", #x, cudaGetErrorString(s)); \
      return 1;                                            \
    }                                                      \
  } while (false)

constexpr double kDamping = 0.85, kScale = 1ull << 50;

// Fixed point: the sum does not depend on the order.
__global__ void dangling(const double* rank, const int* degree, int n, unsigned long long* mass) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && degree[i] == 0) atomicAdd(mass, (unsigned long long)(rank[i] * kScale));
}

__global__ void pull(const int* offsets, const int* sources, const int* degree, const double* rank,
                     double* next, int n, const unsigned long long* mass) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int e = offsets[i]; e < offsets[i + 1]; ++e) sum += rank[sources[e]] / degree[sources[e]];
  const double shared = double(*mass) / kScale / n;
  next[i] = fma(kDamping, sum + shared, (1 - kDamping) / n);
}

__global__ void difference(const double* a, const double* b, int n, unsigned long long* most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // Doubles of one sign compare as their bits do.
  if (i < n) atomicMax(most, (unsigned long long)__double_as_longlong(fabs(a[i] - b[i])));
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1500, limit = 30;
  std::vector<std::vector<int>> incoming(n);
  std::vector<int> degree(n);
  unsigned s = 3;
  for (int i = 0; i < n; ++i) {
    if (i % 11 == 5) continue;  // no outgoing edge: dangling
    for (int k = 0; k <= i % 6; ++k) {
      s = s * 1664525u + 1013904223u;
      const int to = int(s >> 10) % n * (int(s >> 4) % 3 != 0);
      incoming[to].push_back(i);
      ++degree[i];
    }
  }
  std::vector<int> offsets{0}, sources;
  for (const auto& list : incoming) {
    sources.insert(sources.end(), list.begin(), list.end());
    offsets.push_back(int(sources.size()));
  }

  std::vector<double> rank(n, 1.0 / n), next(n), got(n);
  int iterations = 0;
  for (double most = 1; most > 1e-10 && iterations < limit; ++iterations) {
    unsigned long long mass = 0;
    for (int i = 0; i < n; ++i)
      if (degree[i] == 0) mass += (unsigned long long)(rank[i] * kScale);
    most = 0;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int e = offsets[i]; e < offsets[i + 1]; ++e)
        sum += rank[sources[e]] / degree[sources[e]];
      next[i] = std::fma(kDamping, sum + double(mass) / kScale / n, (1 - kDamping) / n);
      most = std::fmax(most, std::fabs(next[i] - rank[i]));
    }
    rank.swap(next);
  }

  int *dOffsets, *dSources, *dDegree;
  double *dRank, *dNext;
  unsigned long long* words;  // mass, difference
  GPU(cudaMalloc((void**)&dOffsets, offsets.size() * 4));
  GPU(cudaMalloc((void**)&dSources, sources.size() * 4));
  GPU(cudaMalloc((void**)&dDegree, n * 4));
  GPU(cudaMalloc((void**)&dRank, n * 8));
  GPU(cudaMalloc((void**)&dNext, n * 8));
  GPU(cudaMalloc((void**)&words, 16));
  GPU(cudaMemcpy(dOffsets, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice));
  GPU(cudaMemcpy(dSources, sources.data(), sources.size() * 4, cudaMemcpyHostToDevice));
  GPU(cudaMemcpy(dDegree, degree.data(), n * 4, cudaMemcpyHostToDevice));
  got.assign(n, 1.0 / n);
  GPU(cudaMemcpy(dRank, got.data(), n * 8, cudaMemcpyHostToDevice));
  const int blocks = (n + 191) / 192;
  int done = 0;
  for (double most = 1; most > 1e-10 && done < limit; ++done) {
    GPU(cudaMemset(words, 0, 16));
    dangling<<<blocks, 192>>>(dRank, dDegree, n, words);
    pull<<<blocks, 192>>>(dOffsets, dSources, dDegree, dRank, dNext, n, words);
    difference<<<blocks, 192>>>(dRank, dNext, n, words + 1);
    GPU(cudaGetLastError());
    GPU(cudaMemcpy(&most, words + 1, 8, cudaMemcpyDeviceToHost));
    std::swap(dRank, dNext);
  }
  GPU(cudaMemcpy(got.data(), dRank, n * 8, cudaMemcpyDeviceToHost));
  if (done != iterations) {
    printf("FAIL: %d iterations, expected %d\n", done, iterations);
    return 1;
  }
  for (int i = 0; i < n; ++i)
    if (got[i] != rank[i]) {
      printf("FAIL: page %d has rank %.17g, expected %.17g\n", i, got[i], rank[i]);
      return 1;
    }
  printf("PASS after %d iterations\n", done);
  return 0;
}
