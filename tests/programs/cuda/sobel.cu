// Sobel edges of a grey image read through a texture object, in integers, against the host's; and a
// median of nine by a sorting network from shared memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TRY(call)                                                                                \
  do {                                                                                           \
    cudaError_t status = (call);                                                                 \
    if (status != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
      exit(2);                                                                                   \
    }                                                                                            \
  } while (0)

typedef unsigned char Pixel;

__device__ unsigned char gradient(int ul, int um, int ur, int ml, int mr, int ll, int lm, int lr,
                                  float scale) {
  int horizontal = ur + 2 * mr + lr - ul - 2 * ml - ll;
  int vertical = ul + 2 * um + ur - ll - 2 * lm - lr;
  int sum = (int)(scale * (float)(abs(horizontal) + abs(vertical)));
  return (unsigned char)min(max(sum, 0), 255);
}

__global__ void sobel(cudaTextureObject_t image, Pixel* out, size_t pitch, int width, int height,
                      float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  auto at = [&](int dx, int dy) {
    return (int)tex2D<unsigned char>(image, (float)(x + dx), (float)(y + dy));
  };
  out[y * pitch + x] = gradient(at(-1, -1), at(0, -1), at(1, -1), at(-1, 0), at(1, 0), at(-1, 1),
                                at(0, 1), at(1, 1), scale);
}

__device__ inline void order(Pixel& a, Pixel& b) {
  Pixel low = min(a, b);
  b = max(a, b);
  a = low;
}

__global__ void median(const Pixel* in, Pixel* out, size_t pitch, int width, int height) {
  __shared__ Pixel tile[10][34];
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
    int x = blockIdx.x * 32 + i % 34 - 1, y = blockIdx.y * 8 + i / 34 - 1;
    x = min(max(x, 0), width - 1);
    y = min(max(y, 0), height - 1);
    tile[i / 34][i % 34] = in[y * pitch + x];
  }
  __syncthreads();
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  Pixel v[9];
  for (int i = 0; i < 9; i++) v[i] = tile[threadIdx.y + i / 3][threadIdx.x + i % 3];
  order(v[1], v[2]);
  order(v[4], v[5]);
  order(v[7], v[8]);
  order(v[0], v[1]);
  order(v[3], v[4]);
  order(v[6], v[7]);
  order(v[1], v[2]);
  order(v[4], v[5]);
  order(v[7], v[8]);
  order(v[0], v[3]);
  order(v[5], v[8]);
  order(v[4], v[7]);
  order(v[3], v[6]);
  order(v[1], v[4]);
  order(v[2], v[5]);
  order(v[4], v[7]);
  order(v[4], v[2]);
  order(v[6], v[4]);
  order(v[4], v[2]);
  out[y * pitch + x] = v[4];
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 90, height = argc > 2 ? atoi(argv[2]) : 61;
  std::vector<Pixel> image(width * height), got(width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      image[y * width + x] = (Pixel)((x * x / 9 + y * 5) ^ (x * y % 31 == 3 ? 255 : 0));

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  TRY(cudaMallocArray(&array, &format, width, height));
  TRY(cudaMemcpy2DToArray(array, 0, 0, image.data(), width, width, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  TRY(cudaCreateTextureObject(&texture, &resource, &how, NULL));
  Pixel *in, *out;
  size_t pitch;
  TRY(cudaMallocPitch(&in, &pitch, width, height));
  TRY(cudaMallocPitch(&out, &pitch, width, height));
  TRY(cudaMemcpy2D(in, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice));

  const auto pixel = [&](int x, int y) {
    return (int)
        image[std::min(std::max(y, 0), height - 1) * width + std::min(std::max(x, 0), width - 1)];
  };
  int wrong = 0;
  const auto compare = [&](const char* name, auto expected) {
    TRY(cudaMemcpy2D(got.data(), width, out, pitch, width, height, cudaMemcpyDeviceToHost));
    int here = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        if (got[y * width + x] != expected(x, y) && here++ == 0)
          printf("%s: (%d, %d) is %d, expected %d\n", name, x, y, got[y * width + x],
                 (int)expected(x, y));
    wrong += here;
  };
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  const float scale = 0.5f;
  sobel<<<grid, block>>>(texture, out, pitch, width, height, scale);
  TRY(cudaGetLastError());
  compare("sobel", [&](int x, int y) {
    int h = pixel(x + 1, y - 1) + 2 * pixel(x + 1, y) + pixel(x + 1, y + 1) - pixel(x - 1, y - 1) -
            2 * pixel(x - 1, y) - pixel(x - 1, y + 1);
    int v = pixel(x - 1, y - 1) + 2 * pixel(x, y - 1) + pixel(x + 1, y - 1) - pixel(x - 1, y + 1) -
            2 * pixel(x, y + 1) - pixel(x + 1, y + 1);
    return std::min((int)(scale * (float)(abs(h) + abs(v))), 255);
  });
  median<<<grid, block>>>(in, out, pitch, width, height);
  TRY(cudaGetLastError());
  compare("median", [&](int x, int y) {
    int v[9];
    for (int i = 0; i < 9; i++) v[i] = pixel(x + i % 3 - 1, y + i / 3 - 1);
    std::nth_element(v, v + 4, v + 9);
    return v[4];
  });
  TRY(cudaDestroyTextureObject(texture));
  TRY(cudaFreeArray(array));
  TRY(cudaFree(in));
  TRY(cudaFree(out));
  if (wrong)
    printf("FAIL: %d pixels are wrong\n", wrong);
  else
    printf("PASS\n");
  return wrong ? 1 : 0;
}
