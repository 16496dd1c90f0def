// Escape times of the Mandelbrot set in float and double with every rounding written out, coloured
// by a table of uchar4. Blocks find work through an atomic counter.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECKED(x)                                                                      \
  do {                                                                                  \
    cudaError_t e = (x);                                                                \
    if (e != cudaSuccess) printf("FAIL: %s: %s\n", #x, cudaGetErrorString(e)), exit(1); \
  } while (0)

// An intrinsic is not fused with other operations: device and host round equally often.
__device__ float times(float a, float b) {
  return __fmul_rn(a, b);
}
__device__ float plus(float a, float b) {
  return __fadd_rn(a, b);
}
__device__ double times(double a, double b) {
  return __dmul_rn(a, b);
}
__device__ double plus(double a, double b) {
  return __dadd_rn(a, b);
}

template <class T>
__device__ int escape(T cx, T cy, int limit) {
  T x = 0, y = 0, xx = 0, yy = 0;
  int i = 0;
  while (i < limit && plus(xx, yy) < T(4)) {
    y = plus(times(plus(x, x), y), cy);
    x = plus(plus(xx, -yy), cx);
    xx = times(x, x);
    yy = times(y, y);
    ++i;
  }
  return i;
}

template <class T>
int escapeOnHost(T cx, T cy, int limit) {
  volatile T x = 0, y = 0, xx = 0, yy = 0, t;  // volatile: no contraction
  int i = 0;
  while (i < limit && xx + yy < T(4)) {
    t = x + x;
    t = t * y;
    y = t + cy;
    t = xx - yy;
    x = t + cx;
    xx = x * x;
    yy = y * y;
    ++i;
  }
  return i;
}

__device__ unsigned nextTile;
__constant__ uchar4 colours[64];

template <class T>
struct View {
  T left, top, step;
};

template <class T>
__global__ void render(View<T> view, int* times, uchar4* pixels, int width, int height, int limit) {
  __shared__ unsigned tile;
  const unsigned tilesX = (width + 15) / 16, tiles = tilesX * ((height + 15) / 16);
  while (true) {
    if (threadIdx.x == 0 && threadIdx.y == 0) tile = atomicAdd(&nextTile, 1);
    __syncthreads();
    const unsigned mine = tile;
    __syncthreads();
    if (mine >= tiles) break;
    const int x = mine % tilesX * 16 + threadIdx.x, y = mine / tilesX * 16 + threadIdx.y;
    if (x >= width || y >= height) continue;
    const int n = escape<T>(plus(view.left, ::times(T(x), view.step)),
                            plus(view.top, ::times(T(y), view.step)), limit);
    times[y * width + x] = n;
    pixels[y * width + x] = n == limit ? make_uchar4(0, 0, 0, 255) : colours[n % 64];
  }
}

template <class T>
bool test(int width, int height, int limit, const uchar4* table) {
  const View<T> view = {T(-2.05), T(-1.15), T(2.6) / T(width)};
  const unsigned zero = 0;
  CHECKED(cudaMemcpyToSymbol(nextTile, &zero, sizeof zero));
  int* times;
  uchar4* pixels;
  const int n = width * height;
  CHECKED(cudaMalloc(&times, n * sizeof(int)));
  CHECKED(cudaMalloc(&pixels, n * sizeof(uchar4)));
  render<T><<<6, dim3(16, 16)>>>(view, times, pixels, width, height, limit);
  CHECKED(cudaGetLastError());
  std::vector<int> got(n);
  std::vector<uchar4> gotPixels(n);
  CHECKED(cudaMemcpy(got.data(), times, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECKED(cudaMemcpy(gotPixels.data(), pixels, n * sizeof(uchar4), cudaMemcpyDeviceToHost));
  CHECKED(cudaFree(times));
  CHECKED(cudaFree(pixels));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      volatile T cx = T(x) * view.step, cy = T(y) * view.step;
      cx = view.left + cx;
      cy = view.top + cy;
      const int e = escapeOnHost<T>(cx, cy, limit), at = y * width + x;
      const uchar4 p = gotPixels[at], c = e == limit ? uchar4{0, 0, 0, 255} : table[e % 64];
      if (got[at] == e && p.x == c.x && p.y == c.y && p.z == c.z && p.w == c.w) continue;
      printf("FAIL: %zu bytes: (%d, %d) escapes after %d, expected %d\n", sizeof(T), x, y, got[at],
             e);
      return false;
    }
  return true;
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 70, height = argc > 2 ? atoi(argv[2]) : 60,
            limit = argc > 3 ? atoi(argv[3]) : 80;
  uchar4 table[64];
  for (int i = 0; i < 64; ++i) table[i] = make_uchar4(i * 4, 255 - i * 3, i * i, 255);
  CHECKED(cudaMemcpyToSymbol(colours, table, sizeof table));
  if (!test<float>(width, height, limit, table) || !test<double>(width, height, limit, table))
    return 1;
  puts("PASS");
  return 0;
}
