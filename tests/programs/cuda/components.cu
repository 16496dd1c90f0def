// Connected components: hooking with atomicMin and pointer jumping, on managed memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

#define CU(call)                                                         \
  if (cudaError_t e = (call); e != cudaSuccess) {                        \
    std::printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
    std::exit(1);                                                        \
  }

__device__ int root(const volatile int* parent, int v) {
  while (parent[v] != v) v = parent[v];
  return v;
}

__global__ void hook(int* parent, const int2* edges, int count, bool* again) {
  const int e = blockDim.x * blockIdx.x + threadIdx.x;
  if (e >= count) return;
  const int a = root(parent, edges[e].x), b = root(parent, edges[e].y);
  if (a == b) return;
  atomicMin(&parent[max(a, b)], min(a, b));
  *again = true;
}

__global__ void jump(int* parent, int n) {
  const int v = blockDim.x * blockIdx.x + threadIdx.x;
  if (v < n) parent[v] = root(parent, v);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 2500, count = n * 9 / 10;
  int* parent;
  int2* edges;
  bool* again;
  CU(cudaMallocManaged(&parent, n * sizeof(int)));
  CU(cudaMallocManaged(&edges, count * sizeof(int2)));
  CU(cudaMallocManaged(&again, sizeof(bool)));
  unsigned state = 1;
  const auto random = [&] { return int((state = state * 747796405u + 2891336453u) >> 8) % n; };
  std::iota(parent, parent + n, 0);
  for (int e = 0; e < count; ++e) {
    edges[e] = make_int2(random(), random());
    if (e % 7 == 0) edges[e].y = (edges[e].x + 1) % n;
  }

  std::vector<int> label(n);  // the smallest member, by union and find
  std::iota(label.begin(), label.end(), 0);
  const auto find = [&](int v) {
    while (label[v] != v) v = label[v] = label[label[v]];
    return v;
  };
  for (int e = 0; e < count; ++e) {
    const int a = find(edges[e].x), b = find(edges[e].y);
    label[std::max(a, b)] = std::min(a, b);
  }

  int rounds = 0;
  do {
    *again = false;
    hook<<<(count + 127) / 128, 128>>>(parent, edges, count, again);
    jump<<<(n + 127) / 128, 128>>>(parent, n);
    CU(cudaGetLastError());
    CU(cudaDeviceSynchronize());
  } while (*again && ++rounds < n);

  std::set<int> roots;
  for (int v = 0; v < n; ++v) {
    if (parent[v] != find(v)) {
      std::printf("FAIL: vertex %d in component %d, expected %d\n", v, parent[v], find(v));
      return 1;
    }
    roots.insert(parent[v]);
  }
  std::printf("PASS: %zu components after %d rounds\n", roots.size(), rounds);
  CU(cudaFree(parent));
  CU(cudaFree(edges));
  CU(cudaFree(again));
  return 0;
}
