// Layered and 3D textures, and surfaces that kernels write before textures read them.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call)                                                   \
  do {                                                             \
    cudaError_t e = (call);                                        \
    if (e != cudaSuccess) {                                        \
      std::printf("FAIL: %s: %s\n", #call, cudaGetErrorString(e)); \
      std::exit(1);                                                \
    }                                                              \
  } while (0)

__global__ void layers(cudaTextureObject_t t, float* out, int width, int height, int layer) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width)
    out[(layer * height + y) * width + x] =
        -tex2DLayered<float>(t, (x + 0.5f) / width, (y + 0.5f) / height, layer) + layer;
}

__global__ void volume(cudaTextureObject_t t, int* out, int nx, int ny, int nz) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x < nx && y < ny)
    out[(z * ny + y) * nx + x] = tex3D<int>(t, nx - 1 - x, ny - 1 - y, nz - 1 - z);  // reversed
}

__global__ void draw(cudaSurfaceObject_t s, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) surf2Dwrite(make_uchar4(x, y, x ^ y, 255), s, x * sizeof(uchar4), y);
}

__global__ void smooth(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int d = -1; d <= 1; ++d)
    sum += surf2Dread<uchar4>(in, (x + d) * (int)sizeof(uchar4), y, cudaBoundaryModeClamp).x;
  uchar4 p;
  surf2Dread(&p, in, x * (int)sizeof(uchar4), y);
  p.x = (unsigned char)(sum / 3);
  surf2Dwrite(p, out, x * (int)sizeof(uchar4), y);
}

__global__ void readBack(cudaTextureObject_t t, uchar4* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<uchar4>(t, x, y);
}

static cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  return r;
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 36, height = argc > 2 ? std::atoi(argv[2]) : 20,
            depth = 3;
  // Layered textures.
  std::vector<float> stack(width * height * depth), gotStack(stack.size());
  for (size_t i = 0; i < stack.size(); ++i) stack[i] = float(i);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t layered;
  OK(cudaMalloc3DArray(&layered, &format, make_cudaExtent(width, height, depth), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(stack.data(), width * sizeof(float), width, height);
  copy.dstArray = layered;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeWrap;
  d.filterMode = cudaFilterModeLinear;
  d.normalizedCoords = 1;
  cudaResourceDesc r = resourceOf(layered);
  cudaTextureObject_t t;
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  float* out;
  OK(cudaMalloc(&out, stack.size() * sizeof(float)));
  for (int layer = 0; layer < depth; ++layer)
    layers<<<dim3((width + 31) / 32, height), 32>>>(t, out, width, height, layer);
  OK(cudaGetLastError());
  OK(cudaMemcpy(gotStack.data(), out, stack.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < stack.size(); ++i) {
    const float expected = -stack[i] + float(i / (width * height));
    if (gotStack[i] == expected) continue;
    std::printf("FAIL: layered texel %zu is %g, expected %g\n", i, gotStack[i], expected);
    return 1;
  }
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(layered));
  OK(cudaFree(out));

  // 3D textures.
  const int nx = 13, ny = 7, nz = 5, n = nx * ny * nz;
  std::vector<int> cells(n), gotCells(n);
  for (int i = 0; i < n; ++i) cells[i] = i * i - 100;
  format = cudaCreateChannelDesc<int>();
  cudaArray_t cube;
  OK(cudaMalloc3DArray(&cube, &format, make_cudaExtent(nx, ny, nz)));
  copy = {};
  copy.srcPtr = make_cudaPitchedPtr(cells.data(), nx * sizeof(int), nx, ny);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(nx, ny, nz);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  r = resourceOf(cube);
  d = {};
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  int* dCells;
  OK(cudaMalloc(&dCells, n * sizeof(int)));
  volume<<<nz, dim3(16, 8)>>>(t, dCells, nx, ny, nz);
  OK(cudaGetLastError());
  OK(cudaMemcpy(gotCells.data(), dCells, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (gotCells[i] != cells[n - 1 - i]) {
      std::printf("FAIL: cell %d is %d, expected %d\n", i, gotCells[i], cells[n - 1 - i]);
      return 1;
    }
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(cube));
  OK(cudaFree(dCells));

  // Surfaces, read back as textures.
  format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t first, second;
  OK(cudaMallocArray(&first, &format, width, height, cudaArraySurfaceLoadStore));
  OK(cudaMallocArray(&second, &format, width, height, cudaArraySurfaceLoadStore));
  cudaResourceDesc rFirst = resourceOf(first), rSecond = resourceOf(second);
  cudaSurfaceObject_t sFirst, sSecond;
  OK(cudaCreateSurfaceObject(&sFirst, &rFirst));
  OK(cudaCreateSurfaceObject(&sSecond, &rSecond));
  OK(cudaCreateTextureObject(&t, &rSecond, &d, nullptr));
  uchar4* pixels;
  OK(cudaMalloc(&pixels, width * height * sizeof(uchar4)));
  const dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  draw<<<grid, block>>>(sFirst, width, height);
  smooth<<<grid, block>>>(sFirst, sSecond, width, height);
  readBack<<<grid, block>>>(t, pixels, width, height);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  std::vector<uchar4> got(width * height), direct(width * height);
  OK(cudaMemcpy(got.data(), pixels, got.size() * sizeof(uchar4), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy2DFromArray(direct.data(), width * sizeof(uchar4), second, 0, 0,
                           width * sizeof(uchar4), height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int left = x > 0 ? x - 1 : 0, right = x < width - 1 ? x + 1 : x;
      const uchar4 g = got[y * width + x], h = direct[y * width + x];
      if (g.x == (left + x + right) / 3 && g.y == y && g.z == (x ^ y) && g.w == 255 && h.x == g.x &&
          h.z == g.z)
        continue;
      std::printf("FAIL: pixel (%d, %d) is %d %d %d %d\n", x, y, g.x, g.y, g.z, g.w);
      return 1;
    }
  OK(cudaDestroySurfaceObject(sFirst));
  OK(cudaDestroySurfaceObject(sSecond));
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(first));
  OK(cudaFreeArray(second));
  OK(cudaFree(pixels));
  std::puts("PASS");
  return 0;
}
