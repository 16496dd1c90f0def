// A bilateral filter of uchar4 pixels with a distance table in constant memory, and a box filter by
// running sums. Floats must lie within a bound of the host's.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CALL(x)                                                                              \
  do {                                                                                            \
    if ((x) != cudaSuccess) {                                                                     \
      printf("Error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(cudaGetLastError())); \
      return EXIT_FAILURE;                                                                        \
    }                                                                                             \
  } while (0)

__constant__ float gaussian[64];

__device__ float4 toFloat(uchar4 p) {
  return make_float4(p.x / 255.f, p.y / 255.f, p.z / 255.f, p.w / 255.f);
}

__device__ float similarity(float4 a, float4 b, float d) {
  float3 e = make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
  return __expf(-(e.x * e.x + e.y * e.y + e.z * e.z) / (2.f * d * d));
}

__global__ void bilateral(const uchar4* in, float4* out, int width, int height, int radius,
                          float delta) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 centre = toFloat(in[y * width + x]), sum = make_float4(0, 0, 0, 0);
  float weights = 0;
  for (int i = -radius; i <= radius; i++)
    for (int j = -radius; j <= radius; j++) {
      int cx = min(max(x + j, 0), width - 1), cy = min(max(y + i, 0), height - 1);
      float4 p = toFloat(in[cy * width + cx]);
      float w = gaussian[i + radius] * gaussian[j + radius] * similarity(p, centre, delta);
      weights += w;
      sum.x += w * p.x;
      sum.y += w * p.y;
      sum.z += w * p.z;
      sum.w += w * p.w;
    }
  out[y * width + x] =
      make_float4(sum.x / weights, sum.y / weights, sum.z / weights, sum.w / weights);
}

__global__ void boxRows(const uchar4* in, int* out, int width, int height,
                        int radius) {  // filters the first channel
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  int sum = 0;
  for (int x = -radius; x <= radius; x++) sum += in[y * width + min(max(x, 0), width - 1)].x;
  for (int x = 0; x < width; x++) {
    out[y * width + x] = sum;
    sum += in[y * width + min(x + radius + 1, width - 1)].x - in[y * width + max(x - radius, 0)].x;
  }
}

int main(int argc, char** argv) {
  int width = argc > 1 ? atoi(argv[1]) : 48, height = argc > 2 ? atoi(argv[2]) : 32,
      radius = argc > 3 ? atoi(argv[3]) : 3;
  if (radius < 1 || radius > 31) return EXIT_FAILURE;
  const float delta = 0.2f, sigma = 2.f;
  float table[64];
  for (int i = 0; i < 2 * radius + 1; i++)
    table[i] = expf(-float((i - radius) * (i - radius)) / (2 * sigma * sigma));
  CUDA_CALL(cudaMemcpyToSymbol(gaussian, table, sizeof(float) * (2 * radius + 1)));
  std::vector<uchar4> image(width * height);
  for (int i = 0; i < width * height; i++) {
    int x = i % width, y = i / width;
    unsigned char step = x > y ? 200 : 40;
    image[i] = make_uchar4(step + (x * 7 + y * 13) % 23, (unsigned char)(x * 4),
                           (unsigned char)(y * 5), 255);
  }
  uchar4* in;
  float4* out;
  int* rows;
  CUDA_CALL(cudaMalloc(&in, image.size() * sizeof(uchar4)));
  CUDA_CALL(cudaMalloc(&out, image.size() * sizeof(float4)));
  CUDA_CALL(cudaMalloc(&rows, image.size() * sizeof(int)));
  CUDA_CALL(cudaMemcpy(in, image.data(), image.size() * sizeof(uchar4), cudaMemcpyHostToDevice));
  bilateral<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height,
                                                                           radius, delta);
  CUDA_CALL(cudaGetLastError());
  boxRows<<<(height + 31) / 32, 32>>>(in, rows, width, height, radius);
  CUDA_CALL(cudaGetLastError());
  std::vector<float4> got(image.size());
  std::vector<int> gotRows(image.size());
  CUDA_CALL(cudaMemcpy(got.data(), out, got.size() * sizeof(float4), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaMemcpy(gotRows.data(), rows, gotRows.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaFree(in));
  CUDA_CALL(cudaFree(out));
  CUDA_CALL(cudaFree(rows));

  const auto clamp = [](int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; };
  double worst = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uchar4 c = image[y * width + x];
      double sum[4] = {}, weights = 0;
      int row = 0;
      for (int j = -radius; j <= radius; j++) row += image[y * width + clamp(x + j, width)].x;
      if (row != gotRows[y * width + x]) {
        printf("FAIL: box at (%d, %d) is %d, expected %d\n", x, y, gotRows[y * width + x], row);
        return EXIT_FAILURE;
      }
      for (int i = -radius; i <= radius; i++)
        for (int j = -radius; j <= radius; j++) {
          const uchar4 p = image[clamp(y + i, height) * width + clamp(x + j, width)];
          const double dx = (p.x - c.x) / 255., dy = (p.y - c.y) / 255., dz = (p.z - c.z) / 255.;
          const double w = double(table[i + radius]) * table[j + radius] *
                           exp(-(dx * dx + dy * dy + dz * dz) / (2. * delta * delta));
          weights += w;
          sum[0] += w * p.x / 255;
          sum[1] += w * p.y / 255;
          sum[2] += w * p.z / 255;
          sum[3] += w * p.w / 255;
        }
      const float4 g = got[y * width + x];
      worst = fmax(worst, fabs(g.x - sum[0] / weights));
      worst = fmax(worst, fabs(g.y - sum[1] / weights));
      worst = fmax(worst, fabs(g.z - sum[2] / weights));
      worst = fmax(worst, fabs(g.w - sum[3] / weights));
    }
  if (!(worst < 5e-6)) {
    printf("FAIL: bilateral is off by %g\n", worst);
    return EXIT_FAILURE;
  }
  printf("PASS: off by %.2g\n", worst);
  return EXIT_SUCCESS;
}
