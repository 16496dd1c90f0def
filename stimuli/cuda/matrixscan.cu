// Inclusive prefix sums of one vector per block. The vector is seen as a matrix with 8 words per
// row, and one thread takes each row. Each row is summed, the sums before each row are found, and
// each row is scanned from there. The row sums form a vector that is treated alike, until at most
// 32 are left, which one thread scans. Threads walk rows 8 words apart: degree 8. With rows padded
// by one word (pad=1) there is no conflict, but copies and sums in sequence meet gaps: degree 2,
// except for the last sums, which are no matrix.

constexpr unsigned kWidth = 8;
constexpr unsigned kWarp = 32;

extern __shared__ unsigned words[];  ///< the matrix, then that of its row sums, and so on

/// Returns the word of element i of a matrix, in rows of 8 words and `Pad` more.
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

  // Go up: the sums of a matrix form the next one.
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
  // Replace each of the last sums, one for each row, by the sum of those before it.
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
  // Go down: scan each row from the sum before it; the first matrix keeps the inclusive sums.
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
