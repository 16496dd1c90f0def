// A cooperative launch: Jacobi iterations on a line in one kernel, whose blocks meet at
// grid.sync().
#include <cooperative_groups.h>

#include <cmath>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void jacobi(const double* right, double* x, double* next, int n, double tolerance,
                       int limit, double* norms, int* done) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ double ofWarps[32];
  int iteration = 0;
  for (; iteration < limit; ++iteration) {
    double sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const double left = i > 0 ? x[i - 1] : 0, after = i + 1 < n ? x[i + 1] : 0;
      const double value = (right[i] + left + after) * 0.25;
      sum += fabs(value - x[i]);
      next[i] = value;
    }
    for (int offset = warp.size() / 2; offset > 0; offset /= 2) sum += warp.shfl_down(sum, offset);
    if (warp.thread_rank() == 0) ofWarps[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
      sum = 0;
      for (int w = 0; w < warp.meta_group_size(); ++w) sum += ofWarps[w];
      atomicAdd(&norms[iteration], sum);
    }
    grid.sync();
    double* t = x;
    x = next;
    next = t;
    if (norms[iteration] < tolerance) break;  // equal for all: written before the grid met
  }
  if (grid.thread_rank() == 0) *done = iteration;
}

int main() {
  const int n = 700, limit = 60, threads = 128;
  int supported = 0, device = 0, processors = 0, perProcessor = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
  if (!supported) fail("no cooperative launches");
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, jacobi, threads, 0));
  const int resident = processors * perProcessor, blocks = resident < 6 ? resident : 6;

  std::vector<double> right(n), x(n), next(n), norms(limit), expected(limit);
  for (int i = 0; i < n; ++i) right[i] = sin(i * 0.37) * 3;
  const double tolerance = 1e-6;
  int iterations = 0;
  for (; iterations < limit; ++iterations) {
    for (int i = 0; i < n; ++i) {
      next[i] = (right[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0)) * 0.25;
      expected[iterations] += fabs(next[i] - x[i]);
    }
    x.swap(next);
    if (expected[iterations] < tolerance) break;
  }
  double *dRight = toDevice(right), *dX = toDevice(std::vector<double>(n));
  double *dNext = newOnDevice<double>(n), *dNorms = toDevice(std::vector<double>(limit));
  int* dDone = newOnDevice<int>(1);
  int length = n, most = limit;
  double small = tolerance;
  void* arguments[] = {&dRight, &dX, &dNext, &length, &small, &most, &dNorms, &dDone};
  CHECK(cudaLaunchCooperativeKernel((void*)jacobi, blocks, threads, arguments));
  const int done = toHost(dDone, 1)[0];
  const std::vector<double> got = toHost(done % 2 ? dX : dNext, n);
  norms = toHost(dNorms, limit);
  // A launch of more blocks than fit is refused.
  const cudaError_t tooMany =
      cudaLaunchCooperativeKernel((void*)jacobi, resident + 1, threads, arguments);
  if (tooMany != cudaErrorCooperativeLaunchTooLarge)
    fail("too many blocks give %s", cudaGetErrorName(tooMany));
  cudaGetLastError();
  if (done != iterations) fail("%d iterations, expected %d", done, iterations);
  for (int i = 0; i < n; ++i)
    if (got[i] != x[i]) fail("x[%d] is %.17g, expected %.17g", i, got[i], x[i]);
  for (int k = 0; k < iterations; ++k)
    if (fabs(norms[k] - expected[k]) > 1e-9 * expected[k])
      fail("norm %d is %g, expected %g", k, norms[k], expected[k]);
  printf("PASS: %d blocks, %d iterations\n", blocks, done);
}
