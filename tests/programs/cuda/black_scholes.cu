// Option prices by Black and Scholes, in streams over pinned memory: each chunk is copied in,
// priced and copied out.
#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T>
void check(T result, char const* const func, const char* const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

const float RISKFREE = 0.02f, VOLATILITY = 0.30f;

__device__ inline float cumulativeNormal(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
              A5 = 1.330274429f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float c = 0.39894228040143267794f * __expf(-0.5f * d * d) *
            (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  return d > 0 ? 1.0f - c : c;
}

__launch_bounds__(128) __global__
    void blackScholes(float2* __restrict call, float2* __restrict put,
                      const float2* __restrict price, const float2* __restrict strike,
                      const float2* __restrict years, float r, float v, int pairs) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= pairs) return;
  auto body = [=](float s, float x, float t, float& c, float& p) {
    float sqrtT = __fdividef(1.0f, rsqrtf(t));
    float d1 = __fdividef(__logf(s / x) + (r + 0.5f * v * v) * t, v * sqrtT), d2 = d1 - v * sqrtT;
    float cnd1 = cumulativeNormal(d1), cnd2 = cumulativeNormal(d2), expRT = __expf(-r * t);
    c = s * cnd1 - x * expRT * cnd2;
    p = x * expRT * (1.0f - cnd2) - s * (1.0f - cnd1);
  };
  float2 c, p;
  body(price[i].x, strike[i].x, years[i].x, c.x, p.x);
  body(price[i].y, strike[i].y, years[i].y, c.y, p.y);
  call[i] = c;
  put[i] = p;
}

static float randFloat(float low, float high) {
  float t = (float)rand() / (float)RAND_MAX;
  return (1.0f - t) * low + t * high;
}

int main(int argc, char** argv) {
  const int chunks = 4, perChunk = (argc > 1 ? atoi(argv[1]) : 600) & ~1, n = chunks * perChunk;
  const size_t bytes = n * sizeof(float);
  float *host[5], *device[5];  // call, put, price, strike, years
  for (int i = 0; i < 5; i++) {
    checkCudaErrors(cudaMallocHost((void**)&host[i], bytes));
    checkCudaErrors(cudaMalloc((void**)&device[i], bytes));
  }
  srand(5347);
  for (int i = 0; i < n; i++) {
    host[0][i] = host[1][i] = -1.0f;
    host[2][i] = randFloat(5.0f, 30.0f);
    host[3][i] = randFloat(1.0f, 100.0f);
    host[4][i] = randFloat(0.25f, 10.0f);
  }
  cudaStream_t streams[chunks];
  for (auto& stream : streams) checkCudaErrors(cudaStreamCreate(&stream));
  for (int c = 0; c < chunks; c++) {
    const int at = c * perChunk;
    for (int i = 2; i < 5; i++)
      checkCudaErrors(cudaMemcpyAsync(device[i] + at, host[i] + at, perChunk * sizeof(float),
                                      cudaMemcpyHostToDevice, streams[c]));
    blackScholes<<<(perChunk / 2 + 127) / 128, 128, 0, streams[c]>>>(
        (float2*)(device[0] + at), (float2*)(device[1] + at), (float2*)(device[2] + at),
        (float2*)(device[3] + at), (float2*)(device[4] + at), RISKFREE, VOLATILITY, perChunk / 2);
    checkCudaErrors(cudaGetLastError());
    for (int i = 0; i < 2; i++)
      checkCudaErrors(cudaMemcpyAsync(host[i] + at, device[i] + at, perChunk * sizeof(float),
                                      cudaMemcpyDeviceToHost, streams[c]));
  }
  for (auto& stream : streams) {
    checkCudaErrors(cudaStreamSynchronize(stream));
    checkCudaErrors(cudaStreamDestroy(stream));
  }
  double worst = 0, parity = 0;
  for (int i = 0; i < n; i++) {
    const double s = host[2][i], x = host[3][i], t = host[4][i], root = sqrt(t), r = RISKFREE,
                 v = VOLATILITY;
    const double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * root), d2 = d1 - v * root;
    const double n1 = 0.5 * erfc(-d1 / sqrt(2.)), n2 = 0.5 * erfc(-d2 / sqrt(2.));
    const double call = s * n1 - x * exp(-r * t) * n2,
                 put = x * exp(-r * t) * (1 - n2) - s * (1 - n1);
    worst = fmax(worst, fmax(fabs(host[0][i] - call), fabs(host[1][i] - put)));
    parity = fmax(parity, fabs(host[0][i] - host[1][i] - s + x * exp(-r * t)));
  }
  for (int i = 0; i < 5; i++) {
    checkCudaErrors(cudaFreeHost(host[i]));
    checkCudaErrors(cudaFree(device[i]));
  }
  const bool fine = worst < 5e-5 && parity < 5e-5;
  printf("%s: prices off by %.2g, parity by %.2g\n", fine ? "PASS" : "FAIL", worst, parity);
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
