// Texture objects: address and filter modes, convolution, linear memory, layers, volumes; and
// surfaces that kernels write before textures read them.
#include <cmath>

#include "check.h"

const int kRadius = 4;
__constant__ float weights[2 * kRadius + 1];

__global__ void convolve(cudaTextureObject_t image, float* out, int width, int height, int dx,
                         int dy) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k)
    sum =
        fmaf(tex2D<float>(image, x + 0.5f + k * dx, y + 0.5f + k * dy), weights[kRadius - k], sum);
  out[y * width + x] = sum;
}

__global__ void fetch(cudaTextureObject_t image, const float2* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<float>(image, at[i].x, at[i].y);
}

__global__ void fetch1(cudaTextureObject_t line, float4* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float4>(line, i);
}

struct Image {
  int width, height;
  std::vector<float> texels;
  float texel(long x, long y, cudaTextureAddressMode mode) const {
    const auto fold = [mode](long i, long n) -> long {
      if (mode == cudaAddressModeClamp) return i < 0 ? 0 : i >= n ? n - 1 : i;
      if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : i;
      const long period = mode == cudaAddressModeMirror ? 2 * n : n;
      i = (i % period + period) % period;
      return i < n ? i : 2 * n - 1 - i;
    };
    x = fold(x, width);
    y = fold(y, height);
    return x < 0 || y < 0 ? 0.f : texels[y * width + x];
  }
  float sample(float x, float y, cudaTextureAddressMode mode, bool linear) const {
    if (!linear) return texel(long(floorf(x)), long(floorf(y)), mode);
    const float xb = x - 0.5f, yb = y - 0.5f;
    const long i = long(floorf(xb)), j = long(floorf(yb));
    const double a = std::round((xb - floorf(xb)) * 256) / 256,
                 b = std::round((yb - floorf(yb)) * 256) / 256;
    return float((1 - a) * (1 - b) * texel(i, j, mode) + a * (1 - b) * texel(i + 1, j, mode) +
                 (1 - a) * b * texel(i, j + 1, mode) + a * b * texel(i + 1, j + 1, mode));
  }
};

void testModes() {
  Image image = {40, 28, {}};
  const int n = image.width * image.height;
  for (int i = 0; i < n; ++i) image.texels.push_back(float((i * 37) % 101) - 50);
  cudaArray_t array;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CHECK(cudaMallocArray(&array, &format, image.width, image.height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.texels.data(), image.width * sizeof(float),
                            image.width * sizeof(float), image.height, cudaMemcpyHostToDevice));
  const auto makeTexture = [&](cudaTextureAddressMode mode, bool linear, bool normalised) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = mode;
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.normalizedCoords = normalised;
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &resource, &d, nullptr));
    return t;
  };
  float* out;
  std::vector<float> got;
  CHECK(cudaMalloc(&out, n * sizeof(float)));

  // Filters the rows, then the columns of the result.
  float w[2 * kRadius + 1];
  for (int k = 0; k <= 2 * kRadius; ++k) w[k] = 1.f / (1 + k);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  const dim3 block(16, 8), grid((image.width + 15) / 16, (image.height + 7) / 8);
  cudaTextureObject_t clamped = makeTexture(cudaAddressModeClamp, false, false);
  convolve<<<grid, block>>>(clamped, out, image.width, image.height, 1, 0);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyToArray(array, 0, 0, out, n * sizeof(float), cudaMemcpyDeviceToDevice));
  convolve<<<grid, block>>>(clamped, out, image.width, image.height, 0, 1);
  got = toHost(out, n);
  const auto convolved = [&](const Image& from, int dx, int dy) {
    Image to = from;
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x) {
        float sum = 0;
        for (int k = -kRadius; k <= kRadius; ++k)
          sum = fmaf(from.texel(x + k * dx, y + k * dy, cudaAddressModeClamp), w[kRadius - k], sum);
        to.texels[y * from.width + x] = sum;
      }
    return to;
  };
  const Image expected = convolved(convolved(image, 1, 0), 0, 1);
  for (int i = 0; i < n; ++i)
    if (got[i] != expected.texels[i])
      fail("convolution at %d is %.9g, expected %.9g", i, got[i], expected.texels[i]);
  CHECK(cudaDestroyTextureObject(clamped));
  CHECK(cudaMemcpyToArray(array, 0, 0, image.texels.data(), n * sizeof(float),
                          cudaMemcpyHostToDevice));

  const int points = 200;
  std::vector<float2> at(points);
  float2* const dAt = newOnDevice<float2>(points);
  const struct {
    const char* name;
    cudaTextureAddressMode mode;
    bool linear, normalised;
  } cases[] = {{"clamp, point", cudaAddressModeClamp, false, false},
               {"clamp, linear", cudaAddressModeClamp, true, false},
               {"border, point", cudaAddressModeBorder, false, false},
               {"border, linear", cudaAddressModeBorder, true, false},
               {"wrap, point", cudaAddressModeWrap, false, true},
               {"mirror, point", cudaAddressModeMirror, false, true},
               {"clamp, linear, normalised", cudaAddressModeClamp, true, true}};
  for (const auto& c : cases) {
    for (int i = 0; i < points; ++i)  // their products with the size are exact
      at[i] = make_float2((i * 29 % 97 - 30) / 32.f * (c.normalised ? 1 : image.width),
                          (i * 17 % 89 - 30) / 32.f * (c.normalised ? 1 : image.height));
    cudaTextureObject_t t = makeTexture(c.mode, c.linear, c.normalised);
    CHECK(cudaMemcpy(dAt, at.data(), points * sizeof(float2), cudaMemcpyHostToDevice));
    fetch<<<2, 100>>>(t, dAt, out, points);
    got = toHost(out, points);
    CHECK(cudaDestroyTextureObject(t));
    for (int i = 0; i < points; ++i) {
      const float x = at[i].x * (c.normalised ? image.width : 1),
                  y = at[i].y * (c.normalised ? image.height : 1);
      const float e = image.sample(x, y, c.mode, c.linear);
      if (std::fabs(got[i] - e) <= (c.linear ? 1e-4f : 0)) continue;
      fail("%s: (%g, %g) is %.9g, expected %.9g", c.name, x, y, got[i], e);
    }
  }

  // Bytes in linear memory, read as fractions of 1.
  uchar4 bytes[20], *dBytes;
  for (int i = 0; i < 20; ++i) bytes[i] = make_uchar4(i * 13, 255 - i, i, 128);
  CHECK(cudaMalloc(&dBytes, sizeof bytes));
  CHECK(cudaMemcpy(dBytes, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = dBytes;
  linear.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  linear.res.linear.sizeInBytes = sizeof bytes;
  cudaTextureDesc fractions = {};
  fractions.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t line;
  CHECK(cudaCreateTextureObject(&line, &linear, &fractions, nullptr));
  float4 *dLine, gotLine[20];
  CHECK(cudaMalloc(&dLine, sizeof gotLine));
  fetch1<<<1, 32>>>(line, dLine, 20);
  CHECK(cudaMemcpy(gotLine, dLine, sizeof gotLine, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 20; ++i)
    if (gotLine[i].x != bytes[i].x / 255.f || gotLine[i].y != bytes[i].y / 255.f ||
        gotLine[i].z != i / 255.f || gotLine[i].w != 128 / 255.f)
      fail("fraction %d is %.9g", i, gotLine[i].x);
  CHECK(cudaDestroyTextureObject(line));
}

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

void testLayers() {
  const int width = 36, height = 20, depth = 3;
  // Layered textures.
  std::vector<float> stack(width * height * depth);
  for (size_t i = 0; i < stack.size(); ++i) stack[i] = float(i);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t layered;
  CHECK(cudaMalloc3DArray(&layered, &format, make_cudaExtent(width, height, depth),
                          cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(stack.data(), width * sizeof(float), width, height);
  copy.dstArray = layered;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeWrap;
  d.filterMode = cudaFilterModeLinear;
  d.normalizedCoords = 1;
  cudaResourceDesc r = resourceOf(layered);
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  float* const out = newOnDevice<float>(stack.size());
  for (int layer = 0; layer < depth; ++layer)
    layers<<<dim3((width + 31) / 32, height), 32>>>(t, out, width, height, layer);
  const std::vector<float> gotStack = toHost(out, stack.size());
  for (size_t i = 0; i < stack.size(); ++i) {
    const float expected = -stack[i] + float(i / (width * height));
    if (gotStack[i] == expected) continue;
    fail("layered texel %zu is %g, expected %g", i, gotStack[i], expected);
  }
  CHECK(cudaDestroyTextureObject(t));

  // 3D textures.
  const int nx = 13, ny = 7, nz = 5, n = nx * ny * nz;
  std::vector<int> cells(n);
  for (int i = 0; i < n; ++i) cells[i] = i * i - 100;
  format = cudaCreateChannelDesc<int>();
  cudaArray_t cube;
  CHECK(cudaMalloc3DArray(&cube, &format, make_cudaExtent(nx, ny, nz)));
  copy = {};
  copy.srcPtr = make_cudaPitchedPtr(cells.data(), nx * sizeof(int), nx, ny);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(nx, ny, nz);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  r = resourceOf(cube);
  d = {};
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  int* const dCells = newOnDevice<int>(n);
  volume<<<nz, dim3(16, 8)>>>(t, dCells, nx, ny, nz);
  const std::vector<int> gotCells = toHost(dCells, n);
  for (int i = 0; i < n; ++i)
    if (gotCells[i] != cells[n - 1 - i])
      fail("cell %d is %d, expected %d", i, gotCells[i], cells[n - 1 - i]);
  CHECK(cudaDestroyTextureObject(t));

  // Surfaces, read back as textures.
  format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t first, second;
  CHECK(cudaMallocArray(&first, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&second, &format, width, height, cudaArraySurfaceLoadStore));
  cudaResourceDesc rFirst = resourceOf(first), rSecond = resourceOf(second);
  cudaSurfaceObject_t sFirst, sSecond;
  CHECK(cudaCreateSurfaceObject(&sFirst, &rFirst));
  CHECK(cudaCreateSurfaceObject(&sSecond, &rSecond));
  CHECK(cudaCreateTextureObject(&t, &rSecond, &d, nullptr));
  uchar4* const pixels = newOnDevice<uchar4>(width * height);
  const dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  draw<<<grid, block>>>(sFirst, width, height);
  smooth<<<grid, block>>>(sFirst, sSecond, width, height);
  readBack<<<grid, block>>>(t, pixels, width, height);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<uchar4> direct(width * height);
  const std::vector<uchar4> got = toHost(pixels, width * height);
  CHECK(cudaMemcpy2DFromArray(direct.data(), width * sizeof(uchar4), second, 0, 0,
                              width * sizeof(uchar4), height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int left = x > 0 ? x - 1 : 0, right = x < width - 1 ? x + 1 : x;
      const uchar4 g = got[y * width + x], h = direct[y * width + x];
      if (g.x == (left + x + right) / 3 && g.y == y && g.z == (x ^ y) && g.w == 255 && h.x == g.x &&
          h.z == g.z)
        continue;
      fail("pixel (%d, %d) is %d %d %d %d", x, y, g.x, g.y, g.z, g.w);
    }
  CHECK(cudaDestroySurfaceObject(sFirst));
  CHECK(cudaDestroySurfaceObject(sSecond));
  CHECK(cudaDestroyTextureObject(t));
}

int main() {
  testModes();
  testLayers();
  puts("PASS");
}
