// Matrix transposition through a shared tile: the tile is written by rows and read by columns, so
// that both global accesses are contiguous. The column read of a tile of `Width` words per row has
// degree 32 (tile 32) or 8 (tile 16) unless each row is padded by one word.

/// Transposes by Tile x Rows threads per block; a thread moves Tile / Rows elements of a tile.
template <unsigned Tile, unsigned Rows, unsigned Pad>
static __device__ __forceinline__ void transposeTile(const float* in, float* out, unsigned n) {
  __shared__ float tile[Tile][Tile + Pad];
  const unsigned column = blockIdx.x * Tile + threadIdx.x;
  const unsigned row = blockIdx.y * Tile + threadIdx.y;
#pragma unroll
  for (unsigned r = 0; r < Tile; r += Rows) {
    tile[threadIdx.y + r][threadIdx.x] = in[(row + r) * n + column];
  }
  __syncthreads();
  const unsigned outColumn = blockIdx.y * Tile + threadIdx.x;
  const unsigned outRow = blockIdx.x * Tile + threadIdx.y;
#pragma unroll
  for (unsigned r = 0; r < Tile; r += Rows) {
    out[(outRow + r) * n + outColumn] = tile[threadIdx.x][threadIdx.y + r];
  }
}

extern "C" __global__ void transpose_16_0(const float* in, float* out, unsigned n) {
  transposeTile<16, 16, 0>(in, out, n);
}
extern "C" __global__ void transpose_16_1(const float* in, float* out, unsigned n) {
  transposeTile<16, 16, 1>(in, out, n);
}
extern "C" __global__ void transpose_32_0(const float* in, float* out, unsigned n) {
  transposeTile<32, 8, 0>(in, out, n);
}
extern "C" __global__ void transpose_32_1(const float* in, float* out, unsigned n) {
  transposeTile<32, 8, 1>(in, out, n);
}
