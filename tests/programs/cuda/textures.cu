// Texture objects: address and filter modes, linear memory, layers, volumes, cubes; and
// surfaces that kernels write before textures read them.
#include "check.h"

__global__ void fetch(cudaTextureObject_t image, const float2* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<float>(image, at[i].x, at[i].y);
}

__global__ void fetch1(cudaTextureObject_t line, float4* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float4>(line, i);
}

static cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  return r;
}

/// Fetches along each axis of an image whose texel (x, y) is row[x] * row[y].
void testModes() {
  const int n = 4, points = 5;
  const float row[n] = {1, 2, 4, 8}, places[points] = {-1.5f, 0.5f, 1.75f, 4, 6.25f};
  const struct {
    const char* name;
    cudaTextureAddressMode mode;
    bool linear, normalised;
    float expected[points];  // at the places
  } cases[] = {{"clamp, point", cudaAddressModeClamp, false, false, {1, 1, 2, 8, 8}},
               {"clamp, linear", cudaAddressModeClamp, true, false, {1, 1, 2.5f, 8, 8}},
               {"border, point", cudaAddressModeBorder, false, false, {0, 1, 2, 0, 0}},
               {"border, linear", cudaAddressModeBorder, true, false, {0, 1, 2.5f, 4, 0}},
               {"wrap, point", cudaAddressModeWrap, false, true, {4, 1, 2, 1, 4}},
               {"mirror, point", cudaAddressModeMirror, false, true, {2, 1, 2, 8, 2}},
               {"clamp, linear, normalised", cudaAddressModeClamp, true, true, {1, 1, 2.5f, 8, 8}}};
  std::vector<float> texels(n * n);
  for (int i = 0; i < n * n; ++i) texels[i] = row[i % n] * row[i / n];
  cudaArray_t array;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CHECK(cudaMallocArray(&array, &format, n, n));
  CHECK(cudaMemcpyToArray(array, 0, 0, toDevice(texels), n * n * sizeof(float),
                          cudaMemcpyDeviceToDevice));
  float* const out = newOnDevice<float>(2 * points);
  for (const auto& c : cases) {
    const cudaResourceDesc resource = resourceOf(array);
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = c.mode;
    how.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.normalizedCoords = c.normalised;
    cudaTextureObject_t image = 0;
    CHECK(cudaCreateTextureObject(&image, &resource, &how, nullptr));
    std::vector<float2> at;
    const float scale = c.normalised ? 1.0f / n : 1;
    for (float place : places) {
      at.push_back(make_float2(place * scale, 1.5f * scale));
      at.push_back(make_float2(1.5f * scale, place * scale));
    }
    fetch<<<2, points>>>(image, toDevice(at), out, 2 * points);
    const std::vector<float> got = toHost(out, 2 * points);
    for (int i = 0; i < 2 * points; ++i)
      if (got[i] != 2 * c.expected[i / 2])
        fail("%s: (%g, %g) is %g, expected %g", c.name, at[i].x, at[i].y, got[i],
             2 * c.expected[i / 2]);
    CHECK(cudaDestroyTextureObject(image));
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

__global__ void fetchCube(cudaTextureObject_t cube, cudaTextureObject_t cubes, const float3* at,
                          float* out) {
  const float3 d = at[threadIdx.x];
  out[3 * threadIdx.x] = texCubemap<float>(cube, d.x, d.y, d.z);
  out[3 * threadIdx.x + 1] = texCubemapLayered<float>(cubes, d.x, d.y, d.z, 1);
  out[3 * threadIdx.x + 2] = texCubemapLod<float>(cube, d.x, d.y, d.z, 0.0f);
}

/// Texel (x, y) of face f holds 100 f + 10 y + x; those of the second cube, 1000 more.
static cudaTextureObject_t cubeOf(int cubes, bool linear) {
  const int n = 4;
  std::vector<float> texels(n * n * 6 * cubes);
  for (int i = 0; i < int(texels.size()); ++i)
    texels[i] = float(i / (n * n) % 6 * 100 + i / (n * n * 6) * 1000 + i / n % n * 10 + i % n);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(n, n, 6 * cubes);
  GIVES(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, 5), cudaArrayCubemap),
        cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK(cudaMalloc3DArray(&array, &format, extent,
                          cudaArrayCubemap | (cubes > 1 ? cudaArrayLayered : 0)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), n * sizeof(float), n, n);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  const cudaResourceDesc resource = resourceOf(array);
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaTextureObject_t cube = 0;
  CHECK(cudaCreateTextureObject(&cube, &resource, &how, nullptr));
  return cube;
}

void testCubes() {
  // Each face at s = 1/2, t = -1/4 of its axes: texel x = 3, y = 1.
  const std::vector<float3> at = {{2, 0.5f, -1}, {-2, 0.5f, 1}, {1, 2, -0.5f},
                                  {1, -2, 0.5f}, {1, 0.5f, 2},  {-1, 0.5f, -2}};
  const int n = int(at.size());
  float* const out = newOnDevice<float>(3 * n);
  fetchCube<<<1, n>>>(cubeOf(1, false), cubeOf(2, false), toDevice(at), out);
  const std::vector<float> points = toHost(out, 3 * n);
  for (int face = 0; face < n; ++face) {
    const float right = 100.0f * face + 13;
    if (points[3 * face] != right || points[3 * face + 1] != right + 1000 ||
        points[3 * face + 2] != right)
      fail("face %d: %g, %g, %g", face, points[3 * face], points[3 * face + 1],
           points[3 * face + 2]);
  }
  fetchCube<<<1, n>>>(cubeOf(1, true), cubeOf(2, true), toDevice(at), out);
  const std::vector<float> filtered = toHost(out, 3 * n);  // x = 2.5, y = 1
  for (int face = 0; face < n; ++face) EXPECT(filtered[3 * face] == 100.0f * face + 12.5f);
}

int main() {
  testModes();
  testCubes();
  testLayers();
  puts("PASS");
}
