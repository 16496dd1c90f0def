// Breadth-first search, one launch per level: the work of a launch is the edge of the search.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kDegree = 4;

__global__ void visitLevel(const int* edges, int* levels, int* changed, int nodes, int level) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || levels[node] != level) return;
  for (int k = 0; k < kDegree; ++k) {
    const int next = edges[node * kDegree + k];
    if (levels[next] >= 0) continue;
    levels[next] = level + 1;
    *changed = 1;
  }
}

int main(int argc, char** argv) {
  const int nodes = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
  const int searches = argc > 2 ? std::atoi(argv[2]) : 8;
  std::vector<int> edges(nodes * kDegree), levels(nodes);
  unsigned seed = 1;
  for (int& edge : edges) edge = static_cast<int>((seed = seed * 1664525u + 1013904223u) % nodes);
  int *deviceEdges = nullptr, *deviceLevels = nullptr, *changed = nullptr;
  cudaMalloc(&deviceEdges, edges.size() * sizeof(int));
  cudaMalloc(&deviceLevels, nodes * sizeof(int));
  cudaMalloc(&changed, sizeof(int));
  cudaMemcpy(deviceEdges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
  int depth = 0;
  for (int search = 0; search < searches; ++search) {
    levels.assign(nodes, -1);
    levels[search] = 0;
    cudaMemcpy(deviceLevels, levels.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
    int more = 1;
    for (int level = 0; more != 0; ++level, ++depth) {
      cudaMemset(changed, 0, sizeof(int));
      visitLevel<<<(nodes + 255) / 256, 256>>>(deviceEdges, deviceLevels, changed, nodes, level);
      cudaMemcpy(&more, changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
  }
  std::printf("%d\n", depth);
}
