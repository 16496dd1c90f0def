// Single-source shortest paths by rounds of relaxation with atomicMin; a device variable tells the
// host when to stop.
#include <cuda_runtime.h>

#include <climits>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <queue>
#include <vector>

using namespace std;

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    cout << cudaGetErrorString(err) << " in " << file << " at line " << line << endl;
    exit(EXIT_FAILURE);
  }
}

struct Edge {
  int from, to, weight;
};

__device__ int changed;
__device__ unsigned long long relaxations;

__global__ void relax(const Edge* edges, int count, int* distance) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < count; e += gridDim.x * blockDim.x) {
    const Edge edge = edges[e];
    const int start = distance[edge.from];
    if (start == INT_MAX) continue;
    if (atomicMin(&distance[edge.to], start + edge.weight) > start + edge.weight) {
      changed = 1;
      atomicAdd(&relaxations, 1ull);
    }
  }
}

int main(int argc, char** argv) {
  int side = argc > 1 ? atoi(argv[1]) : 24;
  int nodes = side * side;
  vector<Edge> edges;
  unsigned seed = 42;
  auto weight = [&] { return int((seed = seed * 1103515245 + 12345) >> 16 & 63) + 1; };
  for (int y = 0; y < side; y++)  // a street map: two-way and some one-way streets
    for (int x = 0; x < side; x++) {
      int here = y * side + x;
      if (x + 1 < side) edges.push_back({here, here + 1, weight()});
      if (y + 1 < side) edges.push_back({here, here + side, weight()});
      if (x > 0 && here % 3) edges.push_back({here, here - 1, weight()});
      if (y > 0 && here % 5) edges.push_back({here, here - side, weight()});
    }

  vector<vector<pair<int, int>>> out(nodes);
  for (const Edge& e : edges) out[e.from].push_back({e.to, e.weight});
  vector<int> expected(nodes, INT_MAX);
  priority_queue<pair<int, int>, vector<pair<int, int>>, greater<pair<int, int>>> heap;
  expected[0] = 0;
  heap.push({0, 0});
  while (!heap.empty()) {
    auto [distance, node] = heap.top();
    heap.pop();
    if (distance > expected[node]) continue;
    for (auto [to, w] : out[node])
      if (distance + w < expected[to]) heap.push({expected[to] = distance + w, to});
  }

  Edge* dEdges;
  int* dDistance;
  HANDLE_ERROR(cudaMalloc(&dEdges, edges.size() * sizeof(Edge)));
  HANDLE_ERROR(cudaMalloc(&dDistance, nodes * sizeof(int)));
  HANDLE_ERROR(
      cudaMemcpy(dEdges, edges.data(), edges.size() * sizeof(Edge), cudaMemcpyHostToDevice));
  vector<int> distance(nodes, INT_MAX);
  distance[0] = 0;
  HANDLE_ERROR(cudaMemcpy(dDistance, distance.data(), nodes * sizeof(int), cudaMemcpyHostToDevice));
  int again = 1, rounds = 0;
  while (again && rounds <= nodes) {
    again = 0;
    HANDLE_ERROR(cudaMemcpyToSymbol(changed, &again, sizeof(int)));
    relax<<<8, 128>>>(dEdges, edges.size(), dDistance);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyFromSymbol(&again, changed, sizeof(int)));
    rounds++;
  }
  unsigned long long count = 0;
  HANDLE_ERROR(cudaMemcpyFromSymbol(&count, relaxations, sizeof count));
  HANDLE_ERROR(cudaMemcpy(distance.data(), dDistance, nodes * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dEdges));
  HANDLE_ERROR(cudaFree(dDistance));
  cerr << rounds << " rounds, " << count << " relaxations" << endl;
  if (distance != expected || count < unsigned(nodes - 1)) {
    cout << "FAIL: distances differ" << endl;
    return 1;
  }
  cout << "PASS" << endl;
  return 0;
}
