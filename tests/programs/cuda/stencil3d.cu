// A 7-point stencil in double precision on pitched 3D memory, marching in z with registers.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const cudaError_t e_ = (call);                                            \
    if (e_ != cudaSuccess) {                                                  \
      std::fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(e_)); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

struct Grid {
  int nx, ny, nz;
};

__device__ const double& at(const cudaPitchedPtr& p, int x, int y, int z) {
  const char* row = static_cast<const char*>(p.ptr) + (size_t(z) * p.ysize + y) * p.pitch;
  return reinterpret_cast<const double*>(row)[x];
}

__global__ void march(cudaPitchedPtr in, cudaPitchedPtr out, Grid g, double c0, double c1) {
  extern __shared__ double plane[];
  const int w = blockDim.x + 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1,
            y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const bool inside = x < g.nx - 1 && y < g.ny - 1;
  double below = 0, here = 0, above = 0;
  if (inside) {
    here = at(in, x, y, 0);
    above = at(in, x, y, 1);
  }
  double* mine = &plane[(threadIdx.y + 1) * w + threadIdx.x + 1];
  for (int z = 1; z < g.nz - 1; ++z) {
    below = here;
    here = above;
    if (inside) {
      above = at(in, x, y, z + 1);
      *mine = here;
      if (threadIdx.x == 0) mine[-1] = at(in, x - 1, y, z);
      if (threadIdx.x == blockDim.x - 1 || x == g.nx - 2) mine[1] = at(in, x + 1, y, z);
      if (threadIdx.y == 0) mine[-w] = at(in, x, y - 1, z);
      if (threadIdx.y == blockDim.y - 1 || y == g.ny - 2) mine[w] = at(in, x, y + 1, z);
    }
    __syncthreads();
    if (inside) {
      const double sum = ((mine[-1] + mine[1]) + (mine[-w] + mine[w])) + (below + above);
      const_cast<double&>(at(out, x, y, z)) = fma(c1, sum, c0 * here);
    }
    __syncthreads();
  }
}

static void copy(cudaPitchedPtr device, double* host, Grid g, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p = {};
  const cudaPitchedPtr packed = make_cudaPitchedPtr(host, g.nx * sizeof(double), g.nx, g.ny);
  p.srcPtr = kind == cudaMemcpyHostToDevice ? packed : device;
  p.dstPtr = kind == cudaMemcpyHostToDevice ? device : packed;
  p.extent = make_cudaExtent(g.nx * sizeof(double), g.ny, g.nz);
  p.kind = kind;
  CHECK(cudaMemcpy3D(&p));
}

int main(int argc, char** argv) {
  Grid g = {35, 22, 14};
  if (argc == 4) g = {std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])};
  const int steps = 4;
  const double c0 = 0.4, c1 = 0.1;
  const size_t n = size_t(g.nx) * g.ny * g.nz;
  std::vector<double> start(n), a, b;
  for (size_t i = 0; i < n; ++i) start[i] = std::cos(0.37 * double(i)) + double(i % 5);
  a = b = start;
  const auto index = [&](int x, int y, int z) { return (size_t(z) * g.ny + y) * g.nx + x; };
  for (int s = 0; s < steps; ++s) {
    for (int z = 1; z < g.nz - 1; ++z)
      for (int y = 1; y < g.ny - 1; ++y)
        for (int x = 1; x < g.nx - 1; ++x) {
          const double sum = ((a[index(x - 1, y, z)] + a[index(x + 1, y, z)]) +
                              (a[index(x, y - 1, z)] + a[index(x, y + 1, z)])) +
                             (a[index(x, y, z - 1)] + a[index(x, y, z + 1)]);
          b[index(x, y, z)] = std::fma(c1, sum, c0 * a[index(x, y, z)]);
        }
    a.swap(b);
  }

  cudaPitchedPtr from, to;
  const cudaExtent extent = make_cudaExtent(g.nx * sizeof(double), g.ny, g.nz);
  CHECK(cudaMalloc3D(&from, extent));
  CHECK(cudaMalloc3D(&to, extent));
  CHECK(cudaMemset3D(to, 0, extent));
  copy(from, start.data(), g, cudaMemcpyHostToDevice);
  copy(to, start.data(), g, cudaMemcpyHostToDevice);  // both buffers get the boundary
  const dim3 block(16, 4), grid((g.nx - 2 + 15) / 16, (g.ny - 2 + 3) / 4);
  for (int s = 0; s < steps; ++s) {
    march<<<grid, block, (block.x + 2) * (block.y + 2) * sizeof(double)>>>(from, to, g, c0, c1);
    CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  CHECK(cudaDeviceSynchronize());
  std::vector<double> got(n);
  copy(from, got.data(), g, cudaMemcpyDeviceToHost);
  CHECK(cudaFree(from.ptr));
  CHECK(cudaFree(to.ptr));
  for (size_t i = 0; i < n; ++i) {
    if (got[i] == a[i]) continue;
    std::printf("FAIL: cell %zu is %.17g, expected %.17g\n", i, got[i], a[i]);
    return 1;
  }
  std::printf("PASS: %dx%dx%d, pitch %zu\n", g.nx, g.ny, g.nz, from.pitch);
  return 0;
}
