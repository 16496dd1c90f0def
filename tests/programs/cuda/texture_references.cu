// texture<> references, used before there were texture objects: bytes as fractions by normalised
// coordinates, four neighbours at once, gradients without a choice of level, half precision.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                      \
  do {                                                                \
    cudaError_t e = (x);                                              \
    if (e != cudaSuccess) {                                           \
      printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

const int kWidth = 16, kHeight = 8;

texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image;
texture<float, cudaTextureType2D> plane;
texture<short, cudaTextureType1D, cudaReadModeNormalizedFloat> line;

__global__ void resize(float4* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = tex2D(image, (x + 0.5f) / width, (y + 0.5f) / height);
}

__global__ void neighbours(float4* out, float* same) {
  const int x = threadIdx.x, y = blockIdx.x, i = y * blockDim.x + x;
  const float u = x + 1.0f, v = y + 1.0f;
  const float4 texels = tex2Dgather(plane, u, v);
  out[i] = texels;
  const float2 d = make_float2(0.5f, 0.25f);
  same[i] = tex2DGrad(plane, x + 0.5f, y + 0.5f, d, d) - tex2D(plane, x + 0.5f, y + 0.5f);
}

__global__ void fractions(float* out) {
  out[threadIdx.x] = tex1Dfetch(line, threadIdx.x);
}

__global__ void halves(cudaTextureObject_t object, float* out) {
  out[threadIdx.x] = tex1D<float>(object, threadIdx.x + 0.5f);
}

float channel(const uchar4& c, int k) {
  return (k == 0 ? c.x : k == 1 ? c.y : k == 2 ? c.z : c.w) / 255.0f;
}

int testImage() {
  std::vector<uchar4> texels(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i)
    texels[i] = make_uchar4(i * 7 % 256, i * 13 % 256, i * 29 % 256, 255 - i);
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
  cudaArray* array;
  CHECK(cudaMallocArray(&array, &desc, kWidth, kHeight));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), kWidth * 4, kWidth * 4, kHeight,
                            cudaMemcpyHostToDevice));
  image.normalized = true;
  image.filterMode = cudaFilterModeLinear;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeWrap;
  CHECK(cudaBindTextureToArray(image, array, desc));
  const int width = 3 * kWidth, height = 2 * kHeight;
  float4* out;
  CHECK(cudaMallocManaged(&out, width * height * sizeof(float4)));
  resize<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(out, width, height);
  CHECK(cudaDeviceSynchronize());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int k = 0; k < 4; ++k) {
        const float u = (x + 0.5f) / width * kWidth - 0.5f,
                    v = (y + 0.5f) / height * kHeight - 0.5f;
        const float fu = std::floor(u), fv = std::floor(v), a = u - fu, b = v - fv;
        const auto at = [&](int dx, int dy) {
          const int column = (int(fu) + dx + kWidth) % kWidth,
                    row = (int(fv) + dy + kHeight) % kHeight;
          return channel(texels[row * kWidth + column], k);
        };
        const float e =
            (1 - b) * ((1 - a) * at(0, 0) + a * at(1, 0)) + b * ((1 - a) * at(0, 1) + a * at(1, 1));
        const float got = (&out[y * width + x].x)[k];
        if (!(std::fabs(got - e) < 1.f / 128))  // filter fractions have 8 bits
          return printf("FAIL: pixel %d, %d, channel %d: %g, expected %g\n", x, y, k, got, e), 1;
      }
  CHECK(cudaUnbindTexture(image));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return 0;
}

int testPlane() {
  std::vector<float> texels(kWidth * kHeight);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = float(i * i);
  cudaArray* array;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &desc, kWidth, kHeight, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), kWidth * 4, kWidth * 4, kHeight,
                            cudaMemcpyHostToDevice));
  CHECK(cudaBindTextureToArray(plane, array));
  const int width = kWidth - 1, height = kHeight - 1;
  float4* out;
  float* same;
  CHECK(cudaMallocManaged(&out, width * height * sizeof(float4)));
  CHECK(cudaMallocManaged(&same, width * height * sizeof(float)));
  neighbours<<<height, width>>>(out, same);
  CHECK(cudaDeviceSynchronize());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float4 g = out[y * width + x];
      const float* t = &texels[y * kWidth + x];
      if (g.w != t[0] || g.z != t[1] || g.x != t[kWidth] || g.y != t[kWidth + 1] ||
          same[y * width + x] != 0)
        return printf("FAIL: the neighbours of %d, %d: %g %g %g %g\n", x, y, g.x, g.y, g.z, g.w), 1;
    }
  CHECK(cudaUnbindTexture(plane));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  CHECK(cudaFree(same));
  return 0;
}

int testLines() {
  const int n = 64;
  short* shorts;
  float* out;
  CHECK(cudaMallocManaged(&shorts, n * sizeof(short)));
  CHECK(cudaMallocManaged(&out, n * sizeof(float)));
  for (int i = 0; i < n; ++i) shorts[i] = short(i * 1040 - 32768);
  CHECK(cudaBindTexture(NULL, line, shorts, n * sizeof(short)));
  fractions<<<1, n>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const float e = std::fmax(shorts[i] / 32767.f, -1.f);
    if (!(std::fabs(out[i] - e) < 1e-6f))
      return printf("FAIL: fraction %d is %g, expected %g\n", i, out[i], e), 1;
  }
  CHECK(cudaUnbindTexture(line));
  CHECK(cudaFree(shorts));

  std::vector<__half> texels(n);
  for (int i = 0; i < n; ++i) texels[i] = __float2half(i * 0.375f - 7);
  const cudaChannelFormatDesc desc = cudaCreateChannelDescHalf();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &desc, n));
  CHECK(cudaMemcpyToArray(array, 0, 0, texels.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &how, NULL));
  halves<<<1, n>>>(object, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    if (out[i] != i * 0.375f - 7) return printf("FAIL: half %d is %g\n", i, out[i]), 1;
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return 0;
}

int main() {
  if (testImage() != 0 || testPlane() != 0 || testLines() != 0) return 1;
  puts("PASS");
  return 0;
}
