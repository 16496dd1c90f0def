// Inclusive prefix sums of one vector a block, the vector seen as a matrix with 8 words a row and a
// thread a row: each row is summed, the sums before each row are found, and each row is scanned
// from there. The row sums are a vector again, which is treated the same until there are at most
// 32; one thread scans those. Threads that walk rows are 8 words apart, degree 8; the copies and
// the sums are in sequence. Rows padded by one word (pad=1) are walked without conflict, but then
// what is in sequence has gaps: degree 2, except for the last sums, which are no matrix.

constexpr unsigned kWidth = 8;
constexpr unsigned kWarp = 32;

extern __shared__ unsigned words[];  ///< the matrix, then that of its row sums, and so on

/// Where element i of a matrix is, in rows of 8 words and `Pad` more.
template <unsigned Pad>
static __device__ __forceinline__ unsigned wordOf(unsigned i) {
  return i + Pad * (i / kWidth);
}

template <unsigned Pad>
static __device__ __forceinline__ void scanVector(const unsigned* in, unsigned* out) {
  constexpr unsigned kRow = kWidth + Pad;
  const unsigned t = threadIdx.x;
  const unsigned n = kWidth * blockDim.x;
  in += blockIdx.x * n;
  out += blockIdx.x * n;
#pragma unroll
  for (unsigned i = 0; i < kWidth; ++i) {
    words[wordOf<Pad>(i * blockDim.x + t)] = in[i * blockDim.x + t];
  }

  // Up: the sums of a matrix are the next one.
  unsigned* matrix = words;
  unsigned rows = blockDim.x;
#pragma unroll 1
  while (true) {
    __syncthreads();
    unsigned* sums = matrix + kRow * rows;
    if (t < rows) {
      unsigned sum = 0;
#pragma unroll
      for (unsigned i = 0; i < kWidth; ++i) sum += matrix[kRow * t + i];
      sums[rows > kWarp ? wordOf<Pad>(t) : t] = sum;
    }
    matrix = sums;
    if (rows <= kWarp) break;
    rows /= kWidth;
  }
  // The last sums, one for each row: each becomes the sum of those before it.
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < rows; ++i) {
      const unsigned word = matrix[i];
      matrix[i] = sum;
      sum += word;
    }
  }
  // Down: each row of a matrix from the sum before it; the first matrix keeps the inclusive sums.
#pragma unroll 1
  while (true) {
    __syncthreads();
    const unsigned* before = matrix;
    matrix -= kRow * rows;
    const bool isFirst = matrix == words;
    if (t < rows) {
      unsigned sum = before[rows > kWarp ? wordOf<Pad>(t) : t];
#pragma unroll
      for (unsigned i = 0; i < kWidth; ++i) {
        const unsigned next = sum + matrix[kRow * t + i];
        matrix[kRow * t + i] = isFirst ? next : sum;
        sum = next;
      }
    }
    if (isFirst) break;
    rows *= kWidth;
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < kWidth; ++i) {
    out[i * blockDim.x + t] = words[wordOf<Pad>(i * blockDim.x + t)];
  }
}

extern "C" __global__ void matrixscan_0(const unsigned* in, unsigned* out) {
  scanVector<0>(in, out);
}
extern "C" __global__ void matrixscan_1(const unsigned* in, unsigned* out) {
  scanVector<1>(in, out);
}
