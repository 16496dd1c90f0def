// Scales rows to mean 0 and variance 1, then scales and shifts them by column: y = (x - mean) /
// sqrt(variance + 1e-5) * gamma + beta. A block copies 32 rows into shared memory in order. For the
// sums a lane takes a row, and each of four warps a quarter of its columns: lanes go down a column,
// whose words are a row apart. In the naive layout all lanes meet in one bank. Padding each row by
// a word, or exchanging its columns by its number, gives each lane its own bank.

constexpr unsigned kRows = 32;
constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / 32;
constexpr float kSmall = 1e-5f;

/// Returns the word of a row and column. Rows have `columns` columns, a multiple of 32.
struct Naive {
  static __device__ unsigned at(unsigned row, unsigned column, unsigned columns) {
    return row * columns + column;
  }
};
struct Padded {
  static __device__ unsigned at(unsigned row, unsigned column, unsigned columns) {
    return row * (columns + 1) + column;
  }
};
struct Swizzled {
  static __device__ unsigned at(unsigned row, unsigned column, unsigned columns) {
    return row * columns + (column ^ row);
  }
};

/// Returns, for the lane's row, the sum of the warps' shares.
static __device__ __forceinline__ float addShares(float share, float (&shares)[kWarps][kRows]) {
  const unsigned row = threadIdx.x % 32;
  shares[threadIdx.x / 32][row] = share;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (unsigned warp = 0; warp < kWarps; ++warp) sum += shares[warp][row];
  __syncthreads();
  return sum;
}

template <class Layout>
static __device__ __forceinline__ void normalise(const float* in, const float* gamma,
                                                 const float* beta, float* out, unsigned columns) {
  extern __shared__ float words[];
  __shared__ float shares[kWarps][kRows];
  __shared__ float means[kRows];
  __shared__ float scales[kRows];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * kRows * columns;
#pragma unroll 1
  for (unsigned row = warp; row < kRows; row += kWarps) {
    for (unsigned column = lane; column < columns; column += 32)
      words[Layout::at(row, column, columns)] = in[first + row * columns + column];
  }
  __syncthreads();
  float sum = 0;
  for (unsigned column = warp; column < columns; column += kWarps)
    sum += words[Layout::at(lane, column, columns)];
  const float mean = addShares(sum, shares) / columns;
  float squares = 0;
  for (unsigned column = warp; column < columns; column += kWarps) {
    const float off = words[Layout::at(lane, column, columns)] - mean;
    squares += off * off;
  }
  const float scale = 1 / sqrtf(addShares(squares, shares) / columns + kSmall);
  if (warp == 0) {
    means[lane] = mean;
    scales[lane] = scale;
  }
  __syncthreads();
#pragma unroll 1
  for (unsigned row = warp; row < kRows; row += kWarps) {
    const float rowMean = means[row];
    const float rowScale = scales[row];
    for (unsigned column = lane; column < columns; column += 32) {
      const float number = (words[Layout::at(row, column, columns)] - rowMean) * rowScale;
      out[first + row * columns + column] = number * gamma[column] + beta[column];
    }
  }
}

extern "C" __global__ void layernorm_naive(const float* in, const float* gamma, const float* beta,
                                           float* out, unsigned columns) {
  normalise<Naive>(in, gamma, beta, out, columns);
}
extern "C" __global__ void layernorm_padded(const float* in, const float* gamma, const float* beta,
                                            float* out, unsigned columns) {
  normalise<Padded>(in, gamma, beta, out, columns);
}
extern "C" __global__ void layernorm_swizzled(const float* in, const float* gamma,
                                              const float* beta, float* out, unsigned columns) {
  normalise<Swizzled>(in, gamma, beta, out, columns);
}
