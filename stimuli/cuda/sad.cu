// Motion search (after Parboil's sad): sums of absolute differences (SAD) of each 4x4 block of a
// picture and the blocks of an earlier one up to 16 pixels away. Larger blocks are summed from
// these: H.264 knows 41 blocks in a macroblock of 16x16.
//
// A block has 61 threads and one 4x4 block of the picture. A thread takes 18 of the 33 x 33 offsets
// in a row. Sums are halfwords; thread t stores those from 18 t on, a stride of 9 words, and all
// threads read the same pixel at a time. The sums leave shared memory by words, in sequence.

constexpr unsigned kThreads = 61;
constexpr unsigned kOffsetsOfThread = 18;
constexpr int kReach = 16;
constexpr int kSide = 2 * kReach + 1;
constexpr unsigned kOffsets = kSide * kSide;
constexpr unsigned kPadded = 1096;  // offsets with padding: 2192 bytes
constexpr unsigned kWords = kPadded / 2;
constexpr unsigned kArrays = 41;  // arrays per macroblock, kWords words each: two sums per word
// First array of each size.
constexpr unsigned k4x4 = 0;
constexpr unsigned k8x4 = 16;
constexpr unsigned k4x8 = 24;
constexpr unsigned k8x8 = 32;
constexpr unsigned k16x8 = 36;
constexpr unsigned k8x16 = 38;
constexpr unsigned k16x16 = 40;

/// Returns array `array` of macroblock `macroblock`.
static __device__ __forceinline__ unsigned* arrayAt(unsigned* sums, unsigned macroblock,
                                                    unsigned array) {
  return sums + (macroblock * kArrays + array) * kWords;
}

/// Sums the 4x4 block (x, y) of the picture in block (x, y). current, before: pictures of width x
/// height pixels in rows of `pitch`; pixels beyond an edge repeat those at the edge.
extern "C" __global__ void sad_4x4(const unsigned short* current, const unsigned short* before,
                                   unsigned* sums, int width, int height, int pitch) {
  __shared__ unsigned short block[16];
  __shared__ __align__(4) unsigned short found[kPadded];
  const unsigned t = threadIdx.x;
  const int x0 = static_cast<int>(blockIdx.x) * 4;
  const int y0 = static_cast<int>(blockIdx.y) * 4;
  if (t < 16) {
    block[t] = current[(y0 + static_cast<int>(t / 4)) * pitch + x0 + static_cast<int>(t % 4)];
  }
  __syncthreads();

#pragma unroll 1
  for (unsigned i = 0; i < kOffsetsOfThread; ++i) {
    const unsigned offset = t * kOffsetsOfThread + i;
    if (offset >= kPadded) break;
    int sum = 0;
    if (offset < kOffsets) {
      const int dx = static_cast<int>(offset % kSide) - kReach;
      const int dy = static_cast<int>(offset / kSide) - kReach;
#pragma unroll
      for (int y = 0; y < 4; ++y) {
        const int row = min(max(y0 + dy + y, 0), height - 1) * pitch;
#pragma unroll
        for (int x = 0; x < 4; ++x) {
          const int column = min(max(x0 + dx + x, 0), width - 1);
          sum += abs(static_cast<int>(block[y * 4 + x]) - static_cast<int>(before[row + column]));
        }
      }
    }
    found[offset] = static_cast<unsigned short>(sum);
  }
  __syncthreads();

  const unsigned macroblock = blockIdx.y / 4 * (gridDim.x / 4) + blockIdx.x / 4;
  unsigned* out = arrayAt(sums, macroblock, k4x4 + blockIdx.y % 4 * 4 + blockIdx.x % 4);
  const unsigned* pairs = reinterpret_cast<const unsigned*>(found);
#pragma unroll 1
  for (unsigned i = t; i < kWords; i += kThreads) out[i] = pairs[i];
}

/// Sums a macroblock per block of 32x4 threads: row y sums the 4x4 blocks of quarter y to 8x4, 4x8
/// and 8x8. A sum stays below 2^16, so that one addition adds two in a word.
extern "C" __global__ void sad_8x8(unsigned* sums) {
  const unsigned macroblock = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned column = threadIdx.y % 2;
  const unsigned row = threadIdx.y / 2;
  const unsigned* parts = arrayAt(sums, macroblock, k4x4 + row * 8 + column * 2);
  unsigned* wide = arrayAt(sums, macroblock, k8x4 + row * 4 + column);
  unsigned* high = arrayAt(sums, macroblock, k4x8 + row * 4 + column * 2);
  unsigned* whole = arrayAt(sums, macroblock, k8x8 + threadIdx.y);
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < kWords; i += 32) {
    const unsigned a = parts[i];
    const unsigned b = parts[kWords + i];
    const unsigned c = parts[4 * kWords + i];
    const unsigned d = parts[5 * kWords + i];
    wide[i] = a + b;
    wide[2 * kWords + i] = c + d;
    high[i] = a + c;
    high[kWords + i] = b + d;
    whole[i] = a + b + c + d;
  }
}

/// Sums a macroblock per warp: from its four 8x8 sums to 16x8, 8x16 and 16x16.
extern "C" __global__ void sad_16x16(unsigned* sums) {
  const unsigned macroblock = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned* parts = arrayAt(sums, macroblock, k8x8);
  unsigned* wide = arrayAt(sums, macroblock, k16x8);
  unsigned* high = arrayAt(sums, macroblock, k8x16);
  unsigned* whole = arrayAt(sums, macroblock, k16x16);
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < kWords; i += 32) {
    const unsigned a = parts[i];
    const unsigned b = parts[kWords + i];
    const unsigned c = parts[2 * kWords + i];
    const unsigned d = parts[3 * kWords + i];
    wide[i] = a + b;
    wide[kWords + i] = c + d;
    high[i] = a + c;
    high[kWords + i] = b + d;
    whole[i] = a + b + c + d;
  }
}
