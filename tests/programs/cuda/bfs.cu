// Breadth-first search: a frontier queue filled through atomics, and a bottom-up step for a large
// frontier.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <vector>

#define checkCuda(result)                                                                          \
  do {                                                                                             \
    if ((result) != cudaSuccess) {                                                                 \
      fprintf(stderr, "CUDA Runtime Error: %s (line %d)\n", cudaGetErrorString(result), __LINE__); \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

struct Graph {
  std::vector<int> offsets, edges;
};

__global__ void topDown(const int* offsets, const int* edges, int* level, const int* frontier,
                        int size, int* next, int* nextSize, int depth) {
  __shared__ int local[1024];
  __shared__ int count, base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < size) {
    const int node = frontier[t];
    for (int e = offsets[node]; e < offsets[node + 1]; ++e) {
      const int to = edges[e];
      if (atomicCAS(&level[to], -1, depth) != -1) continue;
      const int place = atomicAdd(&count, 1);
      if (place < 1024)
        local[place] = to;
      else
        next[atomicAdd(nextSize, 1)] = to;  // the block's queue overflows
    }
  }
  __syncthreads();
  const int stored = min(count, 1024);
  if (threadIdx.x == 0) base = atomicAdd(nextSize, stored);
  __syncthreads();
  for (int i = threadIdx.x; i < stored; i += blockDim.x) next[base + i] = local[i];
}

__global__ void bottomUp(const int* offsets, const int* edges, int* level, int nodes, int* next,
                         int* nextSize, int depth) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != -1) return;
  for (int e = offsets[node]; e < offsets[node + 1]; ++e) {
    if (level[edges[e]] != depth - 1) continue;
    level[node] = depth;
    next[atomicAdd(nextSize, 1)] = node;
    return;
  }
}

Graph randomGraph(int nodes, int degree) {
  std::mt19937 random(5);
  std::vector<std::vector<int>> adjacent(nodes);
  for (int i = 0; i < nodes; ++i) {
    const int edges = random() % (2 * degree) / (i % 4 == 0 ? 1 : 3);
    for (int e = 0; e < edges; ++e) {
      const int to = random() % nodes;
      adjacent[i].push_back(to);
      adjacent[to].push_back(i);  // undirected: bottom-up steps walk backwards
    }
  }
  Graph g;
  g.offsets.push_back(0);
  for (const auto& list : adjacent) {
    g.edges.insert(g.edges.end(), list.begin(), list.end());
    g.offsets.push_back(g.edges.size());
  }
  return g;
}

int main(int argc, char** argv) {
  const int nodes = argc > 1 ? atoi(argv[1]) : 3000;
  const Graph g = randomGraph(nodes, 3);
  std::vector<int> expected(nodes, -1), level(nodes, -1);
  std::queue<int> queue;
  queue.push(0);
  expected[0] = 0;
  for (; !queue.empty(); queue.pop())
    for (int e = g.offsets[queue.front()]; e < g.offsets[queue.front() + 1]; ++e)
      if (expected[g.edges[e]] < 0) {
        expected[g.edges[e]] = expected[queue.front()] + 1;
        queue.push(g.edges[e]);
      }

  int *offsets, *edges, *dLevel, *frontier, *next, *dSize;
  checkCuda(cudaMalloc(&offsets, g.offsets.size() * sizeof(int)));
  checkCuda(cudaMalloc(&edges, g.edges.size() * sizeof(int)));
  checkCuda(cudaMalloc(&dLevel, nodes * sizeof(int)));
  checkCuda(cudaMalloc(&frontier, nodes * sizeof(int)));
  checkCuda(cudaMalloc(&next, nodes * sizeof(int)));
  checkCuda(cudaMalloc(&dSize, sizeof(int)));
  checkCuda(cudaMemcpy(offsets, g.offsets.data(), g.offsets.size() * sizeof(int),
                       cudaMemcpyHostToDevice));
  checkCuda(
      cudaMemcpy(edges, g.edges.data(), g.edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  checkCuda(cudaMemset(dLevel, 0xff, nodes * sizeof(int)));
  checkCuda(cudaMemset(dLevel, 0, sizeof(int)));
  checkCuda(cudaMemset(frontier, 0, sizeof(int)));
  int size = 1, depth = 1, reached = 1, upward = 0;
  for (; size > 0; ++depth) {
    checkCuda(cudaMemset(dSize, 0, sizeof(int)));
    if (size > nodes / 8) {
      bottomUp<<<(nodes + 255) / 256, 256>>>(offsets, edges, dLevel, nodes, next, dSize, depth);
      ++upward;
    } else {
      topDown<<<(size + 127) / 128, 128>>>(offsets, edges, dLevel, frontier, size, next, dSize,
                                           depth);
    }
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(&size, dSize, sizeof(int), cudaMemcpyDeviceToHost));
    reached += size;
    std::swap(frontier, next);
  }
  checkCuda(cudaMemcpy(level.data(), dLevel, nodes * sizeof(int), cudaMemcpyDeviceToHost));
  for (int* p : {offsets, edges, dLevel, frontier, next, dSize}) checkCuda(cudaFree(p));
  for (int i = 0; i < nodes; ++i)
    if (level[i] != expected[i]) {
      printf("FAIL: node %d has level %d, expected %d\n", i, level[i], expected[i]);
      return 1;
    }
  printf("PASS: %d of %d nodes in %d levels, %d of them bottom-up\n", reached, nodes, depth - 1,
         upward);
  return 0;
}
