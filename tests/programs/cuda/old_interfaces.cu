// What programs before Volta use: votes and shuffles without a mask, texture references, and
// pointers to device functions that the host reads from device variables.
#include <cuda_fp16.h>

#include <cmath>

#include "check.h"

texture<float, 1, cudaReadModeElementType> numbers;
texture<float, 2, cudaReadModeElementType> square;

typedef float (*Operation)(float, float);
__device__ float add(float a, float b) {
  return a + b;
}
__device__ float multiply(float a, float b) {
  return a * b;
}
__device__ Operation deviceAdd = add, deviceMultiply = multiply;

__global__ void warps(double* sums, float* shuffled, int* votes) {
  const int t = threadIdx.x;
  double sum = t;
  float all = t;
  for (int m = 16; m > 0; m /= 2) {
    sum += __shfl_down(sum, m);
    all += __shfl_xor(all, m);
  }
  sums[t] = sum;
  shuffled[t] = all + __shfl_up(t, 1) + __shfl(t, 7, 8);
  if (t < 10)
    votes[t] = __ballot(t & 1);
  else
    votes[t] = __all(t > 9) * 2 + __any(t == 20);
}

__global__ void fetch(float* out, Operation operation) {
  const int i = threadIdx.x;
  out[i] = operation(tex1Dfetch(numbers, i), tex2D(square, i % 4, i / 4));
}

void testWarps() {
  double* const sums = newOnDevice<double>(32);
  float* const floats = newOnDevice<float>(32);
  int* const votes = newOnDevice<int>(32);
  warps<<<1, 32>>>(sums, floats, votes);
  EXPECT(toHost(sums, 32)[0] == 496);
  const std::vector<int> gotVotes = toHost(votes, 32);
  std::vector<float> got = toHost(floats, 32), host(32);
  for (int t = 0; t < 32; ++t) {
    const float e = 496 + (t > 0 ? t - 1 : 0) + (t / 8 * 8 + 7);
    const int v = t < 10 ? 0x2aa : 3;
    if (got[t] != e || gotVotes[t] != v)
      fail("lane %d has %g and %x, expected %g and %x", t, got[t], gotVotes[t], e, v);
  }

  for (int i = 0; i < 32; ++i) host[i] = i * 0.5f - 3;
  cudaArray* array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 4, 8));
  CHECK(cudaMemcpyToArray(array, 0, 0, host.data(), 32 * sizeof(float), cudaMemcpyHostToDevice));
  square.addressMode[0] = square.addressMode[1] = cudaAddressModeClamp;
  square.filterMode = cudaFilterModePoint;
  CHECK(cudaBindTexture(nullptr, numbers, toDevice(host), 32 * sizeof(float)));
  CHECK(cudaBindTextureToArray(square, array, format));
  for (int product = 0; product < 2; ++product) {
    Operation operation;
    CHECK(product ? cudaMemcpyFromSymbol(&operation, deviceMultiply, sizeof operation)
                  : cudaMemcpyFromSymbol(&operation, deviceAdd, sizeof operation));
    fetch<<<1, 32>>>(floats, operation);
    got = toHost(floats, 32);
    for (int i = 0; i < 32; ++i) {
      const float e = product ? host[i] * host[i] : host[i] + host[i];
      if (got[i] != e) fail("texel %d gives %g, expected %g", i, got[i], e);
    }
  }
  CHECK(cudaUnbindTexture(numbers));
  CHECK(cudaUnbindTexture(square));
}

const int kWidth = 16, kHeight = 8;

texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image;
texture<float, cudaTextureType2D> plane;
texture<short, cudaTextureType1D, cudaReadModeNormalizedFloat> line;

__global__ void sample(const float2* at, float4* out) {
  out[threadIdx.x] = tex2D(image, at[threadIdx.x].x, at[threadIdx.x].y);
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

/// Samples an image of 4 x 2 with 20 x + 100 y + k in channel k.
void testImage() {
  const struct {
    float x, y, value;  // in texels; the value of channel 0
  } points[] = {{0.5f, 0.5f, 0},   {2.5f, 1.5f, 140}, {2, 0.5f, 30}, {1.5f, 1, 70},
                {2.25f, 0.5f, 35}, {4, 0.5f, 30},     {1.5f, 2, 70}, {-1.5f, 0.5f, 40}};
  std::vector<uchar4> texels;
  for (int i = 0; i < 8; ++i) {
    const int v = i % 4 * 20 + i / 4 * 100;
    texels.push_back(make_uchar4(v, v + 1, v + 2, v + 3));
  }
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
  cudaArray* array;
  CHECK(cudaMallocArray(&array, &desc, 4, 2));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 16, 16, 2, cudaMemcpyHostToDevice));
  image.normalized = true;
  image.filterMode = cudaFilterModeLinear;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeWrap;
  CHECK(cudaBindTextureToArray(image, array, desc));
  std::vector<float2> at;
  for (const auto& p : points) at.push_back(make_float2(p.x / 4, p.y / 2));
  float4* const out = newOnDevice<float4>(8);
  sample<<<1, 8>>>(toDevice(at), out);
  const std::vector<float4> got = toHost(out, 8);
  for (int i = 0; i < 32; ++i) {
    const float e = (points[i / 4].value + i % 4) / 255, g = (&got[i / 4].x)[i % 4];
    if (!(std::fabs(g - e) < 1e-6f)) fail("point %d, channel %d: %g, not %g", i / 4, i % 4, g, e);
  }
  CHECK(cudaUnbindTexture(image));
}

void testPlane() {
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
        fail("the neighbours of %d, %d: %g %g %g %g", x, y, g.x, g.y, g.z, g.w);
    }
  CHECK(cudaUnbindTexture(plane));
}

void testLines() {
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
    if (!(std::fabs(out[i] - e) < 1e-6f)) fail("fraction %d is %g, expected %g", i, out[i], e);
  }
  CHECK(cudaUnbindTexture(line));

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
    if (out[i] != i * 0.375f - 7) fail("half %d is %g", i, out[i]);
  CHECK(cudaDestroyTextureObject(object));
}

int main() {
  testWarps();
  testImage();
  testPlane();
  testLines();
  puts("PASS");
}
