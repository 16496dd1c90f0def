// Kernels of the launches in peers.csv: small ones of the kinds that a reader tries first. They are
// compiled as fermata compiles a launch file without `arch` (sm_20, 64-bit addresses), run with 20
// registers per thread, and both simulators read that PTX. Random numbers are uniform; floats lie
// between 0 and 1.
extern "C" {

// Launches: grid 128 or 1024, block 256, n = 256 times the grid; a, b random.
__global__ void vecadd(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Launch: grid 16, block 256; n = 32768.
__global__ void saxpy_grid(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] += a * x[i];
}

// Launch: grid 64, block 256; n = 131072.
__global__ void reduce1(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float v = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x) v += in[i];
  s[t] = v;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Launch: grid 8 x 16, block 32 x 8; w = 256, h = 128.
__global__ void stencil5(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] +
                             in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

// Launches: grid 8 x 16, block 16 x 8, n = 128; grid 32 x 32, block 16 x 16, n = 512.
__global__ void trans_naive(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

// Launch: grid 8 x 8, block 32 x 8; n = 256.
__global__ void trans_tile(const float* in, float* out, int n) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}

// Launch: grid 6 x 6, block 16 x 16; n = 96.
__global__ void mm_naive(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

// Launch: grid 8 x 8, block 16 x 16; n = 128.
__global__ void mm_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float A[16][16], B[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float s = 0;
  for (int m = 0; m < n; m += 16) {
    A[ty][tx] = a[y * n + m + tx];
    B[ty][tx] = b[(m + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += A[ty][k] * B[k][tx];
    __syncthreads();
  }
  c[y * n + x] = s;
}

// Launch: grid 16, block 256; n = 32768, bins at random.
__global__ void hist_shared(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)
    atomicAdd(&h[in[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}

// Launch: grid 64, block 256; n = 16384, bins at random.
__global__ void hist_global(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[in[i] & 255], 1u);
}

// Launch: one warp; p is one cycle through 8192 words; 256 steps.
__global__ void chase(const unsigned* p, unsigned* out, int steps) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < steps; i++) x = p[x];
  out[threadIdx.x] = x;
}

// Launches: grid 32, block 128; stride 1, 4, 17, 32; n = 262144.
__global__ void strided(const float* in, float* out, int stride, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < 8; k++) s += in[((i + k * 4096) * stride) % n];
  out[i] = s;
}

// Launch: grid 128, block 256; idx random below 65536.
__global__ void gather(const unsigned* idx, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i]];
}

// Launch: grid 64, block 256.
__global__ void scan_block(const int* in, int* out) {
  __shared__ int s[512];
  int t = threadIdx.x, g = blockIdx.x * 256 + t, p = 0;
  s[t] = in[g];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int q = 1 - p;
    s[q * 256 + t] = t >= d ? s[p * 256 + t] + s[p * 256 + t - d] : s[p * 256 + t];
    p = q;
    __syncthreads();
  }
  out[g] = s[p * 256 + t];
}

// Launch: grid 32, block 128; 4096 rows of 1 to 16 entries, columns at random.
__global__ void spmv(const int* ptr, const int* col, const float* val, const float* x, float* y,
                     int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) {
    float s = 0;
    for (int j = ptr[r]; j < ptr[r + 1]; j++) s += val[j] * x[col[j]];
    y[r] = s;
  }
}

// Launch: grid 16, block 256; the graph of spmv, 400 vertices of level 0.
__global__ void bfs(const int* ptr, const int* col, int* level, int* changed, int cur, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && level[v] == cur)
    for (int j = ptr[v]; j < ptr[v + 1]; j++) {
      int w = col[j];
      if (level[w] < 0) {
        level[w] = cur + 1;
        *changed = 1;
      }
    }
}

// Launch: grid 64, block 256; it = 32.
__global__ void mc(float* out, int it) {
  unsigned s = blockIdx.x * blockDim.x + threadIdx.x + 12345u;
  float acc = 0;
  for (int i = 0; i < it; i++) {
    s = s * 1664525u + 1013904223u;
    float x = (s >> 8) * (1.0f / 16777216.0f);
    s = s * 1664525u + 1013904223u;
    float y = (s >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y < 1.0f) acc += 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}

// Launch: grid 64, block 256.
__global__ void sfu(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 16; k++) x = __sinf(x) + __expf(-x) * 0.5f;
  out[i] = x;
}

// Launch: grid 32, block 256.
__global__ void dbl(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i];
  for (int k = 0; k < 16; k++) x = x * 0.999 + 0.001;
  out[i] = x;
}

// Launches: grid 64, block 256, and one warp; it = 64.
__global__ void fma_chain(float* out, int it) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < it; i++) {
    a = a * 1.01f + 0.5f;
    b = b * 1.01f + 0.5f;
    c = c * 1.01f + 0.5f;
    d = d * 1.01f + 0.5f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

// Launches: grid 16, block 256; stride 1, 2, 32; it = 64.
__global__ void shstride(float* out, int stride, int it) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = i;
  __syncthreads();
  float v = 0;
  int x = threadIdx.x * stride;
  for (int i = 0; i < it; i++) {
    v += s[(x + i) & 1023];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Launch: grid 128, block 128.
__global__ void copy4(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// Launch: grid 8 x 8, block 16 x 16; n = 128.
__global__ void hotspot(const float* t, const float* p, float* o, int n) {
  __shared__ float s[18][18];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  s[ty + 1][tx + 1] = t[y * n + x];
  if (tx == 0) s[ty + 1][0] = t[y * n + (x > 0 ? x - 1 : 0)];
  if (tx == 15) s[ty + 1][17] = t[y * n + (x < n - 1 ? x + 1 : x)];
  if (ty == 0) s[0][tx + 1] = t[(y > 0 ? y - 1 : 0) * n + x];
  if (ty == 15) s[17][tx + 1] = t[(y < n - 1 ? y + 1 : y) * n + x];
  __syncthreads();
  float c = s[ty + 1][tx + 1];
  for (int k = 0; k < 2; k++)
    c = c + 0.1f * (s[ty][tx + 1] + s[ty + 2][tx + 1] - 2 * c) +
        0.1f * (s[ty + 1][tx] + s[ty + 1][tx + 2] - 2 * c) + 0.01f * p[y * n + x];
  o[y * n + x] = c;
}

// Launch: grid 64, block 256; numbers below 5000.
__global__ void diverge(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i], c = 0;
  while (v != 1 && c < 64) {
    v = (v & 1) ? 3 * v + 1 : v >> 1;
    c++;
  }
  out[i] = c;
}

// Launch: grid 64, block 256.
__global__ void blackscholes(const float* S, const float* X, const float* T, float* C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = S[i], x = X[i], t = T[i], r = 0.02f, v = 0.3f;
    float sq = (t * rsqrtf(t));
    float d1 = __fdividef(__logf(__fdividef(s, x)) + (r + 0.5f * v * v) * t, v * sq),
          d2 = d1 - v * sq;
    float k1 = __fdividef(1.0f, 1.0f + 0.2316419f * d1),
          k2 = __fdividef(1.0f, 1.0f + 0.2316419f * d2);
    float n1 = k1 * (0.319f + k1 * (-0.356f + k1 * (1.781f + k1 * (-1.821f + k1 * 1.33f)))) *
               __expf(-0.5f * d1 * d1),
          n2 = k2 * (0.319f + k2 * (-0.356f + k2 * (1.781f + k2 * (-1.821f + k2 * 1.33f)))) *
               __expf(-0.5f * d2 * d2);
    C[i] = s * n1 - x * __expf(-r * t) * n2;
  }
}
}
