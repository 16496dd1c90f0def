// Conjugate gradient on a Poisson matrix that is never stored. Dot products take two kernels;
// scalars stay on the device.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHK(x)                                                            \
  do {                                                                    \
    cudaError_t rc = (x);                                                 \
    if (rc) {                                                             \
      printf("FAIL: %s -> %s (%d)\n", #x, cudaGetErrorName(rc), (int)rc); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

const int kThreads = 128, kBlocks = 16;

__global__ void laplace(int side, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side) return;
  int r = i / side, c = i % side;
  double sum = 4 * x[i];
  if (r > 0) sum -= x[i - side];
  if (r < side - 1) sum -= x[i + side];
  if (c > 0) sum -= x[i - 1];
  if (c < side - 1) sum -= x[i + 1];
  y[i] = sum;
}

__global__ void dotPartial(int n, const double* a, const double* b, double* partial) {
  __shared__ double cache[kThreads];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

struct Scalars {
  double rr, pAp, alpha, beta;
};

enum class Step { First, Alpha, Beta };

template <Step step>
__global__ void finish(const double* partial, Scalars* s) {
  double sum = threadIdx.x < kBlocks ? partial[threadIdx.x] : 0;
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x) return;
  if constexpr (step == Step::First) {
    s->rr = sum;
  } else if constexpr (step == Step::Alpha) {
    s->pAp = sum;
    s->alpha = s->rr / sum;
  } else {
    s->beta = sum / s->rr;
    s->rr = sum;
  }
}

__global__ void advance(int n, const Scalars* s, const double* p, const double* ap, double* x,
                        double* r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] += s->alpha * p[i];
  r[i] -= s->alpha * ap[i];
}

__global__ void direction(int n, const Scalars* s, const double* r, double* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = r[i] + s->beta * p[i];
}

int main(int argc, char** argv) {
  const int side = argc > 1 ? atoi(argv[1]) : 24, n = side * side;
  std::vector<double> solution(n), b(n), x(n);
  for (int i = 0; i < n; ++i) solution[i] = sin(0.1 * i) + (i % 3);
  for (int i = 0; i < n; ++i) {
    int r = i / side, c = i % side;
    b[i] = 4 * solution[i];
    if (r > 0) b[i] -= solution[i - side];
    if (r < side - 1) b[i] -= solution[i + side];
    if (c > 0) b[i] -= solution[i - 1];
    if (c < side - 1) b[i] -= solution[i + 1];
  }
  double *dx, *r, *p, *ap, *partial;
  Scalars* s;
  for (double** v : {&dx, &r, &p, &ap}) CHK(cudaMalloc((void**)v, n * sizeof(double)));
  CHK(cudaMalloc((void**)&partial, kBlocks * sizeof(double)));
  CHK(cudaMalloc((void**)&s, sizeof(Scalars)));
  CHK(cudaMemset(dx, 0, n * sizeof(double)));
  CHK(cudaMemcpy(r, b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  CHK(cudaMemcpy(p, r, n * sizeof(double), cudaMemcpyDeviceToDevice));
  const int grid = (n + kThreads - 1) / kThreads;
  dotPartial<<<kBlocks, kThreads>>>(n, r, r, partial);
  finish<Step::First><<<1, 32>>>(partial, s);
  int iteration = 0;
  double rr = 1;
  for (; rr > 1e-20 && iteration < 10 * side; ++iteration) {
    laplace<<<grid, kThreads>>>(side, p, ap);
    dotPartial<<<kBlocks, kThreads>>>(n, p, ap, partial);
    finish<Step::Alpha><<<1, 32>>>(partial, s);
    advance<<<grid, kThreads>>>(n, s, p, ap, dx, r);
    dotPartial<<<kBlocks, kThreads>>>(n, r, r, partial);
    finish<Step::Beta><<<1, 32>>>(partial, s);
    direction<<<grid, kThreads>>>(n, s, r, p);
    CHK(cudaGetLastError());
    CHK(cudaMemcpy(&rr, &s->rr, sizeof(double), cudaMemcpyDeviceToHost));
  }
  CHK(cudaMemcpy(x.data(), dx, n * sizeof(double), cudaMemcpyDeviceToHost));
  for (void* v : {(void*)dx, (void*)r, (void*)p, (void*)ap, (void*)partial, (void*)s})
    CHK(cudaFree(v));
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = fmax(worst, fabs(x[i] - solution[i]));
  if (!(worst < 1e-8)) {
    printf("FAIL: off by %g after %d iterations\n", worst, iteration);
    return 1;
  }
  printf("PASS: off by %.2g after %d iterations\n", worst, iteration);
  return 0;
}
